"""Views: what one member may see of a table. Everything that the server sends to a person goes through here.

In scenes the game decides, through `Scene.view` and `hidden_from`. Lines are identified by marks instead of numbers, so that nobody can
count hidden ones.
"""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import Card, Place, SceneView
from rulewright.grammar import count
from rulewright.play import GAMEMASTER, Choice, Given, Option, Range, Roll
from rulewright.play.option_groups import arrange, default_option
from rulewright.rules.reasons import Reason
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scene import Leaving, Result, Scene
from rulewright.scenes.skirmish import WAYS_OUT, Parting
from rulewright.table import limits, permissions
from rulewright.table.campaign_view import CampaignShown, campaign_shown
from rulewright.table.log import entries as e
from rulewright.table.log.entries import Role
from rulewright.table.log.lines import Line
from rulewright.table.scenes import lasting_results
from rulewright.table.scenes.demo_hints import DemoHint, demo_hint
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.scenes.veiled_pictures import conceal_picture
from rulewright.table.state import Character, Draft, HouseRules, KeptMap, Map, Member, Note, Table, Token
from rulewright.table.story.view import StoryAtTable, story_at_table

NOBODY = "\0"
"""The viewer for members without a combatant; no combatant has this name."""

Marks = Callable[[int], str]


class MemberShown(Struct, frozen=True):
    """A member of the table."""

    id: str
    name: str
    role: Role
    here: bool
    wait: bool
    me: bool


class CharacterShown(Struct, frozen=True):
    """A character in a list; its sheet is requested by its id."""

    id: str
    name: str
    of: str
    owner: str
    mine: bool
    may_change: bool
    may_claim: bool
    hidden: bool = False
    carried: tuple[str, ...] = ()
    """Lasting results for the next scene, in words, for members who may open the sheet."""
    carried_from: str = ""
    picture: str = ""
    """The digest of its portrait."""


class TakesAlong(Struct, frozen=True):
    """A character, and the results of a scene it could keep, in words."""

    character: str
    name: str
    words: tuple[str, ...]


class OfferShown(Struct, frozen=True):
    """An ended scene, and the results that its characters could keep."""

    scene: int
    name: str
    people: tuple[TakesAlong, ...]


class OptionShown(Struct, frozen=True):
    """One option of a question."""

    key: str
    label: str
    note: str = ""
    weighable: bool = False
    """Whether its exact chance can be requested."""
    verb: str = ""
    """What kind of action it is, its target and its manner, for grouping options."""
    target: str = ""
    manner: tuple[str, ...] = ()


class QuestionShown(Struct, frozen=True):
    """An open question. Members who are not asked learn whom it waits for, if they may know, and nothing else."""

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
    """The id of the member who is asked; the gamemaster may answer for them."""
    topic: str = ""
    places: bool = False
    """Whether any place within reach is an answer, too."""
    usual: int | str = ""
    """The default answer: an option's key or a number; empty if this member may not know it."""


class HandShown(Struct, frozen=True):
    """Who controls a combatant."""

    who: str
    member: str
    tactic: str = ""
    settled: tuple[str, ...] = ()
    """Topics with a standing answer in this scene, for the member who controls the combatant."""


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
    """Whether the scene waits for another member: one who is shown to be asked, or somebody unknown while this member has no question."""
    may_undo: bool = False
    may_redo: bool = False
    between_steps: bool = False
    """For the gamemaster: whether values may be edited now."""
    trouble: str = ""
    about: str = ""
    """The scenario's description."""
    faces: dict[str, str] = {}
    """Pictures by combatant name, for combatants that are characters of the table."""
    leavings: dict[str, tuple[Leaving, ...]] = {}
    """How the combatants whose questions this member answers may leave the scene now."""
    requested: bool = False
    """Whether this is a roll request instead of a scene of the game."""


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
    """For the gamemaster: ended scenes whose results can be kept."""
    own_dice: bool = True
    """Whether players may enter their own dice."""
    may_undo_carry: bool = False
    """For the gamemaster: whether the last kept, discarded or reset results can be undone."""
    went_on: str = ""
    """The table that continues this one."""
    hints: bool = False
    """Whether players may ask for hints."""
    full: float = 0.0
    """How full the table is, from 0 to 1, in steps of 0.05."""
    maps: "tuple[MapListed, ...]" = ()
    """For the gamemaster: the prepared maps."""
    drafts: "tuple[DraftListed, ...]" = ()
    """For the gamemaster: the prepared scenes."""
    may_undo_drafts: bool = False
    """For the gamemaster: whether a change to the prepared scenes can be undone."""
    hint: DemoHint | None = None
    """The hint of a demo."""
    campaign: CampaignShown = CampaignShown(False)
    """The time between scenes; people are listed while no scene is in progress."""
    story: StoryAtTable | None = None
    """The adventure in progress."""


