"""The exact chance beside an option, for whoever may choose it: the scene itself, played on with that option taken.

There is no second formula. From the open question on, the very steps that will be played are followed through every roll, everybody
else answering as their tactic would, up to the event whose `verdict` says what came of it. Where a person decides for somebody else,
what they might answer is weighed answer by answer. What hangs on a roll that is hidden from these eyes is not weighed for them.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from rulewright.errors import Wrong
from rulewright.play import Choice, Given, Option, Play, Request, Roll, Scale, Sub, Tactic, Tell, Together, Verdict, sub
from rulewright.play.odds import Budget, Exact, Odds, Stint
from rulewright.scenes.encounter import Moment
from rulewright.scenes.scene import Scene

PATHS = 200_000
"""For one option."""
SECONDS = 1.5
"""For all options of one question together, of the processor's time."""
GUARD = "guard"
"""The verb of options that answer what others do."""
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


class Weighed(Struct, frozen=True):
    """The chances of one option; what is not settled in time is said, and what cannot be weighed says why.

    `counts` is what the chance of the good outcomes is called: hits, unhurt. `answers` are there where it depends on what a person
    answers to it; the outcomes are then those of the answer that is worst for whoever asks.
    """

    key: str
    outcomes: tuple[Outcome, ...] = ()
    unsettled: float = 0.0
    why_not: str = ""
    counts: str = ""
    answers: tuple[Answered, ...] = ()

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
    found: dict[str, Weighed | None] = {}
    solvers, late, parts, declares = _Solvers(asked), set[tuple[str, str]](), AT_FIRST, moment.scene.declares
    for option in _quickest_first(options):  # where all declare first, what others do is counted for all with the first of them
        share = seconds / 3 / len(options)
        if declares and (_kind(option), option.target) not in late:
            share = max(share, stint.left / parts)
        weighed = found[option.key] = _weighed(solvers, option, max(share, 0.01))
        if _wants_more(weighed):
            late.add((_kind(option), option.target))
        elif weighed is not None:
            parts = AT_ONCE
    for parts in (AT_ONCE, AT_MOST) if declares else (AT_MOST,):
        wanting = [option for option in options if _wants_more(found[option.key])]
        for place, option in enumerate(wanting):  # what time is left goes to what had too little, the first first: better some than none
            left = stint.left
            if left > 0:
                found[option.key] = _weighed(solvers, option, left / min(len(wanting) - place, parts))
    return tuple([weighed for option in options if (weighed := found[option.key]) is not None])


def _quickest_first(options: tuple[Option[Any], ...]) -> list[Option[Any]]:
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


def _wants_more(weighed: Weighed | None) -> bool:
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
        if not _settles(odds):
            return None
        answers = tuple(_by_answers(solvers, option, seconds))
    except Wrong as wrong:
        return Weighed(option.key, why_not=str(wrong))
    who = asked.choice.who
    outcomes = min((each.outcomes for each in answers), key=_hoped, default=_outcomes(odds, who))
    return Weighed(option.key, outcomes, odds.unsettled / odds.total, counts=_counts(odds, who), answers=answers)


def _settles(odds: "Odds[Verdict | None]") -> bool:
    """Whether an option leads to a verdict of its own."""
    known = sum(odds.weights.values())
    return sum(weight for verdict, weight in odds if verdict is not None) > RARE * known


def _hoped(outcomes: tuple[Outcome, ...]) -> float:
    return sum(outcome.chance for outcome in outcomes if outcome.good)


def _by_answers(solvers: "_Solvers", option: Option[Any], seconds: float) -> Iterator[Answered]:
    """What comes of an option for each answer of the first person who is asked about it, where it makes a difference."""
    met = solvers.met.get(option.target) or next(iter(solvers.met.values()), None)
    if met is None or not isinstance(met.options, tuple):
        return
    who = solvers.asked.choice.who
    found = []
    for answer in _answers_to(solvers, met):
        odds = solvers.odds(option, Budget(PATHS, seconds), (met.who, met.ask_for, answer.key))
        if _settles(odds):
            found.append(Answered(met.who, answer.key, answer.label, _outcomes(odds, who)))
    if len({each.outcomes for each in found}) > 1:
        yield from found


def _answers_to(solvers: "_Solvers", met: Choice[Any]) -> list[Option[Any]]:
    """The answers that are weighed one by one: all where they are few; of all that somebody may declare, what guards them, and what they
    would be expected to do."""
    options = met.options
    assert isinstance(options, tuple)
    if len(options) <= ANSWERS:
        return list(options)
    if not (solvers.asked.moment.scene.declares and met.topic == "act"):
        return []
    expected = solvers.asked.decide(met)
    guards = [answer for answer in options if answer.verb == GUARD][: ANSWERS - 1]
    return [answer for answer in options if answer.key == expected and answer not in guards] + guards if guards else []


