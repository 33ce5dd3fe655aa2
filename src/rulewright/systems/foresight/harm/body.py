"""The body of a character: the state that injuries, fatigue and healing change."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.limits import bound
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.foresight.gear.armor import covers_of
from rulewright.systems.foresight.people.abilities import ability_task, stamina_of
from rulewright.systems.foresight.people.attributes import attribute_task
from rulewright.systems.foresight.people.characters import Character, Person
from rulewright.systems.foresight.resolution.damage_classes import Cover
from rulewright.systems.foresight.resolution.locations import ARMS, LEGS, Location
from rulewright.systems.foresight.resolution.tests import Mod, Task, half_up

DEAD = 8
DYING = 6
CRITICAL = 5
INCAPACITATED = 4
HEAVY = 3


BODY_LIMITS: dict[str, tuple[float, float]] = {
    "wounds": (0, DEAD),
    "worst": (0, DEAD),
    "stamina": (-100, 100),
    "stamina_max": (0, 100),
    "endurance": (0, 100),
    "willpower": (0, 100),
    "pain": (0, 100),
    "pain_ease": (0, 20),
    "ds": (0.001, 1000),
    "stun": (0, 100),
    "bandaged": (0, 4),
    "drunk": (0, 20),
    "clock": (0, 100_000),
}
"""What the numbers of a body may be where a scenario begins."""


class WoundRow(TableRow, frozen=True):
    """A wound level: minutes between rolls to recover and not to deteriorate, and what needs willpower."""

    level: int
    name: str
    recovery: int | None
    deterioration: int | None
    needs_will: str


WOUNDS = Table("fs-wound-levels", WoundRow)


class Patient(Struct, frozen=True, cache_hash=True, gc=False):
    """The numbers that decide an injury, and the injuries carried. Every change makes a new one."""

    name: str
    endurance: int = 9
    willpower: int = 9
    pain: float = 9
    """The score of Pain Resistance."""
    pain_ease: float = 5
    pain_learnt: bool = True
    ds: float = 1
    covers: tuple[Cover, ...] = ()
    stamina_max: int = 9
    stamina: int = 9
    was_exhausted: bool = False
    """Exhausted since the last good night's sleep."""
    wounds: int = 0
    worst: int = 0
    """The worst wound level since last healthy, as far as no surgeon has lowered it."""
    hurt: tuple[Location, ...] = ()
    """Where wounds are that have not healed."""
    stunned: bool = False
    stun: int = 0
    """Stun points, which stun weapons give."""
    unconscious: bool = False
    dead: bool = False
    heart_stopped: bool = False
    prone: bool = False
    dropped: tuple[Location, ...] = ()
    """Arms that let go of what they held."""
    bandaged: int = 0
    """What bandages add to deterioration rolls."""
    operated: bool = False
    """Whether a surgeon has been at work already: the next operation is a follow-up."""
    drunk: int = 0
    clock: int = 0
    """Minutes that have gone by toward the next roll."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Patient":
        """The body of a character, with the injuries in its file."""
        return cls.of_person(rules, Person.of(rules, character))

    @classmethod
    def of_person(cls, rules: Ruleset, person: Person) -> "Patient":
        """The body of a person."""
        stamina = stamina_of(rules, person)["stamina"].value
        pain, carried = ability_task(rules, person, "Pain Resistance", in_peril=True), person.injuries
        return cls(
            name=person.name,
            endurance=person.attribute("EN"),
            willpower=person.attribute("WP"),
            pain=pain.score,
            pain_ease=pain.ease,
            pain_learnt=person.level("Pain Resistance") is not None,
            ds=person.ds,
            covers=covers_of(rules, person.gear.armor),
            stamina_max=stamina,
            stamina=stamina if carried.stamina is None else carried.stamina,
            was_exhausted=carried.exhausted,
            wounds=carried.wounds,
            worst=carried.deepest,
            hurt=tuple(sorted(carried.hurt)),
            dead=carried.wounds >= DEAD,
            unconscious=carried.wounds >= DYING,
            bandaged=carried.bandaged,
            operated=carried.operated,
        )

    @property
    def reserve(self) -> int:
        """Stamina after a proper rest: endurance."""
        return self.endurance

    @property
    def threshold(self) -> int:
        """Stamina after a short rest: a third of endurance."""
        return half_up(self.endurance / 3)

    @property
    def exhausted(self) -> bool:
        """At or below zero stamina."""
        return self.stamina <= 0

    @property
    def helpless(self) -> bool:
        """Dead, senseless or stunned."""
        return self.dead or self.unconscious or self.stunned or self.heart_stopped

    def covering(self, location: Location) -> tuple[Cover, ...]:
        """The armor over a location, in layers."""
        return tuple([cover for cover in self.covers if cover.location == location])


SOMEBODY = Patient("somebody")
"""A body with 9 in everything, for rules that are asked without naming anybody."""


@cached(1024)
def wound_row(rules: Ruleset, level: int) -> WoundRow:
    """The row of a wound level; everything from 8 on is death."""
    return WOUNDS.get(rules, str(max(0, min(level, DEAD))))


@rule("fs-wound-levels")
def wound_penalty(rules: Ruleset, patient: Patient = SOMEBODY, uses: tuple[Location, ...] = (), agility: bool = False) -> Mod:
    """The wound level as a penalty on everything, doubled for tasks of a hurt arm, and of agility where a leg is hurt."""
    arm = any(limb in patient.hurt for limb in uses if limb in ARMS)
    leg = agility and any(limb in patient.hurt for limb in LEGS)
    name = wound_row(rules, patient.wounds).name.lower()
    return Mod(f"{name}{', limb hurt' if arm or leg else ''}", -patient.wounds * (2 if arm or leg else 1), "fs-wound-levels")


@rule("fs-stamina-pool")
def exhaustion(rules: Ruleset, patient: Patient = SOMEBODY) -> Mod:
    """-1 to everything while stamina is at 0 or below, and -1 until the next good night's sleep."""
    was = patient.was_exhausted or patient.exhausted
    return Mod("exhausted" if patient.exhausted else "was exhausted", -int(patient.exhausted) - int(was), "fs-stamina-pool")


