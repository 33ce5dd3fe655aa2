"""Options in an order that people find their way in: what to do, to whom, and how. The same for the page, the terminal and programs.

A game may say all three on an `Option`. Where it does not, they are read from what every option has: the key, written
`deed manner:target`, and the label. Nothing here knows a game; the words are plain ones.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct

from rulewright.play import Option

VERBS = ("move", "attack", "special", "guard", "help", "gear", "other")
"""What everything that can be done is sorted into; a scene may have verbs of its own, such as `say`."""

_WORDS: dict[str, tuple[str, ...]] = {
    "move": ("move", "walk", "crawl", "jog", "run", "sprint", "dash", "dive", "step", "charge", "retreat", "give way", "pivot", "turn",
             "stand", "kneel", "squat", "drop", "rise", "stay", "to", "close", "reach", "away", "swim", "climb", "jump", "leap", "mount",
             "crouch", "lie", "get up", "fall back", "quick turn", "reverse", "trick"),
    "attack": ("attack", "shoot", "fire", "strike", "hit", "hurl", "throw", "bruise", "blow", "burst", "called shot", "two weapons",
               "cut", "thrust", "bite", "claw", "cast", "ram", "draw+attack", "kick", "punch"),
    "special": ("suppress", "saturate", "spray", "sweep", "feint", "disarm", "trip", "tackle", "push", "shove", "grapple", "hold", "pin",
                "overbear", "entangle", "threaten", "display", "wind-up", "cuff", "stance", "orders", "refocus", "delay", "bonus"),
    "guard": ("aim", "ready", "wait", "evade", "dodge", "parry", "block", "brace", "defend", "watch", "weave", "defense", "duck",
              "drop prone", "roll with the blow"),
    "help": ("help", "treat", "bandage", "infusion", "operate", "heal", "rescue", "first aid", "calm"),
    "gear": ("draw", "fast draw", "reload", "load", "clear", "sheathe", "pick up", "drop weapon", "discard", "shoulder", "take", "put away",
             "don", "unload"),
    "other": ("pass", "nothing", "done", "no", "yes", "concentrate"),
}  # fmt: skip
_TOPICS = {"move": "move", "where": "move", "guard": "guard", "answer": "guard", "duck": "guard", "reflex": "guard", "word": "say",
           "retort": "say"}  # fmt: skip
"""What is asked about, and what options are whose keys say nothing."""
_VERB_OF = {word: verb for verb, words in _WORDS.items() for word in words}
_LINKS = r"(?:at|on|to|towards|for|from|around|against|of|with|the)"


class Arranged(Struct, frozen=True):
    """An option in its place."""

    key: str
    verb: str
    target: str = ""
    manner: tuple[str, ...] = ()


def arrange(
    options: Iterable[Option[Any]], people: Collection[str] = (), topic: str = "", verbs: Mapping[str, str] | None = None
) -> tuple[Arranged, ...]:
    """Every option with its verb, target and manner.

    `people` are the names of those in the scene; `topic` is what the question is about, for options whose key says nothing; `verbs`
    are the game's own words for what its keys begin with.
    """
    known = {**_VERB_OF, **(verbs or {})}
    usual = _TOPICS.get(topic, "other")
    found = []
    for option in options:
        verb = option.verb or _verb(option.key, known) or usual
        target = option.target or _target(option, people, verb)
        found.append(Arranged(option.key, verb, target, option.manner or _manner(option.label, target)))
    return tuple(found)


def _verb(key: str, known: Mapping[str, str]) -> str:
    """The verb of the longest known word that a key begins with; `after draw` is sorted as `draw`."""
    head = key.partition(":")[0].removeprefix("after ")
    words = re.split(r"[ +]", head)
    for begin in (head, *(" ".join(words[:size]) for size in range(len(words), 0, -1))):
        if begin in known:
            return known[begin]
    return ""


def _target(option: Option[Any], people: Collection[str], verb: str) -> str:
    """Whom a key names: a person in it, a place that is gone to, a thing that is taken in hand, ground that is shot at."""
    parts = option.key.split(":")[1:]
    for part in parts:
        if part in people:
            return part
    if verb == "move":
        going = re.fullmatch(r"[a-z-]+ to (.+)|[a-z-]+ (away)", option.key)
        return (going[1] or going[2]) if going is not None else ""
    thing = parts[0] if parts else ""
    taken = verb == "gear" or thing.startswith("the ") or any(part in people for part in thing.split(", "))
    return thing if taken and thing in option.label else ""


def _manner(label: str, target: str) -> tuple[str, ...]:
    """A label without its target, in the parts that stand between commas."""
    text = label
    if target:
        named = re.escape(target)
        text = text.replace(f"{target}'s", "the")
        text = re.sub(rf"(?:\s+{_LINKS})*:?\s*\b{named}(?:\s*\([^)]*\))?(?!\w)", "", f" {text}")  # a distance belongs to the target
    parts = [re.sub(r"\s+", " ", part).strip(" :,") for part in re.split(r",\s+(?!or |and )", text)]
    return tuple(part for part in parts if part) or (label,)
