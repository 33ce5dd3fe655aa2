"""The registry of all actions. A family of actions adds its objects to the tuple."""

from rulewright.play import Given, Option
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.attacks.close_combat import Strike
from rulewright.systems.silhouette.battle.actions.attacks.heavy_fire import Indirect, WalkFire
from rulewright.systems.silhouette.battle.actions.attacks.rams import Ram
from rulewright.systems.silhouette.battle.actions.attacks.saturation import Saturate
from rulewright.systems.silhouette.battle.actions.attacks.shots import Fire, FireLink, SwitchMode
from rulewright.systems.silhouette.battle.actions.attacks.throws import Throw
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.actions.crew_transfer import Cross
from rulewright.systems.silhouette.battle.actions.forms.combination import Combine, Split
from rulewright.systems.silhouette.battle.actions.forms.nanomachines import NANOMACHINES
from rulewright.systems.silhouette.battle.actions.forms.switches import Toggle
from rulewright.systems.silhouette.battle.actions.forms.transformation import Transform
from rulewright.systems.silhouette.battle.actions.ground.clearance import ClearMines, PutOut
from rulewright.systems.silhouette.battle.actions.ground.cover_and_recovery import (
    BreakFree,
    Charge,
    ClearJam,
    Eject,
    HullDown,
    LayCloud,
    Rise,
    SetFire,
)
from rulewright.systems.silhouette.battle.actions.ground.demolition import Demolish, FollowRoad
from rulewright.systems.silhouette.battle.actions.movement.airdrops import Drop, Winch
from rulewright.systems.silhouette.battle.actions.movement.flight import FLYING
from rulewright.systems.silhouette.battle.actions.movement.jumps import Jump
from rulewright.systems.silhouette.battle.actions.movement.moves import Done, Face, Leave, Move, Position, Shift, SwitchWay
from rulewright.systems.silhouette.battle.actions.movement.stunts import STUNT_ACTIONS
from rulewright.systems.silhouette.battle.actions.movement.submarine import DIVING
from rulewright.systems.silhouette.battle.actions.movement.teleportation import Grow, TeleportOther, TeleportSelf
from rulewright.systems.silhouette.battle.actions.movement.thrust import THRUSTING
from rulewright.systems.silhouette.battle.actions.movement.towing_vehicles import LetGo, Tow
from rulewright.systems.silhouette.battle.actions.orders import Order
from rulewright.systems.silhouette.battle.actions.sensors import Boost, LargeArray, Observe, Sweep, Trail
from rulewright.systems.silhouette.battle.damage.fuses import LetOff, TearOff
from rulewright.systems.silhouette.battle.movement.winches import Haul
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit

ACTIONS: tuple[Action, ...] = (
    Fire(),
    FireLink(),
    Strike(),
    Ram(),
    Throw(),
    Demolish(),
    Drop(),
    Winch(),
    WalkFire(),
    Saturate(),
    Indirect(),
    Move(),
    Position(),
    Face(),
    FollowRoad(),
    Shift(),
    SwitchWay(),
    Transform(),
    Split(),
    Combine(),
    *NANOMACHINES,
    SwitchMode(),
    Sweep(),
    Observe(),
    Boost(),
    LargeArray(),
    Trail(),
    HullDown(),
    Rise(),
    ClearJam(),
    Charge(),
    BreakFree(),
    TearOff(),
    LetOff(),
    Toggle(),
    Haul(),
    TeleportSelf(),
    TeleportOther(),
    Grow(),
    ClearMines(),
    PutOut(),
    LayCloud(),
    SetFire(),
    Eject(),
    Cross(),
    Jump(),
    Tow(),
    LetGo(),
    Order(),
    *FLYING,
    *DIVING,
    *THRUSTING,
    *STUNT_ACTIONS,
    Leave(),
    Done(),
)

STANDING = (
    "fire", "link", "walk fire", "saturate", "indirect", "demolish", "switch", "sweep", "observe", "boost", "array", "clear", "charge",
    "tear off", "set off", "toggle", "put out", "cloud", "set fire", "eject", "cross", "order", "done",
)  # fmt: skip
SECTION_ACTIONS = tuple([action for action in ACTIONS if action.kind in STANDING])
"""The actions possible in a section of a large machine: everything that does not move it."""
_EVERY = {action.kind: action for action in ACTIONS}
_STANDING = {action.kind: action for action in SECTION_ACTIONS}


