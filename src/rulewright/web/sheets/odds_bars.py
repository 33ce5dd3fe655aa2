"""Odds as bar charts, for one test or several side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from rulewright.rules.reasons import Reason

MAX_COLUMNS = 61
MAX_LINES = 24
MAX_TABLE = 200
LONGEST_TICK = 5
VERDICTS = ("success", "draw", "failure")


class Bar(Struct, frozen=True):
    """One bar, in percent of the longest."""

    series: int
    percent: str
    length: float
    across: float
    width: float
    verdict: str


class Column(Struct, frozen=True):
    """One position on the axis with a bar for each series."""

    label: str
    tick: str
    bars: tuple[Bar, ...]
    verdict: str
    first: bool = False


class Chart(Struct, frozen=True):
    """A chart with upright bars (short ticks) or horizontal bars (long labels), and the labels of its scale from the top."""

    upright: bool
    columns: tuple[Column, ...]
    scale: tuple[str, ...]
    series: int
    left_out: int
    label: str
    differ: bool = False
    """Whether an outcome is a success in one series and not in another."""


class Share(Struct, frozen=True):
    """A verdict, its chance, and its part of one stacked bar."""

    verdict: str
    percent: str
    start: float
    width: float


class Line(Struct, frozen=True):
    """A row of the table that shows the same as the chart."""

    label: str
    verdict: str
    cells: tuple[str, ...]


def format_percent(chance: float, digits: int = 1) -> str:
    """A chance for people; never `0.0 %` for what is possible, nor `100.0 %` for what is not certain."""
    shown = f"{chance * 100:.{digits}f}"
    if chance > 0 and float(shown) == 0:
        return f"< {10**-digits:g} %"
    if chance < 1 and float(shown) == 100:
        return f"> {100 - 10**-digits:g} %"
    return f"{shown} %"


def build_shares(answer: Mapping[str, Any]) -> tuple[Share, ...]:
    """The chances of success, draw and failure, as numbers and as parts of one bar."""
    if answer["chance"] is None:
        return ()
    result, start = [], 0.0
    for verdict in VERDICTS:
        chance = answer["chance"][verdict]
        result.append(Share(verdict, format_percent(chance, 2), round(start * 100, 3), round(chance * 100, 3)))
        start += chance
    return tuple(result)


class _Place(Struct):
    """The outcomes at one position on the axis."""

    order: float
    labels: list[str]
    chances: list[float]
    verdicts: set[str]

    @property
    def label(self) -> str:
        return min(self.labels, key=len)


def build_chart(answers: Sequence[Mapping[str, Any]], at_least: bool = False) -> Chart:
    """The distribution of one test, or of several on one axis. Takes what `odds --json` prints.

    `at_least` shows the chance of each outcome or a better one.
    """
    judged = all("order" in outcome for answer in answers for outcome in answer["outcomes"])
    places = _places(answers, judged)
    if at_least and judged:
        for here, further in zip(places[-2::-1], places[:0:-1], strict=True):
            here.chances = [value + other for value, other in zip(here.chances, further.chances, strict=True)]
        for place in places:
            place.chances = [round(chance, 12) for chance in place.chances]  # a sum of 1 up to rounding errors is 1
    ticks = _ticks(places) if judged else None
    upright = ticks is not None and len(places) <= MAX_COLUMNS
    shown = places
    if not upright and len(places) > MAX_LINES:
        least = sorted((max(place.chances) for place in places), reverse=True)[MAX_LINES - 1]
        shown = [place for place in places if max(place.chances) >= least][:MAX_LINES]
    top = max((chance for place in shown for chance in place.chances), default=1.0) or 1.0
    step = _step(top)
    high = step * -(-top // step) if upright else top
    columns, before = [], ""
    every = -(-len(shown) // 24) if upright else 1
    for at, place in enumerate(shown):
        verdict = next(iter(place.verdicts)) if len(place.verdicts) == 1 else ""
        tick = (ticks[at] if at % every == 0 else "") if upright and ticks is not None else place.label
        columns.append(Column(place.label, tick, _bars(place, verdict, high), verdict, verdict == "success" != before))
        before = verdict
    lines = round(high / step) if upright else 0
    scale = tuple(format_percent(step * line, 0 if step >= 0.01 else 1) for line in range(lines, -1, -1)) if upright else ()
    notations = "; ".join(f"{answer.get('notation', answer.get('id', ''))}" for answer in answers)
    differ = any("success" in place.verdicts and len(place.verdicts) > 1 for place in places)
    return Chart(
        upright,
        tuple(columns),
        scale,
        len(answers),
        len(places) - len(shown),
        f"Chance of {'at least ' if at_least else ''}each outcome: {notations}",
        differ,
    )


def _places(answers: Sequence[Mapping[str, Any]], judged: bool) -> list[_Place]:
    result: dict[Any, _Place] = {}
    for series, answer in enumerate(answers):
        for outcome in answer["outcomes"]:
            key = outcome["order"] if judged else outcome["label"]
            place = result.setdefault(key, _Place(outcome.get("order", 0), [], [0.0] * len(answers), set()))
            place.labels.append(outcome["label"])
            place.chances[series] += outcome["weight"] / answer["total"]
            if outcome["verdict"]:
                place.verdicts.add(outcome["verdict"])
    if judged:
        return sorted(result.values(), key=lambda place: place.order)
    return sorted(result.values(), key=lambda place: -max(place.chances))


def _ticks(places: Sequence[_Place]) -> list[str] | None:
    """Short labels for the axis: the outcomes' labels, or the numbers in them; None if all are too long."""
    labels = [place.label for place in places]
    if all(len(label) <= LONGEST_TICK for label in labels):
        return labels
    if all(float(place.order).is_integer() and abs(place.order) < 1000 and _label_shows_number(place) for place in places):
        signed = any(place.order < 0 for place in places)
        return [f"{int(place.order):+}".replace("-", "−") if signed and place.order else str(int(place.order)) for place in places]
    return None


