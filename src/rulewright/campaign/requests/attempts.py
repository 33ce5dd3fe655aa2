"""Plays one attempt of a roll request: the choice of a test, the rolls, and the result against everybody who opposes it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from rulewright.campaign.requests.rule_calls import arguments_of, called_procedure, described
from rulewright.campaign.requests.rules import RequestRules
from rulewright.campaign.roll_request import Attempt, Attempted, Called, RollRequest, Take, Verdict, Way
from rulewright.play import Choice, Option, Play, Request, Roll, Sub, Tell, Together
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts

_RANKS: Mapping[Verdict | None, int] = {"failure": 0, "draw": 1, "success": 2, None: 3}


class Described(Protocol):
    """What a roll request needs of the game's description of an outcome."""

    @property
    def label(self) -> str: ...
    @property
    def verdict(self) -> Verdict | None: ...
    @property
    def order(self) -> float: ...


class Chosen(Struct, frozen=True):
    """How somebody makes an attempt: the test, the boosts that go into it, or the time that is taken."""

    way: Way
    boosts: int = 0
    take: Take | None = None

    @property
    def notation(self) -> str:
        """The notation of the test that is rolled."""
        return self.take.notation if self.take is not None else self.way.notations[self.boosts]


class Resolver(Struct):
    """What an attempt is played with: the rules, how the game reads notations and shows outcomes, and the rolls made so far."""

    rules: Ruleset
    parse: Callable[[Ruleset, str], Sub[Any]]
    show: Callable[[Any], Described]
    requests: RequestRules
    state: RollRequest
    rolled: dict[Any, Any] = {}
    """The result of each roll by roller and reading, if everybody rolls once."""

    def result(self, attempt: Attempt, chosen: Chosen, outcome: Any, seconds: int) -> Attempted:
        """An outcome of the game's notation as the result of an attempt."""
        shown = self.show(outcome)
        gain = self.requests.gain(self.rules, outcome, shown.verdict == "success")
        took = self.requests.seconds(self.rules, outcome, seconds)
        return Attempted(attempt.name, chosen.way.label, shown.label, shown.verdict, shown.order, chosen.boosts, took, gain)


def choose(state: RollRequest, attempt: Attempt) -> Play[Chosen]:
    """Asks how the person makes the attempt. Everybody is asked, so that a player rolls when ready."""
    if state.manner == "gamemaster rolls":
        return Chosen(attempt.ways[0])
    options = [_option(state, attempt, way, boosts) for way in attempt.ways for boosts in range(max(1, len(way.notations)))]
    options += [_take_option(state, way, take) for way in attempt.ways for take in way.takes]
    return (yield from Choice(attempt.name, state.title, tuple(options), state, topic="roll"))


def _option(state: RollRequest, attempt: Attempt, way: Way, boosts: int) -> Option[Chosen]:
    """A choice as the roller sees it: a hidden target is left out."""
    test = _test_words(state, way)
    spent = attempt.boost.count(boosts) if boosts and attempt.boost is not None else ""
    label = f"Roll {test} with {spent}" if spent else f"Roll {test}"
    key = f"{way.key}+{boosts}" if boosts else way.key
    return Option(key, label, Chosen(way, boosts), verb="roll", manner=(test, spent) if spent else (test,))


def _test_words(state: RollRequest, way: Way) -> str:
    return f"{way.label} against {way.target}" if way.target and state.manner == "open" else way.label


def _take_option(state: RollRequest, way: Way, take: Take) -> Option[Chosen]:
    certain = f": certain {take.verdict}" if take.verdict is not None and state.manner == "open" else ""
    label = f"{take.name} with {way.label}: {take.words}{certain}"
    return Option(f"{way.key}~{take.name}", label, Chosen(way, 0, take), verb="roll", manner=(_test_words(state, way), take.name))


