"""The body of a character: the state that injuries, drugs and healing change."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.scumm.gear.encumbrance import burden, weight_carried
from rulewright.systems.scumm.gear.items import ARMOR
from rulewright.systems.scumm.people.characters import Character, Person, derived_of

Location = Literal["head", "torso", "left arm", "right arm", "left leg", "right leg"]
LIMBS: tuple[Location, ...] = ("left arm", "right arm", "left leg", "right leg")
LEGS: tuple[Location, ...] = ("left leg", "right leg")


class WoundRow(TableRow, frozen=True):
    """What a kind of wound costs."""

    wound: str
    penalty: int
    boxes: int


class BruiseRow(TableRow, frozen=True):
    """What a kind of bruise marks on the System Shock track, and how long it stays."""

    bruise: str
    boxes: int
    fades: str


WOUNDS = Table("scumm-injuries", WoundRow)
BRUISES = Table("scumm-bruise-damage", BruiseRow)


OPEN_ENDED = -1
"""Unconscious for nobody knows how long yet."""


class LimbInjury(Struct, frozen=True):
    """What a limb has taken: two Flesh wounds or one Deep wound put it out of use."""

    limb: Location
    flesh: int = 0
    useless: bool = False
    severed: bool = False
    deep: int = 0


class Weighing(Struct, frozen=True, cache_hash=True):
    """What wounds and bruises cost in a campaign."""

    flesh: int = -1
    deep: int = -2
    flesh_boxes: int = 1
    deep_boxes: int = 2
    boxes_per_penalty: int = 2
    bruises_as_wounds: bool = True
    """Whether bruises beside real wounds cost as much as these; they count for System Shock either way."""

    def __post_init__(self) -> None:
        if self.boxes_per_penalty < 1:
            raise UserError(f"at least one box of bruises makes a penalty, not {self.boxes_per_penalty}")


@cached(64)
def weighing(rules: Ruleset) -> Weighing:
    """Returns the penalties of wounds and bruises under these rules."""
    return Weighing(
        WOUNDS.get(rules, "flesh").penalty,
        WOUNDS.get(rules, "deep").penalty,
        BRUISES.get(rules, "flesh").boxes,
        BRUISES.get(rules, "deep").boxes,
        rules.number("bruise-boxes-per-penalty"),
        rules.word("bruises-beside-wounds") == "as wounds",
    )


class Influence(Struct, frozen=True):
    """What a drug, or the want of it, does to a person now: so many points, less by one every hour (withdrawal: every day).

    `after` is how many minutes of collapse pass before it begins; one that is `rising` gains a point every hour up to five.
    """

    effect: Literal["sedative", "hallucinogen", "stimulant", "analgesic", "withdrawal"]
    points: int
    after: int = 0
    rising: bool = False
    sleepless: bool = False
    spent: int = 0
    """Minutes of the current hour that are over."""


class Patient(Struct, frozen=True, cache_hash=True, gc=False):
    """The numbers that decide an injury, and the injuries carried. Every change makes a new one."""

    name: str
    health: int
    flesh_threshold: int
    deep_threshold: int
    death_threshold: int
    system_shock: int
    armor: int = 0
    covers: tuple[Location, ...] = ()
    player: bool = False
    emergency_dice: int = 0
    flesh: int = 0
    deep: int = 0
    bruised_flesh: int = 0
    bruised_deep: int = 0
    limbs: tuple[LimbInjury, ...] = ()
    unconscious: int = 0
    """Minutes of unconsciousness still to come; 0 is awake, OPEN_ENDED is knocked out for a time not rolled yet."""
    coma: bool = False
    trauma: int | None = None
    """Minutes left before death from trauma; None for a person who is not dying."""
    resuscitated: bool = False
    dead: bool = False
    other_penalty: int = 0
    """Action penalties from elsewhere (drugs, fatigue, load): zero or negative, and no part of trauma."""
    numbed: int = 0
    """Points of action penalty that an analgesic lets one ignore."""
    weighs: Weighing = Weighing()
    incapacitated: int = 0
    """Minutes of helplessness still to come, though awake: visions, withdrawal."""
    influences: tuple[Influence, ...] = ()
    fatigue: int = 0
    """The penalty for fatigue after Body is added: zero or negative, unless a campaign lets Body outweigh it."""
    collapsed: bool = False
    """Unconscious from fatigue until all of it is gone."""
    stiffness: int = 0
    """What badly healed Deep wounds cost on physical actions until rehabilitation: zero or negative."""
    left: str = ""
    """How a person left the fight by their own will: withdraw or surrender; empty if they have not."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Patient":
        """The body of a character, with the injuries in its file."""
        return cls.of_person(rules, Person.of(rules, character))

    @classmethod
    def of_person(cls, rules: Ruleset, person: Person) -> "Patient":
        """The body of a person."""
        values = derived_of(rules, person)
        armor = ARMOR.get(rules, person.gear.armor) if person.gear.armor else None
        whole = cls(
            person.name,
            values["health"].value,
            values["flesh_wound_threshold"].value,
            values["deep_wound_threshold"].value,
            values["instant_death_threshold"].value,
            values["system_shock"].value,
            armor.points if armor else 0,
            armor.covers if armor else (),  # type: ignore[arg-type]
            person.player,
            person.emergency_dice,
            person.injuries.flesh,
            person.injuries.deep,
            person.injuries.bruised_flesh,
            person.injuries.bruised_deep,
            other_penalty=burden(rules, weight_carried(person), person.attribute("body")).value,
            weighs=weighing(rules),
        )
        if person.condition:
            whole = after_scenes(whole, person.condition)[0]
        return whole if "trauma" in person.condition else in_shock(whole)

    def under(self, rules: Ruleset) -> "Patient":
        """The same body, its injuries weighed by these rules."""
        weighs = weighing(rules)
        return self if self.weighs == weighs else replace(self, weighs=weighs)

    @property
    def wounded(self) -> bool:
        """Whether there is any real wound."""
        return self.flesh > 0 or self.deep > 0

    @property
    def bruise_boxes(self) -> int:
        """Boxes of the System Shock track that bruises have marked."""
        return self.bruised_flesh * self.weighs.flesh_boxes + self.bruised_deep * self.weighs.deep_boxes

    @property
    def wound_penalty(self) -> int:
        """The penalty of wounds, as System Shock and trauma count it: bruises beside real wounds count as such."""
        cost = self.weighs
        penalty = self.flesh * cost.flesh + self.deep * cost.deep
        if self.wounded:
            penalty += self.bruised_flesh * cost.flesh + self.bruised_deep * cost.deep
        return penalty

    @property
    def injury_penalty(self) -> int:
        """The penalty of wounds and bruises to every test; bruises alone cost less than wounds."""
        cost = self.weighs
        if self.wounded and cost.bruises_as_wounds:
            return self.wound_penalty
        return self.flesh * cost.flesh + self.deep * cost.deep - self.bruise_boxes // cost.boxes_per_penalty

    @property
    def drug_penalty(self) -> int:
        """The present penalty of sedatives, hallucinogens and withdrawal."""
        return -sum(i.points for i in self.influences if not i.after and i.effect in ("sedative", "hallucinogen", "withdrawal"))

    @property
    def relief(self) -> int:
        """Points of penalty that analgesics take away now."""
        return self.numbed + sum(i.points for i in self.influences if not i.after and i.effect == "analgesic")

    @property
    def initiative_bonus(self) -> int:
        """The present bonus of stimulants to initiative."""
        return sum(i.points for i in self.influences if not i.after and i.effect == "stimulant")

    @property
    def penalty(self) -> int:
        """The action penalty on every test: injuries, drugs, fatigue and the rest, less what is numbed.

        It is never a bonus, unless Body outweighs fatigue where a campaign allows that (ruling "fatigue-can-help").
        """
        drugs = self.drug_penalty if self.influences else 0
        relief = self.relief if self.influences or self.numbed else 0
        fresh = max(0, self.fatigue)
        return min(0, self.injury_penalty + drugs + self.fatigue - fresh + self.other_penalty + relief) + fresh

    @property
    def physical_penalty(self) -> int:
        """The penalty on physical actions, badly healed wounds included."""
        return self.penalty + self.stiffness

    @property
    def awake(self) -> bool:
        """Neither dead, nor dying, nor senseless."""
        return not (self.dead or self.coma or self.collapsed or self.unconscious or self.trauma is not None)

    @property
    def able(self) -> bool:
        """Awake and fit to act: one brought back from apparent death must rest first (ruling)."""
        return self.trauma is None and not (
            self.unconscious or self.dead or self.coma or self.collapsed or self.incapacitated or self.resuscitated or self.left
        )

    def limb(self, limb: Location) -> LimbInjury:
        """Returns the injuries of this limb."""
        return next((injury for injury in self.limbs if injury.limb == limb), LimbInjury(limb))

    def with_limb(self, injury: LimbInjury) -> "Patient":
        """The same body with another state of one limb; a sound limb is not listed."""
        others = [limb for limb in self.limbs if limb.limb != injury.limb]
        listed = [*others, injury] if injury != LimbInjury(injury.limb) else others
        return replace(self, limbs=tuple(sorted(listed, key=lambda limb: limb.limb)))

    def useless_legs(self) -> int:
        """How many legs cannot be used."""
        return sum(limb.useless for limb in self.limbs if limb.limb in LEGS)