class Offered:
    """The options of a unit, computed lazily: each kind of action is evaluated only on demand."""

    __slots__ = ("_actions", "_all", "_made", "battle", "name", "rules", "unit")

    def __init__(self, rules: Ruleset, battle: Battle, name: str) -> None:
        self.rules, self.battle, self.name = rules, battle, name
        self.unit = unit = battle.unit(name)
        self._actions = _EVERY if not unit.section else _STANDING
        self._made: dict[str, tuple[Option[Deed], ...]] = {}
        self._all: tuple[Option[Deed], ...] | None = None
        if unit.signs.berserk:
            self._all = _berserk(battle, unit, self.all)
            self._made = {kind: _of_kind(self._all, kind) for kind in self._actions}

    def of(self, *kinds: str) -> tuple[Option[Deed], ...]:
        """The options of some kinds of actions, one kind after the other."""
        result: tuple[Option[Deed], ...] = ()
        for kind in kinds:
            made = self._made.get(kind)
            if made is None:
                action = self._actions.get(kind)
                options = action.options(self.rules, self.battle, self.unit) if action is not None else ()
                made = self._made[kind] = tuple(options)
            result = result + made if result else made
        return result

    def some(self, kind: str) -> bool:
        """Whether a kind of action has any option, without building the options if possible."""
        made = self._made.get(kind)
        if made is None:
            action = self._actions.get(kind)
            return action is not None and action.some(self.rules, self.battle, self.unit)
        return bool(made)

    @property
    def all(self) -> tuple[Option[Deed], ...]:
        """All options, in the order of the actions."""
        if self._all is None:
            self._all = self.of(*self._actions)
        return self._all

    def take(self, key: Given) -> Option[Deed] | None:
        """The option with a key; options that exist already are searched first."""
        for made in self._made.values():
            for option in made:
                if option.key == key:
                    return option
        return next((option for option in self.all if option.key == key), None)

    @property
    def only_done(self) -> bool:
        """Whether ending the turn is the only option besides turning on the spot; the cheapest checks come first."""
        for kind in TOLD_AT_ONCE:
            if self.some(kind):
                return False
        return [option.key for option in self.of(*[kind for kind in self._actions if kind not in ("face", "position")])] == ["done"]


TOLD_AT_ONCE = ("shift", "boost", "observe", "fire", "move")
"""Kinds of actions that most units have; if one of them has an option, the others need not be checked."""


def _of_kind(options: tuple[Option[Deed], ...], kind: str) -> tuple[Option[Deed], ...]:
    return tuple([option for option in options if option.value.kind == kind])


def options_of(rules: Ruleset, battle: Battle, unit: Unit) -> tuple[Option[Deed], ...]:
    """All options of a unit."""
    return offered(rules, battle, unit.name).all


@cached(128)
def offered(rules: Ruleset, battle: Battle, name: str) -> Offered:
    """The cached options of a unit: exact odds ask for them once for every path."""
    return Offered(rules, battle, name)


def _berserk(battle: Battle, unit: Unit, options: tuple[Option[Deed], ...]) -> tuple[Option[Deed], ...]:
    """The options of a berserk machine: it moves towards the unit that hurt it and strikes it, as long as that unit is in the fight."""
    foe = battle.unit(unit.signs.berserk)
    if not foe.able:
        return options
    far = battle.field.distance(unit.spot, foe.spot)

    def nearer(option: Option[Deed]) -> bool:
        deed = option.value
        if deed.kind == "move":
            return deed.spot is not None and battle.field.distance(deed.spot, foe.spot) < far
        close = deed.kind == "strike" or (deed.kind == "fire" and unit.version(deed.arm).melee)
        return (close and deed.target == foe.name) or deed.kind == "get up"

    return tuple([option for option in options if nearer(option)]) or tuple([option for option in options if option.value.kind == "done"])


def action_of(kind: str) -> Action:
    """The action of a kind."""
    return _EVERY[kind]
