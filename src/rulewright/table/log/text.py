"""The log in words, line by line, as one member may read it."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.sheet_parts import seen_to_change
from rulewright.field.map_strokes import seen_changes
from rulewright.play import Event, Rolled
from rulewright.rules.reasons import Reason
from rulewright.scenes.encounter import Decided, Logged
from rulewright.scenes.record import Answered, Overruled, Redone, Undone
from rulewright.table import permissions
from rulewright.table.log import entries as e
from rulewright.table.log.entries import Fell
from rulewright.table.log.lines import Line
from rulewright.table.log.map_entries import DraftKept, MapKept, MapNamed
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Member, Table
from rulewright.table.views import NOBODY, Detail, LogShown, Marks, concerns, discreet, eyes, knows, opens, reads, scene_view, sees, unseen

MOST_CHANGES = 6
"""So many changes of an overruling are told."""


def log(table: Table, member: Member, marks: Marks, after: int = 0, before: int | None = None, most: int | None = None) -> list[LogShown]:
    """The lines of the log between two numbers that a member may see, the oldest first; with `most`, only so many of the latest."""
    log_showns: list[LogShown] = []
    scenes: dict[int, _SceneLog] = {}
    lines = table.lines[after : before - 1 if before is not None else None]
    for line in reversed(lines):
        if most is not None and len(log_showns) >= most:
            break
        shown = _line(table, member, line, scenes)
        if shown is not None:
            log_showns.append(replace(shown, mark=marks(line.seq)))
    log_showns.reverse()
    return log_showns


def reached(table: Table, member: Member) -> int:
    """The number of the last line that is any of this member's concern: how far they know the table."""
    scenes: dict[int, _SceneLog] = {}
    return next((line.seq for line in reversed(table.lines) if concerns(table, member, line) and _tells(table, member, line, scenes)), 0)


def _tells(table: Table, member: Member, line: Line, scenes: "dict[int, _SceneLog]") -> bool:
    """Whether the log tells a member anything of a line, where it is a scene's: what hidden people do is not even noticed."""
    return not isinstance(line.change, e.Played) or _line(table, member, line, scenes) is not None


class _SceneLog:
    """What a scene's log says, by the entry of its record that it came of."""

    def __init__(self, table: Table, stage: Stage, member: Member) -> None:
        self.stage = stage
        self.numbers = {seq: number for number, seq in enumerate(stage.seqs)}
        self.looking: tuple[str | None, ...] = (NOBODY,)
        self.lines: dict[int, list[Logged]] = {}
        self.visible: Callable[[str], bool] = lambda who: False
        self.hidden: tuple[str, ...] = ()
        self.kept_secret: frozenset[str] = frozenset()
        """Those whom the gamemaster hides: wherever the log names them, it says somebody."""
        try:
            encounter = stage.encounter
        except Exception:  # an old scene that this version does not replay: its lines say only that they are there
            return
        self.looking = eyes(table, stage, member)
        self.kept_secret = unseen(table, stage, member)
        self.visible = sees(stage, self.looking, scene_view(stage, self.looking, self.kept_secret))
        names = [name for side in encounter.scene.sides(encounter.state).values() for name in side]
        self.hidden = tuple(name for name in names if not self.visible(name))
        for logged in encounter.log:
            self.lines.setdefault(logged.entry, []).append(logged)

    def words(self, line: Logged) -> str:
        """A line in words. Of what was overruled everybody reads what they can see of it, and why, unless that names somebody hidden."""
        what = line.what
        if not isinstance(what, Overruled):
            return self.discreet(_told(line))
        why = what.why if not any(name in what.why for name in self.hidden) else ""
        seen = self._seen_to_change(line)
        if why and seen.startswith(why):
            why = ""
        return f"overrules{f' ({why})' if why else ''}{f': {seen}' if seen else ''}"

    def _seen_to_change(self, line: Logged) -> str:
        """What these eyes see of an overruling, in the game's words; the first few of many."""
        if line.states is None:
            return ""
        before, after = (scene_view(self.stage, self.looking, self.kept_secret, state) for state in line.states)
        names = [
            f"{who} {words}" if who and words.startswith("is ") else f"{who}: {words}" if who else words
            for who, words in seen_to_change(before, after)
        ]
        if before.field is not None and after.field is not None:
            names += seen_changes(before.field, after.field)
        return "; ".join(names[:MOST_CHANGES]) + ("; …" if len(names) > MOST_CHANGES else "")

    def discreet(self, text: str) -> str:
        """A sentence without the names of those whom the gamemaster hides."""
        return discreet(text, self.kept_secret)

    def discreetly(self, detail: Detail) -> Detail:
        """A part of an entry without the names of those whom the gamemaster hides, its sums too."""
        if not self.kept_secret:
            return detail
        words = {name: self.discreet(getattr(detail, name)) for name in ("text", "who", "asked", "answer")}
        return replace(detail, reasons=tuple(self._discreet_sum(reason) for reason in detail.reasons), **words)

    def _discreet_sum(self, reason: Reason) -> Reason:
        value = self.discreet(reason.value) if isinstance(reason.value, str) else reason.value
        return replace(reason, label=self.discreet(reason.label), value=value, terms=tuple(map(self._discreet_sum, reason.terms)))

    def seen(self, number: int) -> list[Logged]:
        """What these eyes may see of an entry."""
        return [line for line in self.lines.get(number, []) if self._sees(line)]

    def _sees(self, line: Logged) -> bool:
        if self.looking == (None,):
            return not line.hidden_from(None)
        if all(line.hidden_from(who) for who in self.looking):
            return False
        if line.known_to is not None:
            return True
        if isinstance(line.what, Overruled) and not line.what.why and not self._seen_to_change(line):
            return False
        actor = line.what.roll.by if isinstance(line.what, Rolled) else line.what.who if isinstance(line.what, Decided) else ""
        return self.visible(actor)


