"""Actions for the time between scenes: clock, locations, dates, tallies, plans, and letting time pass."""

from msgspec import field

from rulewright.campaign.calendar import Month
from rulewright.campaign.downtime import Known, Value
from rulewright.table.commands.messages import Action, AskForRoll


class BeginCampaign(Action, frozen=True, tag="begin campaign"):
    """Lays a campaign file into a table without a clock: its people, locations, plans, dates and tallies. `yaml` is its text.

    People are ready-made characters of the game, or whole characters in place; files beside it cannot be read here.
    """

    yaml: str


class StartClock(Action, frozen=True, tag="start clock"):
    """Starts the clock at a date: 3 March 1931 20:00. Without one only days are counted.

    `months` and `week` describe a calendar of one's own. A later start changes the calendar, but not the time that has passed.
    """

    start: str = ""
    months: tuple[Month, ...] = ()
    week: tuple[str, ...] = ()
    weekday: int = 0


class SetLocation(Action, frozen=True, tag="set location"):
    """Adds a location or changes it. `figures` are those that the game declares, such as medical aid."""

    name: str
    figures: dict[str, Value]


class RemoveLocation(Action, frozen=True, tag="remove location"):
    """Removes a location."""

    name: str


class SetDate(Action, frozen=True, tag="set date"):
    """Notes that something happens on a date."""

    on: str
    what: str
    known: Known = "everyone"


class RemoveDate(Action, frozen=True, tag="remove date"):
    """Removes a date."""

    date: str


class SetTally(Action, frozen=True, tag="set tally"):
    """Begins a tally that counts up to a number."""

    name: str
    of: int
    known: Known = "everyone"


class CountTally(Action, frozen=True, tag="count tally"):
    """Changes the count of a tally."""

    tally: str
    by: int = 1


class RemoveTally(Action, frozen=True, tag="remove tally"):
    """Removes a tally."""

    tally: str


class MakePlan(Action, frozen=True, tag="make plan"):
    """Says what a character does while time passes, and where. An empty exertion is rest."""

    character: str
    exertion: str = ""
    location: str = ""


class PlanActivity(Action, frozen=True, tag="plan activity"):
    """Adds an activity to a character's plan, or changes it, with its arguments in words: {"aim": "the ledger", "unit": "1 day"}.

    `hours` a day are the activity's own, unless given; 24 means in one go.
    """

    character: str
    activity: str
    given: dict[str, Value]
    hours: int | None = None


class DropActivity(Action, frozen=True, tag="drop activity"):
    """Takes an activity out of a character's plan. Its progress is kept."""

    character: str
    activity: str
    aim: str = ""


class BeginEffect(Action, frozen=True, tag="begin effect"):
    """Begins an ongoing effect of a character, such as a drug or an illness, with its arguments. Hidden ones show in no player's view."""

    character: str
    effect: str
    given: dict[str, Value]
    hidden: bool | None = None


class EndEffect(Action, frozen=True, tag="end effect"):
    """Ends an ongoing effect of a character."""

    character: str
    effect: str
    about: str = ""


class GenerateNote(Action, frozen=True, tag="generate note"):
    """Rolls on one of the game's tables for gamemasters and keeps the result as a note. What is not given is rolled."""

    generator: str
    given: dict[str, Value] = field(default_factory=dict)


class PassTime(Action, frozen=True, tag="pass time"):
    """Lets time pass for everybody: for a span (3 weeks), until a date, or until a character (or everybody) reaches a milestone.

    Time stops early if somebody reaches a milestone that stops it, such as death, and on dates that everybody knows, unless `stops` is off.
    Players answer for their characters; with `tactics` the usual answers are given for everybody.
    """

    span: str = ""
    until: str = ""
    milestone: str = ""
    who: str = ""
    stops: bool = True
    tactics: bool = False
    about: str = ""
    """What the milestone is about, if it needs it: an activity, a location, an amount."""
    stop_for: tuple[str, ...] | None = None
    """What stops the time, in place of the usual: date, dying, illness, money, finished, asked, or a milestone such as dead. With asked
    no length is needed: time passes until somebody has to roll or decide.
    """


class KeepRequest(Action, frozen=True, tag="keep request"):
    """Keeps a roll request under a name, to ask it later."""

    name: str
    request: AskForRoll


class ForgetRequest(Action, frozen=True, tag="forget request"):
    """Removes a kept roll request."""

    name: str


class TurnBack(Action, frozen=True, tag="turn back"):
    """Undoes the last time that passed, with all its consequences."""
