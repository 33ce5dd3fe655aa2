"""Large machines in a battle: a hull, its sections, and what becomes of each (book lines 3794-3836)."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.play import script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.aftermath import lasting
from rulewright.systems.silhouette.battle.damage.consequences import water_rises
from rulewright.systems.silhouette.battle.damage.section_loss import come_apart
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.setup.setup import placed
from rulewright.systems.silhouette.breakage.systems import Blow, systems_damage
from rulewright.systems.silhouette.gunnery.attacks import attack_pool, defense_pool, maneuver_of, pace_now, shot, struck
from rulewright.systems.silhouette.machines.vehicle import Body, Device, Movement
from rulewright.systems.silhouette.maneuver.speeds import combat_speed, top_speed
from rulewright.systems.silhouette.units.crews import actions_left
from silhouette.battles import RULES, battle, unit, vehicle

GUN = Device("long gun", damage=12, range=5, uses=30, arc="turret")
BIG = Device("ruin", damage=110, range=5, uses=9)
TURRET = Body(name="turret", size=12, armor=24, maneuver=-5, crew=4, systems=(GUN,))
DRIVE = Body(name="drive", size=20, armor=24, maneuver=-5, crew=2, motive=True, movement=(Movement("ground", 8),))
FORT = vehicle(
    name="Fort", size=28, armor=40, maneuver=-5, crew=4, movement=(Movement("ground", 8),), sections=(TURRET, DRIVE), systems=(GUN,)
)


def scene(fort=FORT, armed=vehicle(systems=(BIG, GUN)), state=None, **foe):  # noqa: B008  # frozen
    """A fort with two sections, and somebody north of it who faces it."""
    empty = battle(unit("Two", "blue", (5, 2), facing=3, design=armed, **foe))
    member = Placed(name="Fort", side="red", character=fort, at=(5, 5), state={"facing": 0, **(state or {})})
    found = placed(RULES, empty, member, ("blue", "red"))
    commands = battle(unit("Fort"), unit("Two", "blue")).commands
    return replace(found, commands=commands)


def lines(played):
    return [event.headline() for event in played.events if event.logged]


def hit(state, target, margin=1, arm=0, dice=()):
    found = shot(RULES, state, state.unit("Two"), state.unit(target), arm)
    return script(struck(RULES, state, found, margin), dice)


def test_every_section_is_a_unit_with_its_own_armor_crew_systems_and_actions():
    state = scene()
    assert [each.name for each in state.units] == ["Two", "Fort", "Fort's turret", "Fort's drive"]
    turret = state.unit("Fort's turret")
    assert (turret.machine.armor, turret.crew.hands, [turret.arm_name(at) for at in range(len(turret.arms))]) == (24, 4, ["long gun"])
    assert [actions_left(RULES, state.unit(name)) for name in ("Fort", "Fort's turret", "Fort's drive")] == [4, 4, 3]
    offered = {option.value.kind for option in options_of(RULES, state, turret)}
    assert offered == {"fire", "cross", "done"}
    targets = {option.target for option in options_of(RULES, state, state.unit("Two")) if option.value.kind == "fire"}
    assert targets == {"Fort", "Fort's turret", "Fort's drive"}


def test_sections_go_where_the_hull_goes_at_its_speed_and_take_no_room_of_their_own():
    state = scene()
    moved = state.change("Fort", x=7.0, y=9.0, facing=2, hexes=3, moved=True, pace="combat", speed="combat")
    for name in ("Fort's turret", "Fort's drive"):
        assert (moved.unit(name).spot, moved.unit(name).facing) == ((7.0, 9.0), 2)
        assert pace_now(moved, moved.unit(name)) == "combat"
    assert not [option for option in options_of(RULES, moved, moved.unit("Fort's turret")) if option.value.kind == "move"]


def test_a_section_defends_with_the_hulls_maneuver_and_movement_and_its_pilot():
    state = scene().change("Fort", hexes=4, moved=True)
    pools = [defense_pool(RULES, state, shot(RULES, state, state.unit("Two"), state.unit(name), 1)) for name in ("Fort", "Fort's turret")]
    assert pools[0] == pools[1]
    hurt = state.change("Fort", wear=replace(state.unit("Fort").wear, maneuver=2))
    worse = defense_pool(RULES, hurt, shot(RULES, hurt, hurt.unit("Two"), hurt.unit("Fort's turret"), 1))
    assert worse.modifier == pools[1].modifier - 2


def test_a_turret_of_overkill_72_that_takes_110_passes_38_on_to_the_hull():
    """The book's own figures (line 3834): 24 Armor is an Overkill of 72; 110 less 72 is 38, which a hull of 40 Armor shrugs off."""
    state = scene()
    played = hit(state, "Fort's turret", dice=[(1,), (1,), (6,), (2,)])
    assert played.outcome.unit("Fort's turret").wear.destroyed == "overkill"
    assert played.outcome.unit("Fort").wear == state.unit("Fort").wear
    rest = next(event for event in played.events if "the rest of the hit" in event.headline())
    assert rest.headline() == "Fort takes the rest of the hit: no effect"
    assert rest.reasons()[0].value == 38