def _line(table: Table, member: Member, line: Line, scenes: dict[int, _SceneLog]) -> LogShown | None:
    """A line as a member may see it; None where it is not for them."""
    change = line.change
    by = table.members.get(line.who)
    base = LogShown("", line.at, line.who, by.name if by is not None else "", "", "")
    if isinstance(change, e.Played | e.SceneBegun):
        if change.scene not in scenes:
            scenes[change.scene] = _SceneLog(table, table.scenes[change.scene], member)
        return _played(table, member, line.seq, change, base, scenes[change.scene])
    words = _words(table, member, line)
    if words is None:
        return None
    sort, text, details, secret = words
    scene = getattr(change, "scene", 0)
    told = replace(base, sort=sort, text=text, details=details, secret=secret, scene=scene)
    if isinstance(change, e.Said | e.Tested) and change.to:
        name = _names(table)
        told = replace(told, to=tuple(name(candidate) for candidate in change.to))
    return told


def _played(table: Table, member: Member, seq: int, change: e.Played | e.SceneBegun, base: LogShown, scene: _SceneLog) -> LogShown | None:
    number = scene.numbers.get(seq)
    entry = number if number and permissions.leads(member) else None
    if number is None:  # dropped when the scene went on from a snapshot
        return None
    seen = scene.seen(number)
    typed = seq in scene.stage.typed
    details = tuple(scene.discreetly(_detail(table, logged, scene.words(logged), typed)) for logged in seen)
    if isinstance(change, e.SceneBegun):
        about = (Detail("event", change.about),) if change.about else ()
        details = (*about, *details, *_unfit(table, member, change))
        return replace(base, sort="scene begun", text=f"{change.begun.name} begins", details=details, scene=change.scene)
    if isinstance(change.entry, Undone | Redone):
        return _taken_back(base, scene, number, isinstance(change.entry, Redone))
    if not seen:
        return None
    if change.why and permissions.leads(member):
        details = (*details, Detail("event", change.why, tone="soft", secret=True))
    text = next((detail.text for detail in details if detail.sort in ("decision", "overrule")), details[0].text)
    undone = all(detail.undone for detail in details)
    secret = permissions.leads(member) and all(detail.secret for detail in details)
    shown = replace(base, sort="play", text=text, details=details, scene=change.scene, entry=entry, undone=undone, secret=secret)
    return replace(shown, for_name=_answered_for(table, scene.stage, base.by, change))


def _answered_for(table: Table, stage: Stage, by: str, change: e.Played) -> str:
    """Whose answer it was, where the gamemaster gave it for a player."""
    if change.auto or not isinstance(change.entry, Answered):
        return ""
    asked = table.decides(stage, change.entry.by)
    return table.members[asked].name if asked != by and asked in table.members and table.members[asked].role == "player" else ""


def _unfit(table: Table, member: Member, change: e.SceneBegun) -> Iterator[Detail]:
    """What somebody carried that did not fit any more, for whoever may open the sheet."""
    for character in (*table.characters.values(), *table.gone.values()):
        words = change.unfit.get(character.id)
        if words and opens(character, member):
            yield Detail("event", f"{character.name} begins without what does not fit any more: {', '.join(words)}")


