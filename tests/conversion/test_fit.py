"""Fitting the fighting skills by duels."""

from tests.conversion.conftest import person

from rulewright.lab.conversion_fit import duel, fights_close, fit, ordinary_opponent


def test_equal_people_win_half_of_their_duels(sides):
    for game, margin in (("scumm", 0.1), ("silhouette", 0.1), ("ore", 0.1)):
        side = sides[game]
        weapon = next(item.name for item in side.portrayal.weapons(side.rules) if item.kind == "pistol")
        somebody = ordinary_opponent(side, weapon)
        assert not fights_close(side, side.portrayal.read(side.rules, somebody))
        share = duel(side, somebody, somebody, close=False, fights=200, seed=3)
        assert abs(share.share - 0.5) <= margin, game
        assert share.fights == 200
        assert share.rounds >= 1


def test_fitting_brings_the_duels_together(sides):
    """By odds alone a Silhouette fencer wins too few of them in S.C.U.M.M., which has no Defense."""
    source, target = sides["silhouette"], sides["scumm"]
    fitted = fit(person(source, "court-fencer"), source, target, fights=60)
    assert abs(fitted.by_odds.share - fitted.before.share) > 0.1
    assert fitted.apart < abs(fitted.by_odds.share - fitted.before.share)
    assert fitted.apart <= 0.1
    assert fitted.converted.fighting > 0
    assert {row.name for row in fitted.converted.rows if row.fitted} >= {"Melee"}
    assert any("starting limit" in cost for cost in fitted.converted.costs)
