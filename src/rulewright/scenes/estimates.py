"""Estimated chances of options whose exact chance takes too long to compute.

The scene is played on as for the exact chance (`evaluation.play_on`), with the same answers and verdicts, but with random dice and many
times. The random numbers are seeded by question and option, so that the same table shows the same estimate and no die of the record is
used.
"""

import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Choice, Driver, Option, Roll, Seeded, Sub, Verdict
from rulewright.play.intervals import wilson
from rulewright.play.odds import Stint
from rulewright.scenes import chances
from rulewright.scenes.chances import Answered, Estimate, Weighed
from rulewright.scenes.evaluation import later, play_on
from rulewright.scenes.option_odds.solver import Answers, Asked, Forced

SECONDS = 2.5
"""Processor time for all options of one question without an exact chance, in addition to what the exact computation left over."""
PLAYS = (60, 120, 240)
"""How often each option is played, as far as the time allows.

Only these numbers are used, so that an estimate does not reveal the time it took.
"""


def weigh(
    asked: Asked, seconds: float = chances.SECONDS, more: float = SECONDS, keys: Collection[str] | None = None
) -> tuple[Weighed, ...]:
    """The chances of every option that leads to a roll: exact if `seconds` suffice, otherwise estimated in `more` seconds."""
    time_left = Stint(seconds)
    exact = chances.weigh(asked, seconds, keys)
    options = {option.key: option for option in asked.choice.options} if isinstance(asked.choice.options, tuple) else {}
    exact = tuple([_undecided(weighed) for weighed in exact])
    late = [options[weighed.key] for weighed in exact if chances.wants_more(weighed) and not weighed.ranges]
    played = estimated(asked, late, more + max(0.0, time_left.left) if more else 0.0) if late else {}
    combined = [_tighter(weighed, played[weighed.key]) if weighed.key in played else weighed for weighed in exact]
    return tuple([weighed for weighed in combined if weighed is not None])


def _undecided(weighed: Weighed) -> Weighed:
    """Without a number if the chooser's further answers decide and none of them was evaluated in time."""
    return replace(weighed, why_not=chances.FURTHER) if weighed.partial and weighed.why_not == chances.TOO_LONG else weighed


def _tighter(counted: Weighed, played: Weighed | None) -> Weighed | None:
    """An unfinished exact result with its estimate; without it if its bounds are tighter."""
    if played is None or played.about is None:
        return played
    if counted.at_least and counted.unsettled <= played.about.margin:
        return counted
    return replace(counted, about=played.about, counts=counted.counts or played.counts, presumed=played.presumed or counted.presumed)


def estimated(
    asked: Asked, options: Sequence[Option[Any]], seconds: float = SECONDS, plays: Sequence[int] = PLAYS
) -> dict[str, Weighed | None]:
    """The estimate of each of these options, by key; None for one that leads to no roll. Options without time are missing."""
    stint = Stint(seconds)
    series = [_Series(asked, option) for option in chances.quickest_first(tuple(options))]
    for many in plays:
        for candidate in series:
            candidate.play(many, stint)
        for candidate in series:  # first all options with the expected answers, then by the answers of others
            candidate.play_answers(many, stint)
    return {item.option.key: item.estimate() for item in series if item.played}


