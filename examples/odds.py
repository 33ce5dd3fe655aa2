"""Exact odds of a test in every game, and one rule called by its id."""

from rulewright.play.odds import exact
from rulewright.show import rule_calls
from rulewright.system import find

TESTS = {
    "silhouette": "3d+1 vs 5",
    "scumm": "2d+1 vs 2d",
    "hybrid": "DF 12",
    "ore": "7d diff 4",
    "foresight": "14 x 5-1",
}

for name, notation in TESTS.items():
    game = find(name)
    odds = exact(game.test(game.book.ruleset(), notation))
    succeeds, _ = odds.chance(lambda outcome, game=game: game.show(outcome).verdict == "success")
    print(f"{game.name:<16} {notation:<12} {succeeds:7.2%}")

scumm = find("scumm")
damage = rule_calls.prepare(scumm.book.ruleset(), scumm.book.rule("scumm-damage"), {"multiplier": "9", "margin": "3"})
print("a margin of 3 with a weapon of 9 does", damage.value().value, "damage")
