"""Kinds of scenes besides fights: a scenario names its kind, and a record stores it."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.library import stage, take_record
from rulewright.play import Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Begun, RecordFile
from rulewright.system import System, find

RACE = """system: pebbles
kind: scenario
name: Race
scene: {scene}
sides:
  one: [{{character: wilma}}]
  other: [{{character: oskar, tactic: {tactic}}}]
"""


def written(tmp_path, scene="race", tactic="steady"):
    path = tmp_path / "race.yaml"
    path.write_text(RACE.format(scene=scene, tactic=tactic))
    return path


def test_a_scenario_is_played_as_the_scene_it_names(tmp_path):
    race = stage(written(tmp_path))
    assert race.scene.kind == "race"
    assert type(race.state).__name__ == "Race"
    fight = stage(written(tmp_path, "fight", "bold"))
    assert fight.scene.kind == "fight"
    assert type(fight.state).__name__ == "Duel"


def test_a_scenario_that_names_none_is_a_fight():
    assert stage("pebbles/on-the-beach").scene.kind == "fight"


def test_an_unknown_scene_is_refused_with_its_place_and_the_nearest_one(tmp_path):
    with pytest.raises(UserError, match=r"race\.yaml:4:1: scene: Pebbles has no scene 'rase'; did you mean .race.\?$"):
        stage(written(tmp_path, "rase"))


def test_a_tactic_of_another_scene_is_refused(tmp_path):
    with pytest.raises(UserError, match="no tactic 'bold'"):
        stage(written(tmp_path, "race", "bold"))
    with pytest.raises(UserError, match="no tactic 'steady'"):
        stage(written(tmp_path, "fight", "steady"))


def test_a_game_without_scenes_says_so():
    nothing = System()
    nothing.name = "Nothing"
    assert not nothing.fights
    with pytest.raises(UserError, match=r"Nothing has no scene 'fight'$"):
        nothing.staging("fight")


def test_a_record_is_opened_with_the_scene_that_it_was_played_in(tmp_path):
    race = stage(written(tmp_path))
    keep = RecordFile(tmp_path / "race.jsonl")
    played = Encounter.begin(race.scene, race.state, keep=keep)
    played.play_out(Seeded(1), race.decide)
    keep.close()
    recorded = take_record(tmp_path / "race.jsonl")
    assert recorded.begun.scene == recorded.scene.kind == "race"
    assert Encounter(recorded.scene, recorded.entries).state == played.state


def test_a_record_of_one_scene_does_not_open_in_another(tmp_path):
    race = stage(written(tmp_path))
    played = Encounter.begin(race.scene, race.state)
    fights = find("pebbles").scene(race.rules)
    with pytest.raises(UserError, match="begins a scene of kind race, not fight"):
        Encounter(fights, played.entries)


def test_a_record_from_before_there_were_kinds_is_one_of_a_fight():
    fight = stage("pebbles/on-the-beach")
    begun = msgspec.to_builtins(Encounter.begin(fight.scene, fight.state).entries[0])
    del begun["scene"]
    assert msgspec.convert(begun, Begun).scene == "fight"
