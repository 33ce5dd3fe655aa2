"""Nobody who thinks for a side knows what the side cannot know: two states that differ only in that get the same answers."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.lab.search.test_mind import asked

from rulewright import library
from rulewright.lab.search import Level, Mind, Thought
from rulewright.scenes.encounter import Encounter

SMALL = Level("test", 24, None)
TINY = Level("test", 8, None)


def thinks(staged: library.Staged, state: Any, who: str, topic: str = "", level: Level = SMALL) -> Thought:
    """What somebody thinks when they are first asked in this state."""
    encounter = Encounter.begin(staged.scene, state)
    at = asked(encounter, who, topic, decide=staged.decide)
    tactics = staged.system.staging(staged.scene.kind).tactics
    mind = Mind(staged.scene, tactics, staged.decide, level, seed=5, rounds=6)
    return mind.think(encounter.moment(at))


def test_a_hidden_sniper_is_drawn_anew_from_what_the_other_side_sees() -> None:
    staged = library.stage("foresight/sniper")
    near = staged.scene.move(staged.state, "Ilse", 30, 60)
    here, there = thinks(staged, staged.state, "Corin", "act"), thinks(staged, near, "Corin", "act")
    assert here == there
    assert here.playouts > 10, here.note


def test_a_guard_behind_a_closed_door_is_drawn_anew() -> None:
    staged = library.stage("scumm/raid")
    elsewhere = staged.scene.move(staged.state, "Kolbe", 28, 6)
    assert "Kolbe" not in {card.name for card in staged.scene.view(elsewhere, "Adaeze").cards}
    here, there = thinks(staged, staged.state, "Adaeze", "act", TINY), thinks(staged, elsewhere, "Adaeze", "act", TINY)
    assert here == there
    assert here.playouts > 4, here.note


@pytest.mark.parametrize(
    "name", ["scumm/raid", "hybrid/inn", "silhouette/mill", "foresight/burglary", "ore/vault", "silhouette/forest-ambush"]
)
def test_what_is_imagined_depends_on_what_the_views_show_alone(name: str) -> None:
    """Whoever is out of sight is put somewhere else first: the imagined states are the same ones."""
    from random import Random

    from rulewright.scenes.imagining import out_of_sight, unseen_by

    staged = library.stage(name)
    scene, state = staged.scene, staged.state
    compared = 0
    for side in scene.sides(state):
        unseen = unseen_by(scene, state, side)
        imagine = scene.imagining(state, side)
        if not unseen or imagine is None:
            continue
        moved = out_of_sight(scene, state, side, unseen[0], Random(9).random)
        if unseen_by(scene, moved, side) != unseen or moved == state:
            continue
        again = scene.imagining(moved, side)
        assert again is not None
        for seed in range(5):
            assert imagine(Random(seed).random) == again(Random(seed).random)
        compared += 1
    assert compared or name in ("ore/vault",), "nobody is out of sight in it"


@pytest.mark.parametrize("name", ["scumm/shootout", "hybrid/duel", "silhouette/firefight", "foresight/gunslingers"])
def test_what_is_imagined_looks_to_the_side_as_what_is(name: str) -> None:
    """Every card that a side sees is the same in a state that it imagines: guesses contradict nothing that can be seen."""
    from random import Random

    staged = library.stage(name)
    scene, state = staged.scene, staged.state
    for side, names in scene.sides(state).items():
        imagine = scene.imagining(state, side)
        assert imagine is not None
        for seed in range(4):
            assert scene.view(imagine(Random(seed).random), names[0]).cards == scene.view(state, names[0]).cards


def test_figures_of_foes_are_not_known() -> None:
    staged = library.stage("scumm/duel")
    fighter = staged.state.fighter("Teodor")  # type: ignore[attr-defined]
    spent = staged.state.change("Teodor", ammo=tuple(min(1, shots) for shots in fighter.ammo))  # type: ignore[attr-defined]
    assert thinks(staged, staged.state, "Vesna", "act") == thinks(staged, spent, "Vesna", "act")


def test_in_the_sixth_game_a_bag_is_nobodys_business() -> None:
    staged = library.stage("pebbles/on-the-beach")
    duel: Any = staged.state
    me = duel.cairns[0]
    full = replace(duel, cairns=tuple(cairn if cairn.side == me.side else replace(cairn, bag=cairn.full) for cairn in duel.cairns))
    empty = replace(duel, cairns=tuple(cairn if cairn.side == me.side else replace(cairn, bag=0) for cairn in duel.cairns))
    one, other = thinks(staged, full, me.name), thinks(staged, empty, me.name)
    assert one == other
    assert one.playouts > 10, one.note
    assert one.answer in ("throw", "gather")
