"""Drugs and poisons: one Health test, and the effect of its margin by kind (book lines 5533-5591, 5603-5613, 6234-6238)."""

from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.highest_die.harm import in_words
from rulewright.play import Happened, Play, Roll, Tell, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, term, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.hazard_damage import Resisted, harm, resist
from rulewright.systems.silhouette.resolution.tests import DIE

Kind = Literal["fatal", "sedative", "hallucinogen", "euphoric", "stimulant", "analgesic"]
_CORE, _DOSES = "sil-6.2.2-toxin-core", "sil-6.2.2-multi-effect-doses"
MOST_DOSES = 100
OVERDOSE_OF_A_FUMBLE = 10
HIGHEST_ALERT = 5


class DrugRow(TableRow, frozen=True):
    """A drug or poison: Potency, effects, and longest onset time in minutes."""

    name: str
    potency: int
    effects: tuple[Kind, ...]
    onset: float


DRUGS = Table("sil-6.2.2-sample-drugs", DrugRow)


class Effect(Struct, frozen=True):
    """Effect of one kind of drug."""

    penalty: int = 0
    """Penalty on actions, falling by 1 every hour: zero or negative."""
    out: int = 0
    """Minutes of unconsciousness or incapacity before that."""
    asleep: bool = False
    """Whether these are unconsciousness rather than incapacity."""
    initiative: int = 0
    """A bonus on initiative."""
    rising: bool = False
    """Whether the bonus first rises to 5."""
    relief: int = 0
    """Wound penalty points ignored, 1 fewer every hour."""
    damage: int = 0
    coma: bool = False


NOTHING = Effect()


# --- the kinds of effect ------------------------------------------------------------------------------------------------------


@rule("sil-6.2.2-fatal-toxins")
def fatal_toxin(potency: int, margin: int, fumble: bool = False) -> Effect:
    """Returns the effect of a poison: damage of Potency times Margin of Failure; a fumble is a coma."""
    return Effect(coma=True) if fumble else Effect(damage=max(0, potency) * max(0, margin))  # 5563


@rule("sil-6.2.2-sedatives")
def sedative(potency: int, margin: int, fumble: bool = False) -> Effect:
    """Returns the effect of a sedative: up to 4 a penalty of the margin; 5 to 9 sleep of Potency × margin minutes, then as 4; 10 or more
    an overdose, a poison of Potency - 5. A fumble is an overdose by 10."""
    counted = OVERDOSE_OF_A_FUMBLE if fumble else margin  # 5569 and 5583
    if counted >= 10:
        return fatal_toxin(potency - 5, counted)
    if counted >= 5:
        return Effect(-4, potency * counted, True)
    return Effect(-max(0, counted))


@rule("sil-6.2.2-hallucinogens")
def hallucinogen(potency: int, margin: int, fumble: bool = False) -> Effect:
    """Returns the effect of a hallucinogen: up to 4 a penalty of the margin; 5 to 14 incapacity for Potency × margin minutes, then as 4
    (ruling); 15 or more damage like a poison of Potency - 10. A fumble counts as 14."""
    counted = 14 if fumble else margin  # 5573
    if counted >= 15:
        return fatal_toxin(potency - 10, counted)
    return Effect(-4, potency * counted) if counted >= 5 else Effect(-max(0, counted))


@rule("sil-6.2.2-euphorics")
def euphoric(potency: int, margin: int, fumble: bool = False) -> Effect:
    """Returns the effect of a euphoric: the same numbers as a hallucinogen."""
    return hallucinogen(potency, margin, fumble)


@rule("sil-6.2.2-stimulants")
def stimulant(potency: int, margin: int, fumble: bool = False) -> Effect:
    """Returns the effect of a stimulant: up to 4 the margin as an initiative bonus; 5 to 9 a bonus of 10 - margin that first rises to 5;
    10 or more, or a fumble, an overdose, a poison of Potency - 5 (by 10 on a fumble: ruling)."""
    counted = OVERDOSE_OF_A_FUMBLE if fumble else margin  # 5569 and 5583
    if counted >= 10:
        return fatal_toxin(potency - 5, counted)
    if counted >= 5:
        return Effect(initiative=10 - counted, rising=True)
    return Effect(initiative=max(0, counted))


