"""Actions of an adventure at a table."""

from msgspec import field

from rulewright.table.commands.messages import Action


class StartStory(Action, frozen=True, tag="start story"):
    """Lays an adventure into the table and opens its first node: one that ships with the game, or a packed one (the bytes of a zip file).

    With `solo` players lead themselves.
    """

    ready: str = ""
    packed: bytes = b""
    solo: bool = False
    pictures: dict[str, str] = field(default_factory=dict)
    """The pictures of handouts that the table keeps: the digest of each, by its file in the adventure."""


class ChooseInStory(Action, frozen=True, tag="choose in story"):
    """Does something that the node offers: an action, a way, or the beginning of a request, a fight or a stretch of time.

    `who` is the character who tries a request that one person tries.
    """

    choice: str
    who: str = ""


class FinishInStory(Action, frozen=True, tag="finish in story"):
    """Says how a request or fight ended; without an outcome, as it has been played. `called off` takes it back."""

    outcome: str = ""


class UndoStory(Action, frozen=True, tag="undo story"):
    """Undoes the last choice of the story. Requests and fights that were played stay in the log, and wounds stay."""


class LeaveStory(Action, frozen=True, tag="leave story"):
    """Puts the adventure away."""
