"""The value of a position: a fitted estimate of a side's win chance, so that a search need not play a scene to its end.

A game names the features of a position (`Scene.position`). `python -m benchmarks positions` fits their weights and writes them into the
game's package: `lab_view/position_weights.json`, one entry for each kind of scene.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from math import exp

from msgspec import Struct
from msgspec.json import decode

from rulewright.play.cache import cached

FILE = "lab_view/position_weights.json"
STEPS_A_SECOND = 8_000
"""The assumed speed of a scene without fitted weights."""
MOST_LOGIT = 30.0
OWN, SHARE = "own ", "share of "
"""Before the name of a figure: the sum of a side's own, and the share of the whole that it is ahead."""
NEAR = 12.0
"""Metres beyond its reach at which a hand weapon threatens a third as much."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fitted weights of one kind of scene."""

    weights: dict[str, float] = {}
    """The weight of each feature in the logarithm of the odds of winning; empty if positions have no value."""
    near: float = 1.0
    """How many rounds a playout lasts that compares all options."""
    far: float = 3.0
    """How many rounds a playout lasts that confirms the best one."""
    steps_a_second: int = STEPS_A_SECOND
    """Steps, rolls and decisions that a search plays in a second of processor time: where time is counted in steps."""

    def estimate(self, features: Mapping[str, float]) -> float | None:
        """The win chance of a position; None without weights."""
        weights = self.weights
        if not weights:
            return None
        logit = sum([weights.get(name, 0.0) * value for name, value in features.items()])
        return 1 / (1 + exp(-max(-MOST_LOGIT, min(MOST_LOGIT, logit))))


@cached(32)
def weights_by_kind(package: str) -> dict[str, Weights]:
    """The weights of a game's scenes, by kind; empty if the game has none."""
    try:
        content = pkgutil.get_data(package, FILE)
    except OSError:
        content = None
    return decode(content, type=dict[str, Weights]) if content else {}


def weights_of(package: str, kind: str) -> Weights:
    """The weights of a kind of scene."""
    return weights_by_kind(package).get(kind) or _NONE


_NONE = Weights()


def compared(members: Iterable[tuple[str, Mapping[str, float]]], side: str, shares: tuple[str, ...] = ()) -> dict[str, float]:
    """The features of a side: of each figure of the members the sum of its own less that of the others, and of some the share.

    `members` are those who are still in the scene, each with their side and figures. Of a figure in `shares`, the difference is also given
    as a share of the whole: two against one is further ahead than nine against eight. The sums of a side's own are given too, for words;
    they have no weight.
    """
    own: dict[str, float] = {}
    others: dict[str, float] = {}
    for of, figures in members:
        sums = own if of == side else others
        for name, value in figures.items():
            sums[name] = sums.get(name, 0.0) + value
    features = {name: own.get(name, 0.0) - others.get(name, 0.0) for name in {**own, **others}}
    features |= {f"{OWN}{name}": value for name, value in own.items()}
    for name in shares:
        mine, theirs = own.get(name, 0.0), others.get(name, 0.0)
        if mine + theirs > 0:
            features[f"{SHARE}{name}"] = (mine - theirs) / (mine + theirs)
    return features


def within_reach(distance: float, reach: float) -> float:
    """How near a target is to a hand weapon: 1 within its reach, less the farther away."""
    return exp(-max(0.0, distance - reach) / NEAR)
