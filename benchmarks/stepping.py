"""Fights of people stepped answer by answer, decided by their tactics, with record and log: the time that an answer takes.

Only for `beside`, which also runs this file next to versions that had no such room. An answer is measured and no fight, since other
tactics and other rules make fights longer or shorter. Before each row what lies about of the rows before it is collected: else a full
collection falls into the row of one version and beside those of the other, and is a tenth of what a short row takes.

Machines do not go at one speed: every few hundredths of a second a plain loop is run, and an answer is told in the time of that loop, as
if it took a millisecond.
"""

import gc
from collections.abc import Iterator
from statistics import fmean
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
WARMING, MEASURED, EACH = 40, 1.0, 0.03
"""Fights that are not measured; seconds of fights that are, and after how many of these the loop comes."""
LOOP = 1e-3


def loop() -> float:
    """The seconds that a plain loop takes just now."""
    kept: dict[int, Any] = {}
    begun = process_time()
    for number in range(6_000):
        kept[number & 255] = (number, kept.get(number >> 1))
    return process_time() - begun


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
            seed, count, taken, loops = WARMING, 0, 0.0, [loop()]
            while taken < MEASURED:
                begun, now = process_time(), 0.0
                while now < EACH:
                    count, seed = count + answers(seed), seed + 1
                    now = process_time() - begun
                taken += now
                loops.append(loop())
            yield {"name": f"{game}/{scenario}", "ours": LOOP * taken / count / fmean(loops), "steadied": True}
