"""What one member may know of a table: state, questions, log, notes. Everything that leaves the server for a person goes through here.

In scenes the game decides, through `Scene.view` and `hidden_from`. Lines are told apart by marks, not by their numbers, so that
nobody can count what is hidden from them.
"""

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.encounter import GAMEMASTER, Decided, Logged, Result
from rulewright.pieces import Card, Place, SceneView
from rulewright.play import Choice, Event, Range, Roll, Rolled
from rulewright.reasons import Reason
from rulewright.record import Overruled, Redone, Undone
from rulewright.table import entries as e
from rulewright.table import rights
from rulewright.table.entries import Fell, Line, Role
from rulewright.table.scenes import Question, Stage
from rulewright.table.state import Character, HouseRules, Map, Member, Note, Table, Token

NOBODY = "\0"
"""Whose eyes somebody looks through who plays nobody: no combatant is called like this."""

Marks = Callable[[int], str]


class MemberShown(Struct, frozen=True):
    """Somebody at the table."""

    id: str
    name: str
    role: Role
    here: bool
    wait: bool
    me: bool


class CharacterShown(Struct, frozen=True):
    """A character in a list; its sheet is asked for by its id."""

    id: str
    name: str
    of: str
    owner: str
    mine: bool
    may_change: bool
    may_claim: bool
    hidden: bool = False


class OptionShown(Struct, frozen=True):
    """One thing that may be chosen."""

    key: str
    label: str
    note: str = ""
    weighable: bool = False
    """Whether its exact chance can be asked for."""


class QuestionShown(Struct, frozen=True):
    """An open question. Whoever is not asked learns whom it waits for, if they may know of them, and nothing else."""

    at: int
    mark: str
    who: str
    sort: Literal["roll", "choice"]
    mine: bool
    ask_for: str = ""
    options: tuple[OptionShown, ...] = ()
    low: int | None = None
    high: int | None = None
    step: int = 1
    dice: str = ""
    sides: tuple[int, ...] = ()
    secret: bool = False


class HandShown(Struct, frozen=True):
    """Who decides for a combatant."""

    who: str
    member: str
    tactic: str = ""


class SceneShown(Struct, frozen=True):
    """A scene as one member may see it."""

    number: int
    name: str
    ended: bool
    view: SceneView | None
    questions: tuple[QuestionShown, ...]
    hands: tuple[HandShown, ...]
    result: Result | None = None
    waits_for_others: bool = False
    """Whether something is asked of somebody else (who may be hidden)."""
    may_undo: bool = False
    may_redo: bool = False
    between_steps: bool = False
    """For the gamemaster: whether values may be overruled now."""
    trouble: str = ""


class TableShown(Struct, frozen=True):
    """A table as one member may see it."""

    id: str
    name: str
    system: str
    mark: str
    me: MemberShown
    members: tuple[MemberShown, ...]
    characters: tuple[CharacterShown, ...]
    scenes: tuple[SceneShown, ...]
    notes: tuple[Note, ...]
    map: Map
    tokens: tuple[Token, ...]
    house: HouseRules
    notices: tuple[str, ...]
    demo: str = ""


class Detail(Struct, frozen=True, omit_defaults=True):
    """A part of a log entry: a sentence, and the dice and sums behind it."""

    sort: Literal["event", "roll", "decision", "overrule", "undo", "redo"]
    text: str
    who: str = ""
    tone: str = "plain"
    dice: str = ""
    faces: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()
    undone: bool = False
    secret: bool = False


class LogShown(Struct, frozen=True, omit_defaults=True):
    """An entry of the log as one member may see it. `mark` comes again with the same entry; `by` is the member."""

    mark: str
    at: int
    by: str
    by_name: str
    sort: str
    text: str
    scene: int = 0
    entry: int | None = None
    """The number in the scene's record, for the gamemaster to go back before."""
    details: tuple[Detail, ...] = ()
    secret: bool = False
    undone: bool = False


# --- eyes ---------------------------------------------------------------------------------------------------------------------


def eyes(table: Table, stage: Stage, member: Member) -> tuple[str | None, ...]:
    """Through whose eyes a member sees a scene: everybody's as gamemaster, else those of their own combatants, else a passer-by's."""
    if rights.leads(member):
        return (None,)
    return table.played(stage, member.id) or (NOBODY,)


