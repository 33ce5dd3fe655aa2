"""The log as text: one entry per line, as one member may read it."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import seen_to_change
from rulewright.field.map_strokes import seen_changes
from rulewright.grammar import count, join
from rulewright.play import Event, Rolled
from rulewright.rules.reasons import Reason
from rulewright.scenes.encounter import Decided, Logged
from rulewright.scenes.record import Answered, Overruled, Redone, Undone
from rulewright.table import permissions
from rulewright.table.campaign_state import AnyCampaignChange
from rulewright.table.log import entries as e
from rulewright.table.log.campaign_entries import EffectsKept, ExperienceLearnt, TimeTurnedBack
from rulewright.table.log.campaign_text import campaign_text, effects_text, moment_text, without_idle_moments
from rulewright.table.log.entries import Fell
from rulewright.table.log.lines import Line
from rulewright.table.log.map_entries import DraftKept, MapKept, MapNamed
from rulewright.table.log.told import readable, retold
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Member, Table
from rulewright.table.story.entries import StoryBegun, StoryLeft, StoryPlayed
from rulewright.table.views import (
    NOBODY,
    Detail,
    LogShown,
    Marks,
    concerns,
    discreet,
    hidden_combatants,
    may_know,
    may_notice,
    may_open,
    may_read,
    scene_view,
    sees,
    viewers_of,
)

MOST_CHANGES = 6
"""How many changes of an edit are described."""


def log(table: Table, member: Member, marks: Marks, after: int = 0, before: int | None = None, most: int | None = None) -> list[LogShown]:
    """The entries between two line numbers that a member may see, oldest first; with `most`, only the latest ones."""
    entries: list[LogShown] = []
    scenes: dict[int, _SceneLog] = {}
    lines = table.lines[after : before - 1 if before is not None else None]
    for line in reversed(lines):
        if most is not None and len(entries) >= most:
            break
        shown = _line(table, member, line, scenes)
        if shown is not None:
            entries.append(replace(shown, mark=marks(line.seq)))
    entries.reverse()
    return entries


def reached(table: Table, member: Member) -> int:
    """The number of the last line that this member may notice: how far they know the table."""
    scenes: dict[int, _SceneLog] = {}
    return next((line.seq for line in reversed(table.lines) if concerns(table, member, line) and _tells(table, member, line, scenes)), 0)


def _tells(table: Table, member: Member, line: Line, scenes: "dict[int, _SceneLog]") -> bool:
    """Whether a line shows anything to a member; actions of hidden combatants do not."""
    return not isinstance(line.change, e.Played) or _line(table, member, line, scenes) is not None


class _SceneLog:
    """The log of a scene, by entry of its record."""

    def __init__(self, table: Table, stage: Stage, member: Member) -> None:
        self.stage = stage
        self._table = table
        self._told: dict[int, dict[int, str]] = {}
        """The sentences as they were told, by entry and identity of the line."""
        self.numbers = {seq: number for number, seq in enumerate(stage.seqs)}
        self.viewers: tuple[str | None, ...] = (NOBODY,)
        self.replays = False
        self.lines: dict[int, list[Logged]] = {}
        self.visible: Callable[[str], bool] = lambda who: False
        self.hidden: tuple[str, ...] = ()
        self.hidden_names = hidden_combatants(table, stage, member)
        """Combatants that the gamemaster hides; the log calls them somebody."""
        try:
            encounter = stage.encounter
        except Exception:  # an old scene that this version does not replay: only what was told is known
            return
        self.replays = True
        self.viewers = viewers_of(table, stage, member)
        self.visible = sees(stage, self.viewers, scene_view(stage, self.viewers, self.hidden_names))
        names = [name for side in encounter.scene.sides(encounter.state).values() for name in side]
        self.hidden = tuple(name for name in names if not self.visible(name))
        for logged in encounter.log:
            self.lines.setdefault(logged.entry, []).append(logged)

    def text_of(self, line: Logged) -> str:
        """A line as text. Of an edit, everybody reads what they can see of it, and the reason, unless it names somebody hidden."""
        what = line.what
        if not isinstance(what, Overruled):
            return self.discreet(self._as_told(line))
        why = what.why if not any(name in what.why for name in self.hidden) else ""
        seen = self._seen_to_change(line)
        if why and seen.startswith(why):
            why = ""
        return f"edits the scene{f' ({why})' if why else ''}{f': {seen}' if seen else ''}"

    def _as_told(self, line: Logged) -> str:
        """A line in the words in which it was told."""
        if line.entry not in self._told:
            lines = self.lines[line.entry]
            change = self._table.lines[self.stage.seqs[line.entry] - 1].change
            words = change.told if isinstance(change, e.Played | e.SceneBegun) else ()
            self._told[line.entry] = {id(other): text for other, text in zip(lines, retold(words, lines), strict=True)}
        return self._told[line.entry][id(line)]

    def _seen_to_change(self, line: Logged) -> str:
        """Describes what these viewers see of an edit, in the game's words; only the first changes of many."""
        if line.states is None:
            return ""
        before, after = (scene_view(self.stage, self.viewers, self.hidden_names, state) for state in line.states)
        sentences = [
            f"{who} {words}" if who and words.startswith("is ") else f"{who}: {words}" if who else words
            for who, words in seen_to_change(before, after)
        ]
        if before.field is not None and after.field is not None:
            sentences += seen_changes(before.field, after.field)
        return "; ".join(sentences[:MOST_CHANGES]) + ("; …" if len(sentences) > MOST_CHANGES else "")

    def discreet(self, text: str) -> str:
        """A sentence without the names of hidden combatants."""
        return discreet(text, self.hidden_names)

    def without_hidden_names(self, detail: Detail) -> Detail:
        """A detail without the names of hidden combatants, including its sums."""
        if not self.hidden_names:
            return detail
        words = {name: self.discreet(getattr(detail, name)) for name in ("text", "who", "asked", "answer")}
        return replace(detail, reasons=tuple(self._discreet_sum(reason) for reason in detail.reasons), **words)

    def _discreet_sum(self, reason: Reason) -> Reason:
        value = self.discreet(reason.value) if isinstance(reason.value, str) else reason.value
        return replace(reason, label=self.discreet(reason.label), value=value, terms=tuple(map(self._discreet_sum, reason.terms)))

    def seen(self, number: int) -> list[Logged]:
        """The parts of an entry that these viewers may see."""
        return [line for line in self.lines.get(number, []) if self._sees(line)]

    def passed(self, number: int) -> list[Logged]:
        """The parts of an entry of downtime that these viewers may see, with those after hidden dice, so that nobody notices the dice."""
        lines = self.seen(number)
        while self.continues(number + 1):
            number += 1
            lines += self.seen(number)
        return without_idle_moments(lines)

    def continues(self, number: int) -> bool:
        """Whether an entry of downtime only goes on after an automatic answer that these viewers may not know of."""
        if not 0 < number < len(self.stage.seqs):
            return False
        change = self._table.lines[self.stage.seqs[number] - 1].change
        automatic = isinstance(change, e.Played) and change.auto and isinstance(change.entry, Answered)
        return automatic and not any(isinstance(line.what, Rolled | Decided) for line in self.seen(number))

    def _sees(self, line: Logged) -> bool:
        if self.viewers == (None,):
            return not line.hidden_from(None)
        if all(line.hidden_from(who) for who in self.viewers):
            return False
        if line.known_to is not None:
            return True
        if isinstance(line.what, Overruled) and not line.what.why and not self._seen_to_change(line):
            return False
        actor = line.what.roll.by if isinstance(line.what, Rolled) else line.what.who if isinstance(line.what, Decided) else ""
        return self.visible(actor)


