"""The state of an adventure in play, and what changes it: the closed list of effects, tallies that fill, dates that come."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.adventure.format import Adventure, Effect, Effects, Needs
from rulewright.campaign.calendar import Calendar, calendar_from, read_span
from rulewright.play.cache import cached

MOST_JUMPS = 20
"""How many nodes may be entered at once, one by the effects of another."""


class Story(Struct, frozen=True, cache_hash=True, omit_defaults=True):
    """Where the story is, and what has happened. The adventure itself is no part of it."""

    node: str
    clock: int = 0
    """Seconds since the beginning."""
    clues: tuple[str, ...] = ()
    handouts: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    tallies: tuple[tuple[str, int], ...] = ()
    visited: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    """What cannot be done again, and tallies and dates that have had their effect, each by a key of its own."""
    pending: str = ""
    """The request, fight or stretch of time that is being played: the key of its option."""
    news: tuple[str, ...] = ()
    """What the last step told everybody."""
    award: int = 0
    walked: int = 0
    """The part of the clock that ways, actions and effects took. Requests, fights and stretches of time count their own."""
    steps: int = 0

    def count(self, tally: str) -> int:
        """How far a tally has come."""
        return dict(self.tallies).get(tally, 0)

    @property
    def known(self) -> frozenset[str]:
        """All clues and facts, as `needs` names them."""
        return frozenset((*self.clues, *self.facts))


def calendar_of(adventure: Adventure) -> Calendar:
    """The calendar of an adventure, which begins with the story."""
    return calendar_from(adventure.start.clock)


@cached(256)
def _moment(clock: str, text: str) -> int:
    return calendar_from(clock).read(text)


def moment(adventure: Adventure, text: str) -> int:
    """A date and time of an adventure in seconds since its beginning."""
    return _moment(adventure.start.clock, text)


def begin_story(adventure: Adventure) -> Story:
    """The state in which an adventure begins."""
    return _enter(adventure, Story(adventure.start.node), adventure.start.node, 0)


def is_open(adventure: Adventure, story: Story, needs: Needs, key: str = "") -> bool:
    """Whether something can be done now."""
    return (
        key not in story.done
        and story.known.issuperset(needs.needs)
        and story.known.isdisjoint(needs.unless)
        and (not needs.after or story.clock >= moment(adventure, needs.after))
        and (not needs.before or story.clock < moment(adventure, needs.before))
    )


def span(text: str, usual: str = "") -> int:
    """The seconds of a span of time; of the usual one if it is empty."""
    return read_span(text) if text else read_span(usual) if usual else 0


def happen(adventure: Adventure, story: Story, effects: Effects, jumps: int = 0) -> Story:
    """Apply effects, and then everything that follows: tallies that are full, dates that have come, and the node that is entered."""
    target = ""
    queue = list(effects)
    while queue:
        for effect in queue:
            story = _apply(adventure, story, effect)
            target = effect.go or target
        key, queue = _consequence(adventure, story)
        story = replace(story, done=(*story.done, key)) if key else story
    return _enter(adventure, story, target, jumps) if target else story


def pass_time(story: Story, seconds: int, walked: bool = True) -> Story:
    """The story after some time."""
    return replace(story, clock=story.clock + seconds, walked=story.walked + seconds if walked else story.walked)


def _consequence(adventure: Adventure, story: Story) -> tuple[str, Effects]:
    """The next tally that is full, or date that has come, and its effects; an empty key if there is none."""
    if adventure.nodes[story.node].ending:
        return "", []
    for name, tally in adventure.tallies.items():
        if story.count(name) >= tally.of and f"tally {name}" not in story.done:
            return f"tally {name}", tally.full
    for number, date in enumerate(adventure.dates):
        if story.clock >= moment(adventure, date.on) and f"date {number}" not in story.done:
            news = [Effect(tell=date.what)] if date.known != "gamemaster" else []
            return f"date {number}", [*news, *date.then]
    return "", []


def _apply(adventure: Adventure, story: Story, effect: Effect) -> Story:
    changes: dict[str, Any] = {}
    if effect.reveal and effect.reveal not in story.clues:
        changes = {"clues": (*story.clues, effect.reveal), "news": (*story.news, adventure.clues.get(effect.reveal, effect.reveal))}
    elif effect.show and effect.show not in story.handouts:
        changes = {"handouts": (*story.handouts, effect.show)}
    elif effect.tick:
        tallies = dict(story.tallies)
        tallies[effect.tick] = max(0, min(adventure.tallies[effect.tick].of, story.count(effect.tick) + effect.by))
        changes = {"tallies": tuple(sorted(tallies.items()))}
    elif effect.mark and effect.mark not in story.facts:
        changes = {"facts": (*story.facts, effect.mark)}
    elif effect.passes:
        return pass_time(story, span(effect.passes))
    elif effect.tell:
        changes = {"news": (*story.news, effect.tell)}
    elif effect.award:
        changes = {"award": story.award + effect.award}
    return replace(story, **changes) if changes else story


def _enter(adventure: Adventure, story: Story, key: str, jumps: int) -> Story:
    """The story in a node. What happens on the first visit happens now."""
    first = key not in story.visited
    story = replace(story, node=key, pending="", visited=(*story.visited, key) if first else story.visited)
    if not first or jumps >= MOST_JUMPS:
        return story
    return happen(adventure, story, adventure.nodes[key].enter, jumps + 1)
