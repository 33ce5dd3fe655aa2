"""Effects of powers over minutes, hours and days, and their measures (book lines 6236-7716)."""

from typing import Literal, NamedTuple

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Play
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, at_least, divided, less, rounded_down, row, term, times, total
from rulewright.systems.ore.people.powers import power_pool
from rulewright.systems.ore.powers.catalogue import effect_named, words_at
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

SIX = Pool(6)
HOUR = 60
CLAIR, ELECTRO = "ore-5.04-effects-clairsentience", "ore-5.04-effects-electrokinesis"
PSYCHO, REDACT = "ore-5.04-effects-psychokinesis", "ore-5.04-effects-redaction"


# --- Clairsentience -----------------------------------------------------------------------------------------------------------


@rule("ore-5.04-effects-clairsentience")
def project(
    rules: Ruleset,
    to: Literal["a signature one knows", "somewhere or somebody once visited", "what was only described"] = "a signature one knows",
    statistic: int = 5,
    skill: int = 3,
    by: str = "",
) -> Play[Outcome]:
    """Moves on while out of the body, within Attunement range: Difficulty 3 with a psi signature, 4 to a known place or person, 5 to a
    described one. By id only."""
    need = effect_named(rules, "Bi-location").steps[to]
    return (yield from make_test(rules, power_pool(statistic, skill), need, by=by, what="Bi-location"))


@rule("ore-5.04-effects-clairsentience")
def body_left_behind(concentrating: bool = True) -> tuple[Mod, ...]:
    """The penalty of a body left behind: two dice, and one for concentration. By id only."""
    pair = (Mod("out of the body", -2, CLAIR), Mod("concentrating on Bi-location", -int(concentrating), CLAIR))
    return tuple([mod for mod in pair if mod.dice])


@rule("ore-5.04-effects-clairsentience")
def tune(rules: Ruleset, frequency: int = 3, statistic: int = 5, skill: int = 3, by: str = "") -> Play[Outcome]:
    """Tunes to a frequency of the Lifeweb for an hour, at a Difficulty by subject. By id only."""
    if str(frequency) not in effect_named(rules, "Lifeweb").tuning:
        raise UserError(f"frequencies of the Lifeweb go from 1 to {len(effect_named(rules, 'Lifeweb').tuning)}, not {frequency}")
    return (yield from make_test(rules, power_pool(statistic, skill), frequency, by=by, what="Lifeweb"))


@rule("ore-5.04-grandmaster-clairsentience")
def listless_sleep(rules: Ruleset, pool: Pool = SIX, by: str = "") -> Play[int]:
    """Sleep after scanning for stars: Psyche and Focus give an hour per Width, each heals 1 Shock of Burn. By id only."""
    return (yield from make_test(rules, pool, by=by, what="sleep")).width


@rule("ore-5.04-grandmaster-clairsentience")
def farsensing(width: int = 3, height: int = 5) -> tuple[Derived[int], Derived[int]]:
    """Farsensing: range of an AU per Width, for Height days. By id only."""
    rule_id = "ore-5.04-grandmaster-clairsentience"
    reach = total("AU", term("per point of Width", 1), times("Width", width), rule=rule_id)
    return reach, total("Days", term("Height", height), rule=rule_id)


# --- Electrokinesis -----------------------------------------------------------------------------------------------------------


@rule("ore-5.04-effects-electrokinesis")
def tampering_dice(width: int = 3) -> Mod:
    """The penalty of a Lockout to tamper with a device: its Width. By id only."""
    return Mod("Lockout", -width, ELECTRO)


class Puppet(NamedTuple):
    """The penalty of a nervous system to Control, and whether it resists."""

    dice: Mod
    resists: bool


@rule("ore-5.04-effects-electrokinesis")
def puppet(rules: Ruleset, creature: str = "large mammals and people") -> Puppet:
    """Control: no penalty for simple creatures, -1d for birds and fish, -2d for small mammals, -3d for large ones and people, who resist
    with Psyche and Focus."""
    steps = effect_named(rules, "Control").steps
    if creature not in steps:
        raise UserError(f"Control works on {join(tuple(steps), 'or')}, not on {creature!r}")
    return Puppet(Mod(creature, -steps[creature], ELECTRO), steps[creature] == max(steps.values()))


@rule("ore-5.04-effects-electrokinesis")
def gathering_rounds(light: Literal["bright", "indoor", "dim", "dark"] = "indoor") -> int | None:
    """Rounds to gather light: none in bright light, one indoors or under clouds, two in dim light; darker is not enough."""
    return {"bright": 0, "indoor": 1, "dim": 2, "dark": None}[light]


