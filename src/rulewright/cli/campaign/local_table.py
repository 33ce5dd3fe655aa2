"""A table on this machine without a server: a campaign file, and the record of what has happened since."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rulewright import files, library
from rulewright.campaign.campaign_file import CAMPAIGN
from rulewright.cli.play.log import TONES
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Dice
from rulewright.rules import nearest
from rulewright.table.campaign_file import begun_from, new_table
from rulewright.table.commands.dispatch import do
from rulewright.table.commands.handlers import Done
from rulewright.table.commands.messages import Action, Answer, Decide, RollDice
from rulewright.table.log import text as log_text
from rulewright.table.log.entries import Change
from rulewright.table.log.lines import Line, chained
from rulewright.table.scenes.live_scene import Question
from rulewright.table.state import Character, Member, Table
from rulewright.table.storage import export, store
from rulewright.table.views import Detail, LogShown

Chooser = Callable[[Question], str | int]
"""Answers a decision with the key of an option, or a number."""


class LocalTable:
    """A campaign file with its record, led by its reader. Nothing is written before `save`."""

    def __init__(self, path: str, dice: Dice) -> None:
        self.path, self.dice = Path(path), dice
        self.record = self.path.with_suffix(".jsonl")
        self.table = self._opened()
        self.before = self.table.seq
        self._at = max(store.now(), self.table.lines[-1].at + 1)

    def _opened(self) -> Table:
        if self.record.exists():
            try:
                return export.open_lines(self.record.read_bytes())
            except UserError as error:
                raise UserError(f"{self.record}: {error}") from None
        kept = library.take(self.path, CAMPAIGN)
        table = new_table(kept)
        _append(table, begun_from(table, kept, library.campaign_people(kept)), store.now())
        return table

    @property
    def member(self) -> Member:
        """The gamemaster."""
        return self.table.members[self.table.gamemaster]

    def act(self, action: Action) -> Done:
        """Carries out an action of the gamemaster."""
        done = do(self.table, self.member, action, self.dice)
        _append(self.table, done.changes, self._at)
        return done

    def answer(self, scene: int, choose: Chooser | None = None) -> None:
        """Answers every open question of a scene: dice are rolled, and `choose` decides, or else the usual tactic."""
        stage = self.table.scene(scene)
        while questions := self.table.scene(scene).questions():
            question = questions[0]
            if not hasattr(question.request, "options"):
                self.act(RollDice(stage.number, question.at, question.mark))
            elif choose is None:
                self.act(Decide(stage.number, question.at, question.mark))
            else:
                self.act(Answer(stage.number, choose(question), question.at, question.mark))

    def save(self) -> None:
        """Writes the record, completely or not at all."""
        files.put(self.record, export.written_lines(self.table, self.member))

    def undo(self) -> int:
        """Takes the last command back; returns how many lines of the record are dropped."""
        last = self.table.lines[-1].at
        kept = [line for line in self.table.lines if line.at < last]
        if (self.table.scenes == {} and len(kept) <= 1) or not kept:
            raise UserError("nothing has happened in this campaign that could be undone")
        dropped = len(self.table.lines) - len(kept)
        self.table = Table(self.table.id, kept)
        return dropped

    def character(self, name: str) -> Character:
        """A character by name."""
        known = {character.name: character for character in self.table.characters.values()}
        character = next((known[other] for other in known if other.casefold() == name.strip().casefold()), None)
        if character is None:
            there = nearest(name, known) or f"; there are {join(list(known)) or 'none'}"
            raise UserError(f"there is nobody {name[:40]!r} in this campaign{there}")
        return character

    def log(self, since: int | None = None) -> list[LogShown]:
        """The entries of the log after a line, by default what this command did."""
        return log_text.log(self.table, self.member, str, after=self.before if since is None else since)


def _append(table: Table, changes: Sequence[Change], at: int) -> None:
    lines = [Line(table.seq + number, at, table.gamemaster, change) for number, change in enumerate(changes, 1)]
    for line in chained(table.check, lines):
        table.take(line)


def told_lines(entries: Sequence[LogShown]) -> list[tuple[str, str]]:
    """Log entries as lines of text, each with its colour; empty for none."""
    lines = []
    for entry in entries:
        told = [*entry.details]
        if entry.text and not told:
            lines.append((entry.text, ""))
        lines += [(_sentence(detail), TONES.get(detail.tone, "")) for detail in told if detail.sort in ("event", "roll")]
    return lines


def _sentence(detail: Detail) -> str:
    return f"  {detail.text}: {' '.join(map(str, detail.faces))}" if detail.sort == "roll" and detail.faces else detail.text
