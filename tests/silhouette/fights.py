"""People and fights for the tests of combat: everybody average unless told otherwise, dice and decisions from lists."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright.play import Given, Play, Played, Player, Seeded, script
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.entrants import enter
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter, Ground, UnderWay
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY
from rulewright.systems.silhouette.fight.actions.registry import action_options
from rulewright.systems.silhouette.fight.luck import swayed
from rulewright.systems.silhouette.fight.tactics import TACTICS
from rulewright.systems.silhouette.fight.turns import begin_round, begin_turn, carry_on, go_on, next_turn
from rulewright.systems.silhouette.lab_view.batch_rounds import Rounds
from rulewright.systems.silhouette.people.characters import ATTRIBUTES, Character, Gear
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()
AWAKE = (6, 5)
"""A Health test that keeps anybody on their feet."""
_SKILLS = {"hand_to_hand": "hand-to-hand", "zero_g": "zero-g"}


def by(**settings: Any) -> Ruleset:
    """The book with some settings, their names written with underscores."""
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def someone(
    name: str = "Ann",
    at: tuple[float, float] = (0.0, 0.0),
    *,
    side: str = "",
    rules: Ruleset = RULES,
    weapons: tuple[str, ...] = (),
    armor: str | None = None,
    shield: str | None = None,
    complexity: dict[str, int] | None = None,
    special: dict[str, tuple[str, ...]] | None = None,
    perks: tuple[Trait, ...] = (),
    dice: int = 0,
    state: dict[str, Any] | None = None,
    wounds: dict[str, Any] | None = None,
    **levels: int,
) -> Fighter:
    """A fighter, by attributes and skill levels; `state` changes the fighter, `wounds` the body."""
    attributes = {key: value for key, value in levels.items() if key in ATTRIBUTES}
    skills = {_SKILLS.get(key, key.replace("_", " ")): value for key, value in levels.items() if key not in ATTRIBUTES}
    character = Character(
        name,
        attributes=attributes,
        skills=skills,
        complexity=complexity or {},
        specializations=special or {},
        perks=perks,
        gear=Gear(weapons=weapons, armor=armor, shield=shield),
        emergency_dice=dice,
    )
    fighter = enter(rules, character, name, side or name, at)
    if wounds:
        fighter = fighter.with_body(rules, replace(fighter.body, **wounds))
    return replace(fighter, **(state or {}))


def fight_of(*fighters: Fighter, **fields: Any) -> Fight:
    """A fight in its first round."""
    fields.setdefault("ground", Ground())
    fields.setdefault("round", 1)
    fields.setdefault("swayed", any(f.body.genre or f.fortune != ORDINARY for f in fighters))
    return Fight(fighters=fighters, **fields)


def step(rules: Ruleset, fight: Fight, played: Callable[[Fight], Play[Fight]]) -> Play[Fight]:
    """A step as the scene plays it: with luck and Genre Points where there are any."""
    return swayed(rules, fight, played) if fight.swayed else played(fight)


def _to_the_end_of_an_action(rules: Ruleset, fight: Fight, begun: Callable[[Fight], Play[Fight]]) -> Play[Fight]:
    fight = yield from step(rules, fight, begun)
    while fight.todo:
        fight = yield from step(rules, fight, lambda fight: carry_on(rules, fight))
    return fight


def _to_the_end_of_a_turn(rules: Ruleset, fight: Fight, begun: Callable[[Fight], Play[Fight]]) -> Play[Fight]:
    fight = yield from _to_the_end_of_an_action(rules, fight, begun)
    while fight.turn is not None:
        turn = fight.turn
        fight = yield from _to_the_end_of_an_action(rules, fight, lambda fight, turn=turn: go_on(rules, fight, turn))
    return fight


def act(
    fight: Fight, name: str, *choices: Given, faces: Iterable[Sequence[int]] = (), rules: Ruleset = RULES, turn: UnderWay | None = None
) -> Played[Fight]:
    """One action of somebody's turn, after the move."""
    return script(_to_the_end_of_an_action(rules, fight, lambda fight: go_on(rules, fight, turn or UnderWay(name))), faces, choices)


def take_turn(fight: Fight, *choices: Given, faces: Iterable[Sequence[int]] = (), rules: Ruleset = RULES, of: str = "") -> Played[Fight]:
    """The whole turn of whoever is next, or of somebody, from its plan on."""

    def begun(fight: Fight) -> Play[Fight]:
        return begin_turn(rules, fight, of) if of else next_turn(rules, fight)

    return script(_to_the_end_of_a_turn(rules, fight, begun), faces, choices)


def roll_initiative(fight: Fight, *faces: Sequence[int], choices: Iterable[Given] = (), rules: Ruleset = RULES) -> Fight:
    """A new round."""
    return script(step(rules, fight, lambda fight: begin_round(rules, fight)), faces, choices).outcome


def keys(fight: Fight, name: str, rules: Ruleset = RULES, turn: UnderWay | None = None) -> set[str]:
    """What somebody may do with an action now."""
    return {option.key for option in action_options(rules, fight, fight.fighter(name), turn or UnderWay(name))}


def told(played: Played[Any]) -> list[str]:
    """What the log says."""
    return [event.headline() for event in played.events]


def pools(played: Played[Any]) -> list[tuple[str, int, int]]:
    """Who rolled how many dice with what modifier (0 dice: unskilled)."""
    return [(rolled.roll.by, getattr(rolled.roll.reading, "dice", 0), rolled.roll.reading.modifier) for rolled in played.rolls]


class Asked(Exception):
    """A walk asks for a part that nobody has answered yet."""


class Answers(Player):
    """Luck that answers the parts of a walk one after the other with what is given."""

    def __init__(self, decide, given=()):
        super().__init__(Seeded(0), decide)
        self.given = iter(given)

    def learned(self, part):
        return None

    def sub(self, part):
        for answer in self.given:
            return answer
        raise Asked(part)


def walked(scene, fight, decide):
    """The walk of a lab as far as it goes in a round, as a procedure that asks for each of its parts."""
    given = []
    while True:
        rounds, state = Rounds(scene.rules, Answers(decide, given)), fight
        try:
            while (after := rounds(state, fight.round)) is not state:
                state = after
            return state
        except Asked as asked:
            given.append((yield asked.args[0]))


def left_alone(scene, fight):
    """Whether the lab leaves the next turn to the whole fight: no part of it can be shown by itself."""
    return next(walked(scene, fight, TACTICS["fencer"]), None) is None
