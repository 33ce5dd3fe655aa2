"""What the lab found, in lines for the terminal."""

from typing import Any

import click

from rulewright.cli import text

Answer = dict[str, Any]

MOST_LINES = 20
"""So many lines for how long it lasts."""
NOTHING_YET = "nothing is settled yet: give it more --seconds or --states"
STOPPED = "stopped early: this is what is known so far"
_SIZES = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]


def outlook(name: str, answer: Answer) -> list[str]:
    """Who carries a scene, in how many rounds, at what price."""
    if answer["n"] is None:
        how = f"{'solved exactly' if answer['exact'] else 'solved as far as the budget went'}, {_states(answer)}"
        if answer["settled"] < 1:
            how += f", {answer['settled']:.2%} settled"
    else:
        how = f"{answer['n']:,} fights"
    lines = [f"{click.style(name, bold=True)}   {how}", ""]
    if answer["n"] is None and not answer["settled"]:
        stopped = answer.get("stopped") == "interrupted"
        return [*lines, "stopped before anything was settled" if stopped else NOTHING_YET, *_beside(answer)]
    lines += _chances(answer)
    lines += _beside(answer)
    rounds = answer["rounds"]
    lines += ["", f"rounds   {rounds['mean']:.2f} on average"]
    listed = _grouped({int(count): chance for count, chance in rounds["chance"].items()})
    most = max((chance for _, chance in listed), default=1.0)
    longest = max((len(count) for count, _ in listed), default=0)
    for count, chance in listed:
        lines.append(f"  {count:>{max(4, longest)}}  {text.percent(chance):>7}  {click.style(text.bar(chance / most, 30), fg='blue')}")
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
        lines.append("in the end")
        rows = [(side, what, f"{spread['mean']:.2f} on average") for side, by in answer["tallies"].items() for what, spread in by.items()]
        lines += text.columns(rows, indent="  ")
    if answer.get("endless"):
        lines += ["", f"{text.percent(answer['endless'])} of it never comes to an end: nobody carries that"]
    if answer.get("cut"):
        lines += ["", f"{answer['cut']:,} fights were cut short: they went on for too long"]
    if answer.get("precise") is False and not answer.get("stopped"):
        lines += ["", "the precision that was asked for is not reached: give a larger -n"]
    if answer.get("memory_full"):
        lines += ["", f"the memory of parts was full in {answer['memory_full']} batches: fights were slower for it, not other"]
    if answer.get("stopped") == "interrupted":
        lines += ["", STOPPED]
    return lines


def _chances(answer: Answer) -> list[str]:
    """The chance of each side, as a bar with its interval."""
    sides = _everybody(answer)
    longest = max(map(len, sides))
    lines = []
    for side, chance in sides.items():
        drawn = text.bar(chance["chance"], 30)
        bar = click.style(f"{drawn:<30}", fg="cyan")
        lines.append(f"  {side:<{longest}}  {text.percent(chance['chance']):>7}  {bar}  {_interval(chance)}".rstrip())
    return lines


def _beside(answer: Answer) -> list[str]:
    """What fights say that were played because the exact answer did not get far enough."""
    played = answer.get("sampled")
    if not played or not played["n"]:
        return []
    return ["", f"that is not far enough to tell: {played['n']:,} fights were played beside it", "", *_chances(played)]


def _states(answer: Answer) -> str:
    return "1 state" if answer["states"] == 1 else f"{answer['states']:,} states"


def _grouped(chances: dict[int, float]) -> list[tuple[str, float]]:
    """How long it lasts, in at most so many lines: neighbours share one where there are more, and what hardly happens has none."""
    worth = {count: chance for count, chance in chances.items() if chance >= 0.0005} or chances
    if not worth:
        return []
    least, spread = min(worth), max(worth) - min(worth) + 1
    together = next(size for size in _SIZES if spread <= size * MOST_LINES)
    if together == 1:
        return [(str(count), worth[count]) for count in sorted(worth)]
    first = least - (least - 1) % together
    groups: dict[int, float] = {}
    for count in sorted(chances):
        if first <= count <= max(worth):
            at = first + (count - first) // together * together
            groups[at] = groups.get(at, 0.0) + chances[count]
    return [(f"{at} to {at + together - 1}", chance) for at, chance in groups.items()]


def _everybody(answer: Answer) -> dict[str, Any]:
    return {**answer["sides"], "nobody": answer["draw"]}


def _interval(chance: Answer) -> str:
    low, high = chance["interval"]
    return f"{text.percent(low)} to {text.percent(high)}" if high - low > 1e-9 else ""


