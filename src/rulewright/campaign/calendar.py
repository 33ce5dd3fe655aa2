"""Calendars: they format the clock, which counts whole seconds since the campaign began, and read dates and spans of time."""

import re
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count, join

MINUTE, HOUR, DAY, WEEK = 60, 3_600, 86_400, 604_800
MONTH, YEAR = 30 * DAY, 365 * DAY
"""What a month and a year mean in a span of time."""
LONGEST = 200 * YEAR
"""The longest time that can be counted."""
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNITS = {"second": 1, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": WEEK, "month": MONTH, "year": YEAR}
_SHORT = {"s": 1, "sec": 1, "min": MINUTE, "h": HOUR, "d": DAY, "w": WEEK}
_DATE = re.compile(r"(?:(?P<week>\D+?)[ ,]+)?(?P<day>\d{1,3})\.? +(?P<month>\D+?),? +(?P<year>\d{1,5})(?:,? +(?P<time>\d{1,2}:\d{2}))?")
_SPAN = re.compile(r"(\d{1,9}) *([a-z]+)[ ,]*(?:and +)?")


class Month(Struct, frozen=True, forbid_unknown_fields=True):
    """A month of a calendar of one's own."""

    name: str
    days: int


class Calendar(Struct, frozen=True, forbid_unknown_fields=True):
    """How dates are written, and the moment at which the campaign began. Without months it is the Gregorian calendar."""

    year: int = 1
    month: int = 1
    day: int = 1
    second: int = 0
    """Seconds since midnight."""
    months: tuple[Month, ...] = ()
    week: tuple[str, ...] = _WEEK
    weekday: int = 0
    """The day of the week on the first day of year 1, for a calendar of one's own."""
    undated: bool = False
    """Whether only the days since the beginning are counted: Day 1, 09:40."""

    def checked(self) -> "Calendar":
        """Refuse a calendar in which the beginning is no date."""
        if len(self.months) > 60 or any(not 1 <= month.days <= 500 or not month.name.strip() for month in self.months):
            raise UserError("a calendar has at most 60 months, each with a name and 1 to 500 days")
        if len({month.name.casefold() for month in self.months}) < len(self.months):
            raise UserError("the months of a calendar must have different names")
        if not 1 <= len(self.week) <= 60 or not 0 <= self.weekday < len(self.week):
            raise UserError("a calendar has 1 to 60 days of the week")
        if not 0 <= self.second < DAY:
            raise UserError("the time of day is from 00:00 to 23:59")
        if not self.undated:
            self._ordinal(self.year, self.month, self.day)
        return self

    def moved(self, seconds: int) -> "Calendar":
        """The same calendar for a campaign that begins so much later."""
        days, second = divmod(self.second + seconds, DAY)
        if self.undated:
            return replace(self, day=self.day + days, second=second)
        ordinal = self._ordinal(self.year, self.month, self.day) + days
        if not self.months:
            try:
                first = date.fromordinal(ordinal)
            except (ValueError, OverflowError):  # after the year 9999
                return Calendar(undated=True, day=days + 1, second=second)
            return replace(self, year=first.year, month=first.month, day=first.day, second=second)
        year, rest = divmod(ordinal, sum(month.days for month in self.months))
        number = 0
        while rest >= self.months[number].days:
            rest -= self.months[number].days
            number += 1
        return replace(self, year=year + 1, month=number + 1, day=rest + 1, second=second)

    def write(self, now: int) -> str:
        """A moment in words: Friday 13 March 1931, 09:40."""
        days, second = divmod(self.second + now, DAY)
        time = f"{second // HOUR:02d}:{second % HOUR // MINUTE:02d}"
        return f"{self._write_day(days)}, {time}"

    def write_day(self, now: int) -> str:
        """The day of a moment: Friday 13 March 1931."""
        return self._write_day((self.second + now) // DAY)

    def _write_day(self, days: int) -> str:
        if self.undated:
            return f"Day {days + self.day}"
        ordinal = self._ordinal(self.year, self.month, self.day) + days
        if not self.months:
            try:
                moment = date.fromordinal(ordinal)
            except (ValueError, OverflowError):
                return f"Day {days + 1}"
            return f"{_WEEK[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
        year, rest = divmod(ordinal, sum(month.days for month in self.months))
        for month in self.months:
            if rest < month.days:
                return f"{self.week[(ordinal + self.weekday) % len(self.week)]} {rest + 1} {month.name} {year + 1}"
            rest -= month.days
        raise AssertionError("every day of the year belongs to a month")

    def read(self, text: str) -> int:
        """The seconds from the beginning to a date: 28 March 1931, with 20:00 or without a time (midnight)."""
        if self.undated:
            match = re.fullmatch(r"day +(\d{1,6})(?:,? +(\d{1,2}:\d{2}))?", text.strip(), re.IGNORECASE | re.ASCII)
            if match is None:
                raise UserError(f"{text[:60]!r} is not a day of this campaign; write Day 12 or Day 12, 09:40")
            return (int(match[1]) - self.day) * DAY + _time_of_day(match[2]) - self.second
        match = _DATE.fullmatch(text.strip())
        if match is None:
            raise UserError(f"{text[:60]!r} is not a date; write it like {self.write(0)}")
        names = [month.name for month in self.months] or list(_MONTHS)
        wanted = match["month"].strip().casefold()
        month = next((number for number, name in enumerate(names, 1) if name.casefold() == wanted), 0) or next(
            (number for number, name in enumerate(names, 1) if len(wanted) >= 3 and name.casefold().startswith(wanted)), 0
        )
        if not month:
            raise UserError(f"there is no month {match['month'][:30]!r}; there are {join(names)}")
        days = self._ordinal(int(match["year"]), month, int(match["day"])) - self._ordinal(self.year, self.month, self.day)
        return days * DAY + _time_of_day(match["time"]) - self.second

    def _ordinal(self, year: int, month: int, day: int) -> int:
        """The number of a day, counted from year 1."""
        if not self.months:
            try:
                return date(year, month, day).toordinal()
            except (ValueError, OverflowError):
                raise UserError(f"there is no day {day} of month {month} in the year {year}") from None
        if year < 1 or not 1 <= month <= len(self.months) or not 1 <= day <= self.months[month - 1].days:
            raise UserError(f"there is no day {day} of month {month} in the year {year}")
        before = sum(earlier.days for earlier in self.months[: month - 1])
        return (year - 1) * sum(known.days for known in self.months) + before + day - 1


UNDATED = Calendar(undated=True)
"""A calendar that only counts days."""


def calendar_from(start: str, months: tuple[Month, ...] = (), week: tuple[str, ...] = (), weekday: int = 0) -> Calendar:
    """A calendar whose campaign begins at a date: 3 March 1931 20:00. Without a date it only counts days."""
    if not start.strip():
        return UNDATED
    blank = Calendar(months=months, week=week or _WEEK, weekday=weekday).checked()
    since_first = blank.read(start)
    match = _DATE.fullmatch(start.strip())
    assert match is not None
    names = [month.name.casefold() for month in months] or [name.casefold() for name in _MONTHS]
    wanted = match["month"].strip().casefold()
    month = next(number for number, name in enumerate(names, 1) if name == wanted or (len(wanted) >= 3 and name.startswith(wanted)))
    return Calendar(int(match["year"]), month, int(match["day"]), since_first % DAY, months, week or _WEEK, weekday).checked()


def _time_of_day(text: str | None) -> int:
    if not text:
        return 0
    hours, minutes = (int(part) for part in text.split(":"))
    if hours > 23 or minutes > 59:
        raise UserError(f"{text} is not a time of day; it is from 00:00 to 23:59")
    return hours * HOUR + minutes * MINUTE


def read_span(text: str) -> int:
    """The seconds of a span of time: 3 weeks, 1 day 4 hours, 90 min. A month is 30 days, a year 365."""
    rest, total = text.strip().casefold(), 0
    if not rest:
        raise UserError("say how long: 8 hours, 3 weeks")
    while rest:
        match = _SPAN.match(rest)
        unit = 0 if match is None else _SHORT.get(match[2], 0) or _UNITS.get(match[2].removesuffix("s"), 0)
        if match is None or not unit:
            raise UserError(f"{text[:60]!r} is not a span of time; write it like 8 hours, 3 days or 2 weeks")
        total += int(match[1]) * unit
        rest = rest[match.end() :]
    if total > LONGEST:
        raise UserError("at most 200 years can pass at once")
    return total


def write_span(seconds: int) -> str:
    """A span of time in words, with its two largest units: 3 weeks and 2 days."""
    parts = []
    for name, unit in (("year", YEAR), ("week", WEEK), ("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", 1)):
        number, seconds = divmod(seconds, unit)
        if number:
            parts.append(count(number, name))
    return join(parts[:2]) if parts else "no time"
