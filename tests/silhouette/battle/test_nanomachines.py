"""Nanomachines in a battle: morphable material stretches over hexes (book line 4033), and takes in what it touches (lines 4029-4031)."""

from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.field.geometry import hexes
from rulewright.field.ground import Region
from rulewright.play import Choice, Option, script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.aftermath import lasting, settle
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.setup.setup import placed
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.gunnery.areas import caught
from rulewright.systems.silhouette.gunnery.attacks import shot
from rulewright.systems.silhouette.machines.design.sizes import size_for
from rulewright.systems.silhouette.machines.vehicle import Body, Device, Fitted, Movement
from rulewright.systems.silhouette.maneuver.course_limits import apart
from rulewright.systems.silhouette.maneuver.stacking import fills, footprint, holds
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.forms import in_form
from rulewright.systems.silhouette.units.setup import enter
from rulewright.systems.silhouette.units.visible_traits import Fuse, Thing
from silhouette.battles import COMMS, RULES, battle, unit, vehicle
from silhouette.battles import hexes as ground_of

GUN = Device("gun", damage=20, range=2, uses=9, arc="turret")
BALL = Body(name="Ball", size=9, armor=12, crew=2, movement=(Movement("ground", 16),), systems=(GUN,), perks=(COMMS,))
MERCURY = vehicle(name="Mercury", size=9, mass=20000, armor=20, crew=2, systems=(GUN,), forms=(BALL,), transformation="morphing")
EATER = replace(MERCURY, forms=(), transformation="free", absorption=50)
SENSORS = Fitted("sensors", 1, variant="standard", amount=4)


def scene(design=MERCURY, foe=(5, 12), ground=None, **state):
    """A machine at 5,5 that faces north, and somebody else who faces it."""
    empty = battle(unit("Two", "blue", foe, facing=0, design=vehicle(systems=(GUN,), mass=8000, perks=(COMMS, SENSORS))), ground=ground)
    found = placed(
        RULES, empty, Placed(name="Mercury", side="red", character=design, at=(5, 5), state={"facing": 0, **state}), ("blue", "red")
    )
    return replace(found, commands=battle(unit("Mercury"), unit("Two", "blue")).commands, active="Mercury", turn="red")


def keys(state, name="Mercury"):
    return [option.key for option in options_of(RULES, state, state.unit(name))]


def do(state, key, answers=(), name="Mercury"):
    option = {option.key: option for option in options_of(RULES, state, state.unit(name))}[key]
    return script(action_of(option.value.kind).do(RULES, state, state.unit(name), option.value), [], list(answers))


def lines(played):
    return [event.headline() for event in played.events if event.logged]


def stretched(many=5, along="south", **more):
    return do(scene(**more), f"stretch {along}", [many]).outcome


# --- stretching ----------------------------------------------------------------------------------------------------------------------


def test_it_stretches_over_a_hex_of_50_metres_for_every_point_of_size_and_that_takes_an_action():
    state = scene()
    before = actions_left(RULES, state.unit("Mercury"))
    played = do(state, "stretch south", [9])
    assert lines(played) == ["Mercury stretches south over 9 hexes"]
    assert next(event for event in played.events if event.logged).reasons()[0].value == 9
    after = played.outcome.unit("Mercury")
    assert footprint(after) == tuple([(5.0, float(row)) for row in range(5, 14)])
    assert actions_left(RULES, after) == before - 1
    with pytest.raises(UserError):
        do(state, "stretch south", [10])
    assert not [key for key in keys(scene(replace(MERCURY, transformation="free"))) if key.startswith("stretch")]


def test_it_lies_neither_off_the_map_nor_on_ground_that_it_cannot_enter():
    pond = ground_of(Region(box=(5, 7, 1, 1), terrain="deep water"))
    options = {option.key: option.label for option in options_of(RULES, scene(ground=pond), scene(ground=pond).unit("Mercury"))}
    assert "over up to 2 hexes" in options["stretch south"]
    assert "over up to 5 hexes" in options["stretch north"]


