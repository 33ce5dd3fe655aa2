"""The exact chance beside an option, for whoever may choose it: the scene itself, played on with that option taken.

There is no second formula. From the open question on, the very steps that will be played are followed through every roll, everybody
else answering as their tactic would, up to the event whose `verdict` says what came of it. Where a person decides for somebody else,
what they might answer is weighed answer by answer. What hangs on a roll that is hidden from these eyes is not weighed for them.
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
"""For one option."""
SECONDS = 1.5
"""For all options of one question together, of the processor's time."""
AT_FIRST, AT_ONCE = 2, 4
"""Where all declare first: of the time that is left, options have one part of so many until the first of them is weighed, with all that
others do, and then one of so many. Others of a kind that took longer than that, and against the same, wait till it is seen what is left."""
AT_MOST = 2
"""Of the time that is left, one option that had too little has no less than one part of so many."""
ANSWERS = 6
"""How many answers of somebody else are weighed one by one."""
LITTLE, HALF = 0.1, 0.5
"""Where more than this share is not settled in time, nothing is shown: little where a whole round is followed, half elsewhere."""
TOO_LONG = "this takes longer to count than there is time"
NOT_YOURS = "this hangs on something that you cannot know"
RARE = 0.05
"""What follows from an option in so few cases only is the doing of others who act after it, and is not shown beside it."""
PASSIVE = ("hold", "pass", "wait", "no", "none", "nothing")
"""What somebody is taken to do of whom these eyes know nothing."""


class Outcome(Struct, frozen=True):
    """What may come of an option: its name, its chance, its place from nothing to worst, and whether it is a good one to get."""

    name: str
    chance: float
    place: int
    good: bool


class Answered(Struct, frozen=True):
    """What comes of an option if somebody else answers it so."""

    who: str
    key: str
    label: str
    outcomes: tuple[Outcome, ...]


class Estimate(Struct, frozen=True):
    """How often each outcome came up when an option was played out so many times; the chance of the good ones is known to `margin`, in 95
    of 100 cases. `answers` as those of `Weighed`."""

    outcomes: tuple[Outcome, ...]
    plays: int
    margin: float
    answers: tuple[Answered, ...] = ()

    @property
    def hoped(self) -> float:
        """How often it came out well."""
        return hoped(self.outcomes)

    @property
    def give_or_take(self) -> int:
        """The margin in whole percents; never none."""
        return max(1, round(self.margin * 100))


