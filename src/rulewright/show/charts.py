"""Charts as Vega-Lite specifications, for the browser and for files.

An svg or png file needs the extra `charts`. A specification needs nothing.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rulewright.errors import UserError
from rulewright.files import put

FORMATS = (".svg", ".png", ".json")
VERDICTS = {"success": "#2a8f88", "draw": "#c98a1b", "failure": "#c25a40"}
SERIES = ("#2a8f88", "#c25a40", "#4a86c9", "#a564a1")
MANY_BARS, MOST_BARS, TOO_LOW = 24, 60, 0.0005
"""A chart with more than MANY_BARS leaves out bars below TOO_LOW; one with more than MOST_BARS leaves out the lowest."""

Spec = dict[str, Any]


def check(path: str) -> None:
    """Raise UserError if a chart cannot be saved under this name. Call it before the calculation."""
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise UserError(f"{path}: give a file name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not target.parent.is_dir():
        raise UserError(f"{path}: there is no folder {str(target.parent)!r}")
    if target.is_dir():
        raise UserError(f"{path}: this is a folder")
    if target.suffix.lower() != ".json":
        _converter()


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise UserError("svg and png charts need the extra `charts`: pip install 'rulewright[charts]'; .json needs nothing") from None
    return vl_convert


def save(spec: Spec, path: str) -> None:
    """Save a chart; the ending of the file name decides the format."""
    check(path)
    target = Path(path)
    put(target, drawn(spec, target.suffix.lower().removeprefix(".")))


def drawn(spec: Spec, kind: str) -> bytes:
    """A chart as the content of a file: json, svg or png."""
    if kind == "json":
        import json

        return json.dumps(spec, ensure_ascii=False, indent=2).encode()
    if kind == "svg":
        return str(_converter().vegalite_to_svg(vl_spec=spec)).encode()
    return bytes(_converter().vegalite_to_png(vl_spec=spec, scale=2))


class Palette(NamedTuple):
    """The colours of a theme: ground, text, soft text, lines, and the line of what is fair."""

    ground: str
    ink: str
    soft: str
    line: str
    fair: str


PALETTES = {
    "light": Palette("#fffdf8", "#22242a", "#636771", "#ded8ca", "#22242a"),
    "dark": Palette("#1e2128", "#e9e6df", "#9aa0ad", "#31353f", "#e9e6df"),
}


def _described(title: str | list[str], theme: str = "light", **more: Any) -> Spec:
    """A chart in the common style: readable ticks that never overlap, and the colours of a theme."""
    colours = PALETTES.get(theme, PALETTES["light"])
    text = {"labelColor": colours.soft, "titleColor": colours.soft, "labelFontSize": 12, "titleFontSize": 12}
    lines = {"gridColor": colours.line, "domainColor": colours.line, "tickColor": colours.line, "labelOverlap": "greedy"}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": title, "anchor": "start", "fontSize": 15, "offset": 12, "color": colours.ink, "subtitleColor": colours.soft},
        "config": {
            "font": "Inter, Helvetica, Arial, sans-serif",
            "view": {"stroke": None},
            "axis": {**text, **lines, "labelSeparation": 6},
            "legend": {**text, "labelLimit": 420},
            "title": {"color": colours.ink, "anchor": "start"},
            "text": {"color": colours.ink},
            "rule": {"color": colours.ink},
        },
        "background": colours.ground,
        "padding": 16,
        **more,
    }


FAIR = {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "opacity": 0.8}
"""The line of what is fair: an even chance."""


_CHANCE_AXIS = {"field": "chance", "type": "quantitative", "title": "chance", "axis": {"format": ".0%", "tickCount": 5}}


def odds(answers: Sequence[Mapping[str, Any]], theme: str = "light") -> Spec:
    """The odds of one test, coloured by verdict, or of several tests side by side. Takes the answers of `odds --json`."""
    return _one(answers[0], theme) if len(answers) == 1 else _several(answers, theme)


def _one(answer: Mapping[str, Any], theme: str) -> Spec:
    rows = _rows(answer)
    judged = answer["chance"] is not None
    title: str | list[str] = str(answer["notation"])
    subtitle = "   ".join(f"{verdict} {chance:.1%}" for verdict, chance in (answer["chance"] or {}).items() if chance)
    colour: dict[str, Any] = {"value": SERIES[0]}
    if judged:
        colour = {
            "field": "verdict",
            "type": "nominal",
            "title": None,
            "scale": {"domain": list(VERDICTS), "range": list(VERDICTS.values())},
        }
    labels = list(dict.fromkeys(row["outcome"] for row in rows))
    spec = _described(
        title,
        theme,
        width=max(240, 26 * len(labels)),
        height=260,
        data={"values": rows},
        encoding={"x": {"field": "outcome", "type": "nominal", "sort": labels, "title": None, "axis": {"labelAngle": _angle(labels)}}},
        layer=[
            {
                "mark": {"type": "bar", "cornerRadiusEnd": 2, "tooltip": True},
                "encoding": {"y": _CHANCE_AXIS, "color": colour},
            },
            {
                "mark": {"type": "text", "dy": -6, "fontSize": 11},
                "encoding": {"y": _CHANCE_AXIS, "text": {"field": "chance", "type": "quantitative", "format": ".1%"}},
            },
        ],
    )
    if subtitle:
        spec["title"]["subtitle"] = subtitle
    return spec


def _several(answers: Sequence[Mapping[str, Any]], theme: str) -> Spec:
    series = _distinct([str(answer["notation"]) for answer in answers])
    rows = [{**row, "test": name} for name, answer in zip(series, answers, strict=True) for row in _rows(answer)]
    rows.sort(key=lambda row: row["order"])
    labels = list(dict.fromkeys(row["outcome"] for row in rows))
    return _described(
        "Comparison",
        theme,
        width=max(320, 18 * len(labels) * len(series)),
        height=280,
        data={"values": rows},
        mark={"type": "bar", "cornerRadiusEnd": 2, "tooltip": True},
        encoding={
            "x": {"field": "outcome", "type": "nominal", "sort": labels, "title": None, "axis": {"labelAngle": _angle(labels)}},
            "xOffset": {"field": "test", "sort": series},
            "y": _CHANCE_AXIS,
            "color": {"field": "test", "type": "nominal", "title": None, "scale": {"domain": series, "range": list(SERIES[: len(series)])}},
        },
    )


def _rows(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The bars by label; of many bars the lowest are left out."""
    merged: dict[str, dict[str, Any]] = {}
    for outcome in answer["outcomes"]:
        row = merged.setdefault(
            outcome["label"], {"outcome": outcome["label"], "verdict": outcome.get("verdict"), "chance": 0.0, "order": outcome["order"]}
        )
        row["chance"] += outcome["weight"] / answer["total"]
    rows = list(merged.values())
    if len(rows) > MANY_BARS:
        rows = [row for row in rows if row["chance"] >= TOO_LOW] or rows
    if len(rows) > MOST_BARS:
        rows = sorted(sorted(rows, key=lambda row: -float(row["chance"]))[:MOST_BARS], key=lambda row: float(row["order"]))
    return rows


