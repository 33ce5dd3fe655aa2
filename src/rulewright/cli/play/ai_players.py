"""Those who think before they act at the terminal, and hints for those who ask what would be wise."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright.cli import text
from rulewright.play import Choice, Dice, Given, Roll, Tactic

if TYPE_CHECKING:
    from rulewright.lab.search import Mind, Thought
    from rulewright.scenes.encounter import Encounter

HINT = "good"
"""The level at which a hint is worked out."""
PATIENCE = 4.0
"""Seconds that somebody waits who asks for a hint: longer than anybody would for every answer of an opponent."""


class Thinking:
    """Answers for those who play by themselves, with a level or by their tactics.

    With a seed they count the fights that they play out and come to the same answers again; without one they keep to their time.
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
        """What whoever is asked answers."""
        if choice.who not in self._levels:
            return self.decide(choice)
        return self._mind(self._levels[choice.who]).think(self.encounter.moment(at), past=self.encounter.past()).answer

    def hint(self, at: int) -> "Thought":
        """What would be wise: every option is tried."""
        mind = self._mind(HINT)
        level = mind.level if mind.level.seconds is None else replace(mind.level, seconds=PATIENCE)
        return mind.think(self.encounter.moment(at), level=level, every=True, past=self.encounter.past())

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
    """What would be wise, with the worth of each answer that was tried."""
    if not thought.options:
        yield f"  {thought.note or 'nothing was found out in time'}; usual: {thought.label}"
        return
    why = "" if thought.left_the_usual else ": the usual, and nothing else is surely better"
    yield f"  {thought.label} would be wise, after {thought.playouts} fights played out{why}"
    yield "  the chance that your side carries it; a draw counts half"
    for line in thought.about_others:
        yield f"  {line}"
    for option in thought.foremost:
        low, high = option.interval
        usual = "  the usual" if option.key == thought.usual else ""
        yield f"  {text.percent(option.worth):>6} ± {100 * (high - low) / 2:.0f}  {option.label}{usual}"
    rest = [option for option in thought.options if option not in thought.foremost]
    if rest:
        yield f"  and {len(rest)} more, {text.percent(rest[0].worth)} at best"
