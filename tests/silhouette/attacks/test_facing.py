"""Attacks on the flank and from behind, as the gamemaster says or by the map (book lines 2226-2228, 4868)."""

import pytest
from msgspec.structs import replace

from rulewright.play import script
from rulewright.systems.silhouette.attacks.attack_setup import make_blow
from rulewright.systems.silhouette.attacks.facing import backs, faced_by, position, position_of
from rulewright.systems.silhouette.fight.moves import move
from rulewright.systems.silhouette.lab_view.scene import FightScene

from ..fight.test_scenarios import shaken, staged_with
from ..fights import RULES, act, by, fight_of, left_alone, pools, someone, take_turn

MAP = by(facing="by the map")


@pytest.mark.parametrize(
    ("degrees", "where"),
    [
        (0, "facing"),
        (90, "facing"),
        (-90, "facing"),
        (91, "flanked"),
        (150, "flanked"),
        (-150, "flanked"),
        (210, "flanked"),
        (151, "attacked from behind"),
        (180, "attacked from behind"),
        (-180, "attacked from behind"),
        (540, "attacked from behind"),
        (360, "facing"),
    ],
)
def test_the_arcs(degrees, where):
    assert position(degrees) == where


def ring(rules=RULES, **ben):
    """Ann and Cyd on either side of Ben, and Dan at his shoulder; all within reach."""
    people = [
        someone("Ann", (0, 0), side="us", melee=2, weapons=("short sword",)),
        someone("Cyd", (2, 0), side="us", melee=2, weapons=("short sword",)),
        someone("Dan", (1.4, 0.7), side="us", melee=2, weapons=("short sword",)),
        someone("Ben", (1, 0), side="them", defense=2, state=ben),
    ]
    return fight_of(*people)


def defense_modifier(rules, fight, attacker):
    one, other = fight.fighter(attacker), fight.fighter("Ben")
    blow = make_blow(rules, fight, one, other, one.weapon)
    return blow.defense.pool.modifier


def test_the_gamemaster_says_who_is_in_somebodys_back():
    fight = ring(exposed_to=(("Cyd", "attacked from behind"), ("Dan", "flanked")))
    assert [defense_modifier(RULES, fight, name) for name in ("Ann", "Cyd", "Dan")] == [0, -2, -1]
    played = act(fight, "Cyd", "strike:Ben", "no", "dodge", faces=[(2, 1), (6, 5)])
    assert pools(played)[1] == ("Ben", 2, -2)
    assert [defense_modifier(RULES, ring(), name) for name in ("Ann", "Cyd", "Dan")] == [0, 0, 0]


def test_the_map_says_so_where_the_campaign_goes_by_it():
    fight = ring(faces="Ann")
    assert [defense_modifier(MAP, fight, name) for name in ("Ann", "Cyd", "Dan")] == [0, -2, -1]  # 0, 180 and 120 degrees off
    assert [defense_modifier(RULES, fight, name) for name in ("Ann", "Cyd", "Dan")] == [0, 0, 0]
    out = fight.change("Ann", body=replace(fight.fighter("Ann").body, dead=True))
    assert position_of(MAP, out, out.fighter("Cyd"), out.fighter("Ben")) == "facing"  # nobody is faced any more


def test_several_opponents_and_ones_back_add_up():
    fight = ring(faces="Ann").change("Ben", attacked_by=("Ann",))
    assert defense_modifier(MAP, fight, "Cyd") == -3


@pytest.mark.parametrize(("ben", "behind"), [((3, 4), (3.6, 4.8)), ((-3, 4), (-3.6, 4.8)), ((0, -2), (0, -3)), ((2, 0), (3, 0))])
def test_in_the_back_of_somebody_is_beyond_him_as_seen_by_whom_he_faces(ben, behind):
    people = [
        someone("Ann", (0, 0), side="us"),
        someone("Cyd", (9, 9), side="us"),
        someone("Ben", ben, side="them", state={"faces": "Ann"}),
    ]
    fight = fight_of(*people)
    assert backs(MAP, fight, fight.fighter("Cyd"), 1.0) == (("Ben", *behind),)
    assert backs(MAP, fight, fight.fighter("Ann"), 1.0) == ()  # he looks at her
    assert faced_by(fight, fight.fighter("Ben")).name == "Ann"
    assert faced_by(fight, fight.fighter("Ann")) is None
    alone = fight.change("Ann", hidden=True)
    assert faced_by(alone, alone.fighter("Ben")) is None
    on_him = fight.change("Ben", x=0.0, y=0.0)
    assert backs(MAP, on_him, on_him.fighter("Cyd"), 1.0) == ()


