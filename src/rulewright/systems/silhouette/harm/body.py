"""The state of a body under damage, shock, healing and fatigue (book lines 2465-2610)."""

from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.silhouette.gear.items import ARMOR, SHIELDS
from rulewright.systems.silhouette.people.characters import Character, Person
from rulewright.systems.silhouette.people.secondary_attributes import secondary_of
from rulewright.systems.silhouette.people.traits import effects

Location = Literal[
    "torso",
    "head",
    "lower chest",
    "groin",
    "throat",
    "left arm",
    "right arm",
    "left leg",
    "right leg",
    "left hand",
    "right hand",
    "left foot",
    "right foot",
]
ALL_OVER = get_args(Location)
Part = Literal["torso", "head", "vital", "limb", "extremity"]
Pace = Literal["crawling", "walking", "jogging", "sprinting"]
LEGS: tuple[Location, ...] = ("left leg", "right leg", "left foot", "right foot")

OPEN_ENDED = -1
"""Unconscious for a time not rolled yet."""


class WoundRow(TableRow, frozen=True):
    """A kind of wound: its penalty, and the fastest pace with one and with several."""

    wound: str
    penalty: int
    fastest: Pace
    several: Pace


class BruiseRow(TableRow, frozen=True):
    """A kind of bruise: its boxes on the System Shock track, and the hours per die until it fades."""

    bruise: str
    boxes: int
    fades_in_hours: int


class LocationRow(TableRow, frozen=True):
    """A part of the body: its size as a target, and its kind."""

    location: Location
    size: Literal["torso", "limb", "head", "finger"]
    part: Part


WOUNDS = Table("sil-3.5.2-action-penalties", WoundRow)
BRUISES = Table("sil-3.5.2-bruise", BruiseRow)
LOCATIONS = Table("sil-3.5.7-hit-location", LocationRow)


class LimbInjury(Struct, frozen=True, gc=False):
    """Injuries of an arm, leg, hand or foot."""

    limb: Location
    flesh: int = 0
    deep: int = 0
    useless: bool = False
    severed: bool = False


class Weighing(Struct, frozen=True, cache_hash=True, gc=False):
    """Penalties of wounds and bruises in a campaign."""

    flesh: int = -1
    deep: int = -2
    flesh_boxes: int = 1
    deep_boxes: int = 2
    boxes_per_penalty: int = 2

    def __post_init__(self) -> None:
        if self.boxes_per_penalty < 1:
            raise UserError(f"a penalty point needs at least one bruise box, not {self.boxes_per_penalty}")


@cached(64)
def weighing(rules: Ruleset) -> Weighing:
    """Returns the penalties of wounds and bruises under these rules."""
    return Weighing(
        WOUNDS.get(rules, "flesh").penalty,
        WOUNDS.get(rules, "deep").penalty,
        BRUISES.get(rules, "flesh").boxes,
        BRUISES.get(rules, "deep").boxes,
        rules.number("bruise-boxes-per-penalty"),
    )


@rule("sil-3.5.1-armor")
def armored_thresholds(rules: Ruleset, armor: int = 0, flesh: int = 13, deep: int = 25, death: int = 50) -> tuple[int, int, int]:
    """Returns the three thresholds with armor added. A view of `thresholds_at`."""
    return flesh + armor, deep + armor, death + armor


@rule("sil-3.5.1-armor")
def encumbrance(rules: Ruleset, armor: str | None = None, shield: str | None = None) -> int:
    """Returns the penalty of bulky armor and a shield on physical tests."""
    worn = ARMOR.get(rules, armor).encumbrance if armor else 0
    return worn + (SHIELDS.get(rules, shield).encumbrance if shield else 0)


HURT = ("flesh", "deep", "stable_flesh", "stable_deep", "bruised_flesh", "bruised_deep", "limbs", "trauma", "coma", "resuscitated")
WORN = ("dead", "doomed", "fatigue", "collapsed", "stiffness", "emergency_dice", "genre_points", "drugged", "ill")
LASTING = (*HURT, *WORN)
"""Fields of a body that a scene starts with and leaves behind."""
BETWEEN_SCENES = ("unconscious",)
"""Fields of a body that only time between scenes leaves behind: a scene's knockouts end with it."""
BELOW_NOTHING = ("fatigue", "stiffness", "drugged", "ill")
"""Fields that are zero or negative; other numbers are zero or more."""


def nonsense(field: str, value: Any) -> str:
    """Describes what is wrong with a lasting field of a body; empty if it is valid."""
    try:
        read = getattr(msgspec.convert({field: value}, Patient), field)
    except msgspec.ValidationError as error:
        return str(error).partition(" - at")[0]
    below = field in BELOW_NOTHING
    if isinstance(read, int) and not isinstance(read, bool) and (read > 0 if below else read < 0):
        return f"{read} must be {'0 or less' if below else '0 or more'}"
    return ""


BODY_LIMITS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("health", "fitness", "willpower", "psyche"), (-100, 100)),
    **dict.fromkeys(("encumbrance", "fatigue", "stiffness", "drugged", "ill", "hurried"), (-1000, 0)),
    "unconscious": (-1, 100_000),
}
"""What the numbers of a body may be where a scenario begins, other than from 0 to 1000."""