def test_its_size_is_spread_evenly_over_its_hexes_and_others_find_room_beside_it():
    after = stretched(9).unit("Mercury")
    assert [size for _, size in fills(after)] == [1.0] * 9
    state = stretched(9)
    assert holds(state, unit("Big", at=(5, 8), design=vehicle(size=29)), (5.0, 8.0))
    assert not holds(state, unit("Big", at=(5, 8), design=vehicle(size=30)), (5.0, 8.0))


def test_it_is_shot_at_and_shoots_from_the_nearest_of_its_hexes():
    far = scene()
    assert shot(RULES, far, far.unit("Two"), far.unit("Mercury"), 0).distance == 7
    near = stretched(7)
    assert apart(near, near.unit("Two"), near.unit("Mercury")) == 1
    made = shot(RULES, near, near.unit("Two"), near.unit("Mercury"), 0)
    assert (made.distance, made.band, made.side) == (1, "short", "rear")
    back = shot(RULES, near, near.unit("Mercury"), near.unit("Two"), 0)
    assert (back.distance, back.band) == (1, "short")


def test_it_is_seen_and_sees_from_each_of_its_hexes():
    wood = ground_of(Region(box=(1, 7, 20, 4), terrain="jungle"))
    state = scene(ground=wood)
    assert not sees(RULES, state, state.unit("Two"), state.unit("Mercury"))
    long = stretched(8, ground=wood)
    assert sees(RULES, long, long.unit("Two"), long.unit("Mercury"))
    assert sees(RULES, long, long.unit("Mercury"), long.unit("Two"))


def test_an_area_catches_it_in_any_of_its_hexes():
    state = stretched(5)
    assert "Mercury" in [each.name for each in caught(state, (5.0, 9.0), 0)]
    assert "Mercury" not in [each.name for each in caught(state, (5.0, 10.0), 0)]


def test_it_goes_nowhere_until_it_draws_together_at_either_end_for_an_action():
    state = script(end_round(RULES, stretched(4))).outcome
    state = replace(state, active="Mercury", turn="red", phase="activation")
    assert not [key for key in keys(state) if key.startswith(("go", "face", "stretch"))]
    assert {"draw together", "draw together at the far end"} <= set(keys(state))
    here = do(state, "draw together").outcome.unit("Mercury")
    there = do(state, "draw together at the far end")
    assert lines(there) == ["Mercury draws together at 0508"]
    assert (here.spot, here.shape.stretched, there.outcome.unit("Mercury").spot) == ((5.0, 5.0), 0, (5.0, 8.0))
    assert there.outcome.unit("Mercury").hexes == 3


def test_another_shape_and_its_own_anew_draw_it_together():
    state = stretched(4)
    assert do(state, "change into Ball").outcome.unit("Mercury").shape.stretched == 0
    hurt = state.put(replace(state.unit("Mercury"), wear=replace(state.unit("Mercury").wear, maneuver=1)))
    assert do(hurt, "take shape anew").outcome.unit("Mercury").shape.stretched == 0


def test_a_scenario_may_begin_with_it_stretched_and_refuses_what_cannot_be():
    assert footprint(scene(stretched=3, along=2).unit("Mercury")) == ((5.0, 5.0), (6.0, 5.0), (7.0, 6.0))
    with pytest.raises(UserError, match="its Size allows 9 at most"):
        scene(stretched=10, along=3)
    with pytest.raises(UserError, match="the edge of the map"):
        scene(stretched=9, along=0)
    with pytest.raises(UserError, match="only morphable material"):
        scene(replace(MERCURY, transformation="free"), stretched=3)
    with pytest.raises(UserError, match="stretched"):
        scene(stretched="far")


