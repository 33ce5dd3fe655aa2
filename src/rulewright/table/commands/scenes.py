"""Handlers for scenes: starting, answering, editing, undoing and keeping results.

Everything that follows an answer without a person (dice, tactics) is part of the same result.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.play import GAMEMASTER, Choice, Given, Range, Roll, Tactic
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Begun
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.table import limits, permissions
from rulewright.table.commands import card_edits
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import participant
from rulewright.table.commands.handlers import Context, Done, handles, known_character
from rulewright.table.commands.people_and_notes import on_map
from rulewright.table.log import entries as e
from rulewright.table.log import told
from rulewright.table.log.entries import Hand
from rulewright.table.log.lines import Line
from rulewright.table.scenes import downtime
from rulewright.table.scenes.consequences import consequences
from rulewright.table.scenes.lasting_results import Field, carried_into, fitting, offer_of, offered, unfit, with_carried
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.scenes.scene_setup import scenario_of
from rulewright.table.state import Table


@handles(a.BeginScene)
def begin_scene(context: Context, action: a.BeginScene) -> Done:
    table = context.table
    if len(table.open_scenes()) >= limits.OPEN_SCENES:
        raise UserError(f"at most {limits.OPEN_SCENES} scenes can be in progress at once; end one first")
    kept = scenario_of(table, action)

    def enter(carried: dict[Field, Any]) -> library.Staged:
        scenario = replace(kept, thing=with_carried(kept.thing, carried))
        return library.staged(scenario, None, find_member=lambda reference: participant(table, reference), rules=table.rules)

    staged, left = library.as_far_as_it_fits(carried_into(table, kept.thing), enter)
    number = max(table.scenes, default=0) + 1
    name = limits.name(action.name or staged.scenario.name, "name of the scene", 120)
    encounter = Encounter.begin(staged.scene, staged.state, name)
    begun = encounter.entries[0]
    assert isinstance(begun, Begun)
    limits.small(begun, "scene", limits.LINE_BYTES)
    default = next(iter(table.system.staging(begun.scene).tactics), "")
    characters, tactics = _cast(table, staged.scenario, [placed.name for placed in staged.members], default)
    hands = {}
    if action.npcs != "gamemaster":
        for who, tactic in tactics.items():
            if who not in action.mine and not _has_owner(table, characters.get(who, "")):
                hands[who] = Hand(tactic=tactic if action.npcs == "tactics" else action.npcs)
    if action.player:
        hands |= dict.fromkeys(action.mine, Hand(member=table.other(action.player).id))
        hands |= dict.fromkeys(("", GAMEMASTER), Hand(tactic=default))
    change = e.SceneBegun(number, begun, characters, hands, tactics, unfit(table, left), staged.scenario.about[:2_000])
    stage = Stage(table.system, Line(table.seq + 1, 0, context.member.id, change), change)
    return Done([told.beginning(change, stage.encounter), *run_on(context, stage)], str(number))


def _cast(table: Table, scenario: Scenario, names: list[str], default: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the table's character of each combatant, and the tactic of each."""
    characters: dict[str, str] = {}
    tactics: dict[str, str] = {}
    remaining = iter(names)
    for side, members in scenario.sides.items():
        for member in members:
            for _ in range(member.count):
                name = next(remaining)
                if member.character in table.characters:
                    characters[name] = member.character
                tactics[name] = member.tactic or scenario.tactics.get(side, "") or default
    return characters, tactics


def _has_owner(table: Table, character_id: str) -> bool:
    character = table.characters.get(character_id)
    return character is not None and bool(character.owner)


@handles(a.EndScene)
def end_scene(context: Context, action: a.EndScene) -> Done:
    stage = open_scene(context, action.scene)
    result = stage.encounter.result
    why = action.why[:300] or (result.why if result is not None else "the gamemaster ended it")
    return Done([e.SceneEnded(stage.number, result.winner if result is not None else None, why, stage.took)])


def open_scene(context: Context, number: int) -> Stage:
    stage = context.table.scene(number)
    if stage.ended is not None:
        raise UserError(f"the scene {stage.name} has ended")
    return stage


# --- from one scene to the next -----------------------------------------------------------------------------------------------


@handles(a.CarryOn)
def carry_on(context: Context, action: a.CarryOn) -> Done:
    offer = offer_of(context.table, action.scene)
    for character_id in action.characters:
        if character_id not in offer.after:
            raise UserError(f"{known_character(context, character_id).name} has no results of this scene to keep")
    chosen = action.characters or tuple(offer.after)
    if not chosen:
        raise UserError("this scene has no results to keep: nobody changed")
    after = {
        character_id: tuple(e.Carried(field, lasts.value, lasts.words) for field, lasts in offer.after[character_id].items())
        for character_id in chosen
    }
    limits.small(after, "scene", limits.LINE_BYTES)
    return Done([e.SceneCarried(offer.scene, after)])