def test_who_faces_nobody_turns_to_the_first_who_attacks():
    first = act(ring(), "Ann", "strike:Ben", "no", "dodge", faces=[(2, 1), (6, 5)], rules=MAP)
    assert pools(first)[1] == ("Ben", 2, 0)
    fight = first.outcome
    assert (fight.fighter("Ann").faces, fight.fighter("Ben").faces) == ("Ben", "Ann")
    second = act(fight, "Cyd", "strike:Ben", "dodge", faces=[(2, 1), (6, 5)], rules=MAP)
    assert pools(second)[1] == ("Ben", 2, -3)  # from behind, and the second opponent


def test_one_may_turn_at_the_beginning_of_ones_turn():
    fight = ring(faces="Ann")
    turned = take_turn(fight, "1", "Cyd", "stay", "pass", of="Ben", rules=MAP).outcome
    assert turned.fighter("Ben").faces == "Cyd"
    assert defense_modifier(MAP, turned, "Ann") == -2
    assert take_turn(fight, "1", "stay", "pass", of="Ben").outcome.fighter("Ben").faces == "Ann"  # nobody asks where nothing is mapped


def test_one_may_go_behind_somebody_who_faces_another():
    fight = ring(faces="Ann").change("Cyd", x=1.0, y=4.0)
    played = script(move(MAP, fight, "Cyd"), (), ["walk behind Ben"]).outcome[0]
    cyd = played.fighter("Cyd")
    assert (cyd.x, cyd.y, cyd.faces) == (1.9, 0.0, "Ben")
    assert defense_modifier(MAP, played, "Cyd") == -2
    keys = _moves(fight, MAP)
    assert "walk behind Ben" in keys
    assert "walk behind Ben" not in _moves(fight, RULES)
    assert "walk behind Ben" not in _moves(fight.change("Ben", faces="Cyd"), MAP)


def _moves(fight, rules):
    play = move(rules, fight, "Cyd")
    return play.send(None).keys()


def test_shots_do_not_mind():
    fight = ring(exposed_to=(("Cyd", "attacked from behind"),))
    gun = someone("Cyd", (6, 0), side="us", small_arms=2, weapons=("medium pistol",))
    played = act(fight.put(gun), "Cyd", "shoot:Ben", faces=[(2, 1), (6, 5)])
    assert pools(played)[1] == ("Ben", 2, -1)  # for standing still alone


def test_a_disadvantage_can_be_given_dice_for():
    rules = by(skill_applications=True)
    fight = ring(exposed_to=(("Dan", "flanked"),))
    played = act(fight, "Dan", "strike:Ben", "no", "dodge", "acting while disadvantaged 1", faces=[(2, 1), (6,)], rules=rules)
    assert pools(played)[1] == ("Ben", 1, 0)


def test_nothing_of_it_is_remembered_as_a_blow_by_itself():
    ann = someone("Ann", weapons=("short sword",), melee=3)
    bob = someone("Bob", (1, 0), weapons=("short sword",), melee=2)
    queue = (("Ann",),)
    assert not left_alone(FightScene(RULES), fight_of(ann, bob, queue=queue))
    assert left_alone(FightScene(MAP), fight_of(ann, bob, queue=queue))
    told = replace(bob, exposed_to=(("Ann", "flanked"),))
    assert left_alone(FightScene(RULES), fight_of(ann, told, queue=queue))


CROWD = """
settings: {facing: by the map}
sides:
  us: [{character: court-fencer}, {character: hedge-knight, at: [3, 1]}]
  them: [{character: hedge-knight, name: Rolf, at: [1, 0], state: {exposed_to: [[Gil, flanked]]}}]
  others: [{character: court-fencer, name: Gil, at: [2, 3]}]
"""


def test_random_decisions_never_break_a_fight_by_the_map(tmp_path):
    staged = staged_with(tmp_path, CROWD)
    for seed in range(8):
        shaken(staged, seed, rounds=4)
