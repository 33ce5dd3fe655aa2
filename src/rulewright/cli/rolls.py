"""The commands `roll` and `odds`."""

from typing import Any

import click

from rulewright.cli import completion, text
from rulewright.cli.options import By, as_json, campaign, dice_from, dice_given, emit, say
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.show import replies
from rulewright.system import System, find

MOST_BARS = 40
PATHS = 1_000_000
SECONDS = 30.0


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("system", shell_complete=completion.games)
@click.argument("words", nargs=-1, required=True, metavar="NOTATION")
@dice_given
@campaign
@as_json
def roll(
    system: str,
    words: tuple[str, ...],
    dice: str | None,
    seed: int | None,
    by: By,
    json_wanted: bool,
) -> None:
    """Roll one test in the notation of the game, or plain dice.

    rulewright roll scumm 3d+1 vs 5

    rulewright roll scumm 2d6+1
    """
    game = find(system)
    notation = " ".join(words)
    if notation.startswith("--"):
        raise click.NoSuchOption(words[0])
    rules = by.rules(game)
    thrown = replies.throw(game, rules, notation, dice_from(dice, seed))
    if json_wanted:
        emit(replies.roll(game, thrown))
    else:
        _draw(thrown)
        if remark := game.remark(rules, notation):
            click.echo(click.style(f"  {remark}", dim=True))


def _draw(thrown: replies.Thrown) -> None:
    colour = text.VERDICTS.get(thrown.shown.verdict or "")
    click.echo(f"{thrown.notation}: {click.style(thrown.shown.label, fg=colour, bold=True)}")
    rolls = thrown.played.rolls
    for fell in rolls:
        kept = set(fell.kept)
        faces = " ".join(
            click.style(f"[{face}]", bold=True) if place in kept else click.style(f" {face} ", dim=True)
            for place, face in enumerate(fell.faces)
        )
        what = f"{fell.roll.what}: " if len(rolls) > 1 and fell.roll.what else ""
        click.echo(f"  {what}{faces}")
    say(text.tree(thrown.reasons, "  "))


@click.command()
@click.argument("system", shell_complete=completion.games)
@click.argument("notations", nargs=-1, required=True, metavar="NOTATION...")
@click.option("--at-least", is_flag=True, help="Show the chance of each outcome or a higher one.")
@click.option("--plot", metavar="OUT", help="Save a chart as .svg, .png or .json (Vega-Lite).")
@campaign
@as_json
def odds(
    system: str,
    notations: tuple[str, ...],
    at_least: bool,
    plot: str | None,
    by: By,
    json_wanted: bool,
) -> None:
    """Calculate the exact odds of a test, or compare up to four tests.

    rulewright odds scumm "3d+1 vs 5" "2d+2 vs 5" --plot odds.svg
    """
    game = find(system)
    notations = _one_or_several(game, by.rules(game), notations)
    if len(notations) > replies.MOST_COMPARED:
        raise UserError(f"give at most {replies.MOST_COMPARED} tests to compare, not {len(notations)}")
    if plot is not None:
        from rulewright.show import charts

        charts.check(plot)
    from rulewright.play.odds import Budget

    rules = by.rules(game)
    answers = [replies.odds(game, rules, notation, Budget(PATHS, SECONDS)) for notation in notations]
    shown = [replies.at_least(answer) for answer in answers] if at_least else answers
    if plot is not None:
        charts.save(charts.odds(shown), plot)
    if json_wanted:
        emit(shown[0] if len(shown) == 1 else shown)
        return
    for place, answer in enumerate(shown):
        if place:
            click.echo()
        first, *rest = bars(answer)
        click.echo(first + _average(answers[place]))
        say(rest)
    if plot is not None:
        click.echo(f"Saved {plot}", err=True)


def _one_or_several(game: System, rules: Ruleset, written: tuple[str, ...]) -> tuple[str, ...]:
    """The given tests; words that are one test without quotation marks are joined."""
    if len(written) > 1 and not all(_is_test(game, rules, candidate) for candidate in written) and _is_test(game, rules, " ".join(written)):
        return (" ".join(written),)
    return written


def _is_test(game: System, rules: Ruleset, notation: str) -> bool:
    try:
        replies.test_of(game, rules, notation)
    except UserError:
        return False
    return True


def _average(answer: dict[str, Any]) -> str:
    average = replies.average(answer)
    return "" if average is None else f"   {average[0]} {average[1]:.2f} ± {average[2]:.2f}"


def bars(answer: dict[str, Any]) -> list[str]:
    """Odds as bars in the terminal."""
    lines = [click.style(str(answer["notation"]), bold=True)]
    if answer["chance"] is not None:
        verdicts = [
            click.style(f"{verdict} {text.percent(chance)}", fg=text.VERDICTS[verdict])
            for verdict, chance in answer["chance"].items()
            if chance
        ]
        lines[0] += "   " + "   ".join(verdicts)
    total = answer["total"]
    labelled = by_label(answer["outcomes"])
    outcomes = _likeliest(labelled)
    longest = max((len(outcome["label"]) for outcome in outcomes), default=0)
    most = max((outcome["weight"] for outcome in outcomes), default=1)
    room = max(10, text.width() - longest - 14)
    for outcome in outcomes:
        drawn = text.bar(outcome["weight"] / most, room)
        colour = text.VERDICTS.get(outcome.get("verdict") or "", "cyan")
        lines.append(f"  {outcome['label']:>{longest}}  {text.percent(outcome['weight'] / total):>7}  {click.style(drawn, fg=colour)}")
    if "remark" in answer:
        lines.append(click.style(f"  {answer['remark']}", dim=True))
    left = len(labelled) - len(outcomes)
    if left:
        lines.append(f"  and {count(left, 'less likely outcome')}")
    if answer["unsettled"]:
        lines.append(f"  {text.percent(answer['unsettled'] / total)} is not calculated: each chance is at least as large as shown")
    return lines


def by_label(outcomes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge outcomes with the same label."""
    merged: dict[str, dict[str, Any]] = {}
    for outcome in outcomes:
        known = merged.setdefault(outcome["label"], {**outcome, "weight": 0})
        known["weight"] += outcome["weight"]
    return list(merged.values())


def _likeliest(outcomes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if len(outcomes) <= MOST_BARS:
        return outcomes
    least = sorted((outcome["weight"] for outcome in outcomes), reverse=True)[MOST_BARS - 1]
    return [outcome for outcome in outcomes if outcome["weight"] >= least][:MOST_BARS]
