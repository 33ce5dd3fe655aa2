"""Universal tabletop role-playing games: legal builds, exact odds, live tables, and a reason behind every number.

>>> import rulewright
>>> rulewright.roll("scumm", "3d+1 vs 5", dice=[2, 6, 4]).verdict
'success'
>>> f"{rulewright.odds('scumm', '3d+1 vs 5').success:.1%}"
'70.4%'
>>> rulewright.fight("scumm/duel", seed=5).winner
'south'
"""

from typing import TYPE_CHECKING, Any

from rulewright.version import __version__

if TYPE_CHECKING:
    from rulewright.api import audit, fight, find, load, odds, roll, sheet, simulate
    from rulewright.errors import UserError

__all__ = ["UserError", "__version__", "audit", "fight", "find", "load", "odds", "roll", "sheet", "simulate"]


def __getattr__(name: str) -> Any:
    """Import a public function when it is first used: the command line starts faster without them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    public = getattr(import_module("rulewright.errors" if name == "UserError" else "rulewright.api"), name)
    globals()[name] = public
    return public


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
