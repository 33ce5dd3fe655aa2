"""Electricity: damage, cramps, knockouts, cardiac arrest and ignition (book lines 5686-5713, 6240-6244)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Happened, Play, Reckoned, Tell
from rulewright.rules import Column, Ruleset, rule
from rulewright.rules.reasons import Derived, divided, rounded_down, row, term, times, total
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.fire import ignites
from rulewright.systems.silhouette.hazards.hazard_damage import harm, pass_out, perish, resist
from rulewright.systems.silhouette.resolution.tests import Pool, rolled, sum_of

_DAMAGE, _EFFECTS = "sil-6.2.5-electric-damage", "sil-6.2.5-electric-effects"
MOST = 1_000


SOURCES = Column("sil-6.2.5-electric-intensity", "electric_source", intensity=int)
"""Sources of electricity and their Intensity."""


class Shocked(Struct, frozen=True):
    """Result of a shock: the body, the damage, and whether the muscles are cramped."""

    patient: Patient
    damage: int = 0
    cramped: bool = False


@rule("sil-6.2.5-electric-intensity")
def intensity_of(rules: Ruleset, electric_source: str) -> int:
    """Returns the Intensity of a source of electricity."""
    return SOURCES.of(rules, electric_source)


def checked(intensity: int) -> int:
    """Returns a valid Intensity, or refuses it."""
    if not 0 <= intensity <= MOST:
        raise UserError(f"the Intensity must be 0 to {MOST}, not {intensity}")
    return intensity


@rule(_DAMAGE)
def effective_intensity(intensity: int, full_round: bool = True, weapon: bool = False) -> Derived[int]:
    """Returns the effective Intensity: half, rounded down, for less than a round, except for an electric weapon."""
    shorter = [] if full_round or weapon else [divided("less than a round", 2), rounded_down()]
    return total("effective Intensity", term("Intensity", checked(intensity)), *shorter, rule=_DAMAGE)


@rule(_DAMAGE)
def shock_damage(intensity: int, die: int, fumble: bool = False) -> Derived[int]:
    """Returns the damage: Intensity times the die; 0 on a fumble."""
    if fumble:  # 5705: no damage
        return total("damage", row("fumble, no damage", 0), rule=_DAMAGE)
    return total("damage", term("Intensity", intensity), times("die", die), rule=_DAMAGE)


def _roll_damage(rules: Ruleset, name: str) -> Play[Total]:
    """Rolls one die, or two in a gritty campaign."""
    return (yield from rolled(rules, _damage_pool(rules), name, "damage of the shock"))


def _damage_pool(rules: Ruleset) -> Pool:
    return Pool(2 if rules.word("reality") == "gritty" else 1, hero=False)


@rule(_DAMAGE, _EFFECTS)
def electrocute(
    rules: Ruleset,
    victim: Patient = AVERAGE,
    intensity: int = 15,
    full_round: bool = True,
    weapon: bool = False,
    armored: bool = True,
) -> Play[Shocked]:
    """Plays a round of current: damage against the thresholds; a wound cramps the muscles until the current stops. After a Deep Wound,
    tests Health against the Intensity: failure by up to 4 knocks out, by more is a coma, a fumble is death."""
    counted = effective_intensity(intensity, full_round, weapon).value
    dice = yield from _roll_damage(rules, victim.name)
    damage = shock_damage(counted, dice.total, dice.fumble)
    dealt = damage.value
    sums = (sum_of("dice", _damage_pool(rules), dice, "=", _DAMAGE), damage.reason)
    yield from Tell(Reckoned(victim.name, f"gets a shock and takes {dealt} damage", "bad" if dealt else "plain", sums))
    if not dealt:
        return Shocked(victim)
    body = yield from harm(rules, victim, dealt, armored)
    cramped = not body.dead and (body.flesh > victim.flesh or body.deep > victim.deep)
    if cramped:
        yield from Tell(Happened(body.name, "has muscle cramps and cannot let go", "bad"))
    if body.deep > victim.deep and not body.dead:
        body = yield from heart(rules, body, counted)
    return Shocked(body, dealt, cramped)


@rule(_EFFECTS)
def heart(rules: Ruleset, victim: Patient = AVERAGE, intensity: int = 15) -> Play[Patient]:
    """Tests Health against the Intensity after a Deep Wound by electricity: a failure by 1 to 4 knocks out, by 5 or more is a coma, a
    fumble stops the heart."""
    resisted = yield from resist(rules, victim, intensity, "the current", rule=_EFFECTS, fumble_line=5709)
    if resisted.fumble:  # 5709: a fumble is death
        return (yield from perish(victim, "cardiac arrest"))
    if resisted.passed:
        return victim
    if resisted.margin >= 5:
        yield from Tell(Happened(victim.name, "falls into a coma", "bad"))
        return replace(victim, coma=True, unconscious=0)
    return (yield from pass_out(victim))


@rule("sil-6.2.5-electric-ignition")
def sparks(intensity: int) -> Derived[int]:
    """Returns a discharge's Intensity as a fire: a fifth, rounded down."""
    terms = (term("Intensity", checked(intensity)), divided("a fifth", 5), rounded_down())
    return total("Intensity as a fire", *terms, rule="sil-6.2.5-electric-ignition")


@rule("sil-6.2.5-electric-ignition")
def spark_ignites(rules: Ruleset, intensity: int = 25, flammability: int = 7) -> Play[bool]:
    """Rolls whether a discharge ignites something."""
    return (yield from ignites(rules, sparks(intensity).value, flammability))