class _Series:
    """An option played many times, and as often for each answer that another person might give."""

    def __init__(self, asked: Asked, option: Option[Any]) -> None:
        self.option = option
        self.played = 0
        """How often it was played completely."""
        self._asked = asked
        self._usual = _Repeated(asked, option)
        self._about: Choice[Any] | None = None
        """The question to another person."""
        self._answers: list[tuple[Option[Any], _Repeated]] = []
        self._answered: tuple[Answered, ...] = ()
        """The results by answer, if they differ; `played` then counts these plays."""
        self._refused = ""

    def play(self, many: int, stint: Stint) -> None:
        """Plays until it was played `many` times, unless the time runs out or nothing depends on it."""
        if self._refused or self._answered or (self.played and not self._settles()):
            return
        try:
            if self._usual.play(many, stint):
                self.played = many
        except UserError as error:
            self.played, self._refused = many, str(error)

    def play_answers(self, many: int, stint: Stint) -> None:
        """If another person is asked, plays each of their answers with the same random numbers, so that an irrelevant answer shows no
        difference.
        """
        if self._refused or not self.played or not self._settles():
            return
        if self._about is None and (met := chances.asked_of(self.option, self._usual.answers.met)) is not None:
            self._about, given = met, chances.answers_to(self._asked, met)
            self._answers = [(candidate, _Repeated(self._asked, self.option, (met.who, met.ask_for, candidate.key))) for candidate in given]
        try:
            if self._answers and all(repeated.play(many, stint) for _, repeated in self._answers):
                results = tuple(self._results_by_answer(many))
                if len({answered.outcomes for answered in results}) > 1:
                    self.played, self._answered = many, results
        except UserError as error:
            self._refused = str(error)

    def estimate(self) -> Weighed | None:
        """The estimate; None if the option hardly ever has a result."""
        if self._refused:
            return Weighed(self.option.key, why_not=self._refused)
        if not self._settles():
            return None
        if chances.not_named(self._usual.answers.presumed):
            return Weighed(self.option.key, why_not=chances.UNNAMED)
        counter, who = self._usual.frequencies(self.played), self._asked.choice.who
        outcomes = min([answered.outcomes for answered in self._answered], key=chances.hoped, default=None)
        if outcomes is None:
            outcomes = chances.outcomes_of(counter, self.played, who, self._asked.friends)
        about = Estimate(outcomes, self.played, margin(chances.hoped(outcomes), self.played), self._answered)
        presumed = chances.presumed_answers(self._asked, self.option, self._usual.answers.presumed)
        return Weighed(self.option.key, counts=chances.counted_as(counter, who), about=about, presumed=presumed)

    def _settles(self) -> bool:
        return chances.settles(self._usual.frequencies(self.played))

    def _results_by_answer(self, plays: int) -> Iterator[Answered]:
        """The results of each answer that has any."""
        for answer, repeated in self._answers:
            counter = repeated.frequencies(plays)
            if self._about is not None and chances.settles(counter):
                outcomes = chances.outcomes_of(counter, plays, self._asked.choice.who, self._asked.friends)
                yield Answered(self._about.who, answer.key, answer.label, outcomes)


class _Repeated(Driver):
    """Plays an option repeatedly with its own random numbers; everybody answers as for the exact chance, and `forced` fixes one answer."""

    def __init__(self, asked: Asked, option: Option[Any], forced: Forced | None = None) -> None:
        self.answers = Answers(asked, forced)
        self._option = option
        self._seed = _seed(asked, option)
        self._verdicts: list[Verdict | None] = []
        self._faces = Seeded(self._seed).faces
        self._rolled = False
        self._later: Sub[Verdict | None] | None = None
        """The last beginning of a step before any roll: up to there all plays are the same."""
        self._once: dict[int, Any] = {}
        """Answers to the other questions of the same moment, which are the same in every play."""

    def play(self, many: int, stint: Stint) -> bool:
        """Plays it until it was played `many` times; False if the time runs out."""
        while len(self._verdicts) < many:
            if stint.left <= 0:
                return False
            self._faces, self._rolled = Seeded(self._seed + len(self._verdicts)).faces, False
            play = self._later.start() if self._later is not None else play_on(self.answers.asked.moment, self._option)
            verdict = self.run(play)
            self._verdicts += [verdict] * (1 if self._rolled else many - len(self._verdicts))  # without a roll all plays are the same
        return True

    def frequencies(self, plays: int) -> Counter[Verdict | None]:
        """The frequencies of verdicts in the first plays."""
        return Counter(self._verdicts[:plays])

    def roll(self, roll: Roll[Any]) -> Any:
        self.answers.refuse_what_is_hidden(roll)
        self._rolled = True
        return roll.reading.read(self._faces(roll))

    def choose(self, choice: Choice[Any]) -> Any:
        if not any(choice is request for request in self.answers.asked.moment.requests):
            return choice.take(self.answers(choice))
        if id(choice) not in self._once:
            self._once[id(choice)] = choice.take(self.answers(choice))
        return self._once[id(choice)]

    def sub(self, part: Sub[Any]) -> Any:
        if part.procedure is later and not self._rolled:
            self._later = part
        return self.run(part.start())


def _seed(asked: Asked, option: Option[Any]) -> int:
    """The seed of an option's random numbers, from question and time; each play uses the next number."""
    moment = asked.moment
    when = f"{moment.scene.round(moment.state)} {len(moment.given)} {asked.choice.question()} {option.key}"
    return zlib.crc32(when.encode()) << 32


def margin(share: float, plays: int) -> float:
    """Half the width of the 95 % confidence interval of a share, at its wider side."""
    low, high = wilson(round(share * plays), plays)
    return max(share - low, high - share)
