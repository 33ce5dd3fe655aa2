"""Lasting results in every game: present in every state, accepted by the next scene, and described in words."""

import msgspec
import pytest

from conformance.games import NAMES, demos, staged, taken
from conformance.random_play import states
from rulewright import library
from rulewright.scenes.scenarios import CONDITION, Placed
from rulewright.system import find

scenarios = pytest.mark.parametrize("name", demos("scenario"))


def people(scene, state):
    return [name for names in scene.sides(state).values() for name in names]


def values(lasting):
    return {field: lasts.value for field, lasts in lasting.items()}


@pytest.mark.parametrize("name", NAMES)
def test_wounds_outlast_the_fights_of_every_game_and_it_says_where_they_heal(name):
    game = find(name)
    rules = game.book.ruleset()
    assert game.staging("fight").scene(rules).carries
    assert set(game.healing) <= {info.id for info in game.book.rules()}
    assert game.healing or name == "pebbles"


@scenarios
def test_what_outlasts_a_scene_is_there_from_the_first_state_to_the_last(name):
    scene, path = staged(name).scene, states(name, 1)
    for who in people(scene, path[0]):
        fields = {field: type(lasts.value) for field, lasts in scene.lasting(path[0], who).items()}
        assert {field.partition(".")[0] for field in fields} <= set(scene.carries)
        for state in (path[len(path) // 2], path[-1]):
            assert set(scene.lasting(state, who)) == set(fields)
        assert all(lasts.words for lasts in scene.lasting(path[-1], who).values())


@scenarios
def test_the_next_scene_begins_with_what_the_last_one_left(name):
    """The same people meet again: everything that outlasts a scene is as it was at the end, for participants and for a newcomer."""
    found = staged(name)
    scene, path = found.scene, states(name, 1)
    last = path[-1] if found.scenario.scene == "fight" else path[len(path) // 2]
    left = {who: values(scene.lasting(last, who)) for who in people(scene, last)}
    assert msgspec.json.decode(msgspec.json.encode(left)) == left
    members = [msgspec.structs.replace(member, state={**member.state, **left[member.name]}) for member in found.members]
    again = found.system.staging(found.scenario.scene).begin(found.rules, found.scenario, members)
    back = {who: values(scene.lasting(again, who)) for who in people(scene, again)}
    assert {who: lasts for who, lasts in back.items() if lasts} == {who: left[who] for who in back if back[who]}
    if found.scenario.scene == "fight":
        assert back == left


@scenarios
def test_who_comes_in_later_brings_along_what_they_carry(name):
    found = staged(name)
    scene, last = found.scene, states(name, 1)[-1]
    member = next((member for member in found.members if scene.lasting(last, member.name)), None)
    if member is None:
        assert not scene.carries
        return
    left = values(scene.lasting(last, member.name))
    newcomer = Placed(member.character, "Somebody new", member.side, None, left)
    joined = scene.join(found.state, newcomer, member.side)
    back = values(scene.lasting(joined, "Somebody new"))
    assert back == left or (not back and found.scenario.scene == "convalescence")  # who is healthy again is no patient


@scenarios
def test_what_a_scene_left_stands_in_the_file_and_the_next_scene_begins_from_it(name):
    """Wounds are stored in one place: the character that sheet, file and next scene read; only the scenario itself overrides it."""
    found = staged(name)
    scene, last = found.scene, states(name, 1)[-1]
    for member in found.members:
        character = member.character
        if not hasattr(character, CONDITION) or sum(each.character == character for each in found.members) > 1:
            continue
        left = values(scene.lasting(last, member.name))
        after = msgspec.convert(msgspec.to_builtins(msgspec.structs.replace(character, condition=left)), type(character))
        kind = next(kind for kind, type_ in found.system.kinds.items() if type_ is type(character))
        assert found.system.sheet(found.rules, after).kind == kind
        find_again = {id(one.character): one.character for one in found.members} | {id(character): after}
        files_of = {one.character: find_again[id(match.character)] for one, match in _files(found)}
        again = staged_again(name, lambda reference, files_of=files_of: files_of[reference])
        said = {field: value for field, value in member.state.items() if field in left}
        assert values(scene.lasting(again.state, member.name)) == left | said or found.scenario.scene != "fight"


def _files(found):
    """The members of the scenario file, each with one of those who were placed for it."""
    listed = [member for members in found.scenario.sides.values() for member in members]
    placed = list(found.members)
    return [(member, placed[sum(each.count for each in listed[:at])]) for at, member in enumerate(listed)]


def staged_again(name, find_member):
    return library.staged(taken(name), None, find_member=find_member, rules=staged(name).rules)
