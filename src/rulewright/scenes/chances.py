"""Exact chances of options: the scene itself, played on with that option taken.

There is no second formula. From the open question on, the actual steps are followed through every roll, with everybody else answering as
their tactic does, until the event whose `verdict` decides. Where another person controls somebody, their possible answers are evaluated one
by one. Results that depend on a roll hidden from these viewers are not computed for them.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import GAMEMASTER, Choice, Option, Verdict
from rulewright.play.odds import Budget, Odds, Stint
from rulewright.scenes.evaluation import GUARD, Path
from rulewright.scenes.option_odds.further_questions import Paths, further_answers
from rulewright.scenes.option_odds.solver import NOT_YOURS as NOT_YOURS
from rulewright.scenes.option_odds.solver import PASSIVE, Met, Presumed, Solvers
from rulewright.scenes.option_odds.solver import Asked as Asked

PATHS = 200_000
"""Limit for one option."""
SECONDS = 1.5
"""Processor time for all options of one question."""
AT_FIRST, AT_ONCE = 2, 4
"""Where all declare first: the share of the remaining time for one option is 1/AT_FIRST until the first is done (with everything that
others do), then 1/AT_ONCE. Further options of a kind and target that took longer wait until the others are done.
"""
AT_MOST = 2
"""An option that ran out of time gets at least 1/AT_MOST of the remaining time."""
ANSWERS = 6
"""How many answers of another person are evaluated one by one."""
OWN = 2
"""How many later questions of the chooser are evaluated."""
LITTLE, HALF = 0.1, 0.5
"""The largest unsettled share that is shown: LITTLE if a whole round is followed, otherwise HALF."""
TOO_LONG = "not computed: this takes too long"
UNNAMED = "depends on a number that the gamemaster has yet to name"
FURTHER = "depends on your next answer"
SAME = 1e-9
"""Chances that differ by less are the same."""
MOVES = ("move", "where", "way", "way too", "turn")
"""Topics of questions about movement; such answers are not shown as presumed."""
MOST_PRESUMED = 2
"""How many presumed answers are shown."""
RARE = 0.05
"""Verdicts rarer than this are the result of others who act later, and are not shown."""


class Outcome(Struct, frozen=True):
    """A possible result of an option: its name, its chance, its place from nothing to worst, and whether it is good for the chooser."""

    name: str
    chance: float
    place: int
    good: bool


class Answered(Struct, frozen=True):
    """The results of an option if another person gives this answer."""

    who: str
    key: str
    label: str
    outcomes: tuple[Outcome, ...]


class Estimate(Struct, frozen=True):
    """The frequencies of results when an option was played out `plays` times.

    The chance of the good results is within `margin` of the frequency in 95 of 100 cases. `answers` is as in `Weighed`.
    """

    outcomes: tuple[Outcome, ...]
    plays: int
    margin: float
    answers: tuple[Answered, ...] = ()

    @property
    def hoped(self) -> float:
        """The frequency of good results."""
        return hoped(self.outcomes)

    @property
    def give_or_take(self) -> int:
        """The margin in whole percent, at least 1."""
        return max(1, round(self.margin * 100))


class Weighed(Struct, frozen=True):
    """The chances of one option; they may be partly unsettled, or missing with a reason.

    `counts` names the chance of the good results: hits, unhurt. `answers` is set if the result depends on another person's answer;
    `outcomes` are then those of the answer that is worst for the chooser. These are exact values or lower bounds; `about` is the estimate
    from playing on if they could not be computed (`scenes.estimates`).
    """

    key: str
    outcomes: tuple[Outcome, ...] = ()
    unsettled: float = 0.0
    why_not: str = ""
    counts: str = ""
    answers: tuple[Answered, ...] = ()
    about: Estimate | None = None
    low: float | None = None
    """The chance of good results by the worst of the chooser's own further answers; None if there are none or all lead to the same."""
    high: float | None = None
    """The same by the best of them."""
    partial: bool = False
    """Whether not all further answers were evaluated, so that the range may be wider."""
    presumed: tuple[str, ...] = ()
    """The answers of others that the chances presume, each with its person and question."""

    @property
    def ranges(self) -> bool:
        """Whether the chance depends on the chooser's own further answers."""
        return self.low is not None

    @property
    def at_least(self) -> bool:
        """Whether the chances are lower bounds, since a part is unsettled."""
        return self.unsettled > 0


