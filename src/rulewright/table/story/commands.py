"""Handlers of an adventure: a choice is tried on a copy of the story, and what follows in the table is part of the same result."""

from rulewright.adventure.scene import CALLED_OFF, PASSED, outcomes, request_of
from rulewright.adventure.story import Story
from rulewright.campaign.downtime import Tally
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.playthrough.scenes import outcome_of
from rulewright.playthrough.solo import verdict_of
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import AnyEntry, Begun
from rulewright.table import limits, permissions
from rulewright.table.commands.campaign import pass_time
from rulewright.table.commands.campaign_messages import PassTime
from rulewright.table.commands.handlers import Context, Done, handles
from rulewright.table.commands.messages import AskForRoll
from rulewright.table.commands.roll_requests import ask_for_roll
from rulewright.table.commands.scenes import begin_scene
from rulewright.table.log import campaign_entries as c
from rulewright.table.log import entries as e
from rulewright.table.log.lines import Line
from rulewright.table.scenes.lasting_results import offered
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.state import Table
from rulewright.table.story import messages as a
from rulewright.table.story.entries import StoryBegun, StoryLeft, StoryPlayed
from rulewright.table.story.party import fight_scene, wanted_roll
from rulewright.table.story.start import laid_out, opened_for
from rulewright.table.story.state import TableStory


@handles(a.StartStory)
def start_story(context: Context, action: a.StartStory) -> Done:
    table = context.table
    if table.story is not None:
        raise UserError(f"{table.story.adventure.name} is in progress at this table; put it away first")
    changes = laid_out(table, opened_for(table, action), action.solo)
    begun = changes[-1]
    assert isinstance(begun, StoryBegun)
    story = TableStory(table.system, begun)
    return Done([*changes, *_shown_handouts(story, story.story, None)])


@handles(a.LeaveStory)
def leave_story(context: Context, action: a.LeaveStory) -> Done:
    _story(context)
    return Done([StoryLeft()])


@handles(a.ChooseInStory)
def choose_in_story(context: Context, action: a.ChooseInStory) -> Done:
    story = _led(context)
    if story.story.pending:
        raise UserError("a request, fight or stretch of time is still open; finish it or call it off first")
    trial = _Trial(story)
    trial.encounter.give(action.choice[:60])
    pending, node = trial.encounter.state.pending, story.adventure.nodes[story.story.node]
    if not pending:
        return Done(trial.changes(context))
    request = request_of(story.adventure, trial.encounter.state)
    if request is not None:
        return _requested(context, trial, wanted_roll(context.table, story, request, action.who[:40]))
    if pending == "fight":
        assert node.fight is not None
        done = begin_scene(context, fight_scene(context.table, story, node.fight))
        return Done([*trial.changes(context, playing=int(done.made)), *done.changes], done.made)
    assert node.downtime is not None
    passed = pass_time(context, PassTime(node.downtime.passes, tactics=True, stops=False))
    beginning = trial.changes(context, playing=int(passed.made))
    trial.encounter.give(PASSED)
    return Done([*beginning, *passed.changes, *trial.changes(context)])


def _requested(context: Context, trial: "_Trial", wanted: AskForRoll) -> Done:
    """A request begins. If nobody has to be asked, it ends at once."""
    done = ask_for_roll(context, wanted)
    changes = [*trial.changes(context, playing=int(done.made)), *done.changes]
    if any(isinstance(change, e.SceneEnded) for change in done.changes):
        begun = next(change for change in done.changes if isinstance(change, e.SceneBegun))
        stage = Stage(context.table.system, Line(context.table.seq + 1, 0, context.member.id, begun), begun)
        entries = [change.entry for change in done.changes if isinstance(change, e.Played)]
        state = Encounter(stage.encounter.scene, [begun.begun, *entries]).state
        trial.encounter.give(verdict_of(trial.story.adventure, trial.encounter.state, state))
        changes += trial.changes(context)
    return Done(changes, done.made)


@handles(a.FinishInStory)
def finish_in_story(context: Context, action: a.FinishInStory) -> Done:
    story = _led(context)
    if not story.story.pending:
        raise UserError("nothing of the story waits for a result")
    stage = context.table.scenes.get(story.playing)
    outcome = action.outcome or _outcome(story, stage)
    known = (*outcomes(story.adventure, story.story), CALLED_OFF)
    if outcome not in known:
        raise UserError(f"{outcome[:40] or 'this'} is no result here; there are {join(known)}")
    if story.solo and outcome != CALLED_OFF and outcome != _outcome(story, stage):
        raise permissions.Forbidden("without a gamemaster the result is what was played; play it, or call it off")
    ending = [] if stage is None or stage.ended is not None else _ended(context.table, stage, keep=outcome != CALLED_OFF)
    trial = _Trial(story)
    trial.encounter.give(outcome)
    return Done([*ending, *trial.changes(context)])