class Weighed(Struct, frozen=True):
    """The chances of one option; what is not settled in time is said, and what cannot be weighed says why.

    `counts` is what the chance of the good outcomes is called: hits, unhurt. `answers` are there where it depends on what a person
    answers to it; the outcomes are then those of the answer that is worst for whoever asks. These are exact, or lower bounds; `about` is
    what was found by playing on where they could not be had (`scenes.estimates`).
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
        """Whether the chances are lower bounds, since some of it is not settled."""
        return self.unsettled > 0


class Asked(Struct, frozen=True):
    """A question to be weighed without holding the table that it was taken from: its moment, for whose eyes, and who decides what."""

    moment: Moment
    eyes: tuple[str | None, ...]
    decide: Tactic
    people: frozenset[str] = frozenset()
    """Those for whom a person decides."""

    @property
    def choice(self) -> Choice[Any]:
        """The question."""
        request = self.moment.requests[self.moment.at]
        assert isinstance(request, Choice)
        return request


def weigh(asked: Asked, seconds: float = SECONDS, keys: Collection[str] | None = None) -> tuple[Weighed, ...]:
    """The exact chances of every option that leads to a roll, in the order of the options; of some of them where `keys` names them."""
    options, moment = asked.choice.options, asked.moment
    if not isinstance(options, tuple) or not moment.scene.weighs(moment.state, asked.choice):
        return ()
    options = tuple([option for option in options if keys is None or option.key in keys])
    stint = Stint(seconds)
    weighed_by_name: dict[str, Weighed | None] = {}
    solvers, late, parts, declares = _Solvers(asked), set[tuple[str, str]](), AT_FIRST, moment.scene.declares
    for option in quickest_first(options):  # where all declare first, what others do is counted for all with the first of them
        share = seconds / 3 / len(options)
        if declares and (_kind(option), option.target) not in late:
            share = max(share, stint.left / parts)
        weighed = weighed_by_name[option.key] = _weighed(solvers, option, max(share, 0.01))
        if wants_more(weighed):
            late.add((_kind(option), option.target))
        elif weighed is not None:
            parts = AT_ONCE
    for parts in (AT_ONCE, AT_MOST) if declares else (AT_MOST,):
        wanting = [option for option in options if wants_more(weighed_by_name[option.key])]
        for place, option in enumerate(wanting):  # what time is left goes to what had too little, the first first: better some than none
            left = stint.left
            if left > 0:
                weighed_by_name[option.key] = _weighed(solvers, option, left / min(len(wanting) - place, parts))
    return tuple([weighed for option in options if (weighed := weighed_by_name[option.key]) is not None])


def quickest_first(options: tuple[Option[Any], ...]) -> list[Option[Any]]:
    """The options in the order in which they are weighed: what is named first and is most plainly done, then the kinds with most options,
    which have most in common. Several things in one have more to them, and guards are followed to the end of what threatens."""
    kinds = Counter([_kind(option) for option in options])

    def how_much(option: Option[Any]) -> tuple[bool, bool, bool, int]:
        several = "+" in option.key or (isinstance(option.value, tuple) and len(option.value) > 1)
        return option.verb == GUARD, several, _kind(option) != _kind(options[0]), -kinds[_kind(option)]

    return sorted(options, key=how_much)


def _kind(option: Option[Any]) -> str:
    """What an option is, whomever it is aimed at."""
    return option.key.partition(":")[0]


def wants_more(weighed: Weighed | None) -> bool:
    """Whether an option is not weighed to the end for want of time."""
    return weighed is not None and (weighed.why_not == TOO_LONG or weighed.unsettled > 0)


def _weighed(solvers: "_Solvers", option: Option[Any], seconds: float) -> Weighed | None:
    """The chances of one option; None where it leads to no roll."""
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


def settles(number_by_verdict: Mapping[Verdict | None, int]) -> bool:
    """Whether an option leads to a verdict of its own."""
    return sum(weight for verdict, weight in number_by_verdict.items() if verdict is not None) > RARE * sum(number_by_verdict.values())


def hoped(outcomes: tuple[Outcome, ...]) -> float:
    """The chance that it comes out well."""
    return sum(outcome.chance for outcome in outcomes if outcome.good)


def _by_answers(solvers: "_Solvers", option: Option[Any], seconds: float) -> Iterator[Answered]:
    """What comes of an option for each answer of the first person who is asked about it, where it makes a difference."""
    met, who, answereds = asked_of(option, solvers.met), solvers.asked.choice.who, []
    if met is None:
        return
    for answer in answers_to(solvers.asked, met):
        odds = solvers.odds(option, Budget(PATHS, seconds), (met.who, met.ask_for, answer.key))
        if settles(odds.weights):
            answereds.append(Answered(met.who, answer.key, answer.label, outcomes_of(odds.weights, odds.total, who)))
    if len({answered.outcomes for answered in answereds}) > 1:
        yield from answereds


def asked_of(option: Option[Any], met: "Met") -> Choice[Any] | None:
    """Of what other people are asked about an option, what is weighed answer by answer: the first to its target, or else to anybody."""
    firsts = dict[str, Choice[Any]]()
    for (who, _), choice in met.items():
        firsts.setdefault(who, choice)
    return firsts.get(option.target) or next(iter(firsts.values()), None)


def answers_to(asked: Asked, met: Choice[Any]) -> list[Option[Any]]:
    """The answers that are weighed one by one: all where they are few; of all that somebody may declare, what guards them, and what they
    would be expected to do."""
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


def outcomes_of(number_by_verdict: Mapping[Verdict | None, int], total: int, who: str) -> tuple[Outcome, ...]:
    """The verdicts by name, from nothing to worst, as whoever is asked would have them; what they came to is out of a total."""
    scale = next(verdict.scale for verdict in number_by_verdict if verdict is not None)
    chances: dict[str, float] = {}
    good: set[str] = set()
    for verdict, weight in number_by_verdict.items():
        name = verdict.name if verdict is not None else "nothing comes of it"
        chances[name] = chances.get(name, 0) + weight / total
        if verdict is not None and (verdict.good == (verdict.by == who)):
            good.add(name)
    ordered = [name for name in scale.names if name in chances] + sorted(name for name in chances if name not in scale.names)
    places = {name: place for place, name in enumerate(scale.names)}
    return tuple(Outcome(name, chances[name], places.get(name, 0), name in good) for name in ordered)


def counted_as(number_by_verdict: Mapping[Verdict | None, int], who: str) -> str:
    """What the chance of the good outcomes is called."""
    verdict = next(verdict for verdict in number_by_verdict if verdict is not None)
    return verdict.scale.counts if verdict.by == who else verdict.scale.spared


class _Solvers:
    """Exact odds for all options of one question; parts that come again are solved once."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.met: Met = {}
        """What the option weighed last asks of other people."""
        self._kept: dict[Any, _Discreet] = {}

    def odds(self, option: Option[Any], budget: Budget, forced: "Forced | None" = None) -> "Odds[Verdict | None]":
        """The verdicts that an option leads to; `forced` is what somebody answers to what."""
        solver = self.solver(budget, forced)
        solver.answers.met = {}
        odds = solver.solve(lambda: play_on(self.asked.moment, option))
        if budget.interrupted:
            raise KeyboardInterrupt
        self.met = solver.answers.met
        return odds

    def solver(self, budget: Budget, forced: "Forced | None" = None) -> "_Discreet":
        """A solver that decides for everybody as the question says."""
        solver = self._kept.get(forced)
        if solver is None:
            solver = self._kept[forced] = _Discreet(self.asked, forced)
        solver.budget = budget
        return solver