def weigh(asked: Asked, seconds: float = SECONDS, keys: Collection[str] | None = None) -> tuple[Weighed, ...]:
    """The exact chances of every option that leads to a roll, in the order of the options; only those in `keys` if given."""
    options, moment = asked.choice.options, asked.moment
    if not isinstance(options, tuple) or not moment.scene.weighs(moment.state, asked.choice):
        return ()
    options = tuple([option for option in options if keys is None or option.key in keys])
    time_left = Stint(seconds)
    weighed_by_key: dict[str, Weighed | None] = {}
    solvers, late, parts, declares = Solvers(asked), set[tuple[str, str]](), AT_FIRST, moment.scene.declares
    for option in quickest_first(options):  # where all declare first, the first option also computes what others do
        share = seconds / 3 / len(options)
        if declares and (_kind(option), option.target) not in late:
            share = max(share, time_left.left / parts)
        weighed = weighed_by_key[option.key] = _weighed(solvers, option, max(share, 0.01))
        if wants_more(weighed):
            late.add((_kind(option), option.target))
        elif weighed is not None:
            parts = AT_ONCE
    for parts in (AT_ONCE, AT_MOST) if declares else (AT_MOST,):
        unfinished = [option for option in options if wants_more(weighed_by_key[option.key])]
        for place, option in enumerate(unfinished):  # the remaining time goes to options that ran out of it, first ones first
            left = time_left.left
            if left > 0:
                weighed_by_key[option.key] = _weighed(solvers, option, left / min(len(unfinished) - place, parts))
    return tuple([weighed for option in options if (weighed := weighed_by_key[option.key]) is not None])


def quickest_first(options: tuple[Option[Any], ...]) -> list[Option[Any]]:
    """The options in the order of evaluation: first the simplest and the kinds with most options, which share work.

    Combined actions take longer, and defences are followed to the end of the threat.
    """
    kinds = Counter([_kind(option) for option in options])

    def cost(option: Option[Any]) -> tuple[bool, bool, bool, int]:
        several = "+" in option.key or (isinstance(option.value, tuple) and len(option.value) > 1)
        return option.verb == GUARD, several, _kind(option) != _kind(options[0]), -kinds[_kind(option)]

    return sorted(options, key=cost)


def _kind(option: Option[Any]) -> str:
    """The kind of an option, whatever its target."""
    return option.key.partition(":")[0]


def wants_more(weighed: Weighed | None) -> bool:
    """Whether an option ran out of time."""
    return weighed is not None and (weighed.why_not == TOO_LONG or weighed.unsettled > 0)


def _weighed(solvers: Solvers, option: Option[Any], seconds: float) -> Weighed | None:
    """The chances of one option; None if it leads to no roll."""
    asked = solvers.asked
    try:
        paths = solvers.paths(option)
        if paths.several:
            return _weighed_paths(solvers, option, paths, seconds)
        odds = solvers.odds(option, Budget(PATHS, seconds))
        if _unfinished(asked, odds):
            return Weighed(option.key, why_not=TOO_LONG)
        if not settles(odds.weights):
            return None
        presumed, own = presumed_answers(asked, option, solvers.presumed), solvers.own
        why_not = UNNAMED if not_named(solvers.presumed) else ""
        answers = tuple(_by_answers(solvers, option, seconds))
        low, high = _by_own_answers(solvers, option, own, odds, seconds) if not why_not else (None, None)
    except UserError as error:
        return Weighed(option.key, why_not=str(error))
    outcomes = min((answer.outcomes for answer in answers), key=hoped, default=_outcomes(asked, odds))
    counts, unsettled = counted_as(odds.weights, asked.choice.who), odds.unsettled / odds.total
    return Weighed(option.key, outcomes, unsettled, why_not, counts, answers, low=low, high=high, presumed=presumed)


