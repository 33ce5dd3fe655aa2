"""What one member may know of a table: state, questions, log, notes. Everything that leaves the server for a person goes through here.

In scenes the game decides, through `Scene.view` and `hidden_from`. Lines are told apart by marks, not by their numbers, so that
nobody can count what is hidden from them.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, Place, SceneView
from rulewright.play import GAMEMASTER, Choice, Option, Range, Roll
from rulewright.play.option_groups import arrange
from rulewright.rules.reasons import Reason
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scene import Result, Scene
from rulewright.table import limits, permissions
from rulewright.table.log import entries as e
from rulewright.table.log.entries import Role
from rulewright.table.log.lines import Line
from rulewright.table.scenes import lasting_results as carrying
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.state import Character, Draft, HouseRules, KeptMap, Map, Member, Note, Table, Token

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
    carried: tuple[str, ...] = ()
    """What it carries into its next scene, in words, for whoever may open the sheet."""
    carried_from: str = ""
    picture: str = ""
    """The digest of its portrait."""


class TakesAlong(Struct, frozen=True):
    """A character, and what of a scene it could carry on, in words."""

    character: str
    name: str
    words: tuple[str, ...]


class OfferShown(Struct, frozen=True):
    """A scene that has ended, and what its people could carry on."""

    scene: int
    name: str
    people: tuple[TakesAlong, ...]


class OptionShown(Struct, frozen=True):
    """One thing that may be chosen."""

    key: str
    label: str
    note: str = ""
    weighable: bool = False
    """Whether its exact chance can be asked for."""
    verb: str = ""
    """What sort of thing it is, whom it is done to and how: by these the options are arranged."""
    target: str = ""
    manner: tuple[str, ...] = ()


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
    asked: str = ""
    """The member who is asked, by id; the gamemaster may answer for them."""
    topic: str = ""
    places: bool = False
    """Whether any place within reach is an answer, too."""
    usual: int | str = ""
    """What whoever is asked usually does: the key of an option, or a number; nothing where it may not be known."""


class HandShown(Struct, frozen=True):
    """Who decides for a combatant."""

    who: str
    member: str
    tactic: str = ""
    settled: tuple[str, ...] = ()
    """What they are not asked about any more in this scene, for whoever decides for them."""


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
    about: str = ""
    """What it is about, in the scenario's words."""
    faces: dict[str, str] = {}
    """The pictures of those who are characters of the table, by their names in the scene."""


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
    offers: tuple[OfferShown, ...] = ()
    """For the gamemaster: scenes that have ended and could be carried on."""
    own_dice: bool = True
    """Whether players may type the faces of their own dice."""
    may_undo_carry: bool = False
    """For the gamemaster: whether something was carried on, left behind or made fresh that can be taken back."""
    went_on: str = ""
    """The table in which this one goes on."""
    hints: bool = False
    """Whether players may ask what would be wise."""
    full: float = 0.0
    """How much of the room that a table has is taken, from 0 to 1, in twentieths."""
    maps: "tuple[MapListed, ...]" = ()
    """For the gamemaster: the maps that are prepared."""
    drafts: "tuple[DraftListed, ...]" = ()
    """For the gamemaster: the scenes that are prepared."""
    may_undo_drafts: bool = False
    """For the gamemaster: whether a change to them can be taken back."""


class MapListed(Struct, frozen=True):
    """A map that is prepared, as a list shows it."""

    id: str
    name: str
    of: str
    words: str
    """Its grid and size."""


class DraftListed(Struct, frozen=True):
    """A prepared scene, as a list shows it."""

    id: str
    name: str
    words: str
    """Its kind, and how many take part."""


def _draft_listed(draft: Draft) -> DraftListed:
    sides = draft.scene.get("sides", {})
    people = sum(int(placing.get("count", 1)) for placings in sides.values() for placing in placings)
    return DraftListed(draft.id, draft.name, f"{draft.scene.get('scene', FIGHT)}, {people} {'person' if people == 1 else 'people'}")


