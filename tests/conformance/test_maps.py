"""Maps under fights, in every game: nothing unseen is told, places are recorded, invalid maps are refused."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.library import stage
from rulewright.play import Choice, Seeded
from rulewright.scenes.encounter import Encounter

UNSEEN = [
    ("foresight/burglary", "Veit", "guards", "Mara"),
    ("hybrid/inn", "Senna", "law", "Brida"),
    ("ore/heist", "Doormen 1", "thieves", "Kaito"),
]
"""A scenario, a person whom a side does not see at first, that side, and one of its members."""
PLACES = [
    ("foresight/burglary", "where", (), "@{x:g},{y:g}/180"),
    ("hybrid/inn", "act", (), "jog@{x:g},{y:g}"),
    ("ore/heist", "act", ("move",), "@{x:g},{y:g}"),
]
"""A scenario, the question that takes a place, the answers before it, and how the place is written."""
COVER = {"map": {"covers": [{"name": "x", "cover": "heavy cover", "x": 1, "y": 1}]}}
LIGHT = {"map": {"lights": [{"x": 1, "y": 1, "radius": 2, "light": "dusk"}]}}
SMALL, LAVA = {"map": {"size": [3, 3]}}, {"map": {"regions": [{"terrain": "lava", "box": [0, 0, 1, 1]}]}}
OFF = "is off the map, which is 3 by 3 metres"
BAD = [
    ("foresight/gunslingers", COVER, "'heavy cover' is not known"),
    ("foresight/gunslingers", LIGHT, "'dusk' is not known"),
    ("foresight/gunslingers", SMALL, OFF),
    ("hybrid/duel", COVER, "'heavy cover' is not known; the game has none"),
    ("hybrid/duel", LIGHT, "'dusk' is not known"),
    ("hybrid/duel", LAVA, "'lava' is not known"),
    ("ore/duel", COVER, "'heavy cover' is not known"),
    ("ore/duel", LIGHT, "'dusk' is not known; the game has none"),
    ("ore/duel", SMALL, OFF),
]


def answered(encounter, dice, decide):
    """Answers the first open question with its dice or its tactic."""
    at, request = encounter.open[0]
    encounter.give(dice.faces(request) if hasattr(request, "reading") else decide(request), at)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("scenario", "hidden", "side", "reader"), UNSEEN)
def test_nothing_of_anybody_unseen_stands_in_what_a_side_may_read(scenario, hidden, side, reader, seed):
    staged = stage(scenario)
    encounter, dice, read, named = Encounter.begin(staged.scene, staged.state), Seeded(seed), 0, hidden.split(" ")[0]
    for _ in range(80):
        if hidden in (staged.scene.in_sight(encounter.now, side) or ()) or not encounter.open:
            break
        assert named not in msgspec.json.encode(staged.scene.view(encounter.now, reader)).decode()
        mine = [line.what for line in encounter.log if not line.hidden_from(reader)]
        assert not any(named in (each.headline() if hasattr(each, "headline") else str(each)) for each in mine)
        read += 1
        answered(encounter, dice, staged.decide)
    assert read > 10


@pytest.mark.parametrize(("scenario", "topic", "before", "written"), PLACES)
def test_a_place_survives_the_record(scenario, topic, before, written):
    staged = stage(scenario)
    encounter, dice = Encounter.begin(staged.scene, staged.state), Seeded(3)
    for _ in range(200):
        _, request = encounter.open[0]
        if isinstance(request, Choice) and request.topic == topic:
            break
        answered(encounter, dice, staged.decide)
    one = encounter.state.fighter(request.who)
    x, y = one.at if isinstance(one.at, tuple) else (one.x, one.y + 1)
    x += isinstance(one.at, tuple)
    for given in (*before, written.format(x=x, y=y)):
        encounter.give(given, encounter.open[0][0])
    again = Encounter(encounter.scene, encounter.entries)
    assert again.now == encounter.now


@pytest.mark.parametrize(("scenario", "change", "said"), BAD)
def test_bad_ground_in_a_scenario_is_refused_with_one_sentence(scenario, change, said):
    with pytest.raises(UserError, match=said) as refused:
        stage(scenario, changes=change)
    assert "\n" not in str(refused.value)
