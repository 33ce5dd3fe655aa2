"""Estimated chances of options that take too long to count: the same scene played with random dice, marked as an estimate."""

import random

import pytest

from core.scenes import STANDOFF
from core.test_chances import D6, DEEDS, HARM, LONG, Scuffle, Tosses, Yard, asked, begun
from rulewright.play import Choice, Play, Roll, came_to, first_option
from rulewright.scenes import chances, estimates
from rulewright.scenes.chances import NOT_YOURS, TOO_LONG, Weighed
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.estimates import estimated, margin


def played(about, plays=960, options=DEEDS):
    return estimated(about, options, LONG, (plays,))


def test_an_option_is_played_on_up_to_the_same_verdicts_and_says_how_near_that_is():
    found = played(asked(begun()))
    assert found["rest"] is None  # no roll decides anything
    for key, exact in (("strike", 1 / 2), ("creep", 1 / 3)):
        weighed = found[key]
        assert weighed.outcomes == ()
        assert weighed.counts == "hits"
        about = weighed.about
        assert about.plays == 960
        assert [(outcome.name, outcome.place, outcome.good) for outcome in about.outcomes] == [("miss", 0, False), ("hit", 1, True)]
        assert sum(outcome.chance for outcome in about.outcomes) == pytest.approx(1)
        assert about.margin == pytest.approx(0.031, abs=0.002)
        assert about.hoped == pytest.approx(exact, abs=about.margin)


def test_the_same_question_has_the_same_estimate_and_another_option_another():
    before = random.getstate()
    assert played(asked(begun())) == played(asked(begun()))
    assert random.getstate() == before
    later = Encounter.begin(Scuffle(STANDOFF), Yard(2))
    assert played(asked(later))["strike"].about.outcomes != played(asked(begun()))["strike"].about.outcomes
    alone, both = played(asked(begun()), options=DEEDS[:1]), played(asked(begun()))
    assert alone["strike"] == both["strike"]


def test_more_plays_begin_with_those_before_them():
    few, many = (estimated(asked(begun()), DEEDS, LONG, plays)["strike"].about for plays in ((60,), (60, 120)))
    assert (few.plays, many.plays) == (60, 120)
    hits = [round(each.hoped * each.plays) for each in (few, many)]
    assert hits[0] <= hits[1] <= hits[0] + 60
    assert few.margin > many.margin


def test_nothing_of_the_record_is_touched():
    encounter = begun()
    entries, open_before = list(encounter.entries), encounter.open[0][1]
    estimates.weigh(asked(encounter), 0.0, 0.2)
    assert encounter.entries == entries
    assert encounter.open[0][1] is open_before


def test_what_hangs_on_a_hidden_roll_is_not_estimated_for_those_who_may_not_see_it():
    for eyes, known in (((None,), True), (("Ana",), False), (("Bob", "Ana"), True)):
        found = played(asked(begun(), eyes))
        assert (found["creep"].about is not None) == known
        assert found["creep"].why_not == ("" if known else NOT_YOURS)
        assert found["strike"].about is not None


def test_where_a_person_answers_each_answer_is_played_and_the_worst_for_who_asks_stands_first():
    found = played(asked(begun(), people=frozenset(["Ana", "Bob"])))
    about = found["strike"].about
    assert [(each.who, each.label) for each in about.answers] == [("Bob", "Dodge"), ("Bob", "Parry")]
    for each, exact in zip(about.answers, (1 / 2, 1 / 6), strict=True):
        assert each.outcomes[1].chance == pytest.approx(exact, abs=margin(exact, 960) * 1.5)
    assert about.outcomes == about.answers[1].outcomes
    assert about.margin == margin(about.hoped, 960)
    assert found["creep"].about.answers == ()


class Few:
    """A time limit of a fixed number of plays."""

    def __init__(self, plays: int) -> None:
        self._plays = plays

    @property
    def left(self) -> int:
        self._plays -= 1
        return self._plays + 1