def scene_view(stage: Stage, looking: tuple[str | None, ...]) -> SceneView:
    """The scene through these eyes, laid together where there are several."""
    encounter = stage.encounter
    seen = [encounter.scene.view(encounter.state, who) for who in looking]
    base = seen[0]
    if len(seen) == 1:
        return base
    cards: dict[str, Card] = {}
    places: dict[str, Place] = {}
    for view in seen:
        for card in view.cards:
            known = cards.get(card.name)
            if known is None or len(card.pieces) > len(known.pieces):
                cards[card.name] = card
        for place in view.places:
            places[place.name] = place
    timelines = [view.timeline for view in seen if view.timeline is not None]
    timeline = max(timelines, key=lambda timeline: len(timeline.turns), default=None)
    return replace(base, cards=tuple(cards.values()), places=tuple(places.values()), timeline=timeline)


def _visible(stage: Stage, looking: tuple[str | None, ...], view: SceneView) -> Callable[[str], bool]:
    """Whether somebody is there at all for these eyes."""
    encounter = stage.encounter
    everybody = {name for names in encounter.scene.sides(encounter.state).values() for name in names}
    shown = {card.name for card in view.cards}
    return lambda who: looking == (None,) or who not in everybody or who in shown


# --- the table ----------------------------------------------------------------------------------------------------------------


def shown(table: Table, member: Member, marks: Marks) -> TableShown:
    """Everything that a member may see of a table, but for the log."""
    return TableShown(
        table.id,
        table.name,
        table.system.id,
        marks(reached(table, member)),
        _member(member, member),
        tuple(_member(other, member) for other in table.members.values() if not other.removed),
        tuple(character_shown(character, member) for character in table.characters.values() if knows(character, member)),
        tuple(scene(table, stage, member) for stage in table.scenes.values() if stage.ended is None),
        tuple(note for note in table.notes.values() if reads(note, member)),
        table.map,
        tuple(token for token in table.tokens.values() if rights.leads(member) or not token.hidden),
        table.house,
        tuple(table.notices) if rights.leads(member) else (),
        table.demo,
    )


def _member(other: Member, me: Member) -> MemberShown:
    return MemberShown(other.id, other.name, other.role, other.here, other.wait, other.id == me.id)


def character_shown(character: Character, member: Member) -> CharacterShown:
    """A character as it stands in the list."""
    mine, leads = character.owner == member.id, rights.leads(member)
    may_claim = not character.owner and member.role == "player"
    return CharacterShown(character.id, character.name, character.of, character.owner, mine, mine or leads, may_claim, character.hidden)


def knows(character: Character, member: Member) -> bool:
    """Whether a member may know that there is this character."""
    return not character.hidden or rights.leads(member)


def opens(character: Character, member: Member) -> bool:
    """Whether a member may open the sheet: its owner, the gamemaster, and any player while nobody plays it."""
    return (
        rights.leads(member) or character.owner == member.id or (not character.owner and not character.hidden and member.role == "player")
    )


def reads(note: Note, member: Member) -> bool:
    """Whether a member may read a note."""
    return note.author == member.id or note.readers == "everyone" or (note.readers == "gamemaster" and rights.leads(member))


def scene(table: Table, stage: Stage, member: Member) -> SceneShown:
    """A scene as a member may see it."""
    trouble = stage.trouble()
    if trouble:
        return SceneShown(stage.number, stage.name, stage.ended is not None, None, (), (), trouble=trouble)
    encounter = stage.encounter
    looking = eyes(table, stage, member)
    view = scene_view(stage, looking)
    visible = _visible(stage, looking, view)
    asked = stage.questions()
    questions = tuple(_question(table, stage, member, question) for question in asked if _asks(table, stage, member, question, visible))
    leads = rights.leads(member)
    hands = tuple(
        HandShown(card.name, table.decides(stage, card.name), stage.hands.get(card.name, e.Hand()).tactic if leads else "")
        for card in view.cards
    )
    under_way = stage.ended is None
    return SceneShown(
        stage.number,
        stage.name,
        not under_way,
        view,
        questions,
        hands,
        encounter.result,
        any(not rights.answers(table, stage, member, question) for question in asked),
        under_way and member.role != "spectator" and rights.may_undo(table, stage, member),
        under_way and rights.may_redo(table, stage, member) and bool(encounter.redoable),
        leads and under_way and encounter.between_steps,
    )


def _asks(table: Table, stage: Stage, member: Member, question: Question, visible: Callable[[str], bool]) -> bool:
    """Whether a member may know that somebody is asked."""
    if rights.answers(table, stage, member, question):
        return True
    return not question.request.secret and visible(question.who)


def _question(table: Table, stage: Stage, member: Member, question: Question) -> QuestionShown:
    request = question.request
    who = question.who or GAMEMASTER
    sort: Literal["roll", "choice"] = "roll" if isinstance(request, Roll) else "choice"
    if not rights.answers(table, stage, member, question):
        return QuestionShown(question.at, "", who, sort, False)
    if isinstance(request, Roll):
        dice, sides = str(request.reading), request.reading.sides()
        return QuestionShown(question.at, question.mark, who, sort, True, request.what, dice=dice, sides=sides, secret=request.secret)
    options, low, high, step = _allowed(request)
    return QuestionShown(question.at, question.mark, who, sort, True, request.ask_for, options, low, high, step, secret=request.secret)


