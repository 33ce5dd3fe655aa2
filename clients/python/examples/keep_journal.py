"""Join a table as a spectator and write its story into a Markdown file, as it is told.

    python clients/python/examples/keep_journal.py http://127.0.0.1:8000 TABLE TOKEN journal.md

TABLE and TOKEN are the two parts of the invite link: .../join/TABLE/TOKEN. It needs `pip install ./clients/python`.
"""

import sys
from itertools import islice
from pathlib import Path

from rulewright_client import Client, models


def entry(line: models.LogShown) -> str:
    """A log entry as lines of a list."""
    told = [detail.text for detail in line.details if detail.sort == "event" and detail.text]
    return "".join(f"- {text}\n" for text in [line.text, *told] if text)


def keep(address: str, table: str, token: str, file: Path, most: int = sys.maxsize) -> None:
    """Write the log so far, then every new entry, up to a number of events."""
    with Client(address) as client, file.open("a", encoding="utf-8") as journal:
        client.join(table, models.ToJoin(token=token, name="Journal", role="spectator"))
        mark = client.view(table).mark
        journal.writelines(entry(line) for line in client.log(table, most=500))
        journal.flush()
        for event in islice(client.stream(table, after=mark), most):
            journal.writelines(entry(line) for line in event.lines)
            journal.flush()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    keep(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
