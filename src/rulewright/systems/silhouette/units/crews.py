"""Crews at work: who acts, with which dice, and how many actions (book lines 4271-4300)."""

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, less, limited, term, total
from rulewright.rules.reasons import at_least as never_below
from rulewright.systems.silhouette.machines.design.crews import crew_actions
from rulewright.systems.silhouette.machines.machine import Machine
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, skill_pool
from rulewright.systems.silhouette.units.people import actions_among_people
from rulewright.systems.silhouette.units.units import ATTRIBUTES, Crew, Rider, Skill, Unit

_ACTIONS = "sil-5.1.1-actions"


class Hand(Struct, frozen=True, gc=False):
    """The person aboard who acts: skill, name (empty: nameless crew) and wound penalty."""

    skill: Skill
    name: str = ""
    penalty: int = 0
    hero: bool = False


def hand_for(unit: Unit, skill: str) -> Hand:
    """The best able person aboard for a skill: a character or nameless crew (ruling: the best one does it)."""
    return _best_hand(unit.crew, unit.riders, skill)


@cached(1024)
def _best_hand(crew: Crew, riders: tuple[Rider, ...], skill: str) -> Hand:
    hands = [
        Hand(rider.skill(skill), rider.name, rider.body.acting_penalty, rider.body.hero)
        for rider in riders
        if rider.body.able and rider.seat == "crew"
    ]
    if crew.able or not hands:
        hands.append(Hand(crew.skill(skill)))
    return max(hands, key=lambda hand: (hand.skill.level, hand.skill.attribute + hand.skill.strange + hand.penalty, bool(hand.name)))


def looks_closely(rules: Ruleset, unit: Unit, *mods: Mod) -> Pool:
    """The Notice pool of a unit: the best of the characters aboard, or the crew with its Combat Sense (ruling)."""
    named = [rider for rider in unit.able_riders if rider.skill("notice").level]
    best = max(named, key=lambda rider: (rider.skill("notice").level, rider.skill("notice").attribute), default=None)
    if best is None or (unit.crew.able and unit.crew.skill("combat sense").level > best.skill("notice").level):
        return pool_of(rules, unit, "combat sense", *mods)
    own = best.skill("notice")
    pool = skill_pool(rules, own.level, own.attribute, attribute_name="Perception")
    pool = pool.plus(Mod(f"wounds of {best.name}", best.body.acting_penalty, "sil-3.5.2-action-penalties"), *mods)
    return Pool(pool.dice, pool.mods, pool.emergency, best.body.hero)


@rule(_ACTIONS)
def extra_actions(actions: int, extra: int = 0) -> Derived[int]:
    """The penalty to every test of a unit that declared more actions than its crew has: 1 for each of them."""
    if actions < 0 or extra < 0:
        raise UserError("actions and extra actions must be 0 or more")
    return total("extra actions", less("each action beyond the crew's", extra), rule=_ACTIONS)


def _extra_action_mod(extra: int) -> Mod:
    return Mod("extra actions", -extra, _ACTIONS)


@rule(_ACTIONS)
def actions_of(rules: Ruleset, unit: Unit) -> Derived[int]:
    """Actions of a unit this round: by able crew, thought interface, extra actions and Command Points, less the actions lost by stunned
    crew. Without able crew there are none."""
    if not unit.manned:
        return total("Actions", term("no able crew", 0), rule=_ACTIONS)
    terms = [term(f"a crew of {unit.manned}", crew_actions(rules, unit.manned).value, rule=_ACTIONS)]
    linked = unit.machine.actions - crew_actions(rules, unit.machine.crew).value
    if linked > 0:
        terms.append(term("thought interface", linked, rule="sil-d-thought-interface"))
    if unit.extra:
        terms.append(term("extra actions declared", unit.extra))
    if unit.ordered:
        terms.append(term("Command Points", unit.ordered, rule="sil-5.1.1-command-points"))
    if more := unit.surge("actions"):
        terms.append(term("power booster", more, rule="sil-d-accessories"))
    if unit.stunned:
        terms.append(less("stunned crew", unit.stunned, rule="sil-5.5.1-systems-damage"))
    derived = limited("Actions", *terms, limit=never_below(0, "minimum"), rule=_ACTIONS)
    return actions_among_people(rules, int(derived.value)) if unit.halved else derived


@cached(1024)
def actions_left(rules: Ruleset, unit: Unit) -> int:
    """Actions left this round; 0 while it evades."""
    if unit.evading or not unit.able or unit.signs.ready or unit.signs.shut:
        return 0
    more = unit.extra + unit.ordered - unit.stunned + unit.surge("actions")
    return max(0, _actions(rules, unit.machine, unit.manned, more, unit.halved) - unit.used)


@cached(4096)
def _actions(rules: Ruleset, machine: Machine, manned: int, more: int, halved: bool) -> int:
    """The number that `actions_of` explains."""
    linked = machine.actions - crew_actions(rules, machine.crew).value
    number = max(0, crew_actions(rules, manned).value + max(0, linked) + more) if manned else 0
    return int(actions_among_people(rules, number).value) if halved else number


def pool_of(rules: Ruleset, unit: Unit, skill: str, *mods: Mod, defends: bool = False) -> Pool:
    """A unit's pool for a skill: dice by level, a character's attribute and wounds, the penalty of extra actions, and the situation."""
    strained = unit.extra if not defends or rules.on("extra-actions-weigh-on-defense") else 0
    return _pool(rules, unit.crew, unit.riders, strained, unit.signs.sick, skill, mods)


@cached(4096)
def _pool(rules: Ruleset, crew: Crew, riders: tuple[Rider, ...], strained: int, sick: int, skill: str, mods: tuple[Mod, ...]) -> Pool:
    """The same by its inputs, for caching."""
    hand = _best_hand(crew, riders, skill)
    own = hand.skill
    pool = skill_pool(rules, own.level, own.attribute, attribute_name=ATTRIBUTES.get(skill, "attribute").capitalize())
    pool = pool.plus(Mod("unfamiliar field", own.strange, "sil-2.2.4-specific-skills"))
    pool = pool.plus(Mod(f"wounds of {hand.name}", hand.penalty, "sil-3.5.2-action-penalties"))
    if strained:
        pool = pool.plus(_extra_action_mod(strained))
    if sick:
        pool = pool.plus(Mod("biological or chemical agents", -sick, "sil-f-system-perks"))
    pool = pool.plus(*mods)
    return Pool(pool.dice, pool.mods, pool.emergency, hand.hero)


def side_of(rules: Ruleset, unit: Unit, skill: str, *mods: Mod) -> Side:
    """The same as one side of a contest."""
    own = hand_for(unit, skill).skill
    return Side(pool_of(rules, unit, skill, *mods), skill, own.level, own.complexity, own.attribute)