def _line(table: Table, member: Member, line: Line, scenes: dict[int, _SceneLog]) -> LogShown | None:
    """A line as a member may see it; None if it is not for them."""
    change = line.change
    by = table.members.get(line.who)
    base = LogShown("", line.at, line.who, by.name if by is not None else "", "", "")
    if isinstance(change, e.Played | e.SceneBegun | e.SceneEnded) and not may_notice(table.scenes[change.scene], member):
        return None
    if isinstance(change, e.Played | e.SceneBegun):
        if change.scene not in scenes:
            scenes[change.scene] = _SceneLog(table, table.scenes[change.scene], member)
        return _played(table, member, line.seq, change, base, scenes[change.scene])
    words = _text_of(table, member, line)
    if words is None:
        return None
    sort, text, details, secret = words
    scene = getattr(change, "scene", 0)
    entry = replace(base, sort=sort, text=text, details=details, secret=secret, scene=scene)
    if isinstance(change, e.Said | e.Tested) and change.to:
        name = _names(table)
        entry = replace(entry, to=tuple(name(candidate) for candidate in change.to))
    return entry


def _played(table: Table, member: Member, seq: int, change: e.Played | e.SceneBegun, base: LogShown, scene: _SceneLog) -> LogShown | None:
    number = scene.numbers.get(seq)
    entry = number if number and permissions.is_gamemaster(member) else None
    if number is None or not scene.replays:  # dropped when the scene resumed from a snapshot, or nothing of it replays
        return _as_stored(member, change, base, scene)
    if scene.stage.downtime and scene.continues(number):
        return None
    seen = scene.passed(number) if scene.stage.downtime else scene.seen(number)
    typed = seq in scene.stage.typed
    calendar = table.campaign.calendar
    texts = [moment_text(calendar, logged, scene.text_of(logged)) for logged in seen]
    details = tuple(scene.without_hidden_names(_detail(table, logged, text, typed)) for logged, text in zip(seen, texts, strict=True))
    if isinstance(change, e.SceneBegun):
        about = (Detail("event", change.about),) if change.about else ()
        details = (*about, *details, *_unfit(table, member, change))
        text = f"asks for a roll: {change.begun.name}" if scene.stage.requested else f"{change.begun.name} begins"
        text = change.begun.name if scene.stage.downtime else text
        return replace(base, sort="scene begun", text=text, details=details, scene=change.scene)
    if isinstance(change.entry, Undone | Redone):
        return _undone_text(base, scene, number, isinstance(change.entry, Redone))
    if not seen:
        return None
    if change.why and permissions.is_gamemaster(member):
        details = (*details, Detail("event", change.why, tone="soft", secret=True))
    text = next((detail.text for detail in details if detail.sort in ("decision", "overrule")), details[0].text)
    undone = all(detail.undone for detail in details)
    secret = permissions.is_gamemaster(member) and all(detail.secret for detail in details)
    shown = replace(base, sort="play", text=text, details=details, scene=change.scene, entry=entry, undone=undone, secret=secret)
    return replace(shown, for_name=_answered_for(table, scene.stage, base.by, change))


