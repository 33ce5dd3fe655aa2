"""Pools for declared actions with all modifiers (book lines 397-421, 4210-4226)."""

from msgspec.structs import replace

from rulewright.play import Choice, Play
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Plan, Situation
from rulewright.systems.ore.drama.determination import ActionPart, Cast
from rulewright.systems.ore.fight.actions.base import words_of
from rulewright.systems.ore.fight.actions.combined import cost_of, resting_on
from rulewright.systems.ore.fight.actions.registry import action_of
from rulewright.systems.ore.fight.feats.effects import EASE_PENALTY, help_for, rating_of, relieving, spared_dice, tried_with_feats
from rulewright.systems.ore.fight.penalties import height_lost, hindering
from rulewright.systems.ore.fight.powers.active import aimed_difficulty, mods_on
from rulewright.systems.ore.fight.powers.burn import burning
from rulewright.systems.ore.fight.resolution.gunfire import is_volley
from rulewright.systems.ore.harm.locations import uses_locations
from rulewright.systems.ore.people.feat_effects import EASED, NO_HELP, Help, can_choose_ease
from rulewright.systems.ore.resolution.contests import shared_pool
from rulewright.systems.ore.resolution.tests import Mod, Pool, dice_in


def cast_of(rules: Ruleset, fight: Fight, fighter: Fighter, acts: tuple[Act, ...], idle: tuple[Act, ...] = ()) -> Cast:
    """The roll of a fighter: one pool for all actions with all modifiers. `idle` are actions without a roll, which still cost a die. The
    highest Difficulty counts (ruling)."""
    tried = plain = tuple([action_of(act).attempt(rules, fight, fighter, act) for act in acts])
    given: tuple[Help, ...] = ()
    free = 0, False
    if fight.with_feats:
        both = [tried_with_feats(rules, fight, fighter, act, result) for act, result in zip(acts, tried, strict=True)]
        tried, given = tuple([result for result, _ in both]), tuple([help_ for _, help_ in both])
        free = spared_dice(rules, fight, fighter, (*acts, *idle))
    on_penalty = tuple([EASE_PENALTY in act.when or attempt.difficulty <= 1 for act, attempt in zip(acts, plain, strict=True)])
    pool = _pool(rules, acts, idle, tried, given, on_penalty, free, hindering(rules, fighter), fighter.downed, not fight.edition)
    several = len(acts) > 1
    difficulty = max([candidate.difficulty for candidate in tried])
    if fight.powers:
        pool = pool.plus(*mods_on(rules, fight, fighter.name))
        difficulty = max(difficulty, aimed_difficulty(rules, fight, fighter.name, acts))
    burns = burning(rules, fighter, acts) if fighter.profile.powers else 0
    rolls_again = bool(given) and not several and not burns and bool(given[0].again)  # dice that burn have burnt (ruling)
    return Cast(
        who=fighter.name,
        pool=pool,
        actions=len(acts),
        difficulty=difficulty,
        height=height_lost(rules, fighter),
        number=tried[0].number if not several else 0,
        what=_what(acts),
        waste=is_volley(acts) and rules.on("waste-ammunition"),
        any_height=_any_height(rules, fight, acts),
        parts=_with_edges(_parts(fight, fighter, acts, tuple([candidate.number for candidate in tried])), tried, given) if several else (),
        speed=given[0].speed if given and not several else 0,
        burns=burns,
        again=_again(rules, fighter, given[0], pool) if rolls_again else 0,
    )


@cached(20_000)
def _pool(  # rounds are alike: what helps and hinders is added up once for as many as have the same
    rules: Ruleset,
    acts: tuple[Act, ...],
    idle: tuple[Act, ...],
    tried: tuple[Attempt, ...],
    given: tuple[Help, ...],
    on_penalty: tuple[bool, ...],
    free: tuple[int, bool],
    hinders: tuple[Mod, ...],
    downed: bool,
    common: bool,
) -> Pool:
    """One pool for all actions. `free` are the actions without a penalty, and whether the largest pool counts."""
    volley = tuple([attempt.pool for act, attempt in zip(acts, tried, strict=True) if act.mode != "single"])[:1]
    pools = volley + tuple([attempt.pool for act, attempt in zip(acts, tried, strict=True) if act.mode == "single" and not act.spare])
    floor = rules.number("dice-lost-on-the-floor") if downed and any(action_of(act).with_weapon for act in acts) else 0
    spared, largest = free
    of_idle = min(spared, cost_of(idle))
    idle_dice = Mod("actions without a roll", of_idle - cost_of(idle), "ore-1.13-multiple-actions")
    shared = shared_pool(rules, pools, min(spared - of_idle, len(pools) - 1), largest, common)
    pool = shared.plus(*hinders, idle_dice, Mod("on the floor", -floor, "ore-4.18-act-stand"))
    return relieving(rules, pool, given, on_penalty) if given else pool


def chooses_ease(rules: Ruleset, fight: Fight, plan: Plan) -> Play[Plan]:
    """Asks what a feat reduces where it could reduce either the Difficulty or the penalty of an action."""
    fighter = fight.fighter(plan.who)
    acts = []
    for act in plan.acts:
        given = help_for(rules, fight, fighter, act) if action_of(act).rolled and not action_of(act).own_dice else NO_HELP
        if given.eases:
            tried = action_of(act).attempt(rules, fight, fighter, act)
            lost = tried.pool.penalty - sum([mod.dice for mod in hindering(rules, fighter)])
            if can_choose_ease(given, tried.difficulty, lost):
                about = Situation(fight, plan.who, rules)
                ease = yield from Choice(plan.who, f"What does {given.by[-1]} reduce?", EASED, about, "ease")
                act = replace(act, when=(*act.when, EASE_PENALTY)) if ease == "penalty" else act
        acts.append(act)
    return replace(plan, acts=tuple(acts))


@cached(20_000)
def _what(acts: tuple[Act, ...]) -> str:
    """The label of a roll."""
    return " and ".join(dict.fromkeys([words_of(act) for act in acts]))


def _again(rules: Ruleset, fighter: Fighter, given: Help, pool: Pool) -> int:
    """Dice that a feat can reroll without a set: all, or the rating of a skill."""
    return rating_of(rules, fighter, given.again_skill) if given.again == "rating" else dice_in(rules, pool)


def _with_edges(parts: tuple[ActionPart, ...], tried: tuple[Attempt, ...], given: tuple[Help, ...]) -> tuple[ActionPart, ...]:
    """The purposes of several sets, with changes from feats."""
    if not given:
        return parts
    return tuple(
        [part._replace(edge=attempt.pool.edge, speed=help_.speed) for part, attempt, help_ in zip(parts, tried, given, strict=True)]
    )


def _parts(fight: Fight, fighter: Fighter, acts: tuple[Act, ...], numbers: tuple[int, ...]) -> tuple[ActionPart, ...]:
    """The purposes of several sets."""
    named = [words_of(act) for act in acts]
    labels = [f"{name} ({place})" if named.count(name) > 1 else name for place, name in enumerate(named, 1)]
    return tuple([ActionPart(*entry) for entry in zip(labels, numbers, resting_on(fight, fighter.name, acts), strict=True)])


def _any_height(rules: Ruleset, fight: Fight, acts: tuple[Act, ...]) -> bool:
    """Whether Height decides the location, so that the highest set is not always best."""
    if len(acts) > 1 or not action_of(acts[0]).plain or not action_of(acts[0]).blow or fight.group(acts[0].target) is not None:
        return False
    return uses_locations(rules) and rules.word("hit-location") == "height"
