"""Handlers for the time between scenes: clock, locations, dates, tallies, plans; time passes and is turned back."""

from msgspec.structs import replace

from rulewright.campaign.calendar import Calendar, calendar_from, write_span
from rulewright.campaign.downtime import Date, Tally
from rulewright.campaign.downtime_scene import DOWNTIME
from rulewright.campaign.milestones import words_of
from rulewright.errors import UserError
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Begun
from rulewright.table import limits, permissions
from rulewright.table.campaign_file import begun_from, read_campaign
from rulewright.table.commands import campaign_messages as a
from rulewright.table.commands.handlers import Context, Done, handles, known_character
from rulewright.table.commands.scenes import run_on
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log import told
from rulewright.table.log.lines import Line
from rulewright.table.scenes.downtime import build_downtime, location_of, rules_of
from rulewright.table.scenes.lasting_results import offers
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Table

MOST = 100
"""How many locations, dates or tallies a table has at most."""


@handles(a.BeginCampaign)
def begin_campaign(context: Context, action: a.BeginCampaign) -> Done:
    return Done(begun_from(context.table, *read_campaign(action.yaml, context.table.system)))


@handles(a.StartClock)
def start_clock(context: Context, action: a.StartClock) -> Done:
    calendar = calendar_from(action.start, action.months, action.week, action.weekday)
    limits.small(calendar, "calendar", 20_000)
    return Done([c.ClockStarted(calendar)])


def _calendar(table: Table) -> Calendar:
    if table.campaign.calendar is None:
        raise UserError("this table has no clock yet; start one first")
    return table.campaign.calendar


@handles(a.SetLocation)
def set_location(context: Context, action: a.SetLocation) -> Done:
    known = context.table.campaign.locations
    name = limits.name(action.name, "name of the location")
    if name not in known and len(known) >= MOST:
        raise UserError(f"a table has at most {MOST} locations")
    return Done([c.LocationSet(location_of(rules_of(context.table), name, action.figures))])


@handles(a.RemoveLocation)
def remove_location(context: Context, action: a.RemoveLocation) -> Done:
    if action.name not in context.table.campaign.locations:
        raise UserError(f"there is no location {action.name[:40]!r} at this table")
    return Done([c.LocationRemoved(action.name)])


@handles(a.SetDate)
def set_date(context: Context, action: a.SetDate) -> Done:
    table = context.table
    calendar = _calendar(table)
    at = calendar.read(action.on)
    if at <= table.campaign.now:
        raise UserError(f"{calendar.write(at)} is past; it is {calendar.write(table.campaign.now)} now")
    if len(table.campaign.dates) >= MOST:
        raise UserError(f"a table has at most {MOST} dates; remove one first")
    if action.known == "exists":
        raise UserError("a date is known to everyone or only to the gamemaster")
    date = Date(at, limits.name(action.what, "name of the date", 120), action.known)
    key = table.fresh_id("e")
    return Done([c.DateSet(key, date)], key)


@handles(a.RemoveDate)
def remove_date(context: Context, action: a.RemoveDate) -> Done:
    if action.date not in context.table.campaign.dates:
        raise UserError("there is no such date at this table")
    return Done([c.DateRemoved(action.date)])


@handles(a.SetTally)
def set_tally(context: Context, action: a.SetTally) -> Done:
    table = context.table
    if len(table.campaign.tallies) >= MOST:
        raise UserError(f"a table has at most {MOST} tallies; remove one first")
    tally = Tally(limits.name(action.name, "name of the tally", 120), action.of, 0, action.known).checked()
    key = table.fresh_id("y")
    return Done([c.TallySet(key, tally)], key)


def _tally(context: Context, key: str) -> Tally:
    if key not in context.table.campaign.tallies:
        raise UserError("there is no such tally at this table")
    return context.table.campaign.tallies[key]


@handles(a.CountTally)
def count_tally(context: Context, action: a.CountTally) -> Done:
    tally = _tally(context, action.tally)
    return Done([c.TallySet(action.tally, replace(tally, count=tally.count + action.by).checked())])


@handles(a.RemoveTally)
def remove_tally(context: Context, action: a.RemoveTally) -> Done:
    _tally(context, action.tally)
    return Done([c.TallyRemoved(action.tally)])


@handles(a.MakePlan)
def make_plan(context: Context, action: a.MakePlan) -> Done:
    table = context.table
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    exertions = [exertion.name for exertion in rules_of(table).exertions]
    if action.exertion and action.exertion not in exertions:
        raise UserError(f"there is no plan {action.exertion[:40]!r}; choose one of {', '.join(exertions)}")
    if action.location and action.location not in table.campaign.locations:
        raise UserError(f"there is no location {action.location[:40]!r} at this table")
    exertion = "" if action.exertion == exertions[0] else action.exertion
    return Done([c.PlanMade(character.id, exertion, action.location, table.campaign.plan(character.id).doing)])


# --- time passes --------------------------------------------------------------------------------------------------------------


@handles(a.PassTime)
def pass_time(context: Context, action: a.PassTime) -> Done:
    table = context.table
    if table.open_scenes():
        raise UserError(f"{table.open_scenes()[0].name} is still in progress; end it before time passes")
    unsettled = offers(table)
    if unsettled:
        raise UserError(f"keep or discard the results of {unsettled[0].name} before time passes")
    built = build_downtime(table, action)
    staging = table.system.staging(DOWNTIME)
    name = _title(table, action)
    encounter = Encounter.begin(staging.scene(table.rules), built.downtime, name)
    begun = encounter.entries[0]
    assert isinstance(begun, Begun)
    limits.small(begun, "downtime", limits.LINE_BYTES)
    usual = next(iter(staging.tactics))
    hands = {who: e.Hand(tactic=usual) for who in built.characters} if action.tactics else {}
    change = e.SceneBegun(max(table.scenes, default=0) + 1, begun, built.characters, hands, dict.fromkeys(built.characters, usual))
    stage = Stage(table.system, Line(table.seq + 1, 0, context.member.id, change), change)
    return Done([told.beginning(change, stage.encounter), *run_on(context, stage)], str(change.scene))


def _title(table: Table, action: a.PassTime) -> str:
    """How long time passes, in words."""
    built = build_downtime(table, action).downtime
    if built.goal is None and not (action.span or action.until):
        return "Time passes until somebody is asked"
    if built.goal is None or action.span or action.until:
        return f"Time passes: {write_span(built.until - built.start)}"
    return f"Time passes until {words_of(rules_of(table), built.goal)}"


@handles(a.TurnBack)
def turn_back(context: Context, action: a.TurnBack) -> Done:
    table = context.table
    if not table.campaign.passed:
        raise UserError("no time has passed that could be undone")
    number = table.campaign.passed[-1].scene
    people = set(table.scenes[number].characters.values())
    for later in table.scenes.values():
        if later.number > number and not later.turned_back and people & set(later.characters.values()):
            raise UserError(f"somebody of it has been in {later.name} since; the time cannot be undone any more")
    places = [place for place, carrying in enumerate(table.carryings) if carrying.scene == number]
    after = table.carryings[places[0] + 1 :] if places else []
    if any(people & set(carrying.before) for carrying in after):
        raise UserError("conditions were changed since; undo that first")
    return Done([c.TimeTurnedBack(number)])
