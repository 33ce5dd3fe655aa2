"""Something else in the middle of a fight: a task of any ability at the gamemaster's modifier (book lines 1338-1400, 3052)."""

from msgspec.structs import replace

from foresight.fights import Table, fight_of, someone
from foresight.rules_for_tests import RULES
from rulewright.play import GAMEMASTER
from rulewright.systems.foresight.fight.actions.registry import action_options
from rulewright.systems.foresight.fight.actions.tasks import abilities_of


def scuffle(**ann):
    fight = fight_of(someone("Ann", lockpicking=8, stealth=5, **ann), someone("Bob", (9.0, 0.0)))
    return replace(fight, turn="Ann")


def test_every_attribute_and_every_learnt_skill_can_be_tried():
    found = abilities_of(scuffle().fighter("Ann"))
    assert {"ST", "DX", "AG", "PC", "WP", "Lockpicking", "Stealth"} <= set(found)
    assert "Stamina" not in found  # 1923: a pool, and never rolled
    assert "task" in {option.key for option in action_options(RULES, scuffle(), "Ann")}


def test_the_gamemaster_names_the_modifier_and_the_log_tells_the_sum():
    table = Table(scuffle(body={"wounds": 1, "hurt": ("left leg",)}))
    table.play(("Ann", "task"), ("Ann", "Stealth"), (GAMEMASTER, -2))
    (_, roll), *_ = table.encounter.open
    plain = abilities_of(scuffle().fighter("Ann"))["Stealth"]
    assert {mod.label: mod.value for mod in roll.reading.of.task.mods} == {
        **{mod.label: mod.value for mod in plain.mods},
        "light wound, limb hurt": -2,  # 2710: Stealth is a matter of agility
        "as the gamemaster says": -2,
    }
    table.play(("Ann", "QR7"))
    assert table.fighter("Ann").acts == 1
    assert "Ann attempts a task (Stealth): QR7, failure" in table.transcript()
