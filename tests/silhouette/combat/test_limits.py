"""What is told of a snare that is thrown (book lines 2404-2416, 8119)."""

import pytest

from rulewright.play import script
from rulewright.systems.silhouette.combat.throws import Threw, throw_at
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.resolution.tests import Pool
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()


@pytest.mark.parametrize(("snare", "damage"), [(0, None), (2, None), (None, 12)])
def test_a_snare_does_no_damage_and_anything_else_its_multiplier_times_the_margin(snare, damage):
    played = script(throw_at(RULES, Pool(2), threshold=2, multiplier=4, victim=Patient("Bo"), snare=snare), [(5, 1)])
    (told,) = [event for event in played.events if isinstance(event, Threw)]
    assert (told.damage.value if told.damage is not None else None) == damage
