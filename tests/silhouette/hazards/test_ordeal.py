"""Days to get through: what characters carry, and the scene in which days pass."""

import msgspec
import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Seeded, play
from rulewright.scenes.scenarios import Placed
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.build.archetypes import all_rounder
from rulewright.systems.silhouette.build.audit import audit
from rulewright.systems.silhouette.ordeal.scene import Days, OrdealScene, Surroundings, firm, sufferer, weak
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.people.conditions import Habit, Infection, TakenIn
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()
DRINKER = Habit("alcohol", dependent=True, addicted=True)


def days(place, **state):
    member = Placed(all_rounder(PLAIN), "Ada", "ward", None, state)
    return Days(place, (sufferer(PLAIN, member),))


def through(state, decide=firm, seed=1):
    scene = OrdealScene(PLAIN)
    return play(run(scene, state), dice=Seeded(seed), decide=decide).outcome


def test_an_old_file_without_what_was_taken_in_still_opens_and_a_new_one_round_trips():
    old = msgspec.convert({"name": "Ada"}, Character)
    assert old.taken_in == TakenIn()
    carried = replace(old, taken_in=TakenIn(120, 300, 7, habits=(DRINKER,), infections=(Infection("mutant influenza", 12, 2.0),)))
    assert msgspec.convert(msgspec.to_builtins(carried), Character) == carried


def test_an_unknown_drug_and_a_tally_above_the_highest_are_found_by_the_audit():
    odd = replace(all_rounder(PLAIN), taken_in=TakenIn(50, 10, habits=(Habit("moon dust", True),)))
    found = {problem.field for problem in audit(PLAIN, odd).problems}
    assert {"taken_in.most_rads", "taken_in.habits.0.drug"} <= found


def test_rads_of_every_day_are_kept_and_the_highest_tally_remembered():
    after = through(days(Surroundings(days=3, care="proper", rads_a_day=10)))
    assert after.people[0].taken_in.rads == after.people[0].taken_in.most_rads == 30


def test_a_week_without_rads_purges_some_of_them():
    after = through(days(Surroundings(days=7, care="proper"), **{"taken_in.rads": 40, "taken_in.most_rads": 40}))
    assert 32 <= after.people[0].taken_in.rads < 40


def test_who_takes_the_drug_has_no_withdrawal_and_no_clean_day():
    place = Surroundings(days=5, drugs=("alcohol",))
    start = days(place, **{"taken_in.habits": [{"drug": "alcohol", "dependent": True, "addicted": True}]})
    for seed in range(5):
        one = through(start, weak, seed).people[0]
        habit = one.taken_in.habit("alcohol")
        assert habit.addicted
        if not habit.refusals and not habit.steadied:
            assert habit.bout.days == 0


def test_where_there_is_no_drug_an_addict_goes_through_withdrawal():
    start = days(Surroundings(days=40, care="proper", treatment=4), **{"taken_in.habits": [{"drug": "alcohol", "addicted": True}]})
    freed = [not through(start, seed=seed).people[0].taken_in.habit("alcohol").addicted for seed in range(10)]
    assert any(freed)


def test_an_illness_is_caught_runs_its_course_and_is_over():
    after = through(days(Surroundings(days=60, care="proper", illness="mutant influenza")))
    assert after.people[0].taken_in.infections == ()
    assert after.people[0].body.ill == 0


@pytest.mark.parametrize("place", [{"days": 0}, {"treatment": 5}, {"drugs": ["moon dust"]}, {"illness": "ague"}, {"rads_a_day": -1}])
def test_a_place_that_cannot_be_is_refused(place):
    staged = library.take("silhouette/ordeal").thing
    from rulewright.systems.silhouette.ordeal.scene import begin

    with pytest.raises(UserError):
        begin(PLAIN, replace(staged, place={**staged.place, **place}), [Placed(all_rounder(PLAIN), "Ada", "ward", None, {})])


def test_drugs_wear_off_by_an_hour_and_so_within_a_day():
    after = through(days(Surroundings(days=1, care="proper"), drugged=-3))
    assert after.people[0].body.drugged == 0
    assert after.people[0].taken_in == TakenIn()
