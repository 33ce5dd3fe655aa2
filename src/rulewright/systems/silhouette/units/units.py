"""A unit of a battle: a machine with a crew, where it is, how it moves, and what it has done this round (book lines 4231-4300)."""

from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

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
"""The attribute that a character adds to each of them."""


class Skill(Struct, frozen=True, gc=False):
    """A skill of somebody aboard."""

    name: str
    level: int = 0
    attribute: int = 0
    complexity: int = 1
    strange: int = 0
    """What it costs that the skill is for other machines than this."""


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
    """Those aboard who have no names: how many, how good, and how many of them are out of it."""

    hands: int = 0
    computers: int = 0
    """For how many people computers stand; no Crew hit touches them."""
    passengers: int = 0
    skills: tuple[Skill, ...] = ()
    lost: int = 0
    lost_passengers: int = 0
    dead: int = 0
    """Of the casualties those who turned out to be dead."""
    crossing: int = 0
    """Those who have come over from another section this round, and count for no actions in it."""

    @property
    def able(self) -> int:
        """Who still counts for actions."""
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
    """Who is asked for it where no character is aboard."""
    inside: bool = False
    """Of a component: whether it is inside the combined machine."""
    dented: int = 0
    """Of a part of a morphable machine: points of Armor that it had lost when the machine split."""
    power: int | None = None
    """Rounds of power that a section has left whose hull is destroyed; None while the hull bears it."""


class Ashore(Struct, frozen=True, gc=False):
    """Those without names who found no seat when machines combined: how many wait on foot, and where they were dropped off."""

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
    """Levels above the ground (or below the surface, where negative) of what flies or dives."""
    way: str = ""
    """The way to move that is in use."""
    speed: Speed = "combat"
    """The speed with which it came into the round."""
    gone: bool = False
    """It has left the field."""
    tows: str = ""
    """The unit that it has in tow."""
    # what it does this round
    extra: int = 0
    """Actions beyond those of the crew that were declared."""
    evading: bool = False
    ordered: int = 0
    """Actions that Command Points have added."""
    received: int = 0
    """Command Points that it was given this turn."""
    used: int = 0
    """Actions that are used up."""
    owed: int = 0
    """Actions that stunned crew will lose in the round after this one."""
    stunned: int = 0
    """Actions that stunned crew have lost this round."""
    pace: Pace = ""
    """How fast it goes this round, once announced: the most that it may spend."""
    points: int | None = None
    """Movement Points of this round, where it has begun to move; None before."""
    spent: int = 0
    """Movement Points used up."""
    hexes: int = 0
    """Hexes moved this round."""
    last: int = 0
    """Hexes moved in the round before, or those that the speed stated at set-up would allow."""
    turned: bool = False
    """It has turned, and must go a hex forward before it turns again."""
    turns: int = 0
    """Hexsides turned this round."""
    backed: bool = False
    """It has moved backward this round."""
    shifting: str = ""
    """The speed that it has declared for the next round: `top` or `combat`; empty: as it is."""
    jumped: bool = False
    """It has jumped this round."""
    switched: bool = False
    """It has changed its way to move this round."""
    moved: bool = False
    """It has been activated this round."""
    done: bool = False
    """It does nothing more this round of its own accord."""
    hit_by: tuple[str, ...] = ()
    """Those whose attacks have hit it this round."""
    transformed: int = 0
    """How often it has changed its form this round."""
    stowed: tuple[tuple[str, Arm], ...] = ()
    """Systems of other forms than the one it is in, as they were left."""
    stowed_parts: tuple[tuple[str, int], ...] = ()
    """What auxiliary systems of other forms are at."""
    primary: str = ""
    """The form that its file describes, where it has changed it."""
    halved: bool = False
    """It has half its actions, among people in a gritty campaign."""
    course: Course = UNDER_WAY
    """How it is under way where it flies, dives or drifts."""
    signs: Signs = STILL
    """What gives it away, hides or hampers it."""
    shape: Shape = USUAL
    """What nanomachines have made of it."""
    # several bodies
    part: Part | None = None
    """What it is a part of; None: of nothing."""
    dents: tuple[tuple[str, int], ...] = ()
    """Points of Armor that hits on a combined machine have cost components of it, and that these have still to be told."""
    split: bool = False
    """It has come apart into its components, and is not on the field itself."""
    ashore: tuple[Ashore, ...] = ()
    """Of a combined machine: who was dropped off before it combined. They are in no machine, and nobody aims at them (ruling)."""
    drawn: tuple[Figure, Figure] = (0, 0)
    """Of a hull with sections: kilograms that drive the whole, and kilograms that are drawn along."""

    @property
    def spot(self) -> tuple[float, float]:
        """Where it is."""
        return self.x, self.y

    @property
    def destroyed(self) -> bool:
        """Whether nothing is left of it that fights."""
        return bool(self.wear.destroyed)

    @property
    def able_riders(self) -> tuple[Rider, ...]:
        """The characters aboard who can act, crew and passengers."""
        return tuple([rider for rider in self.riders if rider.body.able])

    @property
    def manned(self) -> int:
        """Everybody who counts for actions."""
        crew = self.crew.able
        return crew + len([rider for rider in self.riders if rider.seat == "crew" and rider.body.able]) if self.riders else crew

    @property
    def able(self) -> bool:
        """Whether it is still in the fight: on the field, whole, and with somebody at the controls."""
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
        """Who is asked what it does: the first character of its crew who can answer, or the unit itself."""
        own = next((rider.name for rider in self.riders if rider.seat == "crew" and rider.body.able), "")
        return own or (self.part.voice if self.part is not None else "") or self.name

    @property
    def section(self) -> bool:
        """Whether it is a section of a large machine, whether that still bears it or not."""
        return self.part is not None and self.part.section

    @property
    def borne(self) -> bool:
        """Whether it is a section that its hull carries along."""
        return self.part is not None and self.part.section and self.part.power is None

    @property
    def moving(self) -> Way | None:
        """The way to move that is in use."""
        return self.machine.way(self.way)

    def lost_with(self, more: int) -> int:
        """Points of Armor that it has lost once it loses so many more: all of it at most, and what a form before had more to lose."""
        return max(self.wear.armor, min(int(self.machine.armor), self.wear.armor + more))

    def mount(self, arm: int) -> Mounted:
        """A system as it was built."""
        return mounts(self.machine)[arm][1]

    def version(self, arm: int) -> Version:
        """A system in the mode that it is in, with what parries have worn off it and what a power booster gives it."""
        state = self.arms[arm]
        plain = mounts(self.machine)[arm][1].versions[state.mode]
        if not (state.worn or self.signs.surge or self.wear.overburnt):
            return plain
        return _powered(plain, self.surge("damage") - state.worn, self.surge("range"))

    def surge(self, what: str) -> int:
        """What a power booster adds to a figure this round, less what it has burnt out for good."""
        if not (self.signs.surge or self.wear.overburnt):
            return 0
        return sum([points for name, points in self.signs.surge if name == what]) - self.wear.overburnt.count(what)

    def arm_name(self, arm: int) -> str:
        """What a system is called, one of several alike by its number."""
        return mounts(self.machine)[arm][0]

    def with_arm(self, arm: int, state: Arm) -> "Unit":
        """The same unit with another state of one system."""
        return replace(self, arms=(*self.arms[:arm], state, *self.arms[arm + 1 :]))

    def auxiliary(self, name: str) -> int | None:
        """What the best auxiliary system of a name is at: 0, or less where it is damaged; None where none is left."""
        places, lost = _called(self.machine, name), self.wear.auxiliaries
        if not lost:
            return 0 if places else None
        whole = [lost[at] for at in places if lost[at] < DESTROYED_AT]
        return -min(whole) if whole else None

    def has(self, name: str) -> bool:
        """Whether it has a Perk or Flaw that still works: an auxiliary system may be destroyed."""
        if self.machine.has(name) is None:
            return False
        return not _called(self.machine, name) or self.auxiliary(name) is not None