def test_what_is_left_of_an_overkill_is_a_fresh_hit_on_the_hull():
    thin = replace(FORT, armor=19)
    played = hit(scene(thin), "Fort's turret", dice=[(1,), (1,), (1,), (1,), (4,)])
    hull = played.outcome.unit("Fort")
    assert hull.wear.armor == 2  # 38 is twice 19: Heavy Damage
    assert "Fort takes the rest of the hit: heavy damage" in lines(played)


def test_crew_casualties_and_lost_systems_are_those_of_the_section_alone():
    state = scene()
    played = hit(state, "Fort's turret", margin=4, arm=1, dice=[(4,)])
    assert "Fort's turret attacks" not in str(lines(played))
    after = played.outcome
    assert after.unit("Fort's turret").wear.armor == 2
    assert after.unit("Fort").crew == state.unit("Fort").crew
    assert after.unit("Fort").wear == state.unit("Fort").wear


def test_a_section_ignores_hits_on_maneuver_and_movement_and_loses_only_the_armor_of_the_hit():
    turret = scene().unit("Fort's turret")
    for die, heavy in ((4, False), (4, True)):
        played = script(systems_damage(RULES, turret, Blow(heavy=heavy, by="Two", to="Fort")), [(die,)])
        assert played.outcome == turret
        assert lines(played) == ["Fort's turret is hit: movement", "Fort's turret has no drive of its own: the hit only costs Armor"]
    state = scene(armed=vehicle(systems=(replace(GUN, damage=24),)))
    hurt = hit(state, "Fort's turret", dice=[(4,)]).outcome.unit("Fort's turret")
    assert (hurt.wear.armor, hurt.wear.maneuver, hurt.wear.slowed) == (1, 0, ())


def test_the_hull_overkilled_breaks_up_and_each_section_has_power_for_its_size_in_rounds():
    state = scene()
    played = hit(state, "Fort", margin=2, dice=[(1,)] * 4)
    broken = played.outcome
    assert "Fort breaks up" in lines(played)
    assert "Fort's turret is on its own, with power for 12 rounds" in lines(played)
    assert not broken.unit("Fort").able
    turret = broken.unit("Fort's turret")
    assert turret.able
    assert turret.part.power == 12
    assert "fire" in {option.value.kind for option in options_of(RULES, broken, turret)}
    fading = broken.put(replace(turret, part=replace(turret.part, power=1)))
    dark = script(end_round(RULES, fading))
    assert "Fort's turret has no power left" in lines(dark)
    assert not dark.outcome.unit("Fort's turret").able
    assert dark.outcome.unit("Fort's drive").part.power == 19


def test_a_lost_drive_is_drawn_along_and_the_speed_falls_by_the_rules_of_towing():
    state = scene()
    fort = state.unit("Fort")
    assert (combat_speed(fort), top_speed(fort)) == (4, 8)
    light = replace(FORT, mass=300_000)
    slow = scene(light)
    dead = slow.change("Fort's drive", wear=replace(slow.unit("Fort's drive").wear, destroyed="overkill"))
    played = script(come_apart(RULES, dead))
    hull = played.outcome.unit("Fort")
    load = 52_735 + 232_609
    assert 0.75 < load / 300_000 < 1
    assert (combat_speed(hull), top_speed(hull)) == (2, 2)
    assert lines(played) == [f"Fort drags {load:,} kg with 300,000 kg of driving sections: Combat Speed 2, Top Speed 2"]
    gone = script(come_apart(RULES, dead)).outcome
    assert combat_speed(gone.unit("Fort")) == 2


