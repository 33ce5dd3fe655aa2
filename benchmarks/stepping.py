"""Fights of people stepped answer by answer, decided by their tactics, with record and log: the time that an answer takes.

Only for `beside`, which also runs this file next to versions that had no such room. An answer is measured and no fight, since other
tactics and other rules make fights longer or shorter. Before each row what lies about of the rows before it is collected: else a full
collection falls into the row of one version and beside those of the other, and is a tenth of what a short row takes.

A row is short, and machines do not go at one speed: before and after every fight a plain loop is run, and an answer is told in the time
of that loop, as if it took a millisecond.
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
WARMING, MEASURED = 40, 40
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
            count, taken, looped = 0, 0.0, loop()
            for seed in range(MEASURED):
                begun = process_time()
                count += answers(WARMING + seed)
                taken += process_time() - begun
                looped += loop()
            yield {"name": f"{game}/{scenario}", "ours": LOOP * (MEASURED + 1) * taken / count / looped, "steadied": True}
