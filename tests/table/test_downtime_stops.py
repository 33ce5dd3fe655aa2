"""What stops time: illness, dying, money, somebody asked; hidden things never do. Chances by sampling, and plans compared."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from rulewright.campaign.alternatives import Alternative, changed_plan, read_alternative
from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import Assignment, Downtime, Goal, Location, OngoingEffect, Participant
from rulewright.campaign.milestone_chances import goal_times, milestone_times, sampled_times
from rulewright.campaign.stops import USUAL, stops_of, why_stopped
from rulewright.errors import UserError
from rulewright.play import Player, Seeded
from rulewright.play.odds import Budget
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.scenes.downtime_preview import preview
from table.group import gather
from table.test_downtime import now, texts

SURE_ILLNESS = {"name": "marsh fever", "contagiousness": "30", "virulence": "30", "onset": "48"}


@pytest.fixture
def group(kept):
    group = gather(kept, "scumm")
    group.act("bea", c.StartClock("3 March 1931 20:00"))
    return group


def begun(system, *people, until=30 * DAY, stops=(), places=()):
    """A downtime of a game's plain characters with these conditions, and its scene."""
    game = find(system)
    rules = game.book.ruleset()
    character = game.new(rules, "character", None)
    scene = game.staging("downtime").scene(rules)
    lives = [
        replace(person, life=game.downtime.of(rules, replace(character, condition=condition), person.name)) for person, condition in people
    ]
    return scene, Downtime(0, 0, until, tuple(lives), places, stops=stops).checked()


def vesna(**fields):
    return Participant("Vesna", None, **fields)


def test_time_stops_when_an_illness_shows_and_not_while_it_incubates(group):
    ill = group.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    group.act("bea", c.BeginEffect(ill, "illness", SURE_ILLNESS, hidden=True))
    group.act("bea", c.PassTime("1 year"))
    told = texts(group, "ana")
    assert "Time stops: Vesna: illness marsh fever" in told
    assert now(group) == "Tuesday 3 March 1931, 22:00"  # 48 hours divided by the margin of 24
    group.act("bea", c.TurnBack())
    group.act("bea", c.PassTime("1 year", stop_for=("date",)))
    assert now(group) == "Wednesday 2 March 1932, 20:00"
    assert sum(text.startswith("Time stops") for text in texts(group, "ana")) == 1


def test_time_stops_when_somebody_has_nothing_left(group):
    drinker = group.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    with group.tables.looking(group.table) as table:
        wealth = dict(find("scumm").downtime.owned(table.rules, table.character(drinker).thing(table.system)))
    assert wealth
    mean, amount = next((mean, amount) for mean, amount in wealth.items() if amount)
    scene, state = begun("scumm", (vesna(owned=((mean, amount),)), {}), stops=USUAL)
    before = state
    after = replace(state, people=(state.people[0].with_means(mean, 0),))
    assert why_stopped(scene.game, before, after) == f"Vesna has no {mean} left"
    assert why_stopped(scene.game, replace(before, stops=()), replace(after, stops=())) == ""
    assert why_stopped(scene.game, after, after) == ""


def test_time_stops_when_an_activity_is_done_or_somebody_is_dying():
    doing = (Assignment("something else", "the ledger", (("unit", 3 * HOUR),)),)
    scene, state = begun("scumm", (vesna(doing=doing), {}), stops=("finished",))
    after = Player(Seeded(1)).run(run(scene, state))
    assert (after.stopped, after.now) == ("Vesna is done with the ledger", 9 * HOUR)
    scene, state = begun("scumm", (vesna(doing=doing), {}), stops=("dying",))
    assert Player(Seeded(1)).run(run(scene, state)).now == 30 * DAY


