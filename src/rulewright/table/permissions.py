"""Permissions: which role may do what, and who owns what."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.scenes.record import Redone, Undone
from rulewright.table.commands import messages as a
from rulewright.table.commands.campaign_messages import DropActivity, MakePlan, PlanActivity
from rulewright.table.commands.messages import Action
from rulewright.table.log.entries import Readers, Role
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.state import Character, Member, Note, Table, Token
from rulewright.table.story import messages as story

Least = Literal["spectator", "player", "gamemaster"]
_ORDER: tuple[Role, ...] = ("spectator", "player", "gamemaster")


class Forbidden(UserError):
    """An action that this member may not do."""


LEAST: dict[type[Action], Least] = {
    a.Say: "spectator",
    a.WriteNote: "spectator",
    a.RemoveNote: "spectator",
    a.RenameMe: "spectator",
    a.Leave: "spectator",
    a.RenewLink: "spectator",
    a.RevokeLink: "spectator",
    a.SignOut: "spectator",
    a.Test: "player",
    a.ProposeRoll: "player",
    MakePlan: "player",
    PlanActivity: "player",
    DropActivity: "player",
    a.AddCharacter: "player",
    a.ChangeCharacter: "player",
    a.PictureCharacter: "player",
    a.ReplaceCharacter: "player",
    a.ClaimCharacter: "player",
    a.ReleaseCharacter: "player",
    a.RemoveCharacter: "player",
    a.Answer: "player",
    a.AskAgain: "player",
    a.LeaveFight: "player",
    a.RollDice: "player",
    a.Decide: "player",
    a.Undo: "player",
    a.Redo: "player",
    a.ChooseDice: "player",
    a.PlaceToken: "player",
    a.RemoveToken: "player",
    story.ChooseInStory: "player",
    story.FinishInStory: "player",
    story.UndoStory: "player",
}
"""The lowest role for each action. Actions not listed here need the gamemaster."""

_REFUSALS = {"player": "only players may do this", "gamemaster": "only the gamemaster may do this"}


def check_role(member: Member, action: Action) -> None:
    """Raises an error if the member's role is too low for the action."""
    least = LEAST.get(type(action), "gamemaster")
    if _ORDER.index(member.role) < _ORDER.index(least):
        raise Forbidden(_REFUSALS[least])


def is_gamemaster(member: Member) -> bool:
    """Whether a member is the gamemaster."""
    return member.role == "gamemaster"


def check_owner(member: Member, character: Character) -> None:
    """Raises an error unless the character belongs to the member or the member is the gamemaster."""
    if not is_gamemaster(member) and character.owner != member.id:
        raise Forbidden(f"{character.name} is not yours; only its player and the gamemaster may change it")


def can_read(member: Member, author: str, readers: Readers, to: tuple[str, ...]) -> bool:
    """Whether a member may read a note: its author, and its readers."""
    match readers:
        case "everyone":
            return True
        case "gamemaster":
            return member.id == author or is_gamemaster(member)
        case "some":
            return member.id == author or member.id in to
    return member.id == author


def check_author(member: Member, note: Note) -> None:
    """Raises an error unless the member wrote the note. Nobody else changes a note, not even the gamemaster."""
    if note.author != member.id:
        raise Forbidden("this note is not yours; only its author may change it")


def check_typed_dice(table: Table, member: Member) -> None:
    """Raises an error if the gamemaster has forbidden players to enter dice."""
    if not is_gamemaster(member) and not table.own_dice:
        raise Forbidden("the gamemaster does not allow entered dice at this table; roll them here")


def check_token_owner(member: Member, token: Token) -> None:
    """Raises an error unless the marker belongs to the member or the member is the gamemaster."""
    if not is_gamemaster(member) and token.owner != member.id:
        raise Forbidden("this marker is not yours; only its owner and the gamemaster may move it")


def can_answer(table: Table, stage: Stage, member: Member, question: Question) -> bool:
    """Whether a member may answer a question."""
    return is_gamemaster(member) or table.decides(stage, question.who) == member.id


def open_question(table: Table, stage: Stage, member: Member, at: int, mark: str = "") -> Question:
    """The open question at a place, if the member may answer it.

    Others get the same error as for a missing question, since it may be asked of a hidden combatant.
    """
    if not is_gamemaster(member) and not any(
        can_answer(table, stage, member, candidate) for candidate in stage.questions() if candidate.at == at
    ):
        raise Forbidden("this question is not yours to answer, or it was answered already")
    return stage.question(at, mark)


def may_undo(table: Table, stage: Stage, member: Member) -> bool:
    """Whether a member may undo the last decision: the gamemaster any, a player their own."""
    if is_gamemaster(member):
        return stage.encounter.undoable
    last = stage.last_decision()
    return last is not None and table.lines[stage.seqs[last] - 1].who == member.id


def may_redo(table: Table, stage: Stage, member: Member) -> bool:
    """Whether a member may redo the last undo: the gamemaster any, a player their own."""
    if is_gamemaster(member):
        return True
    last = stage.entries[-1] if stage.entries else None
    return isinstance(last, Undone | Redone) and table.lines[stage.seqs[-1] - 1].who == member.id


def check_link(table: Table, member: Member, link: str) -> None:
    """Raises an error unless the member may renew a link: the gamemaster any, others the one to their own seat.

    Where players lead an adventure themselves, they may invite others.
    """
    kind, _, member_id = link.partition(":")
    if kind == "seat":
        target = table.other(member_id)
        if target.id != member.id and (not is_gamemaster(member) or is_gamemaster(target)):
            raise Forbidden("this seat is not yours; you can only renew the link to your own")
    elif link not in ("gamemaster", "invitation"):
        raise UserError(f"unknown link {link[:40]!r}; use gamemaster, invitation or seat:<member>")
    elif not is_gamemaster(member) and not (
        link == "invitation" and member.role == "player" and table.story is not None and table.story.solo
    ):
        raise Forbidden(_REFUSALS["gamemaster"])


def _leads_alone(table: Table, member: Member) -> bool:
    """Whether this is a player at a table where players lead an adventure themselves."""
    return member.role == "player" and table.story is not None and table.story.solo
