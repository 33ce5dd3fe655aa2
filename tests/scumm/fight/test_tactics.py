"""The named tactics: what each is for, and that all of them see every fight to its end."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.play import Choice, Option, Player, Range, Seeded
from rulewright.scenes.scene import run
from rulewright.systems.scumm.combat.attack_setup import Situation
from rulewright.systems.scumm.combat.close_combat import Resister
from rulewright.systems.scumm.combat.fighters import CoverSpot, Surroundings, UnderWay
from rulewright.systems.scumm.fight.actions.registry import action_options
from rulewright.systems.scumm.fight.moves import move_options
from rulewright.systems.scumm.fight.tactics import TACTICS

from ..fights import RULES, fight_of, someone

SCENARIOS = ["duel", "brawl", "shootout", "ambush"]


def acts(tactic, fight, name="Ann"):
    options = action_options(RULES, fight, fight.fighter(name), UnderWay(name, 1))
    return TACTICS[tactic](Choice(name, "What do you do?", options, Situation(fight, name, RULES), "act"))


def goes(tactic, fight, name="Ann"):
    options = move_options(fight, fight.fighter(name))
    return TACTICS[tactic](Choice(name, "Where do you go?", options, Situation(fight, name, RULES), "move"))


def answers(tactic, topic, options, about):
    return TACTICS[tactic](Choice("Ann", "?", options, about, topic))


NOWHERE = Surroundings()


def gun(metres=5.0, gun_name="9mm smg", ground=NOWHERE, **state):
    ann = someone("Ann", guns=(gun_name,), pistols=3, brawl=2, state=state)
    return fight_of(ann, someone("Bob", (metres, 0)), someone("Cyd", (metres + 5, 0), side="Bob"), ground=ground)


def test_the_first_is_what_anybody_does_who_was_given_none():
    assert next(iter(TACTICS)) == "shooter"


def test_every_tactic_says_what_it_is():
    assert all(tactic.__doc__ for tactic in TACTICS.values())


def test_the_shooter_shoots_the_nearest_clears_and_reloads():
    assert acts("shooter", gun()) == "shoot:Bob"
    assert acts("shooter", gun(jammed=(False, True))) == "clear"
    assert acts("shooter", gun(ammo=(0, 0))) == "reload"
    assert goes("shooter", gun()) == "stay"
    assert goes("shooter", gun(60.0)) == "run to Bob"


CRATES = Surroundings(covers=(CoverSpot("the crates", 2, 1), CoverSpot("the truck", 0, 12)))


def duel_of_guns(ground=NOWHERE, foe_gun=("9mm pistol",), metres=8.0, **state):
    ann = someone("Ann", guns=("9mm pistol",), pistols=3, brawl=2, state=state)
    return fight_of(ann, someone("Bob", (metres, 0), guns=foe_gun), ground=ground)


@pytest.mark.parametrize("tactic", ["shooter", "automatic", "marksman", "careful"])
def test_those_who_shoot_use_cover_at_hand(tactic):
    assert goes(tactic, duel_of_guns(CRATES)) == "walk to the crates"
    assert goes(tactic, duel_of_guns(CRATES, cover="light cover")) == "stay"
    far = Surroundings(covers=CRATES.covers[1:])
    assert goes(tactic, duel_of_guns(far)) == ("run to the truck" if tactic == "careful" else "stay")


def test_nobody_waits_behind_cover_for_an_enemy_out_of_range():
    assert goes("careful", duel_of_guns(CRATES, metres=90.0, cover="light cover")) == "run to Bob"


def test_confusion_is_no_reason_to_lie_down_before_fists():
    options = (Option("duck", "Duck", "duck"), Option("nothing", "Do nothing", "nothing"))

    def confused(fight):
        return answers("shooter", "confused", options, Situation(fight, "Ann", RULES))

    assert confused(duel_of_guns()) == "duck"
    assert confused(duel_of_guns(foe_gun=())) == "nothing"
    assert confused(duel_of_guns(metres=1.0)) == "nothing"
    assert confused(duel_of_guns(mode="prone")) == "nothing"


def test_the_better_guard_is_taken_by_what_it_rolls():
    options = tuple(Option(key, key, key) for key in ("defense", "parry", "block"))

    def guard(**levels):
        return answers("shooter", "guard", options, Situation(fight_of(someone("Ann", **levels), someone("Bob", (1, 0))), "Ann", RULES))

    assert guard(alertness=3) == "defense"  # four dice against an unskilled roll
    assert guard(body=2, brawl=3) == "block"
    assert guard(body=3, brawl=1) == "block"  # one die and Body 3 beat four dice
    assert guard(body=3) == "defense"  # but not without the skill


def test_a_draw_does_not_loosen_a_wrestlers_hold():
    options = tuple(Option(key, key, key) for key in ("move", "release", "hold"))
    fight = duel_of_guns()
    assert answers("wrestler", "hold", options, Situation(fight, "Ann", RULES)) == "hold"
    assert answers("shooter", "hold", options, Situation(fight, "Ann", RULES)) == "release"


def test_nobody_suppresses_the_ground_of_a_comrade():
    ann, bob = someone("Ann", side="a", guns=("9mm smg",), pistols=3), someone("Bob", (9, 0), side="b", guns=("9mm pistol",))
    assert acts("suppressor", fight_of(ann, bob)).startswith("suppress")
    assert acts("suppressor", fight_of(ann, bob, someone("Cy", (8, 0), side="a"))).startswith("shoot")


def test_a_dropped_weapon_is_picked_up():
    assert acts("shooter", gun(1.5, in_hand=0, gone=("", "dropped"))) == "pick up:9mm smg"


def test_the_duellist_ends_every_turn_with_a_full_magazine_and_never_ducks():
    assert acts("duellist", gun()) == "after reload"
    assert acts("duellist", gun(ammo=(0, 4))) == "after reload"
    assert acts("duellist", gun(jammed=(False, True))) == "clear"
    assert answers("duellist", "confused", (Option("duck", "", "duck"), Option("nothing", "", "nothing")), None) == "nothing"
    staged = library.stage("scumm/duel")
    state = staged.state
    player = Player(Seeded(3), staged.decide)
    for _ in range(6):
        state = player.run(staged.scene.step(state))
        if state.turn is None:
            assert all(f.ammo[-1] == f.weapon.ammo for f in state.fighters if f.body.able)


def test_the_marksman_aims_first_unless_the_other_could_shoot_back():
    assert acts("marksman", gun()) == "aim:Bob"
    armed = fight_of(someone("Ann", guns=("9mm smg",), pistols=3), someone("Bob", (5.0, 0), guns=("9mm smg",)))
    assert acts("marksman", armed) == "shoot:Bob"
    assert acts("marksman", armed.change("Ann", hidden=True)) == "aim:Bob"
    assert acts("marksman", gun(aim=1, aim_at="Bob")) == "shoot:Bob"


def test_the_automatic_fires_bursts():
    assert acts("automatic", gun()) == "shoot how:Bob"
    ways = tuple(Option(key, key, key) for key in ("plain", "burst 1", "burst 2", "head"))
    assert answers("automatic", "way", ways, None) == "burst 2"
    assert answers("automatic", "way", ways[:1], None) == "plain"


def test_the_suppressor_suppresses_while_there_is_ammunition():
    assert acts("suppressor", gun()) == "suppress:Bob"
    assert acts("suppressor", gun(ammo=(0, 14))) == "shoot:Bob"


def test_the_brawler_closes_in():
    assert goes("brawler", gun(20.0)) == "run to Bob"
    assert goes("brawler", gun(5.0)) == "walk to Bob"
    assert acts("brawler", gun(1.0)) == "hit:Bob"
    assert acts("bruiser", gun(1.0)) == "bruise:Bob"


def test_the_wrestler_grapples():
    maneuvers = tuple(Option(key, key, key) for key in ("damage", "grapple"))
    assert answers("wrestler", "maneuver", maneuvers, None) == "grapple"
    assert answers("wrestler", "maneuver", maneuvers[:1], None) == "damage"


def test_the_bruiser_only_bruises():
    holds = tuple(Option(key, key, key) for key in ("wound", "bruise", "move", "release", "hold"))
    assert answers("bruiser", "hold", holds, None) == "bruise"
    assert answers("brawler", "hold", holds, None) == "wound"
    assert answers("brawler", "hold", holds[2:], None) == "release"


def test_the_careful_get_into_cover():
    ground = Surroundings(covers=(CoverSpot("the wall", 2, 0), CoverSpot("the car", 0, 4)))
    assert goes("careful", gun(10.0, ground=ground)) == "walk to the wall"
    assert goes("careful", gun(10.0, ground=ground, cover="heavy cover")) == "stay"


def test_the_waiter_stands_ready():
    assert acts("waiter", gun()) == "ready"
    assert goes("waiter", gun(60.0)) == "stay"


def test_everybody_defends_as_well_as_they_can():
    fight = fight_of(someone("Ann", alertness=1, brawl=1, body=-1), someone("Bob", (1, 0)))
    guards = tuple(Option(key, key, key) for key in ("defense", "block"))
    assert answers("shooter", "guard", guards, Situation(fight, "Ann", RULES)) == "defense"
    strong = fight_of(someone("Ann", brawl=3, body=1, alertness=-1), someone("Bob", (1, 0)))
    assert answers("shooter", "guard", guards, Situation(strong, "Ann", RULES)) == "block"
    assert answers("shooter", "resist", (Option("alertness", "", 0), Option("body", "", 1)), Resister("Ann", 0, 1)) == "body"


def test_emergency_dice_are_saved_for_cheating_death():
    assert answers("shooter", "emergency dice", Range(0, 5), None) == 0
    assert answers("shooter", "cheat death", (Option("yes", "", True), Option("no", "", False)), None) == "yes"


@pytest.mark.parametrize("tactic", TACTICS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_tactic_plays_every_scenario_to_its_end(name, tactic):
    staged = library.stage(f"scumm/{name}")
    state = replace(staged.state, rounds=15)
    for seed in range(4):
        end = Player(Seeded(seed), TACTICS[tactic]).run(run(staged.scene, state))
        assert staged.scene.result(end) is not None
        assert end.round <= 15


@pytest.mark.parametrize("name", SCENARIOS)
def test_tactics_of_all_kinds_meet_each_other(name):
    staged = library.stage(f"scumm/{name}", preset="all options")
    people = [fighter.name for fighter in staged.state.fighters]
    tactics = list(TACTICS.values())
    state = replace(staged.state, rounds=15)
    for seed in range(9):
        each = {person: tactics[(seed + place) % len(tactics)] for place, person in enumerate(people)}
        end = Player(Seeded(seed), lambda choice, each=each: each[choice.who](choice)).run(run(staged.scene, state))
        assert staged.scene.result(end) is not None
