"""A table begins from a campaign file, and is saved as one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from rulewright import campaign_people, files, library
from rulewright.campaign.activities.plan_text import Around, read_assignment
from rulewright.campaign.calendar import Calendar
from rulewright.campaign.campaign_file import CAMPAIGN, CampaignCalendar, CampaignDate, CampaignFile, CampaignTally, PersonPlan
from rulewright.campaign.downtime import Assignment, Date, Tally, Value
from rulewright.errors import UserError, all_of
from rulewright.grammar import join
from rulewright.rules import House, Ruleset, nearest
from rulewright.scenes.scenarios import numbered
from rulewright.system import System
from rulewright.table import limits, links
from rulewright.table.additions import Additions
from rulewright.table.campaign_state import Plan
from rulewright.table.commands.characters import ready_made
from rulewright.table.commands.messages import AskForRoll
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log.lines import Line, chained
from rulewright.table.scenes.downtime import location_of
from rulewright.table.state import HOST, Table
from rulewright.table.storage import store

MOST_BYTES = 4_000_000
"""The largest campaign file."""


def new_table(kept: library.Kept) -> Table:
    """A table in memory that nothing has happened at yet, for a campaign file."""
    hosted = e.Hosted(limits.name(kept.thing.name), kept.system.id, "Gamemaster")
    return Table(links.table_id(), chained("", [Line(1, store.now(), HOST, hosted)]))


def read_campaign(text: str, system: System | None = None) -> tuple[library.Kept, list[Any]]:
    """A campaign file and its people from a text, without any files beside it; an error for another game."""
    if len(text.encode()) > MOST_BYTES:
        raise UserError(f"a campaign file has at most {MOST_BYTES // 1_000_000} MB")
    kept = library.opened(files.parse(text, "the campaign"), "the campaign")
    refuse_other(kept, system)
    game = kept.system
    return kept, library.campaign_people(kept, lambda name: ready_made(game, name, *game.kinds).thing)


def refuse_other(kept: library.Kept, system: System | None = None) -> None:
    """Refuses a file that is no campaign, or one for another game."""
    if kept.kind != CAMPAIGN:
        raise kept.document.wrong(("kind",), f"a campaign file is needed here, and this is {kept.kind}")
    if system is not None and kept.system.id != system.id:
        raise kept.document.wrong(("system",), f"this campaign is for {kept.system.name}; the table plays {system.name}")


def begun_from(table: Table, kept: library.Kept, people: list[Any]) -> list[e.Change]:
    """The changes that lay a campaign file into a table. An error names every fault of the file."""
    return _Beginning(table, kept, people).changes()


class _Beginning:
    """Reads a campaign file into changes, and collects its faults."""

    def __init__(self, table: Table, kept: library.Kept, characters: list[Any]) -> None:
        self.table, self.file, self.document, self.characters = table, kept.thing, kept.document, characters
        self.game = campaign_people.rules_of(kept.system)
        self.added = Additions(table)
        self.faults: list[UserError] = []
        self.names = numbered([str(character.name) for character in characters])
        self.ids: dict[str, str] = {}
        self.rules = table.rules

    @contextmanager
    def _at(self, *field: str | int) -> Iterator[None]:
        """Collects the fault of a field instead of raising it."""
        try:
            yield
        except UserError as error:
            self.faults.append(self.document.wrong(field, str(error)))

    def changes(self) -> list[e.Change]:
        file: CampaignFile = self.file
        self._house(file)
        calendar = self._calendar(file)
        self.added.refuse_too_many(len(self.characters))
        for name, character in zip(self.names, self.characters, strict=True):
            self.ids[name] = self.added.character(character, name in file.hidden)
        for number, name in enumerate(file.hidden):
            with self._at("hidden", number):
                self._character(name)
        for name, figures in file.locations.items():
            with self._at("locations", name):
                self.added.changes.append(c.LocationSet(location_of(self.game, limits.name(name, "name of the location"), dict(figures))))
        self._plans(file)
        self._time(file, calendar)
        for name, data in file.requests.items():
            with self._at("requests", name):
                self.added.changes.append(c.RequestKept(limits.name(name, "name of the request", 120), self._request(data)))
        if self.faults:
            raise all_of(self.faults)
        return self.added.changes

    def _house(self, file: CampaignFile) -> None:
        if not (file.preset or file.settings or file.tables):
            return
        with self._at("settings" if file.settings else "preset" if file.preset else "tables"):
            settings = library.typed(self.table.system, file.settings)
            self.rules = _ruleset(self.table, file)
            self.added.changes.append(e.HouseChanged(file.preset, settings, file.tables))

    def _calendar(self, file: CampaignFile) -> Calendar:
        try:
            if self.table.campaign.calendar is not None:
                raise UserError("this table has a clock already; begin a campaign at a new table")
            calendar = file.calendar.read()
        except UserError as error:
            self.faults.append(self.document.wrong(("calendar",), str(error)))
            return Calendar(undated=True)
        self.added.changes.append(c.ClockStarted(calendar))
        return calendar

    def _character(self, name: str) -> str:
        if name not in self.ids:
            there = nearest(name, self.ids) or f"; there are {join(self.names) or 'none'}"
            raise UserError(f"there is nobody {name[:40]!r} in this campaign{there}")
        return self.ids[name]

    def _plans(self, file: CampaignFile) -> None:
        exertions = [exertion.name for exertion in self.game.exertions]
        for name, plan in file.plans.items():
            with self._at("plans", name):
                character_id = self._character(name)
                if plan.at and plan.at not in file.locations:
                    raise UserError(f"there is no location {plan.at[:40]!r}{nearest(plan.at, file.locations)}")
                if plan.exertion and plan.exertion not in exertions:
                    raise UserError(f"there is no exertion {plan.exertion[:40]!r}; choose one of {join(exertions, 'or')}")
                usual = plan.exertion if plan.exertion != exertions[0] else ""
                self.added.changes.append(c.PlanMade(character_id, usual, plan.at, self._doing(file, name, plan)))
        for name, runs in file.effects.items():
            with self._at("effects", name):
                unknown = [run.of for run in runs if self.game.kind(run.of) is None]
                if unknown:
                    raise UserError(f"this game has no ongoing effect {unknown[0][:40]!r}")
                hidden = tuple(msgspec.structs.replace(run, known=run.known or ()) for run in runs)
                self.added.changes.append(c.SecretEffects(self._character(name), hidden))

    def _doing(self, file: CampaignFile, name: str, plan: PersonPlan) -> tuple[Assignment, ...]:
        scene = campaign_people.scene_of(self.table.system, self.rules)
        character = self.characters[self.names.index(name)]
        others = [other for other in self.names if other != name]
        around = campaign_people.around(self.table.system, self.rules, character, others, file.locations)
        return tuple(read_line(self.rules, scene.activities, line, around) for line in plan.doing)

    def _time(self, file: CampaignFile, calendar: Calendar) -> None:
        for number, date in enumerate(file.dates):
            with self._at("dates", number):
                at = calendar.read(date.on)
                if at <= 0:
                    raise UserError(f"{calendar.write(at)} is not after the beginning, {calendar.write(0)}")
                known = "gamemaster" if date.known == "exists" else date.known
                self.added.changes.append(
                    c.DateSet(self.added.fresh("e"), Date(at, limits.name(date.what, "name of the date", 120), known))
                )
        for number, tally in enumerate(file.tallies):
            with self._at("tallies", number):
                counted = Tally(limits.name(tally.name, "name of the tally", 120), tally.of, tally.count, tally.known)
                self.added.changes.append(c.TallySet(self.added.fresh("y"), counted.checked()))

    def _request(self, data: dict[str, Any]) -> dict[str, Any]:
        """A roll request with the ids of people in place of their names."""
        named = {**data}
        for field in ("of", "opponents"):
            if field in named:
                named[field] = [self._character(str(name)) for name in named[field]]
        if named.get("opponent"):
            named["opponent"] = self._character(str(named["opponent"]))
        try:
            request: dict[str, Any] = msgspec.to_builtins(msgspec.convert(named, AskForRoll))
        except msgspec.ValidationError as error:
            raise UserError(f"this is no roll request: {error}") from None
        return request


def _ruleset(table: Table, file: CampaignFile) -> Ruleset:
    return table.system.book.ruleset(file.preset or None, library.typed(table.system, file.settings), House({}, file.tables))


def read_line(rules: Ruleset, activities: Any, line: dict[str, Value], around: Around) -> Assignment:
    """One activity of a plan as a file writes it: `do`, `hours`, and its arguments."""
    given = {name: value for name, value in line.items() if name not in ("do", "hours")}
    hours = line.get("hours")
    if hours is not None and type(hours) is not int:
        raise UserError(f"hours are a whole number, not {str(hours)[:40]!r}")
    if not line.get("do"):
        raise UserError("say what is done: do: NAME OF THE ACTIVITY")
    return read_assignment(rules, activities, str(line["do"]), given, hours, around)


# --- saving -------------------------------------------------------------------------------------------------------------------


def campaign_data(table: Table) -> dict[str, Any]:
    """A table as a campaign file that begins now, as plain data; an error for a table without a clock."""
    campaign = table.campaign
    if campaign.calendar is None:
        raise UserError("this table has no clock yet; start one first")
    names = dict(zip(table.characters, numbered([character.name for character in table.characters.values()]), strict=True))
    calendar, now = campaign.calendar, campaign.now
    file = CampaignFile(
        table.system.id,
        "campaign",
        table.name,
        [_person(table, character_id) for character_id in table.characters],
        preset=table.house.preset,
        settings=table.house.settings,
        tables=table.house.tables,
        calendar=CampaignCalendar.of(calendar, now),
        hidden=[names[character.id] for character in table.characters.values() if character.hidden],
        locations={place.name: dict(place.figures) for place in campaign.locations.values()},
        plans={names[key]: written_plan(campaign.plan(key)) for key in names if campaign.plan(key) != Plan()},
        effects={names[key]: list(runs) for key, runs in campaign.secrets.items() if runs and key in names},
        dates=[CampaignDate(calendar.write(date.at), date.what, date.known) for date in campaign.dates.values() if date.at > now],
        tallies=[CampaignTally(tally.name, tally.of, tally.count, tally.known) for tally in campaign.tallies.values()],
        requests={name: _named(request, names) for name, request in campaign.requests.items()},
    )
    return files.ordered(file)


def _person(table: Table, character_id: str) -> dict[str, Any]:
    character = table.characters[character_id]
    return files.ordered(character.thing(table.system))


def written_plan(plan: Plan) -> PersonPlan:
    """A plan as a campaign file has it."""
    doing: list[dict[str, Value]] = []
    for line in plan.doing:
        written: dict[str, Value] = {"do": line.do, **dict(line.given)}
        doing.append({**written, "hours": line.hours} if line.hours is not None else written)
    return PersonPlan(plan.location, plan.exertion, doing)


def _named(request: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A kept roll request with names in place of ids."""
    named = {field: value for field, value in request.items() if value not in ("", 0, [], (), {}, None)}
    for field in ("of", "opponents"):
        if field in named:
            named[field] = [names[key] for key in named[field] if key in names]
    if "opponent" in named:
        named["opponent"] = names.get(named["opponent"], "")
    return named


def campaign_text(table: Table) -> str:
    """A table as the text of a campaign file."""
    return files.stamped(files.render(campaign_data(table)))