def _distinct(names: list[str]) -> list[str]:
    return [name if names.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(names, 1)]


def _angle(labels: Sequence[str]) -> int:
    return 0 if all(len(label) <= 4 for label in labels) else -45


def outlook(answer: Mapping[str, Any], title: str) -> Spec:
    """Win chances, rounds and losses. Takes the answer of `simulate --json`."""
    sides = {**answer["sides"], "nobody": answer["draw"]}
    known = bool(answer["settled"])
    winners = [
        {"side": side, "chance": chance["chance"] if known else None, "low": chance["interval"][0], "high": chance["interval"][1]}
        for side, chance in sides.items()
        if side != "nobody" or chance["chance"] > 0
    ]
    names = [row["side"] for row in winners]
    colour = {"field": "side", "type": "nominal", "legend": None, "scale": {"domain": names, "range": _colours(names)}}
    parts = [_bars("Win chances", winners, {"y": {"field": "side", "type": "nominal", "title": None, "sort": names}}, colour)]
    by_round = _by_round(answer)
    if by_round:
        parts.append(_cumulated(by_round, colour))
    if answer["rounds"]["chance"]:
        parts.append(_spread("Rounds", "round", answer["rounds"]["chance"]))
    lost = [
        {"side": side, "lost": int(count), "chance": chance}
        for side, spread in (answer.get("losses") or {}).items()
        for count, chance in spread["chance"].items()
    ]
    if lost:
        parts.append(
            {
                "title": "Losses",
                "width": 360,
                "height": 180,
                "data": {"values": lost},
                "mark": {"type": "bar", "tooltip": True},
                "encoding": {
                    "x": {"field": "lost", "type": "ordinal", "title": "lost", "axis": {"labelAngle": 0}},
                    "xOffset": {"field": "side"},
                    "y": _CHANCE_AXIS,
                    "color": {"field": "side", "type": "nominal", "title": None, "scale": colour["scale"]},
                },
            }
        )
    return _described(title, vconcat=parts)