Met: TypeAlias = dict[tuple[str, str], Choice[Any]]
"""What other people are asked, by whom and for what."""
Forced: TypeAlias = tuple[str, str, Given]
"""What somebody answers, whatever their tactic: who, to what, and what."""


class Answers:
    """What everybody answers while an option is followed, as these eyes may know it; notices which other people are asked something."""

    def __init__(self, asked: Asked, forced: Forced | None = None) -> None:
        self.asked = asked
        self.met: Met = {}
        self._forced = forced

    def __call__(self, choice: Choice[Any]) -> Given:
        """What somebody answers: what is tried, what their tactic says, or nothing where these eyes know nothing of them."""
        asked, keys, forced = self.asked, choice.keys(), self._forced
        if choice.secret and asked.eyes != (None,) and choice.who not in asked.eyes:
            return next((quiet for quiet in PASSIVE if quiet in keys), None) or asked.decide(choice)
        if forced is not None and (choice.who, choice.ask_for) == forced[:2] and forced[2] in keys:
            return forced[2]
        if choice.who != asked.choice.who and choice.who in asked.people:
            self.met.setdefault((choice.who, choice.ask_for), choice)
        return asked.decide(choice)

    def refuse_what_is_hidden(self, roll: Roll[Any]) -> None:
        """Stop at a roll that these eyes may not see."""
        eyes = self.asked.eyes
        if roll.secret and eyes != (None,) and roll.by not in eyes:
            raise UserError(NOT_YOURS)


class _Discreet(Exact):
    """Exact odds that stop at a roll which these eyes may not see."""

    def __init__(self, asked: Asked, forced: Forced | None) -> None:
        self.answers = Answers(asked, forced)
        super().__init__(self.answers)
        self._met_in: dict[Sub[Any], Met] = {}

    def part(self, part: Sub[Any]) -> Odds[Any]:
        answers = self.answers
        before, answers.met = answers.met, {}
        odds = self._foretold(part) if part.procedure is later else super().part(part)
        answers.met = before | self._met_in.setdefault(part, answers.met)
        return odds

    def _foretold(self, part: Sub[Any]) -> Odds[Any]:
        """The odds of what comes later, by the shorter way where its scene knows one."""
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
