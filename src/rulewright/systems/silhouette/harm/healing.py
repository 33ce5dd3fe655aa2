"""Wounds that get worse, stabilizing and resuscitation (book lines 2509-2516, 2527-2546)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.highest_die.harm import in_words
from rulewright.play import Event, Happened, Play, Scale, Tell, came_to, sub
from rulewright.play.cache import cached
from rulewright.play.odds import exact
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_up, term, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import begin_to_die, health_test_pool, minutes_left, stay_conscious, with_wound
from rulewright.systems.silhouette.harm.events import Died, Managed
from rulewright.systems.silhouette.people.characters import Person
from rulewright.systems.silhouette.people.traits import trait_modifiers
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, skill_pool, succeeds

Kind = Literal["flesh", "deep"]
Activity = Literal["bed rest", "light", "heavy"]
AN_ATTEMPT = 5
"""Minutes per treatment attempt."""
MOST_ATTEMPTS = 50
"""The most attempts of a medic."""


class DegenerationRow(TableRow, frozen=True):
    """How often a kind of untreated wound is tested, and the unit for rounding up, in minutes."""

    wound: Kind
    minutes: int
    unit: int


DEGENERATION = Table("sil-3.5.3-degeneration", DegenerationRow)

WOUNDED = replace(AVERAGE, flesh=1, deep=2)
DYING = replace(WOUNDED, trauma=5)
"""A dying body: two Deep Wounds and a Flesh Wound, and 0 in everything else."""


# --- getting worse ------------------------------------------------------------------------------------------------------------


@rule("sil-3.5.3-degeneration")
def degeneration_interval(rules: Ruleset, wounds: int = 1, kind: Kind = "flesh") -> Derived[int]:
    """Returns the minutes between tests: a day for Flesh Wounds, an hour for Deep ones, divided by the number of untreated wounds of the
    kind and rounded up to whole hours or minutes (ruling)."""
    if wounds < 1:
        raise UserError("the number of untreated wounds must be at least 1")
    row = DEGENERATION.get(rules, kind)
    terms = (term("base", row.minutes), divided("wounds", wounds), rounded_up(row.unit))
    return total("minutes between tests", *terms, rule="sil-3.5.3-degeneration")


def untreated(victim: Patient, kind: Kind) -> int:
    """Returns the number of unstabilized real wounds of a kind; bruises do not get worse."""
    return max(0, victim.flesh - victim.stable_flesh) if kind == "flesh" else max(0, victim.deep - victim.stable_deep)


@rule("sil-3.5.3-degeneration")
def degenerate(rules: Ruleset, victim: Patient = WOUNDED, emergency: int = 0) -> Play[Patient]:
    """Tests Health against 1 with all action penalties: a failure is one more Flesh Wound, a fumble a Deep one, and either may cause
    trauma."""
    victim = victim.under(rules)
    if victim.dead or victim.spared:
        return victim
    pool = health_test_pool(rules, victim, victim.penalty - victim.drugged, emergency)
    test = yield from action_test(rules, pool, 1, victim.name, "keeping wounds from getting worse")
    if succeeds(rules, test, 2515):
        kept = Managed(victim.name, "keeps wounds from getting worse", test, "sil-3.5.3-degeneration", "plain", "Health test")
        yield from Tell(kept)
        return victim
    worse = with_wound(victim, "deep" if test.fumble else "flesh")  # 2515: a fumble is a Deep Wound
    wound = "Deep" if test.fumble else "Flesh"
    yield from Tell(
        Managed(victim.name, f"gets worse and has one more {wound} Wound", test, "sil-3.5.3-degeneration", "bad", "Health test")
    )
    after = yield from settle_shock(victim, worse)
    if after.awake and rules.on("degeneration-knocks-out"):
        return (yield from sub(stay_conscious, rules, after))
    return after


def settle_shock(before: Patient, after: Patient) -> Play[Patient]:
    """Puts a body into shock if new or reopened wounds require it. For a resuscitated one who lives on stabilized wounds, only the
    others count."""
    lives_on_treatment = before.resuscitated or (before.trauma is None and before.system_shock + before.shock_penalty <= 0)
    counted = after.open_penalty if lives_on_treatment else after.shock_penalty
    if after.dead or after.spared or after.system_shock + counted > 0:
        return after
    return (yield from begin_to_die(after, minutes_left(before, after)))


# --- stabilizing --------------------------------------------------------------------------------------------------------------


class Medic(Struct, frozen=True, cache_hash=True):
    """A medic: skill, attribute (Creativity by the skill's description), own action penalty and equipment."""

    name: str = "the medic"
    medicine: int = 2
    attribute: int = 0
    complexity: int = 1
    penalty: int = 0
    modifier: int = 0
    hero: bool = True
    emergency: int = 0
    traits: tuple[Mod, ...] = ()
    """Modifiers of Perks and Flaws."""

    @classmethod
    def of(cls, rules: Ruleset, person: Person, penalty: int = 0, modifier: int = 0) -> "Medic":
        """Returns a person as a medic."""
        best = person.best("medicine")
        level, complexity = person.level(best), person.complexity.get(best, 1)
        traits = trait_modifiers(rules, "medicine", ("handling",), person.perks, person.flaws)
        return cls(person.name, level, person.attribute("creativity"), complexity, penalty, modifier, person.hero, 0, traits)

    def treating_oneself(self, victim: Patient) -> "Medic":
        """Returns the medic as the victim of these wounds: their penalty counts a second time."""
        return replace(self, name=victim.name, penalty=victim.acting_penalty)


MEDIC = Medic()
TREATING = Scale(("success", "failure", "fumble"), ("success",), "helps", "not helped")


class Treated(Event, frozen=True):
    """A treatment attempt."""

    medic: str
    name: str
    what: str
    test: Test
    outcome: Literal["success", "failure", "fumble"]

    def headline(self) -> str:
        words = {"success": "succeeds in", "failure": "loses five minutes", "fumble": "does harm while"}[self.outcome]
        return f"{self.medic} {words} {self.what} {self.name}"

    def reasons(self) -> tuple[Reason, ...]:
        return self.test.sum("Medicine test", "sil-3.5.4-stabilizing")

    def tone(self) -> str:
        return "good" if self.outcome == "success" else "bad"


def _medicine_test(rules: Ruleset, medic: Medic, victim: Patient, what: str) -> Play[tuple[Test, bool]]:
    pool = treatment_pool(rules, medic, victim)
    test = yield from action_test(rules, pool, 1, medic.name, f"{what} {victim.name}")
    done = succeeds(rules, test, 2529)
    outcome: Literal["success", "failure", "fumble"] = "fumble" if test.fumble else "success" if done else "failure"
    yield from Tell(Treated(medic.name, victim.name, what, test, outcome))
    yield came_to(outcome, TREATING, medic.name, victim.name)
    return test, done


def is_worth_treating(rules: Ruleset, medic: Medic, victim: Patient) -> bool:
    """Whether a medic has the skill, and succeeds more often than a fumble does harm (ruling)."""
    return medic.medicine > 0 and _helps(rules, treatment_pool(rules, medic, victim))


@cached(512)
def _helps(rules: Ruleset, pool: Pool) -> bool:
    odds = exact(sub(action_test, rules, pool, 1))
    fumbles = sum([weight for test, weight in odds.weights.items() if test.fumble])
    # 2529: a fumble adds a Flesh Wound
    helped = sum([weight for test, weight in odds.weights.items() if not test.fumble and succeeds(rules, test, 2529)])
    return helped > fumbles


def next_to_treat(victim: Patient) -> Kind | None:
    """Returns the wound to stabilize next: Deep before Flesh; bruises that count as wounds come last of their kind."""
    bruises = (victim.bruised_flesh, victim.bruised_deep) if victim.wounded else (0, 0)
    if victim.deep + bruises[1] > victim.stable_deep:
        return "deep"
    return "flesh" if victim.flesh + bruises[0] > victim.stable_flesh else None


@rule("sil-3.5.4-stabilizing")
def stabilize(
    rules: Ruleset, medic: Medic = MEDIC, victim: Patient = WOUNDED, wound: Literal["next", "flesh", "deep"] = "next"
) -> Play[Patient]:
    """Tests Medicine against 1, five minutes per attempt: a success stabilizes one wound, a fumble adds a Flesh Wound."""
    victim = victim.under(rules)
    if victim.dead or victim.trauma is not None:
        raise UserError(f"{victim.name} is {'dead and cannot be treated' if victim.dead else 'dying and must be resuscitated first'}")
    return (yield from settle_shock(victim, (yield from _stabilize(rules, medic, victim, wound))))


def _stabilize(rules: Ruleset, medic: Medic, victim: Patient, wound: Literal["next", "flesh", "deep"]) -> Play[Patient]:
    kind = next_to_treat(victim) if wound == "next" else wound
    if kind is None or (wound != "next" and not untreated(victim, wound)):
        raise UserError(f"{victim.name} has no unstabilized wound of that kind")
    test, done = yield from _medicine_test(rules, medic, victim, "stabilizing")
    if test.fumble:  # 2529: a fumble adds a Flesh Wound
        return with_wound(victim, "flesh")
    if not done:
        return victim
    if kind == "flesh":
        return replace(victim, stable_flesh=victim.stable_flesh + 1)
    return replace(victim, stable_deep=victim.stable_deep + 1)


@rule("sil-3.5.4-stabilizing")
def treatment_pool(rules: Ruleset, medic: Medic = MEDIC, victim: Patient = WOUNDED) -> Pool:
    """Returns the pool of a treatment: Medicine with Complexity and the medic's attribute (ruling "medic-attribute"), the victim's
    Health and wound penalty."""
    victim = victim.under(rules)
    attribute = medic.attribute if rules.word("medic-attribute") == "added" else 0
    mods = (
        Mod("victim's Health", victim.health, "sil-3.5.4-stabilizing"),
        Mod("victim's wounds", victim.injury_penalty, "sil-3.5.2-action-penalties"),
        Mod("medic's action penalty", medic.penalty, "sil-3.5.2-action-penalties"),
        Mod("equipment", medic.modifier),
        *medic.traits,
    )
    pool = skill_pool(rules, medic.medicine, attribute, medic.complexity, 1, False, "medic's attribute", mods)
    return Pool(pool.dice, pool.mods, medic.emergency, medic.hero)


@rule("sil-3.5.4-stabilizing")
def exert(rules: Ruleset, victim: Patient = WOUNDED, activity: Activity = "heavy") -> Play[Patient]:
    """Reopens stabilized wounds: heavy activity, including fights, reopens Flesh Wounds, anything beyond bed rest Deep ones. A
    resuscitated victim may go into shock again."""
    flesh = 0 if activity == "heavy" else victim.stable_flesh
    deep = victim.stable_deep if activity == "bed rest" else 0
    after = replace(victim, stable_flesh=flesh, stable_deep=deep)
    if after == victim:
        return victim
    yield from Tell(Happened(victim.name, "reopens stabilized wounds", "bad"))
    return (yield from settle_shock(victim, after))


# --- bringing back the dying --------------------------------------------------------------------------------------------------


@rule("sil-3.5.5-trauma")
def resuscitate(rules: Ruleset, medic: Medic = MEDIC, victim: Patient = DYING) -> Play[Patient]:
    """Tests resuscitation like stabilizing: a success brings the victim back, and the medic may at once try to stabilize one wound; a
    failure costs five of the minutes left, a fumble kills.

    If the unstabilized wounds still leave no System Shock, the victim begins to die again, with a new time limit.
    """
    victim = victim.under(rules)
    if victim.trauma is None or victim.dead:
        raise UserError(f"{victim.name} is {'dead' if victim.dead else 'not dying'} and cannot be resuscitated")
    test, done = yield from _medicine_test(rules, medic, victim, "resuscitating")
    if test.fumble:  # 2543: a fumble kills
        yield from Tell(Died(victim.name, "the treatment"))
        return replace(victim, dead=True, trauma=None)
    if not done:
        return (yield from minutes_pass(rules, victim, AN_ATTEMPT))
    back = replace(victim, trauma=None, resuscitated=True)
    return (yield from settle_shock(back, (yield from _stabilize(rules, medic, back, "next")) if next_to_treat(back) else back))


@rule("sil-3.5.5-trauma")
def save_life(rules: Ruleset, medic: Medic = MEDIC, victim: Patient = DYING, arrives: int = 0, attempts: int = 12) -> Play[Patient]:
    """Plays a medic who arrives after some minutes and treats the victim again and again until the victim lives or dies, or the attempts
    run out.

    A view of `resuscitate`.
    """
    if not 1 <= attempts <= MOST_ATTEMPTS:
        raise UserError(f"a medic makes 1 to {MOST_ATTEMPTS} attempts, not {attempts}")
    victim = yield from minutes_pass(rules, victim.under(rules), arrives)
    return victim if victim.trauma is None else (yield from sub(_save, rules, medic, victim, attempts))


def _save(rules: Ruleset, medic: Medic, victim: Patient, attempts: int) -> Play[Patient]:
    """Plays one attempt and the following ones; depends only on the victim's state, so exact odds solve each state once."""
    after = yield from resuscitate(rules, medic, victim)
    if after.trauma is None:
        return after
    failed = after == replace(victim, trauma=after.trauma) and victim.trauma == after.trauma + AN_ATTEMPT
    if attempts == 1 or (failed and rules.word("resuscitation-attempts") == "one"):
        return (yield from minutes_pass(rules, after, after.trauma))
    return (yield from sub(_save, rules, medic, after, attempts - 1))


@rule("sil-3.5.5-trauma")
def minutes_pass(rules: Ruleset, victim: Patient, minutes: int) -> Play[Patient]:
    """Passes minutes: unconscious victims wake, and those in trauma die when the time is over."""
    if minutes < 0:
        raise UserError(f"the time must be at least 0 minutes, not {minutes}")
    later = replace(victim, unconscious=max(0, victim.unconscious - minutes)) if victim.unconscious > 0 else victim
    if later.trauma is None or not minutes:
        return later
    if later.trauma > minutes:
        return replace(later, trauma=later.trauma - minutes)
    yield from Tell(Died(victim.name, f"trauma after {in_words(later.trauma)}"))
    return replace(later, dead=True, trauma=None)
