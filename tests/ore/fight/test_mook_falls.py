"""What mooks roll, counted by how wide their sets are: the same as going through every roll of theirs."""

import pytest

from ore.fight.test_chances import meeting, somebody
from rulewright.dice.reading import weights_of
from rulewright.dice.sets import Sets
from rulewright.play import sub
from rulewright.play.odds import Exact
from rulewright.systems.ore.fight.forecast import mook_rolls
from rulewright.systems.ore.fight.forecast.mook_rolls import _heights, fall_of_mooks, number_of_falls, patterns
from rulewright.systems.ore.fight.forecast.relevant_rolls import _of_mooks
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.settings import BOOK

FACES = tuple([(face,) for face in range(10, 0, -1)])
PARTS = ((10,), (9, 8, 7), (6, 5), (4, 3), (2,), (1,))


@pytest.mark.parametrize("dice", range(1, 8))
def test_the_patterns_of_widths_make_up_all_rolls(dice):
    counted = {}
    for sets, ways in weights_of(Sets(dice, 10)).items():
        widths = tuple([width for width, _ in sets])
        counted.setdefault(widths, set()).add(ways)
    assert {widths: {ways} for widths, ways in patterns(dice, 10)} == counted


@pytest.mark.parametrize("settings", [{}, {"mook-width-limit": False}, {"speed": "waste"}], ids=str)
def test_mooks_counted_by_widths_roll_what_they_roll(settings):
    rules = BOOK.ruleset(settings=settings)
    fight = meeting(rules, [somebody("Ann"), somebody("Eve")], [], mooks=3)
    solver = Exact(TACTICS["attacker"])
    counted = fall_of_mooks(rules, fight, "Thug", solver.part, FACES)
    assert counted == solver.part(sub(_of_mooks, rules, fight, "Thug"))


@pytest.mark.parametrize("settings", [{}, {"mook-width-limit": False}, {"speed": "waste"}], ids=str)
def test_heights_that_strike_the_same_part_are_one_but_keep_their_order(settings):
    rules = BOOK.ruleset(settings=settings)
    fight = meeting(rules, [somebody("Ann"), somebody("Eve")], [], mooks=3)
    solver = Exact(TACTICS["attacker"])
    part = {face: place for place, faces in enumerate(PARTS) for face in faces}

    def looks(sets):
        """Where each strikes, and which is how high among them."""
        order = sorted({each.height for each in sets})
        return tuple([(each.act.target, each.width, each.speed, part[each.height], order.index(each.height)) for each in sets])

    every = solver.part(sub(_of_mooks, rules, fight, "Thug")).map(looks)
    assert fall_of_mooks(rules, fight, "Thug", solver.part, PARTS).map(looks) == every


@pytest.mark.parametrize("dice", range(9))
@pytest.mark.parametrize("parts", [FACES, PARTS, (tuple(range(10, 0, -1)),)])
def test_how_many_sets_there_are_to_count_is_known_before_they_are_counted(dice, parts):
    assert number_of_falls(dice, 10, parts) == sum(len(_heights(widths, parts)) for widths, _ in patterns(dice, 10))


def test_more_sets_than_anybody_waits_for_are_not_begun(monkeypatch):
    rules = BOOK.ruleset()
    fight = meeting(rules, [somebody("Ann"), somebody("Eve")], [], mooks=3)
    solver = Exact(TACTICS["attacker"])
    monkeypatch.setattr(mook_rolls, "MOST_FALLS", 10)
    assert fall_of_mooks(rules, fight, "Thug", solver.part, FACES).unsettled
