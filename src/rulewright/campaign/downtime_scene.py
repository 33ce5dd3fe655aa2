"""The scene of downtime. A step goes to the next moment at which something is due, and plays what is due there in a fixed order."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, SceneView, Tag
from rulewright.campaign.calendar import write_span
from rulewright.campaign.downtime import MOST_DUES, RUNS, Downtime, OngoingEffect, Participant, runs_in_words, written_runs
from rulewright.campaign.downtime_rules import BODILESS, RUNS_ON, Case, Companion, DowntimeRules, EffectKind
from rulewright.grammar import join
from rulewright.play import Event, Play, Request, Roll, Sub, Tell, Together, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.scenes.scene import Result, Scene

DOWNTIME = "downtime"
"""The kind of this scene, in records and logs."""
DATE = "date"
"""In `Downtime.stops`: time stops when a date comes that everybody knows."""


class Moment(Event, frozen=True):
    """A moment at which something is due. Tables write its date."""

    at: int
    start: int

    def headline(self) -> str:
        return f"After {write_span(self.at - self.start)}"


class DateReached(Event, frozen=True):
    """A date that everybody knows."""

    what: str

    def headline(self) -> str:
        return self.what


class Stopped(Event, frozen=True):
    """Time stops before its end."""

    why: str

    def headline(self) -> str:
        return f"Time stops: {self.why}"


class DowntimeScene(Scene[Downtime[Any]]):
    """Downtime under one ruleset, with what the game gives to it."""

    kind = DOWNTIME

    def __init__(self, rules: Ruleset, game: DowntimeRules[Any] | None) -> None:
        super().__init__(rules)
        self.game: DowntimeRules[Any] = game or BODILESS
        state_type: Any = Downtime
        self.state_type = state_type[self.game.life]

    # --- a step

    def step(self, state: Downtime[Any]) -> Play[Downtime[Any]]:
        state = self.settled(state)
        at = self.next_moment(state)
        state = _elapsed(state, at)
        due = [
            (index, number, kind)
            for index, person in enumerate(state.people)
            for number, effect, kind in self._ordered(person)
            if person.since == at and self.remaining(state, person, effect) == 0
        ]
        dates = [date for date in state.dates if date.at == at]
        if due or dates:
            open_to_all = dates or any(state.people[index].runs[number].known is None for index, number, _ in due)
            yield from Tell(Moment(at, state.start, known_to=None if open_to_all else ()))
        for date in dates:
            yield from Tell(DateReached(date.what))
        before = state
        for index, number, kind in due:
            state = yield from self._come_due(state, index, before.people[index].runs[number], kind)
        state = replace(self.settled(state), dues=state.dues + len(due))
        on_a_date = join([date.what for date in dates]) if DATE in state.stops and at < state.until else ""
        why = self._stop(before, state) or on_a_date
        if why:
            yield from Tell(Stopped(why))
        return replace(state, stopped=why)

    def _come_due(self, state: Downtime[Any], index: int, effect: OngoingEffect, kind: EffectKind[Any]) -> Play[Downtime[Any]]:
        person = state.people[index]
        if effect not in person.runs or self._about(state, person, kind, effect) is None:
            return state  # what was due before has ended it
        life, later = yield from sub(play_due, kind, self.rules, self.case(state, person, kind), effect)
        runs = tuple(other for other in (later if other == effect else other for other in person.runs) if other is not None)
        person = replace(person, life=life, runs=runs)
        return replace(state, people=(*state.people[:index], person, *state.people[index + 1 :]))

    def _ordered(self, person: Participant[Any]) -> list[tuple[int, OngoingEffect, EffectKind[Any]]]:
        """A person's effects that this game knows, each with its place. They are in the game's order (`settled`)."""
        return [(number, effect, kind) for number, effect in enumerate(person.runs) if (kind := self.game.kind(effect.of)) is not None]

    def _stop(self, before: Downtime[Any], state: Downtime[Any]) -> str:
        """Why time stops now: the goal is reached, or somebody has come to a milestone that stops it."""
        if state.goal is not None and self.reached(state) and not self.reached(before):
            milestone = self.game.milestone(state.goal.milestone)
            return f"{state.goal.who or 'everybody'} {milestone.words if milestone is not None else state.goal.milestone}"
        for name in state.stops:
            milestone = self.game.milestone(name)
            if milestone is None:
                continue
            for old, new in zip(before.people, state.people, strict=True):
                if milestone.holds(new.life) and not milestone.holds(old.life):
                    return f"{new.name} {milestone.words}"
        return ""

    # --- what is due when

    def case(self, state: Downtime[Any], person: Participant[Any], kind: EffectKind[Any]) -> Case[Any]:
        """A person's circumstances, as far as a kind of effect depends on them."""
        figures = state.location_of(person).figures
        if not kind.company:
            return Case(person.name, person.life, person.exertion, figures)
        company = [other for other in state.people if other.name != person.name and other.location == person.location]
        known = tuple(Companion(other.name, other.life, other.exertion) for other in company)
        return Case(person.name, person.life, person.exertion, figures, known)

    def settled(self, state: Downtime[Any]) -> Downtime[Any]:
        """The state with exactly those effects that the bodies and circumstances call for; running ones go on."""
        people = tuple(self._settle(state, person) for person in state.people)
        return state if people == state.people else replace(state, people=people)

    def _settle(self, state: Downtime[Any], person: Participant[Any]) -> Participant[Any]:
        known = {(effect.of, effect.about): effect for effect in person.runs}
        runs = [effect for effect in person.runs if self.game.kind(effect.of) is None]
        for kind in self.game.effects:
            case = self.case(state, person, kind)
            runs += [known.get((kind.name, about)) or OngoingEffect(kind.name, about) for about in self._concerns(case, kind, person)]
        return replace(person, runs=tuple(runs)) if tuple(runs) != person.runs else person

    def _concerns(self, case: Case[Any], kind: EffectKind[Any], person: Participant[Any]) -> tuple[str, ...]:
        concerns = kind.concerns(self.rules, case)
        return concerns if concerns != RUNS_ON else tuple(effect.about for effect in person.runs if effect.of == kind.name)

    def _about(self, state: Downtime[Any], person: Participant[Any], kind: EffectKind[Any], effect: OngoingEffect) -> str | None:
        """Returns what an effect still concerns; None if it no longer runs."""
        return effect.about if effect.about in self._concerns(self.case(state, person, kind), kind, person) else None

    def remaining(self, state: Downtime[Any], person: Participant[Any], effect: OngoingEffect) -> int | None:
        """The seconds until an effect is due; None if it is never due as things are."""
        kind = self.game.kind(effect.of)
        if kind is None:
            return None
        seconds = kind.seconds(self.rules, self.case(state, person, kind), effect)
        return None if seconds is None else max(0, seconds - effect.spent)

    def next_moment(self, state: Downtime[Any]) -> int:
        """The next moment at which something is due, a date comes, somebody joins, or the time is over."""
        moments = [state.until, *[date.at for date in state.dates if state.now < date.at <= state.until]]
        for person in state.people:
            if person.since > state.now:
                moments.append(person.since)
                continue
            left = [self.remaining(state, person, effect) for effect in person.runs]
            moments += [state.now + seconds for seconds in left if seconds is not None]
        return max(state.now, min(moments))

    def reached(self, state: Downtime[Any]) -> bool:
        """Whether the goal holds."""
        if state.goal is None or (milestone := self.game.milestone(state.goal.milestone)) is None:
            return False
        return all(milestone.holds(person.life) for person in state.people if state.goal.who in ("", person.name))

    # --- the rest of a scene

    def result(self, state: Downtime[Any]) -> Result | None:
        if state.stopped:
            return Result(None, state.stopped)
        if state.dues >= MOST_DUES:
            return Result(None, f"{state.dues} things have come due; let more time pass to go on")
        return Result(None, f"{write_span(state.now - state.start)} later") if state.now >= state.until else None

    def took(self, state: Downtime[Any]) -> int:
        return max(0, state.now - state.start)

    def view(self, state: Downtime[Any], who: str | None) -> SceneView:
        state = self.settled(state)
        cards = []
        for person in state.people:
            running = [effect for effect in person.runs if effect.known is None or who is None or who in effect.known]
            tags = [tag for effect in running if (tag := self._tag(state, person, effect)) is not None]
            cards.append(Card(person.name, "people", (*self.game.pieces(self.rules, person.life), *tags)))
        return SceneView("Downtime", f"{write_span(max(0, state.now - state.start))} have passed", tuple(cards))

    def _tag(self, state: Downtime[Any], person: Participant[Any], effect: OngoingEffect) -> Tag | None:
        kind, left = self.game.kind(effect.of), self.remaining(state, person, effect)
        if kind is None or left is None:
            return None
        words = kind.words(self.rules, self.case(state, person, kind), effect)
        return Tag(f"in {write_span(left)}" if left else "now", name=words, rule=kind.rules[0] if kind.rules else None)

    def sides(self, state: Downtime[Any]) -> Mapping[str, tuple[str, ...]]:
        return {"people": tuple(person.name for person in state.people)}

    def out(self, state: Downtime[Any]) -> frozenset[str]:
        return frozenset()

    def round(self, state: Downtime[Any]) -> int:
        return 0

    def lasting(self, state: Downtime[Any], who: str) -> Mapping[str, Lasts]:
        person = state.participant(who)
        return {**self.game.lasting(person.life), RUNS: Lasts(written_runs(person.runs), runs_in_words(person.runs))}

    def checked(self, state: Downtime[Any]) -> Downtime[Any]:
        return state.checked()


