"""The source of the library, parsed once for all tests that read it."""

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file. Trees stay to the end, so the collector of garbage need not look through them."""
    gc.disable()
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()
    gc.freeze()
    return tree
