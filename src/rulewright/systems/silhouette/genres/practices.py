"""Genre rules: Synthesis, spells, implants, fear, showdowns and racial powers (book lines 5456, 7096-7313)."""

from typing import Literal

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Play, Roll, sub
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.rules.reasons import Derived, divided, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.hazard_damage import strain_of, suffer_wound
from rulewright.systems.silhouette.machines.design.systems import version_cost
from rulewright.systems.silhouette.machines.vehicle import Mode
from rulewright.systems.silhouette.people.skills import AttributeName
from rulewright.systems.silhouette.resolution.tests import (
    DIE,
    Mod,
    Opposed,
    Pool,
    Side,
    action_test,
    opposed_test,
    skill_pool,
    succeeds,
)

_SYNTHESIS, _SPELLS, _IMPLANTS, _FEAR = "sil-7.5.4-synthesis", "sil-7.5.7-magic-spells", "sil-7.5.8-cybernetics", "sil-7.5.9-fear"
_SHOWDOWN, _POWERS = "sil-7.5.10-showdown", "sil-6.2.2-special-powers"
TRANCE = 5
MINUTES_A_POINT = 30
BOLT = Mode(name="bolt", damage=2, range=1)

# --- Synthesis ----------------------------------------------------------------------------------------------------------------


class Channelled(Struct, frozen=True):
    """Result of a trance: the bonus on the next test, the rounds it took, and the hours without Synthesis."""

    bonus: int = 0
    rounds: int = TRANCE
    lost_hours: int = 0


@rule(_SYNTHESIS)
def channels(attributes: tuple[AttributeName, ...]) -> tuple[AttributeName, ...]:
    """Returns the three attributes of a Synthesis user: any but Psyche. By id only."""
    if len(set(attributes)) != 3 or "psyche" in attributes:
        raise UserError("Synthesis needs three different attributes other than Psyche")
    return attributes


@rule(_SYNTHESIS)
def synthesis(
    rules: Ruleset, level: int = 1, attribute: int = 0, complexity: int = 1, hurried: bool = False, name: str = ""
) -> Play[Channelled]:
    """Plays a trance of five rounds, or of one at -2: Synthesis with the attribute of the next skill (ruling) against 5; the margin is
    added to that skill's test. A fumble blocks Synthesis for a die of hours.

    By id only.
    """
    pool = skill_pool(
        rules, level, attribute, complexity, 1, False, "attribute", (Mod("a short trance", -2 if hurried else 0, _SYNTHESIS),)
    )
    test = yield from action_test(rules, pool, 5, name, "Synthesis")
    rounds = 1 if hurried else TRANCE
    if test.fumble:  # 7098: a fumble blocks Synthesis
        return Channelled(0, rounds, (yield from Roll(DIE, name, "hours without Synthesis")))
    return Channelled(max(0, test.margin), rounds)


# --- spells and powers --------------------------------------------------------------------------------------------------------


@rule(_SPELLS)
def casting_cost(rules: Ruleset, spell: Mode = BOLT) -> Derived[int]:
    """Returns the Spell Points of a spell: the cost of its system."""
    return total("Spell Points", term("the system's cost", version_cost(rules, spell)), rule=_SPELLS)


