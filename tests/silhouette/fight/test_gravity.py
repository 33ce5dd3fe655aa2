"""Fights under another gravity, and in free fall (book lines 5786-5820)."""

import pytest
from msgspec.structs import replace
from tests.silhouette.fights import AWAKE, RULES, act, by, fight_of, keys, roll_initiative, someone, take_turn, told

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.rules.reasons import holds
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.attacks.shots import make_shot
from rulewright.systems.silhouette.combat.fighters import CoverSpot, Ground
from rulewright.systems.silhouette.fight.free_fall import hardest, push_options
from rulewright.systems.silhouette.fight.moves import move_options

MOON, HEAVY, FLOATING = Ground(gravity=0.16), Ground(gravity=3), Ground(gravity=0)
CRATE = CoverSpot("the crate", 12.0, 0.0)


def _farthest(ground: Ground) -> float:
    one, other = someone("Ann"), someone("Ben", (500.0, 0.0))
    goes = {option.key: option.value for option in move_options(RULES, fight_of(one, other, ground=ground), one)}
    return goes["jog to Ben"].x


def test_rates_are_divided_by_gravity() -> None:
    """Line 5792: who jogs 10 metres jogs 62.5 on the moon."""
    assert _farthest(Ground()) == 10
    assert _farthest(MOON) == pytest.approx(62.5)
    assert _farthest(HEAVY) == pytest.approx(10 / 3, abs=0.01)


def test_dodging_suffers_from_a_bad_footing() -> None:
    """Line 5788: 1 in low gravity, 1 for each full g above the first."""
    ann, ben = someone("Ann", small_arms=2, weapons=("light pistol",)), someone("Ben", (5.0, 0.0), defense=2)
    worse = {}
    for ground in (Ground(), MOON, HEAVY, Ground(gravity=1.5)):
        fight = fight_of(ann, ben, ground=ground)
        shot = make_shot(RULES, fight, ann, ben, ann.weapon)
        assert shot.defense is not None
        worse[ground.gravity] = shot.defense.modifier
    plain = worse[1.0]
    assert worse == {1.0: plain, 0.16: plain - 1, 3.0: plain - 2, 1.5: plain}
    only = by(footing="moving only")
    shot = make_shot(only, fight_of(ann, ben, ground=MOON), ann, ben, ann.weapon)
    assert shot.defense is not None
    assert shot.defense.modifier == plain


def test_a_scenario_refuses_gravity_that_cannot_be() -> None:
    for gravity in (-1, 21):
        with pytest.raises(UserError, match="gravity"):
            library.stage("silhouette/duel", changes={"place.gravity": gravity})


def test_in_free_fall_no_fighting_skill_is_better_than_zero_g() -> None:
    """The description of the skill (lines 8153-8645)."""
    ann = someone("Ann", small_arms=3, zero_g=1, weapons=("light pistol",))
    ben = someone("Ben", (5.0, 0.0), defense=3, zero_g=2)
    shot = make_shot(RULES, fight_of(ann, ben, ground=FLOATING), ann, ben, ann.weapon)
    assert shot.defense is not None
    assert (shot.attack.dice, shot.defense.dice) == (1, 2)


def test_a_shot_pushes_back_who_has_no_hold_by_a_hundredth_a_point() -> None:
    """Line 5818."""
    ann = someone("Ann", small_arms=2, zero_g=2, weapons=("light pistol",), state={"loose": True})
    ben = someone("Ben", (5.0, 0.0), zero_g=2, defense=1)
    fight = fight_of(ann, ben, ground=FLOATING)
    played = act(fight, "Ann", "shoot:Ben", faces=[(1, 2), (6,)])
    after = played.outcome.fighter("Ann")
    assert after.drift == (-ann.weapon.damage / 100, 0.0)
    assert any("is pushed back" in line for line in told(played))
    assert all(holds(reason) for event in played.events for reason in event.reasons())
    braced = fight.put(replace(ann, loose=False))
    assert act(braced, "Ann", "shoot:Ben", faces=[(1, 2), (6,)]).outcome.fighter("Ann").drift == (0.0, 0.0)


