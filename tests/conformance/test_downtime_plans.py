"""Plans in every game: no hour is spent twice, nothing is paid that nobody has, and people elsewhere do not matter."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from conformance.games import NAMES
from conformance.test_downtime import begun, games
from rulewright.campaign.activities.plan_text import Around, read_assignment
from rulewright.campaign.activities.schedule import DAY_HOURS, ONE_GO, hours_of
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import Assignment, Goal, Location
from rulewright.campaign.milestone_chances import milestone_times
from rulewright.errors import UserError
from rulewright.play import Player, Seeded, sub
from rulewright.play.odds import Budget, exact
from rulewright.scenes.scene import run
from rulewright.system import find

MOST_LINES = 6


def plans(name, scene, state, seed):
    """The state with a random plan for everybody: activities of the game with their usual arguments, and something else beside them."""
    whim, people = Random(seed), []
    names = [person.name for person in state.people]
    for person in state.people:
        others = [other for other in names if other != person.name]
        around = Around(others, [place.name for place in state.locations])
        lines: dict[tuple[str, str], Assignment] = {}
        for _ in range(MOST_LINES):
            activity = whim.choice(list(scene.activities.values()))
            given = {
                argument.name: value for argument in activity.arguments if (value := a_value(argument, others, state, whim)) is not None
            }
            hours = whim.choice([None, 1, 2, 3, 5, 8, DAY_HOURS, ONE_GO])
            try:
                line = read_assignment(scene.rules, scene.activities, activity.name, given, hours, around)
            except UserError:
                continue
            lines[line.key] = line
        owned = tuple((mean.name, whim.randrange(6)) for mean in scene.game.means)
        people.append(replace(person, doing=tuple(lines.values()), owned=owned))
    return replace(state, people=tuple(people))


def a_value(argument, others, state, whim):
    if argument.takes == "person":
        return whim.choice(others) if others else None
    if argument.takes == "location":
        return whim.choice(state.locations).name
    if argument.takes == "text":
        return f"thing {whim.randrange(3)}"
    if argument.takes == "span":
        return f"{whim.randrange(1, 20)} hours"
    return None


@games
def test_no_hour_of_a_day_is_given_twice_and_nothing_is_paid_that_nobody_has(name):
    done = Counter()
    for seed in range(8):
        scene, state = begun(name, 21 * DAY)
        state = scene.settled(plans(name, scene, state, seed))
        debts = {mean.name for mean in scene.game.means if mean.debts}
        dice = Seeded(seed)
        for _ in range(60):
            if scene.result(state) is not None:
                break
            check_hours(scene, state)
            state = replace(Player(dice).run(scene.step(state)), stopped="")
            for person in state.people:
                short = {mean: amount for mean, amount in person.means if amount < 0 and mean not in debts}
                assert not short, f"{person.name} has {short}"
            done.update(line.do for person in state.people for line, why in scene.schedule(state).get(person.name, ()) if not why)
    assert done, "no activity of these plans was ever done"


def check_hours(scene, state):
    """Nobody is busy for more hours than a day has, counting those that partners give."""
    busy = Counter()
    for person in state.people:
        for line, why in scene.schedule(state)[person.name]:
            if why:
                continue
            activity = scene.activities[line.do]
            hours = DAY_HOURS if hours_of(line, activity) == ONE_GO else hours_of(line, activity)
            busy[person.name] += hours
            if activity.needs_partner is not None:
                busy[str(line.get(activity.needs_partner.name))] += hours
    assert all(hours <= DAY_HOURS for hours in busy.values()), busy


@games
def test_people_at_other_places_do_not_matter(name):
    """The exact odds of somebody's body are the same with and without people elsewhere."""
    scene, state = begun(name, 7 * DAY, slice(0, 2))
    if len(state.people) < 2:
        pytest.skip("only one survivor of this game's first fights")
    here, there = (replace(person, location=place) for person, place in zip(state.people, ("here", "there"), strict=True))
    together = scene.settled(replace(state, people=(here, there), locations=(Location("here"), Location("there"))))
    alone = scene.settled(replace(together, people=(here,)))
    until = scene.next_moment(alone) + HOUR
    if scene.next_moment(together) + DAY < until:
        until = scene.next_moment(together) + HOUR

    def body(start):
        after = yield from run(scene, replace(start, until=until))
        person = after.participant(here.name)
        return person.life, person.runs

    both, single = (exact(sub(body, start), budget=Budget(seconds=20)) for start in (together, alone))
    assert not single.unsettled
    if not both.unsettled:
        shares = [{key: weight / odds.total for key, weight in odds.weights.items()} for odds in (both, single)]
        assert shares[0].keys() == shares[1].keys()
        assert all(shares[0][key] == pytest.approx(shares[1][key]) for key in shares[0])
    goal = Goal(here.name, "dead")
    times = [milestone_times(scene, replace(start, until=until), goal, Budget(seconds=20)) for start in (together, alone)]
    assert times[0] == times[1]


@games
def test_a_stretch_takes_its_length_and_never_less_than_nothing(name):
    for seconds in (0, 1, HOUR, 3 * DAY):
        scene, state = begun(name, seconds)
        after = Player(Seeded(2)).run(run(scene, state))
        assert 0 <= scene.took(after) <= seconds
        assert scene.took(after) == seconds or after.stopped or after.dues


def test_every_game_with_downtime_is_tested():
    assert {name for name in NAMES if find(name).downtime is not None} >= {"silhouette", "scumm", "hybrid", "ore", "foresight"}
