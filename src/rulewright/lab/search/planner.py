"""The search of AI players: playouts from every sensible answer, and the best one is chosen.

It uses only what every scene offers: steps, options, views and tactics. It works for every game.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import exp, sqrt
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.lab.sampling.batches import seed_of
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.determinization import Worlds, numbers
from rulewright.lab.search.levels import Level
from rulewright.lab.search.opponent_model import Habits, said, sees
from rulewright.lab.search.playouts import Playing, Policy, carried, chance
from rulewright.lab.search.question import Question, answers_of
from rulewright.lab.search.reasons import reasons
from rulewright.lab.search.sequential_halving import FEWEST, OutOfTime, Tried, beyond_error, halve, holds, is_likely, stays_ahead
from rulewright.play import Choice, Given, Range, Tactic
from rulewright.play.intervals import wilson
from rulewright.scenes.question_snapshot import Moment, Past
from rulewright.scenes.scene import Scene

ACT = "act"
"""The topic of main actions, of which every option is tried; of other questions only those on which the tactics disagree."""
EACH = 6
"""The fewest playouts for each option that is tried."""
FOR_THE_WAY = 0.4
"""The share of the time for choosing the playout tactic, once a round."""
SCREENING = 0.5
"""The share of the time for comparing all options by short playouts; the rest confirms the best one."""
MEASURED, LEAST = 2, 4
"""Playouts that measure how long one takes; and the fewest that each option should get in the time."""
TO_THE_END, MOST_TO_THE_END, LEAST_TO_THE_END = 0.7, 200, 16
"""For hints: the time for playouts to the end of two options as a share of the time, their most, and the fewest to show their chances."""
EXPLAINED = 12
"""Playouts of two options that are compared for the reason of a hint."""
BEYOND = 1.96
"""Standard errors of a 95 percent interval."""
LOOKING_BACK = 0.2
"""The largest share of the time for observing past decisions of others."""
FOREMOST = 8
"""How many answers are shown with their values."""
NOTHING_TO_CHOOSE = "there is only one thing to do"
NO_TIME = "there was no time to think"
SMALL = "a small question, answered by the tactic"


class Valued(Struct, frozen=True):
    """The value of an answer: the win chance (a draw counts half) with its interval, and the number of playouts."""

    key: Given
    label: str
    worth: float
    interval: tuple[float, float]
    playouts: int


class Thought(Struct, frozen=True):
    """The result of a search: the answer, and the value of each candidate, the best first."""

    who: str
    question: str
    answer: Given
    label: str
    usual: Given
    """The default answer, without a search."""
    options: tuple[Valued, ...] = ()
    playouts: int = 0
    way: str = ""
    """The tactic of the side in playouts; empty for the default one."""
    seem: dict[str, str] = {}
    """Characters of other sides who probably follow another tactic, with this tactic."""
    note: str = ""
    """Why there were no playouts; empty if there were."""
    why: str = ""
    """Why the answer is better than the next one, as a clause; only for hints, and empty if no reason stands out."""

    @property
    def left_the_usual(self) -> bool:
        """Whether the search changed the answer."""
        return self.answer != self.usual

    @property
    def sentence(self) -> str:
        """What is wise and why, with the chances of the answer and of the default one (or of the next best, if it is the default)."""
        by_key = {option.key: option for option in self.options}
        best, other = by_key.get(self.answer), self.compared
        if best is None:
            return ""
        instead = ""
        if other is not None:
            instead = f" instead of {other.worth:.0%} for {other.label[:1].lower()}{other.label[1:]}"
        because = f", because {self.why}" if self.why and other is not None and best.worth > other.worth else ""
        return f"{best.label}: {best.worth:.0%}{instead}{because}"

    @property
    def compared(self) -> Valued | None:
        """The option that a hint compares with the answer: the default one, or the next best."""
        others = [option for option in self.options if option.key != self.answer]
        return next((option for option in others if option.key == self.usual), others[0] if others else None)

    @property
    def about_others(self) -> tuple[str, ...]:
        """The tactics that other players seem to play by, in words."""
        return tuple([f"{who} seems to play by the tactic {tactic}" for who, tactic in self.seem.items()])

    @property
    def foremost(self) -> tuple[Valued, ...]:
        """The options to show: the best ones, the answer, and the default answer."""
        return tuple([valued for at, valued in enumerate(self.options) if at < FOREMOST or valued.key in (self.answer, self.usual)])

    def public(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
        result: dict[str, Any] = to_builtins(self)
        return result | {"sentence": self.sentence}


class Mind(Struct, eq=False):
    """Searches for answers. It remembers the best playout tactic from question to question."""

    scene: Scene[Any]
    tactics: Mapping[str, Tactic]
    decide: Tactic
    level: Level
    seed: int = 0
    rounds: int | None = None
    _state: Any = None
    _watch: Watch = field(default_factory=Watch)
    _ways: dict[tuple[str, str], Playing] = {}
    _best: dict[str, tuple[int, str]] = {}
    """The round in which each side last chose its playout tactic, and this tactic."""
    _habits: dict[str, Habits] = {}
    """What each side has observed of the others."""
    saved: float = 0.0
    """Seconds that earlier decisions left of their average."""

    def begin(self, seed: int) -> None:
        """Start another fight in the same scene. Cached odds stay; they change no answer."""
        self.seed, self.saved = seed, 0.0
        self._best.clear()
        for habits in self._habits.values():
            habits.forget()

    def notice(self, number: int, moment: Moment, given: Given, side: str) -> None:
        """Let a side learn from an answer of another side, as far as it can know it. Later decisions have higher numbers.

        Call it after all simultaneous questions are answered.
        """
        choice, sides, habits = moment.requests[moment.at], self.scene.sides(moment.state), self.habits(side)
        of = next((of for of, names in sides.items() if choice.who in names), None)
        habits.known.add(number)
        if not self.tactics or not isinstance(choice, Choice) or choice.secret or of is None or of == side or len(answers_of(choice)) < 2:
            return
        if not sees(self.scene, moment.state, side, choice.who):
            return
        self._state = moment.state
        habits.seen += 1
        self._watch.until = None
        redo = self.way(side, "")
        redo.begin(seed_of(self.seed, f"noticed {side} {habits.seen}"))
        with suppress(UserError):
            worlds = Worlds(moment, side, redo, lambda world: numbers(self.seed, "noticed", side, habits.seen, world).random)
            habits.notice(number, worlds.asked(worlds.world(0)), of, given, self.decide)

    def _look_back(self, past: Past, side: str, until: float | None) -> None:
        """Learn from past decisions that were not observed yet, the latest first, until the deadline."""
        for about in past.decisions(self.habits(side).known):
            if until is not None and self._watch.now > until:
                return
            self.notice(*about, side)

    def habits(self, side: str) -> Habits:
        """Returns the habits that a side has observed in the others."""
        result = self._habits.get(side)
        if result is None:
            result = self._habits[side] = Habits(self.tactics)
        return result

    def think(
        self, moment: Moment, *, all_known: bool = False, level: Level | None = None, every: bool = False, past: Past | None = None
    ) -> Thought:
        """Search for the best answer with what the side knows; with `all_known`, with the true state.

        The model of the others also learns from the `past`. For hints, `every` tries every option, and small questions too. If no world is
        consistent with what the side knows, the result is the default answer with a note.
        """
        choice = moment.requests[moment.at]
        if not isinstance(choice, Choice):
            raise UserError("a search needs a decision, not a roll")
        level = level or self.level
        usual = self.decide(choice)
        side = next((side for side, names in self.scene.sides(moment.state).items() if choice.who in names), None)
        plain = Thought(choice.who, choice.ask_for, usual, choice.label(usual), usual)
        if len(answers_of(choice)) < 2:
            return replace(plain, note=NOTHING_TO_CHOOSE)
        if side is None:
            return replace(plain, note=f"{choice.who} is on no side")
        agreed = all(said(tactic, choice, self.decide) == usual for tactic in self.tactics.values())
        if agreed and not every and not self._deed(choice, moment):
            return replace(plain, note=SMALL)
        allowed = level.allowed(self.saved if level is self.level else 0.0)
        self._watch.begin(self.scene.weights.steps_a_second if level.by_steps else None)
        if past is not None:
            self._look_back(past, side, None if allowed is None else LOOKING_BACK * allowed)
        self._watch.until = allowed
        try:
            self._state = moment.state
            question = Question(self.way(side, ""), self.seed, moment, side, level, all_known=all_known, every=every)
            return self._thought(question, plain)
        except OutOfTime:
            return replace(plain, note=NO_TIME)
        except UserError as error:
            return replace(plain, note=str(error))
        finally:
            if level is self.level and level.seconds is not None:
                self.saved = max(0.0, self.saved + level.seconds - self._watch.now)

    def way(self, side: str, name: str) -> Playing:
        """Playouts in which a side follows a tactic; the default one for an empty name."""
        playing = self._ways.get((side, name))
        if playing is None:
            tactic = self.tactics[name] if name else None
            policy = Policy(self.decide, name, side, self.scene.sides(self._state), tactic, self.habits(side) if self.tactics else None)
            playing = self._ways[side, name] = Playing(self.scene, policy, self.rounds, self._watch)
        return playing

    def _deed(self, choice: Choice[Any], moment: Moment) -> bool:
        """Whether the question is a main action or its target, so that every option is tried."""
        people = {name for names in self.scene.sides(moment.state).values() for name in names}
        return choice.topic == ACT or (not isinstance(choice.options, Range) and people.issuperset(choice.keys()))

    def _thought(self, question: Question, plain: Thought) -> Thought:
        question.worlds.world(0)
        for playing in self._ways.values():
            playing.forget()
        cut = question.level.cut and self.scene.value(question.moment.state, question.side) is not None
        return self._screened(question, plain) if cut else self._played_out(question, plain)

    def _played_out(self, question: Question, plain: Thought) -> Thought:
        """Search by playouts to the end, in scenes without a value."""
        choice, level = question.choice, question.level
        name = self._way_on(question)
        playing = self.way(question.side, name)
        playing.begin(question.seed)
        self._watch.until = question.until
        reference = said(playing.policy, choice, self.decide)
        candidates = self._candidates(question, reference, None if question.every else level.playouts // EACH)

        def value(at: int, number: int) -> float:
            return question.played(playing, candidates[at], number)

        tried, left = halve(len(candidates), level.playouts, value, question.every, question.used)
        if level.temperature:
            chosen = _tempted(tried, level.temperature, numbers(question.seed, "temper").random)
        else:
            chosen = _best(tried, left, level.playouts, value)
        options = [_valued(choice, key, result) for key, result in zip(candidates, tried, strict=True) if result.values]
        playouts = sum(len(candidate.values) for candidate in tried)
        return self._told(question, plain, candidates[chosen], options, playouts, name)

    def _screened(self, question: Question, plain: Thought) -> Thought:
        """Search by playouts that are cut short: compare all options over a short time, then confirm the best over a longer one."""
        choice, level, weights = question.choice, question.level, self.scene.weights
        playing = self.way(question.side, "")
        playing.begin(question.seed)
        share = 1.0 if level.temperature else SCREENING
        self._watch.until = question.until_for(share)
        usual = self.decide(choice)
        cost, before = 0.0, self._watch.now
        with suppress(OutOfTime):
            for number in range(MEASURED):
                question.played(playing, usual, number, weights.near)
                cost = (self._watch.now - before) / (number + 1)
        few = None if question.until is None or not cost else int(share * question.until / (cost * LEAST))
        candidates = self._candidates(question, usual, few)

        def value(at: int, number: int) -> float:
            return question.played(playing, candidates[at], number, weights.near)

        def longer(at: int, number: int) -> float:
            return question.played(playing, candidates[chosen if at else 0], number, weights.far)

        tried, left = halve(len(candidates), level.playouts, value, question.every, lambda: question.used(share), often=True)
        options = {at: _estimated(choice, key, tried[at]) for at, key in enumerate(candidates) if tried[at].values}
        playouts = sum(len(candidate.values) for candidate in tried)
        self._watch.until = question.until
        if level.temperature:
            chosen = _tempted(tried, level.temperature, numbers(question.seed, "temper").random)
        else:
            chosen = max(left, key=lambda at: (tried[at].mean, -at))
            if chosen and is_likely(tried[chosen], tried[0]):
                ahead, first, best = stays_ahead(level.playouts, longer, len(tried[0].values))
                playouts += len(first.values) + len(best.values)
                if ahead is not None:
                    options |= {at: _estimated(choice, candidates[at], of) for at, of in ((0, first), (chosen, best))}
                chosen = chosen if (beyond_error(tried[chosen], tried[0]) if ahead is None else ahead) else 0
            else:
                chosen = 0
        thought = self._told(question, plain, candidates[chosen], list(options.values()), playouts)
        return self._explained(question, playing, thought) if question.every else thought

    def _explained(self, question: Question, playing: Playing, thought: Thought) -> Thought:
        """For a hint: the chances of the answer and of the option beside it by playouts to the end, and the reason.

        If the default answer turns out to be clearly better in the end, it is the answer.
        """
        other = thought.compared
        if other is None:
            return thought
        pair = {thought.answer: Tried([]), other.key: Tried([])}
        self._watch.until = None if question.until is None else self._watch.now + TO_THE_END * question.until
        with suppress(OutOfTime):
            for number in range(MOST_TO_THE_END):
                values = [question.played(playing, key, number) for key in pair]
                for tried, value in zip(pair.values(), values, strict=True):
                    tried.values.append(value)
        if len(pair[other.key].values) >= LEAST_TO_THE_END:
            counted = [_valued(question.choice, key, tried) for key, tried in pair.items()]
            kept = [option for option in thought.options if option.key not in pair]
            options = sorted([*counted, *kept], key=lambda option: -option.worth)
            better = other.key == thought.usual and beyond_error(pair[other.key], pair[thought.answer])
            answer = other.key if better else thought.answer
            played = thought.playouts + sum(len(tried.values) for tried in pair.values())
            label = question.choice.label(answer)
            thought = replace(thought, answer=answer, label=label, options=tuple(options), playouts=played)
        return replace(thought, why=self._why(question, playing, thought))

    def _why(self, question: Question, playing: Playing, thought: Thought) -> str:
        """The figure of the position that most tells for the answer."""
        other, weights = thought.compared, self.scene.weights
        if other is None:
            return ""
        self._watch.until = None
        means = [question.features(playing, key, range(EXPLAINED), weights.near) for key in (thought.answer, other.key)]
        strongest = next(iter(reasons(weights, *means)), None)
        return strongest.words if strongest is not None else ""

    def _told(self, question: Question, plain: Thought, answer: Given, options: list[Valued], playouts: int, way: str = "") -> Thought:
        """The result of a search."""
        options.sort(key=lambda option: -option.worth)
        return replace(
            plain,
            answer=answer,
            label=question.choice.label(answer),
            options=tuple(options),
            playouts=playouts,
            way=way,
            seem=self.habits(question.side).seem(),
            note="" if options else NO_TIME,
        )

    def _way_on(self, question: Question) -> str:
        """Choose the playout tactic of the side, once a round. The last one stays unless another is significantly better."""
        round_ = self.scene.round(question.moment.state)
        before = self._best.get(question.side)
        if before is not None and before[0] == round_:
            return before[1]
        first = before[1] if before is not None else ""
        names = list(dict.fromkeys([first, "", *self.tactics]))
        ways = [self.way(question.side, name) for name in names]
        answers = [said(way.policy, question.choice, self.decide) for way in ways]
        self._watch.until = question.until_for(FOR_THE_WAY)
        for way in ways:
            way.begin(question.seed)

        def value(at: int, number: int) -> float:
            return question.played(ways[at], answers[at], number)

        tried, left = halve(len(names), question.level.playouts, value, used=lambda: question.used(FOR_THE_WAY))
        chosen = _best(tried, left, question.level.playouts, value)
        self._best[question.side] = (round_, names[chosen])
        return names[chosen]

    def _candidates(self, question: Question, reference: Given, few: int | None) -> list[Given]:
        """The candidates: the default answer, the answers of the tactics, and other options: a few in all, or every one."""
        choice = question.choice
        result = dict.fromkeys([reference, self.decide(choice), *[said(tactic, choice, self.decide) for tactic in self.tactics.values()]])
        if self._deed(choice, question.moment) or question.every:
            rest = [key for key in answers_of(choice) if key not in result]
            room = len(rest) if few is None else max(0, few - len(result))
            step = -(-len(rest) // room) if room else 0
            result.update(dict.fromkeys(rest[::step] if step else ()))
        return list(result)


def _best(tried: list[Tried], left: list[int], budget: int, value: Callable[[int, int], float]) -> int:
    """The chosen candidate: the first, unless another one is ahead and stays ahead in a second test."""
    best = max(left, key=lambda at: (tried[at].mean, -at))
    return best if best != 0 and holds(tried, best, budget, value) else 0


def _tempted(tried: list[Tried], temperature: float, draw: Callable[[], float]) -> int:
    """Draw a candidate by its value and the temperature."""
    known = [at for at, result in enumerate(tried) if result.values]
    most = max([tried[at].mean for at in known], default=0.0)
    weights = [exp((tried[at].mean - most) / temperature) for at in known]
    mark = draw() * sum(weights)
    for at, weight in zip(known, weights, strict=True):
        mark -= weight
        if mark < 0:
            return at
    return 0


def _valued(choice: Choice[Any], key: Given, tried: Tried) -> Valued:
    won = [carried(value) for value in tried.values]
    n, total = len(won), sum(won)
    low, high = wilson(int(total), n)[0], wilson(min(n, int(total + 0.5)), n)[1]
    return Valued(key, choice.label(key), total / n, (low, high), n)


def _estimated(choice: Choice[Any], key: Given, tried: Tried) -> Valued:
    """The value of an answer by playouts that were cut short: the mean of estimated chances."""
    chances = [chance(value) for value in tried.values]
    n = len(chances)
    mean = sum(chances) / n
    margin = BEYOND * sqrt(sum((value - mean) ** 2 for value in chances) / max(1, n - 1) / n) if n > 1 else 0.5
    return Valued(key, choice.label(key), mean, (max(0.0, mean - margin), min(1.0, mean + margin)), n)


__all__ = ["FEWEST", "Mind", "Thought", "Valued"]
