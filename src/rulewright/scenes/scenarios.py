"""Scenario files: participants, places, tactics, rules and end, the same for every game; and lasting results of scenes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Struct

from rulewright import grammar
from rulewright.errors import UserError
from rulewright.field.ground import BARE, Ground
from rulewright.field.map_strokes import GroundWords
from rulewright.field.people import Ends
from rulewright.rules import SettingValue, nearest
from rulewright.scenes.record import FIGHT

T = TypeVar("T")
B = TypeVar("B", bound=Struct)


OfSide = Annotated[str, msgspec.Meta(extra={"words": "side"})]
"""The name of a side in the description of a place."""


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """A participant: a character file (next to the scenario) or the name of a ready-made character."""

    character: str
    name: str = ""
    count: int = 1
    at: tuple[float, float] | None = None
    tactic: str = ""
    state: dict[str, Any] = {}
    """Differences from a fresh start, by the game's own fields: wounds, ammunition, posture, awareness."""


class Demo(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as a demo for guests: the side that they play, the minutes that it takes, and hints on the way."""

    seat: str = ""
    """The first side by default."""
    minutes: int = 0
    players: str = ""
    """For how many players it is, if for more than one."""
    hints: tuple[str, ...] = ()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene ready to be played, solved or sampled."""

    system: str
    kind: str
    name: str
    sides: dict[str, list[Member]]
    about: str = ""
    scene: str = FIGHT
    """The game's kind of scene: a fight, or another one."""
    preset: str | None = None
    settings: dict[str, SettingValue] = {}
    house: str = ""
    place: dict[str, Any] = {}
    """The game's own description of the place: light, an ambush, gravity."""
    map: Ground | str | None = None
    """The map: walls, covers, terrain; or the name of a file of the kind `map`."""
    tactics: dict[str, str] = {}
    """The tactic of each side; a member's own takes precedence."""
    rounds: int = 50
    """A longer scene ends without a winner."""
    ends: Ends = "to the end"
    """How a fight ends: when one side cannot act, also when people withdraw or surrender, or by the objectives of the place."""
    first: bool = False
    """Whether this is the game's first demo for guests."""
    demo: Demo = Demo()
    """How guests play it."""

    @property
    def seat(self) -> str:
        """The side that a guest plays."""
        return self.demo.seat if self.demo.seat in self.sides else next(iter(self.sides))

    @property
    def participants(self) -> int:
        """How many take part."""
        return sum(member.count for members in self.sides.values() for member in members)

    @property
    def minutes(self) -> int:
        """How many minutes a guest needs, roughly."""
        return self.demo.minutes or min(5 + 5 * round(self.participants / 3), 30)

    def ground(self, kind: type[T]) -> T:
        """The place in the game's own type."""
        try:
            return msgspec.convert(self.place, kind)
        except msgspec.ValidationError as error:
            from rulewright.files import explain

            raise UserError(f"place: {explain(error, self.place, kind)}") from None

    def map_understood(self, words: GroundWords) -> Ground:
        """The map, after checking that the game knows every word in it; bare ground if the scenario has none."""
        if isinstance(self.map, str):
            raise UserError(f"map: the file {self.map} was not loaded")
        return self.map.understood(words.terrains, words.covers, words.lights) if self.map is not None else BARE


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A map in a file of its own, for scenarios to refer to."""

    system: str
    kind: str
    name: str
    map: Ground
    about: str = ""


class Placed(Struct, frozen=True):
    """A member with their character, ready to start."""

    character: Any
    name: str
    side: str
    at: tuple[float, float] | None
    state: dict[str, Any]

    def started(self, data: Any, kind: type[T]) -> T:
        """A fighter of the game's own type, from plain data that includes the state."""
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            from rulewright.files import explain

            raise UserError(f"{self.name}: state: {explain(error, data, kind)}") from None

    @classmethod
    def coming(cls, newcomer: Any, side: str) -> "Placed":
        """A newcomer, as a bare character or with a state of their own."""
        return newcomer if isinstance(newcomer, Placed) else cls(newcomer, newcomer.name, side, None, {})


CONDITION = "condition"
"""The field of a saved character with lasting results of scenes, by field of a member's state."""


def left_by_scenes(body: B, condition: Mapping[str, Any], check: Callable[[B], B]) -> tuple[B, dict[str, str]]:
    """A body with the lasting results of scenes (`condition`), and for those that do not fit, the reason."""
    from rulewright.files import set_at

    refused: dict[str, str] = {}
    for field, value in condition.items():
        try:
            body = check(msgspec.convert(set_at(msgspec.to_builtins(body), field, value), type(body)))
        except (UserError, msgspec.ValidationError) as error:
            refused[field] = str(error)
    return body, refused


# --- what outlasts a scene ----------------------------------------------------------------------------------------------------


class Lasts(Struct, frozen=True):
    """A lasting result: the value of one field of a member's state, as plain data, and a description."""

    value: Any
    words: str


counted = grammar.count
"""A number with its noun: no wounds, 1 wound, 2 wounds."""

agrees = grammar.agree
"""A name with the form of the verb that agrees with it: red wins, the raiders win."""


def numbered(names: Sequence[str]) -> list[str]:
    """Names made unique: knife, knife 2."""
    number_by_name: dict[str, int] = {}
    """How often each name has occurred, by the names given so far."""
    for name in names:
        unique, number = name, number_by_name.get(name, 0)
        while unique in number_by_name:
            number += 1
            unique = f"{name} {number}"
        number_by_name[unique], number_by_name[name] = number_by_name.get(unique, 1), max(1, number)
    return list(number_by_name)


def by_place(field: str, lists: Mapping[str, Sequence[str]]) -> str:
    """A field of a member's state with a name replaced by its index: `ammo.pistol` is `ammo.2` if the third weapon is a pistol.

    `lists` says which fields are lists, and the names of their entries. Indices stay as they are.
    """
    head, _, rest = field.partition(".")
    if head not in lists or not rest:
        return field
    names = numbered(lists[head])
    for name in sorted(names, key=len, reverse=True):
        if rest == name or rest.startswith(f"{name}."):
            return f"{head}.{names.index(name)}{rest.removeprefix(name)}"
    if rest.partition(".")[0].isdecimal():  # after the names, because a 7.62 rifle begins with a number too
        return field
    raise UserError(f"{head}: unknown name {rest!r}{nearest(rest, names)}")
