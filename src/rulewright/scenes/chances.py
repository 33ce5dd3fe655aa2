"""Exact chances of options: the scene itself, played on with that option taken.

There is no second formula. From the open question on, the actual steps are followed through every roll, with everybody else answering as
their tactic does, until the event whose `verdict` decides. Where another person controls somebody, their possible answers are evaluated one
by one. Results that depend on a roll hidden from these viewers are not computed for them.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Choice, Given, Option, Roll, Sub, Tactic, Verdict
from rulewright.play.odds import Budget, Exact, Odds, Stint
from rulewright.scenes.evaluation import GUARD, later, play_on
from rulewright.scenes.question_snapshot import Moment

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
LITTLE, HALF = 0.1, 0.5
"""The largest unsettled share that is shown: LITTLE if a whole round is followed, otherwise HALF."""
TOO_LONG = "not computed: this takes too long"
NOT_YOURS = "not shown: this depends on something that you cannot know"
RARE = 0.05
"""Verdicts rarer than this are the result of others who act later, and are not shown."""
PASSIVE = ("hold", "pass", "wait", "no", "none", "nothing")
"""What a combatant is assumed to do if these viewers know nothing of them."""


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

    @property
    def at_least(self) -> bool:
        """Whether the chances are lower bounds, since a part is unsettled."""
        return self.unsettled > 0


class Asked(Struct, frozen=True):
    """A question to evaluate outside the table: its moment, the viewers, and who decides for whom."""

    moment: Moment
    eyes: tuple[str | None, ...]
    decide: Tactic
    people: frozenset[str] = frozenset()
    """Combatants that a person controls."""

    @property
    def choice(self) -> Choice[Any]:
        """The question."""
        request = self.moment.requests[self.moment.at]
        assert isinstance(request, Choice)
        return request


def weigh(asked: Asked, seconds: float = SECONDS, keys: Collection[str] | None = None) -> tuple[Weighed, ...]:
    """The exact chances of every option that leads to a roll, in the order of the options; only those in `keys` if given."""
    options, moment = asked.choice.options, asked.moment
    if not isinstance(options, tuple) or not moment.scene.weighs(moment.state, asked.choice):
        return ()
    options = tuple([option for option in options if keys is None or option.key in keys])
    time_left = Stint(seconds)
    weighed_by_key: dict[str, Weighed | None] = {}
    solvers, late, parts, declares = _Solvers(asked), set[tuple[str, str]](), AT_FIRST, moment.scene.declares
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


def _weighed(solvers: "_Solvers", option: Option[Any], seconds: float) -> Weighed | None:
    """The chances of one option; None if it leads to no roll."""
    asked = solvers.asked
    try:
        odds = solvers.odds(option, Budget(PATHS, seconds))
        most = LITTLE if asked.moment.scene.declares else HALF
        if not odds.weights or odds.unsettled > most * odds.total:
            return Weighed(option.key, why_not=TOO_LONG)
        if not settles(odds.weights):
            return None
        answers = tuple(_by_answers(solvers, option, seconds))
    except UserError as error:
        return Weighed(option.key, why_not=str(error))
    who = asked.choice.who
    outcomes = min((answer.outcomes for answer in answers), key=hoped, default=outcomes_of(odds.weights, odds.total, who))
    return Weighed(option.key, outcomes, odds.unsettled / odds.total, counts=counted_as(odds.weights, who), answers=answers)


def settles(weight_by_verdict: Mapping[Verdict | None, int]) -> bool:
    """Whether an option leads to a verdict often enough to show it."""
    return sum(weight for verdict, weight in weight_by_verdict.items() if verdict is not None) > RARE * sum(weight_by_verdict.values())


def hoped(outcomes: tuple[Outcome, ...]) -> float:
    """The chance of a good result."""
    return sum(outcome.chance for outcome in outcomes if outcome.good)


def _by_answers(solvers: "_Solvers", option: Option[Any], seconds: float) -> Iterator[Answered]:
    """The results of an option for each answer of the first other person who is asked, if they differ."""
    met, who, answered_by_key = asked_of(option, solvers.met), solvers.asked.choice.who, []
    if met is None:
        return
    for answer in answers_to(solvers.asked, met):
        odds = solvers.odds(option, Budget(PATHS, seconds), (met.who, met.ask_for, answer.key))
        if settles(odds.weights):
            answered_by_key.append(Answered(met.who, answer.key, answer.label, outcomes_of(odds.weights, odds.total, who)))
    if len({answered.outcomes for answered in answered_by_key}) > 1:
        yield from answered_by_key


def asked_of(option: Option[Any], met: "Met") -> Choice[Any] | None:
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


def outcomes_of(weight_by_verdict: Mapping[Verdict | None, int], total: int, who: str) -> tuple[Outcome, ...]:
    """The verdicts by name, from nothing to worst, from the view of `who`; weights are out of `total`."""
    scale = next(verdict.scale for verdict in weight_by_verdict if verdict is not None)
    chances: dict[str, float] = {}
    good: set[str] = set()
    for verdict, weight in weight_by_verdict.items():
        name = verdict.name if verdict is not None else "no consequence"
        chances[name] = chances.get(name, 0) + weight / total
        if verdict is not None and (verdict.good == (verdict.by == who)):
            good.add(name)
    ordered = [name for name in scale.names if name in chances] + sorted(name for name in chances if name not in scale.names)
    places = {name: place for place, name in enumerate(scale.names)}
    return tuple(Outcome(name, chances[name], places.get(name, 0), name in good) for name in ordered)


def counted_as(weight_by_verdict: Mapping[Verdict | None, int], who: str) -> str:
    """The name of the chance of the good results."""
    verdict = next(verdict for verdict in weight_by_verdict if verdict is not None)
    return verdict.scale.counts if verdict.by == who else verdict.scale.spared


class _Solvers:
    """Exact odds for all options of one question, with a shared cache."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.met: Met = {}
        """Questions that the last evaluated option asks of other people."""
        self._kept: dict[Any, _DiscreetSolver] = {}

    def odds(self, option: Option[Any], budget: Budget, forced: "Forced | None" = None) -> "Odds[Verdict | None]":
        """The odds of the verdicts of an option; `forced` fixes one answer."""
        solver = self.solver(budget, forced)
        solver.answers.met = {}
        odds = solver.solve(lambda: play_on(self.asked.moment, option))
        if budget.interrupted:
            raise KeyboardInterrupt
        self.met = solver.answers.met
        return odds

    def solver(self, budget: Budget, forced: "Forced | None" = None) -> "_DiscreetSolver":
        """A solver with this budget that decides for everybody as the question says."""
        solver = self._kept.get(forced)
        if solver is None:
            solver = self._kept[forced] = _DiscreetSolver(self.asked, forced)
        solver.budget = budget
        return solver


