"""Places as answers: the reachable area of a question, and the meaning of one place."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from rulewright.errors import UserError
from rulewright.play import Choice, Shape, Where
from rulewright.table import permissions
from rulewright.table.service import Tables


class PlaceShown(Struct, frozen=True, omit_defaults=True):
    """The meaning of one place: the answer that goes there, descriptions, or why it is not possible."""

    given: str = ""
    tells: tuple[str, ...] = ()
    why_not: str = ""
    template: tuple[tuple[tuple[float, float], ...], ...] = ()
    """The area that something aimed there covers, as outlines."""


def _where(tables: Tables, table_id: str, member_id: str, scene: int, at: int, mark: str) -> "Where[Any] | None":
    with tables.looking(table_id) as table:
        question = permissions.open_question(table, table.scene(scene), table.member(member_id), at, mark)
        return question.request.where if isinstance(question.request, Choice) else None


def reach(tables: Tables, table_id: str, member_id: str, scene: int, at: int = 0, mark: str = "") -> Sequence[Shape]:
    """The area that a question accepts as answers, by pace, for a member who may answer it."""
    where = _where(tables, table_id, member_id, scene, at, mark)
    return where.bands() if where is not None else ()


def place(tables: Tables, table_id: str, member_id: str, scene: int, at: int, mark: str, given: str) -> PlaceShown:
    """Describes a place. Without a pace, the slowest one that gets there is used, starting with the default pace."""
    where = _where(tables, table_id, member_id, scene, at, mark)
    if where is None:
        raise UserError("this question does not ask for a place")
    candidates = [given] if not given.startswith("@") else [given, *[f"{pace}{given}" for pace in where.paces_by_reach()]]
    refusal = ""
    for candidate in candidates:
        try:
            covers = getattr(where, "template", None)
            return PlaceShown(candidate, where.tells(candidate), template=covers(candidate) if covers is not None else ())
        except UserError as error:
            refusal = str(error)
    return PlaceShown(why_not=refusal)