def _as_stored(member: Member, change: e.Played | e.SceneBegun, base: LogShown, scene: _SceneLog) -> LogShown | None:
    """A line that does not replay in this version, with its stored sentences."""
    words = readable(change, permissions.is_gamemaster(member), scene.hidden_names)
    details = tuple(Detail("event", text) for text in words)
    if isinstance(change, e.SceneBegun):
        about = (Detail("event", change.about),) if change.about else ()
        return replace(base, sort="scene begun", text=f"{change.begun.name} begins", details=(*about, *details), scene=change.scene)
    return replace(base, sort="play", text=words[0], details=details, scene=change.scene) if words else None


def _answered_for(table: Table, stage: Stage, by: str, change: e.Played) -> str:
    """The name of the player for whom the gamemaster answered; empty otherwise."""
    if change.auto or not isinstance(change.entry, Answered):
        return ""
    asked = table.decides(stage, change.entry.by)
    return table.members[asked].name if asked != by and asked in table.members and table.members[asked].role == "player" else ""


def _unfit(table: Table, member: Member, change: e.SceneBegun) -> Iterator[Detail]:
    """Lasting results that no longer fitted, for members who may open the sheet."""
    for character in (*table.characters.values(), *table.gone.values()):
        words = change.unfit.get(character.id)
        if words and may_open(character, member):
            yield Detail("event", f"{character.name} begins without results that no longer fit: {join(words)}")


