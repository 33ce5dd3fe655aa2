"""What an action is, and what an offer of actions depends on."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from rulewright.play import Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.movement import Pace
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Kind, Profile


class Target(NamedTuple):
    """Somebody who can be attacked: within reach of a blow, of a shot, of a throw; and near enough for the ground to be swept."""

    name: str
    near: bool
    shootable: bool
    flung: bool
    medium: bool


class Offer(Struct, frozen=True, gc=False):
    """Everything that what is offered depends on: whoever comes to the same is offered the same.

    It is made at every turn, and by the order of its fields: names would take ten times as long.
    """

    profile: Profile
    at: int
    """What is in hand, by its place among the weapons."""
    ammo: tuple[int, ...]
    jammed: tuple[bool, ...]
    unready: tuple[int, ...]
    gone: tuple[str, ...]
    shield_up: bool
    aim: int
    aim_at: str
    pace: Pace
    stands: bool
    """Whether wounds let somebody stand."""
    targets: tuple[Target, ...]
    lines: tuple[tuple[tuple[str, ...], int, int], ...]
    """Every group that a burst can be walked over, with the least rate of fire for it and the highest."""
    fired: tuple[str, ...]
    """Those at whom the weapon in hand was fired in this turn."""
    actions: bool
    simple: bool
    """Whether a simple action can be done."""
    steady: bool
    loaded: bool
    """Whether a bow was brought nearer to its next shot in this turn."""
    hands: int

    @property
    def weapon(self) -> Weapon:
        """What is in hand."""
        return self.profile.weapons[self.at]

    @property
    def rate(self) -> int:
        """The highest rate of fire of what is in hand."""
        return self.weapon.fires.rof if self.weapon.fires is not None else 0


class Doing:
    """A kind of thing to do. `verb` is what people find it under, `opens` its name in the table of what lets the guard down."""

    kind: Kind
    verb: str
    opens = ""
    simple = False
    """Whether it needs no test unless it is one among several."""
    all_round = False
    """Whether it takes all of the turn that is left."""
    on_the_feet = False
    """Whether it is done with the whole body, so that uneasy footing counts."""
    hungry = False
    """Whether powers and spells may take more than one action for it."""
    fires = False
    """Whether a weapon is fired at people by it."""

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        """What is offered of it against one enemy."""
        return iter(())

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        """What else is offered of it."""
        return iter(())

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        """It is done; of a blow or shot everything is decided here but the dice, which are left to be done."""
        raise NotImplementedError

    def said(self, fighter: Fighter, action: Action) -> str:
        """What it looks like where no test is needed."""
        raise NotImplementedError

    def option(self, key: str, label: str, action: Action, note: str = "", target: str = "") -> Option[Action]:
        """One way to do it, found under its verb."""
        return Option(key, label, action, note, verb=self.verb, target=target or action.target)


class WithoutTest(Doing):
    """Something that is done by doing it."""

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        """Somebody who has done it."""
        raise NotImplementedError

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        fighter = fight.fighter(name)
        yield happened(fight, name, self.said(fighter, action))
        return fight.put(self.done(fighter, action))


class Simple(WithoutTest):
    """A simple action: one of them a turn is free."""

    simple = True
