"""Projects, Extra Time and tasks without a roll between scenes (lines 383-396, 487-521)."""

import pytest

from ore.downtime.planned import NO_SET, RULES, SCENE, chances, chances_of, character, first, lasting, lived, planned, told
from rulewright.campaign.calendar import DAY, HOUR, MONTH, WEEK
from rulewright.errors import UserError
from rulewright.system import find
from rulewright.systems.ore.resolution.contests import project
from rulewright.systems.ore.resolution.tests import Pool


def pair(height, width=2):
    """Six dice with one set."""
    others = [face for face in range(1, 11) if face != height]
    return (*[height] * width, *others[: 6 - width])


def bomber(**given):
    return planned(("project", {"aim": "the bomber", "test": "engineering", **given}))


def test_the_bomber_of_the_book_needs_a_width_of_24_in_monthly_rolls():
    who = bomber(time="intense", work="exhaustive")
    faces = [pair(6, 3)] * 8
    assert first(lived(8 * MONTH, who, faces=faces)).doing == ()
    almost = first(lived(8 * MONTH - 1, who, faces=faces))
    assert (almost.doing[0].aim, almost.runs[-1].data) == ("the bomber", (21, 7))


def test_the_interface_of_the_book_has_a_quality_of_7():
    # 2x4, 2x8, 3x10, 2x5, 3x7 and 2x9 in six weeks: a Width of 14, and 43 / 6 = 7.
    faces = [pair(4), pair(8), pair(10, 3), pair(5), pair(7, 3), pair(9)]
    who = bomber(time="complicated", quality="matters", completion="14")
    played = lived(6 * WEEK, who, faces=faces)
    assert first(played).doing == ()
    assert told(played)[-1] == "Ana works on the bomber: 2x9; done after 6 rolls with a quality of 7"


@pytest.mark.parametrize(
    ("time", "span"), [("easy", HOUR), ("involved", DAY), ("complicated", WEEK), ("intense", MONTH), ("exhaustive", 365 * DAY)]
)
def test_the_time_of_a_roll(time, span):
    who = bomber(time=time, work="involved")
    assert first(lived(span - 1, who)).runs[-1].data == ()
    assert "2 of 6" in told(lived(span, who, faces=[pair(3)]))[-1]


@pytest.mark.parametrize(("extra", "times", "dice"), [("Extra Time", 2, 7), ("Double Extra Time", 4, 8)])
def test_extra_time_is_slower_and_gives_dice(extra, times, dice):
    who = bomber(extra=extra)
    assert told(lived(times * HOUR - 1, who)) == []
    rolled = chances(lasting(times * HOUR, who), lambda person: person.runs[-1].data[:1] if person.doing else "done")
    by_rule = chances_of(project, RULES, Pool(dice), 3, 1, 1, of=lambda progress: "done" if progress.done else (progress.width,))
    assert rolled == by_rule


def test_a_deadline_in_rolls_has_the_odds_of_the_rule():
    who = bomber(work="involved", deadline="3", completion="6")
    done = chances(lasting(3 * HOUR, who), lambda person: bool(person.doing))
    assert done == {False: 1}  # done or too late, it leaves the plan
    for rolls in (1, 2, 3):
        progress = chances(lasting(rolls * HOUR, bomber(completion="6")), lambda person: not person.doing)
        rule = chances_of(project, RULES, Pool(6), 6, 1, rolls, of=lambda progress: progress.done)
        assert progress.get(True, 0) == rule.get(True, 0)


def test_a_deadline_that_has_come_is_told():
    who = bomber(deadline="1")
    assert told(lived(HOUR, who, faces=[NO_SET[:6]]))[-1] == "Ana works on the bomber: no set; the deadline has come at 0 of 3"


def test_the_car_of_the_book_takes_three_hours_without_a_roll():
    who = planned(("take time", {"aim": "the car", "skill": "engineering", "difficulty": "3"}))
    assert told(lived(3 * HOUR - 1, who)) == []
    assert told(lived(3 * HOUR, who))[-1] == "Ana takes 3 hours for the car: 2x3, success"
    without = planned(("take time", {"aim": "the car", "skill": "swords"}))
    assert SCENE.schedule(lasting(DAY, without))["Ana"][0][1] == "Ana does not have the skill swords"


def test_a_request_that_takes_the_time_has_the_height_of_the_skill():
    ore = find("ore")
    sheet = ore.sheet(RULES, character())
    takes = ore.requests.takes(RULES, sheet.tests()["engineering"], 0, "", 60)
    assert takes[-1].words == "2x3 in 1 hour"
    assert all(take.name != "Auto Complete" for take in ore.requests.takes(RULES, sheet.tests()["body"], 0, "", 60))


def test_a_campaign_without_auto_complete_refuses_it():
    with pytest.raises(UserError, match="has no Auto Complete"):
        planned(("take time", {"aim": "x", "skill": "engineering"}), rules=find("ore").book.ruleset())
