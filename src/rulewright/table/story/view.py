"""An adventure as one member of the table may see it."""

from msgspec import Struct

from rulewright.adventure.view import StoryShown, show_story
from rulewright.errors import UserError
from rulewright.table import permissions
from rulewright.table.state import Member, Table
from rulewright.table.story.party import PersonChance, chances_of, party_of
from rulewright.table.story.state import TableStory


class StoryAtTable(Struct, frozen=True):
    """The story, whether this member leads it, and who can try each request."""

    shown: StoryShown
    leads: bool
    """Whether this member chooses: the gamemaster, or without one every player."""
    solo: bool
    playing: int = 0
    """The scene that the story waits for; 0 if there is none."""
    may_undo: bool = False
    chances: dict[str, tuple[PersonChance, ...]] = {}
    """Who can try each request, by the key of its option."""
    together: tuple[str, ...] = ()
    """The keys of the requests that everybody rolls for."""
    texts: dict[str, str] = {}
    """The situation of each request in words, by the key of its option."""
    unclaimed: tuple[tuple[str, str], ...] = ()
    """The ready-made characters that nobody plays: id and name."""
    here: tuple[tuple[str, str], ...] = ()
    """Who is here: the name, and for the gamemaster the id of the character."""
    map: str = ""
    """The id of the map of this place, if the table has it."""
    ready: bool = True
    """Whether the party can act: without a gamemaster somebody has to play one of its characters."""


def map_of(table: Table, story: TableStory) -> str:
    """The id of the map of the place where the story is; empty if there is none."""
    map_id = story.change.maps.get(story.adventure.nodes[story.story.node].map, "")
    return map_id if map_id in table.maps else ""


def story_at_table(table: Table, member: Member) -> StoryAtTable | None:
    """The story for a member; None if there is none."""
    story = table.story
    if story is None:
        return None
    gamemaster = permissions.is_gamemaster(member)
    leads = gamemaster or (story.solo and member.role == "player")
    shown = show_story(story.adventure, story.story, leads=gamemaster, decides=leads)
    node = story.adventure.nodes[story.story.node]
    chances: dict[str, tuple[PersonChance, ...]] = {}
    requests = {offer.key: node.requests[offer.number] for offer in shown.offers if offer.kind == "request"}
    for key, request in requests.items():
        try:
            chances[key] = chances_of(table, story, request, gamemaster)
        except UserError:
            chances[key] = ()
    ready = [table.characters[key] for key in story.change.ready if key in table.characters]
    return StoryAtTable(
        shown,
        leads,
        story.solo,
        story.playing,
        leads and not story.story.pending and story.encounter.undoable,
        chances,
        tuple(key for key, request in requests.items() if request.of == "everybody"),
        {key: request.text for key, request in requests.items() if request.text},
        tuple((character.id, character.name) for character in ready if not character.owner),
        tuple((name, story.change.people.get(name, "") if gamemaster else "") for name in shown.here),
        map_of(table, story),
        not story.solo or any(character.owner for character in party_of(table, story)),
    )
