"""Lines of a table's log: a change with its number, time and checksum, as they are stored."""

from functools import reduce
from hashlib import blake2b
from operator import or_

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log import map_entries as m
from rulewright.table.story import entries as s
from rulewright.version import __version__

ROOMS = (e, m, c, s)
"""Modules that define kinds of changes; importing them registers the kinds."""
CHANGES_THE_PAST = (
    e.MemberRenamed,
    e.CharacterShown,
    e.CharacterRemoved,
    e.NoteWritten,
    e.NoteRemoved,
    e.Cleared,
    e.SceneResumed,
    e.RoleChanged,
    e.HandedOver,
)
"""Changes after which the text of earlier lines may differ."""


class Line(Struct, frozen=True):
    """A change with its number, its time (UTC, microseconds since 1970), its author, and a checksum over itself and all lines before."""

    seq: int
    at: int
    who: str
    change: e.Change
    key: str | None = None
    version: str = __version__
    check: str = ""
    size: int = 0
    """Size of the stored change in bytes."""


encode = msgspec.json.Encoder(order="deterministic").encode
_decoder: msgspec.json.Decoder[e.Change] = msgspec.json.Decoder(reduce(or_, e.Change.__subclasses__()), strict=True)


def decode(body: bytes | str, where: str) -> e.Change:
    """Decodes a stored change; the error names `where` it was found."""
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise UserError(f"{where} cannot be read by Rulewright {__version__}: {error}") from None


def check_of(before: str, seq: int, at: int, who: str, version: str, body: bytes) -> str:
    """The checksum of a line, chained to the checksum of the line before."""
    head = f"{before}\n{seq}\n{at}\n{who}\n{version}\n".encode()
    return blake2b(head + body, digest_size=12).hexdigest()


def digest(body: bytes) -> str:
    """The id of a picture: a hash of its bytes."""
    return blake2b(body, digest_size=16).hexdigest()


def chained(before: str, lines: "list[Line]") -> "list[Line]":
    """The lines with their checksums, following a line with checksum `before`."""
    sealed = []
    for line in lines:
        body = encode(line.change)
        before = check_of(before, line.seq, line.at, line.who, line.version, body)
        sealed.append(msgspec.structs.replace(line, check=before, size=len(body)))
    return sealed
