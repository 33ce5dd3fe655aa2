"""Scenes at the table: begun, answered, overruled, undone, carried on.

Whatever an answer leads to that needs no person follows in the same piece.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.play import Choice, Given, Range, Roll, Tactic
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Begun
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.table import limits, permissions
from rulewright.table.commands import card_edits
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import who_takes_part
from rulewright.table.commands.handlers import Asked, Done, does, known
from rulewright.table.commands.people_and_notes import on_map
from rulewright.table.log import entries as e
from rulewright.table.log.entries import Hand
from rulewright.table.log.lines import Line
from rulewright.table.scenes.lasting_results import Field, carried_into, fitting, offer_of, unfit, with_carried
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.scenes.scene_setup import scenario_of
from rulewright.table.state import Table


@does(a.BeginScene)
def begin_scene(asked: Asked, action: a.BeginScene) -> Done:
    table = asked.table
    if len(table.open_scenes()) >= limits.OPEN_SCENES:
        raise UserError(f"at most {limits.OPEN_SCENES} scenes are under way at once: end one first")
    kept = scenario_of(table, action)

    def enter(carried: dict[Field, Any]) -> library.Staged:
        scenario = replace(kept, thing=with_carried(kept.thing, carried))
        return library.staged(scenario, None, find_member=lambda reference: who_takes_part(table, reference), rules=table.rules)

    staged, left = library.as_far_as_it_fits(carried_into(table, kept.thing), enter)
    number = max(table.scenes, default=0) + 1
    name = limits.name(action.name or staged.scenario.name, "name of the scene", 120)
    encounter = Encounter.begin(staged.scene, staged.state, name)
    begun = encounter.entries[0]
    assert isinstance(begun, Begun)
    limits.small(begun, "scene", limits.LINE_BYTES)
    usual = next(iter(table.system.staging(begun.scene).tactics), "")
    characters, tactics = _cast(table, staged.scenario, [placed.name for placed in staged.members], usual)
    hands = {}
    if action.npcs != "gamemaster":
        for who, tactic in tactics.items():
            if who not in action.mine and not _owned(table, characters.get(who, "")):
                hands[who] = Hand(tactic=tactic if action.npcs == "tactics" else action.npcs)
    change = e.SceneBegun(number, begun, characters, hands, tactics, unfit(table, left), staged.scenario.about[:2_000])
    stage = Stage(table.system, Line(table.seq + 1, 0, asked.member.id, change), change)
    return Done([change, *run_on(asked, stage)], str(number))


def _cast(table: Table, scenario: Scenario, names: list[str], usual: str) -> tuple[dict[str, str], dict[str, str]]:
    """Which combatant is which character of the table, and the tactic of each."""
    characters: dict[str, str] = {}
    tactics: dict[str, str] = {}
    result = iter(names)
    for side, members in scenario.sides.items():
        for member in members:
            for _ in range(member.count):
                name = next(result)
                if member.character in table.characters:
                    characters[name] = member.character
                tactics[name] = member.tactic or scenario.tactics.get(side, "") or usual
    return characters, tactics


def _owned(table: Table, character_id: str) -> bool:
    character = table.characters.get(character_id)
    return character is not None and bool(character.owner)


@does(a.EndScene)
def end_scene(asked: Asked, action: a.EndScene) -> Done:
    stage = under_way(asked, action.scene)
    result = stage.encounter.result
    why = action.why[:300] or (result.why if result is not None else "the gamemaster ended it")
    return Done([e.SceneEnded(stage.number, result.winner if result is not None else None, why)])


def under_way(asked: Asked, number: int) -> Stage:
    stage = asked.table.scene(number)
    if stage.ended is not None:
        raise UserError("this scene has ended")
    return stage


# --- from one scene to the next -----------------------------------------------------------------------------------------------


@does(a.CarryOn)
def carry_on(asked: Asked, action: a.CarryOn) -> Done:
    offer = offer_of(asked.table, action.scene)
    for character_id in action.characters:
        if character_id not in offer.after:
            raise UserError(f"{known(asked, character_id).name} carries nothing on from this scene")
    chosen = action.characters or tuple(offer.after)
    if not chosen:
        raise UserError("nothing is otherwise with anybody than before this scene")
    after = {text: tuple(e.Carried(field, lasts.value, lasts.words) for field, lasts in offer.after[text].items()) for text in chosen}
    limits.small(after, "scene", limits.LINE_BYTES)
    return Done([e.SceneCarried(offer.scene, after)])


@does(a.LeaveBehind)
def leave_behind(asked: Asked, action: a.LeaveBehind) -> Done:
    return Done([e.SceneCarried(offer_of(asked.table, action.scene).scene)])


@does(a.MakeFresh)
def make_fresh(asked: Asked, action: a.MakeFresh) -> Done:
    character = known(asked, action.character)
    if not character.carried:
        raise UserError(f"{character.name} carries nothing from an earlier scene")
    return Done([e.CharacterFresh(character.id)])


@does(a.UndoCarry)
def undo_carry(asked: Asked, action: a.UndoCarry) -> Done:
    if not asked.table.carryings:
        raise UserError("nothing was carried on that could be taken back")
    return Done([e.CarryUndone()])


# --- answers ------------------------------------------------------------------------------------------------------------------


@does(a.Answer)
def answer(asked: Asked, action: a.Answer) -> Done:
    stage, question = _asked(asked, action.scene, action.at, action.question)
    typed = isinstance(action.given, tuple)
    if typed:
        permissions.types_dice(asked.table, asked.member)
    settled: list[e.Change] = []
    if action.always and isinstance(question.request, Choice) and not isinstance(action.given, tuple):
        question.request.take(action.given)  # refuses what is not allowed before anything is kept
        settled.append(e.AnswerSettled(stage.number, question.who, question.request.topic, action.given))
        stage.settled[question.who, question.request.topic] = action.given
    done = _given(asked, stage, question, action.given, typed)
    return replace(done, changes=[*settled, *done.changes])


@does(a.AskAgain)
def ask_again(asked: Asked, action: a.AskAgain) -> Done:
    stage = under_way(asked, action.scene)
    if not permissions.leads(asked.member) and asked.table.decides(stage, action.who) != asked.member.id:
        raise permissions.Forbidden(f"{action.who[:60]} is not yours to decide for")
    topics = [topic for who, topic in stage.settled if who == action.who]
    return Done([e.AnswerSettled(stage.number, action.who, topic) for topic in topics])


@does(a.RollDice)
def roll_dice(asked: Asked, action: a.RollDice) -> Done:
    stage, question = _asked(asked, action.scene, action.at, action.question)
    if not isinstance(question.request, Roll):
        raise UserError("a decision is asked for here, not dice")
    return _given(asked, stage, question, asked.dice.faces(question.request))


@does(a.Decide)
def decide(asked: Asked, action: a.Decide) -> Done:
    stage, question = _asked(asked, action.scene, action.at, action.question)
    if not isinstance(question.request, Choice):
        raise UserError("dice are asked for here, not a decision")
    tactic = tactic_of(stage, question.who, action.tactic)
    if not action.round:
        return _given(asked, stage, question, tactic(question.request))
    encounter, decides = stage.encounter, asked.table.decides(stage, question.who)
    number = encounter.scene.round(encounter.now)
    stage.usual[decides] = number
    encounter.give(tactic(question.request), question.at)
    return Done([e.UsualChosen(stage.number, decides, number), *entries_of(stage, False), *run_on(asked, stage)])


def _asked(asked: Asked, scene: int, at: int, mark: str) -> tuple[Stage, Question]:
    stage = under_way(asked, scene)
    return stage, permissions.question(asked.table, stage, asked.member, at, mark)


def _given(asked: Asked, stage: Stage, question: Question, given: Given, typed: bool = False) -> Done:
    stage.encounter.give(given, question.at)
    return Done([*entries_of(stage, False, typed), *run_on(asked, stage)])


@does(a.GoOn)
def go_on(asked: Asked, action: a.GoOn) -> Done:
    """Dice and tactics answer for everybody for whom the gamemaster decides."""
    stage = under_way(asked, action.scene)
    mine = asked.member.id
    changes = run_on(asked, stage, lambda question: asked.table.decides(stage, question.who) == mine)
    if not changes:
        raise UserError("nothing here waits for the gamemaster")
    return Done(changes)


def run_on(asked: Asked, stage: Stage, also: "Callable[[Question], bool]" = lambda question: False) -> list[e.Change]:
    """Answer what needs no person: dice that do not wait for a touch, and those who go by a tactic."""
    changes: list[e.Change] = []
    for _ in range(limits.RUN_ON):
        moved = False
        for question in stage.questions():
            given = _by_itself(asked, stage, question, also(question))
            if given is not None:
                stage.encounter.give(given, question.at)
                changes += entries_of(stage, True)
                moved = True
                break
        if not moved:
            break
    snapshot = stage.due()
    return [*changes, snapshot] if snapshot is not None else changes


def _by_itself(asked: Asked, stage: Stage, question: Question, forced: bool) -> Given | None:
    """The answer to a question that no person has to give; None leaves it to people."""
    hand = stage.hands.get(question.who)
    by_tactic = forced or (hand is not None and hand.tactic != "") or _usual(asked, stage, question.who)
    if isinstance(question.request, Roll):
        waits = asked.table.members[asked.table.decides(stage, question.who)].wait
        return asked.dice.faces(question.request) if by_tactic or not waits else None
    if not by_tactic or (hand is not None and hand.tactic in PLAYS and not forced):
        return _plain_answer(stage, question.who, question.request)
    return tactic_of(stage, question.who, hand.tactic if hand is not None else "")(question.request)


PLAYS = {"plays easy": "easy", "plays good": "good", "plays best": "best"}
"""What stands for a tactic where somebody plays by themselves and thinks: how well they play. Their answers come from elsewhere."""


def thought(asked: Asked, scene: int, at: int, mark: str, given: Given, why: str) -> Done:
    """Take what somebody who plays by themselves has thought of, in the name of whoever leads."""
    stage, question = _asked(asked, scene, at, mark)
    stage.encounter.give(given, question.at)
    first, *rest = entries_of(stage, auto=True)
    assert isinstance(first, e.Played)
    return Done([replace(first, why=why[: limits.WHY]), *rest, *run_on(asked, stage)])


def _usual(asked: Asked, stage: Stage, who: str) -> bool:
    """Whether whoever decides for somebody leaves this round to what is usual."""
    chosen = stage.usual.get(asked.table.decides(stage, who)) if stage.usual else None
    return chosen is not None and chosen == stage.encounter.scene.round(stage.encounter.now)


def _plain_answer(stage: Stage, who: str, request: Choice[Any]) -> Given | None:
    """The only answer there is, or the one that was given once for all."""
    options = request.options
    if isinstance(options, Range):
        only: Given | None = options.low if options.low == options.high else None
    else:
        only = options[0].key if len(options) == 1 and request.where is None else None  # any place may be meant
    settled = stage.settled.get((who, request.topic))
    if only is not None or settled is None:
        return only
    allowed = options if isinstance(options, Range) else [option.key for option in options]
    return settled if settled in allowed else None


def tactic_of(stage: Stage, who: str, name: str = "") -> Tactic:
    """A tactic by name, or the one that the scenario gives this combatant."""
    known, name = stage.staging.tactics, "" if name in PLAYS else name
    if name and name not in known:
        raise UserError(f"there is no tactic {name[:40]!r} for this scene{files.did_you_mean(name[:40], known)}")
    return known[name] if name else stage.tactic(who)


def entries_of(stage: Stage, auto: bool, typed: bool = False) -> list[e.Change]:
    """What the encounter has just taken, as changes for the log."""
    changes: list[e.Change] = []
    for entry in stage.fresh():
        assert not isinstance(entry, Begun)
        changes.append(e.Played(stage.number, entry, auto, typed))
    return changes


# --- the gamemaster's hand, and steps back ------------------------------------------------------------------------------------


@does(a.Overrule)
def overrule(asked: Asked, action: a.Overrule) -> Done:
    stage = under_way(asked, action.scene)
    if not action.changes or len(action.changes) > 50:
        raise UserError("overrule from 1 to 50 fields at once")
    limits.small(action.changes, "change", limits.CHARACTER_BYTES)
    stage.encounter.overrule(*action.changes, why=action.why[:300], by=asked.member.name)
    return Done([*entries_of(stage, False), *run_on(asked, stage)])


@does(a.TouchCard)
def touch_card(asked: Asked, action: a.TouchCard) -> Done:
    stage = under_way(asked, action.scene)
    if action.words:
        touch = next((candidate for candidate in card_edits.touches(stage, action.who) if candidate.words == action.words), None)
        if touch is None:
            raise UserError("this has changed meanwhile: look again")
    else:
        touch = card_edits.wanted(stage, action.who, action.piece, action.shows)
    stage.encounter.overrule((touch.field, touch.value), why=action.why[:300], by=asked.member.name)
    return Done([*entries_of(stage, False), *run_on(asked, stage)])


@does(a.Move)
def move(asked: Asked, action: a.Move) -> Done:
    stage = under_way(asked, action.scene)
    x, y = on_map(action.x, action.y)
    stage.encounter.move(action.who, x, y, by=asked.member.name)
    return Done([*entries_of(stage, False), *run_on(asked, stage)])


@does(a.BringIn)
def bring_in(asked: Asked, action: a.BringIn) -> Done:
    table, stage = asked.table, under_way(asked, action.scene)
    newcomer = who_takes_part(table, action.character)
    side = limits.name(action.side, "side")
    before = _names(stage)
    stage.encounter.join(_bringing(table, stage, action.character, newcomer, side), side, by=asked.member.name)
    changes = entries_of(stage, False)
    if action.character in table.characters:
        for who in _names(stage) - before:
            lasting = stage.encounter.scene.lasting(stage.encounter.state, who)
            entered = {field: lasts.value for field, lasts in lasting.items()}
            changes.append(e.NewcomerNamed(stage.number, who, action.character, entered))
    return Done([*changes, *run_on(asked, stage)])


def _bringing(table: Table, stage: Stage, reference: str, newcomer: Any, side: str) -> Any:
    """A newcomer with what they carry from an earlier scene, as far as this one knows it."""
    scene, state = stage.encounter.scene, stage.encounter.state
    character = table.characters.get(reference)
    carried = fitting(character, scene) if character is not None else {}
    if not carried:
        return newcomer

    def placed(brought: dict[Field, Any]) -> Placed:
        result = Placed(newcomer, newcomer.name, side, None, {field: value for (_, field), value in brought.items()})
        scene.join(state, result, side)  # refuses what does not fit
        return result

    return library.as_far_as_it_fits({(reference, field): value for field, value in carried.items()}, placed)[0]


def _names(stage: Stage) -> set[str]:
    encounter = stage.encounter
    return {name for names in encounter.scene.sides(encounter.state).values() for name in names}


@does(a.Undo)
def undo(asked: Asked, action: a.Undo) -> Done:
    stage = under_way(asked, action.scene)
    if action.to is not None and not permissions.leads(asked.member):
        raise permissions.Forbidden("only the gamemaster goes back that far")
    if not stage.encounter.undoable:
        raise UserError("there is nothing to undo")
    if not permissions.may_undo(asked.table, stage, asked.member):
        raise permissions.Forbidden("only your own last decision is yours to take back")
    to = action.to if action.to is not None else stage.last_decision()
    stage.encounter.undo(by=asked.member.name, to=to)
    return Done(entries_of(stage, False))


@does(a.Redo)
def redo(asked: Asked, action: a.Redo) -> Done:
    stage = under_way(asked, action.scene)
    if not permissions.may_redo(asked.table, stage, asked.member):
        raise permissions.Forbidden("only what you took back yourself is yours to bring back")
    stage.encounter.redo(by=asked.member.name)
    return Done(entries_of(stage, False))


@does(a.SetHand)
def set_hand(asked: Asked, action: a.SetHand) -> Done:
    table, stage = asked.table, under_way(asked, action.scene)
    if action.who not in _names(stage):
        raise UserError(f"there is no {action.who[:40]!r} in this scene")
    if action.member and table.other(action.member).role == "spectator":
        raise UserError("a spectator only watches")
    if action.tactic:
        tactic_of(stage, action.who, action.tactic)
    change = e.HandChanged(stage.number, action.who, Hand(action.member, action.tactic))
    return Done([change])
