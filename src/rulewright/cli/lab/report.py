"""Results of simulations as lines of text."""

from typing import Any

import click

from rulewright.cli import text
from rulewright.grammar import count

Answer = dict[str, Any]

MOST_LINES = 20
"""The largest number of lines in the distribution of rounds."""
NOTHING_YET = "no result yet: give it more --seconds or --states"
STOPPED = "stopped early: these are the results so far"
_SIZES = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]


def outlook(name: str, answer: Answer) -> list[str]:
    """Win chances, rounds and losses of a scene."""
    if answer["n"] is None:
        how = f"{'exact' if answer['exact'] else 'budget reached: bounds'}, {count(answer['states'], 'state')}"
        if answer["settled"] < 1:
            how += f", {text.percent(answer['settled'])} settled"
    else:
        how = count(answer["n"], "fight")
    lines = [f"{click.style(name, bold=True)}   {how}", ""]
    if answer["n"] is None and not answer["settled"]:
        stopped = answer.get("stopped") == "interrupted"
        return [*lines, "stopped before the first result" if stopped else NOTHING_YET, *_beside(answer)]
    lines += _chances(answer)
    lines += _beside(answer)
    rounds = answer["rounds"]
    lines += ["", f"rounds   {rounds['mean']:.2f} on average"]
    listed = _grouped({int(number): chance for number, chance in rounds["chance"].items()})
    most = max((chance for _, chance in listed), default=1.0)
    longest = max((len(label) for label, _ in listed), default=0)
    for label, chance in listed:
        lines.append(f"  {label:>{max(4, longest)}}  {text.percent(chance):>7}  {click.style(text.bar(chance / most, 30), fg='blue')}")
    if answer.get("losses"):
        lines.append("losses")
        lines += text.columns(
            [
                (side, f"{spread['mean']:.2f} on average", "  ".join(f"{lost}: {text.percent(p)}" for lost, p in spread["chance"].items()))
                for side, spread in answer["losses"].items()
            ],
            indent="  ",
        )
    if answer.get("tallies"):
        lines.append("at the end")
        rows = [(side, what, f"{spread['mean']:.2f} on average") for side, by in answer["tallies"].items() for what, spread in by.items()]
        lines += text.columns(rows, indent="  ")
    if answer.get("endless"):
        lines += ["", f"{text.percent(answer['endless'])} of the fights never end; they count as draws"]
    if answer.get("cut"):
        lines += ["", f"{count(answer['cut'], 'fight')} did not end within the limit of steps"]
    if answer.get("precise") is False and not answer.get("stopped"):
        lines += ["", "the requested precision is not reached: give a larger -n"]
    if answer.get("memory_full"):
        lines += ["", f"the cache was full in {count(answer['memory_full'], 'batch')}: slower, with the same results"]
    if answer.get("stopped") == "interrupted":
        lines += ["", STOPPED]
    return lines


def _chances(answer: Answer) -> list[str]:
    """The win chance of each side as a bar, with its interval."""
    sides = _win_chances(answer)
    longest = max(map(len, sides))
    lines = []
    for side, chance in sides.items():
        drawn = text.bar(chance["chance"], 30)
        bar = click.style(f"{drawn:<30}", fg="cyan")
        lines.append(f"  {side:<{longest}}  {text.percent(chance['chance']):>7}  {bar}  {_interval(chance)}".rstrip())
    return lines


def _beside(answer: Answer) -> list[str]:
    """Simulated fights beside an exact solution that ran out of budget."""
    played = answer.get("sampled")
    if not played or not played["n"]:
        return []
    return ["", f"the solution is incomplete; {count(played['n'], 'simulated fight')} in addition:", "", *_chances(played)]


def _grouped(chances: dict[int, float]) -> list[tuple[str, float]]:
    """The distribution of rounds in at most MOST_LINES lines: neighbours are merged if needed, very rare lengths are left out."""
    likely = {rounds: chance for rounds, chance in chances.items() if chance >= 0.0005} or chances
    if not likely:
        return []
    least, spread = min(likely), max(likely) - min(likely) + 1
    width = next(size for size in _SIZES if spread <= size * MOST_LINES)
    if width == 1:
        return [(str(rounds), likely[rounds]) for rounds in sorted(likely)]
    first = least - (least - 1) % width
    groups: dict[int, float] = {}
    for rounds in sorted(chances):
        if first <= rounds <= max(likely):
            start = first + (rounds - first) // width * width
            groups[start] = groups.get(start, 0.0) + chances[rounds]
    return [(f"{start} to {start + width - 1}", chance) for start, chance in groups.items()]


def _win_chances(answer: Answer) -> dict[str, Any]:
    """The win chance of each side, and the chance of a draw."""
    return {**answer["sides"], "draw": answer["draw"]}


def _interval(chance: Answer) -> str:
    low, high = chance["interval"]
    return f"{text.percent(low)} to {text.percent(high)}" if high - low > 1e-9 else ""


