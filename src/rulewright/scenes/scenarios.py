"""Scenario files: who meets whom, where they stand, how they decide, by which rules, and when it ends. The same for every game.

And what somebody takes from one scene into the next, in the same words: the `state` of a member.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.field.ground import BARE, Ground
from rulewright.field.map_strokes import GroundWords
from rulewright.rules import SettingValue, nearest
from rulewright.scenes.record import FIGHT

T = TypeVar("T")
B = TypeVar("B", bound=Struct)


OfSide = Annotated[str, msgspec.Meta(extra={"words": "side"})]
"""The name of a side in what a scenario says of the place."""


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody on a side: a character file (beside the scenario) or the name of a ready-made one."""

    character: str
    name: str = ""
    count: int = 1
    at: tuple[float, float] | None = None
    tactic: str = ""
    state: dict[str, Any] = {}
    """What is different from a fresh start, by the game's own fields: wounds, ammunition, posture, awareness."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A scene ready to be played, solved or sampled."""

    system: str
    kind: str
    name: str
    sides: dict[str, list[Member]]
    about: str = ""
    scene: str = FIGHT
    """Which of the game's scenes it is: a fight, or what else the game offers."""
    preset: str | None = None
    settings: dict[str, SettingValue] = {}
    house: str = ""
    place: dict[str, Any] = {}
    """What the game itself knows of the place: light, an ambush, gravity."""
    map: Ground | str | None = None
    """The ground: its walls, covers, terrain, or the name of a file of the kind `map` that holds it."""
    tactics: dict[str, str] = {}
    """The tactic of each side; a member's own goes before it."""
    rounds: int = 50
    """Nobody wins a scene that goes on for longer."""
    first: bool = False
    """Whether a guest who asks for a demo of the game gets this one."""

    def ground(self, kind: type[T]) -> T:
        """The place as the game knows places."""
        try:
            return msgspec.convert(self.place, kind)
        except msgspec.ValidationError as error:
            from rulewright.files import explain

            raise UserError(f"place: {explain(error, self.place, kind)}") from None

    def map_understood(self, words: GroundWords) -> Ground:
        """The ground, if every word in it is one of the game's; bare where the scenario has none."""
        if isinstance(self.map, str):
            raise UserError(f"map: {self.map} has not been opened")
        return self.map.understood(words.terrains, words.covers, words.lights) if self.map is not None else BARE


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Ground that is kept by itself, for scenarios to name."""

    system: str
    kind: str
    name: str
    map: Ground
    about: str = ""


class Placed(Struct, frozen=True):
    """A member with the file behind it, ready for the game to begin with."""

    character: Any
    name: str
    side: str
    at: tuple[float, float] | None
    state: dict[str, Any]

    def started(self, data: Any, kind: type[T]) -> T:
        """Somebody of the game's own kind, from plain data that took in the state."""
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            raise UserError(f"{self.name}: state: {error}") from None

    @classmethod
    def coming(cls, newcomer: Any, side: str) -> "Placed":
        """Somebody who comes in later, as the file alone or with a state of their own."""
        return newcomer if isinstance(newcomer, Placed) else cls(newcomer, newcomer.name, side, None, {})


CONDITION = "condition"
"""The field of a saved character in which scenes leave what outlasts them, by the fields of a member's state."""


def left_by_scenes(body: B, condition: Mapping[str, Any], check: Callable[[B], B]) -> tuple[B, dict[str, str]]:
    """A body with what scenes left of it (`condition`), as far as there can be such a one; and of what does not fit, why not."""
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
    """What outlasts a scene: the value of one field of a member's state, as plain data, and the same in words."""

    value: Any
    words: str


def counted(number: int, text: str, many: str = "") -> str:
    """So many of a thing: no wounds, 1 wound, 2 wounds."""
    return f"{number or 'no'} {text if number == 1 else many or text + 's'}"


def agrees(name: str, text: str, many: str) -> str:
    """A verb that agrees with the name of a side: red wins, the raiders win. Names in -s are many, unless they end in -ss or -us."""
    last = name.split()[-1].lower() if name.split() else ""
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return f"{name} {many if plural else text}"


def numbered(names: Sequence[str]) -> list[str]:
    """Names of which none comes twice: knife, knife 2."""
    number_by_name: dict[str, int] = {}
    """How often each name has come, by the names given so far."""
    for name in names:
        alone, number = name, number_by_name.get(name, 0)
        while alone in number_by_name:
            number += 1
            alone = f"{name} {number}"
        number_by_name[alone], number_by_name[name] = number_by_name.get(alone, 1), max(1, number)
    return list(number_by_name)


def by_place(field: str, lists: Mapping[str, Sequence[str]]) -> str:
    """A field of a member's state with the place of what it names: `ammo.pistol` is `ammo.2` of somebody whose third weapon is a pistol.

    `lists` says which fields are lists, and what their entries are called. Places written as numbers stay.
    """
    head, _, rest = field.partition(".")
    if head not in lists or not rest:
        return field
    names = numbered(lists[head])
    for name in sorted(names, key=len, reverse=True):
        if rest == name or rest.startswith(f"{name}."):
            return f"{head}.{names.index(name)}{rest.removeprefix(name)}"
    if rest.partition(".")[0].isdecimal():  # after the names: a 7.62 rifle begins with a number too
        return field
    raise UserError(f"{head}: there is no {rest!r}{nearest(rest, names)}")
