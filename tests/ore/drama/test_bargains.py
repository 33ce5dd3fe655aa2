"""Trades in a roll that serves several actions (lines 325-332, 522-537)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dice.reading import count_every_roll
from rulewright.play import script
from rulewright.systems.ore.combat.fighters import Fight, Ground, enter
from rulewright.systems.ore.drama.bargains import Bargained
from rulewright.systems.ore.drama.determination import Cast, determine, used
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.resolution.readings import Thrown, Trades
from rulewright.systems.ore.resolution.salvos import Several
from rulewright.systems.ore.resolution.tests import Pool
from rulewright.systems.ore.settings import BOOK

ALL = tuple(range(1, 11))
TRADES = st.sampled_from([Trades(full_house=True), Trades(squash=True, squish=True), Trades(True, True, True, True, True)])


def rules(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


def ways(faces, trades, most=2, **more):
    return Bargained(Several(Thrown(len(faces), trades=trades, **more), most)).read(faces)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 4), TRADES, st.integers(1, 3), st.booleans(), st.integers(0, 1), st.integers(1, 3))
def test_the_weights_are_those_of_every_roll(dice, trades, difficulty, run, wild, most):
    thrown = Thrown(dice, (wild,) * 10, difficulty, run, trades=trades)
    reading = Bargained(Several(thrown, most, (ALL,) * wild))
    assert reading.weights() == count_every_roll(reading)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 10), min_size=2, max_size=9), TRADES, st.integers(1, 3))
def test_what_lies_there_comes_first_and_one_trade_changes_one_thing(faces, trades, most):
    several = Several(Thrown(len(faces), trades=trades), most)
    found = Bargained(several).read(tuple(faces))
    plain = several.read(tuple(faces))
    assert (found[0] if found else ()) == plain
    assert len(set(found)) == len(found)
    for way in found[1:]:
        gained = sum(width for width, _ in way) - sum(width for width, _ in plain)
        assert gained <= 1
        assert all(1 <= height <= 10 and width >= 1 for width, height in way)


def test_a_spare_set_widens_a_higher_one():  # lines 325-332
    full = Trades(full_house=True)
    found = ways((2, 2, 5, 5, 9, 9), full)
    assert found[0] == ((2, 9), (2, 5))
    assert ((3, 9), (2, 5)) in found
    assert ((3, 5), (2, 9)) in found
    assert ways((5, 5, 9, 9), full) == (((2, 9), (2, 5)), ((3, 9),))  # one action is given up for the other
    assert ways((9, 9, 9, 9, 2, 2), full)[1:] == (((3, 9), (2, 9)),)  # what is widened may be broken up


def test_one_of_two_sets_is_squashed_or_squished():  # lines 524-537
    assert ways((5, 5, 5, 9, 9), Trades(squash=True)) == (((3, 5), (2, 9)), ((4, 3), (2, 9)), ((3, 7), (3, 5)))
    assert ways((5, 5, 5, 9, 9), Trades(squish=True)) == (((3, 5), (2, 9)), ((2, 9), (2, 7)))
    assert ways((5, 5, 9, 9), Trades(squish=True)) == (((2, 9), (2, 5)),)
    assert ways((5, 5, 9, 9), Trades(squish=True, squished_to_one=True)) == (
        ((2, 9), (2, 5)),
        ((2, 5), (1, 10)),
        ((2, 9), (1, 7)),
    )
    assert ways((4, 4, 9, 9), Trades(squash=True), difficulty=3) == (((2, 9), (2, 4)), ((3, 7), (2, 4)))


def test_whoever_rolls_for_two_actions_is_asked():
    by, plain = rules(squash_and_squish="everybody"), rules()
    cast = Cast("Ana", Pool(5), actions=2)
    done = script(determine(by, (cast,)), [(5, 5, 9, 9, 1)], ["3x7+2x5"]).outcome
    assert [(one.width, one.height, one.speed) for one in done.sets[0]] == [(3, 7, (3,)), (2, 5, (2,))]
    assert [(one.width, one.height) for one in script(determine(plain, (cast,)), [(5, 5, 9, 9, 1)]).outcome.sets[0]] == [(2, 9), (2, 5)]
    assert script(determine(by, (cast,)), [(1, 2, 3, 4, 5)]).outcome.sets == ((),)
    wasting = rules(squash_and_squish="everybody", speed="waste")  # where dice outside the sets count, they stay as they lie
    assert len(script(determine(wasting, (cast,)), [(5, 5, 9, 9, 1)]).outcome.sets[0]) == 2


def test_a_set_squashed_out_of_reach_is_none():
    by = rules(squash_and_squish="everybody", squash_keeps_difficulty=False)
    cast = Cast("Ana", Pool(2), height=1)
    done = script(used(by, cast, ((3, 1), (2, 3)))).outcome
    assert [(one.width, one.height) for one in done] == [(2, 2)]


def test_a_fighter_trades_in_an_attack_and_a_parry():
    by = rules(squash_and_squish="everybody")

    def somebody(name, insight):
        return Character(name, statistics=Statistics(body=3, insight=insight), skills={"close combat": 3}, weapons=("broadsword",))

    fight = Fight(Ground(), (enter(by, somebody("Ana", 1), "Ana", "a"), enter(by, somebody("Ben", 2), "Ben", "b")))

    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    after = script(go(fight), [(9, 9, 3, 3, 1)], ["attack+parry:Ben", "pass", "3x7+2x3", "as they are"]).outcome
    assert after.fighter("Ben").body.part("torso").kill == 3 + 2
