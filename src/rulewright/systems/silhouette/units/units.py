"""A unit of a battle: a machine with its crew, place, movement and actions of the round (book lines 4231-4300)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.scenes.scenarios import numbered
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.design.rounding import Figure
from rulewright.systems.silhouette.machines.machine import Machine, Mounted, Version, Way
from rulewright.systems.silhouette.units.courses import UNDER_WAY, Course
from rulewright.systems.silhouette.units.nanomachine_state import USUAL, Shape
from rulewright.systems.silhouette.units.visible_traits import STILL, Signs
from rulewright.systems.silhouette.units.wear import DESTROYED_AT, NEW, Arm, Wear

Speed = Literal["stationary", "combat", "top"]
Pace = Literal["", "stationary", "half", "combat", "top"]
Seat = Literal["crew", "passenger"]
SKILLS = ("piloting", "gunnery", "leadership", "information warfare", "combat sense")
ATTRIBUTES = {
    "piloting": "agility",
    "gunnery": "perception",
    "leadership": "influence",
    "information warfare": "creativity",
    "combat sense": "perception",
    "notice": "perception",
}
"""The attribute that a character adds to each skill."""


class Skill(Struct, frozen=True, gc=False):
    """A skill of a person aboard."""

    name: str
    level: int = 0
    attribute: int = 0
    complexity: int = 1
    strange: int = 0
    """The penalty if the skill is for other machines."""


class Rider(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """A character aboard a machine, by name."""

    name: str
    body: Patient
    skills: tuple[Skill, ...] = ()
    seat: Seat = "crew"
    fitness: int = 0
    psyche: int = 0

    def skill(self, name: str) -> Skill:
        """A skill by its name."""
        for result in self.skills:
            if result.name == name:
                return result
        return Skill(name)


class Crew(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """The nameless crew: how many, how good, and how many are casualties."""

    hands: int = 0
    computers: int = 0
    """For how many people computers stand in; Crew hits do not affect them."""
    passengers: int = 0
    skills: tuple[Skill, ...] = ()
    lost: int = 0
    lost_passengers: int = 0
    dead: int = 0
    """The dead among the casualties."""
    crossing: int = 0
    """Those who came from another section this round and give no actions in it."""

    @property
    def able(self) -> int:
        """Crew members who count for actions."""
        return max(0, self.hands - self.lost - self.crossing) + self.computers

    @property
    def aboard(self) -> int:
        """Living people who can still be hit."""
        return max(0, self.hands - self.lost) + max(0, self.passengers - self.lost_passengers)

    def skill(self, name: str) -> Skill:
        """A skill by its name."""
        for result in self.skills:
            if result.name == name:
                return result
        return Skill(name)


class Part(Struct, frozen=True, gc=False, kw_only=True):
    """What a unit is a part of: a section of a large machine, or a component of a combined one."""

    of: str
    """The hull, or the combined machine."""
    section: bool = True
    voice: str = ""
    """The player of it if no character is aboard."""
    inside: bool = False
    """Whether a component is inside the combined machine."""
    dented: int = 0
    """Armor that a part of a morphable machine had lost when the machine split."""
    power: int | None = None
    """Rounds of power left for a section whose hull is destroyed; None while the hull carries it."""


class Ashore(Struct, frozen=True, gc=False):
    """Nameless crew without a seat when machines combined: how many wait on foot, and where."""

    hands: int
    x: float
    y: float


class Unit(Struct, frozen=True, gc=False, cache_hash=True, kw_only=True):
    """A machine in a battle."""

    name: str
    side: str
    group: str
    machine: Machine
    crew: Crew = Crew()
    riders: tuple[Rider, ...] = ()
    wear: Wear = NEW
    arms: tuple[Arm, ...] = ()
    # where it is
    x: float = 0.0
    y: float = 0.0
    facing: int = 0
    """A hexside from 0 (north) clockwise; on open ground degrees from the x axis towards y."""
    altitude: int = 0
    """Levels above the ground of aircraft; below the surface, if negative, of submarines."""
    way: str = ""
    """The movement type in use."""
    speed: Speed = "combat"
    """The speed at the beginning of the round."""
    gone: bool = False
    """It has left the field."""
    tows: str = ""
    """The unit in tow."""
    # this round
    extra: int = 0
    """Declared actions beyond those of the crew."""
    evading: bool = False
    ordered: int = 0
    """Actions added by Command Points."""
    received: int = 0
    """Command Points received this turn."""
    used: int = 0
    """Actions used."""
    owed: int = 0
    """Actions that stunned crew will lose in the next round."""
    stunned: int = 0
    """Actions that stunned crew have lost this round."""
    pace: Pace = ""
    """The declared speed for this round, which limits its Movement Points."""
    points: int | None = None
    """Movement Points of this round once it has begun to move; None before."""
    spent: int = 0
    """Movement Points used."""
    hexes: int = 0
    """Hexes moved this round."""
    last: int = 0
    """Hexes moved in the last round, or those that its stated speed would allow at set-up."""
    turned: bool = False
    """It has turned, and must go a hex forward before it turns again."""
    turns: int = 0
    """Hexsides turned this round."""
    backed: bool = False
    """It has moved backward this round."""
    shifting: str = ""
    """The speed declared for the next round: `top` or `combat`; empty: unchanged."""
    jumped: bool = False
    """It has jumped this round."""
    switched: bool = False
    """It has changed its movement type this round."""
    moved: bool = False
    """It has been activated this round."""
    done: bool = False
    """It takes no more actions of its own this round."""
    hit_by: tuple[str, ...] = ()
    """Units whose attacks have hit it this round."""
    transformed: int = 0
    """How often it has changed form this round."""
    stowed: tuple[tuple[str, Arm], ...] = ()
    """Systems of its other forms, as they were left."""
    stowed_parts: tuple[tuple[str, int], ...] = ()
    """The state of auxiliary systems of its other forms."""
    primary: str = ""
    """The form that its file describes, if it has changed."""
    halved: bool = False
    """It has half its actions, among people in a gritty campaign."""
    course: Course = UNDER_WAY
    """Its course, if it flies, dives or drifts."""
    signs: Signs = STILL
    """Conditions that reveal, hide or hamper it."""
    shape: Shape = USUAL
    """The state of its nanomachines."""
    # several bodies
    part: Part | None = None
    """What it is a part of; None if of nothing."""
    dents: tuple[tuple[str, int], ...] = ()
    """Armor that hits on a combined machine cost its components, still to be applied to them."""
    split: bool = False
    """It is split into its components, and not on the field itself."""
    ashore: tuple[Ashore, ...] = ()
    """Crew dropped off before a combined machine combined. They are in no machine and cannot be attacked (ruling)."""
    drawn: tuple[Figure, Figure] = (0, 0)
    """Of a hull with sections: kilograms that drive the machine, and kilograms that are dragged."""
    surrendered: bool = False
    """It left the field by surrender."""

    @property
    def spot(self) -> tuple[float, float]:
        """Where it is."""
        return self.x, self.y

    @property
    def destroyed(self) -> bool:
        """Whether it is destroyed."""
        return bool(self.wear.destroyed)

    @property
    def able_riders(self) -> tuple[Rider, ...]:
        """The characters aboard who can act, crew and passengers."""
        return tuple([rider for rider in self.riders if rider.body.able])

    @property
    def manned(self) -> int:
        """The number of people who count for actions."""
        crew = self.crew.able
        return crew + len([rider for rider in self.riders if rider.seat == "crew" and rider.body.able]) if self.riders else crew

    @property
    def able(self) -> bool:
        """Whether it is still in the fight: on the field, not destroyed, and with someone at the controls."""
        if self.wear.destroyed or self.gone or self.signs.ejected:
            return False
        if self.part is not None and self.part.power == 0:
            return False
        crew = self.crew
        if crew.hands > crew.lost or crew.computers:
            return True
        return bool(self.riders) and any(rider.seat == "crew" and rider.body.able for rider in self.riders)

    @property
    def voice(self) -> str:
        """The name of the person who answers for it: the first able character of its crew, or the unit itself."""
        own = next((rider.name for rider in self.riders if rider.seat == "crew" and rider.body.able), "")
        return own or (self.part.voice if self.part is not None else "") or self.name

    @property
    def section(self) -> bool:
        """Whether it is a section of a large machine, attached or not."""
        return self.part is not None and self.part.section

    @property
    def borne(self) -> bool:
        """Whether it is a section carried by its hull."""
        return self.part is not None and self.part.section and self.part.power is None

    @property
    def moving(self) -> Way | None:
        """The movement type in use."""
        return self.machine.way(self.way)

    def lost_with(self, more: int) -> int:
        """Total Armor lost after losing more: all of it at most, plus what an earlier form had more to lose."""
        return max(self.wear.armor, min(int(self.machine.armor), self.wear.armor + more))

    def mount(self, arm: int) -> Mounted:
        """A system as built."""
        return mounts(self.machine)[arm][1]

    def version(self, arm: int) -> Version:
        """A system in its present mode, with the wear of parries and the bonus of a power booster."""
        state = self.arms[arm]
        plain = mounts(self.machine)[arm][1].versions[state.mode]
        if not (state.worn or self.signs.surge or self.wear.overburnt):
            return plain
        return _with_power(plain, self.surge("damage") - state.worn, self.surge("range"))

    def surge(self, what: str) -> int:
        """The bonus of a power booster to a figure this round, less what is permanently burnt out."""
        if not (self.signs.surge or self.wear.overburnt):
            return 0
        return sum([points for name, points in self.signs.surge if name == what]) - self.wear.overburnt.count(what)

    def arm_name(self, arm: int) -> str:
        """The name of a system, numbered among identical ones."""
        return mounts(self.machine)[arm][0]

    def with_arm(self, arm: int, state: Arm) -> "Unit":
        """The unit with a new state of one system."""
        return replace(self, arms=(*self.arms[:arm], state, *self.arms[arm + 1 :]))

    def auxiliary(self, name: str) -> int | None:
        """The state of the best auxiliary system of a name: 0, or negative if damaged; None if none is left."""
        places, lost = _indices_of(self.machine, name), self.wear.auxiliaries
        if not lost:
            return 0 if places else None
        whole = [lost[at] for at in places if lost[at] < DESTROYED_AT]
        return -min(whole) if whole else None

    def has(self, name: str) -> bool:
        """Whether it has a working Perk or Flaw; an auxiliary system may be destroyed."""
        if self.machine.has(name) is None:
            return False
        return not _indices_of(self.machine, name) or self.auxiliary(name) is not None


@cached(256)
def mounts(machine: Machine) -> tuple[tuple[str, Mounted], ...]:
    """Every system of a machine with its name; identical ones separately."""
    systems = [system for system in machine.systems for _ in range(system.quantity)]
    return tuple(zip(numbered([system.name for system in systems]), systems, strict=True))


@cached(1024)
def _with_power(version: Version, damage: int, reach: int) -> Version:
    """A system with another Damage Multiplier and Base Range: the other ranges are two, four and eight times that."""
    ranges = tuple([max(0, number + reach * factor) for number, factor in zip(version.ranges, (1, 2, 4, 8), strict=False)])
    return replace(version, damage=max(0, version.damage + damage), ranges=ranges)


TURRET = "turret of the "


@cached(1024)
def auxiliaries(machine: Machine) -> tuple[str, ...]:
    """The auxiliary systems of a machine; every turret is one."""
    turrets = [f"{TURRET}{name}" for name, system in mounts(machine) if system.arc in ("turret", "slow turret")]
    power = machine.has("external power")
    collector = ("external power",) if power is not None and power.variant == "beamed" else ()
    return (*machine.auxiliaries, *turrets, *collector)


@cached(1024)
def _indices_of(machine: Machine, name: str) -> tuple[int, ...]:
    """The indices of the auxiliary systems of a name."""
    return tuple([at for at, label in enumerate(auxiliaries(machine)) if label == name or label.startswith(f"{name} ")])


def fresh_arms(machine: Machine) -> tuple[Arm, ...]:
    """The systems of a new machine."""
    return tuple([Arm(left=tuple([version.uses for version in system.versions])) for _, system in mounts(machine)])
