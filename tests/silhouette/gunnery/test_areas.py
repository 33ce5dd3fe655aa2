"""Areas and machines that take up several hexes (book lines 4370-4374, 4955-4957)."""

import pytest

from rulewright.field.ground import Ground
from rulewright.play import Seeded, play
from rulewright.systems.silhouette.gunnery.areas import caught, mass_destruction
from rulewright.systems.silhouette.gunnery.shields import Shot
from rulewright.systems.silhouette.machines.vehicle import Device
from rulewright.systems.silhouette.maneuver.stacking import footprint, hexes_to
from silhouette.battles import RULES, battle, unit, vehicle

LARGE = unit("Large", at=(5, 5), design=vehicle(size=61, systems=(Device("gun", damage=10, range=3, uses=10),)))
"""Faces north, so that the others of its three hexes lie south of the first."""


def test_a_size_of_61_takes_up_three_hexes():
    assert footprint(LARGE) == ((5.0, 5.0), (5.0, 6.0), (5.0, 7.0))


@pytest.mark.parametrize(
    ("spot", "radius", "inside"),
    [
        ((5, 5), 0, True),
        ((5, 6), 0, True),
        ((5, 7), 0, True),
        ((5, 8), 0, False),
        ((5, 4), 0, False),
        ((5, 8), 1, True),
        ((5, 9), 1, False),
    ],
)
def test_an_area_reaches_a_large_machine_in_any_of_its_hexes(spot, radius, inside):
    assert ([each.name for each in caught(battle(LARGE), spot, radius)] == ["Large"]) is inside


def test_a_machine_of_one_hex_is_in_an_area_only_with_that():
    small = battle(unit("Small", at=(5, 5)))
    assert caught(small, (5, 6), 0) == []
    assert len(caught(small, (5, 6), 1)) == 1


@pytest.mark.parametrize("cell", [250, 500])
def test_in_the_hexes_of_air_and_space_nothing_takes_up_several(cell):
    wide = battle(LARGE, ground=Ground(grid="hexes", cell=cell, size=(20, 20), terrain="clear"))
    assert hexes_to(wide, (5, 7), LARGE) == 2
    assert caught(wide, (5, 7), 0) == []


def test_mass_destruction_strikes_as_hard_as_the_nearest_hex_of_a_machine_is_near():
    """A damage of 8 strikes tenfold within 2 hexes: the machine's last hex is 2 away, its first 4, where it would be fivefold."""
    gunner = unit("Gunner", "blue", (15, 15))
    scene = battle(LARGE, gunner)
    shot = Shot(attacker="Gunner", target="Large", arm=0, weapon="bomb", distance=9, band="short", side="front", damage=8)
    came = play(mass_destruction(RULES, scene, shot, (5, 9)), dice=Seeded(1))
    told = [reason for event in came.events for reason in event.reasons()]
    assert any(reason.value == 80 for top in told for _, reason in top.walk())