@rule("ore-5.04-effects-electrokinesis")
def drained_shock(rules: Ruleset, source: str = "small", width: int = 2) -> Derived[int]:
    """The Shock of Power Drain: Width, +1 from a medium source, +2 from a large one."""
    steps = effect_named(rules, "Power Drain").steps
    if source not in steps:
        raise UserError(f"a power source is {join(tuple(steps), 'or')}, not {source!r}")
    return total("Shock", term("Width", width), term(f"{source} source", steps[source]), rule=ELECTRO)


# --- Psychokinesis ------------------------------------------------------------------------------------------------------------


@rule("ore-5.04-effects-psychokinesis", "ore-5.04-grandmaster-psychokinesis")
def thing_reached(rules: Ruleset, effect: Literal["Flash Freeze", "Plasma Control", "Liquefy"] = "Flash Freeze", height: int = 6) -> str:
    """The thing that a Height is enough for, including lower rows (ruling). Liquefy uses the list of Flash Freeze. By id only."""
    return words_at(effect_named(rules, effect).by_height, height)


@rule("ore-5.04-effects-psychokinesis")
def cooled(height: int = 6) -> Derived[int]:
    """Degrees of Flash Freeze: 20 per Height."""
    return total("Degrees", term("per point of Height", 20), times("Height", height), rule=PSYCHO)


@rule("ore-5.04-effects-psychokinesis")
def flying_speed(height: int = 6) -> Derived[int]:
    """Kilometres per hour of Flight: 5 per Height."""
    return total("Kilometres per hour", term("per point of Height", 5), times("Height", height), rule=PSYCHO)


@rule("ore-5.04-effects-psychokinesis")
def flying_metres(height: int = 6, seconds: int = 5) -> Derived[int]:
    """Metres of Flight per round."""
    speed = (term("kilometres per hour", flying_speed(height)), times("metres in a kilometre", 1000), divided("seconds in an hour", 3600))
    return total("Metres per round", *speed, times("seconds of a round", seconds), rounded_down(), rule=PSYCHO)


class Hands(NamedTuple):
    """Hands of force: their Body and their Coordination."""

    body: int
    coordination: int


@rule("ore-5.04-effects-psychokinesis")
def split_hands(height: int = 6, body: int = 1) -> Hands:
    """Splits the Height between Body and Coordination; both must be at least 1."""
    if not 0 <= body <= height:
        raise UserError(f"Body cannot take {body} of {height} points of Height")
    return Hands(body, height - body)


@rule("ore-5.04-effects-psychokinesis")
def hands_pool(body: int = 1, coordination: int = 3, skill: int = 3, statistic: Literal["body", "coordination"] = "coordination") -> Pool:
    """The pool of hands of force: their statistic with the psychic's skill; none if a statistic is missing."""
    if not body or not coordination:
        return Pool(0)
    return Pool((body if statistic == "body" else coordination) + skill)


class Doused(NamedTuple):
    """A fire after Heat Sink: remaining Area Rating and radius."""

    rating: int
    metres: int


@rule("ore-5.04-effects-psychokinesis")
def douse_dice(rating: int = 3, explosion: bool = False) -> Mod:
    """The penalty of a fire to Heat Sink: a die per Area Rating; an explosion at least three."""
    return Mod("the fire", -max(rating, 3 if explosion else 0), PSYCHO)


@rule("ore-5.04-effects-psychokinesis")
def doused(rating: int = 5, width: int = 3, height: int = 6) -> Doused:
    """Heat Sink: reduces a fire by the Width within Height metres; at 0 it is out."""
    return Doused(max(0, rating - width), height)


@rule("ore-5.04-effects-psychokinesis")
def rekindled(rating: int = 2, rounds: int = 1, former: int = 5) -> int:
    """A remaining fire gains a point per round, up to its old rating. By id only."""
    return min(former, rating + rounds) if rating else 0


@rule("ore-5.04-effects-psychokinesis")
def fed(rating: int = 2, metres: int = 1, width: int = 3, into_rating: int = 3) -> tuple[int, int]:
    """Plasma Control: adds the Width to the Area Rating of a fire, its radius, or both."""
    if not 0 <= into_rating <= width:
        raise UserError(f"the Area Rating cannot take {into_rating} of {width} points of Width")
    return rating + into_rating, metres + width - into_rating


LIFTED = (15, 45, 85, 130, 185, 245, 315, 390, 465, 550)
"""Kilograms by telekinetic strength: the book gives the first and the last, the others are stand-ins."""


