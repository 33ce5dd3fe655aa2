"""The process that decodes one picture: reads a task from its standard input, writes the result to its standard output, and ends."""

import sys

import msgspec

from rulewright.errors import UserError
from rulewright.files import images
from rulewright.files.picture_process import MEMORY_BYTES, Answer, Task


def main() -> None:
    """Run the task on standard input."""
    _limit_memory()
    task = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Task)
    try:
        answer = Answer(images.TASKS[task.name](*task.arguments))
    except UserError as error:
        answer = Answer(wrong=str(error))
    except MemoryError:
        answer = Answer(wrong="the picture cannot be decoded within the memory of this server; send a smaller one")
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    main()
