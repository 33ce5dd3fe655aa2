"""Machines that combine into one and come apart again in a battle (book lines 3935-3943)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import script
from rulewright.scenes.scenarios import Placed
from rulewright.systems.silhouette.battle.actions.registry import action_of, options_of
from rulewright.systems.silhouette.battle.aftermath import lasting
from rulewright.systems.silhouette.battle.forms.splitting_machines import can_drop
from rulewright.systems.silhouette.battle.rounds import end_round
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.setup.setup import placed
from rulewright.systems.silhouette.battle.tactics.evaluation import nearest_foes
from rulewright.systems.silhouette.battle.tactics.transform import wise_change
from rulewright.systems.silhouette.gunnery.attacks import shot, struck
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.machines.audit.audit import audit
from rulewright.systems.silhouette.machines.vehicle import Component, Device, Movement
from rulewright.systems.silhouette.units.combined import count_aboard, parted
from rulewright.systems.silhouette.units.crews import actions_left
from rulewright.systems.silhouette.units.units import Rider
from silhouette.battles import RULES, battle, unit, vehicle

BIG = Device("ruin", damage=60, range=5, uses=9)
SMALL = Device("gun", damage=20, range=5, uses=9)
LEGS = Component(name="legs", size=6, armor=10, locations=("movement", "structure"), movement=(Movement("ground", 8),))
BODY = Component(name="body", size=6, armor=12, locations=("crew", "auxiliary"), movement=(Movement("ground", 8),), systems=(SMALL,))
ARMS = Component(name="arms", size=6, armor=8, locations=("fire control", "structure"), movement=(Movement("hover", 12),), passengers=1)
GIANT = vehicle(name="Giant", size=9, armor=20, crew=2, passengers=2, components=(LEGS, BODY, ARMS), systems=(SMALL,))


def scene(state=None, giant=GIANT):
    """A giant, and somebody north of it who faces it."""
    empty = battle(unit("Two", "blue", (5, 2), facing=3, design=vehicle(systems=(BIG, SMALL))))
    member = Placed(name="Giant", side="red", character=giant, at=(5, 5), state={"facing": 0, **(state or {})})
    found = placed(RULES, empty, member, ("blue", "red"))
    return replace(found, commands=battle(unit("Giant"), unit("Two", "blue")).commands, active="Giant", turn="red")


def do(state, name, key, dice=()):
    option = {option.key: option for option in options_of(RULES, state, state.unit(name))}[key]
    return script(action_of(option.value.kind).do(RULES, state, state.unit(name), option.value), dice)


def keys(state, name):
    return [option.key for option in options_of(RULES, state, state.unit(name))]


def lines(played):
    return [event.headline() for event in played.events if event.logged]


def hit(state, margin, arm=1, dice=(), target="Giant"):
    found = shot(RULES, state, state.unit("Two"), state.unit(target), arm)
    return script(struck(RULES, state, found, margin), dice)


NAMES = ["Giant's legs", "Giant's body", "Giant's arms"]


def test_a_combined_machine_is_one_unit_until_it_comes_apart_and_the_first_change_is_free():
    state = scene()
    assert [each.name for each in state.units if each.able] == ["Two", "Giant"]
    assert [card.name for card in BattleScene(RULES).view(state, "Giant").cards] == ["Two", "Giant"]
    before = actions_left(RULES, state.unit("Giant"))
    played = do(state, "Giant", "come apart")
    after = played.outcome
    assert lines(played) == [f"Giant splits into {join(NAMES)}"]
    assert [each.name for each in after.units if each.able] == ["Two", *NAMES]  # who was a passenger has controls again
    assert (after.active, after.waiting, after.command("red").commander) == ("Giant's legs", tuple(NAMES[1:]), "Giant's legs")
    assert actions_left(RULES, after.unit("Giant's legs")) == before - 1  # a crew of one, and nothing paid
    assert [card.name for card in BattleScene(RULES).view(after, "Giant").cards] == ["Two", "Giant", *NAMES]


def test_everybody_aboard_goes_into_the_components_and_back_again():
    whole = scene(giant=replace(GIANT, crew=3)).unit("Giant")
    hurt = replace(whole, crew=replace(whole.crew, lost=1))
    emptied, parts = parted(hurt, [each for each in scene().units if each.part is not None])
    assert [(each.crew.hands, each.crew.passengers) for each in parts] == [(1, 0), (1, 0), (1, 1)]
    assert (emptied.crew.hands, emptied.crew.lost, emptied.crew.able) == (1, 1, 0)
    state = scene(giant=replace(GIANT, crew=3))
    apart = do(state, "Giant", "come apart").outcome
    again = do(apart, "Giant's legs", "combine into Giant")
    assert lines(again) == [f"Giant combines from {', '.join(NAMES)}"]
    assert again.outcome.unit("Giant").crew == state.unit("Giant").crew
    assert again.outcome.active == "Giant"
    assert again.outcome.command("red").commander == "Giant"
    assert actions_left(RULES, again.outcome.unit("Giant")) == actions_left(RULES, state.unit("Giant")) - 1  # the second change of a turn
    assert not any(again.outcome.unit(name).able for name in NAMES)
    later = script(end_round(RULES, again.outcome)).outcome
    assert later.unit("Giant").transformed == 0


def test_components_combine_only_side_by_side_all_of_them_able_and_with_a_seat_for_everybody():
    apart = do(scene(giant=replace(GIANT, crew=3)), "Giant", "come apart").outcome
    assert "combine into Giant" in keys(apart, "Giant's body")
    assert "combine into Giant" not in keys(apart.change("Giant's legs", x=9.0), "Giant's body")
    arms = apart.unit("Giant's arms")
    broken = apart.put(replace(arms, wear=replace(arms.wear, destroyed="structure")))
    assert "combine into Giant" not in keys(broken, "Giant's body")
    named = tuple([Rider(name=f"Rider {at}", body=Patient(name=f"Rider {at}")) for at in range(9)])
    crowded = apart.put(replace(arms, riders=named))
    assert count_aboard([crowded.unit(name) for name in NAMES]) > 5
    assert "combine into Giant" not in keys(crowded, "Giant's body")  # nobody with a name is left behind


@pytest.mark.parametrize(
    ("margin", "dice", "name", "lost"),
    [
        (1, [(4,)], "Giant's legs", 1),
        (2, [(4,)], "Giant's legs", 2),
        (1, [(2,), (2,), (1,)], "Giant's arms", 1),
        (1, [(2,), (1,), (1,)], "Giant's legs", 1),
    ],
)
def test_a_hit_on_a_location_costs_a_component_of_it_armor_drawn_by_a_die_where_there_are_several(margin, dice, name, lost):
    """Movement (4) is the legs' alone; structure (2) is of legs and arms, and a die of two sides says whose."""
    state = scene()
    played = hit(state, margin, dice=dice)
    assert {each: played.outcome.unit(each).wear.armor for each in NAMES} == {each: lost if each == name else 0 for each in NAMES}
    assert f"Giant: its {name.removeprefix(chr(71) + 'iant' + chr(39) + 's ')} loses {lost} Armor" in lines(played)
    assert played.outcome.unit("Giant").wear.armor == lost