def _allowed(request: Choice[Any]) -> tuple[tuple[OptionShown, ...], int | None, int | None, int]:
    allowed = request.options
    if isinstance(allowed, Range):
        return (), allowed.low, allowed.high, allowed.step
    options = tuple(OptionShown(option.key, option.label, option.note, option.leads is not None) for option in allowed)
    return options, None, None, 1


# --- the log ------------------------------------------------------------------------------------------------------------------


def reached(table: Table, member: Member) -> int:
    """The number of the last line that is any of this member's concern: how far they know the table."""
    return next((line.seq for line in reversed(table.lines) if concerns(table, member, line)), 0)


def concerns(table: Table, member: Member, line: Line) -> bool:
    """Whether a line may change what a member sees."""
    told = table.audience.get(line.seq)
    return told is None or member.id in told or (GAMEMASTER in told and rights.leads(member))


def log(table: Table, member: Member, marks: Marks, after: int = 0, before: int | None = None, most: int | None = None) -> list[LogShown]:
    """The lines of the log between two numbers that a member may see, the oldest first; with `most`, only so many of the latest."""
    found: list[LogShown] = []
    scenes: dict[int, _SceneLog] = {}
    lines = table.lines[after : before - 1 if before is not None else None]
    for line in reversed(lines):
        if most is not None and len(found) >= most:
            break
        shown = _line(table, member, line, scenes)
        if shown is not None:
            found.append(replace(shown, mark=marks(line.seq)))
    found.reverse()
    return found


class _SceneLog:
    """What a scene's log says, by the entry of its record that it came of."""

    def __init__(self, table: Table, stage: Stage, member: Member) -> None:
        self.stage = stage
        self.numbers = {seq: number for number, seq in enumerate(stage.seqs)}
        self.looking: tuple[str | None, ...] = (NOBODY,)
        self.lines: dict[int, list[Logged]] = {}
        self.visible: Callable[[str], bool] = lambda who: False
        self.hidden: tuple[str, ...] = ()
        try:
            encounter = stage.encounter
        except Exception:  # an old scene that this version does not replay: its lines say only that they are there
            return
        self.looking = eyes(table, stage, member)
        self.visible = _visible(stage, self.looking, scene_view(stage, self.looking))
        names = [name for side in encounter.scene.sides(encounter.state).values() for name in side]
        self.hidden = tuple(name for name in names if not self.visible(name))
        for logged in encounter.log:
            self.lines.setdefault(logged.entry, []).append(logged)

    def words(self, line: Logged) -> str:
        """A line in words. What was overruled is the gamemaster's to read in full; others learn why, unless that names somebody hidden."""
        what = line.what
        if not isinstance(what, Overruled):
            return _told(line)
        why = what.why
        if self.looking == (None,):
            fields = ", ".join(f"{field} = {_short(value)}" for field, value in what.changes[:5])
            return f"overrules{f' ({why})' if why else ''}: {fields}{', …' if len(what.changes) > 5 else ''}"
        return f"overrules ({why})" if why and not any(name in why for name in self.hidden) else "overrules"

    def seen(self, number: int) -> list[Logged]:
        """What these eyes may see of an entry."""
        return [line for line in self.lines.get(number, []) if self._sees(line)]

    def _sees(self, line: Logged) -> bool:
        if self.looking == (None,):
            return True
        if all(line.hidden_from(who) for who in self.looking):
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
    return replace(base, sort=sort, text=text, details=details, secret=secret, scene=scene)


def _played(table: Table, member: Member, seq: int, change: e.Played | e.SceneBegun, base: LogShown, scene: _SceneLog) -> LogShown | None:
    number = scene.numbers.get(seq)
    entry = number if number and rights.leads(member) else None
    if number is None:  # dropped when the scene went on from a snapshot
        return None
    seen = scene.seen(number)
    details = tuple(_detail(table, logged, scene.words(logged)) for logged in seen)
    if isinstance(change, e.SceneBegun):
        return replace(base, sort="scene begun", text=f"{change.begun.name} begins", details=details, scene=change.scene)
    if isinstance(change.entry, Undone | Redone):
        return _taken_back(base, scene, number, isinstance(change.entry, Redone))
    if not seen:
        return None
    text = next((detail.text for detail in details if detail.sort in ("decision", "overrule")), details[0].text)
    undone = all(detail.undone for detail in details)
    secret = rights.leads(member) and all(detail.secret for detail in details)
    return replace(base, sort="play", text=text, details=details, scene=change.scene, entry=entry, undone=undone, secret=secret)


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
        return f"{what.who}, {what.question}: {what.answer}"
    if isinstance(what, Rolled):
        return f"{what.roll.by or 'somebody'} rolls {what.roll.reading!s} for {what.roll.what or 'a test'}"
    return what.headline() if isinstance(what, Event) else ""


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 40 else f"{text[:39]}…"


