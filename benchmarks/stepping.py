"""Fights of people stepped answer by answer, decided by their tactics, with record and log: the time that an answer takes.

Only for `beside`, which also runs this file next to versions that had no such room. An answer is measured and no fight, since other
tactics and other rules make fights longer or shorter. Before each row what lies about of the rows before it is collected: else a full
collection falls into the row of one version and beside those of the other, and is a tenth of what a short row takes.

Machines do not go at one speed, and change it within seconds: a row is told in slices of a twentieth of a second, and after each the turn
is the other version's.
"""

import gc
from collections.abc import Iterator
from time import process_time
from typing import Any

from rulewright.play import Player, Seeded

try:
    from rulewright.library import stage
    from rulewright.scenes.scene import run
except ModuleNotFoundError:  # before the rooms were named so
    from rulewright.encounter import run  # type: ignore[import-not-found,no-redef]
    from rulewright.shelf import stage  # type: ignore[import-not-found,no-redef]

SCENARIOS = {
    "scumm": ("duel", "brawl", "ambush", "shootout"),
    "silhouette": ("duel", "firefight"),
    "hybrid": ("duel", "knife-fight", "ambush", "arrest"),
    "ore": ("alley", "bridge", "duel", "firefight", "rooftop", "vault"),
    "foresight": ("brawl", "gunslingers", "sniper"),
}
WARMING, SLICES, SLICE = 40, 24, 0.05
"""Fights that are not measured; how many slices a row has, and the seconds of each."""


def rows() -> Iterator[dict[str, Any]]:
    """A scenario after the other."""
    for game, scenarios in SCENARIOS.items():
        for scenario in scenarios:
            staged = stage(f"{game}/scenarios/{scenario}")

            def answers(seed: int, staged: Any = staged) -> int:
                return len(Player(Seeded(seed), staged.decide).play(run(staged.scene, staged.state)).record)

            for seed in range(WARMING):
                answers(seed)
            gc.collect()
            seed = WARMING
            for _ in range(SLICES):
                begun, taken, count = process_time(), 0.0, 0
                while taken < SLICE:
                    count, seed = count + answers(seed), seed + 1
                    taken = process_time() - begun
                yield {"name": f"{game}/{scenario}", "ours": taken / count, "slice": True}