@handles(a.UndoStory)
def undo_story(context: Context, action: a.UndoStory) -> Done:
    story = _led(context)
    if story.story.pending:
        raise UserError("a request or fight is open; call it off instead")
    trial = _Trial(story)
    trial.encounter.undo(by=context.member.name)
    if trial.encounter.state.pending:
        trial.encounter.undo(by=context.member.name)
    return Done(trial.changes(context))


def follow_up(context: Context, done: Done) -> Done:
    """What follows in the story when the scene that it waits for has ended; without a gamemaster a decided fight ends by itself."""
    story = context.table.story
    stage = context.table.scenes.get(story.playing) if story is not None else None
    if story is None or stage is None or not story.story.pending or stage.ended is not None:
        return done
    if any(isinstance(change, StoryPlayed) for change in done.changes):
        return done
    ended = any(isinstance(change, e.SceneEnded) and change.scene == stage.number for change in done.changes)
    decided = stage.encounter.result is not None
    if not decided or not (ended or story.solo):
        return done
    ending = [] if ended else _ended(context.table, stage, keep=True)
    outcome = _outcome(story, stage)
    if not outcome:
        return done
    trial = _Trial(story)
    trial.encounter.give(outcome)
    return Done([*done.changes, *ending, *trial.changes(context)], done.made, done.secret)


def _outcome(story: TableStory, stage: Stage | None) -> str:
    """How the scene that the story waits for has ended; empty if it is still open."""
    if stage is None or stage.trouble() or stage.encounter.result is None:
        return ""
    if stage.begun.scene == ROLL_REQUEST:
        return verdict_of(story.adventure, story.story, stage.encounter.state)
    fight = story.adventure.nodes[story.story.node].fight
    return outcome_of(stage.encounter, list(fight.then)) if fight is not None else ""


def _ended(table: Table, stage: Stage, keep: bool) -> list[e.Change]:
    """The end of a scene of the story, with its results."""
    result = stage.encounter.result
    why = result.why if result is not None else "it is called off"
    changes: list[e.Change] = [e.SceneEnded(stage.number, result.winner if result is not None else None, why, stage.took)]
    after = offered(table, stage).after if keep and result is not None else {}
    kept = {key: tuple(e.Carried(field, lasts.value, lasts.words) for field, lasts in fields.items()) for key, fields in after.items()}
    return [*changes, e.SceneCarried(stage.number, kept)] if kept or not keep else changes


def _story(context: Context) -> TableStory:
    story = context.table.story
    if story is None:
        raise UserError("no adventure is in progress at this table")
    return story


def _led(context: Context) -> TableStory:
    """The story, if this member leads it: the gamemaster, or without one every player."""
    story = _story(context)
    if not permissions.is_gamemaster(context.member) and not story.solo:
        raise permissions.Forbidden("only the gamemaster leads the story")
    return story


class _Trial:
    """A copy of the story on which an action is tried, and what follows from it at the table."""

    def __init__(self, story: TableStory) -> None:
        self.story = story
        self._fresh: list[AnyEntry] = []
        self.encounter = story.replayed(self._fresh.append)
        self._before = story.story

    def changes(self, context: Context, playing: int = 0) -> list[e.Change]:
        """The changes since the last call."""
        after, changes = self.encounter.state, list[e.Change]()
        for entry in self._fresh:
            assert not isinstance(entry, Begun)
            changes.append(StoryPlayed(entry, playing))
        self._fresh.clear()
        changes += _shown_handouts(self.story, after, self._before)
        changes += _counted_tallies(self.story, after, context.table.campaign.tallies)
        self._before = after
        return changes


def _shown_handouts(story: TableStory, after: Story, before: Story | None) -> list[e.Change]:
    """Handouts that players now see, and after an undo those that they do not see any more."""
    shown, seen = set(after.handouts), set(before.handouts) if before is not None else set()
    changes: list[e.Change] = []
    for name, handout in story.adventure.handouts.items():
        if (name in shown) != (name in seen):
            text = limits.prose(handout.text or handout.title, "handout", limits.NOTE)
            changes.append(e.NoteWritten(story.change.handouts[name], handout.title, text, "everyone" if name in shown else "me"))
    return changes


def _counted_tallies(story: TableStory, after: Story, known: dict[str, Tally]) -> list[e.Change]:
    changes: list[e.Change] = []
    for name, key in story.change.tallies.items():
        tally = known.get(key)
        if tally is not None and tally.count != after.count(name):
            changes.append(c.TallySet(key, Tally(tally.name, tally.of, after.count(name), tally.known)))
    return changes