@handles(a.LeaveBehind)
def leave_behind(context: Context, action: a.LeaveBehind) -> Done:
    return Done([e.SceneCarried(offer_of(context.table, action.scene).scene)])


@handles(a.MakeFresh)
def make_fresh(context: Context, action: a.MakeFresh) -> Done:
    character = known_character(context, action.character)
    if not character.carried:
        raise UserError(f"{character.name} has no results of earlier scenes")
    return Done([e.CharacterFresh(character.id)])


@handles(a.UndoCarry)
def undo_carry(context: Context, action: a.UndoCarry) -> Done:
    if not context.table.carryings:
        raise UserError("there are no kept or discarded results to undo")
    number = context.table.carryings[-1].scene
    if number and context.table.scenes[number].downtime:
        raise UserError("the last results come from time that passed; turn the time back instead")
    return Done([e.CarryUndone()])


# --- answers ------------------------------------------------------------------------------------------------------------------


@handles(a.Answer)
def answer(context: Context, action: a.Answer) -> Done:
    stage, question = _asked(context, action.scene, action.at, action.question)
    typed = isinstance(action.given, tuple)
    if typed:
        permissions.check_typed_dice(context.table, context.member)
    settled: list[e.Change] = []
    if action.always and isinstance(question.request, Choice) and not isinstance(action.given, tuple):
        question.request.take(action.given)  # refuses invalid answers before anything is stored
        settled.append(e.AnswerSettled(stage.number, question.who, question.request.topic, action.given))
        stage.settled[question.who, question.request.topic] = action.given
    others = _asked_alike(context, stage, question, action.given) if action.alike else []
    stage.encounter.give(action.given, question.at)
    changes = [*settled, *entries_of(stage, False, typed)]
    for who in others:
        other = next(other for other in stage.questions() if other.who == who and other.request.topic == question.request.topic)
        stage.encounter.give(action.given, other.at)
        changes += entries_of(stage, auto=True)  # one Undo takes all of them back
    return Done([*changes, *run_on(context, stage)])


def _asked_alike(context: Context, stage: Stage, question: Question, given: Given) -> list[str]:
    """The others whom the same member decides for, and who are asked the same now and may give this answer."""
    if not isinstance(question.request, Choice) or isinstance(question.request.options, Range):
        raise UserError("only a choice between options can be made for several at once")
    decides = context.table.decides(stage, question.who)
    alike = []
    for other in stage.questions():
        request = other.request
        if other.who == question.who or not isinstance(request, Choice) or isinstance(request.options, Range):
            continue
        if request.topic == question.request.topic and context.table.decides(stage, other.who) == decides:
            alike += [other.who for option in request.options if option.key == given]
    return alike


@handles(a.AskAgain)
def ask_again(context: Context, action: a.AskAgain) -> Done:
    stage = open_scene(context, action.scene)
    if not permissions.is_gamemaster(context.member) and context.table.decides(stage, action.who) != context.member.id:
        raise permissions.Forbidden(f"you do not control {action.who[:60]}")
    topics = [topic for who, topic in stage.settled if who == action.who]
    return Done([e.AnswerSettled(stage.number, action.who, topic) for topic in topics])


@handles(a.RollDice)
def roll_dice(context: Context, action: a.RollDice) -> Done:
    stage, question = _asked(context, action.scene, action.at, action.question)
    if not isinstance(question.request, Roll):
        raise UserError("this question needs a decision, not dice")
    return _given(context, stage, question, context.dice.faces(question.request))


@handles(a.Decide)
def decide(context: Context, action: a.Decide) -> Done:
    stage, question = _asked(context, action.scene, action.at, action.question)
    if not isinstance(question.request, Choice):
        raise UserError("this question needs dice, not a decision")
    tactic = tactic_of(stage, question.who, action.tactic)
    if not action.round:
        return _given(context, stage, question, tactic(question.request))
    encounter, decides = stage.encounter, context.table.decides(stage, question.who)
    number = encounter.scene.round(encounter.now)
    stage.usual[decides] = number
    encounter.give(tactic(question.request), question.at)
    return Done([e.UsualChosen(stage.number, decides, number), *entries_of(stage, False), *run_on(context, stage)])


def _asked(context: Context, scene: int, at: int, mark: str) -> tuple[Stage, Question]:
    stage = open_scene(context, scene)
    return stage, permissions.open_question(context.table, stage, context.member, at, mark)