def test_as_many_of_the_crew_as_the_smaller_section_has_size_change_places_and_wait_a_round():
    crowded = replace(FORT, crew=40)
    state = scene(crowded)
    options = {option.key: option for option in options_of(RULES, state, state.unit("Fort"))}
    deed = options["crew to Fort's turret"].value
    assert deed.number == 12
    before = actions_left(RULES, state.unit("Fort's turret"))
    played = script(action_of("cross").do(RULES, state, state.unit("Fort"), deed), choices=[12])
    there = played.outcome.unit("Fort's turret")
    assert (there.crew.hands, there.crew.able, actions_left(RULES, there)) == (16, 4, before)
    assert played.outcome.unit("Fort").crew.hands == 28
    assert "crew to Fort's turret" not in [option.key for option in options_of(RULES, played.outcome, played.outcome.unit("Fort"))]
    later = script(end_round(RULES, played.outcome)).outcome.unit("Fort's turret")
    assert actions_left(RULES, later) == 2 + 4


def test_damage_to_sections_outlasts_the_battle_in_the_file_of_the_machine():
    state = scene()
    turret = state.unit("Fort's turret")
    hurt = state.put(replace(turret, wear=replace(turret.wear, armor=3), crew=replace(turret.crew, lost=1)))
    kept = {field: lasts.value for field, lasts in lasting(hurt, "Fort").items()}
    assert (kept["sections.turret.wear.armor"], kept["sections.turret.crew.lost"], kept["wear.armor"]) == (3, 1, 0)
    again = scene(replace(FORT, condition=kept))
    assert again.unit("Fort's turret").wear.armor == 3
    assert again.unit("Fort's turret").crew.lost == 1


def test_sections_attack_at_the_hulls_speed():
    state = scene().change("Fort", pace="half", moved=True, hexes=2, spent=2)
    found = shot(RULES, state, state.unit("Fort's turret"), state.unit("Two"), 0)
    assert "half speed" in str(attack_pool(RULES, state, found).mods)
    standing = scene().change("Fort", pace="stationary")
    aimed = shot(RULES, standing, standing.unit("Fort's turret"), standing.unit("Two"), 0)
    assert "standing still" in str(attack_pool(RULES, standing, aimed).mods)


def test_flooding_of_a_section_weighs_on_the_maneuver_of_the_whole():
    state = scene()
    turret = state.unit("Fort's turret")
    wet = state.put(replace(turret, signs=replace(turret.signs, floods=(3,))))
    assert maneuver_of(wet, wet.unit("Fort")).value == maneuver_of(state, state.unit("Fort")).value - 1


def test_a_body_is_flooded_once_however_many_leaks_and_the_last_of_them_sinks_the_whole():
    """Line 5081."""
    state, told = scene(), []
    for name, floods in (("Fort's turret", (1, 1)), ("Fort", (1,)), ("Fort's turret", (1,)), ("Fort's drive", (1,))):
        part = state.unit(name)
        played = script(water_rises(RULES, state.put(replace(part, signs=replace(part.signs, floods=floods)))))
        state, told = played.outcome, told + lines(played)
    assert told == [
        "Fort's turret is flooded; 2 sections are still dry",
        "Fort is flooded; 1 section is still dry",
        "Fort's turret is flooded; 1 section is still dry",
        "Fort is flooded and sinks",
    ]
    assert [each.name for each in state.units if each.wear.destroyed == "sunk"] == ["Fort", "Fort's turret", "Fort's drive"]


def test_a_whole_is_one_counter_on_the_map_and_every_body_has_its_card():
    state = scene()
    view = BattleScene(RULES).view(state, "Fort")
    assert [card.name for card in view.cards if card.side == "red"] == ["Fort", "Fort's turret", "Fort's drive"]
    assert [place.name for place in view.places] == ["Two", "Fort"]


def test_what_is_said_of_a_section_that_is_not_there_is_refused():
    with pytest.raises(UserError, match=r"state has no field 'sections.tower.wear.armor'"):
        scene(state={"sections.tower.wear.armor": 1})
    with pytest.raises(UserError, match="set facing on the whole machine"):
        scene(state={"sections.turret.facing": 1})


def test_the_ready_made_cruiser_enters_with_its_sections():
    cruiser = library.take("silhouette/vehicles/cathedral-cruiser", "vehicle").thing
    found = placed(RULES, scene(), Placed(name="Nave", side="red", character=cruiser, at=(12, 12), state={}), ("blue", "red"))
    assert {each.name for each in found.units if each.section and each.part.of == "Nave"} == {
        "Nave's fore turret",
        "Nave's aft turret",
        "Nave's drive block",
    }