def compared(names: tuple[str, str], answer: Answer) -> list[str]:
    """Two scenes side by side."""
    first, second = answer["first"], answer["second"]
    how = "exact" if answer["exact"] else f"{count(first['n'], 'fight')} each, with the same dice" if answer["paired"] else "bounds"
    lines = [f"{click.style('Comparison', bold=True)}   {how}", f"  A  {names[0]}", f"  B  {names[1]}", ""]
    if not all(candidate["settled"] for candidate in (first, second)):
        return [*lines, NOTHING_YET]
    rows: list[tuple[str, ...]] = [("", "A", "B", "B - A", "")]
    differences = {**answer["difference"], "draw": answer["draw"]}
    for side, chance in _win_chances(first).items():
        other, difference = _win_chances(second)[side], differences[side]
        low, high = difference["interval"]
        spread = f"{low * 100:+.1f} to {high * 100:+.1f}" if high - low > 1e-9 else ""
        rows.append((side, text.percent(chance["chance"]), text.percent(other["chance"]), f"{difference['chance'] * 100:+.1f}%", spread))
    rows.append(("rounds", f"{first['rounds']['mean']:.2f}", f"{second['rounds']['mean']:.2f}", _change(first, second), ""))
    for side in first.get("losses") or {}:
        before, after = (answer[which]["losses"][side]["mean"] for which in ("first", "second"))
        rows.append((f"losses of {side}", f"{before:.2f}", f"{after:.2f}", f"{after - before:+.2f}", ""))
    lines += text.columns(rows, indent="  ")
    lines.append("")
    longest = max(map(len, differences))
    for side in differences:
        for mark, scene in (("A", first), ("B", second)):
            drawn = click.style(text.bar(_win_chances(scene)[side]["chance"], 30), fg="cyan" if mark == "A" else "yellow")
            lines.append(f"  {side if mark == 'A' else '':<{longest}}  {mark}  {drawn}".rstrip())
    if "interrupted" in (first.get("stopped"), second.get("stopped")):
        lines += ["", STOPPED]
    return lines


def _change(first: Answer, second: Answer) -> str:
    return f"{second['rounds']['mean'] - first['rounds']['mean']:+.2f}"


def best(name: str, answer: Answer) -> list[str]:
    """The best play of a side, and the value of its options."""
    aim = {"win": "wins", "last": "does not lose", "survive": "survives", "spare": "wins and spends little"}[answer["aim"]]
    stopped = answer.get("stopped") == "interrupted"
    how = count(answer["states"], "state") + ("" if answer["exact"] else f", bounds: {'stopped early' if stopped else 'budget reached'}")
    value, usual = answer["value"], answer["usual"]
    lines = [f"{click.style(name, bold=True)}   {how}", ""]
    if not answer["outlook"]["settled"] and not answer["decisions"]:
        return [*lines, "stopped before the first result" if stopped else NOTHING_YET]
    lines += [
        f"  {answer['side']} {aim} with best play     {_worth(value['interval'])}",
        f"  {answer['side']} {aim} with its tactic    {_worth(usual['interval'])}",
    ]
    for decision in answer["decisions"]:
        lines += [
            "",
            f"round {decision['round']}, {decision['who']}: {decision['question']}   (reached in {text.percent(decision['reached'])})",
        ]
        rows = []
        for option in decision["options"]:
            then = f", then {_small(option['then'])}" if option["then"] else ""
            usual_here = "its tactic" if option["label"] == decision["usual"] else ""
            rows.append((f"{option['label']}{then}", _worth(option["interval"]), usual_here))
        lines += text.columns(rows, indent="  ")
    if not answer["decisions"]:
        lines += ["", "  this side has no decisions"]
    return lines


def _small(label: str) -> str:
    return label[:1].lower() + label[1:]


def _worth(interval: list[float]) -> str:
    low, high = interval
    return text.percent(low) if high - low < 0.0005 else f"{text.percent(low)} to {text.percent(high)}"


def balanced(name: str, answer: Answer) -> list[str]:
    """The opposition that gives a side a win chance in the range, and everything that was tried."""
    low, high = answer["between"]
    wanted = f"{answer['side']} between {text.percent(low)} and {text.percent(high)}"
    lines = [f"{click.style(name, bold=True)}   {wanted}", ""]
    marks = {True: "in the range", None: "too close to call", False: ""}
    if answer["found"]:
        nearest = answer["found"][0]
        lines += [f"  {_opposition(nearest)}: {text.percent(nearest['chance'])} for {answer['side']}", ""]
    else:
        lines += ["  no number of opponents gives a win chance in the range", ""]
    rows = []
    for candidate in answer["tried"]:
        drawn = text.bar(candidate["chance"], 30)
        rows.append(
            (_opposition(candidate), text.percent(candidate["chance"]), f"{drawn:<30}", _interval(candidate), marks[candidate["fits"]])
        )
    lines += [line.rstrip() for line in text.columns(rows, indent="  ")]
    if answer.get("stopped"):
        lines += ["", "stopped early: these numbers were tried"]
    return lines


def tournament(name: str, answer: Answer) -> list[str]:
    """The win chance of each tactic against each tactic of the other side, the best first."""
    lines = [f"{click.style(name, bold=True)}   every tactic against every other, {count(answer['n'], 'fight')} a pair; a draw counts half"]
    for side in answer["sides"]:
        standings = [candidate for candidate in answer["standings"] if candidate["side"] == side]
        others = list(standings[0]["against"]) if standings else []
        lines += ["", f"  {side}: win chance on average, and against each tactic"]
        rows: list[tuple[str, ...]] = [("", "average", *others)]
        for standing in standings:
            met = [text.percent(standing["against"][other]["chance"]) if other in standing["against"] else "" for other in others]
            rows.append((standing["tactic"], text.percent(standing["average"]), *met))
        lines += [line.rstrip() for line in text.columns(rows, indent="  ")]
    if answer.get("stopped"):
        lines += ["", STOPPED]
    return lines


def _opposition(item: Answer) -> str:
    return f"{item['number']} × {item['quality'] or 'opponent'}"
