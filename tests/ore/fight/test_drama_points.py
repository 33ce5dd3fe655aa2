"""Drama Points and tiredness in a fight."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Seeded, play, script
from rulewright.systems.ore.combat.fighters import Act, Fight, Ground
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.fight.declarations import options_for
from rulewright.systems.ore.fight.pools import cast_of
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.gear.armour import worn
from rulewright.systems.ore.harm.body import fresh
from rulewright.systems.ore.harm.endurance import Stamina, perished
from rulewright.systems.ore.people.characters import Character, Owned, Statistics
from rulewright.systems.ore.resolution.tests import ready_dice
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
DRAMA = BOOK.ruleset(settings={"drama-points": "drama points"})
TIRED = BOOK.ruleset(settings={"getting-tired": True})


def fight(by, points=3):
    """Ana, with Drama Points, declares first; Ben after her. Both have four dice."""
    heroic = (Owned("action hero", points),) if points else ()
    ana = Character("Ana", statistics=Statistics(body=2, insight=1), skills={"close combat": 2}, advantages=heroic)
    ben = Character("Ben", statistics=Statistics(body=2, insight=2), skills={"close combat": 2})
    return Fight(Ground(), (enter(by, ana, "Ana", "a"), enter(by, ben, "Ben", "b")))


def a_round(by, state, faces, choices):
    def go(now):
        now = yield from next_step(by, now)
        while now.phase != "begin":
            now = yield from next_step(by, now)
        return now

    return script(go(state), faces, choices).outcome


HIT, MISS = (7, 7, 1, 2), (1, 2, 3, 4)
BOTH_ATTACK = ("attack:Ben", "no", "attack:Ana")


def test_points_come_from_the_advantage_where_the_campaign_has_them():
    assert fight(DRAMA).fighter("Ana").drama == 3
    assert fight(RULES).fighter("Ana").drama == 0


def test_nobody_is_asked_without_the_option():
    after = a_round(RULES, fight(RULES), [MISS, MISS], ["attack:Ben", "attack:Ana"])
    assert after.fighter("Ana").drama == 0


def test_hell_bent_hits_harder():
    after = a_round(DRAMA, fight(DRAMA, 2), [HIT, MISS], ["attack:Ben", "hell-bent width", "attack:Ana"])
    part = after.fighter("Ben").body.part("torso")
    assert (part.kill, part.shock, after.fighter("Ana").drama) == (3, 3, 0)
    high = a_round(DRAMA, fight(DRAMA, 2), [(8, 8, 1, 2), MISS], ["attack:Ben", "hell-bent height", "attack:Ana"])
    assert high.fighter("Ben").body.part("head").kill == 2


def test_different_effects_serve_one_roll():
    """Determined and Hell-Bent together: 10 beside the Expert Die, and a point of Width more, for all three points."""
    after = a_round(DRAMA, fight(DRAMA), [(10, 1, 2), MISS], ["attack:Ben", "both width", "attack:Ana"])
    assert (after.fighter("Ben").body.part("head").kill, after.fighter("Ana").drama) == (3, 0)
    with pytest.raises(UserError, match="'both width' is not allowed"):
        a_round(DRAMA, fight(DRAMA, 2), [MISS, MISS], ["attack:Ben", "both width"])


def test_the_determined_have_an_expert_die():
    after = a_round(DRAMA, fight(DRAMA, 1), [(10, 1, 2), MISS], ["attack:Ben", "determined", "attack:Ana"])
    assert after.fighter("Ben").body.part("head").kill == 2
    assert after.fighter("Ana").drama == 0


def test_the_lucky_roll_again():
    after = a_round(DRAMA, fight(DRAMA, 1), [MISS, MISS, HIT], [*BOTH_ATTACK, "yes"])
    assert after.fighter("Ben").body.part("torso").kill == 2
    kept = a_round(DRAMA, fight(DRAMA, 1), [MISS, MISS], [*BOTH_ATTACK, "no"])
    assert kept.fighter("Ana").drama == 1


@pytest.mark.parametrize("luck", [0, 1, 2])
def test_the_advantage_of_the_lucky_is_used_up_roll_by_roll(luck):  # lines 1329-1332
    plain = fight(RULES)
    state = plain.change("Ana", body=replace(plain.fighter("Ana").body, luck=luck))
    attack = ("attack:Ben", "attack:Ana")
    again = a_round(RULES, state, [MISS, MISS, HIT][: 2 + bool(luck)], [*attack, *(["yes"] if luck else [])])
    assert (again.fighter("Ana").luck, again.fighter("Ben").body.part("torso").kill) == (max(0, luck - 1), 2 if luck else 0)
    assert a_round(RULES, state, [HIT, MISS], attack).fighter("Ana").luck == luck
    if luck:
        assert a_round(RULES, state, [MISS, MISS], [*attack, "no"]).fighter("Ana").luck == luck


def test_the_blessed_roll_the_rest_again():
    choices = [*BOTH_ATTACK, "yes"]
    after = a_round(DRAMA, fight(DRAMA, 2), [(7, 7, 1, 2), MISS, (7, 7)], choices)
    assert after.fighter("Ben").body.part("torso").kill == 4
    assert after.fighter("Ana").drama == 0
    other = a_round(DRAMA, fight(DRAMA, 2), [(7, 7, 1, 2), MISS, (10, 3)], choices)
    assert other.fighter("Ben").body.part("torso").kill == 2
    kept = a_round(DRAMA, fight(DRAMA, 2), [(7, 7, 1, 2), MISS], [*BOTH_ATTACK, "no"])
    assert kept.fighter("Ana").drama == 2


def test_a_hero_still_chooses_among_the_sets():
    after = a_round(DRAMA, fight(DRAMA, 2), [(7, 7, 10, 10), MISS], ["attack:Ben", "no", "attack:Ana", "2x7"])
    assert after.fighter("Ben").body.part("torso").kill == 2


def test_an_attack_slips():
    wide = (7, 7, 7, 1)
    after = a_round(DRAMA, fight(DRAMA, 1), [(3, 3, 1, 2), wide], [*BOTH_ATTACK, "1 width"])
    assert after.fighter("Ana").body.part("torso").kill == 2
    narrow = a_round(DRAMA, fight(DRAMA, 1), [(3, 3, 1, 2), HIT], [*BOTH_ATTACK, "1 width"])
    assert narrow.fighter("Ana").body.record() == "unhurt"
    low = a_round(DRAMA, fight(DRAMA, 1), [(3, 3, 1, 2), HIT], [*BOTH_ATTACK, "1 height"])
    assert low.fighter("Ana").body.part("right arm").kill == 2


def test_the_hand_of_god_and_the_unwavering():
    saved = a_round(DRAMA, fight(DRAMA, 3), [(3, 3, 1, 2), HIT], [*BOTH_ATTACK, "no", "no", "yes"])
    part = saved.fighter("Ana").body.part("torso")
    assert (part.kill, part.shock, saved.fighter("Ana").drama) == (0, 2, 0)
    calm = a_round(DRAMA, fight(DRAMA, 2), [(3, 3, 1, 2), HIT], [*BOTH_ATTACK, "no", "no", "yes"])
    part = calm.fighter("Ana").body.part("torso")
    assert (part.kill, part.shock) == (2, 0)


def test_the_unflinching_keep_their_die():
    wide = (7, 7, 7, 1)  # Ben is faster
    kept = a_round(DRAMA, fight(DRAMA, 1), [HIT, wide], [*BOTH_ATTACK, "no", "yes"])
    assert kept.fighter("Ben").body.part("torso").kill == 2
    lost = a_round(DRAMA, fight(DRAMA, 1), [HIT, wide], [*BOTH_ATTACK, "no", "no"])
    assert lost.fighter("Ben").body.part("torso").kill == 0


def test_a_hero_spends_them():
    def go(now):
        for _ in range(3):
            now = yield from next_step(DRAMA, now)
            while now.phase != "begin":
                now = yield from next_step(DRAMA, now)
        return now

    after = play(go(fight(DRAMA, 5)), dice=Seeded(1), decide=TACTICS["hero"]).outcome
    assert after.fighter("Ana").drama < 5


# --- getting tired ------------------------------------------------------------------------------------------------------------


def test_two_rounds_of_fighting_tire_a_body_of_2():
    state = fight(TIRED, 0)
    once = a_round(TIRED, state, [MISS, MISS], ["attack:Ben", "attack:Ana"])
    assert [fighter.stamina.elapsed for fighter in once.fighters] == [1, 1]
    twice = a_round(TIRED, once, [MISS, MISS, (1, 2), (5, 5)], ["attack:Ben", "attack:Ana"])
    assert [fighter.stamina.boxes for fighter in twice.fighters] == [1, 0]
    assert [fighter.stamina.difficulty for fighter in twice.fighters] == [1, 2]
    plain = a_round(RULES, fight(RULES, 0), [MISS, MISS], ["attack:Ben", "attack:Ana"])
    assert [fighter.stamina.elapsed for fighter in plain.fighters] == [0, 0]


def test_whoever_rests_does_not_tire():
    after = a_round(TIRED, fight(TIRED, 0), [MISS], ["pass", "attack:Ana"])
    assert [fighter.stamina.elapsed for fighter in after.fighters] == [0, 1]


@pytest.mark.parametrize(("boxes", "dice"), [(0, 4), (1, 3), (2, 2)])
def test_the_tired_have_fewer_dice(boxes, dice):
    for by, expected in ((TIRED, dice), (RULES, 4)):
        state = fight(by, 0).change("Ana", stamina=Stamina(2, boxes=boxes))
        cast = cast_of(by, state, state.fighter("Ana"), (Act("attack", "Ben"),))
        assert ready_dice(by, cast.pool).size == expected


def test_the_depleted_can_only_stop():
    state = fight(TIRED, 0).change("Ana", stamina=Stamina(2, boxes=3))
    assert [option.key for option in options_for(TIRED, state, "Ana")] == ["speak", "surrender", "pass"]


def test_whoever_stops_for_four_rounds_is_fresh_again():
    state = fight(TIRED, 0).change("Ana", stamina=Stamina(2, passed=1, boxes=3))
    for left in (1, 2, 3):
        state = a_round(TIRED, state, [], ["pass", "pass"])
        assert state.fighter("Ana").stamina.rested == left
    assert a_round(TIRED, state, [], ["pass", "pass"]).fighter("Ana").stamina == Stamina(2)


def test_whoever_wears_too_much_tires_at_rest_and_may_die_of_it():
    by = BOOK.ruleset(settings={"getting-tired": True, "encumbering-armour": True})
    state = fight(by, 0).change("Ana", stamina=Stamina(2, boxes=3, body_lost=1), worn=worn(by, {"all": "heavy"}))
    after = a_round(by, state, [(3,)], ["pass", "pass"])
    assert after.fighter("Ana").body.dead
    for system in ("locations", "vital", "abstract"):
        each = BOOK.ruleset(settings={"damage-system": system})
        assert perished(fresh(each, 3)).dead
        assert not fresh(each, 3).dead