def _outcomes(odds: "Odds[Verdict | None]", who: str) -> tuple[Outcome, ...]:
    """The verdicts by name, from nothing to worst, as whoever is asked would have them."""
    scale = next(verdict.scale for verdict in odds.weights if verdict is not None)
    chances: dict[str, float] = {}
    hoped: set[str] = set()
    for verdict, weight in odds:
        name = verdict.name if verdict is not None else "nothing comes of it"
        chances[name] = chances.get(name, 0) + weight / odds.total
        if verdict is not None and (verdict.good == (verdict.by == who)):
            hoped.add(name)
    ordered = [name for name in scale.names if name in chances] + sorted(name for name in chances if name not in scale.names)
    places = {name: place for place, name in enumerate(scale.names)}
    return tuple(Outcome(name, chances[name], places.get(name, 0), name in hoped) for name in ordered)


def _counts(odds: "Odds[Verdict | None]", who: str) -> str:
    """What the chance of the good outcomes is called."""
    verdict = next(verdict for verdict in odds.weights if verdict is not None)
    return verdict.scale.counts if verdict.by == who else verdict.scale.spared


class _Solvers:
    """Exact odds for all options of one question; parts that come again are solved once."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.met: dict[str, Choice[Any]] = {}
        """The first question to each other person that the option weighed last leads to."""
        self._kept: dict[Any, _Discreet] = {}

    def odds(self, option: Option[Any], budget: Budget, forced: tuple[str, str, Given] | None = None) -> "Odds[Verdict | None]":
        """The verdicts that an option leads to; `forced` is what somebody answers to what."""
        solver = self.solver(budget, forced)
        solver.met.clear()
        odds = solver.solve(lambda: play_on(self.asked.moment, option))
        if budget.interrupted:
            raise KeyboardInterrupt
        self.met = {}
        for (who, _), choice in solver.met.items():
            self.met.setdefault(who, choice)
        return odds

    def solver(self, budget: Budget, forced: tuple[str, str, Given] | None = None) -> "_Discreet":
        """A solver that decides for everybody as the question says."""
        solver = self._kept.get(forced)
        if solver is None:
            solver = self._kept[forced] = _Discreet(self.asked, forced)
        solver.budget = budget
        return solver


class _Discreet(Exact):
    """Exact odds that stop at a roll which these eyes may not see, and notice which other people are asked something."""

    def __init__(self, asked: Asked, forced: tuple[str, str, Given] | None) -> None:
        super().__init__(self._decided)
        self.met: dict[tuple[str, str], Choice[Any]] = {}
        self._asked = asked
        self._forced = forced
        self._met_in: dict[Sub[Any], dict[tuple[str, str], Choice[Any]]] = {}

    def part(self, part: Sub[Any]) -> Odds[Any]:
        before, self.met = self.met, {}
        odds = self._foretold(part) if part.procedure is _later else super().part(part)
        self.met = before | self._met_in.setdefault(part, self.met)
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

    def _decided(self, choice: Choice[Any]) -> Given:
        """What somebody answers: what is tried, what their tactic says, or nothing where these eyes know nothing of them."""
        asked, keys, forced = self._asked, choice.keys(), self._forced
        if choice.secret and asked.eyes != (None,) and choice.who not in asked.eyes:
            return next((quiet for quiet in PASSIVE if quiet in keys), None) or asked.decide(choice)
        if forced is not None and (choice.who, choice.ask_for) == forced[:2] and forced[2] in keys:
            return forced[2]
        if choice.who != asked.choice.who and choice.who in asked.people:
            self.met.setdefault((choice.who, choice.ask_for), choice)
        return asked.decide(choice)

    def _branches(self, request: Roll[Any] | Sub[Any]) -> tuple[int, list[tuple[Any, int]]]:
        eyes = self._asked.eyes
        if isinstance(request, Roll) and request.secret and eyes != (None,) and request.by not in eyes:
            raise Wrong(NOT_YOURS)
        return super()._branches(request)


def play_on(moment: Moment, option: Option[Any]) -> "Play[Verdict | None]":
    """The scene from an open question on, with this answer to it, up to what comes of it; None where no roll decides anything.

    It ends at the first verdict on what whoever was asked does, or has done to them; where nobody rolls before the next thing that
    anybody is asked to do, nothing hangs on the answer. Where all declare first, a guard is followed until nothing more can be done to
    whoever is on it, and comes to the worst of it.
    """
    acts = moment.requests[moment.at].topic == "act"
    guards = acts and moment.scene.declares and option.verb == GUARD
    stack = Inline(scene_step(moment), moment.given)
    while not (stack.spent and isinstance(stack.request, Roll | Choice | Together)):
        stack.feed()
    stack.go_on((yield from _rest(moment, option.value)))
    question = _Question(moment.scene, moment.who, acts, guards, moment.scene.asks_for(option))
    return (yield from _followed(question, moment.state, stack, moment.scene.followed, None))


class _Question(NamedTuple):
    """What is followed: in which scene, for whom, whether it is what they do or what is done to them, all of it or the first, and of which
    scale."""

    scene: Scene[Any]
    who: str
    acts: bool
    guards: bool = False
    scale: Scale | None = None

    def ends(self, verdict: Verdict | None) -> bool:
        """Whether a verdict is the one that was asked for."""
        if verdict is None or self.guards or (self.scale is not None and verdict.scale != self.scale):
            return False
        return verdict.by == self.who or (not self.acts and verdict.to == self.who)

    def worst(self, so_far: Verdict | None, verdict: Verdict | None) -> Verdict | None:
        """What has been done to who is on guard."""
        if not self.guards or verdict is None or verdict.to != self.who:
            return so_far
        return max([each for each in (so_far, verdict) if each is not None], key=how_bad)

    def over(self, before: Any, after: Any) -> bool:
        """Whether nothing can come of it any more once a step has been played."""
        scene = self.scene
        if scene.result(after) is not None:
            return True
        if self.guards:
            return not scene.threatened(after, self.who)
        if scene.overlaps:
            return self.acts and not scene.under_way(after, self.who)
        return scene.round(after) != scene.round(before)


def how_bad(verdict: Verdict) -> tuple[bool, int]:
    """How bad a verdict is for whom it is on."""
    return verdict.good, verdict.scale.names.index(verdict.name)


def _followed(question: _Question, state: Any, stack: "Inline", steps: int, so_far: Verdict | None) -> "Play[Verdict | None]":
    """A step under way to its end, and what comes after it."""
    while not stack.done:
        request = stack.request
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            if question.ends(verdict):
                return verdict
            so_far = question.worst(so_far, verdict)
            stack.go_on(None)
        elif isinstance(request, Sub):
            came = yield from sub(_part, request, question)
            if isinstance(came, Verdict):
                return came
            stack.go_on(came[0])
        elif isinstance(request, Choice) and request.topic == "act" and (request.who == question.who or not question.scene.overlaps):
            return so_far
        else:
            stack.go_on((yield request))
    after = stack.outcome
    if steps <= 1 or question.over(state, after):
        return so_far
    if question.scene.overlaps:  # what leads to the same state is followed once
        return (yield from sub(_later, question, after, steps - 1, so_far))
    return (yield from _later(question, after, steps - 1, so_far))


def _later(question: _Question, state: Any, steps: int, so_far: Verdict | None) -> "Play[Verdict | None]":
    """The next step, from its beginning."""
    return (yield from _followed(question, state, Inline(question.scene.step(state), ()), steps, so_far))


def scene_step(moment: Moment) -> Play[Any]:
    """The step under way, from its beginning."""
    step: Play[Any] = moment.scene.step(moment.state)
    return step


def _rest(moment: Moment, answer: Any) -> Play[Any]:
    """The answers to everything that is asked at this moment: those given, the one tried, and those still to come."""
    values = []
    for at, request in enumerate(moment.requests):
        if at == moment.at:
            values.append(answer)
        elif at in moment.values:
            values.append(moment.values[at])
        else:
            values.append((yield from request))
    return tuple(values) if moment.together else values[0]


def _part(part: Sub[Any], question: _Question) -> "Play[Verdict | tuple[Any]]":
    """A part of what follows: its outcome (alone in a tuple), or the verdict that it comes to."""
    play, answer = part.start(), None
    while True:
        try:
            request: Request[Any] = play.send(answer)
        except StopIteration as done:
            return (done.value,)
        answer = None
        if isinstance(request, Tell):
            verdict = request.event.verdict()
            if verdict is not None and question.ends(verdict):
                return verdict
        elif isinstance(request, Sub):
            came = yield from sub(_part, request, question)
            if isinstance(came, Verdict):
                return came
            answer = came[0]
        else:
            answer = yield request


class Inline:
    """A step with its parts in line, as a table plays it: what it asks next, answers taken again, its outcome."""

    def __init__(self, play: Play[Any], given: tuple[Any, ...]) -> None:
        self._stack: list[Play[Any]] = [play]
        self._given = list(given)
        self._given.reverse()
        self.done = False
        self.outcome: Any = None
        self.request: Request[Any] = Tell(None)  # type: ignore[arg-type]
        self.go_on(None)

    @property
    def spent(self) -> bool:
        """Whether every answer that was given before has been taken again."""
        return not self._given

    def feed(self) -> None:
        """Take the next thing as it was played: what was told is passed over, a part begins, a question has its answer."""
        request = self.request
        if isinstance(request, Sub):
            self._stack.append(request.start())
            self.go_on(None)
        elif isinstance(request, Tell) or (isinstance(request, Together) and not request.requests):
            self.go_on(None if isinstance(request, Tell) else ())
        else:
            self.go_on(self._given.pop())

    def go_on(self, answer: Any) -> None:
        """Answer, and go on to what is asked next."""
        while self._stack:
            try:
                self.request = self._stack[-1].send(answer)
                return
            except StopIteration as done:
                self._stack.pop()
                answer = done.value
        self.done, self.outcome = True, answer