class Drink(Struct, frozen=True):
    """What a level of drink does: to Pain Resistance, to everything else, and more where concentration is needed."""

    pain: int
    everything: int
    concentration: int


@rule("fs-intoxication")
def intoxication(rules: Ruleset, level: int = 1) -> Drink:
    """Each level helps Pain Resistance by 1 and costs 1 on concentration; each past the first costs 1 on everything else too."""
    bound("the level of drink", level, 0, 20)
    return Drink(level, -max(0, level - 1), -level)


def condition(
    rules: Ruleset, patient: Patient, uses: tuple[Location, ...] = (), agility: bool = False, concentration: bool = False
) -> tuple[Mod, ...]:
    """Everything about a body that weighs on a task: wounds, exhaustion, drink."""
    mods = [wound_penalty(rules, patient, uses, agility), exhaustion(rules, patient)]
    if patient.drunk:
        drink = intoxication(rules, patient.drunk)
        mods.append(Mod("drunk", drink.everything + (drink.concentration if concentration else 0), "fs-intoxication"))
    return tuple([mod for mod in mods if mod.value])


def pain_task(rules: Ruleset, patient: Patient) -> Task:
    """Pain Resistance with all that weighs on it: wounds, exhaustion, a hurt abdomen; drink helps."""
    task = Task(patient.pain, patient.pain_ease)
    return task.plus(
        Mod("not learnt", 0 if patient.pain_learnt else -1, "fs-unskilled-use"),
        wound_penalty(rules, patient),
        exhaustion(rules, patient),
        Mod("abdomen hurt", -1 if "abdomen" in patient.hurt else 0, "fs-hit-location"),
        Mod("drink", patient.drunk, "fs-intoxication"),
    )


def endurance_task(rules: Ruleset, patient: Patient, *mods: Mod) -> Task:
    """Endurance by itself, with what is named."""
    return attribute_task(rules, "EN", patient.endurance).plus(*mods)


def will_task(rules: Ruleset, patient: Patient, *mods: Mod) -> Task:
    """Willpower with everything that weighs on a body."""
    return attribute_task(rules, "WP", patient.willpower).plus(*condition(rules, patient), *mods)


def worse(patient: Patient, levels: int = 1) -> Patient:
    """A wound level worse (or several): the worst so far follows, and 8 is death."""
    now = patient.wounds + levels
    dead = now >= DEAD
    return replace(
        patient,
        wounds=now,
        worst=max(patient.worst, now),
        dead=patient.dead or dead,
        unconscious=patient.unconscious or now >= DYING,
        clock=0,
    )


def better(patient: Patient, levels: int = 1) -> Patient:
    """A wound level better: below 5 one wakes (ruling), and at 0 everything is healed and forgotten, save scars."""
    now = max(0, patient.wounds - levels)
    if now == 0:
        return replace(patient, wounds=0, worst=0, hurt=(), bandaged=0, operated=False, unconscious=False, clock=0)
    return replace(patient, wounds=now, unconscious=patient.unconscious and now >= CRITICAL, clock=0)
