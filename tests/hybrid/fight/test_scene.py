"""Hybrid's fights as scenes: how they begin and end, what people see, how they decide."""

import msgspec
import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Event, Seeded, play
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Member, Placed, Scenario
from rulewright.systems.hybrid.combat.fighters import Doing, Fight
from rulewright.systems.hybrid.fight.actions.base import Chosen
from rulewright.systems.hybrid.fight.actions.registry import begin as begin_deed
from rulewright.systems.hybrid.fight.scene import TACTICS, begin
from rulewright.systems.hybrid.game import Hybrid
from rulewright.systems.hybrid.lab_view.scene import FightScene
from rulewright.systems.hybrid.people.characters import Character, Gear
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
SCENE = FightScene(RULES)
AL = Character(name="Al", skills={"Dagger": 12, "Unarmed Combat": 10}, gear=Gear(weapons=("knife",)))
BO = Character(name="Bo", skills={"Dagger": 10, "Archery": 9}, gear=Gear(weapons=("dagger", "bow"), armour=("leather coat",)))


def started(place=None, state=None, **changes):
    scenario = Scenario("hybrid", "scenario", "a fight", {"a": [Member("al")], "b": [Member("bo")]}, place=place or {}, **changes)
    members = (Placed(AL, "Al", "a", (0.0, 0.0), state or {}), Placed(BO, "Bo", "b", (1.5, 0.0), {}))
    return begin(RULES, scenario, members)


def test_a_scenario_begins_with_everybody_not_yet_entered():
    state = started(rounds=7)
    assert [one.entered for one in state.fighters] == [False, False]
    assert state.seconds == 7
    assert SCENE.sides(state) == {"a": ("Al",), "b": ("Bo",)}
    assert SCENE.round(replace(state, count=29)) == 2


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"in_hand": 99}, "Al: there are 3 things to fight with, counted from 0, and none at 99"),
        ({"lost": [0]}, "the knife cannot be in hand, it is lost"),
        ({"doing": {"what": "attack", "target": "Bo", "arm": 77}}, "none at 77"),
        ({"doing": {"what": "attack", "target": "Zed"}}, "there is no 'Zed' in this fight; there are Al, Bo"),
        ({"holding": "Zed", "hold": 20}, "there is no 'Zed'"),
        ({"holding": "Al", "hold": 20}, "Al cannot be their own opponent"),
        ({"bound_with": "Bo"}, "bound_with needs the same of Bo"),
        ({"pbd": -2}, "Al: pbd is at least 0, not -2"),
        ({"pbd_full": 0}, "at least 1 point"),
        ({"mind.fatigue": -1}, "Al: mind.fatigue is at least 0, not -1"),
        ({"points": -3}, "points is at least 0"),
        ({"off_balance": 2}, "0 or less, not 2"),
        ({"shock": "sleepy"}, "hyb-8-shock has no row 'sleepy'"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_a_sentence(state, message):
    with pytest.raises(UserError, match=message):
        started(state=state)


def test_what_a_scenario_may_change():
    assert started(state={"weapon": "fist"}).fighters[0].arm.name == "fist"
    assert started(state={"pbd": 3, "waiting": True}).fighters[0].body.pbd == 3
    with pytest.raises(UserError, match="not carried"):
        started(state={"weapon": "cannon"})
    with pytest.raises(UserError, match="no field"):
        started(state={"wings": 2})
    with pytest.raises(UserError, match="no side"):
        started(place={"unwary": "c"})
    with pytest.raises(UserError, match="place"):
        started(place={"moon": True})
    with pytest.raises(UserError):
        started(place={"surroundings": ["confetti"]})


def test_a_fight_ends_with_one_side_or_with_the_time():
    state = started(rounds=5)
    assert SCENE.result(state) is None
    dead = state.change("Bo", body=replace(state.fighter("Bo").body, dead=True, pbd=0))
    assert SCENE.result(dead).winner == "a"
    assert SCENE.out(dead) == {"Bo"}
    assert SCENE.result(replace(state, count=50)).winner is None


@pytest.mark.parametrize("tactic", sorted(TACTICS))
def test_every_tactic_plays_a_fight_to_its_end(tactic):
    for seed in (1, 2):
        encounter = Encounter.begin(SCENE, started(rounds=120))
        encounter.play_out(Seeded(seed), TACTICS[tactic])
        assert encounter.result is not None


def test_the_timeline_says_who_is_due_when_and_what_is_under_way():
    state = replace(started(), count=12)
    state = state.change("Al", entered=True, aware=True, at=14, doing=Doing("attack", "Bo", 12, "", "head"))
    state = state.change("Bo", entered=True, aware=True, at=20)
    own, other = SCENE.view(state, "Al"), SCENE.view(state, "Bo")
    assert [turn.at for turn in own.timeline.turns] == ["14: attacks Bo with the knife (head)", "20: decides"]
    assert [turn.at for turn in other.timeline.turns] == ["14: attacks Bo with the knife", "20: decides"]
    assert own.headline == "Count 12"
    assert "can react" in {piece.name for piece in own.cards[0].pieces}


def test_foes_see_no_figures_and_nobody_who_only_waits():
    state = started().change("Al", entered=True, aware=True, at=34, waiting=True, doing=Doing("wait", "", 10))
    names = {piece.name for piece in SCENE.view(state, "Bo").cards[0].pieces}
    assert not names & {"PBD", "PFT", "MFT", "waiting"}
    assert SCENE.view(state, "Bo").timeline.turns[0].at == "decides"
    assert SCENE.view(state, "Al").timeline.turns[0].at == "34: waits to be attacked"
    told = play(begin_deed(Chosen(RULES, "Al", 10, "wait"), started())).events
    assert [event.headline() for event in told] == ["Al waits to be attacked"]
    assert [(event.hidden_from("Bo"), event.hidden_from(None)) for event in told] == [(True, False)]


def test_the_lens_forgets_how_late_it_is_but_not_where_wounds_bleed_next():
    state = replace(started(), count=47).change("Al", at=50, doing=Doing("dodge", "", 45)).change("Bo", at=61)
    seen = SCENE.lens(state, "win")
    assert (seen.count, seen.fighter("Al").at, seen.fighter("Al").doing.began, seen.fighter("Bo").at) == (7, 10, 5, 21)
    assert SCENE.lens(state, "all") == state


def test_states_are_plain_and_hashable():
    state = started()
    assert msgspec.convert(msgspec.to_builtins(state), Fight) == state
    assert hash(msgspec.json.decode(msgspec.json.encode(state), type=Fight)) == hash(state)


def test_the_knife_fight_reads_count_by_count():
    found = library.stage("hybrid/scenarios/knife-fight")
    encounter = Encounter.begin(found.scene, found.state)
    encounter.play_out(Seeded(3), found.decide)
    told = [line.what.headline() for line in encounter.log if isinstance(line.what, Event)]
    counts = [int(line.removeprefix("Count ")) for line in told if line.startswith("Count ")]
    assert counts == sorted(counts)
    assert any("attacks" in line for line in told)
    assert any("will be ready at count" in line for line in told)
    assert any("takes" in line and "to the" in line for line in told)
    assert encounter.result is not None


def test_the_game_offers_its_scene_and_tactics():
    game = Hybrid()
    assert isinstance(game.scene(RULES), FightScene)
    assert next(iter(game.tactics)) == "fencer"
    assert len(game.tactics) >= 4
