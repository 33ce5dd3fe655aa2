"""Hidden people stay hidden: two plays that differ only in the names of those whom a side has not found are alike for that side.

A player of the side gets the same view, the same log lines, at the same moments, and the same questions, until one of them is found.
"""

import msgspec
import pytest
from msgspec.structs import replace

from conformance.games import demos, seeds, staged
from rulewright import library
from rulewright.play import Choice, Event, Range, Rolled, Seeded
from rulewright.scenes.encounter import Encounter

MOST_ANSWERS = 150
TWIN = "q"
"""What the names of hidden people and sides end in, in the second play."""


def hidden_from(scene, state, side):
    """Everybody of another side whom a side has not found."""
    seen = scene.in_sight(state, side)
    others = [name for other, names in scene.sides(state).items() if other != side for name in names]
    return frozenset() if seen is None else frozenset(name for name in others if name not in seen)


def pairs():
    """Scenarios, with a side that has not found somebody at the beginning."""
    given = [(name, staged(name).scene, staged(name).state) for name in demos("scenario")]
    return [(name, side) for name, scene, state in given for side in scene.sides(state) if hidden_from(scene, state, side)]


def renamed(value, names):
    """Plain data in which these names have another ending."""
    if isinstance(value, dict):
        return {renamed(key, names): renamed(below, names) for key, below in value.items()}
    if isinstance(value, list):
        return [renamed(below, names) for below in value]
    return f"{value}{TWIN}" if isinstance(value, str) and value in names else value


def twins(name, side):
    """The two plays, the names that differ in the first, and those in the second."""
    first = staged(name)
    unseen = hidden_from(first.scene, first.state, side)
    sides = {other for other, names in first.scene.sides(first.state).items() if other != side and unseen.issuperset(names)}
    kept = library.take(name)
    scenario, bases = named(kept.thing, first.members)
    others = {base for base, names in bases.items() if unseen.issuperset(names)}
    plain = renamed(msgspec.to_builtins(scenario), others | sides)
    second = library.staged(replace(kept, thing=msgspec.convert(plain, type(kept.thing))), None)
    return first, second, frozenset(name for base in others for name in bases[base])


def named(scenario, members):
    """The scenario with a name for every member, and who they are: several for a member with a count."""
    names, bases, sides = iter([member.name for member in members]), {}, {}
    for side, group in scenario.sides.items():
        sides[side] = []
        for member in group:
            mine = [next(names) for _ in range(member.count)]
            base = mine[0] if member.count == 1 else member.name or mine[0].removesuffix(" 1")
            bases[base] = mine
            sides[side].append(replace(member, name=base))
    return replace(scenario, sides=sides), bases


def received(encounter, player, own, before):
    """What a player gets: the view, new lines of the log, and the questions to their side."""
    lines = [line.what for line in encounter.log[before:] if not line.hidden_from(player)]
    asked = [request for _, request in encounter.open if isinstance(request, Choice) and request.who in own]
    return {
        "view": msgspec.json.encode(encounter.scene.view(encounter.now, player), enc_hook=str),
        "log": [words(what) for what in lines],
        "questions": [(choice.who, choice.ask_for, options(choice)) for choice in asked],
    }


def words(what):
    if isinstance(what, Event):
        return what.headline(), [(reason.label, reason.value) for root in what.reasons() for _, reason in root.walk()]
    return (what.roll.by, what.roll.what, str(what.result)) if isinstance(what, Rolled) else str(what)


def options(choice):
    if isinstance(choice.options, Range):
        return choice.options
    return [(option.key, option.label, option.note, option.target) for option in choice.options]


@seeds
@pytest.mark.parametrize(("name", "side"), pairs())
def test_names_of_hidden_people_change_nothing_for_who_has_not_found_them(name, side, seed):
    first, second, unseen = twins(name, side)
    own = set(first.scene.sides(first.state)[side])
    player = min(own)
    plays = [(Encounter.begin(one.scene, one.state), Seeded(seed), one.decide) for one in (first, second)]
    heard = [0, 0]
    for _ in range(MOST_ANSWERS):
        if unseen & (first.scene.in_sight(plays[0][0].now, side) or frozenset()):
            break
        got = [received(encounter, player, own, before) for (encounter, _, _), before in zip(plays, heard, strict=True)]
        assert got[0] == got[1]
        heard = [len(encounter.log) for encounter, _, _ in plays]
        goes_on = [encounter.advance(dice, decide) for encounter, dice, decide in plays]
        if not all(goes_on):
            break
