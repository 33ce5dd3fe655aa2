"""About how likely what comes of an option is, where its exact chance takes longer to count than there is time.

Nothing is reckoned here either: the scene is played on as for the exact chance (`following.play_on`), with the same answers of everybody
else and up to the same verdict, but with luck instead of every roll there is, and many times over. The luck is the question's own and that
of the option: the same table shows the same estimate, and no die of the record is touched.
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
from rulewright.scenes.chances import Answered, Answers, Asked, Estimate, Forced, Weighed
from rulewright.scenes.evaluation import later, play_on

SECONDS = 2.5
"""For all options of one question together that have no exact chance, of the processor's time; and what counting has left of its own."""
PLAYS = (60, 120, 240)
"""An option is played so many times, all options alike, as far as the time goes: no other number, so that the time an estimate took cannot
be seen in it, and never fewer."""


def weigh(
    asked: Asked, seconds: float = chances.SECONDS, more: float = SECONDS, keys: Collection[str] | None = None
) -> tuple[Weighed, ...]:
    """The chances of every option that leads to a roll: exact where that could be had in the first time, estimated in the second."""
    stint = Stint(seconds)
    exact = chances.weigh(asked, seconds, keys)
    options = {option.key: option for option in asked.choice.options} if isinstance(asked.choice.options, tuple) else {}
    late = [options[weighed.key] for weighed in exact if chances.wants_more(weighed)]
    played = estimated(asked, late, more + max(0.0, stint.left) if more else 0.0) if late else {}
    weigheds = [_more_telling(weighed, played[weighed.key]) if weighed.key in played else weighed for weighed in exact]
    return tuple([weighed for weighed in weigheds if weighed is not None])


def _more_telling(counted: Weighed, played: Weighed | None) -> Weighed | None:
    """An option that was not counted to the end, with what came of playing it; without where its bounds leave less open than that."""
    if played is None or played.about is None:
        return played
    if counted.at_least and counted.unsettled <= played.about.margin:
        return counted
    return replace(counted, about=played.about, counts=counted.counts or played.counts)


def estimated(
    asked: Asked, options: Sequence[Option[Any]], seconds: float = SECONDS, plays: Sequence[int] = PLAYS
) -> dict[str, Weighed | None]:
    """About what comes of each of these options, by key; None for one that leads to no roll. One that had no time is not among them."""
    stint = Stint(seconds)
    series = [_Series(asked, option) for option in chances.quickest_first(tuple(options))]
    for many in plays:
        for candidate in series:
            candidate.play(many, stint)
        for candidate in series:  # first all options as everybody would answer, then each by what somebody else might
            candidate.play_answers(many, stint)
    return {item.option.key: item.found() for item in series if item.played}


class _Series:
    """An option played many times over, and as often for each answer that another person might give to it."""

    def __init__(self, asked: Asked, option: Option[Any]) -> None:
        self.option = option
        self.played = 0
        """How many times, all of it."""
        self._asked = asked
        self._usual = _Repeated(asked, option)
        self._about: Choice[Any] | None = None
        """What another person is asked about it."""
        self._answers: list[tuple[Option[Any], _Repeated]] = []
        self._answered: tuple[Answered, ...] = ()
        """What it came to for each answer, where that makes a difference: `played` counts these plays then."""
        self._refused = ""

    def play(self, many: int, stint: Stint) -> None:
        """Go on until it was played so many times; not at all where the time runs out before, or nothing hangs on it."""
        if self._refused or self._answered or (self.played and not self._settles()):
            return
        try:
            if self._usual.play(many, stint):
                self.played = many
        except UserError as error:
            self.played, self._refused = many, str(error)

    def play_answers(self, many: int, stint: Stint) -> None:
        """Where a person is asked about it, the same for each answer, with the same luck: one that changes nothing shows it."""
        if self._refused or not self.played or not self._settles():
            return
        if self._about is None and (met := chances.asked_of(self.option, self._usual.answers.met)) is not None:
            self._about, given = met, chances.answers_to(self._asked, met)
            self._answers = [(candidate, _Repeated(self._asked, self.option, (met.who, met.ask_for, candidate.key))) for candidate in given]
        try:
            if self._answers and all(repeated.play(many, stint) for _, repeated in self._answers):
                answereds = tuple(self._by_answer(many))
                if len({answered.outcomes for answered in answereds}) > 1:
                    self.played, self._answered = many, answereds
        except UserError as error:
            self._refused = str(error)

    def found(self) -> Weighed | None:
        """What it came to; None where hardly ever anything."""
        if self._refused:
            return Weighed(self.option.key, why_not=self._refused)
        if not self._settles():
            return None
        counter, who = self._usual.came(self.played), self._asked.choice.who
        outcomes = min([answered.outcomes for answered in self._answered], key=chances.hoped, default=None)
        if outcomes is None:
            outcomes = chances.outcomes_of(counter, self.played, who)
        about = Estimate(outcomes, self.played, margin(chances.hoped(outcomes), self.played), self._answered)
        return Weighed(self.option.key, counts=chances.counted_as(counter, who), about=about)

    def _settles(self) -> bool:
        return chances.settles(self._usual.came(self.played))

    def _by_answer(self, plays: int) -> Iterator[Answered]:
        """What it came to for each answer that leads to anything."""
        for answer, repeated in self._answers:
            counter = repeated.came(plays)
            if self._about is not None and chances.settles(counter):
                yield Answered(self._about.who, answer.key, answer.label, chances.outcomes_of(counter, plays, self._asked.choice.who))


class _Repeated(Driver):
    """Plays an option again and again, with luck of its own; everybody answers as for the exact chance, `forced` is what somebody does."""

    def __init__(self, asked: Asked, option: Option[Any], forced: Forced | None = None) -> None:
        self.answers = Answers(asked, forced)
        self._option = option
        self._seed = _seed(asked, option)
        self._verdicts: list[Verdict | None] = []
        self._faces = Seeded(self._seed).faces
        self._rolled = False
        self._later: Sub[Verdict | None] | None = None
        """The last beginning of a step before anybody rolls: up to there every play is the same."""
        self._once: dict[int, Any] = {}
        """What is answered to the other questions of the same moment, which are the same in every play."""

    def play(self, many: int, stint: Stint) -> bool:
        """Whether there was time to play it so many times."""
        while len(self._verdicts) < many:
            if stint.left <= 0:
                return False
            self._faces, self._rolled = Seeded(self._seed + len(self._verdicts)).faces, False
            begun = self._later.start() if self._later is not None else play_on(self.answers.asked.moment, self._option)
            verdict = self.run(begun)
            self._verdicts += [verdict] * (1 if self._rolled else many - len(self._verdicts))  # without a roll all plays are the same
        return True

    def came(self, plays: int) -> Counter[Verdict | None]:
        """How often it came to what in the first plays."""
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
    """Where the luck of an option begins, by what is asked and when; the plays after it have the numbers after it."""
    moment = asked.moment
    when = f"{moment.scene.round(moment.state)} {len(moment.given)} {asked.choice.question()} {option.key}"
    return zlib.crc32(when.encode()) << 32


def margin(share: float, plays: int) -> float:
    """How far from a share that came up in so many plays the chance may be, in 95 of 100 cases."""
    low, high = wilson(round(share * plays), plays)
    return max(share - low, high - share)
