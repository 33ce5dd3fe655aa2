"""S.C.U.M.M. on ground with walls, a door and covers: who sees whom, what shelters, how far one gets, who learns of it."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.field.ground import Changes, read_ground
from rulewright.library import stage
from rulewright.play import Seeded, script
from rulewright.scenes.encounter import Encounter
from rulewright.systems.scumm.combat.attack_setup import circumstances, exposure
from rulewright.systems.scumm.combat.fighters import Surroundings, Zone
from rulewright.systems.scumm.combat.suppression import cross_fire
from rulewright.systems.scumm.fight.actions.registry import action_options
from rulewright.systems.scumm.fight.moves import move, move_options
from rulewright.systems.scumm.lab_view.scene import FightScene
from scumm.fights import RULES, fight_of, pools, someone

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
            {"name": "the bins", "box": [22, 4, 1, 1], "cover": "light cover"},
        ],
        "lights": [{"x": 20, "y": 5, "radius": 4, "light": "normal"}],
    }
)
OPENED, SHUT = Changes(opened=("door",)), Changes()
GUN = {"guns": ("9mm pistol",)}


def room(*places, changes=SHUT, **fields):
    """Ann on one side, everybody else on the other."""
    names = ("Ann", "Bob", "Cyd")
    people = [someone(name, at, side="ours" if name == "Ann" else "theirs", **GUN) for name, at in zip(names, places, strict=False)]
    return fight_of(*people, map=ROOM, changes=changes, **fields)


def keys(options):
    return [option.key for option in options]


def targets(fight, name):
    from rulewright.systems.scumm.combat.fighters import UnderWay

    return keys(action_options(RULES, fight, fight.fighter(name), UnderWay(name, 1)))


def test_nobody_is_shot_at_through_a_wall_or_a_closed_door():
    shut = room((5, 9), (25, 9))
    assert "shoot:Bob" not in targets(shut, "Ann")
    opened = room((5, 9), (25, 9), changes=OPENED)
    assert "shoot:Bob" in targets(opened, "Ann")
    assert "shoot:Bob" not in targets(room((5, 4), (25, 4), changes=OPENED), "Ann")


def test_a_window_lets_one_see_and_shelters_whoever_stands_close_behind():
    fight = room((5, 18), (16, 18))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert "shoot:Bob" in targets(fight, "Ann")
    assert exposure(fight, ann, bob, False).cover == "light cover"
    assert exposure(fight, bob, ann, False).cover == "none"


def test_cover_is_what_stands_between_and_the_better_of_it_and_the_state_somebody_was_given():
    fight = room((2, 5), (10.5, 5))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert exposure(fight, ann, bob, False).cover == "heavy cover"
    aside = room((10.5, 15), (10.5, 5))
    assert exposure(aside, aside.fighter("Ann"), aside.fighter("Bob"), False).cover == "none"
    typed = aside.change("Bob", cover="light cover")
    assert exposure(typed, typed.fighter("Ann"), typed.fighter("Bob"), False).cover == "light cover"
    both = fight.change("Bob", cover="light cover")
    assert exposure(both, both.fighter("Ann"), both.fighter("Bob"), False).cover == "heavy cover"


def test_a_lamp_lights_the_target_and_elsewhere_it_is_as_dark_as_the_place():
    fight = room((18, 12), (20, 6), ground=Surroundings(light="completely dark"))
    ann, bob = fight.fighter("Ann"), fight.fighter("Bob")
    assert circumstances(fight, ann, None, target=bob).light == "normal"
    assert circumstances(fight, bob, None, target=ann).light == "completely dark"


def test_one_goes_anywhere_within_what_the_book_allows_and_no_farther():
    fight = room((5, 9), (25, 9))
    ann = fight.fighter("Ann")
    moved = script(move(RULES, fight, "Ann"), choices=[f"walk@5,{9 + ann.profile.walk}"]).outcome[0]
    assert (moved.fighter("Ann").x, moved.fighter("Ann").y) == (5, 9 + ann.profile.walk)
    assert moved.fighter("Ann").mode == "normal"
    with pytest.raises(UserError, match="walking you get"):
        script(move(RULES, fight, "Ann"), choices=[f"walk@5,{9.5 + ann.profile.walk}"])
    with pytest.raises(UserError, match="there is no way"):
        script(move(RULES, fight, "Ann"), choices=["run@16,9"])
    with pytest.raises(UserError, match="inside the crates"):
        script(move(RULES, fight, "Ann"), choices=["run@9,5"])


def test_one_walks_around_the_crates_and_the_way_counts():
    fight = room((7.5, 5), (25, 9))
    around = script(move(RULES, fight, "Ann"), choices=["run@10.5,5"]).outcome
    straight = 3.0
    assert around[1].left < fight.fighter("Ann").profile.run - straight - 1


def test_on_bare_ground_a_place_can_be_dragged_to_as_well():
    fight = fight_of(someone("Ann", (0, 0), side="ours"), someone("Bob", (9, 0), side="theirs"))
    moved, used = script(move(RULES, fight, "Ann"), choices=["@3,4"]).outcome
    assert (moved.fighter("Ann").x, moved.fighter("Ann").y) == (3, 4)
    assert used.left == fight.fighter("Ann").profile.walk - 5


def test_a_cover_that_is_a_bare_place_is_taken_by_whoever_comes_to_it():
    from rulewright.systems.scumm.combat.fighters import CoverSpot

    ground = Surroundings(covers=(CoverSpot("the oak", 3, 4),))
    fight = fight_of(someone("Ann", (0, 0), side="ours"), someone("Bob", (9, 0), side="theirs"), ground=ground)
    assert script(move(RULES, fight, "Ann"), choices=["@3.5,4"]).outcome[0].fighter("Ann").cover == "heavy cover"
    assert script(move(RULES, fight, "Ann"), choices=["@1,1"]).outcome[0].fighter("Ann").cover == "none"


def test_a_door_at_hand_is_opened_and_gone_through_in_one_turn():
    fight = room((14, 9), (25, 9))
    assert "open door" in keys(move_options(fight, fight.fighter("Ann")))
    moved, used = script(move(RULES, fight, "Ann"), choices=["open door", "walk@16.5,9"]).outcome
    assert moved.changes.opened == ("door",)
    assert moved.fighter("Ann").x == 16.5
    assert used.simple
    assert "shut door" in keys(move_options(moved, moved.fighter("Ann")))
    shut = script(move(RULES, moved, "Ann"), choices=["shut door", "stay"]).outcome[0]
    assert shut.changes.opened == ()


def test_a_door_is_not_opened_from_afar_nor_one_that_is_locked():
    fight = room((10, 9), (25, 9))
    assert "open door" not in keys(move_options(fight, fight.fighter("Ann")))
    locked = read_ground({"walls": [{"along": [[15, 8], [15, 10]], "name": "door", "door": "locked"}]})
    here = fight_of(someone("Ann", (14, 9), side="ours"), someone("Bob", (25, 9), side="theirs"), map=locked)
    assert "open door" not in keys(move_options(here, here.fighter("Ann")))


def test_only_those_are_gone_towards_whom_ones_side_knows_of():
    unseen = keys(move_options(room((5, 4), (25, 4)), room((5, 4), (25, 4)).fighter("Ann")))
    assert not any("Bob" in key for key in unseen)
    seen = room((5, 18), (25, 18), changes=OPENED)
    assert "walk to Bob" in keys(move_options(seen, seen.fighter("Ann")))


def test_behind_the_crates_is_on_the_side_away_from_the_enemy():
    fight = room((5, 12), (14, 5))
    option = next(each for each in move_options(fight, fight.fighter("Ann")) if each.key == "run to the crates")
    there = fight.change("Ann", x=option.value.x, y=option.value.y)
    assert there.cover_from((14, 5), there.fighter("Ann")) == "heavy cover"


def test_out_of_sight_is_where_no_known_enemy_sees_one():
    fight = room((13, 18), (20, 18))
    option = next(each for each in move_options(fight, fight.fighter("Ann")) if each.key == "run out of sight")
    there = fight.change("Ann", x=option.value.x, y=option.value.y)
    assert not there.sees(there.fighter("Ann"), there.fighter("Bob"))


def test_a_shove_ends_at_the_wall():
    from rulewright.play import play
    from rulewright.systems.scumm.combat.suppression import relocate

    fight = room((13, 4), (14, 4))
    pushed = play(relocate(RULES, fight, "Bob", 18, y=4)).outcome
    assert 14.5 < pushed.fighter("Bob").x < 15


def test_a_place_says_what_it_would_mean_as_far_as_one_can_know():
    from rulewright.systems.scumm.fight.moves import anywhere

    fight = room((5, 18), (25, 18), (25, 4))
    told = anywhere(fight, fight.fighter("Ann")).tells("run@5,11")
    assert told == ("7.0 of " + f"{fight.fighter('Ann').profile.run:g} m, running", "21.2 m from Bob", "out of sight of Bob")
    assert not any("Cyd" in words for words in told)


def test_who_is_out_of_sight_is_in_no_view_of_the_other_side():
    scene, fight = FightScene(RULES), room((5, 4), (25, 4))
    mine, whole = scene.view(fight, "Ann"), scene.view(fight, None)
    assert "Bob" not in msgspec.json.encode(mine).decode()
    assert "Bob" in msgspec.json.encode(whole).decode()
    assert mine.field is not None
    assert mine.field.fog


def test_readied_people_act_only_on_whom_they_see():
    from rulewright.systems.scumm.combat.fighters import Ready
    from rulewright.systems.scumm.fight.actions.readied import _waits_for

    unseen = room((5, 4), (25, 4)).change("Bob", ready=Ready())
    assert not _waits_for(unseen, unseen.fighter("Bob"), unseen.fighter("Ann"), "acts")
    seen = room((5, 18), (25, 18)).change("Bob", ready=Ready())
    assert _waits_for(seen, seen.fighter("Bob"), seen.fighter("Ann"), "acts")


def test_any_ground_in_medium_range_and_in_sight_is_put_under_fire():
    from rulewright.play import play
    from rulewright.systems.scumm.combat.fighters import UnderWay
    from rulewright.systems.scumm.fight.actions.fire import ground_to_suppress
    from rulewright.systems.scumm.fight.actions.registry import do

    ann = someone("Ann", (5, 9), side="ours", guns=("9mm smg",))
    fight = fight_of(ann, someone("Bob", (14, 9), side="theirs"), someone("Cyd", (16, 9), side="theirs"), map=ROOM)
    where = ground_to_suppress(fight, fight.fighter("Ann"), UnderWay("Ann", 1))
    assert where.tells("@14,8")[1] == "within 2.5 m: Bob"
    done = play(do(RULES, fight, "Ann", where.take("suppress@14,8"), 0), dice=Seeded(1))
    assert (done.outcome.zones[-1].x, done.outcome.zones[-1].y) == (14, 8)
    assert "Cyd" not in {cast.roll.by for cast in done.rolls}
    with pytest.raises(UserError, match="out of sight: door is between"):
        where.take("@16,9")
    pistol = room((5, 9), (14, 9))
    assert ground_to_suppress(pistol, pistol.fighter("Ann"), UnderWay("Ann", 1)) is None


@pytest.mark.parametrize("seed", range(3))
def test_nothing_of_anybody_unseen_stands_in_what_a_side_may_read(seed):
    staged = stage("scumm/raid")
    encounter = Encounter.begin(staged.scene, staged.state)
    dice = Seeded(seed)
    read = 0
    for _ in range(150):
        if not encounter.open:
            break
        for at, request in encounter.open[:1]:
            given = dice.faces(request) if hasattr(request, "reading") else staged.decide(request)
            encounter.give(given, at)
        unseen = {"Kolbe"} - set(staged.scene.in_sight(encounter.now, "robbers") or ())
        if not unseen:
            break
        view = msgspec.json.encode(staged.scene.view(encounter.now, "Adaeze")).decode()
        log = [line.what.headline() for line in encounter.log if not line.hidden_from("Adaeze") and hasattr(line.what, "headline")]
        asked = [line.what for line in encounter.log if not line.hidden_from("Adaeze") and not hasattr(line.what, "headline")]
        assert "Kolbe" not in view
        assert not any("Kolbe" in words for words in log)
        assert not any("Kolbe" in str(each) for each in asked)
        read += 1
    assert read > 10


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"map": {"walls": [{"along": [[1, 1]]}]}}, "a wall needs two points"),
        ({"map": {"covers": [{"name": "x", "cover": "thick cover", "x": 1, "y": 1}]}}, "'thick cover' is not known"),
        ({"map": {"regions": [{"terrain": "lava", "box": [0, 0, 1, 1]}]}}, "'lava' is not known"),
        ({"map": {"size": [3, 3]}}, "Teodor: at: 6, 0 is off the map, which is 3 by 3 metres"),
        ({"map": "nowhere"}, "no ready-made 'nowhere'"),
        ({"map": "hunter"}, "hunter is a character, not a map"),
    ],
)
def test_bad_ground_in_a_scenario_is_refused_with_one_sentence(change, said):
    with pytest.raises(UserError, match=said) as refused:
        stage("scumm/duel", changes=change)
    assert "\n" not in str(refused.value)


def test_a_scenario_may_name_a_map_and_a_newcomer_finds_room_on_it():
    staged = stage("scumm/raid")
    assert staged.state.map.walls[1].name == "gate"
    encounter = Encounter.begin(staged.scene, staged.state)
    newcomer = staged.members[0].character
    encounter.join(msgspec.structs.replace(newcomer, name="Newcomer"), "guards")
    fighter = encounter.state.fighter("Newcomer")
    encounter.state.field.refuse_standing((fighter.x, fighter.y))
    with pytest.raises(UserError, match="in a wall"):
        encounter.move("Newcomer", 26, 4)


def test_cover_shelters_from_suppression_fire_as_seen_by_whoever_fires():
    fight = room((5, 5), (10.5, 5), (10.5, 14))

    def defense(by):
        zone = Zone(by, 10.5, 5, 5, 1, 10)
        return pools(script(cross_fire(RULES, fight, "Bob", zone), [(6,)]))[0][2]

    assert defense("Ann") > defense("Cyd")  # the crates stand between Ann and him
    assert defense("nobody") == defense("Cyd")  # whoever fired is gone