def test_an_overkill_breaks_it_into_its_components_and_nobody_is_lost():
    state = scene(giant=replace(GIANT, crew=3))
    played = hit(state, 1, arm=0)
    after = played.outcome
    assert lines(played)[1:] == ["Giant breaks apart into its components", f"Giant splits into {join(NAMES)}"]
    assert all(after.unit(name).able for name in NAMES)
    assert after.unit("Giant").split
    assert [after.unit(name).wear.armor for name in NAMES] == [0, 0, 0]
    assert "combine into Giant" not in keys(after, "Giant's legs")  # what was broken apart is repaired first
    assert not BattleScene(RULES).out(after) & {"Giant", *NAMES}


def test_a_scenario_may_begin_with_it_split_and_a_file_that_an_overkill_was_left_in_does():
    apart = scene({"split": True}, replace(GIANT, crew=3))
    assert [each.name for each in apart.units if each.able] == ["Two", *NAMES]
    with pytest.raises(UserError, match="split: it has no components"):
        placed(RULES, apart, Placed(name="Plain", side="red", character=vehicle(), at=(9, 9), state={"split": True}), ("blue", "red"))
    broken = hit(scene(giant=replace(GIANT, crew=3)), 1, arm=0).outcome
    dented = broken.change("Giant's legs", wear=replace(broken.unit("Giant's legs").wear, armor=4))
    kept = {field: lasts.value for field, lasts in lasting(dented, "Giant").items()}
    assert (kept["components.legs.wear.armor"], kept["wear.destroyed"], kept["crew.lost"]) == (4, "overkill", 0)
    again = scene(giant=replace(GIANT, crew=3, condition=kept))
    assert [each.name for each in again.units if each.able] == ["Two", *NAMES]
    assert again.unit("Giant's legs").wear.armor == 4


def test_what_blows_up_takes_its_components_along():
    state = scene()
    giant = state.unit("Giant")
    gone = hit(state.put(replace(giant, wear=replace(giant.wear, armor=0))), 1, dice=[(1,), (6,), (1,), (1,), (6,), (6,)])
    assert gone.outcome.unit("Giant").wear.destroyed == "ammunition"
    assert [gone.outcome.unit(name).wear.destroyed for name in NAMES] == ["ammunition"] * 3


# --- people without a seat: dropped off before combining (book line 3943) ----------------------------------------------------------

CROWD = replace(GIANT, crew=1, passengers=1, components=(replace(LEGS, crew=2), BODY, ARMS))
"""Seats for two when it is one machine, and a crew of four when it is three."""


def pieces(**changes):
    return scene({"split": True}, replace(CROWD, **changes))


def people(state, *names):
    return count_aboard([state.unit(name) for name in names])


