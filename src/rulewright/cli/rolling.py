"""`roll` and `odds`: one test, rolled or weighed."""

from typing import TYPE_CHECKING, Any

import click

from rulewright.cli import text
from rulewright.cli.options import as_json, campaign, dice_from, dice_given, emit, ruleset, used_up
from rulewright.errors import Wrong
from rulewright.plain import plain, rolled, sums_of
from rulewright.play import play
from rulewright.system import find

if TYPE_CHECKING:
    from rulewright.odds import Odds
    from rulewright.play import Played
    from rulewright.system import Shown, System

MOST_COMPARED = 4
MOST_BARS = 40
PATHS = 1_000_000
SECONDS = 30.0


@click.command()
@click.argument("system")
@click.argument("notation")
@dice_given
@campaign
@as_json
def roll(
    system: str,
    notation: str,
    dice: str | None,
    seed: int | None,
    preset: str | None,
    settings: tuple[str, ...],
    house: str | None,
    json_wanted: bool,
) -> None:
    """Roll one test, written as people of that game write it: rulewright roll scumm "3d+1 vs 5"."""
    game = find(system)
    faces = dice_from(dice, seed)
    played = play(game.test(ruleset(game, preset, settings, house), notation).start(), dice=faces)
    used_up(faces)
    shown = game.show(played.outcome)
    if json_wanted:
        emit(
            {
                "system": system,
                "notation": notation,
                "label": shown.label,
                "success": None,
                "margin": None,
                "draw": None,
                **shown.fields,
                "value": shown.value,
                "rolls": [rolled(fell) for fell in played.rolls],
                "reasons": plain(sums_of(played.rolls, game.explain)),
            }
        )
        return
    _draw(game, notation, shown, played)


def _draw(game: "System", notation: str, shown: "Shown", played: "Played[Any]") -> None:
    colour = text.VERDICTS.get(shown.verdict or "")
    click.echo(f"{notation}: {click.style(shown.label, fg=colour, bold=True)}")
    for fell in played.rolls:
        kept = set(fell.kept)
        faces = " ".join(
            click.style(f"[{face}]", bold=True) if place in kept else click.style(f" {face} ", dim=True)
            for place, face in enumerate(fell.faces)
        )
        what = f"{fell.roll.what}: " if len(played.rolls) > 1 and fell.roll.what else ""
        click.echo(f"  {what}{faces}")
    for line in text.tree(sums_of(played.rolls, game.explain), "  "):
        click.echo(line)


@click.command()
@click.argument("system")
@click.argument("notations", nargs=-1, required=True, metavar="NOTATION...")
@click.option("--plot", metavar="OUT", help="Also draw a chart: a file ending in .svg, .png or .json (Vega-Lite).")
@campaign
@as_json
def odds(
    system: str,
    notations: tuple[str, ...],
    plot: str | None,
    preset: str | None,
    settings: tuple[str, ...],
    house: str | None,
    json_wanted: bool,
) -> None:
    """The exact odds of a test; up to four tests are compared.

    rulewright odds scumm "3d+1 vs 5" "2d+2 vs 5" --plot odds.svg
    """
    if len(notations) > MOST_COMPARED:
        raise Wrong(f"at most {MOST_COMPARED} tests can be compared, not {len(notations)}")
    game = find(system)
    if plot is not None:
        from rulewright import charts

        charts.check(plot)
    rules = ruleset(game, preset, settings, house)
    answers = [weigh(game, rules, notation) for notation in notations]
    if plot is not None:
        charts.save(charts.odds(answers), plot)
    if json_wanted:
        emit(answers[0] if len(answers) == 1 else answers)
        return
    for place, answer in enumerate(answers):
        if place:
            click.echo()
        for line in bars(answer):
            click.echo(line)
    if plot is not None:
        click.echo(f"{plot} is written", err=True)


def weigh(game: "System", rules: Any, notation: str) -> dict[str, Any]:
    """The odds of a test, for other programs: outcomes merged by what is shown of them, in the order of their axis."""
    from rulewright.odds import Budget, exact

    found: Odds[Any] = exact(game.test(rules, notation), budget=Budget(PATHS, SECONDS))
    merged: dict[str, tuple[Shown, int]] = {}
    for outcome, weight in found:
        shown = game.show(outcome)
        key = repr(sorted(shown.value.items()))
        merged[key] = (shown, merged[key][1] + weight if key in merged else weight)
    ordered = sorted(merged.values(), key=lambda entry: entry[0].order)
    verdicts = {"success": 0, "draw": 0, "failure": 0}
    judged = False
    for shown, weight in ordered:
        if shown.verdict is not None:
            verdicts[shown.verdict] += weight
            judged = True
    return {
        "system": game.id,
        "notation": notation,
        "total": found.total,
        "unsettled": found.unsettled,
        "outcomes": [
            {"label": shown.short, "value": shown.value, "verdict": shown.verdict, "order": shown.order, "weight": weight}
            for shown, weight in ordered
        ],
        "chance": {verdict: weight / found.total for verdict, weight in verdicts.items()} if judged else None,
    }


def bars(answer: dict[str, Any]) -> list[str]:
    """Odds as bars in the terminal."""
    lines = [click.style(str(answer["notation"]), bold=True)]
    if answer["chance"] is not None:
        said = [
            click.style(f"{verdict} {text.percent(chance)}", fg=text.VERDICTS[verdict])
            for verdict, chance in answer["chance"].items()
            if chance
        ]
        lines[0] += "   " + "   ".join(said)
    total = answer["total"]
    labelled = _by_label(answer["outcomes"])
    outcomes = _worth_a_bar(labelled)
    longest = max((len(outcome["label"]) for outcome in outcomes), default=0)
    most = max((outcome["weight"] for outcome in outcomes), default=1)
    room = max(10, text.width() - longest - 14)
    for outcome in outcomes:
        drawn = text.bar(outcome["weight"] / most, room)
        colour = text.VERDICTS.get(outcome.get("verdict") or "", "cyan")
        lines.append(f"  {outcome['label']:>{longest}}  {text.percent(outcome['weight'] / total):>7}  {click.style(drawn, fg=colour)}")
    left = len(labelled) - len(outcomes)
    if left:
        lines.append(f"  and {left} less likely outcomes")
    if answer["unsettled"]:
        lines.append(f"  {text.percent(answer['unsettled'] / total)} is not settled: the odds are at least these")
    return lines


def _by_label(outcomes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Outcomes that read alike share a bar."""
    merged: dict[str, dict[str, Any]] = {}
    for outcome in outcomes:
        known = merged.setdefault(outcome["label"], {**outcome, "weight": 0})
        known["weight"] += outcome["weight"]
    return list(merged.values())


def _worth_a_bar(outcomes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if len(outcomes) <= MOST_BARS:
        return outcomes
    least = sorted((outcome["weight"] for outcome in outcomes), reverse=True)[MOST_BARS - 1]
    return [outcome for outcome in outcomes if outcome["weight"] >= least][:MOST_BARS]
