"""What a side has not found its people do not see: cards, map, questions, log (issue: nothing of what is hidden reaches the other side)."""

from rulewright.system import find

GAME = find("silhouette")
