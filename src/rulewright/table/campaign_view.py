"""The time between scenes as one member may see it: the clock, dates, tallies, people with what runs on for them, and the last digest."""

from typing import Any

from msgspec import Struct

from rulewright.build.sheet_parts import Tag
from rulewright.campaign.calendar import write_span
from rulewright.campaign.downtime import RUNS, Date, Downtime, Location, Tally, as_known
from rulewright.campaign.downtime_rules import Exertion, Figure, Milestone
from rulewright.campaign.milestones import GENERAL, GeneralMilestone
from rulewright.errors import UserError
from rulewright.table import permissions
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.scenes.downtime import build_downtime, rules_of, scene_of
from rulewright.table.scenes.lasting_results import offered
from rulewright.table.state import Member, Table


class DateShown(Struct, frozen=True):
    """A date, with its day in words."""

    id: str
    on: str
    what: str
    days: str
    hidden: bool = False


class TallyShown(Struct, frozen=True):
    """A tally; `count` is None for a member who does not know how far it has come."""

    id: str
    name: str
    of: int
    count: int | None
    hidden: bool = False


class PersonShown(Struct, frozen=True):
    """A person between scenes: what they do and where, the body in words, and what is due next."""

    character: str
    name: str
    mine: bool
    exertion: str
    location: str
    state: tuple[str, ...]
    """The body in words, and means that have changed."""
    due: tuple[tuple[str, str], ...]


class Became(Struct, frozen=True):
    """What time changed about one person, in words."""

    name: str
    words: tuple[str, ...]


class DigestShown(Struct, frozen=True):
    """The last time that passed: how long, and what came of it for each person."""

    scene: int
    words: str
    people: tuple[Became, ...]
    may_undo: bool = False


class CampaignShown(Struct, frozen=True):
    """The time between scenes of a table as one member may see it."""

    started: bool
    date: str = ""
    time: str = ""
    dates: tuple[DateShown, ...] = ()
    tallies: tuple[TallyShown, ...] = ()
    people: tuple[PersonShown, ...] = ()
    locations: tuple[Location, ...] = ()
    digest: DigestShown | None = None
    trouble: str = ""
    exertions: tuple[Exertion, ...] = ()
    """What people may do while time passes."""


class DowntimeForms(Struct, frozen=True):
    """What the forms of downtime offer in a game."""

    exertions: tuple[Exertion, ...]
    figures: tuple[Figure, ...]
    milestones: tuple[Milestone[Any] | GeneralMilestone, ...]


def forms_of(table: Table) -> DowntimeForms:
    """Returns the options in the forms of downtime at a table."""
    rules = rules_of(table)
    return DowntimeForms(rules.exertions, rules.figures, (*rules.milestones, *GENERAL))


def campaign_shown(table: Table, member: Member) -> CampaignShown:
    """The time between scenes as a member may see it."""
    campaign, leads = table.campaign, permissions.is_gamemaster(member)
    if campaign.calendar is None:
        return CampaignShown(False)
    day, _, time = campaign.calendar.write(campaign.now).rpartition(", ")
    people, trouble = ((), "") if any(not stage.private for stage in table.open_scenes()) else _people(table, member)
    dates = sorted(campaign.dates.items(), key=lambda entry: entry[1].at)
    return CampaignShown(
        True,
        day,
        time,
        tuple(_date(table, key, date) for key, date in dates if (leads or date.known == "everyone") and date.at >= campaign.now),
        tuple(_tally(key, tally, leads) for key, tally in campaign.tallies.items() if leads or tally.known != "gamemaster"),
        people,
        tuple(campaign.locations.values()),
        _digest(table, leads),
        trouble if leads else "",
        rules_of(table).exertions,
    )


def _date(table: Table, key: str, date: Date) -> DateShown:
    assert table.campaign.calendar is not None
    left = date.at - table.campaign.now
    return DateShown(key, table.campaign.calendar.write(date.at), date.what, f"in {write_span(left)}", date.known == "gamemaster")


def _tally(key: str, tally: Tally, leads: bool) -> TallyShown:
    known = leads or tally.known == "everyone"
    return TallyShown(key, tally.name, tally.of, tally.count if known else None, tally.known == "gamemaster")


def present(table: Table) -> tuple[Downtime[Any] | None, dict[str, str], str]:
    """The people of a table as if time passed now, which characters they are, and what is wrong, if anything is."""
    try:
        built = build_downtime(table, PassTime(span="1 second"))
    except UserError as error:
        return None, {}, str(error)
    return built.downtime, built.characters, ""


def _people(table: Table, member: Member) -> tuple[tuple[PersonShown, ...], str]:
    downtime, characters, trouble = present(table)
    if downtime is None:
        return (), trouble
    scene = scene_of(table)
    leads, shown = permissions.is_gamemaster(member), []
    for person in downtime.people:
        mine = table.characters[characters[person.name]].owner == member.id
        who = None if leads else person.name if mine else ""
        view = scene.view(downtime if who is None else as_known(downtime, who), who)
        cards = {card.name: card for card in view.cards}
        body = len(rules_of(table).pieces(table.rules, person.life))
        due = [(piece.name, piece.effect) for piece in cards[person.name].pieces[body:] if isinstance(piece, Tag)]
        character = table.characters[characters[person.name]]
        shown.append(
            PersonShown(
                character.id,
                person.name,
                mine,
                person.exertion or rules_of(table).exertions[0].name,
                person.location,
                (*rules_of(table).in_words(table.rules, person.life), *[f"{amount} {mean}" for mean, amount in person.means]),
                tuple(due),
            )
        )
    return tuple(shown), ""


def _digest(table: Table, leads: bool) -> DigestShown | None:
    """Returns the results of the last downtime; nothing once another scene has begun."""
    if not table.campaign.passed:
        return None
    stage = table.scenes[table.campaign.passed[-1].scene]
    if stage.number != max(table.scenes) or stage.ended is None:
        return None
    offered(table, stage)  # computes the changes
    people = tuple(
        Became(name, tuple(lasts.words for field, lasts in changed.items() if field != RUNS)) for name, changed in stage.changed.items()
    )
    return DigestShown(stage.number, stage.ended.why, tuple(person for person in people if person.words), leads)
