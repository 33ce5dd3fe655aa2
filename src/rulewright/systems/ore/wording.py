"""Phrases for the log and for questions: actions with their targets, sets, and groups of mooks.

>>> [action_phrase(kind, "Thug") for kind in ("attack", "trip", "treat")]
['an attack on Thug', 'an attempt to trip Thug', 'first aid for Thug']
>>> action_phrase("called shot", "Ana", "head"), action_phrase("run"), action_phrase("skill", skill="stealth")
("a called shot at Ana's head", 'run', 'a test of stealth')
>>> with_article("run"), with_article("an attack on Ana"), with_article("Contusion"), with_article("exertion")
('a run', 'an attack on Ana', 'Contusion', 'exertion')
>>> [one_of(name) for name in ("Thug", "Doormen", "Guards, group 2")]
['a Thug', 'one of the Doormen', 'one of the Guards, group 2']
"""

from functools import lru_cache

from rulewright.grammar import a, is_plural, the

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
}
"""Kinds of actions that are nouns, or that "to" cannot introduce, with their target."""
_NO_ARTICLE = frozenset(("exertion", "evasive manoeuvres", "first aid", "closing in", "suppressive fire", "riot control"))
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
}


@lru_cache(maxsize=5_000)
def action_phrase(kind: str, target: str = "", location: str = "", skill: str = "") -> str:
    """An action with its target, as in "5 dice for an attack on Thug"; an action without either is its bare kind."""
    if kind == "called shot" and target:
        return f"a called shot at {target}'s {location}" if location else f"a called shot at {target}"
    if target:
        return _PHRASES.get(kind, f"an attempt to {kind} {{}}").format(target)
    return f"a test of {skill}" if skill else kind


def action_name(kind: str) -> str:
    """A kind of action as a noun, as in "the 2x5 for the attack"."""
    return _NAMES.get(kind, kind)


def with_article(what: str) -> str:
    """What dice are rolled for, with an article where it is a bare kind of action; names of powers have none."""
    bare = what and what[0].islower() and not what.startswith(("a ", "an ", "the ")) and " and " not in what and " for " not in what
    return a(what) if bare and what not in _NO_ARTICLE and not what.endswith("ing") and " the " not in what else what


def is_many(group: str) -> bool:
    """Whether the name of a group of mooks is plural: guards, doormen, police."""
    name = group.partition(",")[0]
    return is_plural(name) or name.lower().endswith(("men", "people", "police", "folk"))


def verb(group: str, one: str, many: str) -> str:
    """The form of a verb that agrees with the name of a group of mooks: Thug hits, Doormen hit."""
    return many if is_many(group) else one


def one_of(group: str) -> str:
    """A single mook of a group: a Thug, one of the Doormen."""
    return f"one of {the(group)}" if is_many(group) or "," in group else a(group)