def _listed(kept: KeptMap) -> MapListed:
    ground = kept.ground
    unit = {"hexes": "hexes", "squares": "m, squares", "open": "m"}[ground.grid]
    size = f"{ground.size[0]:g} by {ground.size[1]:g} {unit}" if ground.size is not None else "without an end"
    return MapListed(kept.id, kept.name, kept.of, size)


class Detail(Struct, frozen=True, omit_defaults=True):
    """A part of a log entry: a sentence, and the dice and sums behind it; of a decision also what was asked and answered."""

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
    asked: str = ""
    answer: str = ""
    typed: bool = False
    """Whether the faces were typed in, from somebody's own dice."""


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
    to: tuple[str, ...] = ()
    """For whom it was, by name, where it was not for everybody."""
    for_name: str = ""
    """Whose answer it was, where somebody else gave it for them."""


# --- eyes ---------------------------------------------------------------------------------------------------------------------


def eyes(table: Table, stage: Stage, member: Member) -> tuple[str | None, ...]:
    """Through whose eyes a member sees a scene: everybody's as gamemaster, else those of their own combatants, else a passer-by's."""
    if permissions.leads(member):
        return (None,)
    return table.played(stage, member.id) or (NOBODY,)


def unseen(table: Table, stage: Stage, member: Member) -> frozenset[str]:
    """The combatants of a scene whom a member may not know of, because the gamemaster hides their characters."""
    if permissions.leads(member):
        return frozenset()
    hidden = {character.id for character in table.characters.values() if character.hidden}
    return frozenset(name for name, character in stage.characters.items() if character in hidden)


def scene_view(stage: Stage, looking: tuple[str | None, ...], hidden: frozenset[str] = frozenset(), state: Any = None) -> SceneView:
    """The scene through these eyes, laid together where there are several, without those whom the gamemaster hides."""
    encounter = stage.encounter
    return seen_through(encounter.scene, encounter.now if state is None else state, looking, hidden)


def seen_through(scene: Scene[Any], state: Any, looking: tuple[str | None, ...], hidden: frozenset[str]) -> SceneView:
    """A state of a scene through these eyes, without those whom the gamemaster hides."""
    view = _laid_together([scene.view(state, who) for who in looking])
    if not hidden:
        return view
    timeline = view.timeline
    if timeline is not None:
        timeline = replace(timeline, turns=tuple(turn for turn in timeline.turns if turn.who not in hidden))
    cards = tuple(card for card in view.cards if card.name not in hidden)
    places = tuple(place for place in view.places if place.name not in hidden)
    return replace(view, cards=cards, places=places, timeline=timeline)


def _laid_together(seen: list[SceneView]) -> SceneView:
    """What several eyes see, as one view."""
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


def sees(stage: Stage, looking: tuple[str | None, ...], view: SceneView) -> Callable[[str], bool]:
    """Whether somebody is there at all for these eyes."""
    encounter = stage.encounter
    everybody = {name for names in encounter.scene.sides(encounter.state).values() for name in names}
    shown = {card.name for card in view.cards}
    return lambda who: looking == (None,) or who not in everybody or who in shown


# --- the table ----------------------------------------------------------------------------------------------------------------


def shown(table: Table, member: Member, mark: str) -> TableShown:
    """Everything that a member may see of a table, but for the log; `mark` is how far they know it. What did not change is remembered."""
    key = ("shown", member.id)
    if key not in table.remembered:
        table.remembered[key] = _shown(table, member)
    table_shown: TableShown = table.remembered[key]
    return replace(table_shown, mark=mark)


def look(table: Table, member: Member) -> str:
    """What stands for everything that a member sees but for the log: the same as long as that stays the same."""
    key = ("look", member.id)
    if key not in table.remembered:
        table.remembered[key] = blake2b(msgspec.json.encode(shown(table, member, "")), digest_size=8).hexdigest()
    return str(table.remembered[key])


