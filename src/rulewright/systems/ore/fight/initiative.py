"""Initiative: Insight, or a roll for it (book lines 4192-4208)."""

from msgspec.structs import replace

from rulewright.play import Play, Roll, Tell, Together
from rulewright.rules import Ruleset, instead_of, rule
from rulewright.systems.ore.combat.fighters import Fight, Fighter
from rulewright.systems.ore.drama.points import fortunate_test
from rulewright.systems.ore.fight.events import TestRolled
from rulewright.systems.ore.fight.penalties import height_lost, hindering
from rulewright.systems.ore.people.feat_effects import Help, Try, helped, helps
from rulewright.systems.ore.resolution.readings import BestFor
from rulewright.systems.ore.resolution.tests import Pool, dice_in, thrown

FIVE_DICE = (Pool(5),)
Score = tuple[int, ...]
"""Compared element by element; the lowest declares first."""


@rule("ore-4.02-initialisation")
def initiative(rules: Ruleset, insight: int = 2, perception: int = 0, psyche: int = 2, rolled: tuple[int, int] = (0, 0)) -> Score:
    """The Initiative Score is Insight; ties by Perception, then Psyche. The lowest declares first."""
    return insight, perception, psyche


@rule("ore-4.02-opt01-random-initiative")
@instead_of(initiative, "random-initiative")
def rolled_initiative(rules: Ruleset, insight: int = 2, perception: int = 0, psyche: int = 2, rolled: tuple[int, int] = (2, 5)) -> Score:
    """The Width of the Initiative roll, ties by Height; no set is 0 (ruling)."""
    return rolled


@rule("ore-4.02-opt01-random-initiative")
def rolls_initiative(rules: Ruleset) -> bool:
    """Whether Initiative is rolled: no."""
    return False


@rule("ore-4.02-opt01-random-initiative")
@instead_of(rolls_initiative, "random-initiative")
def everybody_rolls(rules: Ruleset) -> bool:
    """Everybody except mooks rolls once, and again after getting bearings."""
    return True


@rule("ore-4.02-opt01-random-initiative")
def roll_initiative(
    rules: Ruleset, pools: tuple[Pool, ...] = FIVE_DICE, names: tuple[str, ...] = ("",)
) -> Play[tuple[tuple[int, int], ...]]:
    """Insight and the highest combat skill; the widest set counts, with its Height."""
    dice = [thrown(rules, pool) for pool in pools]
    rolls = [Roll(BestFor(result, "widest"), name, "initiative") for result, name in zip(dice, names, strict=True) if result is not None]
    fell = list((yield from Together(tuple(rolls)))) if rolls else []
    return tuple([(fell.pop(0) or (0, 0)) if die is not None else (0, 0) for die in dice])


def score(rules: Ruleset, fighter: Fighter) -> Score:
    """The Initiative of a fighter."""
    profile = fighter.profile
    result = initiative(rules, profile.insight, profile.perception, profile.psyche, fighter.initiative)
    if profile.feats:
        more = _alert(rules, fighter).amount("initiative")
        return (result[0] + more, *result[1:]) if more else result
    return result


def _alert(rules: Ruleset, fighter: Fighter) -> Help:
    """The help of feats for Initiative."""
    when = tuple([word for word, about in fighter.marks if not about])
    return helps(rules, fighter.profile.feats, Try(on=("initiative", "any roll"), when=when))


@rule("ore-4.02-initialisation")
def order_of(rules: Ruleset, fight: Fight) -> tuple[str, ...]:
    """Everybody who can act, lowest Initiative first; mooks come before all (ruling, printed for rolled Initiative)."""
    able = [fighter for fighter in fight.fighters if fighter.able]
    people = sorted(able, key=lambda fighter: score(rules, fighter))
    return (*[group.name for group in fight.groups if group.able], *[fighter.name for fighter in people])


def take_initiative(rules: Ruleset, fight: Fight, names: tuple[str, ...]) -> Play[Fight]:
    """Rolls Initiative for these people."""
    turning = [name for name in names if fight.fighter(name).luck or fight.fighter(name).drama]
    plain = tuple([name for name in names if name not in turning])
    pools = tuple([_wits(rules, fight.fighter(name)) for name in plain])
    pairs = yield from roll_initiative(rules, pools, plain)
    for name, pool, pair in zip(plain, pools, pairs, strict=True):
        yield Tell(TestRolled(name, "initiative", *pair, pool=pool, dice=dice_in(rules, pool)))
        fight = fight.change(name, initiative=pair)
    for name in turning:
        fighter = fight.fighter(name)
        pool, lost = _wits(rules, fighter), height_lost(rules, fighter)
        body, rolled = yield from fortunate_test(rules, fighter.body, pool, by=name, what="initiative", height=lost)
        yield Tell(TestRolled(name, "initiative", rolled.width, rolled.height, lost, pool, dice_in(rules, pool)))
        fight = fight.put(replace(fighter, body=body, initiative=(rolled.width, rolled.height)))
    return fight


def _wits(rules: Ruleset, fighter: Fighter) -> Pool:
    """The Initiative pool with all penalties."""
    pool = fighter.profile.wits.plus(*hindering(rules, fighter))
    return helped(rules, pool, _alert(rules, fighter))[0] if fighter.profile.feats else pool
