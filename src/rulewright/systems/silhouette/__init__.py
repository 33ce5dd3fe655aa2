"""Silhouette CORE: roll a pool and keep the highest die, from gritty to cinematic."""

from rulewright.systems.silhouette.game import Silhouette

SYSTEM = Silhouette()

__all__ = ["SYSTEM", "Silhouette"]