def _undone_text(base: LogShown, scene: _SceneLog, number: int, redo: bool) -> LogShown | None:
    """An undo or redo, with the parts that these viewers could see; None if they could see nothing."""
    turned = [line for other in scene.stage.turned.get(number, []) for line in scene.seen(other)]
    if not turned:
        return None
    first = next((line for line in turned if isinstance(line.what, Decided | Overruled)), turned[0])
    words = f"{'redoes' if redo else 'undoes'}: {scene.text_of(first)}"
    return replace(base, sort="redo" if redo else "undo", text=words, scene=scene.stage.number)


def _detail(table: Table, line: Logged, text: str, typed: bool = False) -> Detail:
    what = line.what
    if isinstance(what, Rolled):
        reasons = table.system.explain(what)
        dice, secret = str(what.roll.reading), what.roll.secret
        return Detail("roll", text, what.roll.by, "plain", dice, what.faces, what.kept, reasons, line.undone, secret, typed=typed)
    if isinstance(what, Decided):
        return Detail("decision", text, what.who, undone=line.undone, secret=what.secret, asked=what.question, answer=what.answer)
    if isinstance(what, Event):
        secret = what.hidden_from(NOBODY)
        return Detail("event", text, tone=what.tone(), reasons=what.reasons(), undone=line.undone, secret=secret)
    return Detail("overrule", text, undone=line.undone)


LineText = tuple[str, str, tuple[Detail, ...], bool]
"""The sort of a line, its text, its details, and whether it is secret."""