class MapListed(Struct, frozen=True):
    """A prepared map in a list."""

    id: str
    name: str
    of: str
    words: str
    """Its grid and size."""


class DraftListed(Struct, frozen=True):
    """A prepared scene in a list."""

    id: str
    name: str
    words: str
    """Its kind, and the number of participants."""


def _draft_listed(draft: Draft) -> DraftListed:
    sides = draft.scene.get("sides", {})
    people = sum(int(placing.get("count", 1)) for placings in sides.values() for placing in placings)
    return DraftListed(draft.id, draft.name, f"{draft.scene.get('scene', FIGHT)}, {count(people, 'person', 'people')}")


def _listed(kept: KeptMap) -> MapListed:
    ground = kept.ground
    unit = {"hexes": "hexes", "squares": "m, squares", "open": "m"}[ground.grid]
    size = f"{ground.size[0]:g} by {ground.size[1]:g} {unit}" if ground.size is not None else "unlimited"
    return MapListed(kept.id, kept.name, kept.of, size)


class Detail(Struct, frozen=True, omit_defaults=True):
    """A part of a log entry: a sentence, the dice and sums behind it, and for a decision the question and answer."""

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
    """Whether a person entered the faces of their own dice."""


class LogShown(Struct, frozen=True, omit_defaults=True):
    """A log entry as one member may see it. `mark` identifies it for this member; `by` is the id of its author."""

    mark: str
    at: int
    by: str
    by_name: str
    sort: str
    text: str
    scene: int = 0
    entry: int | None = None
    """The number in the scene's record, for the gamemaster to undo to."""
    details: tuple[Detail, ...] = ()
    secret: bool = False
    undone: bool = False
    to: tuple[str, ...] = ()
    """The names of its recipients, if it was not for everybody."""
    for_name: str = ""
    """The player who was asked, if another member answered for them."""


# --- eyes ---------------------------------------------------------------------------------------------------------------------


def viewers_of(table: Table, stage: Stage, member: Member) -> tuple[str | None, ...]:
    """The viewers for a member: everybody (None) for the gamemaster, otherwise their own combatants, otherwise nobody in particular."""
    if permissions.is_gamemaster(member):
        return (None,)
    return table.played(stage, member.id) or (NOBODY,)


def hidden_combatants(table: Table, stage: Stage, member: Member) -> frozenset[str]:
    """The combatants whose characters the gamemaster hides from a member."""
    if permissions.is_gamemaster(member):
        return frozenset()
    hidden = {character.id for character in table.characters.values() if character.hidden}
    return frozenset(name for name, character in stage.characters.items() if character in hidden)


def scene_view(stage: Stage, viewers: tuple[str | None, ...], hidden: frozenset[str] = frozenset(), state: Any = None) -> SceneView:
    """The present scene as these viewers see it, merged, without hidden combatants."""
    encounter = stage.encounter
    return view_of(encounter.scene, encounter.now if state is None else state, viewers, hidden)


def view_of(scene: Scene[Any], state: Any, viewers: tuple[str | None, ...], hidden: frozenset[str]) -> SceneView:
    """A state of a scene as these viewers see it, merged, without hidden combatants."""
    view = _merged([scene.view(state, who) for who in viewers])
    if not hidden:
        return view
    timeline = view.timeline
    if timeline is not None:
        timeline = replace(timeline, turns=tuple(turn for turn in timeline.turns if turn.who not in hidden))
    cards = tuple(card for card in view.cards if card.name not in hidden)
    places = tuple(place for place in view.places if place.name not in hidden)
    return replace(view, cards=cards, places=places, timeline=timeline)


def _merged(seen: list[SceneView]) -> SceneView:
    """Merges what several viewers see into one view."""
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


def sees(stage: Stage, viewers: tuple[str | None, ...], view: SceneView) -> Callable[[str], bool]:
    """A function that says whether a combatant is visible in this view."""
    encounter = stage.encounter
    everybody = {name for names in encounter.scene.sides(encounter.state).values() for name in names}
    shown = {card.name for card in view.cards}
    return lambda who: viewers == (None,) or who not in everybody or who in shown


def may_notice(stage: Stage, member: Member) -> bool:
    """Whether a member may know that a scene is open; only the gamemaster knows of rolls behind the screen."""
    return not stage.private or permissions.is_gamemaster(member)


# --- the table ----------------------------------------------------------------------------------------------------------------


def shown(table: Table, member: Member, mark: str) -> TableShown:
    """Everything that a member may see of a table except the log, cached until the table changes. `mark` is how far they know the log."""
    key = ("shown", member.id)
    if key not in table.remembered:
        table.remembered[key] = _shown(table, member)
    table_shown: TableShown = table.remembered[key]
    return replace(table_shown, mark=mark)


