"""A tactic of one's own in a ready-made fight, held against the shipped one over many fights."""

from typing import Any

from rulewright import library
from rulewright.play import Choice, Given, Seeded
from rulewright.scenes.encounter import Encounter

FIGHTS = 40


def timid(choice: Choice[Any]) -> Given:
    """Stay put and let the others act, whenever that can be done."""
    keys = choice.keys()
    if not keys:
        return choice.options.low  # a number: as little as possible
    return next((key for key in ("pass", "stay", "hold", "wait") if key in keys), keys[0])


staged = library.stage("scumm/duel")
side = next(iter(staged.scene.sides(staged.state)))
mine = staged.scene.sides(staged.state)[side]
won = {"shipped": 0, "timid": 0}
for seed in range(FIGHTS):
    for name, tactic in (("shipped", staged.decide), ("timid", timid)):
        encounter = Encounter.begin(staged.scene, staged.state)
        result = encounter.play_out(Seeded(seed), lambda choice, own=tactic: own(choice) if choice.who in mine else staged.decide(choice))
        won[name] += result is not None and result.winner == side
print(f"{side} wins {won['shipped']} of {FIGHTS} by the shipped tactic, {won['timid']} by mine")
