"""One Roll Engine: pools of ten-sided dice and matching sets, a tool kit of options in three Gears."""

from rulewright.systems.ore.game import OneRollEngine

SYSTEM = OneRollEngine()

__all__ = ["SYSTEM", "OneRollEngine"]
