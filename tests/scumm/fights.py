"""People and fights for the tests of combat: everybody average unless told otherwise, dice and decisions from lists."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright.play import Given, Played, script
from rulewright.rules import Ruleset
from rulewright.systems.scumm.combat.fighters import Fight, Fighter, Surroundings, UnderWay, enter
from rulewright.systems.scumm.fight.turns import begin_round, go_on, next_turn
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear, Item
from rulewright.systems.scumm.settings import BOOK

RULES = BOOK.ruleset()
AWAKE = (6, 5)
"""A Health test that keeps anybody on their feet."""
_ATTRIBUTES = ("alertness", "body", "intelligence", "spirit")


def by(**settings: Any) -> Ruleset:
    """The book with some settings, their names written with underscores."""
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def someone(
    name: str = "Ann",
    at: tuple[float, float] = (0.0, 0.0),
    *,
    side: str = "",
    rules: Ruleset = RULES,
    guns: tuple[str, ...] = (),
    melee: tuple[str, ...] = (),
    armor: str | None = None,
    kilograms: float = 0,
    special: dict[str, tuple[str, ...]] | None = None,
    dice: int = 0,
    player: bool = False,
    state: dict[str, Any] | None = None,
    wounds: dict[str, Any] | None = None,
    **levels: int,
) -> Fighter:
    """A fighter, by attributes and skill levels; `state` changes the fighter, `wounds` the body."""
    attributes = Attributes(**{key: value for key, value in levels.items() if key in _ATTRIBUTES})
    skills = {key: value for key, value in levels.items() if key not in _ATTRIBUTES}
    load = (Item("load", kilograms),) if kilograms else ()
    gear = Gear(melee=melee, guns=guns, armor=armor, other=load)
    character = Character(
        name, attributes=attributes, skills=skills, specializations=special or {}, gear=gear, emergency_dice=dice, player=player
    )
    fighter = enter(rules, character, name, side or name, at)
    if wounds:
        fighter = fighter.with_body(replace(fighter.body, **wounds))
    return replace(fighter, **{"acts": 1, **(state or {})})


def fight_of(*fighters: Fighter, **fields: Any) -> Fight:
    """A fight in its first round."""
    fields.setdefault("ground", Surroundings())
    fields.setdefault("round", 1)
    return Fight(fighters=fighters, **fields)


def act(
    fight: Fight,
    name: str,
    *choices: Given,
    faces: Iterable[Sequence[int]] = (),
    rules: Ruleset = RULES,
    turn: UnderWay | None = None,
) -> Played[Fight]:
    """One action of somebody's turn, after the move."""
    return script(go_on(rules, fight, turn or UnderWay(name, 1)), faces, choices)


def take_turn(fight: Fight, *choices: Given, faces: Iterable[Sequence[int]] = (), rules: Ruleset = RULES) -> Played[Fight]:
    """The turn of whoever is next, from the move on."""
    return script(next_turn(rules, fight), faces, choices)


def roll_initiative(fight: Fight, *faces: Sequence[int], choices: Iterable[Given] = (), rules: Ruleset = RULES) -> Fight:
    """A new round."""
    return script(begin_round(rules, fight), faces, choices).outcome


def keys(fight: Fight, name: str, rules: Ruleset = RULES, turn: UnderWay | None = None) -> set[str]:
    """What somebody may do with an action now."""
    from rulewright.systems.scumm.fight.actions.registry import action_options

    return {option.key for option in action_options(rules, fight, fight.fighter(name), turn or UnderWay(name, 1))}


def told(played: Played[Any]) -> list[str]:
    """What the log says."""
    return [event.headline() for event in played.events]


def pools(played: Played[Any]) -> list[tuple[str, int, int]]:
    """Who rolled how many dice with what modifier (0 dice: unskilled)."""
    return [(rolled.roll.by, getattr(rolled.roll.reading, "dice", 0), rolled.roll.reading.modifier) for rolled in played.rolls]
