"""Silhouette CORE: the highest die counts, from gritty to cinematic."""

from rulewright.systems.silhouette.game import Silhouette

SYSTEM = Silhouette()

__all__ = ["SYSTEM", "Silhouette"]
