"""AI tactics differ, keep to roads, use cover, answer a retreat, and never attack without a chance."""

from itertools import combinations

import pytest
from conformance.games import demos, staged, taken
from msgspec.structs import replace

from rulewright.field.ground import Region
from rulewright.play import Choice, Player, Seeded
from rulewright.system import find
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.actions.registry import offered
from rulewright.systems.silhouette.battle.scene import BattleScene
from rulewright.systems.silhouette.battle.tactics.evaluation import blow_worth, promise
from rulewright.systems.silhouette.battle.tactics.tactics import BATTLE_TACTICS
from rulewright.systems.silhouette.machines.vehicle import Device, Fitted, Movement
from rulewright.systems.silhouette.units.state import Objective, Place

from ..battles import COMMS, RULES, battle, by, hexes, unit, vehicle

SCENARIOS = [name for name in demos("scenario") if taken(name).system.id == "silhouette" and taken(name).thing.scene == "battle"]
TRUCK = vehicle(movement=(Movement("ground", 12),), systems=())
WOODS = Region(terrain="woodland", box=(4, 4, 3, 3))


def states(scene, state, decide, seed, most=400):
    """Every state of a battle, and the lines told."""
    player, seen = Player(Seeded(seed), decide), [state]
    while scene.result(state) is None and len(seen) < most:
        state = player.run(scene.step(state))
        seen.append(state)
    return seen, [event.headline() for event in player.events]


def decide(tactic, rules, scene, name):
    """The option that a tactic takes in a unit's turn."""
    offer = offered(rules, scene, name)
    return BATTLE_TACTICS[tactic](Choice(name, "", offer.all, About(rules, scene, name), "act"))


def test_different_tactics_do_different_things():
    found = staged("silhouette/scenarios/convoy")
    told = {tactic: states(found.scene, found.state, decide, 3)[1] for tactic, decide in BATTLE_TACTICS.items()}
    assert [pair for pair in combinations(told, 2) if told[pair[0]] == told[pair[1]]] == []


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_truck_that_makes_for_an_edge_keeps_to_the_road(seed):
    ground = hexes(Region(terrain="road", along=((1, 6), (20, 6))))
    place = Place(objectives=(Objective(side="red", units=1, edge="east"),))
    scene = battle(unit("One", at=(2, 6), facing=1, design=TRUCK), unit("Two", "blue", (19, 1), facing=4), ground=ground, place=place)
    tactics = {"One": BATTLE_TACTICS["escape"], "Two": BATTLE_TACTICS["hold"]}
    begun = replace(scene, phase="declaration")
    seen, _ = states(BattleScene(RULES), begun, lambda choice: tactics[choice.who](choice), seed)
    spots = [state.unit("One").spot for state in seen if not state.unit("One").gone]
    assert {state.field.terrain(state.unit("One").spot) for state in seen} == {"road"}
    assert spots[-1][0] > 2


def test_an_unarmed_machine_keeps_away_from_enemies():
    scene = battle(unit("One", at=(10, 10), design=TRUCK), unit("Two", "blue", (10, 15)))
    key = decide("advance", RULES, scene, "One")
    option = offered(RULES, scene, "One").take(key)
    assert option is not None
    assert scene.field.distance(option.value.spot, (10.0, 15.0)) > 5


@pytest.mark.parametrize("tactic", ["hold", "snipe"])
def test_a_machine_goes_hull_down_where_that_pays_and_stays_there(tactic):
    """The cover costs nothing but Movement Points, and an enemy has it in range."""
    rules = by(hull_down=True)
    guns = vehicle(systems=(Device("gun", damage=10, range=6, uses=10),))
    foe = unit("Two", "blue", (5, 13), level=4, design=guns)
    scene = battle(unit("One", at=(5, 5), facing=3, design=guns), foe, ground=hexes(WOODS))
    key = decide(tactic, rules, scene, "One")
    assert str(key).startswith("hull-down")
    down = scene.change("One", signs=replace(scene.unit("One").signs, hull_down=1, prone=True))
    assert decide(tactic, rules, down, "One") != "get up"


def test_a_machine_searches_before_it_moves_while_it_can_still_fire():
    seeing = vehicle(perks=(COMMS, Fitted("sensors", 1, variant="standard", amount=2)))
    jungle = hexes(Region(terrain="jungle", box=(1, 1, 20, 20)))
    far = battle(unit("One", at=(2, 2), design=seeing), unit("Two", "blue", (19, 19)), ground=jungle, quiet=1)
    assert decide("advance", RULES, far.change("One", extra=1), "One") == "sweep"
    assert decide("advance", RULES, far.change("One", used=1), "One") != "sweep"


@pytest.mark.parametrize(("lost", "goes"), [(0, False), (7, False), (8, True)])
def test_a_beaten_machine_withdraws_if_it_can(lost, goes):
    scene = find("silhouette").staging("battle").scene(RULES)
    state = replace(battle(unit("One"), unit("Two", "blue", (15, 15))), ends="by morale")
    state = state.change("One", wear=replace(state.unit("One").wear, armor=lost))
    assert scene.shaken(state, state.unit("One")) == goes
    assert BATTLE_TACTICS["advance"](scene.question_of_resolve(state, state.unit("One"))) == "withdraw"


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_tactic_attacks_without_a_chance_or_shuttles(name):
    """Nobody goes to and fro between two places for more than two rounds, and every attack may do damage."""
    found, hopeless = staged(name), []

    def watch(choice):
        key = found.decide(choice)
        about = choice.about
        if choice.topic == "act" and isinstance(about, About):
            option = offered(about.rules, about.battle, about.unit).take(key)
            deed, own = (option.value if option is not None else None), about.battle.unit(about.unit)
            if deed is not None and deed.kind in ("strike", "indirect"):
                hopeless.extend([key] if not blow_worth(about.rules, about.battle, own, deed) else [])
            elif deed is not None and deed.kind == "fire":
                worth = promise(about.rules, about.battle, own, about.battle.unit(deed.target), deed.arm, own=deed.number)
                hopeless.extend([key] if not worth else [])
        return key

    seen, _ = states(found.scene, found.state, watch, 2)
    assert hopeless == []
    places: dict[str, list] = {}
    for state in {state.round: state for state in seen}.values():
        for each in state.units:
            places.setdefault(each.name, []).append(each.spot)
    for spots in places.values():
        back = [later == first != between for first, between, later in zip(spots, spots[1:], spots[2:], strict=False)]
        assert not any(all(back[at : at + 3]) for at in range(len(back) - 2))
