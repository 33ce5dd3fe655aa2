"""Preparing a game for threads: msgspec knows every type before two threads can ask at once."""

import subprocess
import sys

RACE = """
import sys, threading
import msgspec
from rulewright import library
from rulewright.system import find
from rulewright.preload import make_ready

sys.setswitchinterval(1e-6)
game = find("scumm")
make_ready(game)
staged = library.stage("scumm/shootout")
data = msgspec.to_builtins(staged.state)
kept = msgspec.to_builtins(staged.members[0].character)
start = threading.Barrier(8)

def convert():
    start.wait()
    for _ in range(5):
        assert msgspec.convert(data, staged.scene.state_type) == staged.state
        assert msgspec.convert(kept, game.kinds["character"]) == staged.members[0].character

threads = [threading.Thread(target=convert) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print("all came through")
"""


def test_threads_may_meet_a_type_for_the_first_time_together():
    """A crash would end the process, so this runs in another one."""
    done = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "all came through", done.stderr[-2000:]


def test_everything_that_a_game_saves_or_plays_with_is_learned():
    import msgspec

    from rulewright import preload
    from rulewright.system import find, names

    for name in names():
        game = find(name)
        preload.make_ready(game)
        wanted = [*game.kinds.values(), *(staging.scene(game.book.ruleset()).state_type for staging in game.scenes.values())]
        for kind in wanted:
            assert not isinstance(kind, type) or not issubclass(kind, msgspec.Struct) or kind in preload._learned
