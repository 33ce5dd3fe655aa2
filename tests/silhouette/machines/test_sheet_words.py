"""What a machine's sheet and audit say: thresholds, speeds, large numbers, impossible entries; and duels on fitting terrain."""

import re

import pytest
from click.testing import CliRunner
from conformance.games import demos, taken

from rulewright.cli import rulewright
from rulewright.cli.text import value
from rulewright.show.serialize import words
from rulewright.systems.silhouette.machines.audit.audit import audit
from rulewright.systems.silhouette.machines.vehicle import Fitted, Movement

from ..battles import COMMS, RULES, vehicle

MACHINES = [name for name in demos("vehicle") if taken(name).system.id == "silhouette"]


@pytest.mark.parametrize("name", MACHINES)
def test_a_sheet_has_no_exponents_and_no_top_of_overkill(name):
    shown = CliRunner().invoke(rulewright, ["sheet", name]).stdout
    assert not re.search(r"\de\+\d", shown)
    assert "Overkill to" not in shown
    assert "Overkill from" in shown
    assert not re.search(r"half combat to \d+\.", shown)


def test_large_numbers_have_no_exponent():
    assert [show(2005312.5) for show in (value, words)] == ["2005312", "2005312"]
    assert [show(2.5) for show in (value, words)] == ["2.5", "2.5"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"movement": (Movement("ground", 0),)}, "movement.0.top"),
        ({"perks": (COMMS, *[Fitted("reinforced armor", 1, on="front")] * 2)}, "perks.2"),
    ],
)
def test_movement_without_speed_and_armor_twice_on_an_arc_are_refused(changes, field):
    problems = [problem for problem in audit(RULES, vehicle(**changes)).problems if not problem.warning]
    assert field in [problem.field for problem in problems]


def test_a_ready_made_machine_carries_ecm():
    assert any(perk.name == "ecm" for name in MACHINES for perk in taken(name).thing.perks)


@pytest.mark.parametrize("pair", [("tern-cutter", "hagfish-submarine"), ("tern-cutter", "tern-cutter"), ("heron-walker", "static-jammer")])
def test_a_duel_finds_terrain_that_suits_both(pair):
    shown = CliRunner().invoke(rulewright, ["duel", *[f"silhouette/{name}" for name in pair], "-n", "20"])
    assert shown.exit_code == 0, shown.output


def test_a_duel_without_fitting_terrain_names_the_option():
    shown = CliRunner().invoke(rulewright, ["duel", "silhouette/tern-cutter", "silhouette/heron-walker"])
    assert shown.exit_code
    assert "--over" in str(shown.exception)
