"""Parts of a turn: actions, and the pending parts of the current one."""

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
    """An action and its parameters."""

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
    """Whether it is meant to entangle instead of hurting; announced before the attack (ruling, as for machines)."""
    spot: tuple[float, float] | None = None
    """A target place on the ground instead of a person."""
    stab: bool = False
    """Whether a hacking or slashing weapon is used to stab."""


class UnderWay(Struct, frozen=True):
    """A turn in progress: the fighter, actions declared and left, and simple actions done."""

    name: str
    declared: int = 1
    left: int = 1
    simple: int = 0
    steady: bool = True
    """Whether the fighter has neither moved nor acted, so that the round can be spent aiming."""
    noticed: bool = False
    """Whether fighters with readied actions have been asked about the next action."""
    loaded: bool = False
    """Whether a bow or crossbow has been loaded this round; once per round is possible."""
    fired: tuple[tuple[int, str], ...] = ()
    """Weapons fired this turn with their targets: walking fire attacks nobody twice."""

    @property
    def penalty(self) -> int:
        """Returns the penalty on every test of the turn."""
        return 1 - self.declared


class Swing(Struct, frozen=True, tag=True):
    """A declared blow before the defense is chosen."""

    name: str
    action: Action
    penalty: int = 0
    free: bool = False


class Landing(Struct, frozen=True, tag=True, cache_hash=True, gc=False):
    """A complete blow before the dice are rolled."""

    blow: Blow
    free: bool = False


class Firing(Struct, frozen=True, tag=True, cache_hash=True):
    """A complete shot before the dice are rolled: its weapon and ammunition."""

    shot: Shot
    weapon: int
    shots: int


class Opening(Struct, frozen=True, tag=True, gc=False):
    """A fighter drops the guard: opponents within reach may strike."""

    who: str
    act: str


class Deed(Struct, frozen=True, tag=True):
    """An action of the current turn to be carried out; a simple one among several needs a test."""

    action: Action
    tested: bool = False


class Closing(Struct, frozen=True, tag=True, gc=False):
    """An action of the current turn has been carried out: the rest of the turn follows."""

    kind: Kind


Todo = Swing | Landing | Firing | Opening | Deed | Closing
"""Parts of a turn in the order of resolution."""
