"""The commands `campaign pass` and `campaign odds`: time that passes, and when somebody reaches a milestone."""

from typing import Any

import click

from rulewright.campaign.alternatives import changed_plan, read_alternative
from rulewright.campaign.calendar import Calendar, read_span
from rulewright.campaign.downtime import Goal
from rulewright.campaign.milestone_chances import Times, goal_times
from rulewright.campaign.milestones import EVERYBODY, read_goal, words_of
from rulewright.campaign.stops import STOPS
from rulewright.cli import text
from rulewright.cli.campaign.local_table import LocalTable, told_lines
from rulewright.cli.options import as_json, dice_from, dice_given, emit, say
from rulewright.errors import UserError
from rulewright.play import Choice, Entropy, Range
from rulewright.table.campaign_view import campaign_shown
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.scenes.downtime import build_downtime, rules_of, scene_of
from rulewright.table.scenes.live_scene import Question

LEVELS = (0.5, 0.8, 0.95)
"""The chances for which a date is given."""


@click.command("pass")
@click.argument("path", metavar="FILE")
@click.argument("span", required=False, default="")
@click.option("--until", default="", metavar="WHEN", help='A date, or a milestone such as "Ana walks" or "everybody well".')
@click.option("--stop-for", "stop_for", multiple=True, metavar="NAME", help=f"What stops it: {', '.join(STOPS)}; repeatable.")
@click.option("--no-stops", is_flag=True, help="Stop for nothing on the way.")
@click.option("--interactive", is_flag=True, help="Ask you what people decide; otherwise the usual answers are given.")
@dice_given
@as_json
def pass_time(path: str, span: str, until: str, dice: str | None, seed: int | None, json_wanted: bool, **how: Any) -> None:
    """Let time pass for everybody: a span, until a date, or until a milestone. The plans decide what people do.

    \b
      rulewright campaign drowned.yaml pass "3 weeks"
      rulewright campaign drowned.yaml pass --until "Ana walks"
      rulewright campaign drowned.yaml pass --stop-for asked
    """
    local = LocalTable(path, dice_from(dice, seed))
    wanted = _wanted(local, span, until, how)
    scene = int(local.act(wanted).made)
    local.answer(scene, _ask_me if how["interactive"] else None)
    local.save()
    shown = campaign_shown(local.table, local.member)
    told = told_lines(local.log())
    if json_wanted:
        digest = {} if shown.digest is None else {person.name: list(person.words) for person in shown.digest.people}
        emit({"date": f"{shown.date}, {shown.time}", "log": [line for line, _ in told], "changed": digest})
        return
    say([click.style(line, fg=colour or None) for line, colour in told])
    say(["", click.style(f"{shown.date}, {shown.time}", bold=True)])
    if shown.digest is not None:
        say(text.columns([(person.name, ", ".join(person.words)) for person in shown.digest.people], indent="  "))


def _wanted(local: LocalTable, span: str, until: str, how: dict[str, Any]) -> PassTime:
    stop_for = tuple(how["stop_for"]) if how["stop_for"] else None
    wanted = PassTime(span, stops=not how["no_stops"], tactics=not how["interactive"], stop_for=stop_for)
    if not until:
        return wanted
    calendar = _calendar(local)
    try:
        calendar.read(until)
    except UserError as not_a_date:
        goal = _goal(local, until, not_a_date)
        return PassTime(
            span, milestone=goal.milestone, who=goal.who, about=goal.about, stops=wanted.stops, tactics=wanted.tactics, stop_for=stop_for
        )
    return PassTime(span, until, stops=wanted.stops, tactics=wanted.tactics, stop_for=stop_for)


def _calendar(local: LocalTable) -> Calendar:
    calendar = local.table.campaign.calendar
    assert calendar is not None
    return calendar


def _names(local: LocalTable) -> list[str]:
    return list(build_downtime(local.table, PassTime(span="1 second")).characters)


