"""Decides which rounds can be forecast: no set is read before its Speed, and nobody spends points on one."""

from collections.abc import Iterator
from typing import Any

from rulewright.dice.reading import weights_of
from rulewright.play import Choice, Option, Play, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scene import Solve
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Plan
from rulewright.systems.ore.combat.mooks import mook_dice
from rulewright.systems.ore.drama.determination import dice_of
from rulewright.systems.ore.drama.points import can_spend
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.feats.effects import help_for, trait
from rulewright.systems.ore.fight.feats.sets import COWED
from rulewright.systems.ore.fight.powers.active import POWER_KINDS
from rulewright.systems.ore.fight.resolution.mooks import in_range
from rulewright.systems.ore.fight.resolution.parley import WARNED
from rulewright.systems.ore.fight.rounds import people
from rulewright.systems.ore.resolution.joint_readings import Fronts

LOOKED_AT = ("dive", "water dance")
"""What counts from the moment at which it is rolled."""


def waits_for_its_speed(rules: Ruleset, fight: Fight) -> bool:
    """Whether no set of this round is looked at before its moment: by powers, held blows, fire on an area, threats, or feats."""
    acts = [act for plan in fight.plans for act in plan.acts]
    if fight.powers or rules.on("devastating-strikes") or any(cast.burns for cast in fight.casts):
        return False
    if any(act.kind in POWER_KINDS or act.kind in LOOKED_AT or act.wait or act.spare or action_of(act).own_dice for act in acts):
        return False
    daunted = any(word in (WARNED, COWED) for fighter in fight.fighters for word, _ in fighter.marks)
    return not daunted and not any(_looks_at_sets(rules, fight, plan) for plan in people(fight))


def ways_to_fall(rules: Ruleset, fight: Fight) -> int:
    """In how many ways the dice of a round can fall at least, where nothing is counted but one's best sets."""
    result = 1
    for cast in fight.casts:
        dice = dice_of(rules, cast)
        result *= len(weights_of(Fronts(dice))) if dice is not None and dice.dice else 1
    for group in fight.groups:
        if group.able and in_range(rules, fight, group):
            result *= max(1, mook_dice(group.mob))
    return result


HARM_ALONE = frozenset(
    [
        "not for mooks",
        "width twice",
        "bare width",
        "kill at least width",
        "width kill through armour",
        "no kill",
        "no shock",
        "shock at least width",
        "hits twice",
        "aim is kept",
        "kill",
        "shock",
        "pen",
        "armour ignored",
        "least kill",
        "least shock",
        "wound threshold",
        "dice lost",
        "shock ignored",
        "reach",
        "recoil",
        "charges",
        "half charges",
        "disarms a poor parry",
        "sword sets lose no die",
        "low sets lose no die",
    ]
)
"""What feats change of the harm that a blow does or of one's own sets, and of nothing that is done with those of others."""


def _looks_at_sets(rules: Ruleset, fight: Fight, plan: Plan) -> bool:
    """Whether feats do anything with the sets of somebody, or of those who meet him, beside what these count for."""
    fighter = fight.fighter(plan.who)
    if not fighter.profile.feats:
        return False
    for given in (trait(rules, fighter, "hurt"), *[help_for(rules, fight, fighter, act) for act in plan.acts]):
        if given.twin or given.spare or not given.flags | {name for name, _ in given.amounts} <= HARM_ALONE:
            return True
    return False


class Unseen(Exception):
    """Somebody looked at what is not known yet."""


class _Blind:
    """What a question is about, for a question that is to be answered without looking."""

    def __getattribute__(self, name: str) -> Any:
        raise Unseen


class Unsaid(tuple[Any, ...]):
    """What was declared, for those who may not look at it."""

    def __iter__(self) -> Iterator[Any]:
        raise Unseen

    def __len__(self) -> int:
        raise Unseen

    def __getitem__(self, place: Any) -> Any:
        raise Unseen

    def __contains__(self, value: object) -> bool:
        raise Unseen


BLIND = _Blind()
_SLIPS = (1, 2, 4, 12)
"""For how many sets of opponents it is tried whether somebody would let one slip."""


def spends_nothing(rules: Ruleset, fighter: Fighter, solve: Solve) -> bool:
    """Whether somebody keeps the Drama Points whatever sets there are: asked without being shown any, he says no."""
    asked = [("drama flinch", 0)] if can_spend(rules, fighter.drama, "unflinching") else []
    asked += [("drama slip", many) for many in _SLIPS] if can_spend(rules, fighter.drama, "slip up") else []
    try:
        return all(set(solve(sub(_wants, fighter.name, topic, many)).weights) == {False} for topic, many in asked)
    except Unseen:
        return False


def leaves_it(fighter: Fighter, solve: Solve) -> bool:
    """Whether somebody leaves dice as they fell that Drama Points might roll again, whatever they show: asked without being shown any, he
    says no."""
    try:
        return set(solve(sub(_wants, fighter.name, "drama blessed", 0)).weights) == {False}
    except Unseen:
        return False


def _wants(who: str, topic: str, sets: int) -> Play[bool]:
    """Whether somebody wants a Drama Point spent, where nothing is shown of what it is about."""
    keys = [f"{place} {loss}" for place in range(1, sets + 1) for loss in ("width", "height")] or ["yes"]
    options = (Option("no", "No", value=False), *[Option(key, key, value=True) for key in keys])
    return (yield from Choice(who, "Drama Points?", options, BLIND, topic))
