"""How a roll request ends for the story: a verdict that the story does not know is a failure."""

import pytest

from rulewright.campaign.roll_request import Attempted, RollRequest
from rulewright.playthrough.solo import verdict_of


def request(*verdicts: str, joined: str = "any") -> RollRequest:
    done = tuple(Attempted(f"person {number}", "Notice", verdict, verdict) for number, verdict in enumerate(verdicts))
    return RollRequest("Look closely", (), joined=joined, done=done)


@pytest.mark.parametrize(
    ("verdicts", "known", "ended"),
    [
        (["draw"], ("success", "failure"), "failure"),
        (["draw"], ("success", "draw", "failure"), "draw"),
        (["success"], ("success", "failure"), "success"),
        (["failure", "success"], ("success", "failure"), "success"),
    ],
)
def test_a_draw_that_the_story_does_not_know_is_a_failure(verdicts, known, ended):
    assert verdict_of(request(*verdicts), known) == ended