def _by_round(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The chance that a side has won by the end of each round."""
    rounds = sorted({int(at) for chances in (answer.get("by_round") or {}).values() for at in chances})
    rows = []
    for side, chances in (answer.get("by_round") or {}).items():
        so_far = 0.0
        for at in rounds[:MOST_BARS]:
            so_far += chances.get(str(at), 0.0)
            rows.append({"side": side, "round": at, "chance": so_far})
    return rows


def _cumulated(rows: list[dict[str, Any]], colour: Mapping[str, Any]) -> Spec:
    return {
        "title": "Won by the end of the round",
        "width": 360,
        "height": 180,
        "data": {"values": rows},
        "mark": {"type": "line", "point": True, "interpolate": "step-after", "tooltip": True},
        "encoding": {
            "x": {"field": "round", "type": "quantitative", "title": "round", "axis": {"tickMinStep": 1, "format": "d"}},
            "y": {**_CHANCE_AXIS, "scale": {"domain": [0, 1]}},
            "color": {**colour, "legend": {"title": None}},
        },
    }


def compared(answer: Mapping[str, Any], title: str) -> Spec:
    """Two scenes side by side. Takes the answer of `simulate --versus --json`."""
    names = _distinct([str(name) for name in answer.get("names") or ("A", "B")])
    rows, lost = [], []
    for name, which in zip(names, ("first", "second"), strict=True):
        result = answer[which]
        for side, chance in {**result["sides"], "nobody": result["draw"]}.items():
            rows.append(
                {"scene": name, "side": side, "chance": chance["chance"], "low": chance["interval"][0], "high": chance["interval"][1]}
            )
        lost += [{"scene": name, "side": side, "lost": spread["mean"]} for side, spread in (result.get("losses") or {}).items()]
    colour = {"field": "scene", "type": "nominal", "title": None, "scale": {"domain": names, "range": list(SERIES[:2])}}
    across = {"y": {"field": "side", "type": "nominal", "title": None, "sort": None}, "yOffset": {"field": "scene", "sort": names}}
    parts = [_bars("Win chances", rows, across, colour)]
    if lost:
        parts.append(
            {
                "title": "Average losses",
                "width": 360,
                "data": {"values": lost},
                "mark": {"type": "bar", "cornerRadiusEnd": 2, "tooltip": True},
                "encoding": {**across, "x": {"field": "lost", "type": "quantitative", "title": "lost"}, "color": colour},
            }
        )
    return _described([title, "comparison"], vconcat=parts)


def worths(answer: Mapping[str, Any], title: str) -> Spec:
    """The value of each option of a side. Takes the answer of `simulate --best --json`."""
    parts: list[Spec] = []
    for decision in answer["decisions"][:6]:
        rows = [
            {"option": candidate["label"], "chance": candidate["worth"], "low": candidate["interval"][0], "high": candidate["interval"][1]}
            for candidate in decision["options"]
        ]
        parts.append(_named(f"Round {decision['round']}, {decision['who']}: {decision['question']}", rows, "option"))
    value = [
        {"option": "best play", "chance": answer["value"]["chance"]},
        {"option": "its tactic", "chance": answer["usual"]["chance"]},
    ]
    for row in value:
        row["low"] = row["high"] = row["chance"]
    return _described([title, f"{answer['side']}: {answer['aim']}"], vconcat=[_named("The whole scene", value, "option"), *parts])


def balance(answer: Mapping[str, Any], title: str) -> Spec:
    """The win chance by number and quality of opponents. Takes the answer of `simulate --balance --json`."""
    rows = [
        {
            "opposition": f"{candidate['number']} × {candidate['quality'] or 'opponent'}",
            "chance": candidate["chance"],
            "low": candidate["interval"][0],
            "high": candidate["interval"][1],
        }
        for candidate in answer["tried"]
    ]
    drawn = _named(f"{answer['side']} between {answer['between'][0]:.0%} and {answer['between'][1]:.0%}", rows, "opposition")
    for edge in answer["between"]:
        drawn["layer"].append(
            {"mark": {"type": "rule", "strokeDash": [4, 3], "color": "#b5473c"}, "encoding": {"x": {"datum": edge}, "y": None}}
        )
    return _described(title, vconcat=[drawn])


def duels(answer: Mapping[str, Any], title: str) -> Spec:
    """Charts the chance of each design against each other one, and its average beside its worth. Takes the answer of `duel --json`."""
    rows = [
        {"design": candidate["name"], "against": other, "chance": met["chance"]}
        for candidate in answer["designs"]
        for other, met in candidate["against"].items()
    ]
    names = [candidate["name"] for candidate in answer["designs"]]
    axis = {"type": "nominal", "sort": names, "axis": {"labelLimit": 200}}
    across = {"y": {"field": "design", "title": None, **axis}, "x": {"field": "against", "title": "against", **axis}}
    met = _met("Win chance", rows, (46, 28), across)
    worth = [
        {"design": candidate["name"], "worth": candidate["worth"], "chance": candidate["average"]}
        for candidate in answer["designs"]
        if candidate["worth"]
    ]
    if not worth:
        return _described(title, vconcat=[met])
    beside: Spec = {
        "title": f"Average win chance by {answer['worth']}",
        "width": 360,
        "height": 240,
        "data": {"values": worth},
        "encoding": {
            "x": {
                "field": "worth",
                "type": "quantitative",
                "title": answer["worth"],
                "scale": {"type": "log"},
                "axis": {"format": "~s", "tickCount": 6},
            },
            "y": {
                "field": "chance",
                "type": "quantitative",
                "title": "average chance to win",
                "axis": {"format": "%"},
                "scale": {"domain": [0, 1]},
            },
        },
        "layer": [
            {"mark": {"type": "point", "filled": True, "size": 70, "tooltip": True, "color": SERIES[0]}},
            {"mark": {"type": "text", "align": "left", "dx": 7}, "encoding": {"text": {"field": "design"}}},
            {"mark": FAIR, "encoding": {"y": {"datum": 0.5}, "x": None}},
        ],
    }
    return _described(title, vconcat=[met, beside])


def tournament(answer: Mapping[str, Any], title: str) -> Spec:
    """Every tactic of one side against every tactic of the other. Takes the answer of `simulate --tournament --json`."""
    return _described(title, vconcat=[_tactics_of(answer, side) for side in answer["sides"]])


def _tactics_of(answer: Mapping[str, Any], side: str) -> Spec:
    """One side: a row for each of its tactics, the best first, a column for each tactic of the other side."""
    standings = [candidate for candidate in answer["standings"] if candidate["side"] == side]
    rows = [
        {"tactic": standing["tactic"], "against": other, "chance": met["chance"]}
        for standing in standings
        for other, met in standing["against"].items()
    ]
    mine = {"field": "tactic", "type": "nominal", "sort": [standing["tactic"] for standing in standings], "title": None}
    across = {"y": mine, "x": {"field": "against", "type": "nominal", "sort": None, "title": "against"}}
    return _met(f"{side}: win chance, a draw counts half", rows, (62, 26), across, title="chance")


MEETING = {"domain": [0, 0.5, 1], "range": ["#e6a48f", "#f6f3ec", "#8fcac4"]}
"""The colours of a heat map: pale at a fair chance, so that dark numbers can be read on all of them."""


def _met(title: str, rows: list[dict[str, Any]], steps: tuple[int, int], across: Mapping[str, Any], /, **legend: str) -> Spec:
    """A heat map: the chance of each pair as a number and a colour."""
    chance = {"field": "chance", "type": "quantitative"}
    return {
        "title": title,
        "width": {"step": steps[0]},
        "height": {"step": steps[1]},
        "data": {"values": rows},
        "encoding": across,
        "layer": [
            {"mark": {"type": "rect", "tooltip": True}, "encoding": {"color": {**chance, "scale": MEETING, **legend}}},
            {"mark": {"type": "text", "color": "#22242a"}, "encoding": {"text": {**chance, "format": ".0%"}}},
        ],
    }


def _named(title: str, rows: list[dict[str, Any]], what: str) -> Spec:
    """Horizontal bars in one colour."""
    return _bars(title, rows, {"y": {"field": what, "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 320}}})


def _bars(title: str, rows: list[dict[str, Any]], across: Mapping[str, Any], colour: Mapping[str, Any] | None = None) -> Spec:
    """Horizontal bars, each with its interval."""
    mark = {"type": "bar", "cornerRadiusEnd": 2, "tooltip": True}
    reach = {"x": {**_CHANCE_AXIS, "scale": {"domain": [0, 1]}}}
    return {
        "title": title,
        "width": 360,
        "data": {"values": rows},
        "encoding": across,
        "layer": [
            {"mark": {**mark, "color": SERIES[0]}, "encoding": reach}
            if colour is None
            else {"mark": mark, "encoding": {**reach, "color": colour}},
            {"mark": {"type": "rule"}, "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}},
            {"mark": FAIR, "encoding": {"x": {"datum": 0.5}, "y": None, "yOffset": None}},
        ],
    }


def _spread(title: str, what: str, chances: Mapping[str, float]) -> Spec:
    rows = [{what: int(value), "chance": chance} for value, chance in chances.items()]
    return {
        "title": title,
        "width": 360,
        "height": 180,
        "data": {"values": rows},
        "mark": {"type": "bar", "tooltip": True, "color": SERIES[0]},
        "encoding": {"x": {"field": what, "type": "ordinal", "title": what, "axis": {"labelAngle": 0}}, "y": _CHANCE_AXIS},
    }


def _colours(names: Sequence[str]) -> list[str]:
    return ["#9a958a" if name == "nobody" else SERIES[place % len(SERIES)] for place, name in enumerate(names)]