def _shown(table: Table, member: Member) -> TableShown:
    return TableShown(
        table.id,
        table.name,
        table.system.id,
        "",
        _member(member, member),
        tuple(_member(other, member) for other in table.members.values() if not other.removed),
        tuple(character_shown(character, member) for character in table.characters.values() if knows(character, member)),
        tuple(scene(table, stage, member) for stage in table.scenes.values() if stage.ended is None),
        tuple(note for note in table.notes.values() if reads(note, member)),
        table.map,
        tuple(token for token in table.tokens.values() if permissions.leads(member) or not token.hidden),
        table.house,
        tuple(table.notices) if permissions.leads(member) else (),
        table.demo,
        _offers(table) if permissions.leads(member) else (),
        table.own_dice,
        permissions.leads(member) and bool(table.carryings),
        table.went_on,
        table.hints,
        int(20 * max(table.seq / limits.LINES, table.bytes / limits.TABLE_BYTES)) / 20 if permissions.leads(member) else 0.0,
        tuple(map(_listed, table.maps.values())) if permissions.leads(member) else (),
        tuple(map(_draft_listed, table.drafts.values())) if permissions.leads(member) else (),
        permissions.leads(member) and bool(table.drafts_before),
    )


def _offers(table: Table) -> tuple[OfferShown, ...]:
    return tuple(
        OfferShown(
            offer.scene, offer.name, tuple(TakesAlong(text, table.characters[text].name, words) for text, words in offer.words.items())
        )
        for offer in carrying.offers(table)
    )


def _member(other: Member, me: Member) -> MemberShown:
    return MemberShown(other.id, other.name, other.role, other.here, other.wait, other.id == me.id)


def character_shown(character: Character, member: Member) -> CharacterShown:
    """A character as it stands in the list."""
    mine, leads = character.owner == member.id, permissions.leads(member)
    may_claim = not character.owner and member.role == "player"
    opened = opens(character, member)
    carried = tuple(lasts.words for lasts in character.carried.values()) if opened else ()
    return CharacterShown(
        character.id,
        character.name,
        character.of,
        character.owner,
        mine,
        mine or leads,
        may_claim,
        character.hidden,
        carried,
        character.carried_from if opened else "",
        character.picture,
    )


def knows(character: Character, member: Member) -> bool:
    """Whether a member may know that there is this character."""
    return not character.hidden or permissions.leads(member)


def opens(character: Character, member: Member) -> bool:
    """Whether a member may open the sheet: its owner, the gamemaster, and any player while nobody plays it."""
    return (
        permissions.leads(member)
        or character.owner == member.id
        or (not character.owner and not character.hidden and member.role == "player")
    )


def reads(note: Note, member: Member) -> bool:
    """Whether a member may read a note."""
    return permissions.reads(member, note.author, note.readers, note.to)


def scene(table: Table, stage: Stage, member: Member) -> SceneShown:
    """A scene as a member may see it."""
    trouble = stage.trouble()
    if trouble:
        return SceneShown(stage.number, stage.name, stage.ended is not None, None, (), (), trouble=trouble)
    encounter = stage.encounter
    looking = eyes(table, stage, member)
    hidden = unseen(table, stage, member)
    view = scene_view(stage, looking, hidden)
    visible = sees(stage, looking, view)
    asked = stage.questions()
    questions = tuple(_question(table, stage, member, question) for question in asked if _asks(table, stage, member, question, visible))
    leads = permissions.leads(member)
    hands = tuple(_hand(stage, card.name, table.decides(stage, card.name), leads, member.id) for card in view.cards)
    under_way = stage.ended is None
    return SceneShown(
        stage.number,
        stage.name,
        not under_way,
        view,
        questions,
        hands,
        encounter.result,
        any(not permissions.answers(table, stage, member, question) for question in asked),
        under_way and member.role != "spectator" and permissions.may_undo(table, stage, member),
        under_way and permissions.may_redo(table, stage, member) and bool(encounter.redoable),
        leads and under_way and encounter.between_steps,
        about=stage.about,
        faces=_faces(table, stage, member, view),
    )