_COUNTED = ("armor", "emergency_dice", "flesh", "deep", "bruised_flesh", "bruised_deep", "numbed", "incapacitated")
_AT_LEAST_ONE = ("flesh_threshold", "deep_threshold", "death_threshold", "system_shock")


def possible(body: Patient) -> Patient:
    """A body that was described by hand, if there can be such a one."""
    least = dict.fromkeys(_COUNTED, 0) | dict.fromkeys(_AT_LEAST_ONE, 1) | {"unconscious": OPEN_ENDED}
    if body.trauma is not None:
        least["trauma"] = 1
    for field, low in least.items():
        if getattr(body, field) < low:
            raise UserError(f"{body.name}: {field} is at least {low}, not {getattr(body, field)}")
    for field in ("other_penalty", "stiffness"):
        if getattr(body, field) > 0:
            raise UserError(f"{body.name}: {field} costs something, so it is 0 or less, not {getattr(body, field)}")
    for limb in body.limbs:
        if limb.limb not in LIMBS or limb.flesh < 0 or limb.deep < 0:
            raise UserError(
                f"{body.name}: limbs lists arms and legs, each with 0 wounds or more, which the entry for the {limb.limb} breaks"
            )
    return body


HURT = ("flesh", "deep", "bruised_flesh", "bruised_deep", "limbs", "trauma", "coma", "resuscitated", "dead")
WORN = ("fatigue", "collapsed", "stiffness", "emergency_dice")
"""The fields of a body that outlast a scene."""
DRUGGED = ("influences", "unconscious", "incapacitated")
"""What drugs do to a body between scenes. A fight enters with it, and leaves it as it is: it lasts minutes at most."""


