"""Options that several commands share: the rules to play by, dice, and JSON output."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from rulewright.errors import UserError

if TYPE_CHECKING:
    from rulewright.play import Dice
    from rulewright.rules import Ruleset
    from rulewright.system import System

F = TypeVar("F", bound=Callable[..., Any])


def as_json(command: F) -> F:
    """Add `--json`."""
    return click.option("--json", "json_wanted", is_flag=True, help="Print JSON, for other programs.")(command)


class By(NamedTuple):
    """The options that choose the rules."""

    preset: str | None = None
    settings: tuple[str, ...] = ()
    house: str | None = None

    @property
    def chosen(self) -> dict[str, str]:
        """The settings by name."""
        return pairs(self.settings, "--set")

    def rules(self, system: "System") -> "Ruleset":
        """The chosen rules."""
        if self == By():
            return system.book.ruleset()
        from rulewright import library

        return library.ruleset(system, self.preset, self.chosen, self.house)


def campaign(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--preset`, `--set` and `--house`; the command gets them as one argument `by`."""

    @click.option("--preset", metavar="NAME", help="Use a preset of settings; see `rulewright systems`.")
    @click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Change a setting; repeatable.")
    @click.option("--house", metavar="FILE", help="Use a house-rules file.")
    @wraps(command)
    def gathered(*args: Any, preset: str | None, settings: tuple[str, ...], house: str | None, **given: Any) -> Any:
        return command(*args, by=By(preset, settings, house), **given)

    return gathered


def dice_given(command: F) -> F:
    """Add `--dice` and `--seed`; without them dice are random."""
    command = click.option("--seed", type=int, metavar="N", help="Repeat the same random dice.")(command)
    return click.option("--dice", metavar="FACES", help="Use the faces of real dice: 2,6,4 or, for two rolls, 2,6,4/3,5.")(command)


def pairs(given: tuple[str, ...], what: str) -> dict[str, str]:
    """Parse `name=value` arguments; raises UserError for other text and for a name given twice."""
    result: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UserError(f"write {what} as name=value, not {text!r}")
        name = name.strip()
        if name in result:
            raise UserError(f"{name} is given twice; give it once")
        result[name] = value
    return result


def dice_from(dice: str | None, seed: int | None) -> "Dice":
    """The dice: given faces, seeded, or random."""
    from rulewright.play import Entropy, ScriptedFaces, Seeded
    from rulewright.show.replies import faces

    if dice is not None and seed is not None:
        raise UserError("give either --dice or --seed, not both")
    if dice is not None:
        return ScriptedFaces(faces(dice))
    return Entropy() if seed is None else Seeded(seed)


def say(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def emit(data: object) -> None:
    """Print JSON, with the standard library: weights can exceed 64 bits."""
    import json

    click.echo(json.dumps(data, ensure_ascii=False, indent=2))
