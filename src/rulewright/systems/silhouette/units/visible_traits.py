"""What gives a unit away, hides it or hampers it besides its wear, and what a battle has left on the ground: no rules here, only facts."""

from msgspec import Struct

from rulewright.field.field import Spot
from rulewright.systems.silhouette.machines.design.rounding import Figure


class Signs(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """How a unit hides, looks and suffers."""

    # this round only
    found: tuple[str, ...] = ()
    """Units that its active sensors have found."""
    boosted: int = 0
    """How often it has doubled the range of its sensors."""
    step: int = 0
    """Steps of a large vehicle's array that are switched on."""
    loud: bool = False
    """It has used active sensors, its set, or ECM."""
    observes: tuple[str, ...] = ()
    """Units that it observes for the guns of its side."""
    tagged: tuple[str, ...] = ()
    """Sides whose designators have marked it."""
    vented: int = 0
    """Burn Points that have leaked out and are not a cloud yet."""
    clumsy: int = 0
    """Maneuver lost for the round to an unwieldy system that was used."""
    off_road: bool = False
    """It has left the road this round."""
    swept: tuple[str, ...] = ()
    """Units that walking fire has gone over this round, each written `weapon/unit`."""
    surge: tuple[tuple[str, int], ...] = ()
    """What a power booster adds this round, by the figure."""
    absorbed: bool = False
    """Its nanomachines have taken something in."""
    echoes: tuple[str, ...] = ()
    """Units of which its counter-battery sensors have only a phantom echo."""
    # until something changes it
    hull_down: int = 0
    """1 hull-down, 2 fully hull-down."""
    prone: bool = False
    searchlight: bool = False
    array: Figure = 0
    """Kilometres of a towed array that trail behind."""
    paying_out: int = 0
    """Rounds until the array that is let out, or hauled in, is where it shall be; below nothing: hauling in."""
    torn: bool = False
    """Its array is lost."""
    saved: int = 0
    """Actions saved for boosting the sensors."""
    painted: int = 0
    blinded: int = 0
    """Rounds without eyes."""
    floods: tuple[int, ...] = ()
    """Rounds until each part that water comes into is full."""
    flooded: int = 0
    burning: int = 0
    """Intensity of a fire on it."""
    sticks: int = 0
    """Further rounds in which a persistent attack goes on, with this margin."""
    clings: tuple[tuple[str, str, Figure, int], ...] = ()
    """Persistent attacks that strike again: by whom, with what, its damage, and the margin next time."""
    held: int = 0
    """What it must beat to get free of whatever entangles it."""
    charged: tuple[tuple[int, int], ...] = ()
    """Actions spent so far on systems that need several, by their place."""
    jammed: tuple[int, ...] = ()
    """Systems that have jammed, by their place."""
    clearing: tuple[tuple[int, int, int], ...] = ()
    """Jams that take more than an action: the system, the actions still to spend, and the shots that go with it."""
    hot: tuple[tuple[int, int], ...] = ()
    """Overheated systems, and the rounds after this one in which they still are."""
    ready: int = 0
    """Rounds until a machine that was dropped can do anything."""
    carrier: str = ""
    """The aircraft that carries it."""
    ejected: bool = False
    sick: int = 0
    """What biological and chemical agents cost on everything that those aboard do."""
    hauled: tuple[str, int, Figure] | None = None
    """Who drags it by a winch or by gravity, with which system, and the metres so far."""
    rough: bool = False
    """It is on ground that costs more than a Movement Point; noted of unstable machines alone."""
    strained: int = 0
    """Rounds on end in which it strained itself so that it may overheat."""
    fading: int = 0
    """Rounds until a crew on an invasive interface falls into catatonia."""
    berserk: str = ""
    """Whom a sentient machine that is out of hand goes for."""
    grown: int = 0
    """By how much in Size it has grown, or shrunk below nothing."""
    snagged: bool = False
    """Its cable is stuck: it stands still this round."""
    shut: int = 0
    """Rounds for which it has shut itself down."""


STILL = Signs()


def next_round(signs: Signs) -> Signs:
    """The same at the beginning of the next round: what lasted a round is over."""
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
    """A jammer at work for a round: whose, what it does, what must be beaten, and how far it reaches in kilometres."""

    by: str
    effect: str
    threshold: int
    reach: Figure

    def covers(self, *kilometres: Figure) -> bool:
        """Whether anything so far from it is in range: who sends or senses, or whom it is aimed at."""
        return any(kilometre <= self.reach for kilometre in kilometres)


class Zone(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A hex under saturation fire for the rest of the round."""

    by: str
    spot: Spot
    threshold: int
    damage: Figure
    weapon: str = ""


class Mined(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True, rename={"spot": "at"}):
    """A minefield, or an area in which an attack goes on: what must be beaten in it, and how hard it strikes from below."""

    name: str = "minefield"

    spot: Spot
    threshold: int = 4
    damage: Figure = 5
    radius: int = 0
    side: str = ""
    """The side whose units it spares; empty: none."""
    rounds: int = 0
    """Rounds that it lasts; 0: until it is cleared."""


class Fuse(Struct, frozen=True, cache_hash=True, kw_only=True):
    """Something that was fired or laid and goes off later: after so many rounds, when it is told to, or when it finds its target."""

    by: str
    arm: int
    weapon: str
    spot: Spot
    target: str = ""
    """What it sticks to, or seeks; empty: it lies where it fell."""
    rounds: int = 0
    """Rounds until it goes off; 0: when it is told to."""
    hold: int = 0
    """What must be beaten to get it off; 0: nobody can."""
    seeks: bool = False


class Fire(Struct, frozen=True, cache_hash=True, kw_only=True):
    """A hex with fire in it: points towards ignition, or burning with an Intensity."""

    spot: Spot
    points: int = 0
    intensity: int = 0


class Cloud(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """Smoke, hot smoke or a mist that scatters energy, over a hex or more, until so many rounds have passed."""

    spot: Spot
    kind: str
    radius: int = 0
    rounds: int = 2


class Thing(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True, rename={"spot": "at"}):
    """Something that lies about and can be thrown: how large it is and how hard it strikes."""

    name: str
    spot: Spot
    size: Figure = 1
    damage: Figure = 1


class Built(Struct, frozen=True, cache_hash=True, kw_only=True, forbid_unknown_fields=True, rename={"spot": "at"}):
    """A structure on the map: what it bears, and what it has taken; a bridge has a Size that it carries."""

    name: str
    spot: Spot
    capacity: int
    """Damage points that it bears before it is rubble."""
    taken: Figure = 0
    bears: int = 0
    """The largest Size that a bridge carries; 0: it is no bridge."""
    level: int = 0
    """How many levels one falls with it."""
    under: str = ""
    """The terrain that is left when it is down; empty: rubble, which is rough ground."""

    @property
    def rubble(self) -> bool:
        """Whether it is down."""
        return self.taken > self.capacity


class Scars(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """What a battle has put on the ground."""

    jammers: tuple[Jam, ...] = ()
    zones: tuple[Zone, ...] = ()
    fires: tuple[Fire, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    built: tuple[Built, ...] = ()
    things: tuple[Thing, ...] = ()
    fuses: tuple[Fuse, ...] = ()
    mines: tuple[Mined, ...] = ()


UNTOUCHED = Scars()
