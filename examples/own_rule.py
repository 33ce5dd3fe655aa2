"""Your own rule: written once as a procedure, then played, scripted and solved exactly."""

from rulewright.dice import HighestDie
from rulewright.play import Choice, Option, Play, Roll, play, script, sub
from rulewright.play.odds import exact

METHODS = (Option("careful", "Pick it carefully", 0), Option("quick", "Force it, one die more", 1))


def pick_a_lock(dice: int, threshold: int) -> Play[str]:
    """The highest die must reach the lock's threshold; all ones break the pick."""
    extra: int = yield from Choice("Ana", "How?", METHODS)
    total = yield from Roll(HighestDie(dice + extra), "Ana", "picking the lock")
    if total.fumble:
        return "broken"
    return "open" if total.total >= threshold else "shut"


print("played:  ", play(pick_a_lock(2, 5)).outcome)
print("scripted:", script(pick_a_lock(2, 5), faces=[(3, 6)], choices=["careful"]).outcome)
for method in METHODS:
    odds = exact(sub(pick_a_lock, 2, 5), decide=lambda choice, method=method: method.key)
    print(f"{method.label:<26}", {outcome: f"{weight / odds.total:.1%}" for outcome, weight in odds})
