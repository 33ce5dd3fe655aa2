"""Lucky and Hard To Kill in a fight (book lines 1254-1257, 1329-1332)."""

import pytest

from rulewright.errors import UserError
from rulewright.play import play, script, sub
from rulewright.play.odds import exact
from rulewright.systems.ore.combat.fighters import Fight, Ground
from rulewright.systems.ore.combat.hazards import impact, in_area
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.harm.body import Abstract, Injury, fresh, hurt, shrugs
from rulewright.systems.ore.harm.over_time import burns, set_alight
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.recovery.medicine import recovery_test
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
DRAMA = BOOK.ruleset(settings={"drama-points": "drama points"})
HIT, MISS = (7, 7, 1, 2), (1, 2, 3, 4)
BOTH_ATTACK = ("attack:Ben", "attack:Ana")


def fight(*owned, by=RULES):
    """Ana, with these advantages, declares first; Ben after her. Both have four dice."""
    ana = Character("Ana", statistics=Statistics(body=2, insight=1), skills={"close combat": 2}, advantages=owned)
    ben = Character("Ben", statistics=Statistics(body=2, insight=2), skills={"close combat": 2})
    return Fight(Ground(), (enter(by, ana, "Ana", "a"), enter(by, ben, "Ben", "b")))


def one_round(now, by=RULES):
    now = yield from next_step(by, now)
    while now.phase != "begin":
        now = yield from next_step(by, now)
    return now


def a_round(state, faces, choices, by=RULES):
    return script(one_round(state, by), faces, choices).outcome


# --- Lucky --------------------------------------------------------------------------------------------------------------------

LUCKY = Owned("lucky", 1)


def test_the_lucky_roll_again_once():
    after = a_round(fight(LUCKY), [MISS, MISS, HIT], [*BOTH_ATTACK, "yes"])
    assert (after.fighter("Ben").body.part("torso").kill, after.fighter("Ana").luck) == (2, 0)
    again = a_round(after, [MISS, MISS], BOTH_ATTACK)  # nobody is asked a second time
    assert again.fighter("Ben").body == after.fighter("Ben").body


def test_luck_that_is_not_used_is_kept():
    kept = a_round(fight(LUCKY), [MISS, MISS], [*BOTH_ATTACK, "no"])
    assert kept.fighter("Ana").luck == 1
    hit = a_round(fight(LUCKY), [HIT, MISS], BOTH_ATTACK)  # a set needs no luck
    assert hit.fighter("Ana").luck == 1


def test_others_are_not_asked():
    assert a_round(fight(), [MISS, MISS], BOTH_ATTACK).fighter("Ana").luck == 0


def test_luck_comes_before_drama_points_and_both_may_serve():
    state = fight(LUCKY, Owned("action hero", 1), by=DRAMA)
    choices = ["attack:Ben", "no", "attack:Ana", "yes", "yes"]
    after = a_round(state, [MISS, MISS, MISS, HIT], choices, DRAMA)
    assert (after.fighter("Ben").body.part("torso").kill, after.fighter("Ana").luck, after.fighter("Ana").drama) == (2, 0, 0)


def test_anybody_uses_luck_when_there_is_need():
    """With the plain tactic, Ana hits with either roll, unless Ben's was faster."""
    state = fight(LUCKY)
    state = script(next_step(RULES, state), [], ["attack:Ben"]).outcome
    state = script(next_step(RULES, state), [], ["attack:Ana"]).outcome
    odds = exact(sub(next_step, RULES, state), decide=TACTICS["attacker"])
    none = (10 * 9 * 8 * 7) / 10**4
    assert odds.chance(lambda one: one.fighter("Ana").luck == 0)[0] == pytest.approx(none)


# --- Hard To Kill -------------------------------------------------------------------------------------------------------------

HARD = Owned("hard to kill", 2)


def test_a_level_ignores_a_point_of_a_blow():
    state = fight(HARD)
    assert state.fighter("Ana").body.ignores == 2
    plain = a_round(fight(), [MISS, HIT], BOTH_ATTACK).fighter("Ana").body.part("torso")
    for chosen, kill, shock, left in (("2 kill", 2, 0, 0), ("1 kill and 1 shock", 1, 1, 0), ("1 shock", 0, 1, 1), ("no", 0, 0, 2)):
        body = a_round(state, [MISS, HIT], [*BOTH_ATTACK, chosen]).fighter("Ana").body
        part = body.part("torso")
        assert (part.kill, part.shock, body.ignores) == (plain.kill - kill, plain.shock - shock, left)
    with pytest.raises(UserError, match="'3 shock' is not allowed"):
        a_round(state, [MISS, HIT], [*BOTH_ATTACK, "3 shock"])


