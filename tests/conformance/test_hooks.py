"""What a module adds to a list of another module is there in play: the module is loaded together with the scenes of its game."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.system import HOUSE

ROOT = Path(rulewright.__file__).parent
LOAD = """
import sys
from rulewright.system import find
game = find({game!r})
for staging in game.scenes.values():
    staging.scene(game.book.ruleset())
print(*sys.modules)
"""


def adds_to_others(path):
    """Whether a file, when it is loaded, adds to a list or a mapping that it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {name.asname or name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
    calls = [node.value.func for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    return any(isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name) and call.value.id in imported for call in calls)


@pytest.mark.parametrize("game", HOUSE)
def test_every_module_that_adds_to_another_is_loaded_with_the_scenes(game):
    loaded = set(subprocess.run([sys.executable, "-c", LOAD.format(game=game)], capture_output=True, text=True, check=True).stdout.split())
    folder = ROOT / "systems" / game
    names = {".".join(("rulewright", *path.relative_to(ROOT).with_suffix("").parts)): path for path in folder.rglob("*.py")}
    assert [name for name, path in names.items() if name not in loaded and adds_to_others(path)] == []
