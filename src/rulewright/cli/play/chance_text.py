"""Chances of options as text and bars for the terminal."""

from typing import TYPE_CHECKING

from rulewright.cli import text
from rulewright.grammar import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulewright.scenes.chances import Answered, Outcome, Weighed

BAR = 10
SHADES = ("bright_black", "green", "yellow", "dark_orange", "red", "bright_red", "magenta")


def plain(words: str) -> str:
    """Escape text for rich markup."""
    return words.replace("[", r"\[")


def best_chance(weighed: "Weighed") -> float:
    """The chance of a good outcome, by the best of the player's further answers."""
    return weighed.high if weighed.high is not None else sum(outcome.chance for outcome in weighed.outcomes if outcome.good)


def hoped_for(weighed: "Weighed | None") -> str:
    """The chance of a good outcome of an option, as text."""
    if weighed is not None and weighed.about is not None:
        return f"about {weighed.about.hoped:.0%}"
    if weighed is None or weighed.why_not or not weighed.outcomes:
        return ""
    if weighed.ranges:
        return _range(weighed)
    return f"{_least(weighed)}{text.percent(sum(outcome.chance for outcome in weighed.outcomes if outcome.good))}"


def _range(weighed: "Weighed") -> str:
    """The chance by the worst and by the best of the player's further answers."""
    assert weighed.low is not None
    assert weighed.high is not None
    about = "about " if weighed.partial or weighed.at_least else ""
    low, high = f"{100 * weighed.low:.0f}", f"{100 * weighed.high:.0f}"
    return f"{about}{low} to {high}%" if low != high else f"{about}{high}%"


def _least(weighed: "Weighed") -> str:
    """The sign before a lower bound."""
    return "≥ " if weighed.at_least else ""


def chances_of(weighed: "Weighed | None") -> tuple[str, str]:
    """The outcomes of an option as a bar and as text."""
    if weighed is None:
        return "", ""
    about = weighed.about
    if about is not None:
        result = ", ".join(f"{plain(outcome.name)} {outcome.chance:.0%}" for outcome in about.outcomes)
        how_well = f"{count(about.plays, 'playout')}: {about.hoped:.0%} ± {about.give_or_take} {weighed.counts}"
        said = f"about: {result} [dim]({how_well})[/]"
        return _stacked(about.outcomes), "\n".join([said, *_answered(about.answers, weighed.counts, lambda chance: f"about {chance:.0%}")])
    if weighed.why_not:
        return "", f"[dim]{plain(weighed.why_not)}[/]"
    presumed = [f"[dim]if {plain(line)}[/]" for line in weighed.presumed]
    if weighed.ranges:
        return _ranged(weighed), "\n".join([f"{_range(weighed)} {plain(weighed.counts)}, by your next answers", *presumed])
    said = ", ".join(f"{plain(outcome.name)} {_least(weighed)}{text.percent(outcome.chance)}" for outcome in weighed.outcomes)
    return _stacked(weighed.outcomes), "\n".join([said, *presumed, *_answered(weighed.answers, weighed.counts, text.percent)])


def _answered(answers: "tuple[Answered, ...]", counts: str, told: "Callable[[float], str]") -> "Iterator[str]":
    """The chance of an option for each answer that another player may give."""
    for answer in answers:
        hoped = sum(outcome.chance for outcome in answer.outcomes if outcome.good)
        yield f"[dim]{told(hoped)} {counts} if {plain(answer.who)} answers: {plain(answer.label)}[/]"


def _ranged(weighed: "Weighed") -> str:
    """A bar of a range: full up to the lower chance, shaded up to the higher."""
    low, high = round((weighed.low or 0) * BAR), round((weighed.high or 0) * BAR)
    return f"[green]{'█' * low}[/][green]{'▒' * (high - low)}[/][dim]{'░' * (BAR - high)}[/]"


def _stacked(outcomes: "tuple[Outcome, ...]") -> str:
    """One bar of all outcomes side by side, in the colours of their scale."""
    drawn, reached, filled = "", 0.0, 0
    for outcome in outcomes:
        reached += outcome.chance
        columns = round(reached * BAR) - filled
        filled += columns
        colour = "green" if outcome.good else SHADES[min(outcome.place, len(SHADES) - 1)]
        drawn += f"[{colour}]{'█' * columns}[/]"
    return drawn + "[dim]" + "░" * (BAR - filled) + "[/]"