def _text_of(table: Table, member: Member, line: Line) -> LineText | None:
    """Any other line: its sort, its text, its details, and whether it is secret; None if it is not for this member."""
    change, is_gamemaster = line.change, permissions.is_gamemaster(member)
    sort = str(type(change).__struct_config__.tag)
    name = _names(table)
    by = name(line.who)
    match change:
        case e.Hosted():
            return sort, f"opens the table {change.name}", (), False
        case e.Imported():
            return sort, f"{by} imports the table from a file with {count(change.lines, 'line')}", (), False
        case e.Renamed():
            return sort, f"renames the table to {change.name}", (), False
        case e.LinkRenewed() | e.LinkRevoked():
            return (
                (sort, f"{'renews' if isinstance(change, e.LinkRenewed) else 'revokes'} the {_link(change.link)}", (), True)
                if is_gamemaster
                else None
            )
        case e.Joined():
            return sort, f"{change.name} joins as {change.role}", (), False
        case e.Left():
            if not change.removed:
                return sort, f"{name(change.member)} leaves", (), False
            advice = ". The invite link is revoked; create a new one to let others in" if is_gamemaster else ""
            return sort, f"{by} removes {name(change.member)} from the table{advice}", (), False
        case e.CameBack():
            return sort, f"{name(change.member)} is back", (), False
        case e.SatDown():
            return sort, f"{name(change.member)} signs in on another device with the {_link(change.link)}", (), False
        case e.SignedOut():
            concerned = concerns(table, member, line)
            return (sort, f"A device of {name(change.member)} is signed out", (), True) if concerned else None
        case e.Cleared():
            return sort, f"{by} clears the notes, markers and unclaimed characters of {name(change.member)}", (), False
        case e.Closed():
            return sort, f"The server administrator {'closes' if change.closed else 'reopens'} the table", (), False
        case e.WentOn():
            return sort, "The table continues in a new one" if change.onward else "The table continues from one that was full", (), False
        case e.MemberRenamed():
            return sort, f"is now called {change.name}", (), False
        case e.RoleChanged():
            return sort, f"{name(change.member)} is a {change.role} now", (), False
        case e.HandedOver():
            return sort, f"{name(change.member)} is the gamemaster now", (), False
        case e.Said():
            addressed = not change.to or line.who == member.id or member.id in change.to
            return (sort, change.text, (), bool(change.to)) if addressed else None
        case e.RollProposed():
            asked = line.who == member.id or is_gamemaster
            why = f": {change.why}" if change.why else ""
            character = table.characters.get(change.character) or table.gone.get(change.character)
            text = f"asks to roll {change.name} for {character.name if character is not None else change.character}{why}"
            return (sort, text, (), True) if asked else None
        case e.Tested():
            return _test_text(table, member, line, change, sort)
        case e.NoteWritten():
            return _note_text(table, member, line, change, sort)
        case MapKept() | MapNamed():
            text = f"{by} prepares the map {change.name}" if isinstance(change, MapKept) else f"{by} renames a map to {change.name}"
            return (sort, text, (), True) if is_gamemaster else None
        case DraftKept():
            return (sort, f"{by} prepares the scene {change.name}", (), True) if is_gamemaster else None
        case e.OwnDice():
            return sort, f"{'lets' if change.allowed else 'no longer lets'} players enter their own dice", (), False
        case e.HintsAllowed():
            return sort, f"{by} turns hints {'on' if change.allowed else 'off'} for players", (), False
        case e.HouseChanged():
            return sort, "changes the house rules", (), False
        case e.SceneResumed():
            lost = count(change.dropped, "entry")
            scene = table.scenes[change.scene].name
            verb = "is" if change.dropped == 1 else "are"
            return sort, f"{scene} resumes from a snapshot after a software update; {lost} {verb} lost", (), False
        case e.SceneEnded() if table.scenes[change.scene].requested or table.scenes[change.scene].downtime:
            return sort, change.why, (), False
        case StoryBegun():
            return sort, f"{by} starts the adventure {change.adventure.get('name', '')}", (), False
        case StoryLeft():
            return sort, f"{by} puts the adventure away", (), False
        case StoryPlayed():
            words = table.story.told.get(line.seq, "") if table.story is not None else ""
            return (sort, words, (), False) if words else None
        case TimeTurnedBack():
            return sort, f"{by} undoes the time that passed: {table.scenes[change.scene].name}", (), False
        case _ if isinstance(change, AnyCampaignChange):
            told = campaign_text(table, change, is_gamemaster) if concerns(table, member, line) else None
            return (sort, told[0], (), told[1]) if told is not None else None
        case EffectsKept() | ExperienceLearnt():
            return (sort, effects_text(table, change), (), False) if concerns(table, member, line) else None
        case e.SceneEnded():
            return sort, f"{table.scenes[change.scene].name} ends: {change.why}", (), False
        case e.SceneCarried() if table.scenes[change.scene].downtime:
            return None  # the lines of the time that passed tell it
        case e.SceneCarried() | e.CharacterFresh() | e.CarryUndone():
            return _results_text(table, member, change, by, sort) if concerns(table, member, line) else None
        case (
            e.CharacterAdded()
            | e.CharacterShown()
            | e.CharacterPictured()
            | e.CharacterChanged()
            | e.CharacterClaimed()
            | e.CharacterRemoved()
        ):
            return _character_text(table, member, change, by, sort)
    return None


def _field_in_words(change: e.CharacterChanged) -> str:
    """A changed field in plain words, for fields that the sheet does not name."""
    parts = [part.replace("_", " ") for part in change.field.split(".") if not part.isdecimal()]
    simple = isinstance(change.value, int | float | str) and not isinstance(change.value, bool)
    return f"{', '.join(parts)}{f' {change.value}' if simple else ''}"


def _names(table: Table) -> Callable[[str], str]:
    return lambda member_id: table.members[member_id].name if member_id in table.members else "somebody"


