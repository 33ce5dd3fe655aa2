"""ForeSight, second edition: score times ease factor, and quality ratings."""

from rulewright.systems.foresight.game import ForeSight

SYSTEM = ForeSight()

__all__ = ["SYSTEM", "ForeSight"]
