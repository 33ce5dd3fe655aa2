"""A level is a promise of time, in every scene: no decision takes longer than its limit, by the time of the processor."""

import time

import pytest
from conformance.games import demos, staged
from tests.lab.search.test_planner import asked

from rulewright.lab.search import LEVELS, Mind
from rulewright.play import Choice
from rulewright.scenes.encounter import Encounter

LATE = 1.2
"""By how much a decision may exceed its limit, since a step is not interrupted."""
SLOW = ("silhouette/scenarios/town-duel", "silhouette/scenarios/convoy", "ore/scenarios/two_ships", "hybrid/scenarios/inn")
FIRST = 0.25
"""What the first question of a scene may take besides, for caches that are filled once."""


def seconds_of(name, level):
    """The processor time of the first deed of a scene at a level."""
    found = staged(name)
    encounter = Encounter.begin(found.scene, found.state)
    place = asked(encounter, topic="act", decide=found.decide)
    mind = Mind(found.scene, found.system.staging(found.scene.kind).tactics, found.decide, LEVELS[level], seed=1)
    began = time.process_time()
    mind.think(encounter.moment(place), past=encounter.past())
    return time.process_time() - began


def acting(name):
    """Whether somebody is asked for an action."""
    found = staged(name)
    encounter = Encounter.begin(found.scene, found.state)
    try:
        request = dict(encounter.open)[asked(encounter, topic="act", decide=found.decide)]
    except AssertionError:
        return False
    return isinstance(request, Choice)


def limit_of(level):
    """The most seconds of a decision at a level."""
    return max(LEVELS[level].seconds, getattr(LEVELS[level], "most", None) or 0.0)


@pytest.mark.parametrize("name", demos("scenario"))
def test_no_decision_takes_longer_than_promised(name, monkeypatch):
    monkeypatch.setattr(time, "monotonic", time.process_time)  # a busy machine takes longer by the clock
    if acting(name):
        assert seconds_of(name, "easy") < LATE * limit_of("easy") + FIRST


@pytest.mark.slow
@pytest.mark.parametrize("level", ["good", "best"])
@pytest.mark.parametrize("name", SLOW)
def test_no_decision_of_the_slowest_scenes_takes_longer_than_promised(name, level, monkeypatch):
    monkeypatch.setattr(time, "monotonic", time.process_time)
    assert seconds_of(name, level) < LATE * limit_of(level) + FIRST
