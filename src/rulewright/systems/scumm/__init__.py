"""S.C.U.M.M.: Silhouette's dice with four attributes and a dozen pages of rules."""

from rulewright.systems.scumm.game import Scumm

SYSTEM = Scumm()

__all__ = ["SYSTEM", "Scumm"]
