"""Exact odds for the options of one question: everybody answers as their tactic does, as far as the viewers may know."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Choice, Given, Option, Range, Roll, Sub, Tactic, Verdict
from rulewright.play.odds import Budget, Exact, Odds
from rulewright.scenes.evaluation import Path, later, play_on
from rulewright.scenes.option_odds.further_questions import Paths
from rulewright.scenes.question_snapshot import Moment

NOT_YOURS = "not shown: this depends on something that you cannot know"
PASSIVE = ("hold", "pass", "wait", "no", "none", "nothing")
"""What a combatant is assumed to do if these viewers know nothing of them."""

Met: TypeAlias = dict[tuple[str, str], Choice[Any]]
"""Questions to other people, by (person, question)."""
Presumed: TypeAlias = dict[tuple[str, str], tuple[Choice[Any], Given]]
"""Answers that tactics give for others, by (person, question)."""
Forced: TypeAlias = tuple[str, str, Given]
"""A fixed answer, whatever the tactic says: (person, question, answer)."""


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

    @property
    def side(self) -> str:
        """The side of the person who is asked; empty if they have none."""
        return next((side for side, names in self._sides().items() if self.choice.who in names), "")

    @property
    def friends(self) -> tuple[str, ...]:
        """The others on the side of the person who is asked."""
        return tuple([name for name in self._sides().get(self.side, ()) if name != self.choice.who])

    def _sides(self) -> Mapping[str, tuple[str, ...]]:
        try:
            return self.moment.scene.sides(self.moment.state)
        except NotImplementedError:  # a scene without sides
            return {}


def _is_in_range(choice: Choice[Any], given: Given) -> bool:
    return isinstance(choice.options, Range) and given in choice.options


class Answers:
    """Answers for everybody while an option is evaluated, as far as these viewers may know; records questions to other people."""

    def __init__(self, asked: Asked, forced: Forced | None = None) -> None:
        self.asked = asked
        self.met: Met = {}
        self.own: Met = {}
        self.presumed: Presumed = {}
        self._forced = forced

    def __call__(self, choice: Choice[Any]) -> Given:
        """An answer: the fixed one, the tactic's, or a passive one if these viewers may not know the question."""
        asked, keys, forced = self.asked, choice.keys(), self._forced
        if choice.secret and asked.eyes != (None,) and choice.who not in asked.eyes:
            return next((quiet for quiet in PASSIVE if quiet in keys), None) or asked.decide(choice)
        if forced is not None and (choice.who, choice.ask_for) == forced[:2] and (forced[2] in keys or _is_in_range(choice, forced[2])):
            return forced[2]
        if choice.who != asked.choice.who and choice.who in asked.people:
            self.met.setdefault((choice.who, choice.ask_for), choice)
        given = asked.decide(choice)
        if choice.who == asked.choice.who:
            self.own.setdefault((choice.who, choice.ask_for), choice)
        else:
            self.presumed.setdefault((choice.who, choice.ask_for), (choice, given))
        return given

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
        self._met_in: dict[Sub[Any], tuple[Met, Met, Presumed]] = {}

    def part(self, part: Sub[Any]) -> Odds[Any]:
        answers = self.answers
        before = answers.met, answers.own, answers.presumed
        answers.met, answers.own, answers.presumed = {}, {}, {}
        odds = self._later_odds(part) if part.procedure is later else super().part(part)
        inside = self._met_in.setdefault(part, (answers.met, answers.own, answers.presumed))
        answers.met, answers.own, answers.presumed = before[0] | inside[0], before[1] | inside[1], before[2] | inside[2]
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


class Solvers:
    """Exact odds for all options of one question, with a shared cache."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.met: Met = {}
        """Questions that the last evaluated option asks of other people."""
        self.own: Met = {}
        """Questions that the last evaluated option asks of the chooser."""
        self.presumed: Presumed = {}
        """Answers of others that the last evaluated option presumes."""
        self._kept: dict[Any, _DiscreetSolver] = {}
        self._paths: dict[str, Paths] = {}
        self._settled: dict[tuple[str, Path], Odds[Verdict | None]] = {}

    def paths(self, option: Option[Any]) -> Paths:
        """The further answers of the chooser after an option."""
        paths = self._paths.get(option.key)
        if paths is None:
            paths = self._paths[option.key] = Paths(self.asked.moment, option, Answers(self.asked))
        return paths

    def odds_of_path(self, option: Option[Any], path: Path, budget: Budget) -> "Odds[Verdict | None]":
        """The odds of an option with the chooser's further answers; kept once they are settled."""
        odds = self._settled.get((option.key, path))
        if odds is None:
            odds = self.odds(option, budget, path=path)
            if odds.weights and not odds.unsettled:
                self._settled[option.key, path] = odds
        return odds

    def odds(self, option: Option[Any], budget: Budget, forced: "Forced | None" = None, path: Path = ()) -> "Odds[Verdict | None]":
        """The odds of the verdicts of an option; `forced` fixes one answer of another person, `path` the chooser's further answers."""
        solver = self.solver(budget, forced)
        solver.answers.met, solver.answers.own, solver.answers.presumed = {}, {}, {}
        odds = solver.solve(lambda: play_on(self.asked.moment, option, path))
        if budget.interrupted:
            raise KeyboardInterrupt
        self.met, self.own, self.presumed = solver.answers.met, solver.answers.own, solver.answers.presumed
        return odds

    def solver(self, budget: Budget, forced: "Forced | None" = None) -> "_DiscreetSolver":
        """A solver with this budget that decides for everybody as the question says."""
        solver = self._kept.get(forced)
        if solver is None:
            solver = self._kept[forced] = _DiscreetSolver(self.asked, forced)
        solver.budget = budget
        return solver