@lru_cache(maxsize=256)
def mounts(machine: Machine) -> tuple[tuple[str, Mounted], ...]:
    """Every system of a machine with its name, one of several alike by itself."""
    mounteds = [system for system in machine.systems for _ in range(system.quantity)]
    return tuple(zip(numbered([system.name for system in mounteds]), mounteds, strict=True))


@lru_cache(maxsize=1024)
def _powered(version: Version, damage: int, reach: int) -> Version:
    """A system with another Damage Multiplier and Base Range: the other ranges grow with it, twice, four and eight times as far."""
    ranges = tuple([max(0, number + reach * factor) for number, factor in zip(version.ranges, (1, 2, 4, 8), strict=False)])
    return replace(version, damage=max(0, version.damage + damage), ranges=ranges)


TURRET = "turret of the "


@lru_cache(maxsize=1024)
def auxiliaries(machine: Machine) -> tuple[str, ...]:
    """The auxiliary systems of a machine; every turret is one."""
    turrets = [f"{TURRET}{name}" for name, system in mounts(machine) if system.arc in ("turret", "slow turret")]
    power = machine.has("external power")
    collector = ("external power",) if power is not None and power.variant == "beamed" else ()
    return (*machine.auxiliaries, *turrets, *collector)


@lru_cache(maxsize=1024)
def _called(machine: Machine, name: str) -> tuple[int, ...]:
    """The places of the auxiliary systems of a name."""
    return tuple([at for at, label in enumerate(auxiliaries(machine)) if label == name or label.startswith(f"{name} ")])


def fresh_arms(machine: Machine) -> tuple[Arm, ...]:
    """The systems of a machine as it leaves the workshop."""
    return tuple([Arm(left=tuple([version.uses for version in system.versions])) for _, system in mounts(machine)])