class Patient(Struct, frozen=True, cache_hash=True, gc=False):
    """A body: its ratings and its injuries. Every change creates a new one."""

    name: str = "someone"
    health: int = 0
    flesh_threshold: int = 13
    deep_threshold: int = 25
    death_threshold: int = 50
    system_shock: int = 5
    armor: int = 0
    covers: tuple[Location, ...] = ("torso", "lower chest")
    hero: bool = True
    """Whether it is a player character or main villain."""
    willpower: int = 0
    fitness: int = 0
    emergency_dice: int = 0
    encumbrance: int = 0
    """Penalty of armor and shield on physical tests: zero or negative."""
    flesh: int = 0
    deep: int = 0
    stable_flesh: int = 0
    """Number of stabilized Flesh Wounds; beyond the wounds, bruises that count as wounds."""
    stable_deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0
    limbs: tuple[LimbInjury, ...] = ()
    unconscious: int = 0
    """Minutes of unconsciousness left; 0 is awake, OPEN_ENDED is knocked out for a time not rolled yet."""
    coma: bool = False
    trauma: int | None = None
    """Minutes left before death from trauma; None if not dying."""
    resuscitated: bool = False
    """Resuscitated and in need of constant aid."""
    dead: bool = False
    tough: int = 0
    """Penalty points that acting tough cancels on actions, but not on Health tests."""
    acted_tough: bool = False
    """Whether the character has acted tough in this fight."""
    ignored: int = 0
    """Penalty points ignored on every test: painkillers, Inner Well of Strength."""
    fatigue: int = 0
    """Fatigue before Fitness is added: zero or negative."""
    collapsed: bool = False
    """Unconscious from fatigue until all of it is gone."""
    stiffness: int = 0
    """Penalty of badly healed Deep Wounds on physical actions until rehabilitation: zero or negative."""
    spared: bool = False
    """Whether wounds stop getting worse until more damage (Escape Impending Death)."""
    doomed: bool = False
    """Whether the last wound will kill in any case (Mortal Strike)."""
    last_rounds: int = 0
    """Rounds of a Last Hurrah left: no pain, then a final death."""
    healing: float = 1
    """Factor for healing times."""
    weighs: Weighing = Weighing()
    shaken: bool = False
    """Whether a test to stay conscious is due at the end of the round."""
    snared: int | None = None
    """Threshold to get free from a whip or bola; None if free."""
    genre_points: int = 0
    genre: tuple[str, ...] = ()
    """Genre Effects of the campaign."""
    drugged: int = 0
    """Penalty of drugs on every test, but not when wounds get worse: zero or negative."""
    ill: int = 0
    """Penalty of illness, withdrawal or radiation on every test: zero or negative."""
    alert: int = 0
    """Bonus of stimulants to initiative."""
    swarms: int = 0
    """Swarms left of a swarm or horde; 0 for anything else."""
    scatters_at: int = 0
    """A single attack must exceed this damage to drive off a swarm."""
    left: str = ""
    """How a person left the fight by their own will: withdraw or surrender; empty if they have not."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Patient":
        """Returns the body of a character, with the injuries in its file."""
        return cls.of_person(rules, Person.of(rules, character))

    @classmethod
    def of_person(cls, rules: Ruleset, person: Person) -> "Patient":
        """Returns the body of a person, with the injuries in the file."""
        values = secondary_of(rules, person)
        armor = ARMOR.get(rules, person.gear.armor) if person.gear.armor else None
        healing = 1.0
        for _, row, _ in effects(rules, person.perks, person.flaws):
            healing *= row.healing
        whole = cls(
            person.name,
            values["health"].value,
            values["flesh_wound_threshold"].value,
            values["deep_wound_threshold"].value,
            values["instant_death_threshold"].value,
            values["system_shock"].value,
            (armor.points if armor else 0) + person.plan.armor,
            ALL_OVER if person.plan.armor else armor.covers if armor else (),  # type: ignore[arg-type]
            person.hero,
            person.attribute("willpower"),
            person.attribute("fitness"),
            person.emergency_dice,
            encumbrance=encumbrance(rules, person.gear.armor, person.gear.shield),
            flesh=person.injuries.flesh,
            deep=person.injuries.deep,
            stable_flesh=person.injuries.stable_flesh,
            stable_deep=person.injuries.stable_deep,
            bruised_flesh=person.injuries.bruised_flesh,
            bruised_deep=person.injuries.bruised_deep,
            healing=healing,
            weighs=weighing(rules),
            swarms=person.plan.swarm[3] if person.plan.swarm else 0,
            scatters_at=person.plan.swarm[2] if person.plan.swarm else 0,
        )
        return whole.left_by(person.condition) if person.condition else whole

    def left_by(self, condition: dict[str, Any]) -> "Patient":
        """Returns the body with its lasting condition from scenes; invalid fields are ignored and reported by the audit."""
        body = self
        for field, value in condition.items():
            if field in (*LASTING, *BETWEEN_SCENES) and not nonsense(field, value):
                body = replace(body, **{field: getattr(msgspec.convert({field: value}, Patient), field)})
        return body

    def under(self, rules: Ruleset) -> "Patient":
        """Returns the body with the injury penalties of these rules."""
        weighs = weighing(rules)
        return self if self.weighs == weighs else replace(self, weighs=weighs)

    @property
    def wounded(self) -> bool:
        """Whether there is any real wound."""
        return self.flesh > 0 or self.deep > 0

    @property
    def bruise_boxes(self) -> int:
        """Returns the boxes of the System Shock track marked by bruises."""
        return self.bruised_flesh * self.weighs.flesh_boxes + self.bruised_deep * self.weighs.deep_boxes

    @property
    def injury_penalty(self) -> int:
        """Returns the penalty of wounds and bruises on every test: bruises alone cost little, next to real wounds as much as these."""
        cost = self.weighs
        if not self.wounded:
            return -(self.bruise_boxes // cost.boxes_per_penalty)
        return (self.flesh + self.bruised_flesh) * cost.flesh + (self.deep + self.bruised_deep) * cost.deep

    @property
    def shock_penalty(self) -> int:
        """Returns the penalty that counts against System Shock: wounds, and bruises next to them; bruises alone never cause trauma."""
        return self.injury_penalty if self.wounded else 0

    @property
    def open_penalty(self) -> int:
        """Returns the penalty of unstabilized wounds that counts against System Shock."""
        if not self.wounded:
            return 0
        flesh = max(0, self.flesh + self.bruised_flesh - self.stable_flesh)
        deep = max(0, self.deep + self.bruised_deep - self.stable_deep)
        return flesh * self.weighs.flesh + deep * self.weighs.deep

    @property
    def fatigue_penalty(self) -> int:
        """Returns the fatigue penalty: fatigue plus Fitness, never a bonus."""
        return min(0, self.fatigue + self.fitness) if self.fatigue < 0 else 0

    @property
    def penalty(self) -> int:
        """Returns the action penalty on every test: injuries and fatigue, minus what is ignored; never a bonus."""
        pain = 0 if self.last_rounds else min(0, self.injury_penalty + self.ignored)
        return pain + self.fatigue_penalty + self.drugged + self.ill

    @property
    def acting_penalty(self) -> int:
        """Returns the penalty on actions; Health tests use `penalty`."""
        pain = 0 if self.last_rounds else min(0, self.injury_penalty + self.ignored + self.tough)
        return pain + self.fatigue_penalty + self.drugged + self.ill

    @property
    def physical_penalty(self) -> int:
        """Returns the penalty on physical actions, including badly healed wounds and heavy armor."""
        return self.acting_penalty + self.stiffness + self.encumbrance

    @property
    def awake(self) -> bool:
        """Whether the character is conscious: not dead, dying or unconscious; a Last Hurrah overrides all of that."""
        return self.last_rounds > 0 or not (self.dead or self.coma or self.collapsed or self.unconscious or self.trauma is not None)

    @property
    def able(self) -> bool:
        """Whether the character is conscious and able to act: a resuscitated one must rest first (ruling)."""
        if self.left:
            return False
        if self.last_rounds > 0:
            return True
        return not (self.dead or self.coma or self.collapsed or self.unconscious or self.trauma is not None or self.resuscitated)

    def limb(self, limb: Location) -> LimbInjury:
        """Returns the injuries of a limb."""
        return next((injury for injury in self.limbs if injury.limb == limb), LimbInjury(limb))

    def with_limb(self, injury: LimbInjury) -> "Patient":
        """Returns the body with one limb changed; sound limbs are not listed."""
        others = [limb for limb in self.limbs if limb.limb != injury.limb]
        listed = [*others, injury] if injury != LimbInjury(injury.limb) else others
        return replace(self, limbs=tuple(sorted(listed, key=lambda limb: limb.limb)))


AVERAGE = Patient()
"""A body with 0 in everything, as a default."""


@rule("sil-3.5.2-action-penalties")
def action_penalty(rules: Ruleset, victim: Patient = AVERAGE) -> Derived[int]:
    """Returns the action penalty: 1 per Flesh Wound and 2 per Deep Wound on all tests; bruises and fatigue add to it.

    A view of `Patient`.
    """
    victim = victim.under(rules)
    rule_id = "sil-3.5.2-action-penalties"
    wounds = victim.flesh * victim.weighs.flesh, victim.deep * victim.weighs.deep
    terms = (
        term("Flesh Wounds", wounds[0], rule=rule_id),
        term("Deep Wounds", wounds[1], rule=rule_id),
        term("bruises", victim.injury_penalty - sum(wounds), rule="sil-3.5.2-bruise"),
        term("ignored", min(victim.ignored, -victim.injury_penalty) if not victim.last_rounds else -victim.injury_penalty),
        term("fatigue", victim.fatigue_penalty, rule="sil-3.5.8-fatigue"),
        term("drugs", victim.drugged, rule="sil-6.2.2-toxin-core"),
        term("illness", victim.ill, rule="sil-6.2.4-disease"),
    )
    return total("action penalty", *[reason for reason in terms if reason.value], rule=rule_id)
