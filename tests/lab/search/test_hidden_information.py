"""Nobody who thinks for a side knows what the side cannot know: two states that differ only in that get the same answers."""

import random
from collections.abc import Iterator
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace
from tests.lab.search.test_planner import asked

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


@pytest.mark.slow
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

    from rulewright.scenes.hidden_state import out_of_sight, unseen_by

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


def walked(staged: library.Staged, seed: int) -> Iterator[Any]:
    """The states of a fight, one after the other."""
    from rulewright.play import Player, Seeded

    player, state = Player(Seeded(seed), staged.decide), staged.state
    for _ in range(60):
        if staged.scene.result(state) is not None:
            return
        state = player.run(staged.scene.step(state))
        yield state


def another_place(state: Any, name: str) -> Any:
    """The same moment with somebody at another place in the order of action, as each game has it."""
    if hasattr(state, "queue"):
        there = any(name in group for group in state.queue)
        left = tuple([group for group in [tuple([one for one in group if one != name]) for group in state.queue] if group])
        return replace(state, queue=left if there else (*left, (name,)))
    if hasattr(state, "order"):
        left = tuple([one for one in state.order if one != name])
        changed = state.change(name, qr=1 + state.fighter(name).qr % 9)
        return replace(changed, order=left if name in state.order else (*left, name))
    return state.change(name, at=state.fighter(name).at + 3)


def acting_now(state: Any) -> str:
    """Whose turn it is."""
    if hasattr(state, "queue"):
        return state.turn.name if state.turn is not None else state.queue[0][0] if state.queue else ""
    if getattr(state, "deeds", ()):
        return (*state.deeds[-1].granted, state.deeds[-1].who)[0]  # type: ignore[no-any-return]
    if hasattr(state, "order"):
        turn = getattr(state, "turn", "")
        return turn or (state.order[0] if state.order else "")
    due = [one for one in state.fighters if one.at <= state.count]
    return due[0].name if due else ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scumm/raid", "hybrid/inn", "silhouette/mill", "foresight/burglary", "foresight/sniper"])
def test_when_somebody_acts_whom_a_side_does_not_see_is_drawn_anew(name: str) -> None:
    """Two states that differ in the place of an unseen foe in the round alone are imagined alike, while one's own side acts."""
    from random import Random

    from rulewright.scenes.hidden_state import unseen_by

    staged = library.stage(name)
    scene, compared = staged.scene, 0
    for seed in range(8):
        for state in walked(staged, seed):
            for side, members in scene.sides(state).items():
                unseen = [foe for foe in unseen_by(scene, state, side) if foe not in scene.out(state)]
                if not unseen or acting_now(state) not in members or not hasattr(state.fighters[0], "profile"):
                    continue
                if unseen[0] not in [fighter.name for fighter in state.fighters]:
                    continue
                other = another_place(state, unseen[0])
                if other == state:
                    continue
                here, there = scene.imagining(state, side), scene.imagining(other, side)
                assert here is not None
                assert there is not None
                for number in range(3):
                    assert here(Random(number).random) == there(Random(number).random)
                compared += 1
            if compared > 8:
                return
    assert compared, "nobody was ever out of sight in it"


def test_what_somebody_declared_whom_a_side_does_not_see_is_not_known() -> None:
    from random import Random

    from rulewright.scenes.hidden_state import out_of_sight, unseen_by
    from rulewright.systems.ore.combat.fighters import Act, Plan

    staged = library.stage("ore/heist")
    state = next(state for state in walked(staged, 0) if acting_now(state) == "Tobias")
    hidden: Any = out_of_sight(staged.scene, state, "house", "Ines", Random(9).random)
    assert "Ines" in unseen_by(staged.scene, hidden, "house")
    left = tuple([name for name in hidden.order if name != "Ines"])
    declared = replace(hidden, plans=(*hidden.plans, Plan("Ines", (Act("run"),))), order=left)
    here, there = staged.scene.imagining(hidden, "house"), staged.scene.imagining(declared, "house")
    assert here is not None
    assert there is not None
    assert here(Random(1).random) == there(Random(1).random)


def test_who_thinks_answers_alike_whenever_the_hidden_sniper_acts() -> None:
    staged = library.stage("foresight/sniper")
    compared = 0
    for state in walked(staged, 3):
        if acting_now(state) == "Corin" and not state.declaring:
            here, there = thinks(staged, state, "Corin"), thinks(staged, another_place(state, "Ilse"), "Corin")
            assert here == there
            compared += here.playouts > 10
        if compared > 1:
            break
    assert compared


def test_the_places_that_are_imagined_differ() -> None:
    """A hidden guard may have acted already in a round, or be still to come."""
    from random import Random

    staged = library.stage("scumm/raid")
    found = set()
    for state in walked(staged, 1):
        if acting_now(state) == "Ruben":
            imagine = staged.scene.imagining(state, "robbers")
            assert imagine is not None
            found |= {any("Kolbe" in group for group in imagine(Random(number).random).queue) for number in range(30)}
            break
    assert found == {True, False}


def test_figures_of_foes_are_not_known() -> None:
    staged = library.stage("scumm/duel")
    fighter = staged.state.fighter("Teodor")  # type: ignore[attr-defined]
    spent = staged.state.change("Teodor", ammo=tuple(min(1, shots) for shots in fighter.ammo))  # type: ignore[attr-defined]
    assert thinks(staged, staged.state, "Vesna", "act") == thinks(staged, spent, "Vesna", "act")


@pytest.mark.parametrize(
    ("name", "side", "path"), [("hybrid/knife-fight", "changer", "energy.fatigue"), ("foresight/brawl", "law", "stamina")]
)
def test_a_foe_is_taken_to_be_as_spent_as_those_who_imagine_them(name: str, side: str, path: str) -> None:
    staged = library.stage(name)
    scene, begun = staged.scene, staged.state
    fighters: Any = begun.fighters  # type: ignore[attr-defined]
    foe = next(one.name for one in fighters if one.side != side)

    def left(share: float, theirs: float) -> list[float]:
        """What the foe is imagined to have left, if all of a side have so much left, and the foe in truth another share."""
        state: Any = begun
        for one in fighters:
            if one.side == side or one.name == foe:
                state = state.change(one.name, body=_with_left(one.body, path, share if one.side == side else theirs))
        imagine = scene.imagining(state, side)
        assert imagine is not None
        return [_left(imagine(random.Random(number).random).fighter(foe).body, path) for number in range(60)]

    fresh, spent = left(1.0, 1.0), left(0.3, 0.3)
    assert fmean(fresh) > 0.85
    assert 0.2 < fmean(spent) < 0.4
    assert max(spent) < 0.65
    assert spent == left(0.3, 0.9), "what the foe has in truth is not known"


def _with_left(body: Any, path: str, share: float) -> Any:
    if path == "stamina":
        return replace(body, stamina=round(share * body.stamina_max))
    return replace(body, energy=replace(body.energy, fatigue=round(share * body.energy.most_fatigue)))


def _left(body: Any, path: str) -> float:
    return body.stamina / body.stamina_max if path == "stamina" else body.energy.fatigue / body.energy.most_fatigue


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
