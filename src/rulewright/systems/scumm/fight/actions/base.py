"""Base class of actions, and the state that their options depend on."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from rulewright.play import Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.scumm.action.movement import Mode
from rulewright.systems.scumm.combat.attack_setup import happened
from rulewright.systems.scumm.combat.attacks import Band
from rulewright.systems.scumm.combat.fighters import Action, Fight, Fighter, Kind, Profile, Weapon


class Target(NamedTuple):
    """A person who can be attacked: how far off for the weapon in hand, whether within reach of a blow, and near enough to suppress."""

    name: str
    band: Band | None
    in_reach: bool
    suppressible: bool


class Offer(Struct, frozen=True, gc=False):
    """Everything that the offered options depend on: equal offers give equal options.

    It is made at every turn, and by the order of its fields: names would take ten times as long.
    """

    profile: Profile
    in_hand: int
    ammo: tuple[int, ...]
    gone: tuple[str, ...]
    mode: Mode
    can_stand: bool
    can_hold: bool
    jammed: tuple[bool, ...] = ()
    aim: int = 0
    aim_at: str = ""
    targets: tuple[Target, ...] = ()
    sprays: tuple[tuple[str, ...], ...] = ()
    """Every line of people that a spray can be laid over."""
    spots: tuple[str, ...] = ()
    """Covers whose ground can be suppressed."""
    sprayed: tuple[str, ...] = ()
    """The targets that the weapon in hand has sprayed this round."""
    actions: bool = True
    """Whether an action is left."""
    simple_left: bool = True
    """Whether the free simple action is left."""
    steady: bool = True

    @property
    def weapon(self) -> Weapon:
        """The weapon in hand."""
        return self.profile.weapons[self.in_hand]

    @property
    def loaded(self) -> bool:
        """Whether a gun is in hand that can be fired."""
        return self.weapon.gun and self.ammo[self.in_hand] > 0 and not self.jammed[self.in_hand]

    @property
    def note(self) -> str:
        """The cost of a simple action, in words."""
        return "free" if self.simple_left else "counts as an action"


class Doing:
    """A kind of thing to do. `verb` is what people find it under."""

    kind: Kind
    verb: str
    simple = False
    """Whether it needs no test, so that one of them a round is free."""
    all_round = False
    """Whether it takes all of the turn that is left."""
    in_motion = False
    """Whether nobody aims who has done it."""
    goes_on_treating = False
    """Whether a treatment in progress continues after this action."""

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        """The options offered of it against one enemy."""
        return iter(())

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        """Lists the other options offered of it."""
        return iter(())

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        """It is done, as one of so many extra actions."""
        raise NotImplementedError

    def option(self, key: str, label: str, action: Action, note: str = "", target: str = "") -> Option[Action]:
        """One way to do it, found under its verb."""
        return Option(key, label, action, note, verb=self.verb, target=target or action.target)


class WithoutTest(Doing):
    """Something that is done by doing it."""

    goes_on_treating = True

    def said(self, fighter: Fighter, action: Action) -> str:
        """Describes how the action looks."""
        raise NotImplementedError

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        """A person who has done it."""
        raise NotImplementedError

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        fighter = fight.fighter(name)
        yield from happened(fight, name, self.said(fighter, action))
        return fight.put(self.done(fighter, action))


class Simple(WithoutTest):
    """A simple action: one of them a round is free."""

    simple = True