def _elapsed(state: Downtime[Any], at: int) -> Downtime[Any]:
    """The state at a later moment before anything comes due. People who have lived further already stay as they are."""
    people = tuple(
        replace(
            person,
            since=max(at, person.since),
            runs=tuple(replace(effect, spent=effect.spent + at - max(state.now, person.since)) for effect in person.runs)
            if at > max(state.now, person.since)
            else person.runs,
        )
        for person in state.people
    )
    return replace(state, now=at, people=people)


def play_due(kind: EffectKind[Any], rules: Ruleset, case: Case[Any], effect: OngoingEffect) -> Play[tuple[Any, OngoingEffect | None]]:
    """Plays an effect that is due. What not everybody knows of is rolled and told in secret."""
    play = kind.come_due(rules, case, effect)
    return (yield from (play if effect.known is None else _in_secret(play, effect.known)))


def _in_secret(play: Play[Any], known: tuple[str, ...]) -> Play[Any]:
    answer: Any = None
    while True:
        try:
            request = play.send(answer)
        except StopIteration as ended:
            return ended.value
        answer = yield from _hidden_request(request, known)


def _hidden_request(request: Request[Any], known: tuple[str, ...]) -> Play[Any]:
    if isinstance(request, Tell):
        return (yield from Tell(replace(request.event, known_to=known)))
    if isinstance(request, Sub):
        return (yield from _in_secret(request.start(), known))
    if isinstance(request, Roll):
        return (yield from _hidden_roll(request, known))
    if isinstance(request, Together):
        return (yield from Together(tuple(_hidden_roll(part, known) for part in request.requests)))
    return (yield from request)


def _hidden_roll(request: Request[Any], known: tuple[str, ...]) -> Request[Any]:
    return replace(request, secret=True, unseen=not known) if isinstance(request, Roll) else request