def test_the_card_says_it_and_the_map_shows_every_hex():
    view = BattleScene(RULES).view(stretched(4), "Mercury")
    card = next(card for card in view.cards if card.name == "Mercury")
    assert [piece.effect for piece in card.pieces if piece.name == "stretched"] == ["over 4 hexes, cannot move"]
    place = next(place for place in view.places if place.name == "Mercury")
    assert place.covers == ((5.0, 6.0), (5.0, 7.0), (5.0, 8.0))


def test_on_open_ground_it_reaches_50_metres_for_every_point_of_size():
    state = replace(scene(), map=msgspec.structs.replace(scene().map, grid="open", cell=1, size=(2000, 2000), regions=()))
    state = state.change("Mercury", x=500.0, y=500.0, facing=0).change("Two", x=900.0, y=500.0)
    played = do(state, "stretch ahead", [9])
    assert footprint(played.outcome.unit("Mercury"), hexed=False)[-1] == (900.0, 500.0)
    assert apart(played.outcome, played.outcome.unit("Two"), played.outcome.unit("Mercury")) == 0


# --- jams and forms ------------------------------------------------------------------------------------------------------------------


def test_a_jam_goes_along_with_its_system_and_waits_with_the_form_that_has_it():
    laser = Device("laser", damage=9, range=2)
    other = replace(BALL, systems=(laser, GUN))
    one = enter(
        RULES,
        replace(MERCURY, transformation="free", systems=(GUN, Device("mortar", damage=9, range=2)), forms=(other,)),
        "M",
        "red",
        state={},
    )
    jammed = replace(one, signs=replace(one.signs, jammed=(0, 1), charged=((0, 2), (1, 1))))
    ball = in_form(jammed, "Ball")
    assert (ball.signs.jammed, ball.signs.charged, ball.shape.jams) == ((1,), ((1, 2),), ("mortar",))
    again = in_form(ball, "Mercury")
    assert (again.signs.jammed, again.signs.charged, again.shape.jams) == ((0, 1), ((0, 2),), ())


def test_a_change_that_goes_one_way_stays_in_the_file_and_technicians_undo_it():
    from rulewright.systems.silhouette.repairs.jobs import jobs_of, mended

    design = replace(MERCURY, transformation="one-way", systems=(GUN, Device("mortar", damage=9, range=2, uses=3)))
    over = script(settle(RULES, do(scene(design), "change into Ball").outcome)).outcome
    kept = {field: lasts.value for field, lasts in lasting(over, "Mercury").items()}
    assert kept["form"] == "Ball"
    later = enter(RULES, replace(design, condition=kept | {"arms.mortar": {"left": [1]}}), "Mercury", "red", state={})
    assert dict(later.stowed)["mortar"].left == (1,)
    assert (later.machine.name, later.primary) == ("Ball", "Mercury")
    assert enter(RULES, design, "Mercury", "red", state={}).machine.name == "Mercury"
    job = next(job for job in jobs_of(later) if "change back" in job.part)
    home = mended(later, job)
    assert (home.machine.name, jobs_of(home), home.arms[1].left) == ("Mercury", (), (1,))
    from rulewright.systems.silhouette.units.setup import unit_after

    assert unit_after(home)["form"].value == ""


# --- absorption ----------------------------------------------------------------------------------------------------------------------


def beside_a_wreck(end="structure", **wear):
    state = scene(EATER, foe=(5, 5))
    two = state.unit("Two")
    return state.put(replace(two, wear=replace(two.wear, destroyed=end, **wear)))


def test_it_takes_in_so_many_percent_of_its_own_weight_for_an_action_and_only_once_a_round():
    state = scene(EATER)
    before = state.unit("Mercury")
    played = do(state, "absorb the ground")
    after = played.outcome.unit("Mercury")
    assert lines(played)[0].startswith("Mercury absorbs 10,000 kg of the ground")
    assert after.machine.mass == before.machine.mass + 10000
    assert after.machine.size == before.machine.size + size_for(RULES, 30000).value - size_for(RULES, 20000).value
    assert actions_left(RULES, after) == actions_left(RULES, before) - 1
    assert not [key for key in keys(played.outcome) if key.startswith("absorb")]
    assert not [key for key in keys(scene()) if key.startswith("absorb")]


