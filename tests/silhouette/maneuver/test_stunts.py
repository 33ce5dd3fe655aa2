"""Stunts at the wheel (book lines 6910-6935)."""

import pytest
from tests.silhouette.maneuver.rolling import RULES, done

from rulewright.errors import UserError
from rulewright.systems.silhouette.maneuver import stunts
from rulewright.systems.silhouette.resolution.tests import Pool

PRINTED = {
    "Avoid Hazard (small)": 2,
    "Avoid Hazard (medium)": 5,
    "Avoid Hazard (large)": 8,
    "Avoid Hazard (ground)": 5,
    "Bootlegger 45": 2,
    "Bootlegger 90": 5,
    "Bootlegger 180": 8,
    "Hard Brake": 5,
    "Hard Turn": 5,
    "Sideswipe": 5,
}
"""Lines 6926-6935, entered a second time."""


def test_stunts_have_the_printed_thresholds() -> None:
    assert {name: stunts.stunt_threshold(RULES, name) for name in stunts.STUNTS(RULES)} == PRINTED
    with pytest.raises(UserError, match="Hard Brake"):
        stunts.stunt_threshold(RULES, "Hard Brak")


def test_maneuver_and_speed_count_in_every_stunt() -> None:
    assert done(stunts.try_stunt(RULES, "Hard Turn", Pool(2), 1, 1), (3, 2)).passed
    assert not done(stunts.try_stunt(RULES, "Hard Turn", Pool(2), 1, 0), (3, 2)).passed
    assert done(stunts.try_stunt(RULES, "Bootlegger 180", Pool(2), -1, -3), (6, 2)).margin == -6
    assert done(stunts.try_stunt(RULES, "Hard Turn", Pool(2), 9, 0), (1, 1)).fumble
