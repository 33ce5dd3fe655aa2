"""Parses the forms of downtime: the clock, a location, and the time that is to pass."""

import re
from typing import Any

from litestar.datastructures import FormMultiDict, MultiDict

from rulewright.campaign.alternatives import Alternative
from rulewright.campaign.calendar import Month
from rulewright.campaign.stops import ASKED, USUAL
from rulewright.errors import UserError
from rulewright.table.commands.campaign_messages import PassTime, SetLocation, StartClock

MAX_TEXT = 500
FIGURE = "figure."
"""The beginning of the names of a location's fields."""


def parse_pass_time(form: FormMultiDict | MultiDict[Any]) -> PassTime:
    """The time that a form lets pass: how far is one of a span, a date or a milestone."""
    how = _text(form, "how") or "span"
    if how not in ("span", "until", "milestone", "asked"):
        raise UserError("choose how far: a span, a date, a milestone, or until somebody is asked")
    span = (_text(form, "span") or _text(form, "usual")) if how == "span" else ""
    until = _text(form, "until") if how == "until" else ""
    milestone = _text(form, "milestone") if how == "milestone" else ""
    who = _text(form, "who") if how == "milestone" else ""
    chosen = tuple(str(name)[:60] for name in form.getall("stop_for", [])[:40]) if form.get("choose_stops") else None
    if how == "asked":
        chosen = (*(USUAL if chosen is None else chosen), ASKED)
    stops, tactics = _text(form, "stops") != "false", _text(form, "tactics") == "true"
    return PassTime(span, until, milestone, who, stops, tactics, _text(form, "about"), chosen)


def parse_alternative(form: FormMultiDict | MultiDict[Any]) -> Alternative | None:
    """The plan to compare with; None if nobody is named."""
    who = _text(form, "other_who")
    return Alternative(who, _text(form, "other_location"), _text(form, "other_exertion")) if who else None


def parse_location(form: FormMultiDict | MultiDict[Any]) -> SetLocation:
    """The location that a form describes."""
    figures = {name.removeprefix(FIGURE): _value(_text(form, name)) for name in form if name.startswith(FIGURE)}
    return SetLocation(_text(form, "name"), {name: value for name, value in figures.items() if value != ""})


def parse_clock(form: FormMultiDict | MultiDict[Any]) -> StartClock:
    """The clock that a form starts; months of one's own are lines or a list such as Frost 40, Sun 30."""
    months = []
    for part in re.split(r"[,\n]+", _text(form, "months")):
        if part.strip():
            match = re.fullmatch(r"(.+?) +(\d{1,3})", part.strip())
            if match is None:
                raise UserError(f"{part.strip()[:40]!r} is not a month; write its name and its days, as in Frost 40")
            months.append(Month(match[1], int(match[2])))
    week = tuple(part.strip() for part in re.split(r"[,\n]+", _text(form, "week")) if part.strip())
    return StartClock(_text(form, "start"), tuple(months), week)


def _text(form: FormMultiDict | MultiDict[Any], name: str) -> str:
    value = form.get(name, "")
    return value.strip()[:MAX_TEXT] if isinstance(value, str) else ""


def _value(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[-+]?\d{1,6}", text.replace("−", "-"), re.ASCII) else text