@rule("sil-6.2.2-stimulants")
def alertness_after(initiative: int = 3, hours: int = 1, rising: bool = False) -> int:
    """Returns the initiative bonus some hours later: it falls by 1 per hour; the stronger kind first rises by 1 per hour to 5."""
    if hours < 0:
        raise UserError(f"the time must be at least 0 hours, not {hours}")
    if not rising:
        return max(0, initiative - hours)
    climb = max(0, HIGHEST_ALERT - initiative)
    return initiative + hours if hours <= climb else max(0, max(initiative, HIGHEST_ALERT) - (hours - climb))


@rule("sil-6.2.2-analgesics")
def analgesic(margin: int, fumble: bool = False) -> Effect:
    """Returns the effect of a painkiller: each margin point cancels a point of wound penalty; a fumble gives no relief."""
    return NOTHING if fumble else Effect(relief=max(0, margin))  # 5585


@rule("sil-6.2.2-analgesics")
def numbed_out(margin: int, system_shock: int = 5) -> bool:
    """Whether a painkiller causes sleep for a die of hours: the margin is above twice the System Shock."""
    return margin > 2 * system_shock


@rule("sil-6.2.2-sedatives", "sil-6.2.2-hallucinogens", "sil-6.2.2-analgesics")
def effect_after(effect: Effect, hours: int = 1) -> Effect:
    """Returns what is left of an effect some hours later: penalty and relief fall by 1 per hour after sleep or incapacity."""
    if hours < 0:
        raise UserError(f"the time must be at least 0 hours, not {hours}")
    lasting = max(0, effect.out - 60 * hours)
    awake_for = max(0, hours - -(-effect.out // 60))
    return replace(
        effect,
        out=lasting,
        penalty=min(0, effect.penalty + awake_for),
        initiative=alertness_after(effect.initiative, hours, effect.rising),
        rising=effect.rising and hours < HIGHEST_ALERT - effect.initiative,
        relief=max(0, effect.relief - hours),
    )


# --- doses --------------------------------------------------------------------------------------------------------------------


@rule(_DOSES)
def dose_potency(rules: Ruleset, potency: int, doses: int = 1) -> Derived[int]:
    """Returns the Potency of several doses: each further one adds a tenth, rounded down at the end; or at least a point, as in the
    book's example (ruling "extra-doses")."""
    if not 1 <= doses <= MOST_DOSES:
        raise UserError(f"the number of doses must be 1 to {MOST_DOSES}, not {doses}")
    more = potency * (doses - 1) // 10
    if rules.word("extra-doses") == "a point each at least":
        more = max(more, doses - 1)
    return total("Potency", term("one dose", potency), term("further doses", more), rule=_DOSES)


@rule(_CORE)
def time_to_work(onset: float = 15, margin: int = 1, fumble: bool = False, doses: int = 1) -> float:
    """Returns the minutes until a drug works: the longest time divided by doses and Margin of Failure; a tenth on a fumble."""
    if doses < 1 or (margin < 1 and not fumble):  # 5535
        raise UserError("give at least one dose, and a margin of at least 1 or a fumble")
    return float(Fraction(str(onset)) / doses / (10 if fumble else margin))


def _of(kind: Kind, potency: int, resisted: Resisted) -> Effect:
    if kind == "fatal":
        return fatal_toxin(potency, resisted.margin, resisted.fumble)
    if kind == "analgesic":
        return analgesic(resisted.margin, resisted.fumble)
    made = {"sedative": sedative, "hallucinogen": hallucinogen, "euphoric": euphoric, "stimulant": stimulant}[kind]
    return made(potency, resisted.margin, resisted.fumble)


@rule(_DOSES)
def together(effects: tuple[Effect, ...]) -> Effect:
    """Combines several effects of one drug: the worst penalty, sleep and damage count; they do not add up (ruling)."""
    result = effects or (NOTHING,)
    return Effect(
        min([effect.penalty for effect in result]),
        max([effect.out for effect in result]),
        any(effect.asleep for effect in result),
        max([effect.initiative for effect in result]),
        any(effect.rising for effect in result),
        max([effect.relief for effect in result]),
        max([effect.damage for effect in result]),
        any(effect.coma for effect in result),
    )


# --- taking it ----------------------------------------------------------------------------------------------------------------


class Dosed(Struct, frozen=True):
    """Result of a dose: the margin, the onset, the effect, and the body then."""

    patient: Patient
    margin: int = 0
    fumble: bool = False
    minutes: float = 0
    effect: Effect = NOTHING


class Toxin(Struct, frozen=True):
    """What is taken: its Potency, effects, longest onset in minutes, doses, and name."""

    potency: int = 10
    effects: tuple[Kind, ...] = ("fatal",)
    onset: float = 1
    doses: int = 1
    what: str = "the poison"


def withstand_toxin(rules: Ruleset, victim: Patient, toxin: Toxin) -> Play[Dosed]:
    """Tests Health once against the Potency for all effects: returns what will be felt and when. The body does not feel it yet."""
    potency, effects, onset, doses, what = toxin.potency, toxin.effects, toxin.onset, toxin.doses, toxin.what
    strength = dose_potency(rules, potency, doses).value
    resisted = yield from resist(rules, victim, strength, what, rule=_CORE, fumble_line=5535)
    if resisted.passed:
        return Dosed(victim)
    kinds = tuple([_of(kind, strength, resisted) for kind in effects])
    effect = together(kinds)
    numbs = not resisted.fumble  # 5585: a fumbled analgesic does nothing
    if "analgesic" in effects and numbs and numbed_out(resisted.margin, victim.system_shock):
        hours = yield from Roll(DIE, victim.name, "hours asleep from the painkiller")
        yield from Tell(Happened(victim.name, f"sleeps for {count(hours, 'hour')} from the painkiller", "bad"))
        effect = replace(effect, out=max(effect.out, 60 * hours), asleep=True)
    return Dosed(victim, resisted.margin, resisted.fumble, time_to_work(onset, resisted.margin, resisted.fumble, doses), effect)


@rule(_CORE, _DOSES)
def take_toxin(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    potency: int = 10,
    effects: tuple[Kind, ...] = ("fatal",),
    onset: float = 1,
    doses: int = 1,
    what: str = "the poison",
) -> Play[Dosed]:
    """Tests Health once against the Potency for all effects: a failure works after the onset time divided by the Margin of Failure, a
    fumble after a tenth of it."""
    dosed = yield from withstand_toxin(rules, victim, Toxin(potency, effects, onset, doses, what))
    if not dosed.margin:
        return dosed
    return replace(dosed, patient=(yield from sub(feel, rules, victim, dosed.effect)))


@rule("sil-6.2.2-sample-drugs")
def take_drug(rules: Ruleset, victim: Patient = AVERAGE, drug: str = "alcohol", doses: int = 1) -> Play[Dosed]:
    """Takes doses of a drug of the list. By id only."""
    row = DRUGS.get(rules, drug)
    return (yield from take_toxin(rules, victim, row.potency, row.effects, row.onset, doses, row.name))


def feel(rules: Ruleset, victim: Patient, effect: Effect) -> Play[Patient]:
    """Applies an effect: damage counts without armor; of several drugs the worse penalty counts."""
    body = yield from harm(rules, victim, effect.damage, False)
    if body.dead:
        return body
    if effect.coma:
        yield from Tell(Happened(body.name, "falls into a coma", "bad"))
        body = replace(body, coma=True)
    if effect.out:
        how = "sleeps" if effect.asleep else "is incapacitated"
        yield from Tell(Happened(body.name, f"{how} for {in_words(effect.out)}", "bad"))
        body = replace(body, unconscious=max(body.unconscious, effect.out))
    return replace(
        body,
        drugged=min(body.drugged, effect.penalty),
        alert=max(body.alert, effect.initiative),
        ignored=max(body.ignored, effect.relief),
    )


@rule("sil-6.2.2-sedatives", "sil-6.2.2-stimulants", "sil-6.2.2-analgesics")
def hours_later(victim: Patient = AVERAGE, hours: int = 1) -> Patient:
    """Returns a drugged body some hours later: penalty, relief and plain initiative bonus fall by 1 per hour.

    A view of `wear_off`, where nothing else counts the minutes.
    """
    if hours < 0:
        raise UserError(f"the time must be at least 0 hours, not {hours}")
    asleep = max(0, victim.unconscious - 60 * hours) if victim.unconscious > 0 else victim.unconscious
    return replace(worn_off(victim, hours), unconscious=asleep)


def worn_off(victim: Patient, hours: int) -> Patient:
    """Returns a body after hours of drugs wearing off."""
    drugged, alert, ignored = min(0, victim.drugged + hours), max(0, victim.alert - hours), max(0, victim.ignored - hours)
    return replace(victim, drugged=drugged, alert=alert, ignored=ignored)


def wear_off(victim: Patient, hours: int) -> Play[Patient]:
    """Passes hours in which drugs wear off, and tells it if they had a penalty."""
    after = worn_off(victim, hours)
    if after.drugged != victim.drugged:
        how = f"feels the drugs less (penalty {after.drugged})" if after.drugged else "no longer feels the drugs"
        yield Tell(Happened(victim.name, how, "good"))
    return after
