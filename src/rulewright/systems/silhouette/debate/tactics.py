"""Tactics for debates."""

from collections.abc import Mapping
from typing import Any

from rulewright.play import Choice, Given, Range, Tactic
from rulewright.systems.silhouette.debate.scene import best_answer, best_ploy


def sharp(choice: Choice[Any]) -> Given:
    """Uses the best ploy on the rival with the least reputation, and the best answer."""
    about = choice.about
    if isinstance(choice.options, Range):
        return choice.options.low
    if choice.topic not in ("answer", "retort", "word"):
        return choice.keys()[0]
    me = about.debate.speaker(choice.who)
    if choice.topic == "answer":
        return best_answer(me)
    if choice.topic == "retort":
        return best_ploy(me)
    rivals = about.debate.rivals(me)
    if choice.topic == "word" and rivals:
        weakest = min(rivals, key=lambda rival: (rival.standing.reputation_left, rival.name))
        return f"{best_ploy(me)}:{weakest.name}"
    return choice.keys()[-1]


def sly(choice: Choice[Any]) -> Given:
    """Like sharp, but deceives with one die if there are dice to spare."""
    given = sharp(choice)
    if choice.topic == "word" and isinstance(given, str) and ":" in given:
        ploy, _, rival = given.partition(":")
        if choice.about.debate.speaker(choice.who).ploy(ploy).attack.pool.dice > 1:
            return f"{ploy} deceive 1:{rival}"
    return given


DEBATE_TACTICS: Mapping[str, Tactic] = {"sharp": sharp, "sly": sly}