def _taken_back(base: LogShown, scene: _SceneLog, number: int, back: bool) -> LogShown | None:
    """An undo or redo, with as much of what it turned as these eyes could see; nothing where they could see nothing of it."""
    turned = [line for other in scene.stage.turned.get(number, []) for line in scene.seen(other)]
    if not turned:
        return None
    first = next((line for line in turned if isinstance(line.what, Decided | Overruled)), turned[0])
    words = f"{'brings back' if back else 'takes back'}: {scene.words(first)}"
    return replace(base, sort="redo" if back else "undo", text=words, scene=scene.stage.number)


def _told(line: Logged) -> str:
    what = line.what
    if isinstance(what, Decided):
        return f"{what.who}, {what.question}{' ' if what.question.endswith('?') else ': '}{what.answer}"
    if isinstance(what, Rolled):
        return f"{what.roll.by or 'somebody'} rolls {what.roll.reading!s} for {what.roll.what or 'a test'}"
    return what.headline() if isinstance(what, Event) else ""


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


Words = tuple[str, str, tuple[Detail, ...], bool]


def _words(table: Table, member: Member, line: Line) -> Words | None:
    """Any other line in words: its sort, the sentence, what is behind it, whether it is secret; None where it is not for this member."""
    change, leads = line.change, permissions.leads(member)
    sort = str(type(change).__struct_config__.tag)
    name = _names(table)
    match change:
        case e.Hosted():
            return sort, f"opens the table {change.name}", (), False
        case e.Imported():
            return sort, f"opens the table anew from an exported file of {change.lines} lines", (), False
        case e.Renamed():
            return sort, f"calls the table {change.name}", (), False
        case e.LinkRenewed() | e.LinkRevoked():
            return (
                (sort, f"{'renews' if isinstance(change, e.LinkRenewed) else 'revokes'} the {_link(change.link)}", (), True)
                if leads
                else None
            )
        case e.Joined():
            return sort, f"{change.name} sits down{' to watch' if change.role == 'spectator' else ''}", (), False
        case e.Left():
            if not change.removed:
                return sort, f"{name(change.member)} leaves", (), False
            advice = "; the invitation is void with that, and a new one lets others in" if leads else ""
            return sort, f"{name(change.member)} is sent away{advice}", (), False
        case e.CameBack():
            return sort, f"{name(change.member)} is back", (), False
        case e.SatDown():
            return sort, f"{name(change.member)} sits down at another device, by the {_link(change.link)}", (), False
        case e.SignedOut():
            told = concerns(table, member, line)
            return (sort, f"a device of {name(change.member)} is signed out", (), True) if told else None
        case e.Cleared():
            return sort, f"what {name(change.member)} left is put away", (), False
        case e.Closed():
            return sort, f"the table is {'closed' if change.closed else 'opened again'} by whoever runs the server", (), False
        case e.WentOn():
            return sort, "goes on in a new table" if change.onward else "goes on from a table that was full", (), False
        case e.MemberRenamed():
            return sort, f"is now called {change.name}", (), False
        case e.RoleChanged():
            return sort, f"{name(change.member)} {'plays' if change.role == 'player' else 'watches'} from now on", (), False
        case e.HandedOver():
            return sort, f"{name(change.member)} leads from now on", (), False
        case e.Said():
            heard = not change.to or line.who == member.id or member.id in change.to
            return (sort, change.text, (), bool(change.to)) if heard else None
        case e.Tested():
            return _tested(table, member, line, change, sort)
        case e.NoteWritten():
            return _noted(table, member, line, change, sort)
        case MapKept() | MapNamed():
            return (sort, f"{'prepares' if isinstance(change, MapKept) else 'names'} the map {change.name}", (), True) if leads else None
        case DraftKept():
            return (sort, f"prepares {change.name}", (), True) if leads else None
        case e.OwnDice():
            return sort, f"{'lets players type' if change.allowed else 'forbids players to type'} the faces of their own dice", (), False
        case e.HintsAllowed():
            return sort, "allows hints: what would be wise?" if change.allowed else "allows no hints any more", (), False
        case e.HouseChanged():
            return sort, "changes the house rules", (), False
        case e.SceneResumed():
            return sort, f"goes on from a snapshot after a change of the software; {change.dropped} entries are lost", (), False
        case e.SceneEnded():
            return sort, f"{table.scenes[change.scene].name} ends: {change.why}", (), False
        case e.SceneCarried() | e.CharacterFresh() | e.CarryUndone():
            return _carried(table, member, change, sort) if concerns(table, member, line) else None
        case (
            e.CharacterAdded()
            | e.CharacterShown()
            | e.CharacterPictured()
            | e.CharacterChanged()
            | e.CharacterClaimed()
            | e.CharacterRemoved()
        ):
            return _cast(table, member, change, sort)
    return None


