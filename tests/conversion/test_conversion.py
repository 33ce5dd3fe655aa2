"""Conversion by equal odds: audits, the way there and back, the book's bridge, and what is said about the rest."""

from itertools import pairwise

import pytest
from tests.conversion.conftest import PAIRS, mean_values, person, written

from rulewright.build.portrait import Portrait
from rulewright.conversion import chance, convert, odds
from rulewright.errors import UserError


def _check(result, source, target, name):
    """A converted person is legal, or everything that is not is a matter of cost or limit with its size."""
    for problem in result.audit.problems:
        assert problem.warning or problem.over > 0 or "permission" in problem.message, f"{name}: {problem.message}"
    assert result.audit.legal == (not result.costs)
    known = {rating.key for rating in target.portrayal.ratings(target.rules)}
    assert set(target.portrayal.read(target.rules, result.result).ratings) <= known
    assert all(": " in line for line in result.assumed), result.assumed


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_ready_made_people_are_legal_or_say_what_they_cost(one, other, sides):
    source, target = sides[one], sides[other]
    for archetype in list(source.system.archetypes("character"))[:5]:
        _check(convert(person(source, archetype), source, target), source, target, archetype)


@pytest.mark.thorough
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_ready_made_person_is_legal_or_says_what_it_costs(one, other, sides):
    source, target = sides[one], sides[other]
    for archetype in source.system.archetypes("character"):
        _check(convert(person(source, archetype), source, target), source, target, archetype)


def _own(rating, theirs):
    """Whether the other game has what a rating covers, and nothing else in the same ratings."""
    meant = [other for other in theirs if set(other.covers) & set(rating.covers)]
    return bool(meant) and all(set(other.covers) <= set(rating.covers) for other in meant)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_there_and_back_is_within_one_step(one, other, sides):
    """Of every rating that both games have: within one step of the coarser game, or the other game said that it cannot say so much."""
    source, target = sides[one], sides[other]
    theirs, checked = written(target), 0
    for rating in written(source):
        if not _own(rating, theirs):
            continue
        checked += 1
        for value in range(rating.low, source.portrayal.highest(source.rules, rating, mean_values(source)) + 1):
            values = {**mean_values(source), rating.key: value}
            there = convert(source.portrayal.build(source.rules, Portrait("Somebody", ratings=values)), source, target)
            back = source.portrayal.read(source.rules, convert(there.result, target, source).result).ratings
            if any(f"{rating.name} {value}" in line for line in there.lost):
                continue
            assert abs(back[rating.key] - value) <= 1 or _coarse(source, target, rating, theirs, value, back[rating.key]), (
                f"{rating.name} {value} came back as {back[rating.key]}"
            )
    assert checked >= 2


def _coarse(source, target, rating, theirs, value, back):
    """Whether a difference is smaller than a step of the other game there."""
    base = mean_values(source)
    apart = abs(odds(source, rating, {**base, rating.key: value}) - odds(source, rating, {**base, rating.key: back}))
    steps = []
    for other in theirs:
        if set(other.covers) & set(rating.covers):
            each = [odds(target, other, {**mean_values(target), other.key: at}) for at in range(other.low, other.high + 1)]
            steps += [after - before for before, after in pairwise(each)]
    return apart <= max(steps)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_an_ordinary_person_stays_ordinary(one, other, sides):
    source, target = sides[one], sides[other]
    ordinary = source.portrayal.build(source.rules, Portrait("Somebody", ratings=mean_values(source)))
    result = target.portrayal.read(target.rules, convert(ordinary, source, target).result).ratings
    assert {key: value for key, value in result.items() if key in mean_values(target)} == mean_values(target)


def test_odds_lie_nearest(sides):
    """No other value of the converted rating is nearer; counted again here, value by value."""
    source, target = sides["scumm"], sides["ore"]
    hired = person(source, "hired-gun")
    result = convert(hired, source, target)
    values = dict(target.portrayal.read(target.rules, result.result).ratings)
    small_arms = next(rating for rating in written(target) if rating.key == "skills.small arms")
    pistols = next(rating for rating in written(source) if rating.key == "skills.pistols")
    goal = odds(source, pistols, source.portrayal.read(source.rules, hired).ratings)
    apart = {at: abs(odds(target, small_arms, {**values, small_arms.key: at}) - goal) for at in range(1, small_arms.high + 1)}
    assert min(apart, key=apart.__getitem__) == values[small_arms.key]
    assert abs(chance(target, small_arms, values) - 0.9174) < 0.001, "seven dice: the mean of their chances at Difficulty 1 and 2"


def test_silhouette_to_scumm_follows_the_book(sides):
    """S.C.U.M.M. lines 718-722: averages, rounded down."""
    source, target = sides["silhouette"], sides["scumm"]
    values = {f"attributes.{name}": value for name, value in (("agility", 2), ("perception", -1), ("build", -1), ("fitness", 0))}
    values |= {f"attributes.{name}": value for name, value in (("knowledge", 1), ("creativity", 2), ("appearance", 3))}
    made = source.portrayal.build(source.rules, Portrait("Somebody", ratings=values))
    result = convert(made, source, target)
    attributes = result.result.attributes
    assert (attributes.alertness, attributes.body, attributes.intelligence, attributes.spirit) == (0, -1, 1, 0)
    assert all(row.by_book for row in result.rows if row.name in ("Alertness", "Body", "Intelligence", "Spirit"))


def test_what_is_lost_and_assumed_has_its_reason(sides):
    result = convert(person(sides["silhouette"], "court-fencer"), sides["silhouette"], sides["hybrid"])
    assert any("Complexity 2 of melee" in line for line in result.lost)
    assert any("Hybrid has no such skill" in line for line in result.lost)
    assert any("Energy Access 12" in line for line in result.assumed)
    assert any("skill points spent" in line for line in result.costs)


def test_only_people_are_converted(sides):
    vehicle = sides["silhouette"].system.new(sides["silhouette"].rules, "vehicle")
    with pytest.raises(UserError, match="only people"):
        convert(vehicle, sides["silhouette"], sides["ore"])
