"""Silhouette's people on ground with walls, a door, covers, lamps and water: who sees whom, what shelters, how far one gets."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.field.ground import Changes, read_ground
from rulewright.library import stage
from rulewright.play import Seeded, play, script
from rulewright.scenes.encounter import Encounter
from rulewright.systems.silhouette.attacks.area_fire import saturate_ground
from rulewright.systems.silhouette.attacks.shots import circumstances, exposure, lob_grenade
from rulewright.systems.silhouette.combat.fighters import Action, Danger, Ground, Ready, UnderWay
from rulewright.systems.silhouette.fight.actions.fire import spots_to_aim_at, spots_to_lob_at
from rulewright.systems.silhouette.fight.actions.readied import _waits_for
from rulewright.systems.silhouette.fight.moves import anywhere, move, move_options
from rulewright.systems.silhouette.hazards.fight_hazards import gone_out, suffer_dangers
from rulewright.systems.silhouette.lab_view.scene import FightScene
from silhouette.fights import RULES, by, fight_of, keys, someone

ROOM = read_ground(
    {
        "size": [30, 20],
        "walls": [
            {"along": [[15, 0], [15, 8]]},
            {"along": [[15, 8], [15, 10]], "name": "door", "door": "closed"},
            {"along": [[15, 10], [15, 16]]},
            {"along": [[15, 16], [15, 20]], "name": "window", "stops": "move", "cover": "light cover"},
        ],
        "covers": [
            {"name": "the crates", "box": [8, 4, 2, 2], "cover": "heavy cover"},
            {"name": "the hedge", "box": [20, 10, 1, 4], "cover": "fully hidden by light cover"},
        ],
        "regions": [{"terrain": "shallow", "box": [0, 12, 12, 3], "name": "the pond"}],
        "lights": [{"x": 20, "y": 5, "radius": 4, "light": "good light"}],
    }
)
SHUT, OPENED = Changes(), Changes(opened=("door",))


def room(*places, changes=SHUT, **fields):
    """Ann on one side, everybody else on the other."""
    names = ("Ann", "Bob", "Cyd")
    people = [
        someone(name, at, side="ours" if name == "Ann" else "theirs", weapons=("medium rifle",), small_arms=2)
        for name, at in zip(names, places, strict=False)
    ]
    return fight_of(*people, map=ROOM, changes=changes, **fields)


def option_keys(fight, name, rules=RULES):
    return [option.key for option in move_options(rules, fight, fight.fighter(name))]


def situations(fight, shooter, target):
    one, two = fight.fighter(shooter), fight.fighter(target)
    return exposure(RULES, fight, two, (one.x, one.y)).situations


def test_nobody_is_shot_at_through_a_wall_or_a_closed_door():
    assert "shoot:Bob" not in keys(room((5, 9), (25, 9)), "Ann")
    assert "shoot:Bob" in keys(room((5, 9), (25, 9), changes=OPENED), "Ann")
    assert "shoot:Bob" not in keys(room((5, 4), (25, 4), changes=OPENED), "Ann")


def test_a_window_lets_one_see_and_shelters_whoever_stands_close_behind():
    fight = room((7, 18), (16, 18))
    assert "shoot:Bob" in keys(fight, "Ann")
    assert situations(fight, "Ann", "Bob") == ("light cover",)
    assert situations(fight, "Bob", "Ann") == ()


def test_cover_is_the_better_of_what_stands_between_and_of_the_state_somebody_was_given():
    fight = room((2, 5), (10.5, 5))
    assert situations(fight, "Ann", "Bob") == ("heavy cover",)
    assert situations(fight.change("Bob", cover="light cover"), "Ann", "Bob") == ("heavy cover",)
    assert situations(fight.change("Bob", cover="fully hidden by heavy cover"), "Ann", "Bob") == ("fully hidden by heavy cover",)
    aside = room((10.5, 15), (10.5, 5))
    assert situations(aside, "Ann", "Bob") == ()
    assert situations(aside.change("Bob", cover="light cover"), "Ann", "Bob") == ("light cover",)


def test_who_shoots_out_of_a_hedge_has_its_attack_figure():  # the rows of cover weigh on shots out of it
    fight = room((10, 12), (21.5, 12), changes=OPENED)
    bob, ann = fight.fighter("Bob"), fight.fighter("Ann")
    shot = circumstances(RULES, fight, bob, bob.weapon, metres=bob.distance(ann), penalty=0, thrown=False, aim=0, size="none", target=ann)
    assert shot.situations == ("fully hidden by light cover",)


def test_a_lamp_lights_the_target_and_elsewhere_it_is_as_dark_as_the_place():
    fight = room((18, 12), (20, 6), ground=Ground(light="complete darkness"))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert circumstances(RULES, fight, ann, ann.weapon, metres=6, penalty=0, thrown=False, aim=0, size="none", target=bob).situations == ()
    assert circumstances(RULES, fight, bob, bob.weapon, metres=6, penalty=0, thrown=False, aim=0, size="none", target=ann).situations == (
        "complete darkness",
    )


def test_wading_halves_how_far_one_gets_where_the_campaign_minds_it():
    rules, fight = by(special_circumstances=True), room((3, 13), (25, 4))
    ann = fight.fighter("Ann")
    walk = next(pace.most for pace in anywhere(rules, fight, ann).paces if pace.key == "walk")
    near, far = f"walk@{3 + walk / 2 - 0.1:.2f},13", f"walk@{3.3 + walk / 2:.2f},13"
    moved = script(move(rules, fight, "Ann"), choices=[near]).outcome[0].fighter("Ann")
    assert moved.x == pytest.approx(2.9 + walk / 2, abs=0.01)
    with pytest.raises(UserError, match="walking you get"):
        script(move(rules, fight, "Ann"), choices=[far])
    script(move(by(special_circumstances=False), fight, "Ann"), choices=[far])


def test_a_door_at_hand_is_opened_as_a_simple_action_and_gone_through_in_one_turn():
    fight = room((14, 9), (25, 9))
    assert "open door" in option_keys(fight, "Ann")
    moved, used = script(move(RULES, fight, "Ann"), choices=["open door", "walk@16.5,9"]).outcome
    assert moved.changes.opened == ("door",)
    assert moved.fighter("Ann").x == 16.5
    assert used.simple
    assert "shut door" in option_keys(moved, "Ann")


def test_who_walks_around_the_crates_goes_farther_than_the_straight_line():
    fight = room((7.5, 5), (25, 9))
    option = script(move(RULES, fight, "Ann"), choices=["run@10.5,5"])
    metres = next(line for line in map(str, option.events) if "runs" in line)
    assert "runs 3 m" not in metres


def test_only_those_are_gone_towards_whom_ones_side_knows_of():
    assert not any("Bob" in key for key in option_keys(room((5, 4), (25, 4)), "Ann"))
    assert "walk to Bob" in option_keys(room((7, 18), (25, 18), changes=OPENED), "Ann")


def test_readied_people_act_only_on_whom_they_see():
    unseen = room((5, 4), (25, 4)).change("Bob", ready=Ready())
    assert not _waits_for(unseen, unseen.fighter("Bob"), unseen.fighter("Ann"), "acts")
    seen = room((7, 18), (25, 18)).change("Bob", ready=Ready())
    assert _waits_for(seen, seen.fighter("Bob"), seen.fighter("Ann"), "acts")


def test_a_wall_keeps_a_grenade_from_those_behind_it():
    thrower = someone("Ann", (9, 14), side="ours", weapons=("fragmentation grenade",), throwing=2)
    behind, beside = someone("Bob", (15.5, 14), side="theirs"), someone("Cyd", (12, 14), side="theirs")
    fight = fight_of(thrower, behind, beside, map=ROOM)
    lob = Action("lob", weapon=thrower.in_hand, spot=(14, 14))
    rolled = [cast.roll.by for cast in play(lob_grenade(RULES, fight, "Ann", lob), dice=Seeded(4)).rolls]
    assert "Cyd" in rolled
    assert "Bob" not in rolled


def grenadier(kind, at=(5, 9), **fields):
    thrower = someone("Ann", at, side="ours", weapons=(f"{kind} grenade",), throwing=2)
    return fight_of(thrower, someone("Bob", (13, 9), side="theirs"), **fields)


def test_a_grenade_is_thrown_at_any_place_in_range_and_in_sight():
    fight = grenadier("fragmentation", map=ROOM)
    ann, turn = fight.fighter("Ann"), UnderWay("Ann", 1)
    where = spots_to_lob_at(RULES, fight, ann, turn)
    assert where.take("lob@12,8").spot == (12, 8)
    assert where.tells("@12,8")[1] == "within 30 m: Ann, Bob"
    with pytest.raises(UserError, match="out of sight: door is between"):
        where.take("@16,9")
    assert spots_to_lob_at(RULES, fight, ann, UnderWay("Ann", 1, left=0)) is None
    assert spots_to_lob_at(RULES, room((5, 9), (13, 9)), room((5, 9), (13, 9)).fighter("Ann"), turn) is None


def test_a_grenade_comes_down_before_the_wall():
    fight = grenadier("fragmentation", (13, 4), map=ROOM)
    ann = fight.fighter("Ann")
    for seed in range(6):
        done = play(lob_grenade(RULES, fight, "Ann", Action("lob", weapon=ann.in_hand, spot=(14.5, 4))), dice=Seeded(seed)).outcome
        assert done.fighter("Ann").gone[ann.in_hand] == "away"


def test_any_ground_in_range_and_in_sight_is_swept_with_fire():
    shooter = someone("Ann", (5, 9), side="ours", weapons=("assault rifle",), small_arms=2)
    fight = fight_of(shooter, someone("Bob", (13, 9), side="theirs"), someone("Cyd", (16, 9), side="theirs"), map=ROOM)
    ann, turn = fight.fighter("Ann"), UnderWay("Ann", 1)
    where = spots_to_aim_at(RULES, fight, ann, turn)
    action = where.take("saturate@13.5,9")
    done = play(saturate_ground(RULES, fight, "Ann", action), dice=Seeded(2))
    assert (done.outcome.zones[-1].x, done.outcome.zones[-1].y) == (13.5, 9)
    assert {cast.roll.by for cast in done.rolls} == {"Ann", "Bob"}  # a wall is between her and Cyd
    with pytest.raises(UserError, match="out of sight: door is between"):
        where.take("@16,9")
    assert spots_to_aim_at(RULES, room((5, 9), (13, 9)), room((5, 9), (13, 9)).fighter("Ann"), turn) is None


def test_smoke_hides_people_for_five_rounds_also_on_bare_ground():
    fight = grenadier("smoke")
    ann = fight.fighter("Ann")
    lob = Action("lob", weapon=ann.in_hand, spot=(9, 9))
    assert play(lob_grenade(RULES, fight, "Ann", lob), dice=Seeded(2)).outcome.bare  # a dud
    done = play(lob_grenade(RULES, fight, "Ann", lob), dice=Seeded(1)).outcome
    assert not done.bare
    assert not done.sees(done.fighter("Ann"), done.fighter("Bob"))
    assert done.enemies(done.fighter("Ann")) == []
    later = msgspec.structs.replace(done, round=done.round + 4)
    assert later.cleared() is later
    gone = msgspec.structs.replace(done, round=done.round + 5).cleared()
    assert gone.bare
    assert gone.sees(gone.fighter("Ann"), gone.fighter("Bob"))


def burst(kind: str, spot: tuple[float, float], *where: tuple[float, float], **more: object):
    """A grenade that has gone off at a spot."""
    fight = grenadier(kind, *where, **more)
    lob = Action("lob", weapon=fight.fighter("Ann").in_hand, spot=spot)
    for seed in range(20):
        done = play(lob_grenade(RULES, fight, "Ann", lob), dice=Seeded(seed))
        if done.outcome.ground.dangers:
            return done
    raise AssertionError("every grenade was a dud")


def test_an_incendiary_grenade_burns_where_it_fell_for_five_rounds():  # lines 5726, 8114
    came = burst("incendiary", (9, 9))
    done = came.outcome
    (fire,) = done.ground.dangers
    assert (fire.kind, fire.intensity, fire.radius) == ("fire", 7, 8)
    assert any("on fire" in event.headline() for event in came.events)
    inside = done.change("Bob", x=fire.x + 1, y=fire.y)
    suffered = play(suffer_dangers(RULES, inside), dice=Seeded(1))
    assert any(cast.roll.what == "damage of the fire" and cast.roll.by == "Bob" for cast in suffered.rolls)
    outside = done.change("Bob", x=fire.x + 9, y=fire.y).change("Ann", x=fire.x - 9, y=fire.y)
    assert not play(suffer_dangers(RULES, outside), dice=Seeded(1)).rolls
    gone = msgspec.structs.replace(done, round=done.round + 5)
    assert gone.cleared().ground.dangers == ()
    assert gone_out(gone, gone.cleared()) == ("The fire burns out",)
    shown = FightScene(RULES).field_shown(done, None)
    assert [cloud.name for cloud in shown.changes.clouds] == [fire.name]


def test_gas_is_withstood_by_health_each_round_and_stays_on_its_side_of_a_wall():  # lines 8115-8119
    done = burst("gas", (9, 9)).outcome
    (gas,) = done.ground.dangers
    assert (gas.kind, gas.intensity, gas.radius) == ("gas", 10, 30)
    suffered = play(suffer_dangers(RULES, done), dice=Seeded(3))
    assert {cast.roll.by for cast in suffered.rolls} == {"Ann", "Bob"}
    bodies = [suffered.outcome.fighter(name).body for name in ("Ann", "Bob")]
    assert any(body.drugged < 0 or body.unconscious for body in bodies)
    walled = room((5, 9), (25, 4))
    walled = msgspec.structs.replace(walled, ground=Ground(dangers=(Danger("gas", 5, 8, 10, "gas", 30),)))
    assert {cast.roll.by for cast in play(suffer_dangers(RULES, walled), dice=Seeded(3)).rolls} == {"Ann"}


def test_fires_are_drawn_on_the_map_and_hide_nobody():
    fight = room((5, 9), (13, 9), ground=Ground(dangers=(Danger("brazier", 8, 9, 2, radius=1.5),)))
    shown = FightScene(RULES).field_shown(fight, None)
    assert [cloud.name for cloud in shown.changes.clouds] == ["brazier"]
    assert fight.sees(fight.fighter("Ann"), fight.fighter("Bob"))


def test_who_is_out_of_sight_is_in_no_view_of_the_other_side():
    scene, fight = FightScene(RULES), room((5, 4), (25, 4))
    assert "Bob" not in msgspec.json.encode(scene.view(fight, "Ann")).decode()
    assert "Bob" in msgspec.json.encode(scene.view(fight, None)).decode()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_nothing_of_anybody_unseen_stands_in_what_a_side_may_read(seed):
    staged = stage("silhouette/mill")
    encounter, dice, read = Encounter.begin(staged.scene, staged.state), Seeded(seed), 0
    for _ in range(120):
        if not encounter.open or "Vega" in (staged.scene.in_sight(encounter.now, "raiders") or ()):
            break
        at, request = encounter.open[0]
        encounter.give(dice.faces(request) if hasattr(request, "reading") else staged.decide(request), at)
        if "Vega" in (staged.scene.in_sight(encounter.now, "raiders") or ()):
            break
        view = msgspec.json.encode(staged.scene.view(encounter.now, "Jorunn")).decode()
        mine = [line.what for line in encounter.log if not line.hidden_from("Jorunn")]
        assert "Vega" not in view
        assert not any("Vega" in (each.headline() if hasattr(each, "headline") else str(each)) for each in mine)
        read += 1
    assert read > 10


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"map": {"covers": [{"name": "x", "cover": "thick cover", "x": 1, "y": 1}]}}, "'thick cover' is not known"),
        ({"map": {"regions": [{"terrain": "lava", "box": [0, 0, 1, 1]}]}}, "'lava' is not known"),
        ({"map": {"lights": [{"x": 1, "y": 1, "radius": 2, "light": "dusk"}]}}, "'dusk' is not known"),
        ({"map": {"size": [3, 3]}}, "is off the map, which is 3 by 3 metres"),
    ],
)
def test_bad_ground_in_a_scenario_is_refused_with_one_sentence(change, said):
    with pytest.raises(UserError, match=said) as refused:
        stage("silhouette/firefight", changes=change)
    assert "\n" not in str(refused.value)