@pytest.mark.parametrize(
    ("level", "shock", "kill", "keys"),
    [
        (1, 1, 1, ["1 kill", "1 shock", "no"]),
        (2, 1, 1, ["1 kill and 1 shock", "1 kill", "1 shock", "no"]),
        (2, 1, 2, ["2 kill", "1 kill and 1 shock", "1 kill", "1 shock", "no"]),
        (2, 2, 0, ["2 shock", "1 shock", "no"]),
        (3, 1, 1, ["1 kill and 1 shock", "1 kill", "1 shock", "no"]),
    ],
)
def test_no_more_is_ignored_than_came_through_nor_than_the_level(level, shock, kill, keys):
    body = fight(Owned("hard to kill", level)).fighter("Ana").body
    asked = next(shrugs(body, shock, kill, "Ana"))
    assert [option.key for option in asked.options] == keys
    for key in keys:
        after, less_shock, less_kill = script(shrugs(body, shock, kill, "Ana"), [], [key]).outcome
        gone = {name: int(number) for number, name in (part.split() for part in key.split(" and ") if part != "no")}
        assert (less_shock, less_kill) == (shock - gone.get("shock", 0), kill - gone.get("kill", 0))
        assert after.ignores == level - sum(gone.values())
    assert script(shrugs(body, 0, 0, "Ana")).outcome == (body, 0, 0)


def test_once_used_up_nobody_is_asked():
    body = script(hurt(RULES, fight(HARD).fighter("Ana").body, "torso", 0, 3, "Ana"), [], ["2 kill"]).outcome
    assert (body.part("torso").kill, body.ignores) == (1, 0)
    assert script(hurt(RULES, body, "torso", 0, 3, "Ana"), [], []).outcome.part("torso").kill == 4


def test_the_default_ignores_as_much_as_it_can_and_kill_first():
    body = fight(Owned("hard to kill", 4)).fighter("Ana").body
    after = play(hurt(RULES, body, "torso", 3, 3, "Ana"), decide=TACTICS["attacker"]).outcome
    assert (after.part("torso").kill, after.part("torso").shock, after.ignores) == (0, 2, 0)


@pytest.mark.parametrize("system", ["vital", "abstract"])
def test_it_helps_under_every_damage_system(system):
    by = BOOK.ruleset(settings={"damage-system": system})
    body = fight(HARD, by=by).fighter("Ana").body
    after = script(hurt(by, body, "torso", 1, 1, "Ana"), [], ["1 kill and 1 shock"]).outcome
    assert (after.record(), after.ignores) == ("unhurt", 0)


def test_it_helps_against_falls_areas_and_fire():
    body = fight(HARD).fighter("Ana").body
    fallen = script(impact(RULES, body, metres=3, by="Ana"), [], ["1 kill", "1 kill"]).outcome
    plain = script(impact(RULES, fresh(RULES, 2), metres=3)).outcome
    assert sum(part.kill for part in fallen.parts) == sum(part.kill for part in plain.parts) - 2
    smoke = script(in_area(RULES, body, 2, by="Ana"), [(7,), (7,)], ["2 shock"]).outcome
    assert (smoke.part("torso").shock, smoke.ignores) == (0, 0)
    alight = script(burns(RULES, set_alight(body), "Ana"), [], ["1 shock", "1 shock"]).outcome
    assert sum(part.shock for part in alight.parts) == len(body.parts) - 1 - 2


def test_recovery_tests_have_a_die_more_for_every_level():
    by = BOOK.ruleset(settings={"damage-system": "abstract"})
    body = Abstract(statistic=2, injuries=(Injury(1, 0, 0),), down_boxes=1)
    assert script(recovery_test(by, body, "Ana", 2), [(1, 2, 3, 4, 5, 6, 7, 7)]).outcome.down_boxes == 0
    with pytest.raises(UserError):
        script(recovery_test(by, body, "Ana"), [(1, 2, 3, 4, 5, 6, 7, 7)])
