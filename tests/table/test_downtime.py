"""Time that passes at a table: the clock, healing, dates, tallies and plans, what players may know of them, and undoing it."""

import pytest
from msgspec.structs import astuple

from rulewright.errors import UserError
from rulewright.table import campaign_view
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.storage import migrate_full
from table.group import Group, duel, gather, play_on


class Party(Group):
    """A group with a hurt character and a sound one."""

    vesna: str = ""
    teodor: str = ""


@pytest.fixture
def group(kept):
    party = Party(*astuple(gather(kept, "scumm")))
    party.vesna = party.act("ana", a.AddCharacter(of="character", name="Vesna")).made
    party.teodor = party.act("cleo", a.AddCharacter(of="character", name="Teodor")).made
    party.act("bea", a.ChangeCharacter(party.vesna, "condition", {"flesh": 1, "deep": 1}))
    party.act("bea", c.StartClock("3 March 1931 20:00"))
    party.act("bea", c.SetLocation("hospital", {"care": "constant"}))
    party.act("ana", c.MakePlan(party.vesna, location="hospital"))
    return party


def condition(group, character):
    with group.tables.looking(group.table) as table:
        return table.character(character).data["condition"]


def now(group, who="ana"):
    shown = campaign(group, who)
    return f"{shown.date}, {shown.time}"


def campaign(group, who="bea"):
    with group.tables.looking(group.table) as table:
        return campaign_view.campaign_shown(table, table.members[getattr(group, who)])


def texts(group, who):
    return [line.text for line in group.log(who)] + [detail.text for line in group.log(who) for detail in line.details]


def test_three_weeks_heal_in_one_action_and_everybody_reads_how(group):
    group.act("bea", c.PassTime("3 days"))
    assert condition(group, group.vesna)["flesh"] == 0
    assert condition(group, group.vesna)["deep"] == 1
    assert now(group) == "Friday 6 March 1931, 20:00"
    group.act("bea", c.PassTime(milestone="well", who=group.vesna))
    assert now(group) == "Friday 20 March 1931, 20:00"
    assert condition(group, group.vesna)["deep"] == 0
    assert group.view("ana").scenes == ()
    told = texts(group, "ana")
    assert "Friday 20 March 1931, 20:00" in told
    assert any(text.startswith("Vesna recovers: a Deep wound healed") for text in told)
    assert any("Vesna is well again" in text for text in told)
    assert campaign(group).digest.people[0].words[0] == "no Deep wounds"


def test_progress_of_healing_is_kept_in_the_file(group):
    group.act("bea", c.PassTime("2 days"))
    assert condition(group, group.vesna)["runs"] == [{"of": "recovery", "spent": 2 * 86_400}]
    group.act("bea", c.PassTime("1 day"))
    assert condition(group, group.vesna)["flesh"] == 0


def test_undoing_takes_back_the_clock_and_the_conditions(group):
    before, data = now(group), condition(group, group.vesna)
    group.act("bea", c.PassTime("1 day"))
    between = condition(group, group.vesna), now(group)
    group.act("bea", c.PassTime("20 days"))
    with pytest.raises(UserError, match="turn the time back"):
        group.act("bea", a.UndoCarry())
    group.act("bea", c.TurnBack())
    assert (condition(group, group.vesna), now(group)) == between
    group.act("bea", c.TurnBack())
    assert {field: value for field, value in condition(group, group.vesna).items() if field in data} == data
    assert now(group) == before
    assert group.view("bea").offers == ()
    with pytest.raises(UserError, match="no time has passed"):
        group.act("bea", c.TurnBack())
    assert any("undoes the time that passed" in text for text in texts(group, "ana"))


def test_time_is_not_undone_for_somebody_who_has_been_in_a_scene_since(group):
    group.act("bea", c.PassTime("1 day"))
    sides = {"one": (a.Placing(group.vesna, at=(0.0, 0.0)),), "two": (a.Placing("hired-gun", at=(6.0, 0.0)),)}
    number = int(group.act("bea", a.BeginScene(name="yard", sides=sides)).made)
    group.act("bea", a.EndScene(number))
    with pytest.raises(UserError, match="has been in yard since"):
        group.act("bea", c.TurnBack())


