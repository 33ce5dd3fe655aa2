"""Decodes one picture in a process of its own, with a limit of memory and of time, so that the server keeps none of the memory it takes.

The process runs `picture_tasks`: it reads a task from its standard input, writes the result to its standard output, and ends.
"""

import subprocess
import sys
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError

MEMORY_BYTES = 1 << 30
"""Address space of the process: the largest allowed picture, decoded, and what re-encoding it takes."""
SECONDS = 60.0


class Task(Struct, frozen=True):
    """A function of `rulewright.files.images` by its name, and its arguments."""

    name: str
    arguments: list[Any]


class Answer(Struct, frozen=True):
    """The result of a task, or why there is none."""

    result: Any = None
    wrong: str = ""


def run_apart(name: str, *arguments: Any) -> Any:
    """Run a task in a process of its own and return its result as plain data."""
    command = [sys.executable, "-P", "-m", "rulewright.files.picture_tasks"]
    try:
        task = msgspec.msgpack.encode(Task(name, list(arguments)))
        ended = subprocess.run(command, input=task, capture_output=True, timeout=SECONDS, check=False)
        answer = msgspec.msgpack.decode(ended.stdout, type=Answer)
    except subprocess.TimeoutExpired:
        raise UserError(f"the picture takes more than {SECONDS:g} seconds to decode; send a smaller one") from None
    except (msgspec.DecodeError, OSError):
        raise UserError("the picture cannot be decoded within the memory of this server; send a smaller one") from None
    if answer.wrong:
        raise UserError(answer.wrong)
    return answer.result