def look(table: Table, member: Member) -> str:
    """A hash of everything that a member sees except the log; it changes when that changes."""
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
        tuple(character_shown(character, member) for character in table.characters.values() if may_know(character, member)),
        tuple(scene(table, stage, member) for stage in table.scenes.values() if stage.ended is None and may_notice(stage, member)),
        tuple(note for note in table.notes.values() if may_read(note, member)),
        table.map,
        tuple(token for token in table.tokens.values() if permissions.is_gamemaster(member) or not token.hidden),
        table.house,
        tuple(table.notices) if permissions.is_gamemaster(member) else (),
        table.demo,
        _offers(table) if permissions.is_gamemaster(member) else (),
        table.own_dice,
        permissions.is_gamemaster(member) and _may_undo_carry(table),
        table.went_on,
        table.hints,
        int(20 * max(table.seq / limits.LINES, table.bytes / limits.TABLE_BYTES)) / 20 if permissions.is_gamemaster(member) else 0.0,
        tuple(map(_listed, table.maps.values())) if permissions.is_gamemaster(member) else (),
        tuple(map(_draft_listed, table.drafts.values())) if permissions.is_gamemaster(member) else (),
        permissions.is_gamemaster(member) and bool(table.drafts_before),
        demo_hint(table),
        campaign_shown(table, member),
        story_at_table(table, member),
    )


def _offers(table: Table) -> tuple[OfferShown, ...]:
    return tuple(
        OfferShown(offer.scene, offer.name, tuple(TakesAlong(key, table.characters[key].name, words) for key, words in offer.words.items()))
        for offer in lasting_results.offers(table)
    )


def _may_undo_carry(table: Table) -> bool:
    """Whether the last kept or reset results can be undone on their own; those of time that passed go back with the clock."""
    return bool(table.carryings) and not (table.carryings[-1].scene and table.scenes[table.carryings[-1].scene].downtime)


def _member(other: Member, me: Member) -> MemberShown:
    return MemberShown(other.id, other.name, other.role, other.here, other.wait, other.id == me.id)


def character_shown(character: Character, member: Member) -> CharacterShown:
    """A character as a list entry."""
    mine, leads = character.owner == member.id, permissions.is_gamemaster(member)
    may_claim = not character.owner and member.role == "player"
    opened = may_open(character, member)
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


def may_know(character: Character, member: Member) -> bool:
    """Whether a member may know of a character."""
    return not character.hidden or permissions.is_gamemaster(member)


def may_open(character: Character, member: Member) -> bool:
    """Whether a member may open a sheet: its owner, the gamemaster, and any player while nobody plays it."""
    return (
        permissions.is_gamemaster(member)
        or character.owner == member.id
        or (not character.owner and not character.hidden and member.role == "player")
    )


def may_read(note: Note, member: Member) -> bool:
    """Whether a member may read a note."""
    return permissions.can_read(member, note.author, note.readers, note.to)


def scene(table: Table, stage: Stage, member: Member) -> SceneShown:
    """A scene as a member may see it."""
    trouble = stage.trouble()
    if trouble:
        return SceneShown(stage.number, stage.name, stage.ended is not None, None, (), (), trouble=trouble)
    encounter = stage.encounter
    viewers = viewers_of(table, stage, member)
    hidden = hidden_combatants(table, stage, member)
    view = conceal_picture(table, stage, scene_view(stage, viewers, hidden))
    visible = sees(stage, viewers, view)
    asked = stage.questions()
    questions = tuple(
        _question(table, stage, member, question) for question in asked if _may_know_question(table, stage, member, question, visible)
    )
    leads = permissions.is_gamemaster(member)
    hands = tuple(_hand(stage, card.name, table.decides(stage, card.name), leads, member.id) for card in view.cards)
    in_progress = stage.ended is None
    return SceneShown(
        stage.number,
        stage.name,
        not in_progress,
        view,
        questions,
        hands,
        encounter.result,
        _waits_for_others(in_progress and encounter.result is None and not leads, questions),
        in_progress and member.role != "spectator" and permissions.may_undo(table, stage, member),
        in_progress and permissions.may_redo(table, stage, member) and bool(encounter.redoable),
        leads and in_progress and encounter.between_steps,
        about=stage.about,
        faces=_faces(table, stage, member, view),
        leavings=_leavings(stage, questions) if in_progress and encounter.between_steps and encounter.result is None else {},
        requested=stage.requested,
    )


def _leavings(stage: Stage, questions: tuple[QuestionShown, ...]) -> dict[str, tuple[Leaving, ...]]:
    """How those who are asked may leave, in a scene that people can leave."""
    scene, state = stage.encounter.scene, stage.encounter.state
    if not isinstance(scene, Parting):
        return {}
    ways_by_name: dict[str, tuple[Leaving, ...]] = {}
    for question in questions:
        member = scene.member(state, question.who) if question.mine and question.sort != "roll" else None
        if member is not None and scene.able(state, member):
            ways_by_name[question.who] = tuple([how for how in WAYS_OUT if not scene.stays(state, member, how)])
    return ways_by_name


