"""Conditions kept between scenes: rads, habits, illnesses, days in free fall."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError


class Bout(Struct, frozen=True, forbid_unknown_fields=True):
    """A bout of withdrawal: days of danger, then of incapacity, then a penalty that falls by 1 per day."""

    danger: int = 0
    incapacity: int = 0
    penalty: int = 0

    @property
    def days(self) -> int:
        """Returns the days until it ends."""
        return self.danger + self.incapacity - self.penalty


class Habit(Struct, frozen=True, forbid_unknown_fields=True):
    """A drug habit: psychological (dependent), physical (addicted), and the progress of the cure."""

    drug: str
    dependent: bool = False
    addicted: bool = False
    refusals: int = 0
    """Consecutive refusals."""
    steadied: bool = False
    """Whether partially cured: +3 to refuse until a test fails."""
    clean_days: int = 0
    """Consecutive passed withdrawal tests."""
    survived: int = 0
    """Bouts survived; each helps with the next."""
    bout: Bout = Bout()
    """The current bout of withdrawal."""


class Infection(Struct, frozen=True, forbid_unknown_fields=True):
    """A disease caught: its Virulence in this body, and when it breaks out."""

    illness: str
    virulence: int
    days_left: float = 0
    """Days until it breaks out; 0 if it has."""
    fever: int = 0
    """Days of life-threatening fever left."""
    in_bed: int = 0
    """Days of incapacity after that."""
    penalty: int = 0
    """Penalty then, falling by 1 per day: zero or negative."""

    @property
    def over(self) -> bool:
        """Whether it is over."""
        return not (self.days_left or self.fever or self.in_bed or self.penalty or self.virulence)


class TakenIn(Struct, frozen=True, forbid_unknown_fields=True):
    """All such conditions of a character file."""

    rads: float = 0
    most_rads: float = 0
    """The highest tally so far; a tenth of it stays for ever."""
    worst_irradiation: int = 0
    """The highest Margin of Failure against radiation so far; 0 if never sick from it."""
    rad_sickness: int = 0
    """Margin of the lingering radiation sickness; 0 for none."""
    habits: tuple[Habit, ...] = ()
    infections: tuple[Infection, ...] = ()
    weightless_before: int = 0
    """Number of recoveries from space sickness."""

    def habit(self, drug: str) -> Habit:
        """Returns the habit of a drug; an empty one if there is none."""
        return next((candidate for candidate in self.habits if candidate.drug == drug), Habit(drug))

    def with_habit(self, habit: Habit) -> "TakenIn":
        """Returns the conditions with one habit changed; a finished one is removed."""
        others = [candidate for candidate in self.habits if candidate.drug != habit.drug]
        listed = [*others, habit] if habit != Habit(habit.drug) else others
        return replace(self, habits=tuple(sorted(listed, key=lambda item: item.drug)))

    def with_rads(self, rads: float) -> "TakenIn":
        """Returns the conditions with another rad tally."""
        if rads < 0:
            raise UserError(f"the rad tally must be at least 0, not {rads:g}")
        return replace(self, rads=rads, most_rads=max(rads, self.most_rads))


CLEAN = TakenIn()
"""No conditions."""