def _goal(local: LocalTable, written: str, not_a_date: UserError | None = None) -> Goal:
    """A milestone as people write it. What begins with nobody's name was meant as a date."""
    names = _names(local)
    if not_a_date is not None and not written.strip().casefold().startswith(tuple(name.casefold() for name in (*names, EVERYBODY))):
        raise not_a_date
    return read_goal(rules_of(local.table), written, names)


def _ask_me(question: Question) -> str | int:
    """A decision at the terminal."""
    choice = question.request
    assert isinstance(choice, Choice)
    if isinstance(choice.options, Range):
        low, high = choice.options.low, choice.options.high
        number: int = click.prompt(f"{choice.who}, {choice.ask_for}", type=click.IntRange(low, high), default=low, err=True)
        return number
    for number, option in enumerate(choice.options, 1):
        click.echo(f"  {number}. {option.label}", err=True)
    chosen: int = click.prompt(f"{choice.who}, {choice.ask_for}", type=click.IntRange(1, len(choice.options)), default=1, err=True)
    return str(choice.options[chosen - 1].key)


@click.command()
@click.argument("path", metavar="FILE")
@click.argument("milestone")
@click.option("--by", default="1 year", show_default=True, metavar="WHEN", help="A date, or a span from now.")
@click.option("--versus", multiple=True, metavar="CHANGE", help="Compare with another plan: Ana.location=hospital; repeatable.")
@click.option("--seconds", type=click.FloatRange(0.01, 3600), default=10.0, help="How long to count before it is sampled; 10.")
@as_json
def odds(path: str, milestone: str, by: str, versus: tuple[str, ...], seconds: float, json_wanted: bool) -> None:
    """Calculate the chance that a milestone is reached in time, and by when, with the plans as they are. Nothing is rolled.

    \b
      rulewright campaign drowned.yaml odds "Ana walks" --by "1 May 1931"
      rulewright campaign drowned.yaml odds "Ana well" --versus "Ana.location=harbour hospital"
    """
    local = LocalTable(path, Entropy())
    calendar, now = _calendar(local), local.table.campaign.now
    try:
        until = PassTime(span=by) if read_span(by) else PassTime(until=by)
    except UserError:
        until = PassTime(until=by)
    downtime = build_downtime(local.table, until).downtime
    scene = scene_of(local.table)
    goal = _goal(local, milestone)
    plans = {"as planned": downtime}
    for written in versus:
        other = read_alternative(written)
        plans[other.words] = changed_plan(scene.game, downtime, other)
    results = {words: goal_times(scene, plan, [goal], seconds)[0] for words, plan in plans.items()}
    title = f"{words_of(scene.game, goal)} by {calendar.write(downtime.until)}"
    if json_wanted:
        emit({"milestone": title, "now": calendar.write(now), "plans": {words: _data(times, calendar) for words, times in results.items()}})
        return
    say([click.style(title, bold=True)])
    say(text.columns([(words, _words(times), _dates(times, calendar)) for words, times in results.items()], indent="  "))


def _words(times: Times | None) -> str:
    if times is None:
        return "not even one run ended in this time; give more --seconds"
    if not times.runs:
        return f"{times.chance:.2%}"
    low, high = times.interval
    return f"{times.chance:.0%}, between {low:.1%} and {high:.1%} (95 % interval of {times.runs} sampled runs)"


def _dates(times: Times | None, calendar: Calendar) -> str:
    if times is None:
        return ""
    moments = [(level, times.by(level)) for level in LEVELS]
    known = [f"{level:.0%} by {calendar.write_day(moment)}" for level, moment in moments if moment is not None]
    return "; ".join(known)


def _data(times: Times | None, calendar: Calendar) -> dict[str, Any] | None:
    if times is None:
        return None
    low, high = times.interval
    moments = {f"{level:.0%}": times.by(level) for level in LEVELS}
    dates = {level: calendar.write(moment) for level, moment in moments.items() if moment is not None}
    return {"chance": times.chance, "exact": not times.runs, "runs": times.runs, "low": low, "high": high, "by": dates}