Met: TypeAlias = dict[tuple[str, str], Choice[Any]]
"""Questions to other people, by (person, question)."""
Forced: TypeAlias = tuple[str, str, Given]
"""A fixed answer, whatever the tactic says: (person, question, answer)."""


class Answers:
    """Answers for everybody while an option is evaluated, as far as these viewers may know; records questions to other people."""

    def __init__(self, asked: Asked, forced: Forced | None = None) -> None:
        self.asked = asked
        self.met: Met = {}
        self._forced = forced

    def __call__(self, choice: Choice[Any]) -> Given:
        """An answer: the fixed one, the tactic's, or a passive one if these viewers may not know the question."""
        asked, keys, forced = self.asked, choice.keys(), self._forced
        if choice.secret and asked.eyes != (None,) and choice.who not in asked.eyes:
            return next((quiet for quiet in PASSIVE if quiet in keys), None) or asked.decide(choice)
        if forced is not None and (choice.who, choice.ask_for) == forced[:2] and forced[2] in keys:
            return forced[2]
        if choice.who != asked.choice.who and choice.who in asked.people:
            self.met.setdefault((choice.who, choice.ask_for), choice)
        return asked.decide(choice)

    def refuse_what_is_hidden(self, roll: Roll[Any]) -> None:
        """Raises an error at a roll that these viewers may not see."""
        eyes = self.asked.eyes
        if roll.secret and eyes != (None,) and roll.by not in eyes:
            raise UserError(NOT_YOURS)


class _DiscreetSolver(Exact):
    """An exact solver that stops at rolls which these viewers may not see."""

    def __init__(self, asked: Asked, forced: Forced | None) -> None:
        self.answers = Answers(asked, forced)
        super().__init__(self.answers)
        self._met_in: dict[Sub[Any], Met] = {}

    def part(self, part: Sub[Any]) -> Odds[Any]:
        answers = self.answers
        before, answers.met = answers.met, {}
        odds = self._later_odds(part) if part.procedure is later else super().part(part)
        answers.met = before | self._met_in.setdefault(part, answers.met)
        return odds

    def _later_odds(self, part: Sub[Any]) -> Odds[Any]:
        """The odds of later steps, by the scene's faster way if it has one."""
        known = self._known.get(part)
        if known is None:
            question, state, _, so_far = part.arguments
            known = question.scene.foretold(state, question, so_far, self.part)
            if known is None:
                return super().part(part)
            if not known.unsettled:
                self._known[part] = known
        return known

    def _branches(self, request: Roll[Any] | Sub[Any]) -> tuple[int, list[tuple[Any, int]]]:
        if isinstance(request, Roll):
            self.answers.refuse_what_is_hidden(request)
        return super()._branches(request)
