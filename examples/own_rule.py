"""A rule of one's own: written once as a procedure that asks, then played, scripted and solved exactly."""

from rulewright.dice import HighestDie
from rulewright.play import Choice, Option, Play, Roll, play, script, sub
from rulewright.play.odds import exact

WAYS = (Option("careful", "Pick it carefully", 0), Option("quick", "Force it, one die more", 1))


def pick_a_lock(dice: int, threshold: int) -> Play[str]:
    """The highest die must reach the lock's threshold; all ones break the pick."""
    more: int = yield from Choice("Ana", "How?", WAYS)
    total = yield from Roll(HighestDie(dice + more), "Ana", "picking the lock")
    if total.fumble:
        return "broken"
    return "open" if total.total >= threshold else "shut"


print("played:  ", play(pick_a_lock(2, 5)).outcome)
print("scripted:", script(pick_a_lock(2, 5), faces=[(3, 6)], choices=["careful"]).outcome)
for way in WAYS:
    odds = exact(sub(pick_a_lock, 2, 5), decide=lambda choice, way=way: way.key)
    print(f"{way.label:<26}", {outcome: f"{weight / odds.total:.1%}" for outcome, weight in odds})