def not_named(presumed: Presumed) -> bool:
    """Whether the gamemaster has yet to name a number that the chances depend on: a Threshold, a difficulty."""
    return any(who == GAMEMASTER and choice.ranged for (who, _), (choice, _) in presumed.items())


def _by_own_answers(
    solvers: Solvers, option: Option[Any], own: Met, odds: "Odds[Verdict | None]", seconds: float
) -> tuple[float | None, float | None]:
    """The range over the chooser's answers to the questions that they are asked later, one at a time; none if the chance stays the same."""
    chances = [hoped(_outcomes(solvers.asked, odds))]
    for question in list(own.values())[:OWN]:
        answers = further_answers(question, solvers.asked.decide(question))
        for answer in answers if 1 < len(answers) <= ANSWERS else ():
            forced = solvers.odds(option, Budget(PATHS, seconds), (question.who, question.ask_for, answer))
            if not _unfinished(solvers.asked, forced) and settles(forced.weights):
                chances.append(hoped(_outcomes(solvers.asked, forced)))
    return (min(chances), max(chances)) if max(chances) - min(chances) > SAME else (None, None)


def _unfinished(asked: Asked, odds: "Odds[Verdict | None]") -> bool:
    """Whether too much is open to show anything."""
    most = LITTLE if asked.moment.scene.declares else HALF
    return not odds.weights or odds.unsettled > most * odds.total


def _outcomes(asked: Asked, odds: "Odds[Verdict | None]") -> tuple[Outcome, ...]:
    return outcomes_of(odds.weights, odds.total, asked.choice.who, asked.friends)


def _weighed_paths(solvers: Solvers, option: Option[Any], paths: Paths, seconds: float) -> Weighed | None:
    """The chances of an option whose chooser decides more before a roll: the range over their further answers.

    The outcomes are those of the answers that the tactic gives.
    """
    asked, who = solvers.asked, solvers.asked.choice.who
    time_left, finished = Stint(seconds), dict[Path, Odds[Verdict | None]]()
    for place, path in enumerate(paths.all):
        share = time_left.left / (len(paths.all) - place)
        odds = solvers.odds_of_path(option, path, Budget(PATHS, max(share, 0.005)))
        if not _unfinished(asked, odds):
            finished[path] = odds
    settled = {path: odds for path, odds in finished.items() if settles(odds.weights)}
    late = len(finished) < len(paths.all)
    if not settled:
        return Weighed(option.key, why_not=TOO_LONG, partial=True) if late else None
    shown = settled.get(paths.usual) or next(iter(settled.values()))
    outcomes, presumed = _outcomes(asked, shown), presumed_answers(asked, option, solvers.presumed)
    chances = [hoped(_outcomes(asked, odds)) for odds in settled.values()]
    low, high, unsettled = min(chances), max(chances), max(odds.unsettled / odds.total for odds in settled.values())
    counts, partial = counted_as(shown.weights, who), late or paths.too_many
    several = len({counted_as(odds.weights, who) for odds in settled.values()}) > 1
    why_not = UNNAMED if not_named(solvers.presumed) else FURTHER if several else ""
    if why_not or (high - low < SAME and not partial):
        return Weighed(option.key, outcomes, unsettled, why_not, counts, presumed=presumed)
    return Weighed(option.key, outcomes, unsettled, "", counts, low=low, high=high, partial=partial, presumed=presumed)


def presumed_answers(asked: Asked, option: Option[Any], presumed: Presumed) -> tuple[str, ...]:
    """The answers of enemies and of the gamemaster that the chances of an option presume, as far as the chooser sees them."""
    scene, state, who = asked.moment.scene, asked.moment.state, asked.choice.who
    seen = scene.in_sight(state, asked.side) if presumed else None
    lines = []
    for (other, _), (choice, given) in presumed.items():
        if other in (who, *asked.friends) or (seen is not None and other not in (GAMEMASTER, *seen)):
            continue
        if given in PASSIVE or choice.topic in MOVES or (choice.topic == "act" and other not in option.key):
            continue
        label, question = choice.label(given), choice.ask_for.rsplit(". ", 1)[-1]
        lines.append(f"{other}: {label}" if " " in label or not question.endswith("?") else f"{other}: {question} {label}")
    return tuple(lines[:MOST_PRESUMED])


