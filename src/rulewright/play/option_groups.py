"""Groups options for display by action, target and manner; the same for pages, the terminal and the API.

A game may give all three on an `Option`. Otherwise they are derived from the key, written `action manner:target`, and the label. Nothing
here is specific to a game.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rulewright.play import Given, Option

VERBS = ("move", "attack", "special", "guard", "help", "gear", "other")
"""The groups of actions; a scene may have verbs of its own, such as `say`."""
PASSING = ("move", "gear", "other")
"""Groups that are not preselected the next time."""
FIRST_SIGHT = 12
"""How many choices are shown at first; the others are behind `more`."""

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
"""The verb of options whose keys say nothing, by topic of the question."""
_VERB_OF = {word: verb for verb, words in _WORDS.items() for word in words}
_LINKS = r"(?:at|on|to|towards|for|from|around|against|of|with|the)"


class Arranged(Struct, frozen=True):
    """An option with its group."""

    key: str
    verb: str
    target: str = ""
    manner: tuple[str, ...] = ()


def arrange(
    options: Iterable[Option[Any]], people: Collection[str] = (), topic: str = "", verbs: Mapping[str, str] | None = None
) -> tuple[Arranged, ...]:
    """The verb, target and manner of every option.

    `people` are the names in the scene; `topic` is that of the question, for options whose key says nothing; `verbs` are the game's own
    first words of keys.
    """
    known = {**_VERB_OF, **(verbs or {})}
    default = _TOPICS.get(topic, "other")
    arranged = []
    for option in options:
        verb = option.verb or _verb(option.key, known) or default
        target = option.target or _target(option, people, verb)
        arranged.append(Arranged(option.key, verb, target, option.manner or _manner(option.label, target)))
    return tuple(arranged)


def _verb(key: str, known: Mapping[str, str]) -> str:
    """The verb of the longest known word at the beginning of a key; `after draw` counts as `draw`."""
    head = key.partition(":")[0].removeprefix("after ")
    words = re.split(r"[ +]", head)
    for prefix in (head, *(" ".join(words[:size]) for size in range(len(words), 0, -1))):
        if prefix in known:
            return known[prefix]
    return ""


def _target(option: Option[Any], people: Collection[str], verb: str) -> str:
    """The target in a key: a person, a destination, a thing taken in hand, or terrain under fire."""
    parts = option.key.split(":")[1:]
    for part in parts:
        if part in people:
            return part
    if verb == "move":
        destination = re.fullmatch(r"[a-z-]+ to (.+)|[a-z-]+ (away)", option.key)
        return (destination[1] or destination[2]) if destination is not None else ""
    thing = parts[0] if parts else ""
    is_target = verb == "gear" or thing.startswith("the ") or any(part in people for part in thing.split(", "))
    return thing if is_target and thing in option.label else ""


def _manner(label: str, target: str) -> tuple[str, ...]:
    """A label without its target, split at commas."""
    text = label
    if target:
        named = re.escape(target)
        text = text.replace(f"{target}'s", "the")
        text = re.sub(rf"(?:\s+{_LINKS})*:?\s*\b{named}(?:\s*\([^)]*\))?(?!\w)", "", f" {text}")  # a distance belongs to the target
    parts = [re.sub(r"\s+", " ", part).strip(" :,") for part in re.split(r",\s+(?!or |and )", text)]
    return tuple(part for part in parts if part) or (label,)


# --- what is seen of it at first sight ------------------------------------------------------------------------------------------


class Sight(Struct, frozen=True):
    """The choices while one option is selected: verbs, targets, actions and additions.

    A row without a choice is empty. The first `shown` of each row are visible at first.
    """

    verbs: tuple[str, ...]
    targets: tuple[str, ...]
    deeds: tuple[str, ...]
    also: tuple[str, ...]
    shown: tuple[int, int, int]
    """How many targets, actions and additions are visible before `more` is clicked."""

    @property
    def things(self) -> int:
        """How many choices are visible at first."""
        return len(self.verbs) + sum(self.shown)


def sight(places: Sequence[Arranged], chosen: Arranged, most: int = FIRST_SIGHT) -> Sight:
    """The visible choices while an option is selected. The page uses the same counts (static/bar.js)."""
    verbs = _distinct(place.verb for place in places)
    targets = _distinct(place.target for place in places if place.verb == chosen.verb)
    here = [place for place in places if (place.verb, place.target) == (chosen.verb, chosen.target)]
    deeds = _distinct(place.manner[0] for place in here)
    also = _distinct(part for place in here if place.manner[0] == chosen.manner[0] for part in place.manner[1:])
    rows = (
        targets if len(targets) > 1 else (),
        deeds if len(deeds) > 1 or len(targets) < 2 else (),
        also,
    )
    verbs = verbs if len(verbs) > 1 else ()
    first, second, third = rooms([len(row) for row in rows], most - len(verbs))
    return Sight(verbs, *rows, (first, second, third))


def rooms(counts: Sequence[int], most: int) -> list[int]:
    """How many of each row are visible if there is room for `most` in total: one of every row in turn."""
    given = [0] * len(counts)
    while most > 0 and given != list(counts):
        for at, count in enumerate(counts):
            if given[at] < count and most > 0:
                given[at] += 1
                most -= 1
    return given


def beginning(places: Sequence[Arranged], last: Arranged | None = None, usual: Given = "") -> Arranged:
    """The option that is preselected, given the last answer to this question and the default answer.

    The last answer, unless it was a move or a change of gear; else the default; else the first attack, statement or move, with the last
    target and manner.
    """
    again = next((place for place in places if last is not None and place.key == last.key), None)
    verbs = _distinct(place.verb for place in places)
    if again is not None and (again.verb not in PASSING or len(verbs) == 1):
        return again
    for place in places:
        if place.key == usual:
            return place
    verb = next((candidate for candidate in ("attack", "say", "move") if candidate in verbs), verbs[0])
    targets = _distinct(place.target for place in places if place.verb == verb)
    target = last.target if last is not None and last.target in targets else targets[0]
    candidates = [place for place in places if (place.verb, place.target) == (verb, target)]
    return nearest(candidates, last.manner if last is not None and last.verb == verb else ())


HARMING = ("attack", "special")
"""Groups of actions that nobody takes against a friend by default."""
PASSIVE = ("nothing", "no", "none", "pass", "hold")
"""Keys of doing nothing."""


def default_option(
    places: Sequence[Arranged],
    usual: Given = "",
    chances: Mapping[str, float] | None = None,
    friends: Collection[str] = (),
    last: Arranged | None = None,
) -> Arranged:
    """The default answer: the last or usual one if it is sensible, else the sensible one with the best known chance.

    `chances` are the known chances of good results, by key. An answer is not sensible if it harms a friend, if it cannot succeed while
    another can, or if doing nothing is better.
    """
    known, first = chances or {}, beginning(places, last, usual)
    fair = [place for place in places if not (place.verb in HARMING and place.target in friends)] or list(places)
    at_rest = max([known[key] for key in PASSIVE if key in known], default=0.0)
    if max([known.get(place.key, 0.0) for place in fair], default=0.0) < MIN_CHANCE:
        return first if first in fair else next((place for place in fair if place.verb == first.verb), fair[0])
    fit = [place for place in fair if place.key not in known or known[place.key] >= max(at_rest, MIN_CHANCE)]
    if first in fit:
        return first
    tried = [place for place in fit if place.key in known]
    alike = [place for place in tried if place.verb == first.verb]
    same = [place for place in alike if place.target == first.target]
    if tried:
        return max(same or alike or tried, key=lambda place: (known[place.key], -places.index(place)))
    return fit[0]


MIN_CHANCE = 1e-9
"""Chances below this are none."""


def nearest(places: Sequence[Arranged], wanted: Collection[str]) -> Arranged:
    """The option whose manner has most in common with `wanted`, and least besides; the first of several."""
    return max(places, key=lambda place: (2 * sum(part in wanted for part in place.manner) - len(place.manner), -places.index(place)))


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
