"""What a fight offers beside fighting: a skill against what the gamemaster says, a grenade at a spot (book lines 2167, 2408)."""

from rulewright.systems.silhouette.combat.fighters import CoverSpot, Ground

from ..fights import act, fight_of, keys, someone, told


def test_a_skill_is_used_against_the_threshold_that_the_gamemaster_names():  # line 2167
    fight = fight_of(someone("Ann", athletics=2, fitness=1), someone("Ben", (9, 0)))
    assert "skill" in keys(fight, "Ann")
    done = act(fight, "Ann", "skill", "athletics", 4, faces=[(5, 2)])
    assert told(done) == ["Ann uses Athletics: success by 2"]
    assert [(reason.label, reason.value) for reason in done.events[0].reasons()] == [("test", 6), ("Threshold", 4)]
    assert told(act(fight, "Ann", "skill", "athletics", 7, faces=[(5, 2)])) == ["Ann uses Athletics: failure by 1"]


def test_a_grenade_can_be_thrown_at_a_spot():  # line 2408
    ground = Ground(covers=(CoverSpot("wall", 10.0, 0.0),))
    ann = someone("Ann", side="us", weapons=("concussion grenade",), throwing=2)
    ben, cat = someone("Ben", (8, 2), side="them", defense=1), someone("Cat", (12, 2), side="them", defense=1)
    fight = fight_of(ann, ben, cat, ground=ground)
    assert {"lob at:wall", "lob at:between Ben and Cat"} <= set(keys(fight, "Ann"))
    played = act(fight, "Ann", "lob at:wall", faces=[(4, 3), (3, 2), (6,), (6,)])  # on the mark, timing low, both get clear
    assert told(played)[0].startswith("Ann throws and hits the mark")
    assert {"Ben escapes the explosion", "Cat escapes the explosion"} <= set(told(played))
