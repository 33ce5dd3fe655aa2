"""What people may see of a story. The gamemaster sees everything; players see what was read to them, what they know and what they hold."""

from msgspec import Struct

from rulewright.adventure.format import Adventure, Handout
from rulewright.adventure.scene import Offered, offers, outcomes
from rulewright.adventure.story import Story, calendar_of, moment


class TallyShown(Struct, frozen=True):
    """A tally; the count is None if only its existence is known."""

    name: str
    of: int
    count: int | None
    hidden: bool = False


class DateShown(Struct, frozen=True):
    """A date that is still to come."""

    when: str
    what: str
    hidden: bool = False


class Secrets(Struct, frozen=True):
    """What only the gamemaster sees of a node and of the adventure."""

    lead: str
    otherwise: str
    help: str
    clues: dict[str, str]
    """The clues that the players do not have yet."""
    handouts: dict[str, Handout]
    """The handouts that the players have not seen yet."""
    facts: tuple[str, ...]


class StoryShown(Struct, frozen=True):
    """The story as one person may see it."""

    name: str
    node: str
    title: str
    read: str
    news: tuple[str, ...]
    now: str
    here: tuple[str, ...]
    clues: tuple[str, ...]
    handouts: tuple[Handout, ...]
    tallies: tuple[TallyShown, ...]
    dates: tuple[DateShown, ...]
    offers: tuple[Offered, ...]
    """What can be done now, for those who decide it."""
    pending: str
    outcomes: tuple[str, ...]
    ending: str
    award: int
    map: str = ""
    secrets: Secrets | None = None


def show_story(adventure: Adventure, story: Story, leads: bool = False, decides: bool = True) -> StoryShown:
    """The story for a player, or for the gamemaster. `decides` shows what can be done."""
    node = adventure.nodes[story.node]
    calendar = calendar_of(adventure)
    tallies = tuple(
        TallyShown(name, tally.of, story.count(name) if leads or tally.known == "everyone" else None, tally.known == "gamemaster")
        for name, tally in adventure.tallies.items()
        if leads or tally.known != "gamemaster"
    )
    dates = tuple(
        DateShown(calendar.write(moment(adventure, date.on)), date.what, date.known != "everyone")
        for date in adventure.dates
        if (leads or date.known == "everyone") and moment(adventure, date.on) > story.clock
    )
    return StoryShown(
        name=adventure.name,
        node=story.node,
        title=node.name,
        read=node.read,
        news=story.news,
        now=calendar.write(story.clock),
        here=tuple(node.here),
        clues=tuple(adventure.clues.get(clue, clue) for clue in story.clues),
        handouts=tuple(adventure.handouts[name] for name in story.handouts),
        tallies=tallies,
        dates=dates,
        offers=tuple(offers(adventure, story)) if decides and not story.pending else (),
        pending=story.pending,
        outcomes=outcomes(adventure, story) if story.pending and leads else (),
        ending=node.ending,
        award=story.award,
        map=node.map,
        secrets=_secrets(adventure, story) if leads else None,
    )


def _secrets(adventure: Adventure, story: Story) -> Secrets:
    node = adventure.nodes[story.node]
    return Secrets(
        node.lead,
        node.otherwise,
        adventure.lead,
        {name: words for name, words in adventure.clues.items() if name not in story.clues},
        {name: handout for name, handout in adventure.handouts.items() if name not in story.handouts},
        story.facts,
    )


def leaks(adventure: Adventure, story: Story) -> list[str]:
    """What a player's view shows although it is for the gamemaster alone."""
    shown = show_story(adventure, story)
    text = "\n".join([shown.read, *shown.news, *shown.clues, *[f"{handout.title}\n{handout.text}" for handout in shown.handouts]])
    names = [tally.name for tally in shown.tallies] + [date.what for date in shown.dates] + [offer.label for offer in shown.offers]
    hidden = _secrets(adventure, story)
    leaked = [words for words in (hidden.lead, hidden.otherwise, hidden.help, *hidden.clues.values()) if words and words in text]
    leaked += [handout.title for handout in hidden.handouts.values() if handout.text and handout.text in text]
    secret = [name for name, tally in adventure.tallies.items() if tally.known == "gamemaster"]
    secret += [date.what for date in adventure.dates if date.known != "everyone" and date.what not in shown.news]
    return leaked + [name for name in secret if name in names]