def _plainly(change: e.CharacterChanged) -> str:
    """A changed field in plain words, where the sheet has none of its own for it."""
    parts = [part.replace("_", " ") for part in change.field.split(".") if not part.isdecimal()]
    simple = isinstance(change.value, int | float | str) and not isinstance(change.value, bool)
    return f"{', '.join(parts)}{f' {change.value}' if simple else ''}"


def _names(table: Table) -> Callable[[str], str]:
    return lambda member_id: table.members[member_id].name if member_id in table.members else "somebody"


def _link(link: str) -> str:
    return {"gamemaster": "gamemaster's link", "invitation": "invitation"}.get(link, "link to a seat")


def _tested(table: Table, member: Member, line: Line, change: e.Tested, sort: str) -> Words | None:
    if not concerns(table, member, line):
        return None
    character = table.characters.get(change.character) or table.gone.get(change.character)
    who = character.name if character is not None else ""
    details = tuple(_fell(fell, change, who) for fell in change.rolls)
    return sort, f"{change.what or change.notation}: {change.label}", details, change.secret or bool(change.to)


def _fell(fell: Fell, change: e.Tested, who: str) -> Detail:
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


def _noted(table: Table, member: Member, line: Line, change: e.NoteWritten, sort: str) -> Words | None:
    """Only a note that stands and may be read is spoken of."""
    note = table.notes.get(change.note)
    if note is None or not reads(note, member) or not permissions.reads(member, note.author, change.readers, change.to):
        return None
    return sort, f"writes the note {change.title}", (), change.readers != "everyone"


def _carried(table: Table, member: Member, change: e.SceneCarried | e.CharacterFresh | e.CarryUndone, sort: str) -> Words | None:
    """Who carries something on from a scene, is fresh again, or has that taken back; what it is, for whoever may open the sheet."""
    if isinstance(change, e.CarryUndone):
        return sort, "takes back what was last carried on, left behind or made fresh", (), False
    if isinstance(change, e.SceneCarried) and not change.characters:
        return (sort, f"nothing is carried on from {table.scenes[change.scene].name}", (), True) if permissions.leads(member) else None
    ids = change.characters if isinstance(change, e.SceneCarried) else (change.character,)
    people = [
        candidate for candidate in (*table.characters.values(), *table.gone.values()) if candidate.id in ids and knows(candidate, member)
    ]
    if not people:
        return None
    names = ", ".join(character.name for character in people)
    if isinstance(change, e.CharacterFresh):
        return sort, f"{names} is fresh again", (), False
    details = tuple(
        Detail("event", f"{character.name}: {', '.join(carried.words for carried in change.characters[character.id])}", character.name)
        for character in people
        if opens(character, member)
    )
    return sort, f"{table.scenes[change.scene].name} is carried on: {names}", details, False


def _cast(table: Table, member: Member, change: Any, sort: str) -> Words | None:
    character = table.characters.get(change.character) or table.gone.get(change.character)
    if character is None or not knows(character, member):
        return None
    match change:
        case e.CharacterAdded():
            text = f"{character.name} comes to the table"
        case e.CharacterShown():
            return (sort, f"{'hides' if change.hidden else 'shows'} {character.name}", (), True) if permissions.leads(member) else None
        case e.CharacterPictured():
            text = f"{character.name} has {'a' if change.picture else 'no'} picture{'' if change.picture else ' any more'}"
        case e.CharacterClaimed():
            owner = _names(table)(change.owner)
            text = f"{owner} plays {character.name}" if change.owner else f"nobody plays {character.name} any more"
        case e.CharacterRemoved():
            text = f"{character.name} is put away"
        case _:
            if not opens(character, member):
                return (sort, f"{character.name} advances", (), False) if change.advancement else None
            what = f": {change.words or _plainly(change)}" if change.field else ""
            why = f" ({change.why})" if change.why else ""
            text = f"{character.name} {'advances' if change.advancement else 'is changed'}{what}{why}"
    return sort, text, (), False
