"""Every action that a unit can take in its turn. A family of actions adds its objects to the tuple."""

from functools import lru_cache

from rulewright.play import Option
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.battle.actions.base import Action, Deed
from rulewright.systems.silhouette.battle.actions.clearing import ClearMines, PutOut
from rulewright.systems.silhouette.battle.actions.close import Strike
from rulewright.systems.silhouette.battle.actions.combining import Combine, Split
from rulewright.systems.silhouette.battle.actions.crossing import Cross
from rulewright.systems.silhouette.battle.actions.demolition import Demolish, FollowRoad
from rulewright.systems.silhouette.battle.actions.diving import DIVING
from rulewright.systems.silhouette.battle.actions.dropping import Drop, Winch
from rulewright.systems.silhouette.battle.actions.flying import FLYING
from rulewright.systems.silhouette.battle.actions.ground import BreakFree, Charge, ClearJam, Eject, HullDown, LayCloud, Rise, SetFire
from rulewright.systems.silhouette.battle.actions.heavy_fire import Indirect, Saturate, WalkFire
from rulewright.systems.silhouette.battle.actions.jumping import Jump
from rulewright.systems.silhouette.battle.actions.moves import Done, Leave, Move, Shift, SwitchWay
from rulewright.systems.silhouette.battle.actions.orders import Order
from rulewright.systems.silhouette.battle.actions.ramming import Ram
from rulewright.systems.silhouette.battle.actions.sensing import Boost, LargeArray, Observe, Sweep, Trail
from rulewright.systems.silhouette.battle.actions.shooting import Fire, FireLink, SwitchMode
from rulewright.systems.silhouette.battle.actions.stunts import STUNT_ACTIONS
from rulewright.systems.silhouette.battle.actions.switching import Toggle
from rulewright.systems.silhouette.battle.actions.teleporting import Grow, TeleportOther, TeleportSelf
from rulewright.systems.silhouette.battle.actions.throwing import Throw
from rulewright.systems.silhouette.battle.actions.thrusting import THRUSTING
from rulewright.systems.silhouette.battle.actions.towing import LetGo, Tow
from rulewright.systems.silhouette.battle.actions.transforming import Transform
from rulewright.systems.silhouette.battle.fuses import LetOff, TearOff
from rulewright.systems.silhouette.battle.hauling import Haul
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
    FollowRoad(),
    Shift(),
    SwitchWay(),
    Transform(),
    Split(),
    Combine(),
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
"""What can be done in a section of a large machine: everything that does not move it."""


def options_of(rules: Ruleset, battle: Battle, unit: Unit) -> tuple[Option[Deed], ...]:
    """Everything that a unit can do now."""
    return _options(rules, battle, unit.name)


@lru_cache(maxsize=512)
def _options(rules: Ruleset, battle: Battle, name: str) -> tuple[Option[Deed], ...]:
    """The same, remembered: exact odds come to the same question once for every path."""
    unit = battle.unit(name)
    actions = ACTIONS if not unit.section else SECTION_ACTIONS
    found = tuple([option for action in actions for option in action.options(rules, battle, unit)])
    return found if not unit.signs.berserk else _berserk(battle, unit, found)


def _berserk(battle: Battle, unit: Unit, options: tuple[Option[Deed], ...]) -> tuple[Option[Deed], ...]:
    """What a machine out of hand does: it goes for whoever hurt it, and strikes; nothing else, as long as that one is in the fight."""
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
    """An action by its kind."""
    return next(action for action in ACTIONS if action.kind == kind)
