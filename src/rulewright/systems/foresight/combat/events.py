"""The context of decisions in a fight, and log entries."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.play import Event, Happened, Scale, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason, row, total
from rulewright.systems.foresight.combat.fighters import Action, Fight
from rulewright.systems.foresight.harm.events import Attempted, OfARoll
from rulewright.systems.foresight.resolution.tests import FAILURE, Weighed


class Asked(NamedTuple):
    """What a decision in a fight is about: the current fight, who decides, and the action in question."""

    fight: Fight
    name: str
    rules: Ruleset
    action: Action | None = None
    actor: str = ""
    """Whose action it is."""


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tell what a person does, to people who know of them."""
    return Tell(Happened(who, what, mood, known_to=fight.aware_of(who)))


def attempted(fight: Fight, who: str, what: str, mood: str = "plain", *, of: tuple[tuple[str, Weighed], ...]) -> Tell:
    """Tell what a person does by a roll, with its sum, to people who know of them."""
    return Tell(Attempted(who, what, mood, of=of, known_to=fight.aware_of(who)))


EFFECTS = (
    "miss",
    "stopped",
    "no effect",
    "on the knees",
    "driven back",
    "on the ground",
    "stunned",
    "bound",
    "disarmed",
    "held",
    "knocked out",
)
EFFECT = Scale(EFFECTS, EFFECTS[3:], "works", "averted", harms=True)
"""The possible outcomes of a special attack, from nothing to worst."""


class Attacked(Event, frozen=True):
    """An attack with its rating, the defense against it, and what got through."""

    attacker: str
    target: str
    how: str
    attack: int
    defense: int = 0
    guard: str = ""
    through: int = FAILURE
    jammed: bool = False
    special: bool = False
    """Whether it is after something else than a wound."""
    attack_of: Weighed | None = None
    defense_of: Weighed | None = None

    def headline(self) -> str:
        against = f", {self.target} {self.guard}: QR{self.defense}" if self.guard else ""
        return f"{self.attacker} {self.how} {self.target}: QR{self.attack}{against}; it {self._came()}"

    def _came(self) -> str:
        if self.through < FAILURE:
            return f"{'succeeds' if self.special else 'hits'} with QR{self.through}"
        if self.jammed:
            return "fails, since the weapon does not work"
        return "misses" if self.attack >= FAILURE else "is stopped" if self.guard else "has no effect"

    def reasons(self) -> tuple[Reason, ...]:
        result = [_chance(self.attacker, self.attack_of)]
        if self.guard:
            looked_up = (Reason("attack", self.attack, "+", "fs-quality-rating"), Reason("defense", self.defense, "+", "fs-quality-rating"))
            left = row("what the defense leaves", self.through, *looked_up, rule="fs-opposed-blocking")
            result += [_chance(self.target, self.defense_of), total("rating that gets through", left, rule="fs-opposed-blocking").reason]
        return tuple([reason for reason in result if reason is not None])

    def tone(self) -> str:
        return "good" if self.through < FAILURE else "plain"


TASK = Scale(("botch", "failure", "success"), ("success",), "succeeds")
"""The possible results of a task."""


class Tried(OfARoll, frozen=True):
    """A task that a person tried in the middle of a fight."""

    who: str
    ability: str
    qr: int

    def headline(self) -> str:
        return f"{self.who} attempts a task ({self.ability}): QR{self.qr}, {'success' if self.qr < FAILURE else 'failure'}"

    def tone(self) -> str:
        return "good" if self.qr < FAILURE else "plain"


def _chance(who: str, of: Weighed | None) -> Reason | None:
    """The success chance of a person's roll, under their name."""
    return None if of is None else replace(of.why().reason, label=f"{who}: success chance")
