"""What the bench measures against still reads what it is given: a new field of a file is one of the peer's too."""

import msgspec
from benchmarks.characters import CharacterModel, veteran
from benchmarks.machines import VehicleModel, dreadnought


def test_the_peer_reads_a_character_of_today():
    assert CharacterModel.model_validate_json(msgspec.json.encode(veteran())).name == veteran().name


def test_the_peer_reads_a_machine_of_today():
    assert VehicleModel.model_validate_json(msgspec.json.encode(dreadnought())).name == dreadnought().name
