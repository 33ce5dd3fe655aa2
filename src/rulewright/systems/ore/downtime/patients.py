"""A person between scenes: the body, tiredness, the pools to treat others, and what they do all day."""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import Case, Exertion, Figure
from rulewright.play import Reckoned
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.ore.combat.abilities import aid_pool
from rulewright.systems.ore.combat.abstract import due_tests
from rulewright.systems.ore.fight.entry_state import between_scenes
from rulewright.systems.ore.fight.feats.effects import trait
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Located, hindered
from rulewright.systems.ore.harm.endurance import Stamina, tired_dice
from rulewright.systems.ore.people.characters import Character, Person
from rulewright.systems.ore.people.feat_effects import Feats, feats_of, helped
from rulewright.systems.ore.people.pools import rated
from rulewright.systems.ore.powers.repertoire import Reserve
from rulewright.systems.ore.recovery.feats import remedy_pool
from rulewright.systems.ore.resolution.tests import Mod, Pool, dice_in

MEDICINE = Figure("medicine", "Dice of the staff for medicine (0: nobody)", low=0, high=10, rule="ore-4.09-medicine")
TREATMENT = Figure("treatment", "Days between treatments of an injury (0: none)", low=0, high=30, default=1, rule="ore-4.09-medicine")
FIGURES = (MEDICINE, TREATMENT)

REST = Exertion("rest", "rests", "ore-4.09-recovery")
MARCH = Exertion("marching", "travels hard for eight hours a day", "ore-4.09b-opt19-endurance")
HUNGER = Exertion("hunger", "has nothing to eat", "ore-4.09b-opt19-endurance")
NO_SLEEP = Exertion("no sleep", "gets no sleep", "ore-4.09b-opt19-endurance")
EXERTIONS = (REST, Exertion("ordinary days", "goes about ordinary business"), MARCH, HUNGER, NO_SLEEP)
MEDICAL_SKILLS = ("medicine", "remedy", "first aid", "healing")
STAFF = "the staff"


class Patient(Struct, frozen=True, cache_hash=True):
    """A body and its tiredness, with the figures of the person that matter between scenes."""

    body: AnyBody = Located()
    stamina: Stamina = Stamina()
    endurance: Pool = Pool(0)
    """Body and Endurance, with feats."""
    medicine: Pool = Pool(0)
    """Psyche and Medicine, with feats; no dice for people without the skill."""
    first_aid: Pool = Pool(0)
    fast_recovery: int = 0
    hard_to_kill: int = 0
    feats: Feats = ()
    reserve: Reserve = Reserve()
    """The used-up limits of powers."""
    limits: tuple[int, ...] = ()
    """The Limit Ratings of all powers."""
    sheet: str = ""
    """The character's file without the condition, for ties, money, powers and learning."""

    @classmethod
    def of(cls, rules: Ruleset, character: Character) -> "Patient":
        """A character between scenes, with the condition in the file."""
        person, fighter = Person.of(rules, character), between_scenes(rules, character)
        heals = any(rated(rules, person, skill).rating for skill in MEDICAL_SKILLS)
        return cls(
            fighter.body,
            replace(fighter.stamina, elapsed=0, rested=0),
            helped(rules, fighter.profile.endurance, trait(rules, fighter, "tiring"))[0],
            remedy_pool(rules, person) if heals else Pool(0),
            aid_pool(rules, person) if heals else Pool(0),
            person.has("fast recovery"),
            person.has("hard to kill"),
            feats_of(person.feats),
            fighter.reserve,
            tuple(sorted({known.limit for known in fighter.profile.powers})),
            msgspec.json.encode(replace(character, condition={})).decode(),
        )

    @classmethod
    def of_sheet(cls, rules: Ruleset, sheet: str) -> "Patient":
        """A character of a `sheet`, without what scenes left."""
        return cls.of(rules, character_of(sheet))

    def with_body(self, body: AnyBody) -> "Patient":
        """The same person with another body."""
        return replace(self, body=body)


