"""Two tables that differ only in what is hidden give a player the same bytes, the same events and the same moments."""

import re
from random import Random

import msgspec
import pytest

from rulewright.field.map_strokes import Stroke
from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.scenes import demos
from rulewright.table.service import Tables
from table.ear import Ear
from table.group import gather

SCENARIOS = [(game.id, name) for game in demos.playable() for name in demos.scenarios(game.id)]
STEPS = 10
ALSO_DESIGNS = {("silhouette", "scrapyard"): {"Heron"}}
"""Names that are also words for something visible."""


def begun(group, name, side):
    """A ready-made scene in which Ana controls one side; returns the names of that side."""
    for who in ("ana", "bea"):
        group.act(who, a.ChooseDice(True))
    group.act("bea", a.BeginScene(ready=name))
    sides = [people for people in sides_of(group).values() if people]
    for who in sides[side]:
        group.act("bea", a.SetHand(1, who, member=group.ana))
    return sides[side]


def sides_of(group):
    with group.tables.looking(group.table) as table:
        encounter = table.scene(1).encounter
        return {side: list(people) for side, people in encounter.scene.sides(encounter.state).items()}


def step(group, whim):
    """The gamemaster answers one open question; false if there is none."""
    questions = [question for question in group.scene("bea").questions if question.mine]
    if not questions:
        return False
    question = whim.choice(questions)
    action = a.RollDice(1, question.at) if question.sort == "roll" else a.Decide(1, question.at, question.mark)
    group.act("bea", action)
    return True


def shown(group):
    """Who Ana sees. Those who see a machine may learn who is aboard."""
    view = group.scene("ana").view
    seen = {card.name for card in view.cards} | {place.name for place in view.places}
    with group.tables.looking(group.table) as table:
        units = getattr(table.scene(1).encounter.state, "units", ())
        return seen | {rider.name for unit in units if unit.name in seen for rider in getattr(unit, "riders", ())}


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_nobody_receives_the_name_of_somebody_they_have_not_found(tmp_path, game, name):
    tables = Tables(str(tmp_path / "tables.db"), dice=Seeded(5))
    for side in (0, -1):
        _refuse_names(gather(tables, game), Random(f"{game} {name}"), name, side, ALSO_DESIGNS.get((game, name), set()))
    tables.close()


def _refuse_names(group, whim, name, side, words):
    """Play a scene, and fail if Ana receives a name of the other side that she has not found."""
    own = begun(group, name, side)
    found, received = {*own, *words}, ""
    for moment in range(STEPS):
        found |= shown(group)
        hidden = [who for people in sides_of(group).values() for who in people if who not in found]
        received += msgspec.json.encode((group.view("ana"), group.log("ana", 20))).decode()
        told = [who for who in hidden if re.search(rf"(?<!\w){re.escape(who)}(?!\w)", received)]
        assert not told, f"side {side} at step {moment}"
        if not step(group, whim):
            break


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, name in SCENARIOS if name in ("burglary", "ambush", "raid", "sub-hunt")])
def test_what_the_gamemaster_does_in_secret_is_neither_seen_nor_counted(tmp_path, game, name):
    plain, busy = (twin(tmp_path / which, game, name) for which in ("plain", "busy"))
    ears = [Ear(group, who) for group in (plain, busy) for who in ("ana", "dan")]
    digits = Random(f"{game} {name}")
    seeds = [digits.random() for _ in range(8)]
    for moment, seed in enumerate(seeds):
        for group in (plain, busy):
            step(group, Random(seed))
        for ear in ears:
            ear.listen()
        act_in_secret(busy, moment)
        counts = [len(ear.events) for ear in ears]
        for ear in ears:
            ear.listen()
        assert [len(ear.events) for ear in ears] == counts, f"at step {moment}"
    for ours, theirs in zip(ears[:2], ears[2:], strict=True):
        assert msgspec.json.encode(ours.events) == msgspec.json.encode(theirs.events)
    for group in (plain, busy):
        group.tables.close()


def twin(folder, game, name):
    """A table with a scene and a hidden map, always with the same dice."""
    folder.mkdir()
    group = gather(Tables(str(folder / "tables.db"), dice=Seeded(9), clock=lambda: 10**15), game)
    begun(group, name, 0)
    return group


def act_in_secret(group, moment):
    """Everything that a gamemaster does unseen: notes, markers, maps, whispers, secret tests, prepared people."""
    group.act("bea", a.WriteNote(f"Plan {moment}", "The duchess did it."))
    group.act("bea", a.PlaceToken(f"trap {moment}", 1.0, 1.0, hidden=True))
    group.act("bea", a.Say("Nobody knows.", (group.cleo,)))
    group.act("bea", a.AddCharacter(name=f"Spy {moment}", hidden=True))
    kept = group.act("bea", a.KeepMap(f"Lair {moment}")).made
    group.act("bea", a.Draw(Stroke("regions", None, {"name": "pit", "veiled": True, "box": [0, 0, 3, 3]}), kept))
    group.act("cleo", a.WriteNote(f"Diary {moment}", "I trust nobody."))
