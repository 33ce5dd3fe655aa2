"""The scene of downtime. A step goes to the next moment at which something is due, and plays what is due there in a fixed order."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, SceneView, Tag
from rulewright.campaign.activities.changed_requests import in_secret
from rulewright.campaign.activities.general import Tests, general_activities
from rulewright.campaign.activities.schedule import Schedule, apply, hours_of, pay, schedule
from rulewright.campaign.calendar import write_span
from rulewright.campaign.downtime import (
    MEANS,
    MOST_DUES,
    RUNS,
    Assignment,
    Downtime,
    OngoingEffect,
    Participant,
    runs_in_words,
    written_runs,
)
from rulewright.campaign.downtime_rules import BODILESS, RUNS_ON, Activity, After, Case, Change, Companion, DowntimeRules, EffectKind
from rulewright.campaign.milestones import holds, words_of
from rulewright.campaign.stops import ASKED, DATE, asks, why_stopped
from rulewright.grammar import join
from rulewright.play import Event, Play, Tell, sub
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts
from rulewright.scenes.scene import Result, Scene

DOWNTIME = "downtime"
"""The kind of this scene, in records and logs."""


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

    def __init__(self, rules: Ruleset, game: DowntimeRules[Any] | None, tests: Tests | None = None) -> None:
        super().__init__(rules)
        self.game: DowntimeRules[Any] = game or BODILESS
        self.activities = {activity.name: activity for activity in (*self.game.activities, *general_activities(self.game, tests))}
        """What people can do with their time, by name."""
        self._scheduled: tuple[Any, Schedule] = (None, {})
        state_type: Any = Downtime
        self.state_type = state_type[self.game.life]

    # --- a step

    def step(self, state: Downtime[Any]) -> Play[Downtime[Any]]:
        state = self.settled(state)
        at = self.next_moment(state)
        state = self._elapsed(state, at)
        due = [
            (index, number, kind)
            for index, person in enumerate(state.people)
            for number, effect, kind in self._ordered(person)
            if person.since == at and self.remaining(state, person, effect) == 0
        ]
        dates = [date for date in state.dates if date.at == at]
        if due or dates:
            dues = [(state.people[index].runs[number], kind) for index, number, kind in due]
            open_to_all = dates or any(effect.known is None or kind.shows(effect) for effect, kind in dues)
            yield from Tell(Moment(at, state.start, known_to=None if open_to_all else ()))
        for date in dates:
            yield from Tell(DateReached(date.what))
        before, who_is_asked = state, self._asked(state, due) if ASKED in state.stops else ""
        for index, number, kind in due:
            state = yield from self._come_due(state, index, before.people[index].runs[number], kind)
        state = replace(self.settled(state), dues=state.dues + len(due))
        on_a_date = join([date.what for date in dates]) if DATE in state.stops and at < state.until else ""
        why = state.stopped or self._stop(before, state) or on_a_date or who_is_asked
        if why:
            yield from Tell(Stopped(why))
        return replace(state, stopped=why)

    def _come_due(self, state: Downtime[Any], index: int, effect: OngoingEffect, kind: EffectKind[Any]) -> Play[Downtime[Any]]:
        person = state.people[index]
        if effect not in person.runs or self._about(state, person, kind, effect) is None or self.waits(state, person, effect):
            return state  # what was due before has ended it
        case = self.case(state, person, kind, effect)
        price = kind.price(self.rules, case) if isinstance(kind, Activity) else ()
        yield from pay(person.name, kind.words(self.rules, case, effect), price)
        after = yield from sub(play_due, kind, self.rules, case, effect)
        applied = apply(state, index, effect, after, price)
        noticed = effect.known is None or kind.shows(effect)
        return replace(applied, stopped=after.stops) if isinstance(after, Change) and after.stops and noticed else applied

    def kind_of(self, name: str) -> EffectKind[Any] | None:
        """A kind of effect or activity by name; None for one of another version or game."""
        return self.game.kind(name) or self.activities.get(name)

    def _ordered(self, person: Participant[Any]) -> list[tuple[int, OngoingEffect, EffectKind[Any]]]:
        """A person's effects that this game knows, each with its place. They are in the game's order (`settled`)."""
        return [(number, effect, kind) for number, effect in enumerate(person.runs) if (kind := self.kind_of(effect.of)) is not None]

    # --- who does what

    def schedule(self, state: Downtime[Any]) -> Schedule:
        """Every assignment of every person, with why it waits."""
        known, plan = self._scheduled
        if known is not state:
            plan = schedule(state, self.activities, lambda person, line, activity: self.obstacle(state, person, line, activity))
            self._scheduled = (state, plan)
        return plan

    def obstacle(self, state: Downtime[Any], person: Participant[Any], line: Assignment, activity: Activity[Any]) -> str:
        """Why an assignment cannot be done now, apart from the hours it takes; empty if it can."""
        if not self.game.can_act(person.life):
            return f"{person.name} cannot act"
        case = self.case(state, person, activity, OngoingEffect(line.do, line.aim))
        why = self._partners_miss(case, activity)
        if why:
            return why
        why = activity.obstacle(self.rules, case)
        short = [] if why else [(mean, cost) for mean, cost in activity.price(self.rules, case) if person.amount(mean) < cost]
        return why or (f"{short[0][1]} {short[0][0]} are needed, {person.amount(short[0][0])} are left" if short else "")

    def _partners_miss(self, case: Case[Any], activity: Activity[Any]) -> str:
        """Why the people whom an activity needs cannot take part; empty if they can. A partner must act, companions only be there."""
        figure = activity.needs_partner
        if figure is None:
            return ""
        there = {partner.name: partner for partner in case.partners(figure)}
        alone = () if figure.takes == "people" else ("a partner",)
        for name in figure.names(case.argument(figure)) or alone:
            if name not in there:
                return f"{name} is not there"
            if figure.takes != "people" and not self.game.can_act(there[name].life):
                return f"{name} cannot act"
        return ""

    def waits(self, state: Downtime[Any], person: Participant[Any], effect: OngoingEffect) -> bool:
        """Whether an effect is an assignment that is not being done now."""
        if effect.of not in self.activities:
            return False
        return all(line.key != (effect.of, effect.about) or why for line, why in self.schedule(state).get(person.name, ()))

    def exertion(self, state: Downtime[Any], person: Participant[Any]) -> str:
        """What a person does, as far as it matters to the body: that of the first activity with an exertion, or the plan's."""
        doing = [self.activities[line.do] for line, why in self.schedule(state)[person.name] if not why] if person.doing else []
        return next((activity.exertion for activity in doing if activity.exertion), person.exertion)

    def _stop(self, before: Downtime[Any], state: Downtime[Any]) -> str:
        """Why time stops now: the goal is reached, or somebody has come to a milestone that stops it."""
        for old, new in zip(before.people, state.people, strict=True):
            if len(new.learnt) > len(old.learnt):
                return f"{new.name} {new.learnt[-1].words or 'has learnt something'}"
        if state.goal is not None and self.reached(state) and not self.reached(before):
            return words_of(self.game, state.goal)
        return why_stopped(self.game, before, state)

    def _asked(self, state: Downtime[Any], due: list[tuple[int, int, EffectKind[Any]]]) -> str:
        """Who has to roll or decide at this moment, as far as everybody may know; empty for nobody."""
        for index, number, kind in due:
            person = state.people[index]
            effect = person.runs[number]
            if (effect.known is not None and not kind.shows(effect)) or self.waits(state, person, effect):
                continue
            if asks(kind.come_due(self.rules, self.case(state, person, kind, effect), effect)):
                return f"{person.name} had to roll or decide"
        return ""

    def _elapsed(self, state: Downtime[Any], at: int) -> Downtime[Any]:
        """The state at a later moment before anything comes due. What waits, and who has lived further, stays."""
        people = []
        for person in state.people:
            passed = at - max(state.now, person.since)
            runs = person.runs
            if passed > 0:
                runs = tuple(run if self.waits(state, person, run) else replace(run, spent=run.spent + passed) for run in runs)
            people.append(replace(person, since=max(at, person.since), runs=runs))
        return replace(state, now=at, people=tuple(people))

    # --- what is due when

    def case(self, state: Downtime[Any], person: Participant[Any], kind: EffectKind[Any], effect: OngoingEffect | None = None) -> Case[Any]:
        """A person's circumstances, as far as a kind of effect depends on them."""
        figures, activity = state.location_of(person).figures, isinstance(kind, Activity)
        exertion = person.exertion if activity else self.exertion(state, person)
        case = Case(person.name, person.life, exertion, figures)
        if kind.company:
            company = [other for other in state.people if other.name != person.name and other.location == person.location]
            exertions = [other.exertion if activity else self.exertion(state, other) for other in company]
            known = tuple(Companion(other.name, other.life, does) for other, does in zip(company, exertions, strict=True))
            case = replace(case, company=known)
        if kind.possessions:
            others = tuple(run for run in person.runs if effect is None or (run.of, run.about) != (effect.of, effect.about))
            doing = () if activity else tuple(line.key for line, why in self.schedule(state)[person.name] if not why)
            means = tuple(sorted({**dict(person.owned), **dict(person.means)}.items()))
            case = replace(case, means=means, runs=others, doing=doing)
        if isinstance(kind, Activity) and effect is not None:
            line = next((line for line in person.doing if line.key == (effect.of, effect.about)), Assignment(effect.of, effect.about))
            case = replace(case, given=line.given, hours=hours_of(line, kind), tests=person.tests)
        return case

    def settled(self, state: Downtime[Any]) -> Downtime[Any]:
        """The state with exactly those effects that the bodies and circumstances call for; running ones go on."""
        people = tuple(self._settle(state, person) for person in state.people)
        return state if people == state.people else replace(state, people=people)

    def _settle(self, state: Downtime[Any], person: Participant[Any]) -> Participant[Any]:
        known = {(effect.of, effect.about): effect for effect in person.runs}
        runs = [effect for effect in person.runs if self.kind_of(effect.of) is None]
        for kind in self.game.effects:
            case = self.case(state, person, kind)
            runs += [known.get((kind.name, about)) or OngoingEffect(kind.name, about) for about in self._concerns(case, kind, person)]
        planned = {line.key: known.get(line.key) or OngoingEffect(*line.key) for line in person.doing if line.do in self.activities}
        stopped = {key: run for key, run in known.items() if run.of in self.activities and run.underived}
        runs += {**planned, **stopped}.values()
        return replace(person, runs=tuple(runs)) if tuple(runs) != person.runs else person

    def _concerns(self, case: Case[Any], kind: EffectKind[Any], person: Participant[Any]) -> tuple[str, ...]:
        concerns = kind.concerns(self.rules, case)
        return concerns if concerns != RUNS_ON else tuple(effect.about for effect in person.runs if effect.of == kind.name)

    def _about(self, state: Downtime[Any], person: Participant[Any], kind: EffectKind[Any], effect: OngoingEffect) -> str | None:
        """Returns what an effect still concerns; None if it no longer runs."""
        if isinstance(kind, Activity):
            return effect.about
        return effect.about if effect.about in self._concerns(self.case(state, person, kind), kind, person) else None

    def remaining(self, state: Downtime[Any], person: Participant[Any], effect: OngoingEffect) -> int | None:
        """The seconds until an effect is due; None if it is never due as things are."""
        kind = self.kind_of(effect.of)
        if kind is None or self.waits(state, person, effect):
            return None
        seconds = kind.seconds(self.rules, self.case(state, person, kind, effect), effect)
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
        return state.goal is not None and holds(self.game, state.goal, state.people)

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
        kind, left = self.kind_of(effect.of), self.remaining(state, person, effect)
        if kind is None or left is None:
            return None
        words = kind.words(self.rules, self.case(state, person, kind, effect), effect)
        return Tag(f"in {write_span(left)}" if left else "now", name=words, rule=kind.rules[0] if kind.rules else None)

    def sides(self, state: Downtime[Any]) -> Mapping[str, tuple[str, ...]]:
        return {"people": tuple(person.name for person in state.people)}

    def out(self, state: Downtime[Any]) -> frozenset[str]:
        return frozenset()

    def round(self, state: Downtime[Any]) -> int:
        return 0

    def lasting(self, state: Downtime[Any], who: str) -> Mapping[str, Lasts]:
        person = state.participant(who)
        kept = {**self.game.lasting(person.life), RUNS: Lasts(written_runs(person.runs), runs_in_words(person.runs))}
        if person.means:
            kept[MEANS] = Lasts(dict(person.means), ", ".join(f"{amount} {name}" for name, amount in person.means))
        return kept

    def checked(self, state: Downtime[Any]) -> Downtime[Any]:
        return state.checked()


def play_due(kind: EffectKind[Any], rules: Ruleset, case: Case[Any], effect: OngoingEffect) -> Play[After[Any]]:
    """Plays an effect that is due. What not everybody knows of is rolled and told in secret."""
    play = kind.come_due(rules, case, effect)
    return (yield from (play if effect.known is None or kind.shows(effect) else in_secret(play, effect.known)))
