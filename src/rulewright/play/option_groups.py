"""Options in an order that people find their way in: what to do, to whom, and how. The same for the page, the terminal and programs.

A game may say all three on an `Option`. Where it does not, they are read from what every option has: the key, written
`deed manner:target`, and the label. Nothing here knows a game; the words are plain ones.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from rulewright.play import Given, Option

VERBS = ("move", "attack", "special", "guard", "help", "gear", "other")
"""What everything that can be done is sorted into; a scene may have verbs of its own, such as `say`."""
PASSING = ("move", "gear", "other")
"""What was done on the way to something else, and is not begun with the next time."""
FIRST_SIGHT = 12
"""So many things stand before whoever is asked; the rest is behind `more`."""

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
    arrangeds = []
    for option in options:
        verb = option.verb or _verb(option.key, known) or usual
        target = option.target or _target(option, people, verb)
        arrangeds.append(Arranged(option.key, verb, target, option.manner or _manner(option.label, target)))
    return tuple(arrangeds)


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


# --- what is seen of it at first sight ------------------------------------------------------------------------------------------


class Sight(Struct, frozen=True):
    """What there is to choose from while one option is set: what to do, to whom or what, how, and what can be added to that.

    A row with nothing to choose is empty. Of each row the first `shown` are there at first sight.
    """

    verbs: tuple[str, ...]
    targets: tuple[str, ...]
    deeds: tuple[str, ...]
    also: tuple[str, ...]
    shown: tuple[int, int, int]
    """How many targets, deeds and additions are seen before `more` is touched."""

    @property
    def things(self) -> int:
        """How many things there are to choose from at first sight."""
        return len(self.verbs) + sum(self.shown)


def sight(places: Sequence[Arranged], chosen: Arranged, most: int = FIRST_SIGHT) -> Sight:
    """What is seen while an option is set. The page arranges its bar by the same counts (static/bar.js)."""
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
    """How many of each row are seen where there is room for so many: one of every row in turn, as long as it has any."""
    given = [0] * len(counts)
    while most > 0 and given != list(counts):
        for at, count in enumerate(counts):
            if given[at] < count and most > 0:
                given[at] += 1
                most -= 1
    return given


def beginning(places: Sequence[Arranged], last: Arranged | None = None, usual: Given = "") -> Arranged:
    """What is set when a question comes, given what was answered when it was last asked, and what is usual: the same again, unless it
    was only a way or something in one's hands; else the usual; else the first attack, word or way, to whom and how it was last done."""
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
    of_it = [place for place in places if (place.verb, place.target) == (verb, target)]
    return nearest(of_it, last.manner if last is not None and last.verb == verb else ())


def nearest(places: Sequence[Arranged], wanted: Collection[str]) -> Arranged:
    """The one whose manner has most in common with what is wanted, and least besides; the first of several."""
    return max(places, key=lambda place: (2 * sum(part in wanted for part in place.manner) - len(place.manner), -places.index(place)))


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