def after_scenes(body: Patient, condition: Mapping[str, Any]) -> tuple[Patient, dict[str, str]]:
    """A body with what scenes left of it, and what of that cannot be, with the reason; rounds and jams are no part of a body."""
    from rulewright.scenes.scenarios import left_by_scenes

    return left_by_scenes(body, {field: value for field, value in condition.items() if field in (*HURT, *WORN, *DRUGGED)}, possible)


AVERAGE = Patient("someone", 0, 3, 5, 10, 5)
"""A body with 0 in everything, for rules that are asked without naming anybody."""


def in_shock(body: Patient) -> Patient:
    """A body as its wounds leave it: without System Shock left it is dying, and dead where no minute is left.

    A person who was brought back lives on with such wounds; so does one for whom the file says that they are not dying.
    """
    if body.dead or body.resuscitated or body.trauma is not None or body.system_shock + body.wound_penalty > 0:
        return body
    minutes = trauma_minutes(body.system_shock, body.wound_penalty).value
    return replace(body, trauma=minutes) if minutes > 0 else replace(body, dead=True)


@rule("scumm-trauma")
def trauma_minutes(system_shock: int = 5, penalty: int = -5) -> Derived[int]:
    """From shock to death it takes twice the original System Shock plus the (negative) wound penalty in minutes."""
    return total(
        "minutes until death",
        term("System Shock", system_shock),
        times("twice", 2),
        term("wound penalty", penalty, rule="scumm-injuries"),
        rule="scumm-trauma",
    )
