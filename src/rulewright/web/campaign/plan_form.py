"""Parses the forms of plans and generators: an activity, an effect or a generator with its arguments."""

from typing import Any

from litestar.datastructures import FormMultiDict, MultiDict

from rulewright.errors import UserError
from rulewright.table.commands.campaign_messages import BeginEffect, GenerateNote, PlanActivity
from rulewright.web.campaign.downtime_form import MAX_TEXT

ARGUMENT = "given."
"""The beginning of the names of an activity's fields."""


def parse_plan(form: FormMultiDict | MultiDict[Any]) -> PlanActivity:
    """The activity that a form plans."""
    hours = _text(form, "hours")
    if hours and not hours.isdecimal():
        raise UserError(f"hours a day are a whole number, not {hours[:20]!r}")
    return PlanActivity(_text(form, "character"), _text(form, "activity"), _arguments(form), int(hours) if hours else None)


def parse_effect(form: FormMultiDict | MultiDict[Any]) -> BeginEffect:
    """The effect that a form begins."""
    return BeginEffect(_text(form, "character"), _text(form, "effect"), _arguments(form), _text(form, "hidden") == "true")


def parse_generator(form: FormMultiDict | MultiDict[Any]) -> GenerateNote:
    """The note that a form generates."""
    return GenerateNote(_text(form, "generator"), _arguments(form))


def _arguments(form: FormMultiDict | MultiDict[Any]) -> dict[str, Any]:
    return {name.removeprefix(ARGUMENT): _text(form, name) for name in form if name.startswith(ARGUMENT) and _text(form, name)}


def _text(form: FormMultiDict | MultiDict[Any], name: str) -> str:
    value = form.get(name, "")
    return value.strip()[:MAX_TEXT] if isinstance(value, str) else ""