def test_systems_of_a_wreck_work_once_all_of_it_is_inside_if_nothing_has_damaged_them():
    state = beside_a_wreck()
    played = do(state, "absorb Two")
    after = played.outcome.unit("Mercury")
    assert lines(played)[1] == "Mercury has absorbed all of Two and gains gun from Two and sensors"
    assert [after.arm_name(at) for at in range(len(after.arms))] == ["gun", "gun from Two"]
    assert (after.arms[1].left, after.machine.sensors.rating) == ((9,), 1)
    assert played.outcome.unit("Two").wear.destroyed == "absorbed"
    assert "absorb Two" not in keys(script(end_round(RULES, played.outcome)).outcome)
    assert BattleScene(RULES).checked(played.outcome) == played.outcome


def test_a_broken_gun_and_whatever_an_overkill_has_left_are_only_mass():
    state = beside_a_wreck()
    two = state.unit("Two")
    broken = do(state.put(two.with_arm(0, replace(two.arms[0], broken=True))), "absorb Two").outcome
    assert len(broken.unit("Mercury").arms) == 1
    scrap = do(beside_a_wreck("overkill"), "absorb Two")
    assert lines(scrap)[1] == "Mercury has absorbed all of Two"
    assert scrap.outcome.unit("Mercury").machine.sensors is None


def test_a_heavy_wreck_takes_several_rounds():
    state = scene(replace(EATER, absorption=25), foe=(5, 5))
    two = state.unit("Two")
    state = state.put(replace(two, wear=replace(two.wear, destroyed="structure")))
    once = do(state, "absorb Two")
    assert lines(once) == ["Mercury absorbs 5,000 kg of Two and grows to Size 10"]
    again = replace(script(end_round(RULES, once.outcome)).outcome, active="Mercury", turn="red", phase="activation")
    twice = do(again, "absorb Two")
    assert lines(twice)[0].startswith("Mercury absorbs 3,000 kg of Two")
    assert len(twice.outcome.unit("Mercury").arms) == 2


def test_neither_what_fights_nor_what_has_people_in_it_is_taken_in():
    assert "absorb Two" not in keys(scene(EATER, foe=(5, 5)))
    state = scene(EATER, foe=(5, 5))
    assert "absorb Two" not in keys(beside_a_wreck().change("Two", x=6.0))
    left = state.change("Two", signs=replace(state.unit("Two").signs, ejected=True))
    assert "absorb Two" in keys(left)


def test_a_thing_that_lies_about_is_gone_once_it_is_inside():
    state = scene(EATER)
    state = replace(state, scars=replace(state.scars, things=(Thing(name="a crate", spot=(5.0, 5.0), size=3),)))
    after = do(state, "absorb a crate").outcome
    assert after.scars.things == ()


def test_what_it_has_taken_in_outlasts_the_battle():
    over = script(settle(RULES, do(beside_a_wreck(), "absorb Two").outcome)).outcome
    kept = msgspec.json.decode(msgspec.json.encode({field: lasts.value for field, lasts in lasting(over, "Mercury").items()}))
    later = enter(RULES, replace(EATER, condition=kept), "Mercury", "red", state={})
    before = over.unit("Mercury")
    assert (later.machine, later.arms, later.shape.taken) == (before.machine, before.arms, before.shape.taken)


def test_what_it_has_taken_in_goes_along_into_another_shape():
    eater = replace(MERCURY, absorption=50)
    state = scene(eater, foe=(5, 5))
    two = state.unit("Two")
    state = do(state.put(replace(two, wear=replace(two.wear, destroyed="structure"))), "absorb Two").outcome
    one = replace(state.unit("Mercury"), used=0)
    ball = in_form(one, "Ball")
    assert ([ball.arm_name(at) for at in range(len(ball.arms))], ball.machine.mass) == (["gun", "gun from Two"], one.machine.mass)
    home = in_form(ball, "Mercury")
    assert (home.arms, home.machine.systems, home.machine.mass, home.machine.size) == (
        one.arms,
        *[getattr(one.machine, name) for name in ("systems", "mass", "size")],
    )


