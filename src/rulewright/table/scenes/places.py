"""Places as answers at a table: all ground that may be answered, and what one place would mean, for whoever may answer."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Choice, Shape, Where
from rulewright.table import permissions
from rulewright.table.service import Tables


class PlaceShown(Struct, frozen=True, omit_defaults=True):
    """What it would mean to go somewhere: the answer that goes there, how far it is in words, or why it cannot be done."""

    given: str = ""
    tells: tuple[str, ...] = ()
    why_not: str = ""
    template: tuple[tuple[tuple[float, float], ...], ...] = ()
    """What something aimed there covers, by its borders."""


def _where(tables: Tables, table_id: str, member_id: str, scene: int, at: int, mark: str) -> "Where[Any] | None":
    with tables.looking(table_id) as table:
        question = permissions.question(table, table.scene(scene), table.member(member_id), at, mark)
        return question.request.where if isinstance(question.request, Choice) else None


def reach(tables: Tables, table_id: str, member_id: str, scene: int, at: int = 0, mark: str = "") -> Sequence[Shape]:
    """All ground that a question takes as an answer, pace by pace, for whoever may answer it."""
    where = _where(tables, table_id, member_id, scene, at, mark)
    return where.bands() if where is not None else ()


def place(tables: Tables, table_id: str, member_id: str, scene: int, at: int, mark: str, given: str) -> PlaceShown:
    """What a place would mean. Without a pace it is the slowest that gets there, beginning with the usual one."""
    where = _where(tables, table_id, member_id, scene, at, mark)
    if where is None:
        raise UserError("no place is asked for")
    tried = [given] if not given.startswith("@") else [given, *[f"{pace}{given}" for pace in where.paces_by_reach()]]
    refused = ""
    for text in tried:
        try:
            covers = getattr(where, "template", None)
            return PlaceShown(text, where.tells(text), template=covers(text) if covers is not None else ())
        except UserError as error:
            refused = str(error)
    return PlaceShown(why_not=refused)