def _faces(table: Table, stage: Stage, member: Member, view: SceneView) -> dict[str, str]:
    """The pictures of everybody in view whom a member knows as a character of the table."""
    result = {}
    for card in view.cards:
        character = table.characters.get(stage.characters.get(card.name, ""))
        if character is not None and character.picture and knows(character, member):
            result[card.name] = character.picture
    return result


def _hand(stage: Stage, who: str, decides: str, leads: bool, me: str) -> HandShown:
    """Who decides for a combatant, as far as a member may know."""
    settled = tuple(topic for text, topic in stage.settled if text == who) if leads or decides == me else ()
    return HandShown(who, decides, stage.hands.get(who, e.Hand()).tactic if leads else "", settled)


def _asks(table: Table, stage: Stage, member: Member, question: Question, visible: Callable[[str], bool]) -> bool:
    """Whether a member may know that somebody is asked."""
    if permissions.answers(table, stage, member, question):
        return True
    return not question.request.secret and visible(question.who)


def _question(table: Table, stage: Stage, member: Member, question: Question) -> QuestionShown:
    request = question.request
    who = question.who or GAMEMASTER
    sort: Literal["roll", "choice"] = "roll" if isinstance(request, Roll) else "choice"
    asked, hidden = table.decides(stage, question.who), unseen(table, stage, member)
    if not permissions.answers(table, stage, member, question):
        return QuestionShown(question.at, "", who, sort, False, asked=asked)
    shown = QuestionShown(question.at, question.mark, who, sort, True, secret=request.secret, asked=asked)
    if isinstance(request, Roll):
        return replace(shown, ask_for=discreet(request.what, hidden), dice=str(request.reading), sides=request.reading.sides())
    people = tuple(name for names in stage.encounter.scene.sides(stage.encounter.state).values() for name in names)
    options, low, high, step = _allowed(request, hidden, people, table.system.verbs)
    usual = stage.tactic(request.who)(request)
    known = low is not None or any(option.key == usual for option in options)
    return replace(
        shown,
        ask_for=discreet(request.ask_for, hidden),
        topic=request.topic,
        options=options,
        low=low,
        high=high,
        step=step,
        places=request.where is not None,
        usual=usual if known and not isinstance(usual, tuple) else "",
    )


def _allowed(
    request: Choice[Any], hidden: frozenset[str], people: tuple[str, ...], verbs: Mapping[str, str]
) -> tuple[tuple[OptionShown, ...], int | None, int | None, int]:
    allowed = request.options
    if isinstance(allowed, Range):
        return (), allowed.low, allowed.high, allowed.step
    options = tuple(
        OptionShown(option.key, option.label, option.note, len(allowed) > 1, place.verb, place.target, place.manner)
        for option, place in zip(allowed, arrange(allowed, people, request.topic, verbs), strict=True)
        if not names(option, hidden)
    )
    return options, None, None, 1


def discreet(text: str, hidden: frozenset[str]) -> str:
    """A sentence without the names of those of whom one may not know."""
    for name in sorted(hidden, key=len, reverse=True):
        text = text.replace(name, "somebody")
    return text[:1].upper() + text[1:] if text.startswith("somebody") else text


def names(option: Option[Any], hidden: frozenset[str]) -> bool:
    """Whether an option speaks of somebody of whom one may not know."""
    return any(name in option.label or name in option.note for name in hidden)


# --- the log ------------------------------------------------------------------------------------------------------------------


def concerns(table: Table, member: Member, line: Line) -> bool:
    """Whether a line may change what a member sees."""
    told = table.audience.get(line.seq)
    return told is None or member.id in told or (GAMEMASTER in told and permissions.leads(member))
