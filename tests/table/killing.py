"""Processes to be killed. They are forked from one that has imported everything, so that fifty of them start in seconds."""

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["table.server", "table.webserver"])
_TESTS = str(Path(__file__).parents[1])


class Victim:
    """A process that runs until it is killed."""

    def __init__(self, target: Any, *arguments: Any) -> None:
        known = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (_TESTS, known)))  # where the first process looks for what it imports
        try:
            self._process = CONTEXT.Process(target=target, args=arguments, daemon=True)
            self._process.start()
        finally:
            os.environ["PYTHONPATH"] = known

    @property
    def pid(self) -> int:
        """Its number, to read what it takes."""
        return int(self._process.pid or 0)

    def refuse_death(self) -> None:
        """Fails if it has ended."""
        assert self._process.is_alive(), f"the server ended by itself: {self._process.exitcode}"

    def kill(self) -> None:
        """Kills it as the operating system does when memory runs out."""
        self.refuse_death()
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        assert self._process.exitcode == -signal.SIGKILL
