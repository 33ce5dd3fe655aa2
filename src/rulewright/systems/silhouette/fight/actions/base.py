"""Base classes of actions and the facts their options depend on."""

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
    """A possible target: whether a blow, shot or throw reaches it, and whether it is near enough for saturation fire."""

    name: str
    near: bool
    shootable: bool
    flung: bool
    medium: bool


class Offer(Struct, frozen=True, gc=False):
    """Everything that the offered options depend on: equal offers have equal options.

    It is built every turn by position, because keyword arguments would take ten times as long.
    """

    profile: Profile
    at: int
    """Index of the weapon in hand."""
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
    """Every group that walking fire can cover, with its lowest and highest rate of fire."""
    fired: tuple[str, ...]
    """Targets of the weapon in hand this turn."""
    actions: bool
    simple: bool
    """Whether a simple action is possible."""
    steady: bool
    loaded: bool
    """Whether a bow has been loaded one step this turn."""
    hands: int

    @property
    def weapon(self) -> Weapon:
        """Returns the weapon in hand."""
        return self.profile.weapons[self.at]

    @property
    def rate(self) -> int:
        """Returns the highest rate of fire of the weapon in hand."""
        return self.weapon.fires.rof if self.weapon.fires is not None else 0


class Doing:
    """A kind of action. `verb` groups it for people, `opens` is its row in the table of actions that drop the guard."""

    kind: Kind
    verb: str
    opens = ""
    simple = False
    """Whether it needs no test unless it is one of several."""
    all_round = False
    """Whether it takes the rest of the turn."""
    on_the_feet = False
    """Whether it uses the whole body, so that footing counts."""
    hungry = False
    """Whether powers and spells may take more than one action for it."""
    fires = False
    """Whether it fires a weapon at people."""

    def against(self, rules: Ruleset, offer: Offer, target: Target) -> Iterator[Option[Action]]:
        """Yields its options against one enemy."""
        return iter(())

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        """Yields its other options."""
        return iter(())

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        """Does the action; for a blow or shot everything is decided here except the dice."""
        raise NotImplementedError

    def said(self, fighter: Fighter, action: Action) -> str:
        """Describes the action if no test is needed."""
        raise NotImplementedError

    def option(self, key: str, label: str, action: Action, note: str = "", target: str = "") -> Option[Action]:
        """Returns one option, grouped under its verb."""
        return Option(key, label, action, note, verb=self.verb, target=target or action.target)


class WithoutTest(Doing):
    """An action without a test."""

    def done(self, fighter: Fighter, action: Action) -> Fighter:
        """Returns the fighter after the action."""
        raise NotImplementedError

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        fighter = fight.fighter(name)
        yield happened(fight, name, self.said(fighter, action))
        return fight.put(self.done(fighter, action))


class Simple(WithoutTest):
    """A simple action: one per turn is free."""

    simple = True
