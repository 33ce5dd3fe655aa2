"""What a body has taken in and carries from scene to scene: rads, habits, illnesses, days in free fall."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError


class Bout(Struct, frozen=True, forbid_unknown_fields=True):
    """What a failed withdrawal test brings: days of danger, then days of incapacity, then a penalty that falls by 1 a day of rest."""

    danger: int = 0
    incapacity: int = 0
    penalty: int = 0

    @property
    def days(self) -> int:
        """Days until it is over."""
        return self.danger + self.incapacity - self.penalty


class Habit(Struct, frozen=True, forbid_unknown_fields=True):
    """A drug somebody cannot leave alone: with the mind (dependent), with the body (addicted), and how far they have come off it."""

    drug: str
    dependent: bool = False
    addicted: bool = False
    refusals: int = 0
    """Offers turned down by strength of will, one after the other."""
    steadied: bool = False
    """Partially cured: 3 better at turning it down, until that fails."""
    clean_days: int = 0
    """Withdrawal tests passed one after the other."""
    survived: int = 0
    """Bouts of withdrawal survived; each helps with the next."""
    bout: Bout = Bout()
    """The withdrawal that is under way."""


class Infection(Struct, frozen=True, forbid_unknown_fields=True):
    """An illness that was caught: how virulent it is in this body, and when it breaks out."""

    illness: str
    virulence: int
    days_left: float = 0
    """Days until it breaks out; 0 for one that has."""
    fever: int = 0
    """Days of life-threatening fever still to come."""
    in_bed: int = 0
    """Days of incapacity still to come after that."""
    penalty: int = 0
    """What it costs on actions then, a point less with each day: zero or negative."""

    @property
    def over(self) -> bool:
        """Whether nothing of it is left."""
        return not (self.days_left or self.fever or self.in_bed or self.penalty or self.virulence)


class TakenIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything of this kind that a character file remembers."""

    rads: float = 0
    most_rads: float = 0
    """The highest tally there ever was; a tenth of it stays for ever."""
    worst_irradiation: int = 0
    """The highest Margin of Failure against radiation so far; 0 for one who was never sick from it."""
    rad_sickness: int = 0
    """The margin of the radiation sickness that lingers; 0 for none."""
    habits: tuple[Habit, ...] = ()
    infections: tuple[Infection, ...] = ()
    weightless_before: int = 0
    """How often somebody has got used to free fall."""

    def habit(self, drug: str) -> Habit:
        """The habit of a drug; a blank one where there is none."""
        return next((candidate for candidate in self.habits if candidate.drug == drug), Habit(drug))

    def with_habit(self, habit: Habit) -> "TakenIn":
        """The same with another state of one habit; one that is wholly over is forgotten."""
        others = [candidate for candidate in self.habits if candidate.drug != habit.drug]
        listed = [*others, habit] if habit != Habit(habit.drug) else others
        return replace(self, habits=tuple(sorted(listed, key=lambda item: item.drug)))

    def with_rads(self, rads: float) -> "TakenIn":
        """The same with another tally of rads."""
        if rads < 0:
            raise UserError(f"the rad tally must be at least 0, not {rads:g}")
        return replace(self, rads=rads, most_rads=max(rads, self.most_rads))


CLEAN = TakenIn()
"""Somebody who has taken in nothing."""