def test_a_fight_is_settled_and_takes_time(group):
    number = duel(group)
    with pytest.raises(UserError, match="still in progress"):
        group.act("bea", c.PassTime("1 day"))
    play_on(group, number=number)
    group.act("bea", a.EndScene(number))
    with group.tables.looking(group.table) as table:
        rounds = table.scenes[number].encounter.scene.round(table.scenes[number].encounter.state)
        assert table.scenes[number].ended.took == table.campaign.now == rounds * 6 > 0
        offered = bool(group.view("bea").offers)
    if offered:
        with pytest.raises(UserError, match="keep or discard the results"):
            group.act("bea", c.PassTime("1 day"))
        group.act("bea", a.LeaveBehind(number))
    group.act("bea", c.PassTime("1 day"))


def test_only_the_gamemaster_lets_time_pass_and_players_plan_for_their_own(group):
    for action in (c.PassTime("1 day"), c.TurnBack(), c.StartClock(), c.SetDate("1 April 1931", "x"), c.SetTally("x", 3)):
        with pytest.raises(Forbidden):
            group.act("ana", action)
    with pytest.raises(Forbidden):
        group.act("ana", c.MakePlan(group.teodor, "hard work"))
    group.act("cleo", c.MakePlan(group.teodor, "hard work"))
    assert next(person for person in campaign(group, "ana").people if person.name == "Teodor").exertion == "hard work"


def test_what_is_hidden_reaches_no_player_and_stops_no_time(group):
    def seen():
        return campaign(group, "ana"), [text for text in texts(group, "ana") if "ferry" in text or "fuse" in text], group.view("ana")

    before = seen()
    key = group.act("bea", c.SetDate("10 March 1931", "the ferry is sold", "gamemaster")).made
    tally = group.act("bea", c.SetTally("the fuse", 4, "gamemaster")).made
    group.act("bea", c.CountTally(tally, 2))
    hidden = group.act("bea", a.AddCharacter(of="character", name="Mortimer")).made
    group.act("bea", a.ShowCharacter(hidden, True)) if not _hidden(group, hidden) else None
    after = seen()
    assert after[:2] == before[:2]
    assert [date.what for date in campaign(group).dates] == ["the ferry is sold"]
    group.act("bea", c.PassTime("2 weeks"))
    assert now(group) == "Tuesday 17 March 1931, 20:00"
    assert not any("Mortimer" in text for text in texts(group, "ana"))
    group.act("bea", c.RemoveDate(key))
    group.act("bea", c.RemoveTally(tally))
    assert seen()[1] == []


def _hidden(group, character):
    with group.tables.looking(group.table) as table:
        return table.character(character).hidden


def test_time_stops_on_a_date_that_everybody_knows(group):
    group.act("bea", c.SetDate("10 March 1931", "the ferry is sold"))
    group.act("bea", c.PassTime("2 weeks"))
    assert now(group) == "Tuesday 10 March 1931, 00:00"
    assert "Time stops: the ferry is sold" in texts(group, "ana")
    group.act("bea", c.SetDate("12 March 1931", "rent is due"))
    group.act("bea", c.PassTime("1 week", stops=False))
    assert now(group) == "Tuesday 17 March 1931, 00:00"
    assert "rent is due" in texts(group, "ana")


def test_a_tally_whose_count_is_secret(group):
    key = group.act("bea", c.SetTally("the widow's patience", 6, "exists")).made
    before = campaign(group, "ana"), texts(group, "ana")
    group.act("bea", c.CountTally(key, 3))
    assert (campaign(group, "ana"), texts(group, "ana")) == before
    assert campaign(group, "ana").tallies[0].count is None
    assert campaign(group).tallies[0].count == 3
    with pytest.raises(UserError, match="counts from 0"):
        group.act("bea", c.CountTally(key, 4))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (c.PassTime(), "say how long"),
        (c.PassTime("soon"), "not a span of time"),
        (c.PassTime(until="1 March 1931"), "time only passes forward"),
        (c.PassTime(milestone="rich"), "no milestone 'rich'"),
        (c.PassTime(milestone="well", who="nobody"), "time does not pass for 'nobody'"),
        (c.PassTime("300 years"), "at most 200 years"),
        (c.SetLocation("ship", {"care": "some"}), "Medical aid is one of none, constant"),
        (c.SetLocation("ship", {"sails": 3}), "knows no 'sails'"),
        (c.SetDate("1 March 1931", "past"), "is past"),
        (c.SetDate("40 March 1931", "never"), "there is no day 40"),
        (c.SetTally("x", 0), "1 to 100"),
    ],
)
def test_a_refusal_says_what_would_be_right(group, action, words):
    with pytest.raises(UserError, match=words):
        group.act("bea", action)


