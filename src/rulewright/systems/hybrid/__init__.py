"""Hybrid: percentile checks with ten degrees, body and mind side by side, and fights on a timeline of counts."""

from rulewright.systems.hybrid.game import Hybrid

SYSTEM = Hybrid()

__all__ = ["SYSTEM", "Hybrid"]
