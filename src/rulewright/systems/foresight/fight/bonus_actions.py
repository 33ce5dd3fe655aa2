"""Bonus actions: an attribute roll for more actions of one kind, once a round (book lines 3055-3088)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Scale, came_to
from rulewright.rules import Ruleset, rule
from rulewright.systems.foresight.combat.arms import Profile, Weapon
from rulewright.systems.foresight.combat.moves import MOVES
from rulewright.systems.foresight.harm.body import Patient, condition
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.resolution.situations import bonus_actions
from rulewright.systems.foresight.resolution.tests import Mod, Task, attempt

MOVEMENT = (*MOVES, "drop", "kneel", "squat", "rise", "pivot", "turn", "recover")


class Kind(Struct, frozen=True):
    """A kind of bonus actions: the attribute that is rolled, and the actions it can be spent on."""

    attribute: str
    actions: tuple[str, ...]
    label: str


KINDS: dict[str, Kind] = {
    "step": Kind("AG", ("step", "pivot", "recover"), "step, pivot and recover"),
    "move": Kind("AG", MOVEMENT, "any movement"),
    "dodge": Kind("AG", (), "dodges"),
    "parry": Kind("DX", (), "parries"),
    "fire": Kind("DX", ("fire", "reload", "throw"), "fire, reload and throw"),
    "draw": Kind("DX", ("draw",), "draw"),
    "feint": Kind("DX", ("feint",), "feint"),
    "aim": Kind("PC", ("aim",), "aim"),
    "wind-up": Kind("ST", ("wind-up",), "wind-up"),
    "pin": Kind("ST", ("pin", "maintain pin"), "pin and maintain pin"),
    "concentrate": Kind("WP", ("concentrate",), "concentrate"),
}
"""What one may roll for; bonus dodges and parries are spent on reflexes."""


MOST_TOLD = 4
BONUS_WON = ("an action lost", "none", "1 more", "2 more", "3 more", "4 or more")
WINNING = Scale(BONUS_WON, BONUS_WON[2:], "wins bonus actions")
"""What a roll for bonus actions can lead to."""


class Won(Struct, frozen=True):
    """The result of a roll for bonus actions: its rating, and the actions won or lost."""

    qr: int
    actions: int

    def told(self, kind: str) -> str:
        """The same in words."""
        won = "loses an action" if self.actions < 0 else f"wins {count(self.actions, 'bonus action')}"
        return f"{won} ({KINDS[kind].label}, QR{self.qr})"


def covers(bonus: str, action: str) -> bool:
    """Whether bonus actions of a kind can be spent on an action."""
    return bonus in KINDS and action in KINDS[bonus].actions


@rule("fs-bonus-actions")
def bonus_attribute(rules: Ruleset, kind: str = "draw") -> str:
    """The attribute that is rolled for a kind of bonus actions."""
    if kind not in KINDS:
        raise UserError(f"there are no bonus actions of kind {kind!r}; there are {', '.join(KINDS)}")
    return KINDS[kind].attribute


@rule("fs-bonus-actions")
def roll_bonus(
    rules: Ruleset, attribute: int = 9, task: Task | None = None, by: str = "", kind: str = "draw", secret: bool = False
) -> Play[Won]:
    """An attribute roll for bonus actions of one kind: attribute and rating say how many, and a botch costs an action."""
    rolled_with = task or Task(attribute, rules.number("attribute-ease-factor"))
    rolled = yield from attempt(rules, rolled_with, by, f"bonus actions ({kind})", secret=secret)
    won = bonus_actions(rules, attribute, rolled.qr)
    yield from came_to(BONUS_WON[max(-1, min(MOST_TOLD, won)) + 1], WINNING, by)
    return Won(rolled.qr, won)


def bonus_task(rules: Ruleset, profile: Profile, body: Patient, weapon: Weapon, kind: str) -> Task:
    """The roll of a person for a kind of bonus actions; the sights of a target weapon help with aiming."""
    attribute = bonus_attribute(rules, kind)
    arm: Location = "left arm" if profile.left_handed else "right arm"
    task = profile.task(attribute).plus(*condition(rules, body, (arm,) if attribute == "DX" else (), agility=attribute == "AG"))
    return task.plus(Mod("target sights", weapon.aim_rolls, "fs-ranged-weapon-mods")) if kind == "aim" else task