def test_who_finds_no_seat_is_dropped_off_and_that_is_told():
    state = pieces()
    assert people(state, *NAMES) == 4
    state = replace(state, active="Giant's legs")
    option = {option.key: option for option in options_of(RULES, state, state.unit("Giant's legs"))}["combine into Giant"]
    assert option.label == "Combine into Giant; 2 of the crew stay behind on foot for lack of a seat"
    played = do(state, "Giant's legs", "combine into Giant")
    assert lines(played) == [f"Giant combines from {', '.join(NAMES)}", "Giant has no seat for 2 of the crew, who stay behind on foot"]
    told = next(event for event in played.events if "no seat" in event.headline()).reasons()[0]
    assert ([term.value for term in told.terms[:2]], told.value) == ([4, 2], 2)
    giant = played.outcome.unit("Giant")
    assert (giant.crew.hands, giant.crew.passengers, giant.crew.lost) == (1, 1, 0)
    assert [(each.hands, each.x, each.y) for each in giant.ashore] == [(2, *state.unit("Giant's legs").spot)]
    card = next(card for card in BattleScene(RULES).view(played.outcome, "Giant").cards if card.name == "Giant")
    assert "2 of the crew left behind on foot" in [piece.name for piece in card.pieces]


def test_they_go_aboard_again_where_it_comes_apart_beside_them_and_nowhere_else():
    state = pieces()
    joined = do(replace(state, active="Giant's legs"), "Giant's legs", "combine into Giant").outcome
    again = do(joined, "Giant", "come apart")
    assert lines(again) == [f"Giant splits into {join(NAMES)}; 2 of the crew left behind reboard"]
    assert people(again.outcome, *NAMES) == 4
    assert not again.outcome.unit("Giant").ashore
    far = do(joined.change("Giant", x=9.0, y=9.0), "Giant", "come apart")
    assert lines(far) == [f"Giant splits into {join(NAMES)}"]
    assert people(far.outcome, *NAMES) == 2
    assert far.outcome.unit("Giant").ashore == joined.unit("Giant").ashore
    broken = hit(joined, 1, arm=0)
    assert people(broken.outcome, *NAMES) == 4


def test_nobody_is_dropped_off_into_water_or_where_there_is_no_air():
    state = replace(pieces(), active="Giant's legs")
    assert "combine into Giant" in keys(state, "Giant's legs")
    assert "combine into Giant" not in keys(replace(state, place=replace(state.place, atmosphere=0.0)), "Giant's legs")
    wet = replace(state, map=replace(state.map, terrain="water"))
    assert [can_drop(RULES, each, each.unit("Giant's legs")) for each in (state, wet)] == [True, False]
    roomy = replace(scene({"split": True}, replace(CROWD, passengers=3)), active="Giant's legs")
    assert "combine into Giant" in keys(replace(roomy, place=replace(roomy.place, atmosphere=0.0)), "Giant's legs")


def test_a_file_whose_components_have_more_crew_than_the_whole_has_seats_is_told_and_not_refused():
    found = [problem for problem in audit(RULES, CROWD).problems if problem.field == "passengers"]
    assert [(problem.warning, problem.over) for problem in found] == [(True, 2)]
    assert people(scene({"split": True, "crew": 0}, CROWD), *NAMES) == 1  # whoever says how many there are is taken at their word


def wise(state, name="Giant"):
    one = state.unit(name)
    return wise_change(RULES, state, one, nearest_foes(RULES, state, one), options_of(RULES, state, one))


def test_tactics_come_apart_where_the_hardest_weapon_is_gone_or_nothing_moves_and_never_while_it_is_sound():
    whole = scene()
    giant = whole.unit("Giant")
    assert wise(whole) is None
    assert wise(whole.put(giant.with_arm(0, replace(giant.arms[0], broken=True)))) == "come apart"
    assert wise(whole.put(giant.with_arm(0, replace(giant.arms[0], left=(0,))))) == "come apart"
    assert wise(whole.put(giant.with_arm(0, replace(giant.arms[0], accuracy=1)))) is None
    gunless = replace(GIANT, components=(LEGS, replace(BODY, systems=()), ARMS))
    bare = scene(giant=gunless)
    giant = bare.unit("Giant")
    assert wise(bare.put(giant.with_arm(0, replace(giant.arms[0], broken=True)))) is None  # none of them could do any better
    lame = scene()
    giant = lame.unit("Giant")
    turned = replace(giant, facing=3, wear=replace(giant.wear, failed=("walker",)))
    assert wise(lame.put(turned)) == "come apart"


def test_tactics_do_not_join_again_what_they_have_taken_apart_for_good_reason():
    state = scene()
    giant = state.unit("Giant")
    apart = do(state.put(giant.with_arm(0, replace(giant.arms[0], broken=True))), "Giant", "come apart").outcome
    later = replace(script(end_round(RULES, apart)).outcome, active="Giant's body", turn="red", phase="activation")
    assert "combine into Giant" in keys(later, "Giant's body")
    assert wise(later, "Giant's body") is None