def _given(context: Context, stage: Stage, question: Question, given: Given, typed: bool = False) -> Done:
    stage.encounter.give(given, question.at)
    return Done([*entries_of(stage, False, typed), *run_on(context, stage)])


@handles(a.GoOn)
def go_on(context: Context, action: a.GoOn) -> Done:
    """Lets dice and tactics answer for all combatants that the gamemaster controls; while time passes, for everybody."""
    stage = open_scene(context, action.scene)
    mine = context.member.id
    changes = run_on(context, stage, lambda question: stage.downtime or context.table.decides(stage, question.who) == mine)
    if not changes:
        raise UserError("nothing in this scene waits for the gamemaster")
    return Done(changes)


def run_on(context: Context, stage: Stage, also: "Callable[[Question], bool]" = lambda question: False) -> list[e.Change]:
    """Answers everything that needs no person: dice that are rolled at once, and combatants with a tactic."""
    changes: list[e.Change] = []
    for _ in range(limits.RUN_ON):
        answered = False
        for question in stage.questions():
            given = _automatic_answer(context, stage, question, also(question))
            if given is not None:
                stage.encounter.give(given, question.at)
                changes += entries_of(stage, True)
                answered = True
                break
        if not answered:
            break
    if (stage.requested or stage.downtime) and stage.encounter.result is not None:
        return [*changes, *finished(context.table, stage)]
    snapshot = stage.due()
    return [*changes, snapshot] if snapshot is not None else changes


def finished(table: Table, stage: Stage) -> list[e.Change]:
    """A roll request or downtime ends with its last step, and its results are kept at once."""
    result = stage.encounter.result
    assert result is not None
    after = offered(table, stage).after
    followed, conditions = consequences(table, stage)
    for character_id, fields in conditions.items():
        after[character_id] = {**table.characters[character_id].carried, **after.get(character_id, {}), **fields}
    kept = {
        character_id: tuple(e.Carried(field, lasts.value, lasts.words) for field, lasts in fields.items())
        for character_id, fields in after.items()
    }
    changes: list[e.Change] = [*followed, e.SceneEnded(stage.number, None, result.why, stage.took)]
    if kept:
        changes.append(e.SceneCarried(stage.number, kept))
    if stage.downtime:
        before = msgspec.convert(stage.first.state, stage.encounter.scene.state_type, strict=True)
        changes += downtime.results(table, before, stage.encounter.state, stage.characters)
    return changes


def _automatic_answer(context: Context, stage: Stage, question: Question, forced: bool) -> Given | None:
    """The answer to a question that no person has to answer; None leaves it to people."""
    hand = stage.hands.get(question.who)
    by_tactic = forced or (hand is not None and hand.tactic != "") or _takes_default_round(context, stage, question.who)
    if isinstance(question.request, Roll):
        waits = context.table.members[context.table.decides(stage, question.who)].wait
        return context.dice.faces(question.request) if by_tactic or not waits else None
    if not by_tactic or (hand is not None and hand.tactic in PLAYS and not forced):
        return _forced_or_standing_answer(stage, question.who, question.request)
    return tactic_of(stage, question.who, hand.tactic if hand is not None else "")(question.request)


PLAYS = {"plays easy": "easy", "plays good": "good", "plays best": "best"}
"""AI players: the name used in place of a tactic, and the level. Their answers are computed in the background."""


def take_ai_answer(context: Context, scene: int, at: int, mark: str, given: Given, why: str) -> Done:
    """Takes the answer of an AI player, in the name of the gamemaster."""
    stage, question = _asked(context, scene, at, mark)
    stage.encounter.give(given, question.at)
    first, *rest = entries_of(stage, auto=True)
    assert isinstance(first, e.Played)
    return Done([replace(first, why=why[: limits.WHY]), *rest, *run_on(context, stage)])


def _takes_default_round(context: Context, stage: Stage, who: str) -> bool:
    """Whether the member who controls a combatant chose the default round."""
    chosen = stage.usual.get(context.table.decides(stage, who)) if stage.usual else None
    return chosen is not None and chosen == stage.encounter.scene.round(stage.encounter.now)


def _forced_or_standing_answer(stage: Stage, who: str, request: Choice[Any]) -> Given | None:
    """The only possible answer, or the standing answer; None if there is neither."""
    options = request.options
    if isinstance(options, Range):
        only: Given | None = options.low if options.low == options.high else None
    else:
        only = options[0].key if len(options) == 1 and request.where is None else None  # any place may be an answer
    settled = stage.settled.get((who, request.topic))
    if stage.requested:
        return None  # the player rolls when ready
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
    """The new entries of the encounter as changes for the log."""
    return told.played(stage.number, stage.encounter, stage.fresh(), auto, typed)


