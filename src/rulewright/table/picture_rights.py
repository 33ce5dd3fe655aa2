"""Who may see a picture of a table, and who may name one.

A member sees the pictures of the notes, characters and maps that they may see. Naming a picture in a note, as a portrait or under a map
shows it to others, so only members who may see it themselves can name it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from rulewright.errors import UserError
from rulewright.field.placement import painted
from rulewright.table import permissions, views
from rulewright.table.commands import messages as a
from rulewright.table.commands.messages import Action
from rulewright.table.scenes.veiled_pictures import ground_under
from rulewright.table.state import Member, Table
from rulewright.table.story.messages import StartStory

DIGEST = re.compile(r"[0-9a-f]{32}")
IN_TEXT = re.compile(r"picture:([0-9a-f]{32})")
"""How a note refers to a picture."""
_IN_DATA = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_WITH_MAPS = (a.KeepMap, a.Draw, a.BeginScene, a.KeepDraft)


def _in_notes(table: Table, member: Member) -> Iterator[str]:
    for note in table.notes.values():
        if views.may_read(note, member):
            yield from IN_TEXT.findall(note.text)


def _of_characters(table: Table, member: Member) -> Iterator[str]:
    for character in table.characters.values():
        if character.picture and views.may_know(character, member):
            yield character.picture


def _under_maps(table: Table, member: Member) -> Iterator[str]:
    """Pictures under the maps of scenes, while nothing on them is hidden; and for the gamemaster under prepared maps."""
    is_gamemaster = permissions.is_gamemaster(member)
    for stage in table.open_scenes():
        ground, changes = ground_under(stage)
        if ground is not None and ground.picture is not None and (is_gamemaster or not painted(ground, changes)):
            yield ground.picture.file
    if is_gamemaster:
        yield from (kept_map.ground.picture.file for kept_map in table.maps.values() if kept_map.ground.picture is not None)


SOURCES: list[Callable[[Table, Member], Iterable[str]]] = [_in_notes, _of_characters, _under_maps]
"""Sources of pictures; each yields those that a member may see."""


def seen(table: Table, member: Member) -> set[str]:
    """The digests of the pictures in everything a member may see."""
    return {picture for source in SOURCES for picture in source(table, member)}


def named(action: Action) -> set[str]:
    """The digests of the pictures that an action names."""
    if isinstance(action, a.WriteNote):
        return set(IN_TEXT.findall(action.text))
    if isinstance(action, a.PictureCharacter):
        return {action.picture} if action.picture else set()
    if isinstance(action, StartStory):
        return set(action.pictures.values())
    return set(_IN_DATA.findall(msgspec.json.encode(action).decode())) if isinstance(action, _WITH_MAPS) else set()


def refuse_unseen(table: Table, member: Member, action: Action, owners: "Callable[[], Collection[tuple[str, str]]]") -> None:
    """Raises an error if an action names a picture that the member may not see. `owners` lists the stored pictures with their owners.

    A map may name a picture that is not stored here, because it may come from another table.
    """
    unseen = named(action) - seen(table, member)
    if not unseen:
        return
    stored = owners()
    unseen -= {digest for digest, owner in stored if owner == member.id}
    if isinstance(action, _WITH_MAPS):
        unseen &= {digest for digest, _ in stored}
    if unseen:
        raise UserError(f"there is no picture {min(unseen)[:40]}, or you may not see it; upload it, or name one that you may see")
