"""An adventure that belongs to this browser: its files, how it is changed, and what is wrong with it."""

import re
from collections.abc import Mapping
from typing import Any

from rulewright import files
from rulewright.adventure.format import MAIN, Adventure
from rulewright.adventure.package import read_zip, write_zip
from rulewright.errors import UserError, UserErrors
from rulewright.files import Document
from rulewright.playthrough.check import check
from rulewright.playthrough.loader import Opened, open_content
from rulewright.table.storage import adventures
from rulewright.web.params import WebRequest
from rulewright.web.table.seats import device_of, tables_of

SOURCE = "adventure"
"""The name of the folder in messages."""
WALKS = 100
"""How many random walks the check plays."""
_PLACE = re.compile(rf"(?:{SOURCE}/)?(?P<file>[\w ./-]+?):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)", re.DOTALL)


class OwnAdventure:
    """An adventure of this browser, open for changes."""

    def __init__(self, request: WebRequest, key: str) -> None:
        self.request = request
        self.store = tables_of(request).store
        self.device = device_of(request)
        self.kept = adventures.find(self.store, self.device, key)
        self.files: dict[str, bytes] = read_zip(self.kept.body, SOURCE)
        self.document: Document = files.parse(self.files[MAIN], MAIN)
        self.adventure: Adventure = files.convert(self.document, Adventure)

    @property
    def path(self) -> str:
        """Its address."""
        return f"/adventures/mine/{self.kept.id}"

    def opened(self) -> Opened:
        """The adventure with all of its files; an error lists everything that is wrong."""
        return open_content(self.files, SOURCE)

    def faults(self) -> list[str]:
        """What is wrong with names, files and fields."""
        try:
            self.opened()
        except UserError as error:
            return list(error.parts)
        return []

    def require_version(self, version: str) -> None:
        """Raises an error if the page on which a change was made shows an older version."""
        if version != str(self.kept.version):
            raise adventures.ChangedElsewhere("this adventure was changed in another window; load the page again, then repeat your change")

    def save(self, changed: Mapping[str, bytes]) -> None:
        """Store other files. The main file must be readable; everything else may still be wrong."""
        adventure = files.convert(files.parse(changed[MAIN], MAIN), Adventure)
        body = write_zip(changed)
        read_zip(body, SOURCE)  # the same limits as for a file that is imported
        adventures.save(self.store, self.device, self.kept, adventure.name, body)

    def save_data(self, data: dict[str, Any]) -> None:
        """Store other fields of the main file. Its comments and its layout stay."""
        self.save({**self.files, MAIN: files.rewritten(self.document, data).text.encode()})


def require_sound(content: Mapping[str, bytes]) -> Opened:
    """An adventure that can be played from beginning to end; an error lists everything that is wrong."""
    opened = open_content(content, SOURCE)
    problems = check(opened, walks=0).problems
    if problems:
        raise UserErrors(problems)
    return opened


def split_fault(fault: str) -> tuple[str, str]:
    """Where a fault is (file, line and column), and what is wrong."""
    match = _PLACE.fullmatch(fault)
    return (f"{match['file'].removeprefix(f'{SOURCE}/')}:{match['line']}:{match['column']}", match["what"]) if match else ("", fault)
