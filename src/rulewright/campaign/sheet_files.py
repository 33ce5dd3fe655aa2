"""Sheets as text in the state of downtime: what abilities, experience and means follow from while time passes."""

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from rulewright.build.experience import log_of
from rulewright.play.cache import cached
from rulewright.scenes.scenarios import CONDITION

C = TypeVar("C")


def written_sheet(character: Any) -> str:
    """A character as JSON, without what scenes left."""
    return msgspec.json.encode(replace(character, **{CONDITION: {}})).decode()


@cached(128)
def _read(file: str, kind: Any) -> Any:
    return msgspec.json.decode(file, type=kind) if file else kind("somebody")


def read_sheet(file: str, kind: type[C]) -> C:
    """The character whose sheet was written; a nameless one where there is none."""
    character: C = _read(file, kind)
    return character


def with_entries(file: str, kind: type[Any], *entries: Any) -> str:
    """A sheet whose log of experience has these entries too, so that nothing is paid twice before the file is read again."""
    log = log_of(kind)
    if log is None or not file:
        return file
    character = read_sheet(file, kind)
    return written_sheet(replace(character, **{log.field: (*getattr(character, log.field), *entries)}))