def attempted(resolver: Resolver, attempt: Attempt, chosen: Chosen) -> Play[Attempted]:
    """Plays an attempt as it was chosen."""
    way, take = chosen.way, chosen.take
    if take is not None and not take.notation:
        label = f"{take.verdict}, {take.words}" if take.verdict is not None else take.words
        return Attempted(attempt.name, f"{way.label} ({take.name})", label, take.verdict, take.rank, 0, take.seconds, take.gain)
    if way.called is not None:
        return (yield from _called(resolver, attempt, way))
    notations = [chosen.notation, *[further[chosen.boosts] for further in way.further]]
    seconds = take.seconds if take is not None else resolver.state.seconds
    results = []
    for notation, opponent in zip(notations, (attempt.against, *attempt.others), strict=True):
        rollers = attempt.together or ((attempt.name, opponent) if opponent else (attempt.name,))
        outcome = yield from rolled_by(resolver, resolver.parse(resolver.rules, notation).start(), iter(rollers), way.label)
        results.append((opponent, resolver.result(attempt, chosen, outcome, seconds)))
    worst = min((result for _, result in results), key=lambda result: (_RANKS[result.verdict], result.rank))
    if len(results) == 1:
        return worst
    words = ", ".join(f"{result.result} against {opponent}" for opponent, result in results)
    return msgspec.structs.replace(worst, result=words)


def _called(resolver: Resolver, attempt: Attempt, way: Way) -> Play[Attempted]:
    """Plays a rule of the book for a person. If it changes the body, the result holds the condition."""
    assert way.called is not None
    play = called_procedure(resolver.rules, way.called)
    outcome = yield from rolled_by(resolver, play, iter(attempt.rollers), way.label)
    changed = _changed_body(resolver, way.called, outcome)
    if changed is None:
        label, verdict = described(outcome, resolver.show)
        return Attempted(attempt.name, way.label, label, verdict)
    condition = tuple((field, msgspec.json.encode(lasts.value).decode(), lasts.words) for field, lasts in changed.items())
    words = ", ".join(lasts.words for lasts in changed.values()) or "unhurt"
    return Attempted(attempt.name, way.label, words, None, condition=condition)


def _changed_body(resolver: Resolver, called: Called, outcome: Any) -> Mapping[str, Lasts] | None:
    """What a rule changed in the condition of a person; None if its outcome is no body."""
    after = resolver.requests.body_after(resolver.rules, outcome)
    if after is None:
        return None
    same = (argument for argument in arguments_of(called).values() if type(argument) is type(outcome))
    before = resolver.requests.body_after(resolver.rules, next(same, None)) or {}
    return {field: lasts for field, lasts in after.items() if field not in before or before[field].value != lasts.value}


def rolled_by(resolver: Resolver, play: Play[Any], rollers: Iterator[str], what: str) -> Play[Any]:
    """A procedure with every roll given to its roller: the first roll to the first of them, and so on.

    Rolls of a rule that names other people, or makes more rolls than there are rollers, stay with whom the rule names.
    """
    hidden = resolver.state.manner == "gamemaster rolls"
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            return ended.value
        answers = []
        for part in request.requests if isinstance(request, Together) else (request,):
            answers.append((yield from _answered(resolver, part, rollers, what, hidden)))
        answer = tuple(answers) if isinstance(request, Together) else answers[0]


def _answered(resolver: Resolver, part: Request[Any], rollers: Iterator[str], what: str, hidden: bool) -> Play[Any]:
    if isinstance(part, Sub):
        return (yield from rolled_by(resolver, part.start(), rollers, what))
    if isinstance(part, Tell) and resolver.state.manner != "open":
        return (yield from Tell(msgspec.structs.replace(part.event, known_to=())))
    if not isinstance(part, Roll):
        return (yield from part)
    by = next(rollers, part.by or (resolver.state.attempts[0].name))
    known = (by, part.reading)
    if resolver.state.one_roll and resolver.state.attempts[0].against and known in resolver.rolled:
        return resolver.rolled[known]
    blind = resolver.state.manner == "blind"
    roll = msgspec.structs.replace(part, by=by, what=what, secret=hidden, unseen=hidden, blind=blind)
    result = yield from roll
    resolver.rolled[known] = result
    return result
