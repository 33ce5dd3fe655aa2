"""Parses the form of a roll request."""

from typing import Any, get_args

from litestar.datastructures import FormMultiDict, MultiDict

from rulewright.campaign.roll_request import Join, Manner, WantedTest
from rulewright.errors import UserError
from rulewright.table.commands.messages import AskForRoll

MAX_TEXT = 500
MOST_ROWS = 3
"""How many alternative tests the form has."""


def parse_roll_request(form: FormMultiDict | MultiDict[Any]) -> AskForRoll:
    """The roll request that a form describes."""
    tests = tuple(wanted for row in range(1, MOST_ROWS + 1) if (wanted := _test(form, row)) is not None)
    if not tests:
        raise UserError("choose a test")
    return AskForRoll(
        tuple(str(name)[:40] for name in form.getall("of", [])[:100]),
        tests,
        title=_text(form, "title"),
        why=_text(form, "why"),
        joined=_one_of(form, "joined", get_args(Join)),
        manner=_one_of(form, "manner", get_args(Manner)),
        opponent=_text(form, "opponent"),
        opponent_test=_text(form, "opponent_test"),
        seconds=60 * _whole(form, "minutes"),
    )


def _text(form: FormMultiDict | MultiDict[Any], name: str) -> str:
    value = form.get(name, "")
    return value.strip()[:MAX_TEXT] if isinstance(value, str) else ""


def _whole(form: FormMultiDict | MultiDict[Any], name: str) -> int:
    text = _text(form, name).replace("−", "-") or "0"
    if not text.lstrip("+-").isdecimal() or len(text) > 7:
        raise UserError(f"{name}: {text[:40]!r} is not a whole number")
    return int(text)


def _one_of(form: FormMultiDict | MultiDict[Any], name: str, known: tuple[Any, ...]) -> Any:
    value = _text(form, name) or known[0]
    if value not in known:
        raise UserError(f"{name}: {value[:40]!r} is unknown; choose one of {', '.join(known)}")
    return value


def _test(form: FormMultiDict | MultiDict[Any], row: int) -> WantedTest | None:
    """One row of the form: a test, its target, and a modifier."""
    test = _text(form, f"test{row}")
    if not test:
        return None
    against, _, modifier = _text(form, f"difficulty{row}").partition(";")
    added = int(modifier) if modifier.lstrip("-").isdecimal() and len(modifier) < 5 else 0
    return WantedTest(test, _text(form, f"against{row}") or against, _whole(form, f"modifier{row}") + added)
