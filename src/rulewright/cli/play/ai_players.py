"""AI players and hints for fights at the terminal."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright.cli import text
from rulewright.grammar import count
from rulewright.play import Choice, Dice, Given, Roll, Tactic

if TYPE_CHECKING:
    from rulewright.lab.search import Costly, Mind, Thought
    from rulewright.scenes.encounter import Encounter

HINT = "good"
"""The AI level of hints."""
PATIENCE = 1.5
"""The processor time of a hint in seconds; a player waits longer for a hint than for an opponent's action."""


class Thinking:
    """Answers for characters that no person plays: by an AI level or by a tactic.

    With a seed, the AI counts its time in steps, so that its answers are repeatable. Without one, it measures processor time.
    """

    def __init__(self, encounter: "Encounter[Any]", decide: Tactic, said: Mapping[str, str], seed: int | None, rounds: int | None) -> None:
        self.encounter = encounter
        self.decide = decide
        self.seed = seed
        self.rounds = rounds
        self._minds: dict[str, Mind] = {}
        self._levels: dict[str, str] = {}
        if said:
            from rulewright.lab.search import who_plays

            levels = who_plays(encounter.scene.sides(encounter.state), said)
            self._levels = {who: level.name for who, level in levels.items()}

    def answer(self, at: int, choice: Choice[Any]) -> Given:
        """The answer of the character who is asked."""
        if choice.who not in self._levels:
            return self.decide(choice)
        return self._mind(self._levels[choice.who]).think(self.encounter.moment(at), past=self.encounter.past()).answer

    def hint(self, at: int) -> "Thought":
        """Evaluate every option of a question."""
        mind = self._mind(HINT)
        level = replace(mind.level, seconds=PATIENCE, most=PATIENCE)
        return mind.think(self.encounter.moment(at), level=level, every=True, past=self.encounter.past())

    def review(self, people: Collection[str]) -> "list[Costly]":
        """The decisions of these people that cost most."""
        from rulewright.lab.search import review

        mind = self._mind(HINT)
        return review(self.encounter.past(), people, mind.tactics, self.decide, self.seed or 0, by_steps=self.seed is not None)

    def play_out(self, dice: Dice, most: int) -> None:
        """Answer everything until the scene ends."""
        for _ in range(most):
            waiting = self.encounter.open
            if not waiting:
                return
            at, request = waiting[0]
            self.encounter.give(dice.faces(request) if isinstance(request, Roll) else self.answer(at, request), at)

    def _mind(self, name: str) -> "Mind":
        from rulewright.lab.search import Mind, level
        from rulewright.system import find

        mind = self._minds.get(name)
        if mind is None:
            scene, how = self.encounter.scene, level(name)
            tactics = find(scene.rules.system).staging(scene.kind).tactics
            how = how if self.seed is None else how.counted
            mind = self._minds[name] = Mind(scene, tactics, self.decide, how, seed=self.seed or 0, rounds=self.rounds)
        return mind


def hint_lines(thought: "Thought") -> Iterator[str]:
    """The best option, with the value of each option that was tried."""
    if not thought.options:
        yield f"  {thought.note or 'no result in time'}; default action: {thought.label}"
        return
    why = "" if thought.left_the_usual else ": the default action; no option is clearly better"
    yield f"  Hint: {thought.label}, after {count(thought.playouts, 'playout')}{why}"
    if thought.why:
        yield f"  {thought.sentence}"
    yield "  win chance of your side; a draw counts half"
    for line in thought.about_others:
        yield f"  {line}"
    for option in thought.foremost:
        low, high = option.interval
        usual = "  (default action)" if option.key == thought.usual else ""
        yield f"  {text.percent(option.worth):>6} ± {100 * (high - low) / 2:.0f}  {option.label}{usual}"
    rest = [option for option in thought.options if option not in thought.foremost]
    if rest:
        yield f"  and {len(rest)} more, {text.percent(rest[0].worth)} at best"
