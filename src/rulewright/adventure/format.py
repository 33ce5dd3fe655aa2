"""The format of adventures: `adventure.yaml`, with everything that it may say. Texts, people, maps and scenes are files beside it."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from rulewright.campaign.downtime import Known
from rulewright.campaign.roll_request import Join, Manner, WantedTest
from rulewright.rules import SettingValue

MAIN = "adventure.yaml"
"""The file that every adventure has."""
ADVENTURE = "adventure"
"""The kind of this file, and of the scene that plays it."""

Span = str
"""A span of time, such as 10 min or 3 weeks."""
OUTCOMES = ("won", "lost", "drawn", "fled")
"""How a fight ends for the party: drawn if nobody won, fled if the party withdrew."""
LONGEST_DATE = 120
"""The most characters of what happens on a date: the table keeps it as one line of its calendar."""
VERDICTS = ("success", "draw", "failure")
"""How a request ends."""

Text = Annotated[str, msgspec.Meta(description="Text in Markdown, or the name of a file that ends in .md.")]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that happens. Exactly one field says what; `by` belongs to `tick`."""

    reveal: str = ""
    """A clue that the players now know."""
    show: str = ""
    """A handout that the players now see."""
    tick: str = ""
    """A tally that counts on."""
    by: int = 1
    mark: str = ""
    """A fact of the story that later needs may ask for. Players do not see it."""
    passes: str = msgspec.field(default="", name="pass")
    """A span of time that passes."""
    tell: str = ""
    """A sentence for everybody."""
    award: int = 0
    """Experience for each of the party, noted for the end."""
    go: str = ""
    """The node where the story goes on."""

    def named(self) -> list[str]:
        """The names of the fields that say what happens."""
        return [name for name in KINDS_OF_EFFECT if getattr(self, name)]


KINDS_OF_EFFECT = ("reveal", "show", "tick", "mark", "passes", "tell", "award", "go")
"""The closed list of effects, by field."""
Effects = list[Effect]


class Needs(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When something is open: all clues and facts of `needs`, none of `unless`, and a time of day of the story."""

    needs: list[str] = []
    unless: list[str] = []
    after: str = ""
    """A date and time from which it is open."""
    before: str = ""
    """A date and time until which it is open."""


class Way(Needs, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A way from one node to another."""

    to: str
    label: str = ""
    """The words of the choice; by default the name of the node."""
    takes: Span = ""
    """How long it takes; by default the pace of the adventure."""
    then: Effects = []


class Action(Needs, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that the party can do without a roll: pay, wait, tell somebody what they know."""

    do: str
    text: Text = ""
    """What happens, to be read aloud."""
    takes: Span = ""
    again: bool = False
    """Whether it can be done more than once."""
    then: Effects = []


class Request(Needs, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A roll request: who is asked for which tests, against what, and what follows from each verdict."""

    request: str
    tests: list[WantedTest]
    text: Text = ""
    """The situation in words, to be read aloud."""
    of: Literal["one", "everybody"] = "one"
    """Whether one of the party tries it (the table says who), or all of them roll."""
    joined: Join = "any"
    manner: Manner = "open"
    takes: Span = ""
    again: bool = False
    """Whether it can be tried again after a failure."""
    hard: str = ""
    """Why the chances may lie outside 5 to 95 %."""
    then: dict[str, Effects] = {}
    """Effects by verdict: success, draw, failure."""


class Fight(Needs, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A scenario that is played as a scene, and what follows from its end."""

    scenario: str
    """A scenario file. Its side `party` has a place for each of the party."""
    label: str = ""
    then: dict[str, Effects] = {}
    """Effects by result: won, lost, drawn, fled."""


class Stretch(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stretch of time between scenes: wounds heal, and what runs on comes due."""

    passes: str = msgspec.field(name="pass")
    label: str = ""
    then: Effects = []


class Node(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A node of the story: a place and moment with something to decide, or an ending."""

    name: str
    read: Text
    """To be read aloud."""
    lead: Text = ""
    """For the gamemaster alone: who wants what here."""
    otherwise: Text = ""
    """Advice for the gamemaster if the party does something else."""
    here: list[str] = []
    """The people who are here, by their names in `people`."""
    map: str = ""
    """A map, by its name in `maps`."""
    enter: Effects = []
    """What happens on the first visit."""
    actions: list[Action] = []
    requests: list[Request] = []
    fight: Fight | None = None
    downtime: Stretch | None = None
    ways: list[Way] = []
    ending: str = ""
    """The name of the ending, if the story ends here."""
    at: tuple[float, float] | None = None
    """The place of its card in the editor."""


class Handout(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that the players can hold: a letter, a list, a picture."""

    title: str
    text: Text = ""
    picture: str = ""


class StoryTally(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A count towards an event."""

    of: int
    known: Known = "everyone"
    full: Effects = []


class StoryDate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that happens at a time, whatever the party does."""

    on: str
    what: str
    known: Known = "everyone"
    then: Effects = []


class Start(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first node, and the date and time at which the story begins."""

    node: str
    clock: str = ""


class Adventure(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An adventure: what a newcomer needs to lead an evening, or to play it alone."""

    system: str
    kind: Literal["adventure"]
    name: str
    about: str
    """Two or three sentences for somebody who chooses an adventure. They give nothing away."""
    ready: list[str]
    """The ready-made characters: files of the folder."""
    start: Start
    nodes: dict[str, Node]
    players: str = "2-4"
    hours: float = 3
    lead: Text = ""
    """Help for somebody who has never led: what this is about, who wants what, how to run it."""
    about_safety: str = ""
    """What the story touches, for those who decide who may play it."""
    pace: Span = "5 min"
    """How long a way or an action takes, unless it says so itself."""
    preset: str = ""
    settings: dict[str, SettingValue] = {}
    people: dict[str, str] = {}
    """Everybody else, by name: files of the folder, or ready-made characters of the game."""
    maps: dict[str, str] = {}
    clues: dict[str, str] = {}
    """The clues, by name, with the words that the players get."""
    handouts: dict[str, Handout] = {}
    tallies: dict[str, StoryTally] = {}
    dates: list[StoryDate] = []

    @property
    def least(self) -> int:
        """The smallest number of players."""
        first = self.players.partition("-")[0].strip()
        return max(1, int(first)) if first.isdecimal() else 1


def effect_lists(adventure: Adventure) -> Iterator[tuple[tuple[Any, ...], Effects]]:
    """Every list of effects of an adventure, with its field."""
    for name, tally in adventure.tallies.items():
        yield ("tallies", name, "full"), tally.full
    for number, date in enumerate(adventure.dates):
        yield ("dates", number, "then"), date.then
    for key, node in adventure.nodes.items():
        yield ("nodes", key, "enter"), node.enter
        for number, action in enumerate(node.actions):
            yield ("nodes", key, "actions", number, "then"), action.then
        for number, way in enumerate(node.ways):
            yield ("nodes", key, "ways", number, "then"), way.then
        for number, request in enumerate(node.requests):
            for verdict, effects in request.then.items():
                yield ("nodes", key, "requests", number, "then", verdict), effects
        if node.fight is not None:
            for outcome, effects in node.fight.then.items():
                yield ("nodes", key, "fight", "then", outcome), effects
        if node.downtime is not None:
            yield ("nodes", key, "downtime", "then"), node.downtime.then