def _waits_for_others(goes_on: bool, questions: tuple[QuestionShown, ...]) -> bool:
    """Whether a scene waits for others, judged by the questions that a member knows of, so that nobody can count those of hidden people."""
    return goes_on and (not questions or any(not question.mine for question in questions))


def _faces(table: Table, stage: Stage, member: Member, view: SceneView) -> dict[str, str]:
    """Pictures of visible combatants that a member knows as characters of the table."""
    picture_by_name = {}
    for card in view.cards:
        character = table.characters.get(stage.characters.get(card.name, ""))
        if character is not None and character.picture and may_know(character, member):
            picture_by_name[card.name] = character.picture
    return picture_by_name


def _hand(stage: Stage, who: str, decides: str, leads: bool, me: str) -> HandShown:
    """Returns who controls a combatant, as far as a member may know."""
    settled = tuple(topic for name, topic in stage.settled if name == who) if leads or decides == me else ()
    return HandShown(who, decides, stage.hands.get(who, e.Hand()).tactic if leads else "", settled)


def _may_know_question(table: Table, stage: Stage, member: Member, question: Question, visible: Callable[[str], bool]) -> bool:
    """Whether a member may know that a question is asked."""
    if permissions.can_answer(table, stage, member, question):
        return True
    return not question.request.secret and visible(question.who)


def _question(table: Table, stage: Stage, member: Member, question: Question) -> QuestionShown:
    request = question.request
    who = question.who or GAMEMASTER
    sort: Literal["roll", "choice"] = "roll" if isinstance(request, Roll) else "choice"
    asked, hidden = table.decides(stage, question.who), hidden_combatants(table, stage, member)
    if not permissions.can_answer(table, stage, member, question):
        return QuestionShown(question.at, "", who, sort, False, asked=asked)
    shown = QuestionShown(question.at, question.mark, who, sort, True, secret=request.secret, asked=asked)
    if isinstance(request, Roll):
        return replace(shown, ask_for=discreet(request.what, hidden), dice=str(request.reading), sides=request.reading.sides())
    people = tuple(name for names in stage.encounter.scene.sides(stage.encounter.state).values() for name in names)
    options, low, high, step = _options(request, hidden, people, table.system.verbs)
    usual = _default_answer(table, stage, request)
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


def _default_answer(table: Table, stage: Stage, request: Choice[Any]) -> Given:
    """The default answer: the tactic's, unless it harms a friend."""
    usual, options = stage.tactic(request.who)(request), request.options
    chosen = () if isinstance(options, Range) else [option for option in options if option.key == usual]
    sides = stage.encounter.scene.sides(stage.encounter.state)
    friends = [name for names in sides.values() if request.who in names for name in names if name != request.who]
    if not chosen or not friends or isinstance(options, Range):
        return usual
    people = tuple(name for names in sides.values() for name in names)
    if default_option(arrange(chosen, people, request.topic, table.system.verbs), usual).target not in friends:
        return usual
    return default_option(arrange(options, people, request.topic, table.system.verbs), usual, friends=friends).key


def _options(
    request: Choice[Any], hidden: frozenset[str], people: tuple[str, ...], verbs: Mapping[str, str]
) -> tuple[tuple[OptionShown, ...], int | None, int | None, int]:
    allowed = request.options
    if isinstance(allowed, Range):
        return (), allowed.low, allowed.high, allowed.step
    options = tuple(
        OptionShown(option.key, option.label, option.note, len(allowed) > 1, place.verb, place.target, place.manner)
        for option, place in zip(allowed, arrange(allowed, people, request.topic, verbs), strict=True)
        if not names_hidden(option, hidden)
    )
    return options, None, None, 1


def discreet(text: str, hidden: frozenset[str]) -> str:
    """A sentence without the names of hidden combatants."""
    for name in sorted(hidden, key=len, reverse=True):
        text = text.replace(name, "somebody")
    return text[:1].upper() + text[1:] if text.startswith("somebody") else text


def names_hidden(option: Option[Any], hidden: frozenset[str]) -> bool:
    """Whether an option names a hidden combatant."""
    return any(name in option.label or name in option.note for name in hidden)


# --- the log ------------------------------------------------------------------------------------------------------------------


def concerns(table: Table, member: Member, line: Line) -> bool:
    """Whether a line may change what a member sees."""
    audience = table.audience.get(line.seq)
    return audience is None or member.id in audience or (GAMEMASTER in audience and permissions.is_gamemaster(member))
