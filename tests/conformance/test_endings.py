"""People can withdraw and surrender in every fight of people; a fight that ends by morale asks those who are shaken, and tells it."""

import pytest
from msgspec.structs import replace

from conformance.games import demos, staged, taken
from rulewright.errors import UserError
from rulewright.field.people import Gathering
from rulewright.play import Player, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.skirmish import Parting
from rulewright.system import find

MOST_STEPS = 150


def scene_of(name):
    """The scene of a scenario, without its people: they are not needed until a test plays it."""
    file = taken(name)
    return file.system.staging(file.thing.scene).scene(file.system.book.ruleset())


FIGHTS = [name for name in demos("scenario") if isinstance(scene_of(name), Parting)]


def people(state):
    return [fighter.name for fighter in state.fighters]


def test_every_game_of_the_books_has_fights_that_people_can_leave():
    assert {name.partition("/")[0] for name in FIGHTS} >= {"foresight", "hybrid", "ore", "scumm", "silhouette"}


@pytest.mark.parametrize("name", FIGHTS)
@pytest.mark.parametrize("how", ["withdraw", "surrender"])
def test_anybody_can_leave_and_when_a_side_has_left_the_fight_is_over(name, how):
    found = staged(name)
    encounter = Encounter.begin(found.scene, found.state)
    first = found.state.fighters[0]
    encounter.leave(first.name, how)
    assert first.name in found.scene.out(encounter.state)
    with pytest.raises(UserError, match="already"):
        encounter.leave(first.name, how)
    assert Encounter(found.scene, encounter.entries).state == encounter.state
    state = encounter.state
    for fighter in state.fighters:
        if fighter.side == first.side and found.scene.able(state, fighter):
            state = found.scene.leave(state, fighter.name, how)
    others = {side for side in found.scene.sides(state) if side != first.side}
    result = found.scene.result(state)
    groups = any(group.side == first.side for group in getattr(state, "groups", ()))
    assert groups or len(others) > 1 or (result is not None and result.winner in others)


@pytest.mark.parametrize("name", FIGHTS)
def test_a_fight_by_morale_asks_the_shaken_and_tells_who_leaves(name):
    found = staged(name)
    scene, state, dice = found.scene, replace(found.state, ends="by morale"), Seeded(1)
    asked, told = [], []
    for _ in range(MOST_STEPS):
        if scene.result(state) is not None:
            break

        def decide(choice):
            if choice.topic == "morale":
                asked.append((choice.who, found.decide(choice)))
            return found.decide(choice)

        player = Player(dice, decide)
        state = player.run(scene.step(state))
        told += [event.headline() for event in player.events]
    for who, given in asked:
        if given != "fight on":
            assert any(line.startswith(who) and ("withdraw" in line or "surrender" in line) for line in told)
            assert who in scene.out(state)
    assert len([who for who, given in asked if given != "fight on"]) == len({who for who, given in asked if given != "fight on"})


@pytest.mark.parametrize("game", ["foresight", "hybrid", "ore", "scumm", "silhouette"])
def test_every_tactic_leaves_when_shaken(game):
    """The wise answer comes first; a tactic without a will of its own takes it."""
    name = next(name for name in FIGHTS if name.startswith(f"{game}/"))
    found = staged(name)
    choice = found.scene.question_of_resolve(found.state, found.state.fighters[0])
    for tactic in find(game).staging("fight").tactics.values():
        assert tactic(choice) == choice.options[0].key


def test_old_scenarios_fight_to_the_end():
    assert all(not isinstance(staged(name).state, Gathering) or staged(name).state.ends == "to the end" for name in FIGHTS)
