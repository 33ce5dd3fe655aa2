"""What the sheet says of weapons, and how a campaign's options change it."""

import pytest

from rulewright.systems.ore.build.sheet import sheet
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.settings import BOOK


def note(weapon, body=3, **chosen):
    rules = BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})
    found = sheet(rules, Character("Ana", statistics=Statistics(body=body), weapons=(weapon,))).tests()
    return next(test.note for key, test in found.items() if key.startswith("attack.1."))


@pytest.mark.parametrize(
    ("weapon", "said"),
    [
        ("broadsword", "W+2 Kill, W+0 Shock, one hand"),
        ("zweihander", "W+4 Kill, W+2 Shock, two hands"),
        ("ram: bludgeon 9", "W+6 Kill, W+8 Shock, too heavy"),
        ("m-16", "W+2 Kill, W+1 Shock, 95/190/380 m, Spray 4d"),
        ("barrett light", "W+4 Kill, W+3 Shock, 1000/2000/4000 m, Recoil -2d"),
        ("longbow: pull 3", "W+2 Kill, W+0 Shock, 30/60/120 m"),
        ("war bow: pull 5", "W+4 Kill, W+2 Shock, too strong to draw"),
    ],
)
def test_a_weapon_in_one_line(weapon, said):
    assert note(weapon) == said


def test_options_show():
    assert "PEN 1" in note("broadsword", melee_penetration=True, penetration=True)
    assert "PEN 2" in note("m-16", ballistic_penetration=True, penetration=True)
    assert "PEN 1" in note("longbow: pull 3", missile_penetration=True, penetration=True)
    assert "PEN" not in note("m-16", ballistic_penetration=True)
    assert "Reach 3" in note("staff", weapon_reach=True)
    assert "Recoil" not in note("barrett light", powerless=True)
    assert "too heavy" not in note("ram: bludgeon 9", powerless=True)
    assert "too strong" not in note("war bow: pull 5", powerless=True)
    assert "C-P" in note("broadsword", damage_classes=True)
