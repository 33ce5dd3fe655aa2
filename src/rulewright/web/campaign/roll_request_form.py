"""Parses the form of a roll request."""

import re
from typing import Any, get_args

from litestar.datastructures import FormMultiDict, MultiDict

from rulewright.campaign.roll_request import Consequence, ConsequenceKind, Join, Manner, Verdict, WantedTest
from rulewright.errors import UserError
from rulewright.table.commands.messages import AskForRoll

MAX_TEXT = 500
MOST_ROWS = 3
"""How many alternative tests the form has."""
MOST_CONSEQUENCES = 3
USUAL_TRIES = 10


def parse_roll_request(form: FormMultiDict | MultiDict[Any]) -> AskForRoll:
    """The roll request that a form describes."""
    tests = tuple(wanted for row in range(1, MOST_ROWS + 1) if (wanted := _test(form, row)) is not None)
    if not tests and not _text(form, "rule"):
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
        opponents=tuple(str(name)[:40] for name in form.getall("opponents", [])[:20]),
        group=_text(form, "group"),
        goal=_whole(form, "goal"),
        tries=(_whole(form, "tries") or USUAL_TRIES) if _whole(form, "goal") else 0,
        unhurried=_text(form, "hurried") != "true",
        then=tuple(then for row in range(1, MOST_CONSEQUENCES + 1) if (then := _consequence(form, row)) is not None),
        again=_whole(form, "again"),
        rule=_text(form, "rule"),
        function=_text(form, "function"),
        given=_given(form),
    )


def form_of(request: AskForRoll) -> MultiDict[Any]:
    """The form that describes a roll request."""
    fields: list[tuple[str, Any]] = [("of", character) for character in request.of]
    for row, wanted in enumerate(request.tests[:MOST_ROWS], 1):
        fields += [(f"test{row}", wanted.test), (f"against{row}", wanted.against), (f"modifier{row}", str(wanted.modifier or ""))]
    for row, then in enumerate(request.then[:MOST_CONSEQUENCES], 1):
        fields += [(f"on{row}", then.on), (f"then{row}", f"{then.do};{then.what}"), (f"amount{row}", str(then.amount))]
    opponents = ((request.opponent,) if request.opponent else ()) + request.opponents
    fields += [("opponents", character) for character in opponents]
    for name in ("title", "why", "joined", "manner", "opponent_test", "group", "rule", "function"):
        fields.append((name, getattr(request, name)))
    for name in ("goal", "tries", "again"):
        fields.append((name, str(getattr(request, name) or "")))
    fields.append(("given", ", ".join(f"{name}={value}" for name, value in request.given.items())))
    fields.append(("minutes", str(request.seconds // 60 or "")))
    if not request.unhurried:
        fields.append(("hurried", "true"))
    return MultiDict(fields)


def _consequence(form: FormMultiDict | MultiDict[Any], row: int) -> Consequence | None:
    """One row of consequences: the verdict, what follows, and how much."""
    do, _, what = _text(form, f"then{row}").partition(";")
    if not do:
        return None
    kinds: tuple[ConsequenceKind, ...] = get_args(ConsequenceKind)
    if do not in kinds:
        raise UserError(f"then: {do[:40]!r} is unknown; choose one of {', '.join(kinds)}")
    named = _text(form, f"what{row}") or what
    amount = _whole(form, f"amount{row}") if _text(form, f"amount{row}") else 1
    return Consequence(_one_of(form, f"on{row}", get_args(Verdict)), do, named, amount)


def _given(form: FormMultiDict | MultiDict[Any]) -> dict[str, int | float | str | bool]:
    """The values of a rule, written as metres=12, threshold=5."""
    values: dict[str, int | float | str | bool] = {}
    for part in re.split(r",(?=\s*[a-z_.0-9]+=)", _text(form, "given")):
        if part.strip():
            name, equals, value = part.strip().partition("=")
            if not equals:
                raise UserError(f"{part.strip()[:40]!r} is no value of a rule; write its name and the value, as in metres=12")
            values[name.strip()] = value.strip()
    return values


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