def _link(link: str) -> str:
    return {"gamemaster": "gamemaster link", "invitation": "invite link"}.get(link, "sign-in link")


def _test_text(table: Table, member: Member, line: Line, change: e.Tested, sort: str) -> LineText | None:
    if not concerns(table, member, line):
        return None
    character = table.characters.get(change.character) or table.gone.get(change.character)
    who = character.name if character is not None else ""
    details = tuple(_roll_detail(fell, change, who) for fell in change.rolls)
    return sort, f"{change.what or change.notation}: {change.label}", details, change.secret or bool(change.to)


def _roll_detail(fell: Fell, change: e.Tested, who: str) -> Detail:
    reasons = tuple(msgspec.convert(list(change.reasons), list[Reason], strict=False))
    return Detail(
        "roll",
        fell.what or change.notation,
        fell.by or who,
        change.verdict or "plain",
        change.notation,
        fell.faces,
        fell.kept,
        reasons,
        typed=change.typed,
    )


def _note_text(table: Table, member: Member, line: Line, change: e.NoteWritten, sort: str) -> LineText | None:
    """Text of a note; only for one that still exists and that the member may read."""
    note = table.notes.get(change.note)
    if note is None or not may_read(note, member) or not permissions.can_read(member, note.author, change.readers, change.to):
        return None
    return sort, f"writes the note {change.title}", (), change.readers != "everyone"


def _results_text(
    table: Table, member: Member, change: e.SceneCarried | e.CharacterFresh | e.CarryUndone, by: str, sort: str
) -> LineText | None:
    """Text of kept, discarded, reset or restored results; the details are for members who may open the sheet."""
    if isinstance(change, e.CarryUndone):
        return sort, f"{by} undoes the last change to lasting results", (), False
    if isinstance(change, e.SceneCarried) and not change.characters:
        text = f"{by} discards the results of {table.scenes[change.scene].name}"
        return (sort, text, (), True) if permissions.is_gamemaster(member) else None
    ids = change.characters if isinstance(change, e.SceneCarried) else (change.character,)
    people = [
        candidate for candidate in (*table.characters.values(), *table.gone.values()) if candidate.id in ids and may_know(candidate, member)
    ]
    if not people:
        return None
    names = join([character.name for character in people])
    if isinstance(change, e.CharacterFresh):
        return sort, f"{by} resets the condition of {names}", (), False
    details = tuple(
        Detail("event", f"{character.name}: {', '.join(carried.words for carried in change.characters[character.id])}", character.name)
        for character in people
        if may_open(character, member)
    )
    return sort, f"{by} keeps the results of {table.scenes[change.scene].name} for {names}", details, False


def _character_text(table: Table, member: Member, change: Any, by: str, sort: str) -> LineText | None:
    character = table.characters.get(change.character) or table.gone.get(change.character)
    if character is None or not may_know(character, member):
        return None
    match change:
        case e.CharacterAdded():
            text = f"{by} adds {character.name}"
        case e.CharacterShown():
            text = f"{by} {'hides' if change.hidden else 'shows'} {character.name} {'from' if change.hidden else 'to'} the players"
            return (sort, text, (), True) if permissions.is_gamemaster(member) else None
        case e.CharacterPictured():
            text = f"{by} gives {character.name} a picture" if change.picture else f"{by} removes the picture of {character.name}"
        case e.CharacterClaimed():
            owner = _names(table)(change.owner)
            text = f"{owner} plays {character.name}" if change.owner else f"{by} releases {character.name}; nobody plays this character now"
        case e.CharacterRemoved():
            text = f"{by} archives {character.name}"
        case _:
            if not may_open(character, member):
                return (sort, f"{character.name} advances", (), False) if change.advancement else None
            what = f": {change.words or _field_in_words(change)}" if change.field else ""
            why = f" ({change.why})" if change.why else ""
            text = f"{character.name} advances{what}{why}" if change.advancement else f"{by} edits {character.name}{what}{why}"
    return sort, text, (), False
