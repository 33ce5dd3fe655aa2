"""Calendars: dates and spans of time in words and back, the Gregorian one and those of one's own."""

from datetime import date

import pytest

from rulewright.campaign.calendar import DAY, HOUR, UNDATED, Calendar, Month, calendar_from, read_span, write_span
from rulewright.errors import UserError

OWN = calendar_from("2 Frost 7 06:30", (Month("Frost", 40), Month("Sun", 30)), ("One", "Two", "Three"))
GREGORIAN = calendar_from("3 March 1931 20:00")


def test_a_date_of_the_real_world():
    assert GREGORIAN.write(0) == "Tuesday 3 March 1931, 20:00"
    assert GREGORIAN.write(4 * HOUR) == "Wednesday 4 March 1931, 00:00"
    assert GREGORIAN.write_day(30 * DAY) == "Thursday 2 April 1931"
    assert GREGORIAN.read("28 March 1931") == (date(1931, 3, 28) - date(1931, 3, 3)).days * DAY - 20 * HOUR


@pytest.mark.parametrize("calendar", [OWN, GREGORIAN, UNDATED])
@pytest.mark.parametrize("seconds", [0, 60, DAY, 39 * DAY, 70 * DAY, 700 * DAY + 5 * HOUR])
def test_a_written_moment_reads_as_the_same_moment(calendar, seconds):
    assert calendar.read(calendar.write(seconds)) == seconds
    assert calendar.moved(seconds).write(0) == calendar.write(seconds)
    assert calendar.moved(seconds).read(calendar.write(seconds + DAY)) == DAY
    assert calendar.moved(seconds).checked() == calendar.moved(seconds)


def test_a_calendar_of_ones_own():
    assert OWN.write(0) == "Two 2 Frost 7, 06:30"
    assert OWN.write(39 * DAY).startswith("Two 1 Sun 7")
    assert OWN.write(69 * DAY).startswith("Two 1 Frost 8")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("3 weeks", 21 * DAY), ("1 day 4 hours", DAY + 4 * HOUR), ("90 min", 5_400), ("2d", 2 * DAY), ("1 month", 30 * DAY)],
)
def test_spans(text, seconds):
    assert read_span(text) == seconds


def test_a_span_in_words_has_two_units():
    assert [write_span(seconds) for seconds in (0, 60, 3 * DAY, 23 * DAY + 5)] == ["no time", "1 minute", "3 days", "3 weeks and 2 days"]


@pytest.mark.parametrize(
    "text", ["", "soon", "31 February 1931", "1 Marz 1931x", "3 March", "12:00", "3 March 1931 25:00", "0 March 1931", "3 Ma 1931"]
)
def test_nonsense_is_refused(text):
    with pytest.raises(UserError):
        GREGORIAN.read(text)
    with pytest.raises(UserError):
        read_span(text)


@pytest.mark.parametrize(
    "calendar",
    [
        Calendar(months=(Month("A", 0),)),
        Calendar(months=(Month("A", 5), Month("a", 5))),
        Calendar(week=()),
        Calendar(second=DAY),
        Calendar(year=0),
        Calendar(months=(Month("A", 5),), day=6),
    ],
)
def test_an_impossible_calendar_is_refused(calendar):
    with pytest.raises(UserError):
        calendar.checked()