@rule("ore-5.04-grandmaster-psychokinesis", "ore-5.04-effects-psychokinesis")
def lifted(strength: int = 10) -> Derived[int]:
    """Kilograms of a telekinetic strength (Height of Force, Body of Lift; stand-in between the printed ends)."""
    if not 0 <= strength <= len(LIFTED):
        raise UserError(f"a telekinetic strength goes from 0 to {len(LIFTED)}, not {strength}")
    kilograms = LIFTED[strength - 1] if strength else 0
    return total("Kilograms", row(f"strength {strength}", kilograms, source="stand-in"), rule="ore-5.04-grandmaster-psychokinesis")


@rule("ore-5.04-grandmaster-psychokinesis")
def strengths(height: int = 10, parts: tuple[int, ...] = (1, 1, 1)) -> tuple[int, ...]:
    """A telekinetic strength split over several things: the weight of each. By id only."""
    if any(part < 1 for part in parts) or sum(parts) > height:
        raise UserError(f"a strength of {height} cannot be split into {join([str(part) for part in parts])}")
    return tuple([lifted(part).value for part in parts])


@rule("ore-5.04-grandmaster-psychokinesis")
def hurled_damage(width: int = 3, strength: int = 4) -> Derived[int]:
    """The damage of a thing thrown by Force: Width plus the strength needed."""
    return total("Damage", term("Width", width), term("strength needed", strength), rule="ore-5.04-grandmaster-psychokinesis")


@rule("ore-5.04-grandmaster-psychokinesis")
def melting(rules: Ruleset, height: int = 6) -> tuple[int, int, int]:
    """Melting at this Height: as many rounds, solid after as many minutes, and as much Kill by touch. By id only."""
    steps = [int(step) for step in effect_named(rules, "Liquefy").by_height]
    need = max([step for step in steps if step <= height], default=0)
    return need, need, height


# --- Redaction ----------------------------------------------------------------------------------------------------------------


@rule("ore-5.04-effects-redaction")
def meditated(hours: int = 6, width: int = 2) -> Derived[int]:
    """Minutes of rest from sleep: 15 more per hour and Width. By id only."""
    terms = (term("minutes of an hour", HOUR), term("Meditation", 15 * width), times("hours of sleep", hours))
    return total("Minutes of rest", *terms, rule=REDACT)


@rule("ore-5.04-effects-redaction")
def glow_dice(looks_help: bool = True) -> Mod:
    """Healthy Glow: +1d on Social if looks help. By id only."""
    return Mod("Healthy Glow", int(looks_help), REDACT)


@rule("ore-5.04-effects-redaction")
def trust_dice(rests_on_trust: bool = True) -> Mod:
    """Sensitivity: +1d on Manipulate by trust. By id only."""
    return Mod("Sensitivity", int(rests_on_trust), REDACT)


@rule("ore-5.04-effects-redaction")
def purged(virulence: int = 3, width: int = 2) -> Derived[int]:
    """Antitoxin: reduces a virulence by the Width; at 0 the patient is cured."""
    return total("Virulence", term("virulence", virulence), less("Width", width), at_least(0), rule=REDACT)


@rule("ore-5.04-effects-redaction")
def immunity(width: int = 2, psi: int = 3) -> tuple[Mod, Derived[int]]:
    """Antitoxin in advance: the Width adds to Body and Physique, for 3 hours per Psi."""
    return Mod("Antitoxin", width, REDACT), total("Hours", term("hours per point", 3), times("Psi", psi), rule=REDACT)


@rule("ore-5.04-effects-redaction")
def toxin(rules: Ruleset, virulence: int = 3) -> str:
    """Examples of a virulence. By id only."""
    text_by_name = effect_named(rules, "Antitoxin").virulence
    if str(virulence) not in text_by_name:
        raise UserError(f"virulence goes from 1 to {len(text_by_name)}, not {virulence}")
    return text_by_name[str(virulence)]


@rule("ore-5.04-grandmaster-redaction")
def cells_repaired(rules: Ruleset, height: int = 6) -> tuple[str, Derived[int], Derived[int]]:
    """Cellular Repair: what a Height cleanses, its hours, and the Kill to heal afterwards. By id only."""
    rule_id = "ore-5.04-grandmaster-redaction"
    what = words_at(effect_named(rules, "Cellular Repair").by_height, height)
    return what, total("Hours", term("Height", height), rule=rule_id), total("Kill to heal", term("Height", height), rule=rule_id)


# --- Telepathy ----------------------------------------------------------------------------------------------------------------


@rule("ore-5.04-effects-telepathy")
def people_moved(width: int = 3, height: int = 5) -> Derived[int]:
    """How many people Muse affects: Width times Height. By id only."""
    return total("People", term("Width", width), times("Height", height), rule="ore-5.04-effects-telepathy")