def test_questions_of_a_player_whose_dice_wait(group):
    """A dying character at a ward: the medic's dice roll by themselves, and the table is the same after a restart."""
    group.act("bea", c.SetLocation("hospital", {"care": "constant", "medicine": 4}))
    group.act("bea", a.ChangeCharacter(group.vesna, "condition", {"flesh": 1, "deep": 2, "trauma": 5}))
    group.act("bea", c.PassTime("6 hours"))
    assert condition(group, group.vesna).get("dead") or condition(group, group.vesna)["trauma"] is None
    assert group.everything() == group.everything()


def test_a_dying_player_is_asked_and_the_gamemaster_may_answer_for_the_absent(group):
    """Emergency Dice can buy off a death: time waits for the player's answer, and `tactics` waits for nobody."""
    group.act("bea", c.MakePlan(group.vesna))
    group.act("cleo", c.MakePlan(group.teodor, location="hospital"))  # else he is with her, and knows Medicine
    group.act("bea", a.ChangeCharacter(group.vesna, "condition", {"flesh": 1, "deep": 2, "trauma": 2}))
    number = int(group.act("bea", c.PassTime("1 day")).made)
    assert {question.who for question in group.scene("ana", number).questions if question.mine} == {"Vesna"}
    with pytest.raises(UserError, match="still in progress"):
        group.act("bea", c.PassTime("1 day"))
    group.act("bea", a.GoOn(number))
    assert group.view("ana").scenes == ()
    assert now(group) > "T"
    group.act("bea", c.TurnBack())
    group.act("bea", c.PassTime("1 day", tactics=True))
    assert group.view("ana").scenes == ()


def test_a_table_without_a_clock_goes_on_as_before(kept):
    plain = gather(kept, "scumm")
    with pytest.raises(UserError, match="no clock yet"):
        plain.act("bea", c.PassTime("1 day"))
    number = duel(plain)
    play_on(plain, number=number)
    plain.act("bea", a.EndScene(number))
    plain.act("bea", c.StartClock())
    with kept.looking(plain.table) as table:
        assert table.campaign.now == 0
        assert campaign_view.campaign_shown(table, table.members[plain.ana]).date == "Day 1"


def test_a_game_without_downtime_has_a_clock_dates_and_tallies(kept):
    group = gather(kept, "pebbles")
    group.act("bea", a.AddCharacter(of="character", name="Wilma"))
    group.act("bea", c.StartClock())
    group.act("bea", c.SetDate("Day 3", "the tide"))
    group.act("bea", c.PassTime("1 week"))
    with kept.looking(group.table) as table:
        assert table.campaign.now == 2 * 86_400


def test_two_calendars_write_the_same_clock(group):
    months = tuple(c.Month(name, 20) for name in ("Frost", "Thaw"))
    group.act("bea", c.PassTime("30 days"))
    group.act("bea", c.StartClock("5 Frost 12", months, ("Oneday", "Twoday")))
    assert now(group).endswith("day 15 Thaw 12, 00:00")


def test_a_full_table_goes_on_with_its_clock_places_dates_and_plans(group, kept):
    group.act("bea", c.PassTime("1 day"))
    group.act("bea", c.SetDate("28 March 1931", "the ferry is sold"))
    group.act("bea", c.SetTally("patience", 6))
    before = campaign(group)
    onward = migrate_full.go_on(kept, group.table, group.bea)
    with kept.looking(onward.table) as table:
        after = campaign_view.campaign_shown(table, table.members[onward.member])
    assert (after.date, after.time, after.dates, after.tallies) == (before.date, before.time, before.dates, before.tallies)
    assert [(person.name, person.location, person.due) for person in after.people] == [
        (person.name, person.location, person.due) for person in before.people
    ]
