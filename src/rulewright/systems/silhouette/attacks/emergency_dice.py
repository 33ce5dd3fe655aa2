"""Emergency Dice in a fight: they can be added to any roll before it is made (book lines 1710-1719)."""

from msgspec.structs import replace

from rulewright.grammar import count
from rulewright.highest_die.harm import dice_asked
from rulewright.play import Choice, Play, Range, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter, Situation
from rulewright.systems.silhouette.drama.death_scenes import FAREWELL, farewell
from rulewright.systems.silhouette.resolution.tests import Pool, most_emergency_dice


def spend_emergency_dice(rules: Ruleset, fight: Fight, name: str, pool: Pool, what: str) -> Play[tuple[Fight, Pool]]:
    """Asks how many Emergency Dice go into a roll, if possible, and spends them."""
    fighter = fight.fighter(name)
    if fighter.farewell:
        fight, pool = yield from _spend_farewell(rules, fight, fighter, pool, what)
        fighter = fight.fighter(name)
    if fighter.body.emergency_dice <= 0 or (pool.dice <= 0 and rules.word("unskilled-emergency-dice") == "none"):
        return fight, pool
    spent = yield from _asked(rules, fight, fighter, what)
    return ((yield from _spend(fight, name, spent, what)), pool.with_emergency(spent)) if spent else (fight, pool)


def _spend_farewell(rules: Ruleset, fight: Fight, fighter: Fighter, pool: Pool, what: str) -> Play[tuple[Fight, Pool]]:
    """Asks how many death scene points go into this roll, and spends them."""
    asked = f"How many death scene points for {what}?"
    about = Situation(fight, fighter.name, rules)
    spent = yield from Choice[int](fighter.name, asked, Range(0, fighter.farewell), about, "death scene", fighter.hidden)
    if not spent:
        return fight, pool
    yield happened(fight, fighter.name, f"spends {count(spent, 'death scene point')} on {what}")
    gone = FAREWELL - fighter.farewell
    return fight.change(fighter.name, farewell=fighter.farewell - spent), pool.plus(farewell((gone,), spent))


def emergency_dice_for_all(rules: Ruleset, fight: Fight, pools: dict[str, Pool], what: str) -> Play[tuple[Fight, dict[str, Pool]]]:
    """Asks several people who roll together for Emergency Dice, all at once."""
    joins = rules.word("unskilled-emergency-dice") != "none"
    able = [f for f in fight.fighters if f.body.emergency_dice > 0 and f.name in pools and (joins or pools[f.name].dice > 0)]
    if not able:
        return fight, pools
    answers = yield from Together(tuple([_asked(rules, fight, fighter, what) for fighter in able]))
    for fighter, spent in zip(able, answers, strict=True):
        if spent:
            fight = yield from _spend(fight, fighter.name, spent, what)
            pools = {**pools, fighter.name: pools[fighter.name].with_emergency(spent)}
    return fight, pools


def _asked(rules: Ruleset, fight: Fight, fighter: Fighter, what: str) -> Choice[int]:
    name, owned, about = fighter.name, fighter.body.emergency_dice, Situation(fight, fighter.name, rules)
    return dice_asked(name, what, owned, most_emergency_dice(rules), about, fighter.hidden)


def _spend(fight: Fight, name: str, dice: int, what: str) -> Play[Fight]:
    yield happened(fight, name, f"spends {count(dice, 'Emergency Die', 'Emergency Dice')} on {what}")
    fighter = fight.fighter(name)
    return fight.put(replace(fighter, body=replace(fighter.body, emergency_dice=fighter.body.emergency_dice - dice)))
