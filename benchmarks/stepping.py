"""The time of one answer in fights of people, played by tactics with record and log.

Only for `beside`, which runs this file for older versions too. It measures an answer and not a fight, because other tactics and rules
make fights longer or shorter. Garbage is collected before each row. Otherwise a full collection would hit the row of one version only,
and it takes a tenth of a short row.

The speed of a machine changes within seconds. A row therefore comes in slices of a twentieth of a second, and the versions take turns
after each slice.
"""

import gc
from collections.abc import Iterator
from time import process_time
from typing import Any

from rulewright.play import Player, Seeded

try:
    from rulewright.library import stage
    from rulewright.scenes.scene import run
except ModuleNotFoundError:  # older versions have other module names
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
"""Warm-up fights; slices of a row; seconds of a slice."""


def rows() -> Iterator[dict[str, Any]]:
    """All scenarios, slice by slice."""
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
