"""Who may do what. A role opens a kind of action; whose thing it is decides the rest."""

from typing import Literal

from rulewright.errors import UserError
from rulewright.scenes.record import Redone, Undone
from rulewright.table.commands import messages as a
from rulewright.table.commands.messages import Action
from rulewright.table.log.entries import Readers, Role
from rulewright.table.scenes.live_scene import Question, Stage
from rulewright.table.state import Character, Member, Note, Table, Token

Least = Literal["spectator", "player", "gamemaster"]
_ORDER: tuple[Role, ...] = ("spectator", "player", "gamemaster")


class Forbidden(UserError):
    """Somebody may not do this."""


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
    a.AddCharacter: "player",
    a.ChangeCharacter: "player",
    a.PictureCharacter: "player",
    a.ReplaceCharacter: "player",
    a.ClaimCharacter: "player",
    a.ReleaseCharacter: "player",
    a.RemoveCharacter: "player",
    a.Answer: "player",
    a.AskAgain: "player",
    a.RollDice: "player",
    a.Decide: "player",
    a.Undo: "player",
    a.Redo: "player",
    a.ChooseDice: "player",
    a.PlaceToken: "player",
    a.RemoveToken: "player",
}
"""The least role that an action takes; what does not stand here is the gamemaster's."""

_WORDS = {"player": "only players may do this", "gamemaster": "only the gamemaster may do this"}


def refuse_unless(member: Member, action: Action) -> None:
    """Refuse an action that a member's role does not open."""
    least = LEAST.get(type(action), "gamemaster")
    if _ORDER.index(member.role) < _ORDER.index(least):
        raise Forbidden(_WORDS[least])


def leads(member: Member) -> bool:
    """Whether this is the gamemaster."""
    return member.role == "gamemaster"


def owns(member: Member, character: Character) -> None:
    """Refuse unless the character is theirs, or they lead."""
    if not leads(member) and character.owner != member.id:
        raise Forbidden(f"{character.name} is not yours to change")


def reads(member: Member, author: str, readers: Readers, to: tuple[str, ...]) -> bool:
    """Whether somebody may read a note: who wrote it, and those whom it is for."""
    match readers:
        case "everyone":
            return True
        case "gamemaster":
            return member.id == author or leads(member)
        case "some":
            return member.id == author or member.id in to
    return member.id == author


def wrote(member: Member, note: Note) -> None:
    """Refuse unless the note is theirs; nobody else changes a note, the gamemaster neither."""
    if note.author != member.id:
        raise Forbidden("this note is not yours")


def types_dice(table: Table, member: Member) -> None:
    """Refuse typed faces where the gamemaster has forbidden them to players."""
    if not leads(member) and not table.own_dice:
        raise Forbidden("the gamemaster wants all dice rolled here, none typed")


def placed(member: Member, token: Token) -> None:
    """Refuse unless the marker is theirs, or they lead."""
    if not leads(member) and token.owner != member.id:
        raise Forbidden("this marker is not yours to move")


def answers(table: Table, stage: Stage, member: Member, question: Question) -> bool:
    """Whether a member may answer a question."""
    return leads(member) or table.decides(stage, question.who) == member.id


def question(table: Table, stage: Stage, member: Member, at: int, mark: str = "") -> Question:
    """The open question at a place, for whoever may answer it. To others there is none: it may be asked of somebody hidden."""
    if not leads(member) and not any(answers(table, stage, member, candidate) for candidate in stage.questions() if candidate.at == at):
        raise Forbidden("this is not asked of you, or not any more")
    return stage.question(at, mark)


def may_undo(table: Table, stage: Stage, member: Member) -> bool:
    """Whether a member may take the last decision back: the gamemaster any, a player their own."""
    if leads(member):
        return stage.encounter.undoable
    last = stage.last_decision()
    return last is not None and table.lines[stage.seqs[last] - 1].who == member.id


def may_redo(table: Table, stage: Stage, member: Member) -> bool:
    """Whether a member may take the last undo back: the gamemaster any, a player their own."""
    if leads(member):
        return True
    last = stage.entries[-1] if stage.entries else None
    return isinstance(last, Undone | Redone) and table.lines[stage.seqs[-1] - 1].who == member.id


def link_is_open(table: Table, member: Member, link: str) -> None:
    """Refuse unless a link is theirs to renew: the gamemaster any, everybody the one to their own seat."""
    sort, _, whose = link.partition(":")
    if sort == "seat":
        target = table.other(whose)
        if target.id != member.id and (not leads(member) or leads(target)):
            raise Forbidden("this seat is not yours")
    elif link not in ("gamemaster", "invitation"):
        raise UserError(f"there is no link {link[:40]!r}; there are gamemaster, invitation and seat:<member>")
    elif not leads(member):
        raise Forbidden(_WORDS["gamemaster"])
