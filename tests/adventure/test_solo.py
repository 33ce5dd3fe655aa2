"""An adventure that is played without a gamemaster."""

import pytest

from adventure.small import MAIN, content
from rulewright.adventure.scene import outcomes
from rulewright.adventure.story import Story
from rulewright.campaign.roll_request import Attempt, Attempted, RollRequest, Way
from rulewright.playthrough.loader import open_content
from rulewright.playthrough.solo import verdict_of

DRAW = "failure: [{tick: noise}], draw: [{mark: nearly}]"


@pytest.mark.parametrize(("main", "verdict"), [(MAIN, "failure"), (MAIN.replace("failure: [{tick: noise}]", DRAW), "draw")])
def test_a_draw_counts_as_a_failure_unless_it_has_effects(main, verdict):
    adventure = open_content(content(main), "tea").adventure
    story = Story("porch", pending="request:0")
    rolled = RollRequest(
        "Look closely",
        (Attempt("Ana", (Way("notice", "Notice", ("2d",)),)),),
        joined="any",
        done=(Attempted("Ana", "notice", result="a draw", verdict="draw"),),
    )
    assert verdict_of(rolled, outcomes(adventure, story)) == verdict
