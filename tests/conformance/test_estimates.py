"""An estimated chance is as close to the exact one as it claims, in all games, and reveals nothing hidden."""

from itertools import count
from math import comb, sqrt

import pytest

from conformance.games import demos, staged, taken
from rulewright.play import Choice, Seeded
from rulewright.scenes import chances
from rulewright.scenes.chances import NOT_YOURS, Asked
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.estimates import estimated, margin

pytestmark = pytest.mark.slow

GAMES = ("foresight", "hybrid", "ore", "scumm", "silhouette")
SCENARIOS, QUESTIONS, OPTIONS, PLAYS = 5, 6, 4, 120
FEWER = 3
"""The scenarios of a game that are looked at without `make thorough`."""
HIDES = ("scumm",)
"""Games with a scenario in which an answer depends on a hidden roll."""
LONG = 600.0
RARELY = 0.0005
"""The probability that an honest 95 % margin fails this test; the plays are the same in every run."""


def fights(game, most=SCENARIOS):
    """Some scenarios of a game, from all over the list."""
    found = [name for name in demos("scenario") if taken(name).system.id == game]
    return found[:: max(1, len(found) // most)][:most]


def questions(name, most=QUESTIONS):
    """Questions with chances from a scene in play, each with what is needed to evaluate it."""
    found = staged(name)
    encounter, dice, met = Encounter.begin(found.scene, found.state), Seeded(5), count(1)
    while encounter.open and most:
        at, request = encounter.open[0]
        if isinstance(request, Choice) and isinstance(request.options, tuple) and len(request.options) > 1:
            moment = encounter.moment(at)
            if moment.scene.weighs(moment.state, request) and next(met) in (1, 2, 5, 8, 13, 21):
                most -= 1
                yield moment, request, found.decide
        if not encounter.advance(dice, found.decide):
            break


def some_of(request):
    """Some options of a question, from all over the list."""
    return request.options[:: max(1, len(request.options) // OPTIONS)][:OPTIONS]


def allowed(options):
    """How many of these estimates may miss, each with a chance of 1 in 20."""
    reached, misses = 0.0, -1
    while reached < 1 - RARELY:
        misses += 1
        reached += comb(options, misses) * 0.05**misses * 0.95 ** (options - misses)
    return misses


@pytest.mark.parametrize("scenarios", [FEWER, pytest.param(SCENARIOS, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("game", GAMES)
def test_the_exact_chance_lies_within_the_margin_as_often_as_is_said(game, scenarios):
    compared = missed = 0
    apart = 0.0
    for name in fights(game, scenarios):
        for moment, request, decide in questions(name):
            asked, options = Asked(moment, (None,), decide), some_of(request)
            exact = [each for each in chances.weigh(asked, 1.0, [option.key for option in options]) if not chances.wants_more(each)]
            known = [option for option in options if option.key in {each.key for each in exact if each.outcomes}]
            played = estimated(asked, known, LONG, (PLAYS,))
            for each in exact:
                weighed = played.get(each.key)
                if weighed is None:
                    continue
                if weighed.about is None:  # no number means anything yet
                    assert weighed.why_not == each.why_not != ""
                    continue
                about, hoped = weighed.about, chances.hoped(each.outcomes)
                assert (about.plays, weighed.counts, weighed.outcomes) == (PLAYS, each.counts, ())
                places = {outcome.name: (outcome.place, outcome.good) for outcome in each.outcomes}
                assert all(places[outcome.name] == (outcome.place, outcome.good) for outcome in about.outcomes)
                compared += 1
                missed += abs(about.hoped - hoped) > margin(about.hoped, PLAYS)
                if 0 < hoped < 1:
                    apart += (about.hoped - hoped) / sqrt(hoped * (1 - hoped) / PLAYS)
    assert compared >= 4
    assert missed <= allowed(compared)
    assert abs(apart) < 4 * sqrt(compared)  # too high as often as too low


@pytest.mark.parametrize("game", GAMES)
def test_what_somebody_cannot_know_is_not_estimated_for_them(game):
    met = 0
    for name in fights(game)[:3]:
        for moment, request, decide in questions(name, 2):
            asked, options = Asked(moment, (request.who,), decide), some_of(request)
            keys = {each.key for each in chances.weigh(asked, 1.0, [option.key for option in options]) if each.why_not == NOT_YOURS}
            for weighed in estimated(asked, [option for option in options if option.key in keys], LONG, (60,)).values():
                met += 1
                assert (weighed.why_not, weighed.about) == (NOT_YOURS, None)
    assert met or game not in HIDES
