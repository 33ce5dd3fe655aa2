"""What a side has not found its people do not see: cards, map, questions and log, from the first step of a battle to the last."""

import re

import msgspec
import pytest

from rulewright import library
from rulewright.play import Choice, Event, Rolled, Seeded
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Decided, Encounter
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.movement.movement import Passing
from rulewright.systems.silhouette.battle.sensors.sightings import in_sight


def said(what):
    """Everything that a line of the log says to whoever may read it."""
    if isinstance(what, Event):
        words = [what.headline(), *[reason.label for reason in what.reasons()]]
        verdict = what.verdict()
        return " ".join([*words, *([verdict.by, verdict.to, verdict.name] if verdict is not None else [])])
    if isinstance(what, Rolled):
        return f"{what.roll.by} {what.roll.what}"
    if isinstance(what, Decided):
        return f"{what.who} {what.question} {what.answer}"
    return ""


def named(text, names):
    return {name for name in names if re.search(rf"\b{re.escape(name)}\b", text)}


def played(name, seed):
    """Every moment of a battle: the encounter, and the lines of the log that are new since the moment before."""
    staged = library.stage(name)
    encounter = Encounter.begin(staged.scene, staged.state)
    dice, lines = Seeded(seed), 0
    for _ in range(4_000):
        yield encounter, encounter.log[lines:]
        lines = len(encounter.log)
        if not encounter.advance(dice, staged.decide):
            return


def hidden(encounter, state, side):
    return {unit.name for unit in state.units if unit.name not in in_sight(encounter.scene.rules, state, side)}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_of_what_is_hidden_reaches_the_other_side(seed):
    """Who comes into sight on the way may be interrupted there, and is named in that question alone."""
    hid, looked = 0, 0
    before, glimpsed = {}, {"convoy": set(), "raiders": set()}
    for encounter, fresh in played("silhouette/scenarios/forest-ambush", seed):
        now = encounter.now
        for side in ("convoy", "raiders"):
            viewer = next(unit.name for unit in now.units if unit.side == side)
            secret = hidden(encounter, now, side)
            hid, looked = hid + bool(secret), looked + 1
            view = encounter.scene.view(now, viewer)
            assert not named(str(msgspec.to_builtins(view.cards)) + str(view.timeline) + view.headline, secret)
            assert not {place.name for place in view.places} & secret
            for _, request in encounter.open:
                if isinstance(request, Choice) and encounter.scene.sides(now)[side].count(request.who):
                    offered = request.options if isinstance(request.options, tuple) else ()
                    told = " ".join([request.ask_for, *[f"{each.key} {each.label} {each.target} {each.note}" for each in offered]])
                    if isinstance(request.about, Passing):
                        glimpsed[side].add(request.about.mover)
                    assert not named(told, secret - glimpsed[side]), request.ask_for
            for line in fresh:
                if not line.hidden_from(viewer):
                    assert not named(said(line.what), (secret & before.get(side, secret)) - glimpsed[side]), said(line.what)
            before[side] = secret
            if any(
                isinstance(request, Choice) and isinstance(request.about, About) and request.topic == "act" for _, request in encounter.open
            ):
                glimpsed[side].clear()
    assert hid > 10, "the scenario hides nobody"
    assert looked > hid


NOBODY_IN_REACH = """
system: silhouette
kind: scenario
scene: battle
name: Woods
sides:
  a: [{character: vehicles/bastion-tank, name: Tank, at: [5, 8], state: {facing: 1}}]
  b: [{character: vehicles/heron-walker, name: Daw, at: [14, 8], state: {facing: 4}}]
map: {grid: hexes, cell: 50, size: [16, 12], terrain: woodland}
"""


def test_no_chance_of_a_search_says_that_nobody_is_there(tmp_path):
    """A roll for somebody hidden is the gamemaster's, so that no chance is shown; nor is one where nobody is in reach."""
    (tmp_path / "woods.yaml").write_text(NOBODY_IN_REACH)
    staged = library.stage(tmp_path / "woods.yaml")
    encounter, dice = Encounter.begin(staged.scene, staged.state), Seeded(2)
    searches = 0
    for _ in range(40):
        for at, request in encounter.open:
            if isinstance(request, Choice) and request.topic == "act" and "sweep" in set(request.keys()):
                weighed = weigh(Asked(encounter.moment(at), ("Tank",), staged.decide), 1.0, ["sweep"])
                assert not any(option.outcomes for option in weighed)
                searches += 1
        encounter.advance(dice, staged.decide)
    assert searches