# --- the gamemaster's hand, and steps back ------------------------------------------------------------------------------------


@handles(a.Overrule)
def overrule(context: Context, action: a.Overrule) -> Done:
    stage = open_scene(context, action.scene)
    if not action.changes or len(action.changes) > 50:
        raise UserError(f"edit 1 to 50 fields at once, not {len(action.changes)}")
    limits.small(action.changes, "change", limits.CHARACTER_BYTES)
    stage.encounter.overrule(*action.changes, why=action.why[:300], by=context.member.name)
    return Done([*entries_of(stage, False), *run_on(context, stage)])


@handles(a.TouchCard)
def touch_card(context: Context, action: a.TouchCard) -> Done:
    stage = open_scene(context, action.scene)
    if action.words:
        touch = next((candidate for candidate in card_edits.touches(stage, action.who) if candidate.words == action.words), None)
        if touch is None:
            raise UserError("the card has changed meanwhile; reload it and try again")
    else:
        touch = card_edits.wanted(stage, action.who, action.piece, action.shows)
    stage.encounter.overrule((touch.field, touch.value), why=action.why[:300], by=context.member.name)
    return Done([*entries_of(stage, False), *run_on(context, stage)])


@handles(a.Move)
def move(context: Context, action: a.Move) -> Done:
    stage = open_scene(context, action.scene)
    x, y = on_map(action.x, action.y)
    stage.encounter.move(action.who, x, y, by=context.member.name)
    return Done([*entries_of(stage, False), *run_on(context, stage)])


@handles(a.LeaveFight)
def leave_fight(context: Context, action: a.LeaveFight) -> Done:
    stage = open_scene(context, action.scene)
    if not permissions.is_gamemaster(context.member) and context.table.decides(stage, action.who) != context.member.id:
        raise permissions.Forbidden(f"you do not control {action.who[:60]}")
    stage.encounter.leave(action.who, action.how, by=context.member.name)
    return Done([*entries_of(stage, False), *run_on(context, stage)])


@handles(a.BringIn)
def bring_in(context: Context, action: a.BringIn) -> Done:
    table, stage = context.table, open_scene(context, action.scene)
    newcomer = participant(table, action.character)
    side = limits.name(action.side, "side")
    before = _names(stage)
    stage.encounter.join(_with_lasting_results(table, stage, action.character, newcomer, side), side, by=context.member.name)
    changes = entries_of(stage, False)
    if action.character in table.characters:
        for who in _names(stage) - before:
            lasting = stage.encounter.scene.lasting(stage.encounter.state, who)
            entered = {field: lasts.value for field, lasts in lasting.items()}
            changes.append(e.NewcomerNamed(stage.number, who, action.character, entered))
    return Done([*changes, *run_on(context, stage)])


def _with_lasting_results(table: Table, stage: Stage, reference: str, newcomer: Any, side: str) -> Any:
    """A newcomer with the lasting results of an earlier scene, as far as they fit this one."""
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


@handles(a.Undo)
def undo(context: Context, action: a.Undo) -> Done:
    stage = open_scene(context, action.scene)
    if action.to is not None and not permissions.is_gamemaster(context.member):
        raise permissions.Forbidden("only the gamemaster may undo several decisions at once")
    if not stage.encounter.undoable:
        raise UserError("there is nothing to undo")
    if not permissions.may_undo(context.table, stage, context.member):
        raise permissions.Forbidden("you may only undo the last decision if it is yours")
    to = action.to if action.to is not None else stage.last_decision()
    stage.encounter.undo(by=context.member.name, to=to)
    return Done(entries_of(stage, False))


@handles(a.Redo)
def redo(context: Context, action: a.Redo) -> Done:
    stage = open_scene(context, action.scene)
    if not permissions.may_redo(context.table, stage, context.member):
        raise permissions.Forbidden("you may only redo what you undid yourself")
    stage.encounter.redo(by=context.member.name)
    return Done(entries_of(stage, False))


@handles(a.SetHand)
def set_hand(context: Context, action: a.SetHand) -> Done:
    table, stage = context.table, open_scene(context, action.scene)
    if action.who not in _names(stage):
        raise UserError(f"nobody in this scene is called {action.who[:40]!r}")
    if action.member and table.other(action.member).role == "spectator":
        raise UserError("a spectator cannot control anybody; make them a player first")
    if action.tactic:
        tactic_of(stage, action.who, action.tactic)
    change = e.HandChanged(stage.number, action.who, Hand(action.member, action.tactic))
    return Done([change])
