"""Phrases for the log and for questions: actions with their targets and groups of mooks.

>>> [action_phrase(label) for label in ("attack Thug", "trip Thug and dodge", "treat Ana", "skill stealth", "run")]
['an attack on Thug', 'an attempt to trip Thug and a dodge', 'first aid for Ana', 'a test of stealth', 'a run']
>>> action_phrase("called shot Ana in the head"), action_phrase("Contusion on Ana"), action_phrase("exertion")
("a called shot at Ana's head", 'Contusion on Ana', 'exertion')
>>> action_phrase("hold Ana"), action_phrase("hold"), action_phrase("fend off"), action_phrase("called shot Ana in the vital")
('an attempt to hold Ana', 'a hold', 'fending off', "a called shot at Ana's vital part")
>>> [one_of(name) for name in ("Thug", "Doormen", "Guards, group 2")]
['a Thug', 'one of the Doormen', 'one of the Guards, group 2']
"""

import re

from rulewright.grammar import a, is_plural, join, the
from rulewright.play.cache import cached

_PHRASES = {
    "attack": "an attack on {}",
    "as told": "an attack on {}",
    "slash": "a slash at {}",
    "thrust": "a thrust at {}",
    "throw": "a throw at {}",
    "bullseye": "a throw at {}",
    "aim": "aiming at {}",
    "feint": "a feint at {}",
    "repeat shot": "a shot at {}",
    "turn": "an attempt to turn the weapon of {}",
    "close in": "an attempt to close in on {}",
    "freeze": "an attempt to stop {}",
    "threaten": "a threat to {}",
    "overrun": "an attempt to ride down {}",
    "kick": "a kick at {}",
    "clinch": "an attempt to lock weapons with {}",
    "break the lock": "an attempt to free the weapon from {}",
    "resuscitate": "an attempt to revive {}",
    "treat": "first aid for {}",
    "charge": "a charge at {}",
    "run": "a run towards {}",
    "move": "a walk towards {}",
    "fly": "a flight towards {}",
    "ward": "a ward against {}",
    "wall of lead": "a wall of lead against {}",
    "lock-on": "a lock-on to {}",
    "chase": "a chase after {}",
    "hold": "an attempt to hold {}",
}
"""Kinds of actions with their target."""
_VERBS = ("trip", "disarm", "tackle", "push", "grapple", "strangle", "ram", "sideswipe")
"""Kinds that follow "an attempt to"."""
_NO_ARTICLE = frozenset(
    (
        "exertion",
        "initiative",
        "evasive manoeuvres",
        "first aid",
        "closing in",
        "suppressive fire",
        "riot control",
        "morale",
        "medicine",
        "opposition",
        "fending off",
        "defense",
        "braking",
        "strangling",
    )
)
_NAMES = {
    "close in": "closing in",
    "treat": "first aid",
    "turn": "turn of the weapon",
    "suppress": "suppressive fire",
    "kip up": "kip-up",
    "escape": "escape",
    "skill": "skill test",
    "as told": "attack",
    "freeze": "threat",
    "resuscitate": "revival",
    "position": "better Position",
    "fight": "the fight",
    "fend off": "fending off",
    "defend": "defense",
    "brake": "braking",
    "strangle": "strangling",
}


_WITH_TARGET = re.compile(rf"({'|'.join(sorted((*_PHRASES, *_VERBS), key=len, reverse=True))}) (.+)")
_CALLED_SHOT = re.compile(r"called shot (.+) in the (.+)")
_TEST = re.compile(r"(?:skill|feat test) (.+)")


@cached(5_000)
def action_phrase(label: str) -> str:
    """The label of a roll as a phrase: "attack Thug" becomes "an attack on Thug". Labels are saved in states, phrases are not."""
    return join([_phrase(part) for part in label.split(" and ")])


def _phrase(label: str) -> str:
    if shot := _CALLED_SHOT.fullmatch(label):
        return f"a called shot at {shot[1]}'s {part_name(shot[2])}"
    if test := _TEST.fullmatch(label):
        return f"a test of {test[1]}"
    if aimed := _WITH_TARGET.fullmatch(label):
        return _PHRASES.get(aimed[1], f"an attempt to {aimed[1]} {{}}").replace("{}", aimed[2])
    bare = _NAMES.get(label, label)
    plain = not bare[:1].islower() or bare in _NO_ARTICLE or bare.startswith(("a ", "an ", "the ", "facing ", "keeping "))
    return bare if plain else a(bare)


def part_name(location: str) -> str:
    """A hit location in a sentence: "vital" is the vital part."""
    return "vital part" if location == "vital" else location


def action_name(kind: str) -> str:
    """A kind of action as a noun, as in "the 2x5 for the attack"."""
    return _NAMES.get(kind, kind)


def is_many(group: str) -> bool:
    """Whether the name of a group of mooks is plural: guards, doormen, police."""
    name = group.partition(",")[0]
    return is_plural(name) or name.lower().endswith(("men", "people", "police", "folk"))


def verb(group: str, singular: str, plural: str) -> str:
    """The form of a verb that agrees with the name of a group of mooks: Thug hits, Doormen hit."""
    return plural if is_many(group) else singular


def one_of(group: str) -> str:
    """A single mook of a group: a Thug, one of the Doormen."""
    return f"one of {the(group)}" if is_many(group) or "," in group else a(group)
