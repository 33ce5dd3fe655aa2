"""Steps that were played before: a fight comes out the same, whatever is remembered of others."""

from typing import Any

import pytest

from rulewright.lab.examples.coins import Coins, Lives
from rulewright.lab.sampling import step_cache
from rulewright.lab.sampling.batches import Counted, Stepping
from rulewright.lab.sampling.step_cache import Trodden
from rulewright.library import stage
from rulewright.play import first_option, local


def machines(number: int, size: int, played_before: tuple[int, ...] = ()) -> tuple[Counted, Trodden]:
    """A batch of duels of machines, after others have been played."""
    staged = stage("silhouette/town-duel")
    stepping = Stepping(staged.scene, staged.state, staged.decide, "win", 3, 10**6, staged.scenario.rounds, 10_000, learns=False)
    stepping.size, stepping.walk = size, None
    for before in played_before:
        stepping(before)
    assert isinstance(stepping.step, Trodden)
    return stepping(number), stepping.step


def stepped(number: int, size: int) -> Counted:
    """The same batch with every step played."""
    staged = stage("silhouette/town-duel")
    stepping = Stepping(staged.scene, staged.state, staged.decide, "win", 3, 10**6, staged.scenario.rounds, 10_000, learns=False)
    stepping.size = size
    stepping.step, stepping.walk = stepping._step, None
    return stepping(number)


def test_a_batch_is_the_same_whether_its_steps_are_remembered_or_played() -> None:
    remembered, steps = machines(4, 25)
    assert remembered == stepped(4, 25)
    assert steps._known > 0


def test_a_batch_is_the_same_whatever_was_played_before() -> None:
    alone, few = machines(5, 20)
    later, more = machines(5, 20, played_before=(1, 2))
    assert alone == later
    assert more._known / more._steps > few._known / few._steps


def test_a_full_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    free, _ = machines(6, 20)
    monkeypatch.setattr(step_cache, "MOST_NODES", 30)
    crowded, steps = machines(6, 20)
    assert crowded == free
    assert steps._nodes == 30


def test_what_never_comes_again_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_cache, "TRIAL", 40)
    monkeypatch.setattr(step_cache, "WORTH", 1.1)
    given_up, steps = machines(7, 10)
    assert steps.given_up
    assert not steps._begun
    assert given_up == stepped(7, 10)


def test_coins_are_known_after_a_few_throws() -> None:
    stepping = Stepping(Coins(), Lives(1, 1), local(first_option), "win", 1, 10**6, None, 1_000, learns=False)
    steps: Any = stepping.step
    assert isinstance(steps, Trodden)
    ends, cut, _ = stepping(0)
    assert sum(ends.values()) == stepping.size
    assert not cut
    assert steps._known > 0.9 * steps._steps