def _detail(table: Table, line: Logged, text: str) -> Detail:
    what = line.what
    if isinstance(what, Rolled):
        reasons = table.system.explain(what)
        dice = str(what.roll.reading)
        return Detail("roll", text, what.roll.by, "plain", dice, what.faces, what.kept, reasons, line.undone, what.roll.secret)
    if isinstance(what, Decided):
        return Detail("decision", text, what.who, undone=line.undone, secret=what.secret)
    if isinstance(what, Event):
        secret = what.hidden_from(NOBODY)
        return Detail("event", text, tone=what.tone(), reasons=what.reasons(), undone=line.undone, secret=secret)
    return Detail("overrule", text, undone=line.undone)


Words = tuple[str, str, tuple[Detail, ...], bool]


def _words(table: Table, member: Member, line: Line) -> Words | None:
    """Any other line in words: its sort, the sentence, what is behind it, whether it is secret; None where it is not for this member."""
    change, leads = line.change, rights.leads(member)
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
            return sort, f"{name(change.member)} {'is sent away' if change.removed else 'leaves'}", (), False
        case e.CameBack():
            return sort, f"{name(change.member)} is back", (), False
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
        case e.HouseChanged():
            return sort, "changes the house rules", (), False
        case e.SceneResumed():
            return sort, f"goes on from a snapshot after a change of the software; {change.dropped} entries are lost", (), False
        case e.SceneEnded():
            return sort, f"{table.scenes[change.scene].name} ends: {change.why}", (), False
        case e.CharacterAdded() | e.CharacterShown() | e.CharacterChanged() | e.CharacterClaimed() | e.CharacterRemoved():
            return _cast(table, member, change, sort)
    return None


def _names(table: Table) -> Callable[[str], str]:
    return lambda member_id: table.members[member_id].name if member_id in table.members else "somebody"


def _link(link: str) -> str:
    return {"gamemaster": "gamemaster's link", "invitation": "invitation"}.get(link, "link to a seat")


def _tested(table: Table, member: Member, line: Line, change: e.Tested, sort: str) -> Words | None:
    if change.secret and not rights.leads(member) and line.who != member.id:
        return None
    character = table.characters.get(change.character) or table.gone.get(change.character)
    who = character.name if character is not None else ""
    details = tuple(_fell(fell, change, who) for fell in change.rolls)
    return sort, f"{change.what or change.notation}: {change.label}", details, change.secret


def _fell(fell: Fell, change: e.Tested, who: str) -> Detail:
    reasons = tuple(msgspec.convert(list(change.reasons), list[Reason], strict=False))
    return Detail(
        "roll", fell.what or change.notation, fell.by or who, change.verdict or "plain", change.notation, fell.faces, fell.kept, reasons
    )


def _noted(table: Table, member: Member, line: Line, change: e.NoteWritten, sort: str) -> Words | None:
    """Only a note that stands and may be read is spoken of."""
    note = table.notes.get(change.note)
    if note is None or not reads(note, member) or (change.readers != "everyone" and note.author != member.id and not rights.leads(member)):
        return None
    return sort, f"writes the note {change.title}", (), change.readers != "everyone"


def _cast(table: Table, member: Member, change: Any, sort: str) -> Words | None:
    character = table.characters.get(change.character) or table.gone.get(change.character)
    if character is None or not knows(character, member):
        return None
    match change:
        case e.CharacterAdded():
            text = f"{character.name} comes to the table"
        case e.CharacterShown():
            return (sort, f"{'hides' if change.hidden else 'shows'} {character.name}", (), True) if rights.leads(member) else None
        case e.CharacterClaimed():
            owner = _names(table)(change.owner)
            text = f"{owner} plays {character.name}" if change.owner else f"nobody plays {character.name} any more"
        case e.CharacterRemoved():
            text = f"{character.name} is put away"
        case _:
            if not opens(character, member):
                return (sort, f"{character.name} advances", (), False) if change.advancement else None
            what = f": {change.field} is {change.value}" if change.field else ""
            why = f" ({change.why})" if change.why else ""
            text = f"{character.name} {'advances' if change.advancement else 'is changed'}{what}{why}"
    return sort, text, (), False