NOBODY = Character("nobody")


@cached(500)
def character_of(sheet: str) -> Character:
    """The character of a `sheet`."""
    return msgspec.json.decode(sheet, type=Character) if sheet else NOBODY


@cached(500)
def person_of(rules: Ruleset, sheet: str) -> Person:
    """The person of a `sheet`, with everything learnt so far."""
    return Person.of(rules, character_of(sheet))


Now = Case[Patient]
After = tuple[Patient, OngoingEffect | None]


class Recovers(Reckoned, frozen=True):
    """Something about a body changes with time."""


def exertion_of(case: Now) -> str:
    """What a person does: rest, if nothing is said."""
    return case.exertion or REST.name


def rests(case: Now) -> bool:
    """Whether a person rests."""
    return exertion_of(case) == REST.name


def fails(body: AnyBody) -> bool:
    """Whether a body still loses something by the round: it bleeds, or must repeat tests for its life."""
    if body.dead:
        return False
    tested = isinstance(body, Abstract) and bool(due_tests(body))
    return tested or any(wound.bleeding for wound in body.wounds)


def medic_at_hand(rules: Ruleset, case: Now, first_aid: bool = False) -> tuple[str, Pool] | None:
    """The best medic at the same place: one of the staff or a companion who can act; None if nobody knows Medicine."""
    medics = [
        (other.name, (other.life.first_aid if first_aid else other.life.medicine).plus(*hindering(rules, other.life)))
        for other in case.company
        if other.life.body.able and other.life.medicine.size
    ]
    staff = int(case.figure(MEDICINE))
    if staff:
        medics.append((STAFF, Pool(staff)))
    return max(medics, key=lambda medic: dice_in(rules, medic[1]), default=None)


def hindering(rules: Ruleset, life: Patient) -> tuple[Mod, ...]:
    """The dice that injuries and tiredness cost a person."""
    return (injuries_cost(rules, life), tired_dice(rules, life.stamina.boxes))


def injuries_cost(rules: Ruleset, life: Patient) -> Mod:
    """The dice that injuries cost a person."""
    return Mod("hurt", -hindered(rules, life.body).dice, "ore-4.07-kill-and-shock")


def healed_sums(before: AnyBody, after: AnyBody, rule: str) -> tuple[Reason, ...]:
    """What has changed of a body, each figure as a sum."""
    return change_sums(_figures(before), _figures(after), rule)


def change_sums(before: list[tuple[str, int]], after: list[tuple[str, int]], rule: str) -> tuple[Reason, ...]:
    """The figures that have changed, each as a sum."""
    return tuple(
        Reason(name, now, "=", rule, terms=(Reason("before", was), Reason("change", now - was, "+", rule)))
        for (name, was), (_, now) in zip(before, after, strict=True)
        if now != was
    )


def _figures(body: AnyBody) -> list[tuple[str, int]]:
    """The figures of a body that heal, by name."""
    wounds = [("Wounds", len(body.wounds))]
    if isinstance(body, Located):
        return [
            *[(f"{form.capitalize()}, {part.location}", getattr(part, form)) for part in body.parts for form in ("shock", "kill")],
            *wounds,
        ]
    if isinstance(body, Abstract):
        downs, outs = sum(injury.downs for injury in body.injuries), sum(injury.outs for injury in body.injuries)
        return [
            ("Downs", downs),
            ("Outs", outs),
            ("dice lost to Wounds", body.penalty),
            ("Down Boxes", body.down_boxes),
            ("Out Boxes", body.out_boxes),
        ]
    return [("Shock", body.shock), ("Kill Boxes lost", body.kill_lost), ("Vital Boxes lost", body.vital_lost), *wounds]


def changes_in_words(before: AnyBody, after: AnyBody) -> str:
    """What has changed of a body, in words: Shock, torso 1, was 3."""
    figures = zip(_figures(before), _figures(after), strict=True)
    return "; ".join([f"{name} {now}, was {was}" for (name, was), (_, now) in figures if now != was])
