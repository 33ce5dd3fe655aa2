"""No state that cannot be begins a scene unnoticed: numbers out of their limits are refused with file, line and field."""

import re
from functools import cache, partial

import msgspec
import pytest
from msgspec.structs import replace

from conformance.games import demos
from rulewright import library
from rulewright.errors import UserError
from rulewright.scenes.scenarios import CONDITION
from rulewright.state_faults import limits_of
from rulewright.system import find, names

FAR = 10**9


def kinds_of_scene():
    """The first ready-made scenario of every kind of scene of every game."""
    first = {}
    for name in demos("scenario"):
        kept = library.take(name)
        first.setdefault((kept.system.id, kept.thing.scene), name)
    return list(first.values())


def numeric_fields(data):
    """The names of all numbers anywhere in plain data."""
    names_found = set()
    if isinstance(data, dict):
        for key, value in data.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            names_found |= {str(key)} if is_number else numeric_fields(value)
    elif isinstance(data, list | tuple):
        for value in data:
            names_found |= numeric_fields(value)
    return names_found


def with_state(kept, field, value):
    """The scenario with one more field in the state of its first member."""
    side, members = next(iter(kept.thing.sides.items()))
    changed = replace(members[0], state={**members[0].state, field: value})
    return replace(kept, thing=replace(kept.thing, sides={**kept.thing.sides, side: [changed, *members[1:]]}))


@cache
def member(game, reference):
    """A ready-made character or machine, loaded once."""
    return library.fetch(find(game), reference)


@cache
def default_rules(game):
    return library.ruleset(find(game))


def refusal(kept):
    """Why a scenario cannot begin; nothing if it can."""
    try:
        library.staged(kept, None, find_member=partial(member, kept.system.id), rules=default_rules(kept.system.id))
    except UserError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", kinds_of_scene())
def test_no_number_far_out_of_its_limits_begins_a_scene(name):
    kept = library.take(name)
    staged = library.staged(kept, None)
    unnoticed = []
    for field in sorted(numeric_fields(msgspec.to_builtins(staged.state))):
        least, most = limits_of(staged.scene, field)
        for value in (least - 1, most + 1):
            message = refusal(with_state(kept, field, int(value)))
            if "no field" in message or "unknown field" in message:
                break
            if not re.search(rf"\.yaml:\d+:\d+: sides\..*{field}", message):
                unnoticed.append((field, value, message))
    assert unnoticed == []


@pytest.mark.parametrize("name", kinds_of_scene())
def test_every_fault_of_the_states_is_said_at_once(name):
    kept = library.take(name)
    faulty = with_state(with_state(with_state(kept, "no such field", 1), "nor this one", FAR), "below nothing", -1)
    with pytest.raises(UserError) as caught:
        library.staged(faulty, None)
    assert any("no such field" in part for part in caught.value.parts)
    assert any("nor this one" in part for part in caught.value.parts)
    assert all("no field" in part or "unknown field" in part for part in caught.value.parts), "a number of an unknown field has no limits"


@pytest.mark.parametrize("game", names())
def test_results_of_scenes_that_cannot_be_are_found_by_the_audit(game):
    system = find(game)
    scene = system.staging("fight").scene(library.ruleset(system))
    checked = 0
    for name in demos("character"):
        kept = library.take(name)
        if kept.system.id != game or not hasattr(kept.thing, CONDITION):
            continue
        for field in scene.carries:
            for value in (-FAR, FAR):
                wrong = replace(kept, thing=replace(kept.thing, condition={field: value}))
                try:
                    audit = library.audit(wrong)
                except UserError:
                    continue
                new = [problem for problem in audit.problems if problem.field.startswith(CONDITION)]
                assert new, (name, field, value)
                checked += 1
        break
    assert checked or not scene.carries
