"""Genre Effects: their results for the payer's dice and wounds (book lines 6120-6170)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.play import Choice, Happened, Option, Play, Roll, Tell
from rulewright.rules import Ruleset, rule
from rulewright.systems.silhouette.drama.traits_in_play import once_more
from rulewright.systems.silhouette.harm.body import AVERAGE, OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.damage import THIRTY_POINTS, Hit, take_hit, thresholds_at
from rulewright.systems.silhouette.people.genre import (
    EFFECTS,
    cost_against,
    effect_cost,
    lucky_break,
    mimicked_level,
    rolled_again,
    with_insight,
)
from rulewright.systems.silhouette.people.secondary_attributes import Wound
from rulewright.systems.silhouette.resolution.tests import Pool, reading

_ID = "sil-6.4.5-genre-effects"
LOWEST_PSYCHE = -5
MOST_LAST_ROUNDS = 5
"""The longest Last Hurrah in rounds; the gamemaster decides."""
UNLEARNT = Pool(0)
RETURNS = {9: "in the next scene", 6: "in a few adventures", 3: "at the end of the campaign"}


class Standing(Struct, frozen=True, cache_hash=True):
    """A holder of Genre Points in a scene, with the effects so far."""

    name: str
    points: int
    patient: Patient = AVERAGE
    psyche: int = 0
    angst: tuple[tuple[str, int], ...] = ()
    """Attribute points moved from Psyche, by attribute."""
    left_for_dead: bool = False
    """Unconscious and ignored by enemies until the fight ends."""
    extra_actions: int = 0
    insight: int = 0
    """Dice for the next roll."""
    eased_flesh: int = 0
    eased_deep: int = 0
    eased_this_round: bool = False
    bought: tuple[tuple[str, str], ...] = ()
    """Story elements bought with points: the effect and a description."""
    returns: str = ""

    def shifted(self, attribute: str) -> int:
        """Returns the modifier of Burst of Angst on an attribute; negative for Psyche."""
        moved = dict(self.angst)
        return -sum(moved.values()) if attribute == "psyche" else moved.get(attribute, 0)


# --- paying -------------------------------------------------------------------------------------------------------------------


@rule(_ID)
def pay(rules: Ruleset, standing: Standing, effect: str, amount: int = 1, in_play: tuple[str, ...] = (), cancelled: int = 0) -> Standing:
    """Pays for an effect of the campaign; a villain may have raised its price. Group Effort is free."""
    row = EFFECTS.get(rules, effect)
    if in_play and effect not in in_play:
        raise UserError(f"this campaign does not use the Genre Effect {effect}")
    price = cost_against(effect_cost(rules, effect, amount, standing.points), cancelled)
    if row.all:
        price = standing.points
        if price < row.low:
            raise UserError(f"{effect} costs all remaining Genre Points; {standing.name} has none")
    if price > standing.points:
        raise UserError(f"{effect} costs {price} Genre Points; {standing.name} has {standing.points}")
    return replace(standing, points=standing.points - price)


@rule(_ID)
def donate(giver: Standing, taker: Standing, points: int = 1) -> tuple[Standing, Standing]:
    """Group Effort: gives points to another for an effect used at once. By id only."""
    if not 1 <= points <= giver.points:
        raise UserError(f"{giver.name} can give 1 to {giver.points} Genre Points, not {points}")
    return replace(giver, points=giver.points - points), replace(taker, points=taker.points + points)


@rule(_ID)
def bring_into_the_story(
    rules: Ruleset,
    standing: Standing,
    effect: Literal["accessorize", "creative stunt", "dramatic editing", "get a clue", "goad villain"] = "accessorize",
    what: str = "",
    amount: int = 1,
) -> Standing:
    """Buys equipment, a stunt, a coincidence, a clue or a villain's mistake, priced by importance; lost items must be paid for again.

    By id only.
    """
    paid = pay(rules, standing, effect, amount)
    return replace(paid, bought=(*paid.bought, (effect, what)))


# --- the body -----------------------------------------------------------------------------------------------------------------


@rule(_ID)
def black_out(rules: Ruleset, standing: Standing) -> Standing:
    """Blessed Unconsciousness: passes out, left for dead, and wakes after the fight."""
    paid = pay(rules, standing, "blessed unconsciousness")
    body = replace(paid.patient, unconscious=OPEN_ENDED) if paid.patient.awake else paid.patient
    return replace(paid, patient=body, left_for_dead=True)


@rule(_ID)
def escape_impending_death(rules: Ruleset, standing: Standing) -> Standing:
    """Escape Impending Death: for 3 points wounds stop getting worse until more damage; they still need care."""
    paid = pay(rules, standing, "escape impending death")
    if paid.patient.dead:
        raise UserError(f"{paid.name} is already dead")
    dying = paid.patient.trauma is not None
    body = replace(paid.patient, spared=True, trauma=None, unconscious=OPEN_ENDED if dying else paid.patient.unconscious)
    return replace(paid, patient=body)


@rule(_ID)
def inner_well(rules: Ruleset, standing: Standing, wound: Literal["flesh", "deep"] = "flesh") -> Standing:
    """Inner Well of Strength: ignores a Flesh Wound for 1 or a Deep Wound for 3 until the crisis ends; one wound per round."""
    if standing.eased_this_round:
        raise UserError("you can ignore only one wound per round")
    body = standing.patient
    eased_already, carried = (standing.eased_flesh, body.flesh) if wound == "flesh" else (standing.eased_deep, body.deep)
    if eased_already >= carried:
        raise UserError(f"{standing.name} has no other {wound} wound to ignore")
    paid = pay(rules, standing, "inner well of strength", 1 if wound == "flesh" else 3)
    eased = -(body.weighs.flesh if wound == "flesh" else body.weighs.deep)
    return replace(
        paid,
        patient=replace(body, ignored=body.ignored + eased),
        eased_flesh=paid.eased_flesh + (wound == "flesh"),
        eased_deep=paid.eased_deep + (wound == "deep"),
        eased_this_round=True,
    )


@rule(_ID)
def last_hurrah(rules: Ruleset, standing: Standing, rounds: int = 3) -> Standing:
    """Last Hurrah: a fatally wounded hero spends all points on a few rounds without pain, then dies for good."""
    if not standing.patient.dead and standing.patient.trauma is None:
        raise UserError(f"{standing.name} has no fatal wound")
    if not 1 <= rounds <= MOST_LAST_ROUNDS:
        raise UserError(f"a Last Hurrah lasts 1 to {MOST_LAST_ROUNDS} rounds, not {rounds}")
    paid = pay(rules, standing, "last hurrah")
    return replace(paid, patient=replace(paid.patient, dead=False, trauma=None, unconscious=0, coma=False, last_rounds=rounds))


@rule(_ID)
def soften(rules: Ruleset, victim: Patient = AVERAGE, hit: Hit = THIRTY_POINTS, points: int = 3) -> Play[Patient]:
    """Lucky Break: reduces a wound by one step per 3 points; 9 points cancel an Instant Death.

    A view of `break_luckily`.
    """
    effect_cost(rules, "lucky break", points // 3)
    thresholds = thresholds_at(rules, victim, hit)
    less: Wound = lucky_break(thresholds.wound(hit.damage), points)
    if less == "none":
        yield from Tell(Happened(victim.name, "gets away with a scratch", "good"))
        return victim
    return (yield from take_hit(rules, victim, replace(hit, damage=thresholds.needed(less))))


@rule(_ID)
def mortal_strike(rules: Ruleset, standing: Standing, victim: Patient, at_once: bool = False) -> tuple[Standing, Patient]:
    """Mortal Strike: for 6 points the last wound dealt will kill; the gamemaster says when."""
    if not victim.wounded:
        raise UserError(f"{victim.name} has no wound that could become mortal")
    paid = pay(rules, standing, "mortal strike")
    return paid, replace(victim, dead=True, trauma=None) if at_once else replace(victim, doomed=True)


@rule(_ID)
def return_of(rules: Ruleset, standing: Standing, points: Literal[3, 6, 9] = 9) -> Standing:
    """Returns the dead: in the next scene for 9, in a few adventures for 6, at the end of the campaign for 3. By id only."""
    if not standing.patient.dead:
        raise UserError(f"{standing.name} is not dead")
    paid = pay(rules, standing, "the return of", points)
    return replace(paid, returns=RETURNS[points])


# --- attributes, actions, dice ------------------------------------------------------------------------------------------------


@rule(_ID)
def burst_of_angst(rules: Ruleset, standing: Standing, attribute: str = "agility", points: int = 1) -> Standing:
    """Burst of Angst: after a shock, moves points from Psyche, down to -5, to another attribute except Build until the scene ends."""
    if attribute in ("build", "psyche"):
        raise UserError(f"Burst of Angst cannot raise {attribute.capitalize()}")
    paid = pay(rules, standing, "burst of angst", points)
    moved = dict(paid.angst)
    moved[attribute] = moved.get(attribute, 0) + points
    if paid.psyche - sum(moved.values()) < LOWEST_PSYCHE:
        raise UserError(f"Psyche cannot fall below {LOWEST_PSYCHE}")
    return replace(paid, angst=tuple(sorted(moved.items())))


@rule(_ID)
def seize_opportunity(rules: Ruleset, standing: Standing) -> Standing:
    """Opportunity Seized: one more action at any moment, before anybody and without the penalty for several."""
    paid = pay(rules, standing, "opportunity seized")
    return replace(paid, extra_actions=paid.extra_actions + 1)


@rule(_ID)
def buy_insight(rules: Ruleset, standing: Standing, points: int = 1) -> Standing:
    """Insight: buys one die per point for the next roll, in addition to Emergency Dice.

    A view of `Sway`, which asks before each roll.
    """
    paid = pay(rules, standing, "insight", points)
    return replace(paid, insight=paid.insight + points)


def insightful(standing: Standing, pool: Pool) -> tuple[Standing, Pool]:
    """Adds all dice of Insight to the next roll."""
    if not standing.insight:
        return standing, pool
    return replace(standing, insight=0), with_insight(pool, standing.insight)


@rule(_ID)
def mimic_skill(rules: Ruleset, standing: Standing, level: int = 0, points: int = 1, pool: Pool = UNLEARNT) -> tuple[Standing, Pool]:
    """Mimic Skill: uses an unlearned skill at up to level 3 for one test; `pool` is the roll without it.

    A view of `mimic`.
    """
    if level > 0:
        raise UserError("you can mimic only a skill that you do not have")
    return pay(rules, standing, "mimic skill", mimicked_level(points)), pool.with_dice(points)


@rule(_ID)
def sweeten(rules: Ruleset, standing: Standing, total: int, points: int = 1) -> tuple[Standing, int]:
    """Sweet Success: adds 1 per point to a skill roll, even after it. A view of `Sway`, which asks after each roll."""
    return pay(rules, standing, "sweet success", points), total + points


@rule(_ID)
def do_it_again(rules: Ruleset, standing: Standing, pool: Pool, dice: int, own: bool = True, by: str = "") -> Play[tuple[Standing, int]]:
    """Do It Again: repeats the last test, one's own for 1 and another's for 3. The payer picks the dice that count; if both are below 3
    they count as 3 (before modifiers, ruling). `dice` is the first roll without modifiers; returns the total.

    A view of `Sway`, by the same `better_dice`.
    """
    paid = pay(rules, standing, "do it again", 1 if own else 3)
    bare = Roll(reading(rules, Pool(pool.dice, (), pool.emergency, pool.hero)), by or standing.name, "the last test")
    kept = yield from better_dice(bare, Total(dice, dice == 1), standing.name)
    return paid, kept.total if kept.fumble and pool.dice <= 0 else max(0, kept.total + pool.modifier)  # 683


def better_dice(roll: Roll[Total], dice: Total, payer: str) -> Play[Total]:
    """Rolls the same dice again without modifiers; the payer chooses which roll counts."""
    again = yield from once_more(roll)
    if max(dice.total, again.total) < 3:
        return Total(rolled_again(dice.total, again.total))
    options = (Option("first", f"First roll: {dice.total}", dice), Option("second", f"Second roll: {again.total}", again))
    return (yield from Choice[Total](payer, "Which roll counts?", options, roll.what, "do it again", roll.secret))


# --- the course of things -----------------------------------------------------------------------------------------------------


@rule(_ID)
def next_round(standing: Standing) -> Standing:
    """Starts a new round: another wound may be ignored, and a Last Hurrah comes closer to its end."""
    body = standing.patient
    if body.last_rounds:
        body = replace(body, last_rounds=body.last_rounds - 1, dead=body.last_rounds == 1)
    return replace(standing, eased_this_round=False, patient=body)


@rule(_ID)
def scene_ends(standing: Standing) -> Standing:
    """Ends the crisis: those left for dead wake, moved attributes return, and pain is felt again."""
    body = replace(standing.patient, ignored=0)
    if standing.left_for_dead:
        body = replace(body, unconscious=0)
    if body.last_rounds:
        body = replace(body, last_rounds=0, dead=True)
    return replace(
        standing, patient=body, left_for_dead=False, angst=(), extra_actions=0, eased_flesh=0, eased_deep=0, eased_this_round=False
    )


@rule(_ID)
def session_ends(rules: Ruleset, standing: Standing, points: int = 0) -> Standing:
    """Fortune Favors the Bold: leftover points become Emergency Dice, one for one. By id only."""
    if points < 1:
        return standing
    paid = pay(rules, standing, "fortune favors the bold", points)
    return replace(paid, patient=replace(paid.patient, emergency_dice=paid.patient.emergency_dice + points))