def compared(names: tuple[str, str], answer: Answer) -> list[str]:
    """Two scenes side by side."""
    first, second = answer["first"], answer["second"]
    how = "both solved exactly" if answer["exact"] else f"{first['n']:,} fights each, with the same luck" if answer["paired"] else "bounds"
    lines = [f"{click.style('What if', bold=True)}   {how}", f"  A  {names[0]}", f"  B  {names[1]}", ""]
    if not all(candidate["settled"] for candidate in (first, second)):
        return [*lines, NOTHING_YET]
    rows: list[tuple[str, ...]] = [("", "A", "B", "B less A", "")]
    differences = {**answer["difference"], "nobody": answer["draw"]}
    for side, chance in _everybody(first).items():
        other, difference = _everybody(second)[side], differences[side]
        low, high = difference["interval"]
        spread = f"{low * 100:+.1f} to {high * 100:+.1f}" if high - low > 1e-9 else ""
        rows.append((side, text.percent(chance["chance"]), text.percent(other["chance"]), f"{difference['chance'] * 100:+.1f}%", spread))
    rows.append(("rounds", f"{first['rounds']['mean']:.2f}", f"{second['rounds']['mean']:.2f}", _change(first, second), ""))
    for side in first.get("losses") or {}:
        result, two = (answer[which]["losses"][side]["mean"] for which in ("first", "second"))
        rows.append((f"lost by {side}", f"{result:.2f}", f"{two:.2f}", f"{two - result:+.2f}", ""))
    lines += text.columns(rows, indent="  ")
    lines.append("")
    longest = max(map(len, differences))
    for side in differences:
        for mark, result in (("A", first), ("B", second)):
            drawn = click.style(text.bar(_everybody(result)[side]["chance"], 30), fg="cyan" if mark == "A" else "yellow")
            lines.append(f"  {side if mark == 'A' else '':<{longest}}  {mark}  {drawn}".rstrip())
    if "interrupted" in (first.get("stopped"), second.get("stopped")):
        lines += ["", STOPPED]
    return lines


def _change(first: Answer, second: Answer) -> str:
    return f"{second['rounds']['mean'] - first['rounds']['mean']:+.2f}"


def best(name: str, answer: Answer) -> list[str]:
    """The best play of a side, and what its options are worth."""
    aim = {"win": "to carry it", "last": "not to lose it", "survive": "to survive it", "spare": "to carry it and spend little"}[
        answer["aim"]
    ]
    stopped = answer.get("stopped") == "interrupted"
    how = _states(answer) + ("" if answer["exact"] else f", bounds: {'stopped early' if stopped else 'the budget was spent'}")
    value, usual = answer["value"], answer["usual"]
    lines = [f"{click.style(name, bold=True)}   {how}", ""]
    if not answer["outlook"]["settled"] and not answer["decisions"]:
        return [*lines, "stopped before anything was settled" if stopped else NOTHING_YET]
    lines += [
        f"  {answer['side']} {aim}, at its best   {_worth(value['interval'])}",
        f"  {answer['side']} by its tactic{' ' * (len(aim) - 1)}   {_worth(usual['interval'])}",
    ]
    for decision in answer["decisions"]:
        lines += [
            "",
            f"round {decision['round']}, {decision['who']}: {decision['question']}   (comes up {text.percent(decision['reached'])})",
        ]
        rows = []
        for option in decision["options"]:
            then = f", then {_small(option['then'])}" if option["then"] else ""
            usual_here = "its tactic" if option["label"] == decision["usual"] else ""
            rows.append((f"{option['label']}{then}", _worth(option["interval"]), usual_here))
        lines += text.columns(rows, indent="  ")
    if not answer["decisions"]:
        lines += ["", "  there is nothing to decide"]
    return lines


def _small(label: str) -> str:
    return label[:1].lower() + label[1:]


def _worth(interval: list[float]) -> str:
    low, high = interval
    return text.percent(low) if high - low < 0.0005 else f"{text.percent(low)} to {text.percent(high)}"


def balanced(name: str, answer: Answer) -> list[str]:
    """What gives the heroes a chance in the range, and what was tried."""
    low, high = answer["between"]
    wanted = f"{answer['side']} between {text.percent(low)} and {text.percent(high)}"
    lines = [f"{click.style(name, bold=True)}   {wanted}", ""]
    marks = {True: "in the range", None: "too close to tell", False: ""}
    if answer["found"]:
        best_one = answer["found"][0]
        lines += [f"  {_opposition(best_one)}: {text.percent(best_one['chance'])} for {answer['side']}", ""]
    else:
        lines += ["  nothing that was tried gives a chance in the range", ""]
    rows = []
    for candidate in answer["tried"]:
        drawn = text.bar(candidate["chance"], 30)
        rows.append(
            (_opposition(candidate), text.percent(candidate["chance"]), f"{drawn:<30}", _interval(candidate), marks[candidate["fits"]])
        )
    lines += [line.rstrip() for line in text.columns(rows, indent="  ")]
    if answer.get("stopped"):
        lines += ["", "stopped early: this is what was tried so far"]
    return lines


def tournament(name: str, answer: Answer) -> list[str]:
    """What each tactic of each side came to against each of the other's, the best first."""
    lines = [f"{click.style(name, bold=True)}   every tactic against every other, {answer['n']:,} fights a pair; a draw counts half"]
    for side in answer["sides"]:
        standings = [candidate for candidate in answer["standings"] if candidate["side"] == side]
        others = list(standings[0]["against"]) if standings else []
        lines += ["", f"  {side}, on the average and against"]
        rows: list[tuple[str, ...]] = [("", "average", *others)]
        for standing in standings:
            met = [text.percent(standing["against"][other]["chance"]) if other in standing["against"] else "" for other in others]
            rows.append((standing["tactic"], text.percent(standing["average"]), *met))
        lines += [line.rstrip() for line in text.columns(rows, indent="  ")]
    if answer.get("stopped"):
        lines += ["", "stopped early: this is what was played so far"]
    return lines


def _opposition(item: Answer) -> str:
    return f"{item['number']} × {item['quality'] or 'opponent'}"
