"""What a turn of a fight is made of: actions, and what is still to be done of the one under way."""

from typing import Literal

from msgspec import Struct

from rulewright.systems.silhouette.action.rounds import Ready
from rulewright.systems.silhouette.combat.close_combat import Blow, Technique
from rulewright.systems.silhouette.combat.ranged_attacks import Shot
from rulewright.systems.silhouette.harm.body import Location

Kind = Literal[
    "shoot",
    "strike",
    "throw",
    "lob",
    "walk fire",
    "saturate",
    "aim",
    "ready",
    "delay",
    "clear",
    "get free",
    "use a skill",
    "orders",
    "draw",
    "sheathe",
    "load",
    "pick up",
    "stand",
    "drop",
    "shield",
    "hold on",
    "pass",
]
SIMPLE: frozenset[Kind] = frozenset(("draw", "sheathe", "load", "pick up", "stand", "drop", "shield", "hold on"))


class Action(Struct, frozen=True, gc=False):
    """What somebody does with an action."""

    kind: Kind
    target: str = ""
    targets: tuple[str, ...] = ()
    weapon: int = 0
    rof: int = 0
    wide: bool = False
    location: Location | None = None
    bruise: bool = False
    technique: Technique = Technique()
    ready: Ready | None = None
    snare: bool = False
    """Meant to entangle, and not to hurt; said openly before the attack (ruling, as machines have it)."""
    spot: tuple[float, float] | None = None
    """A place on the ground that something is thrown at, where it is nobody."""
    stab: bool = False
    """With the point of what usually hacks and slashes."""


class UnderWay(Struct, frozen=True):
    """A turn that has begun: whose it is, the actions declared, those left, and the simple ones done so far."""

    name: str
    declared: int = 1
    left: int = 1
    simple: int = 0
    steady: bool = True
    """Neither moved nor acted yet, so that the round can be spent aiming."""
    noticed: bool = False
    """Whether readied people have been asked about what comes next."""
    loaded: bool = False
    """A bow or crossbow is brought one step nearer to the next shot once a round."""
    fired: tuple[tuple[int, str], ...] = ()
    """Which weapon was fired at whom this turn: walking fire attacks nobody twice."""

    @property
    def penalty(self) -> int:
        """What every test of the turn suffers."""
        return 1 - self.declared


class Swing(Struct, frozen=True, tag=True):
    """A blow that was declared and is still to be met."""

    name: str
    action: Action
    penalty: int = 0
    free: bool = False


class Landing(Struct, frozen=True, tag=True, cache_hash=True, gc=False):
    """A blow with everything decided but the dice."""

    blow: Blow
    free: bool = False


class Firing(Struct, frozen=True, tag=True, cache_hash=True):
    """A shot with everything decided but the dice: the weapon it is fired with, and the ammunition it takes."""

    shot: Shot
    weapon: int
    shots: int


class Opening(Struct, frozen=True, tag=True, gc=False):
    """Somebody lets the guard down: opponents within reach may strike."""

    who: str
    act: str


class Deed(Struct, frozen=True, tag=True):
    """An action of the turn under way, still to be carried out; a simple one among several is tested."""

    action: Action
    tested: bool = False


class Closing(Struct, frozen=True, tag=True, gc=False):
    """An action of the turn under way has been carried out: what is left of the turn."""

    kind: Kind


Todo = Swing | Landing | Firing | Opening | Deed | Closing
"""What a turn is made of, in the order in which it is to be done."""