@pytest.mark.parametrize(
    ("time_for", "found"),
    [(59, {}), (60, {"strike": (60, 0)}), (239, {"strike": (60, 0), "creep": (60, 0)}), (240, {"strike": (60, 2), "creep": (60, 0)})],
)
def test_all_options_are_played_before_any_is_played_by_what_somebody_might_answer(monkeypatch, time_for, found):
    monkeypatch.setattr(estimates, "Stint", lambda seconds: Few(time_for))
    played = estimated(asked(begun(), people=frozenset(["Ana", "Bob"])), DEEDS[:2])
    assert {key: (each.about.plays, len(each.about.answers)) for key, each in played.items()} == found


def test_who_defends_sees_about_how_often_they_are_spared():
    encounter = begun()
    encounter.give("strike")
    found = estimated(asked(encounter), encounter.open[0][1].options, LONG, (960,))
    assert found["parry"].counts == "unhurt"
    assert [outcome.good for outcome in found["parry"].about.outcomes] == [True, False]
    assert found["parry"].about.hoped == pytest.approx(5 / 6, abs=0.04)


@pytest.mark.parametrize(("round", "bound"), [(1, False), (4, True)])
def test_an_estimate_stands_beside_what_was_counted_and_never_in_its_place(monkeypatch, round, bound):
    monkeypatch.setattr(chances, "PATHS", 12)  # enough for the first throw and a few of those that follow
    here = asked(Encounter.begin(Tosses(STANDOFF), Yard(round)))
    exact, found = chances.weigh(here, LONG)[0], estimates.weigh(here, LONG, LONG)[0]
    assert (found.outcomes, found.unsettled, found.why_not) == (exact.outcomes, exact.unsettled, exact.why_not)
    assert (found.why_not == TOO_LONG) != bound
    assert found.at_least == bound
    assert found.about.plays == estimates.PLAYS[-1]
    assert found.about.hoped == pytest.approx(1 - round / 6, abs=found.about.margin)
    assert found.counts == "hits"


class Sixes(Scuffle):
    """A strike that hits with an even face; a six is rolled again, so that counting never ends."""

    def step(self, state: Yard) -> Play[Yard]:
        yield from Choice("Ana", "What do you do?", DEEDS, state)
        while (face := (yield from Roll(D6, "Ana", "striking"))) == 6:
            pass
        yield from came_to("hit" if face % 2 else "miss", HARM, "Ana", "Bob")
        return Yard(state.round + 1, over=True)


def test_bounds_that_leave_less_open_than_an_estimate_would_have_none_beside_them(monkeypatch):
    monkeypatch.setattr(chances, "PATHS", 12)
    (found, *_) = estimates.weigh(asked(Encounter.begin(Sixes(STANDOFF), Yard())), LONG, LONG)
    assert 0 < found.unsettled < margin(0.6, estimates.PLAYS[-1])
    assert found.about is None


def test_where_there_is_no_time_to_play_either_it_says_that_it_takes_longer(monkeypatch):
    monkeypatch.setattr(chances, "PATHS", 12)
    found = estimates.weigh(asked(Encounter.begin(Tosses(STANDOFF), Yard(1))), LONG, 0.0)
    assert {(each.why_not, each.about) for each in found} == {(TOO_LONG, None)}


def test_what_is_counted_in_time_has_no_estimate():
    here = asked(begun(), decide=first_option)
    assert estimates.weigh(here, LONG) == chances.weigh(here, LONG)
    assert all(isinstance(each, Weighed) and each.about is None for each in estimates.weigh(here, LONG))


def test_the_margin_is_that_of_ninety_five_in_a_hundred_and_never_nothing():
    assert margin(0.5, 960) == pytest.approx(0.0316, abs=0.0001)
    assert margin(82 / 240, 240) == pytest.approx(0.0621, abs=0.0001)
    assert (margin(0.0, 60), margin(1.0, 60)) == pytest.approx((0.0602, 0.0602), abs=0.0001)
