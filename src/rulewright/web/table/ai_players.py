"""Thinking in the background for those who play by themselves at a table, and hints for those who may ask for them."""

import time

from rulewright.errors import UserError
from rulewright.lab.search import Mind, Thought, level
from rulewright.scenes.scene import Scene
from rulewright.table.scenes.ai_players import Waiting
from rulewright.table.service import Tables

AT_ONCE = 12.0
"""For so many seconds one request thinks on, question after question; what waits then is thought about by the next."""
HINT = "good"
NOT_HERE = "nobody who is not of this server has others think"


def token(tables: Tables, table_id: str) -> str:
    """What shows that the server itself wants a table to be thought about."""
    return tables.signer.mark(0, f"think {table_id}")


def think(tables: Tables, table_id: str) -> int:
    """Answer for those who play by themselves, as long as they are asked; how many answers were given."""
    until, given = time.monotonic() + AT_ONCE, 0
    minds: dict[tuple[int, str], Mind] = {}
    while time.monotonic() < until:
        waiting = tables.waiting(table_id)
        if waiting is None:
            break
        mind = minds.get((waiting.scene, waiting.level)) or _mind(waiting)
        minds[waiting.scene, waiting.level] = mind
        mind.decide = waiting.decide
        thought = mind.think(waiting.moment, past=waiting.past)
        try:
            tables.thought(table_id, waiting, thought.answer, why(thought))
        except UserError:  # somebody was faster, or took a step back: look again
            continue
        given += 1
    return given


def hint(waiting: Waiting) -> Thought:
    """What would be wise, for somebody who may know no more than their side does."""
    return _mind(waiting).think(waiting.moment, every=True, past=waiting.past)


def _mind(waiting: Waiting) -> Mind:
    scene: Scene[object] = waiting.moment.scene
    return Mind(scene, waiting.tactics, waiting.decide, level(waiting.level), seed=time.time_ns())


def why(thought: Thought) -> str:
    """Why somebody answered so, in a line for the gamemaster: what it is worth, and what the usual answer is."""
    if not thought.options:
        return thought.note
    worth = {option.key: option for option in thought.options}
    names = []
    for key, name in ((thought.answer, ""), (thought.usual, "usual: ")):
        option = worth.get(key)
        if option is not None and (not name or key != thought.answer):
            low, high = option.interval
            names.append(f"{name}{option.label} {option.worth:.0%} ± {(high - low) * 50:.0f}")
    return f"{'; '.join(names)} ({'; '.join([f'{thought.playouts} fights played out', *thought.about_others])})"
