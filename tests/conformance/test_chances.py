"""The chance of an option equals the enumeration of the scene played on from there."""

import pytest

from conformance.counting import checked
from conformance.games import demos, staged, taken
from rulewright.play import Choice, Seeded
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter

pytestmark = pytest.mark.slow

HELD = ("pebbles", "foresight", "hybrid", "ore", "scumm", "silhouette")
"""The games whose options have chances from their own steps."""
PATHS = {"ore": 100, "hybrid": 400, "silhouette": 400}
"""Fewer paths for games whose paths take long. Tests of these games' own follow more of them with fewer dice."""
MOST = 1_500
"""How many paths are followed for an option of another game."""
THOROUGH = 4
"""How much more is looked at in `make thorough`: paths, and twice the questions."""

scenarios = pytest.mark.parametrize("name", [one for one in demos("scenario") if taken(one).system.id in HELD])


@scenarios
@pytest.mark.parametrize("times", [1, pytest.param(THOROUGH, marks=pytest.mark.thorough)])
def test_the_chance_beside_an_option_is_that_of_playing_on(name, times):
    found, system = staged(name), name.partition("/")[0]
    most = 2 if times == 1 or system in ("ore", "hybrid") else 4  # questions
    options_of_each = 2 if system in ("ore", "hybrid") else 4
    encounter, dice = Encounter.begin(found.scene, found.state), Seeded(3)
    looked_at = weighed_at_all = asked = 0
    while encounter.open and (looked_at < most or (not weighed_at_all and looked_at < 6)):
        at, request = encounter.open[0]
        asked += isinstance(request, Choice)
        if isinstance(request, Choice) and isinstance(request.options, tuple) and len(request.options) > 1:
            moment = encounter.moment(at)
            if moment.scene.weighs(moment.state, request):
                looked_at += 1
                options = [option for option in request.options if option.verb != "move"] or request.options
                weighed_at_all += checked(encounter, at, found.decide, options[:options_of_each], times * PATHS.get(system, MOST))
            else:
                assert not weigh(Asked(moment, (None,), found.decide))
        if not encounter.advance(dice, found.decide):
            break
    assert looked_at or not asked
    assert weighed_at_all or not asked