def test_a_blow_that_hits_drives_both_apart_unless_they_hold_on() -> None:
    """Line 5820."""
    ann = someone("Ann", hand_to_hand=3, zero_g=3, state={"loose": True})
    ben = someone("Ben", (1.0, 0.0), zero_g=1, state={"loose": True})
    fight = fight_of(ann, ben, ground=FLOATING)
    after = act(fight, "Ann", "strike:Ben", "dodge", faces=[(5, 6, 2), (2, 2), AWAKE]).outcome
    speed = ann.weapon.damage / 100
    assert (after.fighter("Ann").drift, after.fighter("Ben").drift) == ((-speed, 0.0), (speed, 0.0))
    held = fight.put(replace(ben, loose=False))
    after = act(held, "Ann", "strike:Ben", "dodge", faces=[(5, 6, 2), (2, 2), AWAKE]).outcome
    assert (after.fighter("Ann").drift, after.fighter("Ben").drift) == ((-speed, 0.0), (0.0, 0.0))


def test_who_pushes_off_drifts_on_until_something_is_in_the_way() -> None:
    """Lines 5796-5814."""
    ann, ben = someone("Ann", zero_g=2), someone("Ben", (0.0, 40.0))
    fight = fight_of(ann, ben, ground=replace(FLOATING, covers=(CRATE,)))
    played = take_turn(fight, "1", "push gently to the crate", "pass", of="Ann")
    after = played.outcome.fighter("Ann")
    assert (after.x, after.y, after.drift, after.loose) == (6.0, 0.0, (1.0, 0.0), True)
    assert "hold on" not in keys(played.outcome, "Ann")
    arrived = roll_initiative(played.outcome, (4, 2), (1, 2), (1, 3)).fighter("Ann")
    assert (arrived.x, arrived.loose, arrived.drift, arrived.cover) == (12.0, False, (0.0, 0.0), "heavy cover")


def test_a_hard_push_hurts_and_throws_back() -> None:
    ann, ben = someone("Ann"), someone("Ben", (0.0, 40.0))
    fight = fight_of(ann, ben, ground=replace(FLOATING, covers=(CRATE,)))
    assert hardest(RULES, ann).value > 6
    played = take_turn(fight, "1", "push to the crate", "pass", of="Ann", faces=[(1, 2), (3, 2), AWAKE])  # 1 on Zero-G, 9 damage
    after = played.outcome.fighter("Ann")
    assert (after.x, after.loose, after.drift) == (12.0, True, (-1.5, 0.0))
    assert "bounces off the crate" in " ".join(told(played))
    assert all(holds(reason) for event in played.events for reason in event.reasons())


def test_who_floats_in_the_open_has_nothing_to_push_against_but_others() -> None:
    ann, ben = someone("Ann", state={"loose": True}), someone("Ben", (9.0, 0.0), state={"loose": True})
    fight = fight_of(ann, ben, ground=FLOATING)
    after = take_turn(fight, "1", "pass", of="Ann").outcome
    assert after.fighter("Ann").drift == (0.0, 0.0)
    near = fight.put(replace(ben, x=1.0))
    after = take_turn(near, "1", "push gently away", "pass", of="Ann").outcome
    assert after.fighter("Ann").drift == (-1.0, 0.0)
    assert after.fighter("Ben").drift == (1.0, 0.0)


def test_who_reaches_somebody_stops_at_one_who_holds_on_and_drifts_on_with_one_who_does_not() -> None:
    ann, ben = someone("Ann"), someone("Ben", (5.0, 0.0))
    fight = fight_of(ann, ben, ground=FLOATING)
    after = take_turn(fight, "1", "push gently to Ben", "pass", of="Ann").outcome
    assert (after.fighter("Ann").x, after.fighter("Ann").drift) == (4.1, (0.0, 0.0))
    loose = fight.put(replace(ben, loose=True))
    after = take_turn(loose, "1", "push gently to Ben", "pass", of="Ann").outcome
    assert after.fighter("Ann").drift == after.fighter("Ben").drift == (0.5, 0.0)


def test_nobody_drops_or_stands_up_in_free_fall_and_who_floats_beside_something_takes_hold() -> None:
    ann, ben = someone("Ann", (11.5, 0.0), state={"loose": True}), someone("Ben", (0.0, 40.0))
    fight = fight_of(ann, ben, ground=replace(FLOATING, covers=(CRATE,)))
    assert "drop" not in keys(fight, "Ann")
    after = act(fight, "Ann", "hold on").outcome.fighter("Ann")
    assert (after.loose, after.cover) == (False, "heavy cover")
    assert {option.key for option in push_options(RULES, fight, fight.fighter("Ben"))} >= {"stay", "push gently to Ann", "push hard away"}


def test_a_fight_in_free_fall_plays_itself_to_an_end() -> None:
    staged = library.stage("silhouette/airlock")
    encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
    encounter.play_out(Seeded(3), staged.decide)
    assert encounter.result is not None