def settles(weight_by_verdict: Mapping[Verdict | None, int]) -> bool:
    """Whether an option leads to a verdict often enough to show it."""
    return sum(weight for verdict, weight in weight_by_verdict.items() if verdict is not None) > RARE * sum(weight_by_verdict.values())


def hoped(outcomes: tuple[Outcome, ...]) -> float:
    """The chance of a good result."""
    return sum(outcome.chance for outcome in outcomes if outcome.good)


def _by_answers(solvers: Solvers, option: Option[Any], seconds: float) -> Iterator[Answered]:
    """The results of an option for each answer of the first other person who is asked, if they differ."""
    met, answered_by_key = asked_of(option, solvers.met), []
    if met is None:
        return
    for answer in answers_to(solvers.asked, met):
        odds = solvers.odds(option, Budget(PATHS, seconds), (met.who, met.ask_for, answer.key))
        if settles(odds.weights):
            answered_by_key.append(Answered(met.who, answer.key, answer.label, _outcomes(solvers.asked, odds)))
    if len({answered.outcomes for answered in answered_by_key}) > 1:
        yield from answered_by_key


def asked_of(option: Option[Any], met: Met) -> Choice[Any] | None:
    """The question to another person whose answers are evaluated: the first to the option's target, or else to anybody."""
    firsts = dict[str, Choice[Any]]()
    for (who, _), choice in met.items():
        firsts.setdefault(who, choice)
    return firsts.get(option.target) or next(iter(firsts.values()), None)


def answers_to(asked: Asked, met: Choice[Any]) -> list[Option[Any]]:
    """The answers to evaluate one by one: all if there are few; of many declarations, the defences and the expected one."""
    options = met.options
    if not isinstance(options, tuple):
        return []
    if len(options) <= ANSWERS:
        return list(options)
    if not (asked.moment.scene.declares and met.topic == "act"):
        return []
    expected = asked.decide(met)
    guards = [answer for answer in options if answer.verb == GUARD][: ANSWERS - 1]
    return [answer for answer in options if answer.key == expected and answer not in guards] + guards if guards else []


def outcomes_of(
    weight_by_verdict: Mapping[Verdict | None, int], total: int, who: str, friends: Collection[str] = ()
) -> tuple[Outcome, ...]:
    """The verdicts by name, from nothing to worst, from the view of `who`; weights are out of `total`.

    Harm to one of `friends` is not good, and has the friend's name.
    """
    scale = next(verdict.scale for verdict in weight_by_verdict if verdict is not None)
    chances: dict[str, float] = {}
    good: set[str] = set()
    places = {name: place for place, name in enumerate(scale.names)}
    for verdict, weight in weight_by_verdict.items():
        name = verdict.name if verdict is not None else "no consequence"
        harmed = verdict is not None and verdict.scale.harms and verdict.good and verdict.to in friends
        if verdict is not None and harmed:
            name = f"{verdict.to}: {name}"
            places[name] = scale.names.index(verdict.name)
        chances[name] = chances.get(name, 0) + weight / total
        if verdict is not None and not harmed and (verdict.good == (verdict.by == who)):
            good.add(name)
    ordered = [name for name in scale.names if name in chances] + sorted(name for name in chances if name not in scale.names)
    return tuple(Outcome(name, chances[name], places.get(name, 0), name in good) for name in ordered)


def counted_as(weight_by_verdict: Mapping[Verdict | None, int], who: str) -> str:
    """The name of the chance of the good results."""
    verdict = next(verdict for verdict in weight_by_verdict if verdict is not None)
    return verdict.scale.counts if verdict.by == who else verdict.scale.spared