def test_tactics_take_in_a_wreck_with_a_sound_gun_where_nobody_is_to_be_shot_at():
    state = beside_a_wreck()
    hidden = unit("Three", "blue", (19, 19))
    state = replace(state, units=(*state.units, replace(hidden, signs=replace(hidden.signs, ejected=True))))
    assert chosen(state) == "absorb Two"
    assert chosen(beside_a_wreck("overkill")) != "absorb Two"
    eaten = do(state, "absorb Two").outcome
    assert chosen(eaten) != "absorb Two"


def chosen(state, name="Mercury"):
    """What the tactic that advances does next."""
    about = About(RULES, state, name)
    return BATTLE_TACTICS["advance"](Choice(name, "what next", options_of(RULES, state, state.unit(name)), about, "act"))


def test_tactics_draw_together_what_is_stretched_and_has_nobody_to_shoot_at():
    far = scene(foe=(20, 20), stretched=4, along=3)
    hidden = far.change("Two", signs=replace(far.unit("Two").signs, ejected=True))
    assert chosen(hidden) == "draw together"


def test_tactics_do_not_evade_with_a_broken_gun_that_takes_shape_anew():
    state = scene()
    one = state.unit("Mercury")
    state = state.put(one.with_arm(0, replace(one.arms[0], broken=True)))
    options = (Option("as usual", "as usual", None), Option("evade", "evade", None))

    def declared(state):
        return BATTLE_TACTICS["advance"](Choice("Mercury", "what", options, About(RULES, state, "Mercury"), "declare"))

    assert declared(state) == "as usual"
    plain = scene(replace(MERCURY, transformation="free"))
    one = plain.unit("Mercury")
    assert declared(plain.put(one.with_arm(0, replace(one.arms[0], broken=True)))) == "evade"


def test_a_line_of_hexes_is_what_it_lies_over():
    for side in range(6):
        spots = footprint(scene(stretched=4, along=side).unit("Mercury"))
        assert all(hexes.neighbour((int(one[0]), int(one[1])), side) == other for one, other in pairwise(spots))


def test_what_a_system_has_laid_goes_on_from_another_form_that_has_it_and_is_dead_where_none_has():
    mortar, snare = Device("mortar", damage=9, range=2), Device("snare", damage=9, range=2)
    other = replace(BALL, systems=(snare, GUN))
    design = replace(MERCURY, transformation="free", systems=(GUN, mortar, snare), forms=(other,))
    state = scene(design)
    fuses = tuple([Fuse(by="Mercury", arm=arm, weapon=name, spot=(9.0, 9.0), rounds=2) for arm, name in ((0, "gun"), (1, "mortar"))])
    two = state.unit("Two")
    dragged = replace(two, signs=replace(two.signs, hauled=("Mercury", -3, 0), held=4))
    state = replace(state.put(dragged), scars=replace(state.scars, fuses=fuses))
    played = do(state, "change into Ball")
    assert lines(played) == ["Mercury changes into Ball", "Mercury no longer has a mortar: its charges and guided shots are dead"]
    assert [(fuse.weapon, fuse.arm) for fuse in played.outcome.scars.fuses] == [("gun", 1)]
    assert played.outcome.unit("Two").signs.hauled == ("Mercury", -1, 0)
    bare = replace(design, forms=(replace(BALL, systems=()),))
    freed = do(replace(scene(bare).put(dragged), active="Mercury"), "change into Ball")
    assert freed.outcome.unit("Two").signs.hauled is None
    assert "Two is no longer dragged by Mercury" in lines(freed)
