"""The dates of a campaign as an iCalendar file (.ics), for the calendars of phones and desktops."""

from datetime import UTC, datetime, timedelta

from icalendar import Calendar as Document
from icalendar import Event

from rulewright.campaign.calendar import DAY, Calendar
from rulewright.errors import UserError
from rulewright.table import permissions
from rulewright.table.service import Tables
from rulewright.table.state import Table
from rulewright.version import __version__


def calendar_file(tables: Tables, table_id: str, member_id: str) -> bytes:
    """The dates that a member may know, and the present moment, as one file. Only the Gregorian calendar has a place in it."""
    with tables.looking(table_id) as table:
        return bytes(_document(table, permissions.is_gamemaster(table.member(member_id))).to_ical())


def _document(table: Table, leads: bool) -> Document:
    campaign = table.campaign
    if campaign.calendar is None:
        raise UserError("this table has no clock yet; the gamemaster starts one under Time")
    if campaign.calendar.months or campaign.calendar.undated:
        raise UserError("only a campaign with the Gregorian calendar has dates that other calendars know")
    document = Document()
    document.add("prodid", f"-//Rulewright//{__version__}//EN")
    document.add("version", "2.0")
    document.add("x-wr-calname", table.name)
    shown = [(key, date.at, date.what) for key, date in campaign.dates.items() if leads or date.known == "everyone"]
    for key, at, what in [("now", campaign.now, "Now"), *sorted(shown, key=lambda entry: entry[1:])]:
        event = Event()
        event.add("uid", f"{key}@{table.id}")
        event.add("summary", what)
        moment = _moment(campaign.calendar, at)
        event.add("dtstart", moment)
        event.add("duration", timedelta(0))
        event.add("dtstamp", datetime.fromtimestamp(table.lines[-1].at // 1_000_000, UTC))
        document.add_component(event)
    return document


def _moment(calendar: Calendar, at: int) -> datetime:
    """A moment of the campaign, without a time zone."""
    days, second = divmod(calendar.second + at, DAY)
    try:
        return datetime(calendar.year, calendar.month, calendar.day) + timedelta(days=days, seconds=second)
    except OverflowError:
        raise UserError("a date after the year 9999 has no place in a calendar file") from None
