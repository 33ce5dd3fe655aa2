"""Your own tactic in a ready-made fight, compared with the shipped one over many fights."""

from typing import Any

from rulewright import library
from rulewright.play import Choice, Given, Seeded
from rulewright.scenes.encounter import Encounter

FIGHTS = 40


def timid(choice: Choice[Any]) -> Given:
    """Wait or stay in place whenever possible."""
    keys = choice.keys()
    if not keys:
        return choice.options.low  # a number: the lowest
    return next((key for key in ("pass", "stay", "hold", "wait") if key in keys), keys[0])


staged = library.stage("scumm/duel")
side = next(iter(staged.scene.sides(staged.state)))
mine = staged.scene.sides(staged.state)[side]
wins = {"shipped": 0, "timid": 0}
for seed in range(FIGHTS):
    for name, tactic in (("shipped", staged.decide), ("timid", timid)):
        encounter = Encounter.begin(staged.scene, staged.state)
        result = encounter.play_out(
            Seeded(seed), lambda choice, tactic=tactic: tactic(choice) if choice.who in mine else staged.decide(choice)
        )
        wins[name] += result is not None and result.winner == side
print(f"{side} wins {wins['shipped']} of {FIGHTS} fights with the shipped tactic, {wins['timid']} with mine")
