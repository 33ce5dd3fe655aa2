"""What a side has not found its people do not see: cards, map, questions, log (issue: nothing of what is hidden reaches the other side)."""

import json

import msgspec
import pytest

from rulewright.play import Choice, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.show.plain import plainly
from rulewright.system import find
from rulewright.systems.silhouette.battle.seen import in_sight

GAME = find("silhouette")
