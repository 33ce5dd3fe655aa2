"""The sixth game between scenes: its own effect and activity, and what every game offers."""

from fractions import Fraction

from rulewright.campaign.activities.plan_text import read_assignment
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import Downtime, SheetTest
from rulewright.campaign.milestones import holds, read_goal
from rulewright.campaign_people import around, participant
from rulewright.play import script, sub
from rulewright.play.odds import exact
from rulewright.scenes.scene import run
from rulewright.system import find

PEBBLES = find("pebbles")
RULES = PEBBLES.book.ruleset()
SCENE = PEBBLES.staging("downtime").scene(RULES)


def sling(**condition):
    thing = PEBBLES.new(RULES, "character", "sling")
    return type(thing)(**{name: getattr(thing, name) for name in thing.__struct_fields__ if name != "condition"}, condition=condition)


def test_a_stone_is_put_back_every_day():
    state = Downtime(0, 0, 5 * DAY, (participant(PEBBLES, RULES, sling(stones=0), "Ana"),))
    after = script(run(SCENE, state), []).outcome
    assert after.people[0].life.stones == 2
    assert holds(PEBBLES.downtime, read_goal(PEBBLES.downtime, "Ana well", ["Ana"]), after.people)


def test_an_hour_on_the_beach_brings_as_many_pebbles_as_heads():
    line = read_assignment(RULES, SCENE.activities, "gather pebbles", {"wanted": "2"}, 24, around(PEBBLES, RULES, sling(), (), ()))
    state = Downtime(0, 0, HOUR, (participant(PEBBLES, RULES, sling(), "Ana", (line,)),))
    odds = exact(sub(run, SCENE, state))
    amounts = {}
    for after, weight in odds.weights.items():
        amount = after.people[0].amount("pebbles")
        amounts[amount] = amounts.get(amount, 0) + Fraction(weight, odds.total)
    assert amounts == {0: Fraction(1, 8), 1: Fraction(3, 8), 2: Fraction(3, 8), 3: Fraction(1, 8)}


def test_something_else_uses_a_test_of_the_sheet():
    known = around(PEBBLES, RULES, sling(), (), ())
    line = read_assignment(
        RULES, SCENE.activities, "something else", {"aim": "a kite", "test": "throw", "against": "1", "unit": "1 hour"}, 24, known
    )
    person = participant(PEBBLES, RULES, sling(), "Ana", (line,))
    assert person.tests == (SheetTest("throw", "Throw", "3c", "2c"),)
    odds = exact(sub(run, SCENE, Downtime(0, 0, HOUR, (person,))))
    done = sum(weight for after, weight in odds.weights.items() if not after.people[0].doing)
    assert Fraction(done, odds.total) == Fraction(7, 8)  # a draw counts: at least one head in three
