"""Conditions of units besides wear, and effects that a battle leaves on the ground. Only data, no rules."""

from msgspec import Struct

from rulewright.field.field import Spot
from rulewright.systems.silhouette.machines.design.rounding import Figure


class Signs(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """The conditions of a unit."""

    # this round only
    found: tuple[str, ...] = ()
    """Units found by its active sensors."""
    boosted: int = 0
    """How often it has doubled its sensor range."""
    step: int = 0
    """Steps of a large vehicle's array in use."""
    loud: bool = False
    """It has used active sensors, its communications, or ECM."""
    observes: tuple[str, ...] = ()
    """Units that it observes for indirect fire of its side."""
    tagged: tuple[str, ...] = ()
    """Sides whose target designators have marked it."""
    vented: int = 0
    """Burn Points that have leaked and are not a cloud yet."""
    clumsy: int = 0
    """Maneuver lost this round by using an unwieldy system."""
    off_road: bool = False
    """It has left the road this round."""
    swept: tuple[str, ...] = ()
    """Units already hit by walking fire this round, each written `weapon/unit`."""
    surge: tuple[tuple[str, int], ...] = ()
    """The power booster's bonus this round, by figure."""
    absorbed: bool = False
    """Its nanomachines have absorbed something."""
    echoes: tuple[str, ...] = ()
    """Units of which its counter-battery sensors have only a phantom echo."""
    # until something changes it
    hull_down: int = 0
    """1 hull-down, 2 fully hull-down."""
    prone: bool = False
    searchlight: bool = False
    array: Figure = 0
    """Kilometres of towed array that are out."""
    paying_out: int = 0
    """Rounds until the array is out; negative: hauling in."""
    torn: bool = False
    """Its array is lost."""
    saved: int = 0
    """Actions saved for boosting the sensors."""
    painted: int = 0
    blinded: int = 0
    """Rounds of blindness."""
    floods: tuple[int, ...] = ()
    """Rounds until each flooding part is full."""
    flooded: int = 0
    burning: int = 0
    """Intensity of a fire on it."""
    sticks: int = 0
    """Further rounds of a persistent attack, with this margin."""
    clings: tuple[tuple[str, str, Figure, int], ...] = ()
    """Persistent attacks that hit again: attacker, weapon, damage, and the next margin."""
    held: int = 0
    """The Threshold to break free of a snare."""
    charged: tuple[tuple[int, int], ...] = ()
    """Actions spent so far on systems that need several, by index."""
    jammed: tuple[int, ...] = ()
    """Jammed systems, by index."""
    clearing: tuple[tuple[int, int, int], ...] = ()
    """Jams that take more than an action: the system, the actions left, and the shots lost with it."""
    hot: tuple[tuple[int, int], ...] = ()
    """Overheated systems, and the further rounds for which they are."""
    ready: int = 0
    """Rounds until a dropped machine can act."""
    carrier: str = ""
    """The aircraft that carries it."""
    ejected: bool = False
    sick: int = 0
    """The penalty of biological and chemical agents to all actions aboard."""
    hauled: tuple[str, int, Figure] | None = None
    """The unit that drags it, the system, and the metres so far."""
    rough: bool = False
    """It is on terrain that costs more than a Movement Point; only recorded for unstable machines."""
    strained: int = 0
    """Rounds of strain in a row, towards overheating."""
    fading: int = 0
    """Rounds until the crew on an invasive interface becomes catatonic."""
    berserk: str = ""
    """The target of a berserk sentient machine."""
    grown: int = 0
    """Growth in Size; negative if it has shrunk."""
    snagged: bool = False
    """Its power cable is stuck: it cannot move this round."""
    shut: int = 0
    """Rounds of shutdown."""


STILL = Signs()


def next_round(signs: Signs) -> Signs:
    """The conditions at the beginning of the next round, without those that last one round."""
    if signs is STILL or signs == STILL:
        return STILL
    return Signs(
        hull_down=signs.hull_down,
        prone=signs.prone,
        searchlight=signs.searchlight,
        array=signs.array,
        paying_out=signs.paying_out,
        torn=signs.torn,
        saved=signs.saved,
        painted=signs.painted,
        blinded=max(0, signs.blinded - 1),
        floods=signs.floods,
        flooded=signs.flooded,
        burning=signs.burning,
        sticks=signs.sticks,
        clings=signs.clings,
        held=signs.held,
        charged=signs.charged,
        jammed=signs.jammed,
        clearing=signs.clearing,
        hot=tuple([(arm, rounds - 1) for arm, rounds in signs.hot if rounds]),
        ready=max(0, signs.ready - 1),
        carrier=signs.carrier,
        ejected=signs.ejected,
        sick=signs.sick,
        hauled=signs.hauled,
        rough=signs.rough,
        strained=signs.strained,
        fading=signs.fading,
        berserk=signs.berserk,
        grown=signs.grown,
        snagged=signs.snagged,
        shut=max(0, signs.shut - 1),
    )


class Jam(Struct, frozen=True, cache_hash=True):
    """An active jammer for a round: owner, effect, Threshold, and range in kilometres."""

    by: str
    effect: str
    threshold: int
    reach: Figure

    def covers(self, *kilometres: Figure) -> bool:
        """Whether anything at these distances is in range."""
        return any(kilometre <= self.reach for kilometre in kilometres)


class Zone(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A hex under saturation fire for the rest of the round."""

    by: str
    spot: Spot
    threshold: int
    damage: Figure
    weapon: str = ""


class Mined(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True, rename={"spot": "at"}):
    """A minefield, or an area of a persistent attack: its Threshold and its damage from below."""

    name: str = "minefield"

    spot: Spot
    threshold: int = 4
    damage: Figure = 5
    radius: int = 0
    side: str = ""
    """The side whose units are safe; empty: none."""
    rounds: int = 0
    """Remaining rounds; 0: until it is cleared."""


class Fuse(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A fired or laid charge that goes off later: after some rounds, by remote control, or when it finds its target."""

    by: str
    arm: int
    weapon: str
    spot: Spot
    target: str = ""
    """The unit that it sticks to or seeks; empty: it lies in its hex."""
    rounds: int = 0
    """Rounds until it goes off; 0: by remote control."""
    hold: int = 0
    """The Threshold to remove it; 0: impossible."""
    seeks: bool = False


class Fire(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A hex with fire: points towards ignition, or a burning Intensity."""

    spot: Spot
    points: int = 0
    intensity: int = 0


class Cloud(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """Smoke, hot smoke or aerosol over one or more hexes, for some rounds."""

    spot: Spot
    kind: str
    radius: int = 0
    rounds: int = 2


class Thing(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True, rename={"spot": "at"}):
    """A loose object that can be thrown: its Size and damage."""

    name: str
    spot: Spot
    size: Figure = 1
    damage: Figure = 1


class Built(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True, rename={"spot": "at"}):
    """A structure on the map: its capacity and damage; a bridge has a Size limit."""

    name: str
    spot: Spot
    capacity: int
    """Damage points that it can take before it collapses."""
    taken: Figure = 0
    bears: int = 0
    """The largest Size that a bridge carries; 0: no bridge."""
    level: int = 0
    """The levels that units on it fall when it collapses."""
    under: str = ""
    """The terrain after its collapse; empty: rubble, which is rough ground."""

    @property
    def rubble(self) -> bool:
        """Whether it has collapsed."""
        return self.taken > self.capacity


class Scars(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """Effects of a battle on the ground."""

    jammers: tuple[Jam, ...] = ()
    zones: tuple[Zone, ...] = ()
    fires: tuple[Fire, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    built: tuple[Built, ...] = ()
    things: tuple[Thing, ...] = ()
    fuses: tuple[Fuse, ...] = ()
    mines: tuple[Mined, ...] = ()


UNTOUCHED = Scars()