def test_time_passes_until_somebody_is_asked(group):
    """A Flesh wound heals without dice; a bad bruise fades after a roll, which stops the time."""
    hurt = group.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    group.act("bea", a.ChangeCharacter(hurt, "condition", {"flesh": 1}))
    group.act("bea", c.PlanActivity(hurt, "something else", {"aim": "the ledger", "unit": "8 hours", "test": "alertness", "total": "1"}, 1))
    group.act("bea", c.PassTime(stop_for=("asked",)))
    assert now(group) == "Wednesday 11 March 1931, 20:00"
    assert "Time stops: Vesna had to roll or decide" in texts(group, "ana")
    assert any("a Flesh wound healed" in text for text in texts(group, "ana"))


def test_a_hidden_roll_is_no_question():
    runs = (OngoingEffect("illness", "fever", 0, ("fever", 1, 1, 24, ""), known=()),)
    scene, state = begun("scumm", (vesna(runs=runs), {}), stops=("asked", "illness"))
    after = Player(Seeded(4)).run(run(scene, state))
    assert after.stopped == ""
    assert after.now == 30 * DAY


def test_names_of_stops_are_checked(group):
    with pytest.raises(UserError, match=r"time cannot stop for 'ilness'; did you mean .illness"):
        group.act("bea", c.PassTime("1 day", stop_for=("ilness",)))
    assert set(USUAL) < set(stops_of(find("scumm").downtime))


def test_a_sample_agrees_with_the_exact_chance():
    scene, state = begun("scumm", (vesna(), {"bruised_deep": 1}), until=3 * DAY)
    exact = milestone_times(scene, state, Goal("Vesna", "well"), Budget(seconds=20))
    sampled = sampled_times(scene, state, [Goal("Vesna", "well"), Goal("Vesna", "dead")], seconds=2)
    assert exact.chance == 0.5
    assert exact.runs == 0
    low, high = sampled[0].interval
    assert low < exact.chance < high
    assert high - low < 0.2
    assert sampled[1].chance == 0
    assert sampled[0].runs == sampled[1].runs > 200


def test_a_wound_that_takes_too_long_to_count_has_an_interval():
    """ForeSight's wounds from level 2 on branch too often for an exact count in a page's time."""
    scene, state = begun("foresight", (vesna(location="ward"), {"wounds": 3}), until=60 * DAY, places=(Location("ward"),))
    goal = Goal("Vesna", "well")
    assert milestone_times(scene, state, goal, Budget(seconds=0.05)) is None
    times = goal_times(scene, state, [goal], 0.05, 1)[0]
    assert times.runs > 10
    assert times.interval[0] <= times.chance <= times.interval[1]


def test_two_plans_are_compared():
    ward, room = Location.of("hospital", care="constant"), Location("his room")
    scene, state = begun("scumm", (vesna(location="his room"), {"deep": 1}), until=90 * DAY, places=(ward, room))
    other = changed_plan(scene.game, state, read_alternative("Vesna.location=hospital"))
    here, there = (milestone_times(scene, plan, Goal("Vesna", "no wounds"), Budget(seconds=20)) for plan in (state, other))
    assert here.shares == ((30 * DAY, Fraction(1)),)
    assert there.shares == ((14 * DAY, Fraction(1)),)
    for text in ("hospital", "Vesna=hospital", "Vesna.mood=good", "Vesna.location="):
        with pytest.raises(UserError, match="is no other plan"):
            read_alternative(text)
    with pytest.raises(UserError, match=r"there is no location 'hospitl'; did you mean .hospital"):
        changed_plan(scene.game, state, Alternative("Vesna", "hospitl"))


def test_the_preview_shows_both_plans(group):
    hurt = group.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    group.act("bea", a.ChangeCharacter(hurt, "condition", {"deep": 1}))
    group.act("bea", c.SetLocation("hospital", {"care": "constant"}))
    with group.tables.looking(group.table) as table:
        ahead = preview(table, c.PassTime("3 weeks"), 20, Alternative("Vesna", "hospital"))
    well = next(chance for chance in ahead.chances if "well" in chance.words)
    assert (well.chance, well.otherwise.chance, ahead.alternative) == (0, 1, "Vesna: hospital")
