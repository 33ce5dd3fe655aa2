"""What a decision in a fight is about, and what is told of what happened."""

from typing import NamedTuple

from rulewright.play import Event, Happened, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.foresight.combat.fighters import Action, Fight
from rulewright.systems.foresight.resolution.tests import FAILURE, Mod


class Asked(NamedTuple):
    """What a decision in a fight is about: the fight as it stands, who decides, and the action in question."""

    fight: Fight
    name: str
    rules: Ruleset
    action: Action | None = None
    actor: str = ""
    """Whose action it is."""


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tell what somebody does, to those who know of them."""
    return Tell(Happened(who, what, mood, known_to=fight.aware_of(who)))


class Attacked(Event, frozen=True):
    """An attack with its rating, the defense against it, and what got through."""

    attacker: str
    target: str
    how: str
    attack: int
    attack_mods: tuple[Mod, ...] = ()
    defense: int = 0
    guard: str = ""
    defense_mods: tuple[Mod, ...] = ()
    through: int = FAILURE

    def headline(self) -> str:
        against = f", {self.target} {self.guard}: QR{self.defense}" if self.guard else ""
        nothing = "is stopped" if self.guard else "comes to nothing"
        came = f"hits with QR{self.through}" if self.through < FAILURE else "misses" if self.attack >= FAILURE else nothing
        return f"{self.attacker} {self.how} {self.target}: QR{self.attack}{against}; it {came}"

    def reasons(self) -> tuple[Reason, ...]:
        found = [_sum(f"{self.attacker}: modifiers", self.attack_mods)]
        if self.guard:
            found.append(_sum(f"{self.target}: modifiers", self.defense_mods))
        return tuple(found)

    def tone(self) -> str:
        return "good" if self.through < FAILURE else "plain"


def _sum(label: str, mods: tuple[Mod, ...]) -> Reason:
    return Reason(label, sum([mod.value for mod in mods]), "=", "fs-ease-factor-ladder", "book", tuple([mod.reason() for mod in mods]))
