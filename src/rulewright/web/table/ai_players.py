"""Runs AI players in the background, and computes hints."""

import time

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.lab.search import Costly, Mind, Thought, level
from rulewright.lab.search import review as look_back
from rulewright.play.cache import Memory
from rulewright.scenes.scene import Scene
from rulewright.table.scenes.ai_players import Played, Waiting
from rulewright.table.service import Tables

RUN_SECONDS = 0.5
"""A request answers no further question after this time. It is short, so that every move appears on the pages as soon as it is made."""
HINT = "good"
HINT_SECONDS = 1.5
"""The processor time of a hint; a player waits longer for a hint than for an opponent's action."""
SERVER_ONLY = "only the server itself runs AI players"


_saved: Memory[tuple[str, int, str], float] = Memory(1_000, f"{__name__}.saved")
"""Seconds that the AI players of a level left of their average in a scene, for its later decisions."""


def token(tables: Tables, table_id: str) -> str:
    """The token that shows that a request comes from the server itself."""
    return tables.signer.mark(0, f"think {table_id}")


def think(tables: Tables, table_id: str) -> int:
    """Answer for the AI players of a table: one question, and more as long as there is time; returns the number of answers."""
    until, answers = time.monotonic() + RUN_SECONDS, 0
    minds: dict[tuple[int, str], Mind] = {}
    while time.monotonic() < until:
        waiting = tables.waiting(table_id)
        if waiting is None:
            break
        mind = minds.get((waiting.scene, waiting.level)) or _create_mind(waiting)
        minds[waiting.scene, waiting.level] = mind
        mind.decide, scene = waiting.decide, (table_id, waiting.scene, waiting.level)
        mind.saved = _saved.get(scene, 0.0)
        thought = mind.think(waiting.moment, past=waiting.past)
        _saved[scene] = mind.saved
        try:
            tables.thought(table_id, waiting, thought.answer, explain(thought))
        except UserError:  # somebody acted or undid a step meanwhile: look again
            continue
        answers += 1
    return answers


def hint(waiting: Waiting) -> Thought:
    """Rate the options of a question, with the knowledge of the asked side only."""
    how = replace(level(waiting.level), seconds=HINT_SECONDS, most=HINT_SECONDS)
    return _create_mind(waiting).think(waiting.moment, level=how, every=True, past=waiting.past)


def review(played: Played) -> list[Costly]:
    """The decisions of a member that cost most."""
    return look_back(played.past, played.people, played.tactics, played.decide, seed=time.time_ns())


def _create_mind(waiting: Waiting) -> Mind:
    scene: Scene[object] = waiting.moment.scene
    return Mind(scene, waiting.tactics, waiting.decide, level(waiting.level), seed=time.time_ns())


def explain(thought: Thought) -> str:
    """Explain an AI player's answer in one line for the gamemaster: its win chance, and that of the default action."""
    if not thought.options:
        return thought.note
    by_key = {option.key: option for option in thought.options}
    parts = []
    for key, prefix in ((thought.answer, ""), (thought.usual, "default: ")):
        option = by_key.get(key)
        if option is not None and (not prefix or key != thought.answer):
            low, high = option.interval
            parts.append(f"{prefix}{option.label} {option.worth:.0%} ± {(high - low) * 50:.0f}")
    return f"{'; '.join(parts)} ({'; '.join([count(thought.playouts, 'simulated fight'), *thought.about_others])})"
