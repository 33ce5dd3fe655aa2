"""Between scenes and at the end of one: the party, what happened to everybody, and the turning points."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from rulewright.build.experience import log_of
from rulewright.errors import UserError
from rulewright.table.state import Table
from rulewright.table.views import CharacterShown, LogShown, SceneShown, TableShown
from rulewright.web.table.board import Fighter, initials
from rulewright.web.table.log_lines import ROUND, is_headline

MAX_TURNING_POINTS = 6


class Fate(Struct, frozen=True):
    """What happened to a combatant in a scene: the worst condition, if any, its look (good, warn or bad), and a sentence."""

    fighter: Fighter
    word: str
    look: str
    sentence: str


class TurningPoint(Struct, frozen=True):
    """A headline of a scene, with its round and its dice."""

    round: str
    text: str
    dice: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


class Ending(Struct, frozen=True):
    """The summary of a decided scene."""

    winner: str
    why: str
    about: str
    fates: tuple[Fate, ...]
    points: tuple[TurningPoint, ...]


def summarize(scene: SceneShown | None, fighters: Sequence[Fighter], lines: Sequence[LogShown]) -> Ending | None:
    """The summary of a scene; None while it is not decided."""
    if scene is None or scene.result is None or scene.view is None:
        return None
    own = [line for line in lines if line.scene == scene.number and not line.undone]
    fates = tuple(_fate(fighter, own) for fighter in fighters)
    return Ending(scene.result.winner or "", scene.result.why, f"{scene.name} · {scene.view.headline}", fates, _turning_points(own))


def _events(lines: Sequence[LogShown]) -> list[str]:
    return [detail.text for line in lines for detail in line.details if detail.sort == "event" and not detail.undone]


def _fate(fighter: Fighter, lines: Sequence[LogShown]) -> Fate:
    about = [text for text in _events(lines) if re.search(rf"\b{re.escape(fighter.name)}\b", text)]
    notable = [text for text in about if is_headline(text)]
    sentence = (notable or about or [""])[-1]
    hurt = [item.piece.name for item in fighter.tags if getattr(item.piece, "hurt", False) or is_headline(item.piece.name)]
    unharmed = not hurt and (fighter.left is None or fighter.left == 1)
    return Fate(fighter, hurt[0] if hurt else "", "bad" if fighter.out else "good" if unharmed else "warn", sentence)


def _turning_points(lines: Sequence[LogShown]) -> tuple[TurningPoint, ...]:
    """The headlines of a scene, the latest last."""
    points: list[TurningPoint] = []
    now, dice = "", list[tuple[tuple[int, ...], tuple[int, ...]]]()
    for line in lines:
        for detail in line.details:
            if detail.undone:
                continue
            if detail.sort == "roll":
                dice.append((detail.faces, detail.kept))
            elif detail.sort == "decision":
                dice = []
            elif detail.sort == "event":
                begins = ROUND.match(detail.text)
                now = (begins[1] or now) if begins is not None else now
                if is_headline(detail.text) and begins is None:
                    points.append(TurningPoint(now, detail.text, tuple(dice[-2:])))
                    dice = []
    return tuple(points[-MAX_TURNING_POINTS:])


class PartyMember(Struct, frozen=True):
    """A character between scenes: its player, its lasting results, and whether it can be awarded experience."""

    character: CharacterShown
    short: str
    player: str
    colour: int
    gathers: bool


def list_party(seen: TableShown, table: Table) -> tuple[PartyMember, ...]:
    """The characters of the table: those of players first."""
    names = {member.id: member.name for member in seen.members}
    order = [member.id for member in seen.members]
    party = [
        PartyMember(
            character,
            initials(character.name),
            names.get(character.owner, ""),
            order.index(character.owner) % 6 if character.owner in order else 0,
            _gathers(table, character.id),
        )
        for character in seen.characters
    ]
    return tuple(sorted(party, key=lambda member: not member.character.owner))


def _gathers(table: Table, character_id: str) -> bool:
    """Whether a character can be awarded experience."""
    character = table.characters.get(character_id)
    if character is None:
        return False
    try:
        return award_field(character.thing(table.system)) != ""
    except UserError:
        return False


def award_field(thing: Any) -> str:
    """The field of an award that holds the points; empty if this kind of character gains none."""
    log = log_of(type(thing))
    return log.fields("award")[0] if log is not None and "award" in log.entries else ""