def _label_shows_number(place: _Place) -> bool:
    """Whether the number of a position is in its label; otherwise it means nothing on the axis."""
    return not place.order or str(abs(int(place.order))) in place.label


def _step(top: float) -> float:
    """The distance of the scale's lines, for three to five of them."""
    for step in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1):
        if top / step <= 5:
            return step
    return 0.2


def _bars(place: _Place, verdict: str, high: float) -> tuple[Bar, ...]:
    count = len(place.chances)
    width = 76 / count
    return tuple(
        Bar(
            series,
            format_percent(chance),
            round(max(chance / high * 100, 0.4 if chance else 0), 3),
            round(12 + series * width, 3),
            round(width * 0.9, 3),
            verdict if count == 1 else "",
        )
        for series, chance in enumerate(place.chances)
    )


def build_table(answers: Sequence[Mapping[str, Any]], least: bool = False) -> tuple[Line, ...]:
    """Every outcome with its chance as a table; with `least`, the chance of it or a better one."""
    row_by_label: dict[str, tuple[str, float, list[int]]] = {}
    for series, answer in enumerate(answers):
        for outcome in answer["outcomes"]:
            line = row_by_label.setdefault(outcome["label"], (outcome["verdict"] or "", outcome.get("order", 0), [0] * len(answers)))
            line[2][series] += outcome["weight"]
    ordered = sorted(row_by_label.items(), key=lambda item: (item[1][1], -max(item[1][2])))[:MAX_TABLE]
    if least:
        weights = [(order, here) for _, order, here in row_by_label.values()]
        ordered = [
            (label, (verdict, order, [sum(here[series] for at, here in weights if at >= order) for series in range(len(answers))]))
            for label, (verdict, order, _) in ordered
        ]
    return tuple(
        Line(label, verdict, tuple(format_percent(weight / answer["total"], 2) for weight, answer in zip(weights, answers, strict=True)))
        for label, (verdict, _, weights) in ordered
    )


class Term(Struct, frozen=True):
    """One line of a sum."""

    depth: int
    label: str
    value: str
    rule: str
    source: str


def list_terms(reasons: Sequence[Reason], rule: str | None = None, depth: int = 0) -> tuple[Term, ...]:
    """A sum as lines, each with its rule; a term without a rule has that of the value above it."""
    result: list[Term] = []
    for place, reason in enumerate(reasons):
        source = "" if reason.source == "book" else reason.source
        result.append(Term(depth, reason.label, _format_term(reason, place == 0), reason.rule or rule or "", source))
        result += list_terms(reason.terms, reason.rule or rule, depth + 1)
    return tuple(result)


def _format_term(reason: Reason, first: bool) -> str:
    worth = format_number(reason.value)
    if reason.op == "+" and isinstance(reason.value, int | float):
        return worth if first or reason.value < 0 else f"+{worth}"
    if reason.rounds():
        return reason.op if reason.value == 1 else f"{reason.op} {worth}"
    return f"{reason.sign().replace('-', '−')} {worth}".strip()


def format_number(value: int | float | str, signed: bool = False) -> str:
    """A number with a real minus sign, and with a plus if wanted."""
    if isinstance(value, str):
        return value
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("-", "−", 1) if value < 0 else f"+{text}" if signed and value > 0 else text
