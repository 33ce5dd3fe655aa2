"""A roll for several actions: everything that lies there, and who says what it is used for (lines 299-312, 325-332, 415-421, 522-537)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.reading import count_every_roll
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.ore.drama import determination
from rulewright.systems.ore.drama.determination import ActionPart, Cast, Timed, determine, used
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.resolution.dice_assignment import Left, OnTable, sensible, ways
from rulewright.systems.ore.resolution.readings import Thrown, Trades
from rulewright.systems.ore.resolution.salvos import Several
from rulewright.systems.ore.resolution.tests import Edge, Pool
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
BY_WASTE = BOOK.ruleset(settings={"speed": "waste"})
SIX = tuple(range(1, 7))
ALL = tuple(range(1, 11))


def keys(faces, *, number=0, last=False, waste=False, free=(), **more):
    thrown = Thrown(len(faces), **more)
    left = Left(OnTable(thrown, free, "all").read(faces), free)
    return [way.key for way in ways(thrown, left, number, last, waste)]


def given_out(rules, faces, choices, actions=2, parts=()):
    cast = Cast("Ana", Pool(len(faces) + len([part for part in parts if part.number])), actions=actions, parts=parts)
    sets = script(determine(rules, (cast,)), [faces], choices).outcome.sets[0]
    return [(one.width, one.height) if one is not None else None for one in sets]


@pytest.mark.parametrize("keep", ["sets", "lowest", "all"])
@pytest.mark.parametrize("run", [False, True])
@pytest.mark.parametrize(
    ("lent", "free"), [((0,) * 6, ()), ((0, 0, 0, 0, 0, 1), ()), ((1,) * 6, (SIX,)), ((0, 0, 0, 1, 1, 1), ((4, 5, 6),))]
)
@pytest.mark.parametrize("difficulty", [1, 3])
def test_weights_are_those_of_every_roll(keep, run, lent, free, difficulty):
    reading = OnTable(Thrown(5, lent, difficulty, run), free, keep, (4,))
    assert dict(reading.weights()) == count_every_roll(reading)


def test_the_ways_of_the_example_are_all_there():
    """Lines 301-311: 1, 3, 3, 3, 3, 3 is 5x3, 4x3, 3x3 beside 2x3, or nothing."""
    assert keys((1, 3, 3, 3, 3, 3)) == ["5x3", "4x3", "3x3", "2x3"]
    assert keys((1, 3, 3, 3, 3, 3), last=True) == ["5x3"]
    assert given_out(RULES, (1, 3, 3, 3, 3, 3), ["3x3"]) == [(3, 3), (2, 3)]
    assert given_out(RULES, (1, 3, 3, 3, 3, 3), ["4x3"]) == [(4, 3), None]


def test_four_fives_are_one_set_or_two_as_the_player_says():
    assert given_out(RULES, (5, 5, 5, 5, 1), ["4x5"]) == [(4, 5), None]
    assert given_out(RULES, (5, 5, 5, 5, 1), ["3x5"]) == [(3, 5), None]
    assert given_out(RULES, (5, 5, 5, 5, 1), ["2x5"]) == [(2, 5), (2, 5)]
    assert given_out(RULES, (5, 5, 5, 5, 1), ["none"]) == [None, (4, 5)]


def test_of_three_sets_any_two_can_be_used():
    faces = (2, 2, 5, 5, 9, 9)
    assert keys(faces) == ["2x9", "2x5", "2x2"]
    assert given_out(RULES, faces, ["2x2", "2x5"]) == [(2, 2), (2, 5)]


def test_what_rests_on_an_earlier_action_needs_it():
    parts = (ActionPart("kip up"), ActionPart("attack", needs=1))
    assert given_out(RULES, (5, 5, 9, 9), ["none"], parts=parts) == [None, None]
    assert given_out(RULES, (5, 5, 9, 9), ["2x5"], parts=parts) == [(2, 5), (2, 9)]


def test_a_called_shot_among_several_has_a_die_of_its_own():
    parts = (ActionPart("called shot", number=10), ActionPart("attack"))
    assert given_out(RULES, (10, 4, 4, 1), ["2x10"], parts=parts) == [(2, 10), (2, 4)]
    assert given_out(RULES, (9, 4, 4, 1), [], parts=parts) == [None, (2, 4)]
    assert given_out(RULES, (10, 10, 4, 1), ["none"], parts=parts) == [None, (2, 10)]


def test_a_master_die_is_used_once():
    assert keys((3, 3, 8, 1), free=(ALL,), lent=(1,) * 10) == ["3x3", "2x8", "2x3", "2x1"]
    cast = Cast("Ana", Pool(4, 0, 1), actions=2)
    sets = script(determine(RULES, (cast,)), [(3, 3, 8, 1)], ["2x8"]).outcome.sets[0]
    assert [(one.width, one.height) for one in sets] == [(2, 8), (2, 3)]
    sets = script(determine(RULES, (cast,)), [(3, 3, 8, 1)], ["3x3"]).outcome.sets[0]
    assert sets[1] is None


def test_each_set_gives_up_a_die_of_its_own_for_speed():
    cast = Cast("Ana", Pool(6), actions=2)
    done = script(determine(BY_WASTE, (cast,)), [(2, 3, 6, 6, 8, 8)], ["2x6@8"]).outcome.sets[0]
    assert [(one.width, one.height, one.speed) for one in done if one] == [(2, 6, (8,))]  # the other eight stands alone now
    done = script(determine(BY_WASTE, (cast,)), [(2, 3, 6, 6, 8, 8)], ["2x6@3"]).outcome.sets[0]
    assert [(one.width, one.height, one.speed) for one in done] == [(2, 6, (3,)), (2, 8, (2,))]


def test_one_set_of_several_is_traded():
    by = BOOK.ruleset(settings={"squash-and-squish": "everybody"})
    assert given_out(by, (5, 5, 9, 9, 1), ["3x7 from 2x9"]) == [(3, 7), (2, 5)]
    assert "3x9 from 2x9" in keys((2, 2, 5, 5, 9, 9), trades=Trades(full_house=True))
    assert keys((5, 5, 5), trades=Trades(squash=True, squish=True)) == ["3x5", "2x5", "4x3 from 3x5", "2x7 from 3x5"]
    assert not any("from" in key for key in keys((5, 5), number=5, trades=Trades(squash=True)))


def test_a_run_serves_where_there_is_no_set():
    assert keys((2, 3, 4, 8), run=True) == ["1x4"]
    assert keys((2, 3, 4, 4), run=True) == ["2x4"]


def test_a_set_squashed_out_of_reach_is_none():
    by = BOOK.ruleset(settings={"squash-and-squish": "everybody", "squash-keeps-difficulty": False})
    done = script(used(by, Cast("Ana", Pool(2), height=1), ((3, 1), (2, 3)))).outcome
    assert [(one.width, one.height) for one in done] == [(2, 2)]


def test_of_several_sets_none_is_squashed_to_where_a_wound_takes_its_last_height():
    by = BOOK.ruleset(settings={"squash-and-squish": "everybody", "squash-keeps-difficulty": False})
    cast = Cast("Ana", Pool(4), actions=2, height=1)
    done = script(determination.given_out(by, cast, ((2, 4), (2, 3))), [], ["3x2 from 2x4"]).outcome
    assert [(one.width, one.height) for one in done] == [(3, 1), (2, 2)]
    with pytest.raises(UserError, match="'3x1 from 2x3' is not allowed"):
        script(determination.given_out(by, cast, ((2, 4), (2, 3))), [], ["3x1 from 2x3"])


@pytest.mark.parametrize(("speed", "when"), [("width", (1,)), ("height", (8, 1)), ("waste", (0,))])
def test_a_luck_die_loses_height_to_wounds_like_any_set(speed, when):  # lines 375-379
    by = BOOK.ruleset(settings={"getting-lucky": True, "speed": speed})
    (sets,) = script(determine(by, (Cast("Ana", Pool(0), height=2),)), [(10,)]).outcome.sets
    assert sets == (Timed(1, 8, when),)


@pytest.mark.parametrize(("lost", "sets"), [(8, [(1, 2)]), (9, [(1, 1)]), (10, [])])
def test_a_luck_die_serves_as_long_as_a_point_of_its_height_is_left(lost, sets):
    by = BOOK.ruleset(settings={"getting-lucky": True})
    (found,) = script(determine(by, (Cast("Ana", Pool(0), height=lost),)), [(10,)]).outcome.sets
    assert [(one.width, one.height) for one in found] == sets


def test_what_a_set_counts_for_beside_the_dice_is_added_to_it():
    edge = Edge(width=1, height=2, shift=1)
    parts = (ActionPart("attack", edge=edge), ActionPart("dodge"))
    assert given_out(RULES, (5, 5, 3, 3), ["2x5"], parts=parts) == [(3, 8), (2, 3)]
    aimed = (ActionPart("called shot", number=10, edge=edge), ActionPart("attack"))
    assert given_out(RULES, (10, 4, 4, 1), ["2x10"], parts=aimed) == [(3, 10), (2, 4)]


@pytest.mark.parametrize(
    ("edge", "came"),
    [
        ({"width": 1}, (3, 5)),
        ({"height": 2}, (2, 7)),
        ({"shift": 1}, (2, 6)),
        ({"floor": 8}, (2, 8)),
        ({"floor": 4}, (2, 5)),
        ({"height": 2, "shift": 1}, (2, 8)),
        ({"height": 9}, (2, 10)),
    ],
)
def test_where_waste_is_speed_a_set_gains_once_and_its_waste_die_stays(edge, came):
    cast = Cast("Ana", Pool(3, edge=Edge(**edge)))
    (sets,) = script(determine(BY_WASTE, (cast,)), [(5, 5, 4)]).outcome.sets
    assert sets == (Timed(*came, (4,)),)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 10), min_size=2, max_size=9).map(tuple), st.integers(2, 4))
def test_a_tactic_serves_as_many_actions_with_as_many_dice_as_it_can(faces, actions):
    """What was arranged for everybody before is what a sensible player would do."""
    thrown = Thrown(len(faces))
    left, found = Left(OnTable(thrown).read(faces)), []
    for place in range(actions):
        open_to = ways(thrown, left, last=place == actions - 1)
        if open_to:
            way = sensible(thrown, left, open_to, actions - place)
            found.append((way.width, way.height))
            left = way.left
    assert tuple(found) == Several(thrown, actions).read(faces)


def test_the_lowest_waste_die_beside_a_burst():  # line 5050
    reading = OnTable(Thrown(8), keep="lowest")
    lying = reading.read((3, 4, 4, 5, 6, 6, 8, 10))
    assert reading.lowest_waste(lying, {6}) == 3
    assert reading.lowest_waste(reading.read((4, 4, 4, 4, 6, 6, 6, 6)), {4, 6}) == 0


def test_two_actions_of_four_dice_by_hand():
    """How often four dice hold two pairs or more, counted over all 10,000 rolls."""
    cast = Cast("Ana", Pool(4), actions=2)
    odds = exact(lambda: determine(RULES, (cast,)), decide=TACTICS["attacker"])
    both = sum(weight for done, weight in odds if all(done.sets[0]))
    assert both * 10_000 / odds.total == 45 * 6 + 10  # two different pairs, or four of a kind


def test_sets_of_somebody_who_throws_no_dice_are_refused():
    with pytest.raises(UserError, match="Ana rolls no dice"):
        script(determination.given_out(RULES, Cast("Ana", Pool(0), actions=2), ((2, 3),)))