@rule(_SPELLS)
def spell_points(stamina: int = 25, spent: int = 0, minutes_of_rest: int = 0) -> int:
    """Returns the Spell Points left: Stamina minus those spent; one returns per half hour of rest. By id only."""
    if spent < 0 or minutes_of_rest < 0:
        raise UserError("spent points and minutes of rest must be at least 0")
    return min(stamina, max(0, stamina - spent) + minutes_of_rest // MINUTES_A_POINT)


@rule(_SPELLS)
def spells_known(level: int, complexity: int = 1) -> int:
    """Returns the most spells a caster knows: level of Magic times its Complexity. By id only."""
    return level * complexity


class Cast(Struct, frozen=True):
    """Result of a spell: success, margin and Spell Points left."""

    worked: bool
    margin: int
    left: int


@rule(_SPELLS)
def cast(
    rules: Ruleset,
    spell: Mode = BOLT,
    points: int = 25,
    level: int = 2,
    willpower: int = 0,
    complexity: int = 1,
    threshold: int = 4,
    name: str = "",
) -> Play[Cast]:
    """Casts a spell, a standard action: Magic with Willpower and the spell's Accuracy against the gamemaster's Threshold or a defense;
    the points are spent in any case."""
    cost = casting_cost(rules, spell).value
    if cost > points:
        raise UserError(f"{spell.name} costs {cost} Spell Points, but {points} are left (Flaws make a spell cheaper)")
    pool = skill_pool(rules, level, willpower, complexity, 1, False, "Willpower", (Mod("Accuracy", spell.accuracy, _SPELLS),))
    test = yield from action_test(rules, pool, threshold, name, f"casting {spell.name}")
    return Cast(succeeds(rules, test), test.margin, points - cost)


@rule(_POWERS)
def power_cost(rules: Ruleset, power: Mode = BOLT) -> Derived[int]:
    """Returns the Character Points of a racial power: the cost of its system.

    By id only.
    """
    return total("Character Points", term("the system's cost", version_cost(rules, power)), rule=_POWERS)


# --- implants -----------------------------------------------------------------------------------------------------------------

Implant = Literal["interface", "limb or organ", "attribute", "mental skill", "physical skill", "physical perk"]


@rule(_IMPLANTS)
def implant_price(what: Implant = "interface", value: float = 0, attribute: AttributeName = "agility") -> Derived[float]:
    """Returns the credits of an implant: an interface 1,000; a limb or organ 1,000 × Threat Value; a physical attribute or mental skill
    500 × the experience for its rating; a physical skill, which is only knowledge, half of that; a physical Perk 1,000 × its points.
    `value` is the Threat Value, the experience or the points.

    By id only.
    """
    if what == "attribute" and attribute not in ("agility", "appearance", "build", "fitness"):
        raise UserError(f"implants can raise Agility, Appearance, Build and Fitness, not {attribute.capitalize()}")
    if what == "interface":
        return total("credits", term("a mental interface", 1000), rule=_IMPLANTS)
    number = 1000 if what in ("limb or organ", "physical perk") else 500
    half = (divided("knowledge only", 2),) if what == "physical skill" else ()
    return total("credits", term("Threat Value, experience or points", value), times("credits each", number), *half, rule=_IMPLANTS)


@rule(_IMPLANTS)
def credits_for(experience: int = 1) -> int:
    """Returns the credits for upgrades bought with experience: a thousand per point. At creation there are 10 Character Points for them.

    By id only.
    """
    return 1000 * experience


@rule(_IMPLANTS)
def implant(
    rules: Ruleset, medicine: int = 2, attribute: int = 0, complexity: int = 1, threshold: int = 4, name: str = "the surgeon"
) -> Play[int | None]:
    """Rolls the surgery of an implant: Medicine. Returns the days until the body rejects it after a fumble; None if it holds.

    By id only.
    """
    pool = skill_pool(rules, medicine, attribute, complexity, 1, False, "attribute")
    test = yield from action_test(rules, pool, threshold, name, "surgery")
    return (yield from Roll(DIE, name, "days until the implant is rejected")) if test.fumble else None  # 7205: only a fumble rejects


@rule(_IMPLANTS)
def rejected(rules: Ruleset, victim: Patient = AVERAGE, days: int = 1) -> Play[Patient]:
    """Applies days with a rejected implant: one Flesh Wound of infection each."""
    if not 0 <= days <= 30:
        raise UserError(f"an infection lasts 0 to 30 days, not {days}")
    if not days or victim.dead:
        return victim
    worse = yield from sub(suffer_wound, rules, victim, "flesh", "infection")
    return (yield from sub(rejected, rules, worse, days - 1))


# --- fear ---------------------------------------------------------------------------------------------------------------------


class HorrorRow(TableRow, frozen=True):
    """A horror and its range of Thresholds."""

    horror: str
    threshold: int
    up_to: int | None = None


HORRORS = Table(_FEAR, HorrorRow)


class Shaken(Struct, frozen=True):
    """Effect of a horror: Psyche lost, for a time or for good, and the severity of the Phobia."""

    psyche: int = 0
    permanent: bool = False
    phobia: Literal["none", "mild", "severe"] = "none"


@rule(_FEAR)
def face_horror(rules: Ruleset, psyche: int = 0, horror: str = "a mutilated body", worse: int = 0, name: str = "someone") -> Play[Shaken]:
    """Tests Psyche against a horror: a failure costs a point of Psyche for a time and causes a mild Phobia, a fumble one for good and a
    severe Phobia. `worse` raises a monster's Threshold up to the end of its range.

    By id only.
    """
    row = HORRORS.get(rules, horror)
    if not 0 <= worse <= (row.up_to or row.threshold) - row.threshold:
        raise UserError(f"the Threshold of {horror} is {row.threshold} to {row.up_to or row.threshold}")
    resisted = yield from strain_of(
        rules, name, "Psyche", psyche, threshold=row.threshold + worse, what=horror, rule=_FEAR, fumble_line=7229
    )
    if resisted.passed:
        return Shaken()
    return Shaken(-1, True, "severe") if resisted.fumble else Shaken(-1, False, "mild")  # 7229


@rule(_FEAR)
def months_of_counselling(points: int = 1) -> int:
    """Returns the months of counselling that restore lost Psyche and cure the Phobia: three per point. By id only."""
    return 3 * points


@rule(_FEAR)
def psyche_on_drugs(lost: int = 1, days_without: int = 0) -> int:
    """Returns the Psyche that drugs restore after a permanent loss; the user is addicted, and it falls by 1 for each day without them.

    By id only.
    """
    return max(0, lost - days_without)


# --- showdowns --------------------------------------------------------------------------------------------------------------------


class Duelist(Struct, frozen=True, cache_hash=True):
    """A duelist in a showdown: intimidation (Interrogation with Willpower: ruling) and human perception (Notice with Psyche)."""

    name: str = "one"
    interrogation: int = 0
    willpower: int = 0
    notice: int = 1
    psyche: int = 0
    interrogation_complexity: int = 1
    notice_complexity: int = 1

    def side(self) -> Side:
        """Returns the better of the two, with its Complexity as a bonus."""
        by_will = (self.interrogation, self.willpower + self.interrogation_complexity)
        by_eye = (self.notice, self.psyche + self.notice_complexity)
        level, bonus = max(by_will, by_eye)
        return Side(Pool(level).plus(Mod("attribute and Complexity", bonus, _SHOWDOWN)), level=level)


ONE, OTHER = Duelist("one"), Duelist("other")


@rule(_SHOWDOWN)
def showdown(rules: Ruleset, one: Duelist = ONE, other: Duelist = OTHER) -> Play[tuple[int, int]]:
    """Rolls a showdown, an opposed test of nerve; returns the initiative bonus of both, 0 for both after a draw."""
    opposed: Opposed = yield from opposed_test(rules, one.side(), other.side(), one.name, other.name, "showdown", "showdown")
    return max(0, opposed.margin), max(0, -opposed.margin)
