"""A turn: a movement mode and one action, simple actions, extra actions, and what wounds leave of it."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script
from rulewright.systems.scumm.combat.fighters import CoverSpot, Surroundings, UnderWay
from rulewright.systems.scumm.fight.actions.item_handling import counts_as
from rulewright.systems.scumm.fight.moves import move_options
from rulewright.systems.scumm.fight.turns import actions_in_turn, go_on
from rulewright.systems.scumm.harm.body import LimbInjury

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, roll_initiative, someone, take_turn, told


def gunner(**more):
    return someone("Ann", guns=("9mm pistol",), pistols=2, **more)


def two(*, ann=None, metres=5.0, **fields):
    fields.setdefault("queue", (("Ann",),))
    return fight_of(ann or gunner(), someone("Bob", (metres, 0)), **fields)


def moves(fight, name="Ann"):
    return {option.key for option in move_options(fight, fight.fighter(name))}


# --- actions in a round (lines 348-350) ---------------------------------------------------------------------------------------


def test_one_action_two_after_a_good_initiative_none_in_a_sprint():
    assert actions_in_turn(RULES) == 1
    assert actions_in_turn(RULES, "running", 2) == 2
    assert actions_in_turn(RULES, "normal", 1, 2) == 3
    assert actions_in_turn(RULES, "sprinting", 2, 1) == actions_in_turn(RULES, "climbing") == 0


def test_a_turn_is_a_move_and_an_action():
    played = take_turn(two(), "walk to Bob", "shoot:Bob", faces=[(2, 2), (5,)])
    assert played.outcome.fighter("Ann").x == 4
    assert played.outcome.turn is None


def test_two_actions_carry_no_penalty():  # line 370
    fight = two(ann=gunner(state={"acts": 2}))
    first = take_turn(fight, "stay", "shoot:Bob", faces=[(2, 2), (5,)])
    second = act(first.outcome, "Ann", "shoot:Bob", faces=[(2, 2), (5,)], turn=first.outcome.turn)
    assert [pools(first)[0], pools(second)[0]] == [("Ann", 2, 0)] * 2
    assert second.outcome.turn is None


# --- multiple actions (lines 352-354) -----------------------------------------------------------------------------------------


def test_extra_actions_are_declared_before_anything_and_weigh_on_all():
    rules = by(multiple_actions=True)
    first = take_turn(two(), 2, "stay", "shoot:Bob", faces=[(2, 2), (5,)], rules=rules)
    assert pools(first)[0] == ("Ann", 2, -2)
    turn = first.outcome.turn
    assert (turn.actions, turn.extra) == (2, 2)
    second = act(first.outcome, "Ann", "shoot:Bob", faces=[(2, 2), (5,)], turn=turn, rules=rules)
    assert pools(second)[0] == ("Ann", 2, -2)


def test_the_book_asks_for_no_extra_actions_unless_the_option_is_on():
    assert not any("extra" in line for line in told(take_turn(two(), "stay", "pass")))
    with pytest.raises(UserError):
        take_turn(two(), 1, "stay", "pass")


def test_they_are_declared_before_a_pinned_person_dares_to_move():
    fight = two().change("Ann", pinned=True)
    script_order = []

    def decide(choice):
        script_order.append(choice.topic)
        return 0 if choice.topic == "extra actions" else "walk to Bob" if choice.topic == "move" else "pass"

    from rulewright.systems.scumm.fight.turns import next_turn

    player = Player(Seeded(1), decide)
    player.run(next_turn(by(multiple_actions=True), fight))
    assert script_order[:2] == ["extra actions", "move"]


# --- simple actions (lines 356-364) -------------------------------------------------------------------------------------------


def test_one_simple_action_is_free_and_a_second_is_a_standard_one():
    assert counts_as("draw") == counts_as("reload") == counts_as("stand") == counts_as("drop") == counts_as("pick up") == "simple"
    assert counts_as("draw", 1) == "standard"
    assert counts_as("shoot") == counts_as("clear") == counts_as("aim") == counts_as("ready") == "standard"


def test_drawing_and_shooting_fit_into_one_turn():
    fight = two(ann=gunner(state={"in_hand": 0}))
    drawn = take_turn(fight, "stay", "draw:9mm pistol").outcome
    assert (drawn.turn.actions, drawn.turn.simple_left) == (1, False)
    shot = act(drawn, "Ann", "shoot:Bob", faces=[(2, 2), (5,)], turn=drawn.turn)
    assert pools(shot)[0] == ("Ann", 2, 0)


def test_a_second_simple_action_takes_the_action():
    fight = act(two(ann=gunner(state={"in_hand": 0})), "Ann", "draw:9mm pistol").outcome
    assert act(fight, "Ann", "drop", turn=fight.turn).outcome.turn is None


def test_a_second_simple_action_brings_the_penalty():
    fight = two(ann=gunner(state={"in_hand": 0}))
    turn = UnderWay("Ann", 2)
    for key in ("draw:9mm pistol", "drop"):
        fight = act(fight, "Ann", key, turn=turn).outcome
        turn = fight.turn
    assert (turn.actions, turn.extra) == (1, 1)
    assert pools(act(fight, "Ann", "shoot:Bob", faces=[(2, 2), (5,)], turn=turn))[0] == ("Ann", 2, -1)


def test_a_simple_action_may_come_after_the_shot():
    fight = act(two(), "Ann", "after drop").outcome
    after = act(fight, "Ann", "shoot:Bob", faces=[(2, 2), (5,)], turn=fight.turn).outcome
    assert (after.fighter("Ann").mode, after.turn) == ("prone", None)


def test_what_was_put_off_is_left_undone_when_it_cannot_be_done_any_more():
    prone = two(ann=someone("Ann", brawl=2, state={"mode": "prone"}), metres=1)
    fight = act(prone, "Ann", "after stand").outcome
    bob = replace(fight.fighter("Bob"), profile=replace(fight.fighter("Bob").profile, brawl=2, unarmed=6))
    # Ann fumbles, and Bob's Free Strike leaves two Deep wounds too many to stand
    fight = fight.put(bob, fight.fighter("Ann").with_body(replace(fight.fighter("Ann").body, deep=1)))
    after = act(
        fight, "Ann", "hit:Bob", "defense", "strike", "defense", "damage", faces=[(1, 1), (3,), (2, 1), (4,), AWAKE], turn=fight.turn
    ).outcome
    assert after.fighter("Ann").body.deep == 2
    assert after.fighter("Ann").mode == "prone"


def test_reloading_fills_the_magazine():
    fight = act(two(ann=gunner(state={"ammo": (0, 0)})), "Ann", "reload").outcome
    assert fight.fighter("Ann").ammo == (0, 12)


def test_two_weapons_of_a_kind_can_be_told_apart():
    fight = fight_of(someone("Ann", melee=("knife", "knife")), someone("Bob", (5, 0)))
    assert {"draw:knife", "draw:fists"} <= keys(fight, "Ann")
    assert "draw:knife 2" in keys(fight.change("Ann", in_hand=1), "Ann")


# --- movement (lines 372-404) -------------------------------------------------------------------------------------------------


def test_every_mode_goes_as_far_as_its_rate():
    far = two(metres=100.0)
    places = {option.key: option.value.x for option in move_options(far, far.fighter("Ann")) if option.key.endswith("to Bob")}
    assert places == {"crawl to Bob": 2, "walk to Bob": 7, "run to Bob": 13, "sprint to Bob": 20}  # Body + Athletics 0


def test_a_sprint_leaves_no_action():  # line 374
    played = take_turn(two(metres=100.0), "sprint to Bob")
    assert (played.outcome.fighter("Ann").mode, played.outcome.turn) == ("sprinting", None)


def test_the_way_one_moves_lasts_until_the_next_turn():
    ran = take_turn(two(metres=30.0), "run to Bob", "pass").outcome
    assert ran.fighter("Ann").mode == "running"
    again = roll_initiative(ran, (4,), (3,))
    assert again.fighter("Ann").mode == "running"
    stood = take_turn(again, "stay", "pass").outcome
    assert stood.fighter("Ann").mode == "normal"


def test_a_crawler_lies_when_he_stops():
    crawled = take_turn(two(ann=gunner(state={"mode": "prone"}), metres=30.0), "crawl to Bob", "pass").outcome
    assert crawled.fighter("Ann").mode == "crawling"
    assert take_turn(replace(crawled, queue=(("Ann",),)), "stay", "pass").outcome.fighter("Ann").mode == "prone"


def test_crawling_costs_one_on_actions_and_lying_nothing():  # lines 391-392
    prone = two(ann=gunner(state={"mode": "prone"}), metres=30.0)
    assert pools(take_turn(prone, "crawl to Bob", "shoot:Bob", faces=[(2, 2), (5,)]))[0] == ("Ann", 2, -1 - 3)  # extreme range
    assert pools(take_turn(prone, "stay", "shoot:Bob", faces=[(2, 2), (5,)]))[0] == ("Ann", 2, -3)


@pytest.mark.parametrize("mode", ["prone", "crawling"])
def test_nobody_sprints_in_the_round_after_lying(mode):  # line 374
    fight = two(ann=gunner(state={"mode": mode}), metres=100.0)
    assert "run to Bob" in moves(fight)
    assert "sprint to Bob" not in moves(fight)


def test_not_even_who_got_up_meanwhile():  # line 374: "may not sprint next round"
    up = take_turn(two(ann=gunner(state={"mode": "prone"}), metres=100.0), "stay", "stand").outcome
    assert up.fighter("Ann").mode == "normal"
    assert "sprint to Bob" not in moves(up)
    later = take_turn(replace(up, queue=(("Ann",),), turn=None), "stay", "pass").outcome
    assert "sprint to Bob" in moves(later)


def test_getting_up_to_walk_takes_the_simple_action():
    fight = take_turn(two(ann=gunner(state={"mode": "prone", "ammo": (0, 3)}), metres=30.0), "walk to Bob", "reload").outcome
    assert fight.turn is None  # reloading was the second simple action, and so the only standard one


def test_getting_down_to_crawl_takes_it_too():
    fight = take_turn(two(ann=gunner(state={"ammo": (0, 3)}), metres=30.0), "crawl to Bob", "reload").outcome
    assert (fight.turn, fight.fighter("Ann").mode) == (None, "crawling")


def test_cover_is_where_one_goes_and_is_left_behind():
    ground = Surroundings(covers=(CoverSpot("the wall", 3, 0), CoverSpot("the bush", 30, 0, "light cover")))
    fight = two(ground=ground, metres=20.0)
    behind = take_turn(fight, "walk to the wall", "pass").outcome
    assert behind.fighter("Ann").cover == "heavy cover"
    assert "walk to the bush" not in moves(fight)
    assert take_turn(replace(behind, queue=(("Ann",),)), "walk to Bob", "pass").outcome.fighter("Ann").cover == "none"


# --- wounds (lines 398-404) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wounds", "fastest"),
    [
        ({}, "sprint"),
        ({"flesh": 1}, "run"),
        ({"deep": 1}, "walk"),
        ({"deep": 2}, "crawl"),
        ({"limbs": (LimbInjury("left leg", 2, True),), "flesh": 2}, "walk"),
    ],
)
def test_wounds_limit_how_fast_one_goes(wounds, fastest):
    gaits = ["crawl", "walk", "run", "sprint"]
    fight = two(ann=gunner(wounds=wounds), metres=100.0)
    found = [gait for gait in gaits if f"{gait} to Bob" in moves(fight)]
    assert found == gaits[: gaits.index(fastest) + 1]


def test_who_takes_a_second_deep_wound_falls_and_cannot_stand():  # line 404
    ann, bob = gunner(), someone("Bob", (5, 0), wounds={"deep": 1, "system_shock": 9})
    fight = fight_of(ann, bob)
    hit = act(fight, "Ann", "shoot:Bob", faces=[(4, 2), (4,), AWAKE]).outcome  # 4 against 4 - 2: 6 points
    assert (hit.fighter("Bob").body.deep, hit.fighter("Bob").mode) == (2, "prone")
    assert not {"stand", "after stand"} & keys(hit, "Bob")
    assert "walk to Ann" not in moves(hit, "Bob")


def test_useless_arms_hold_nothing():  # line 517
    arms = (LimbInjury("left arm", 2, True), LimbInjury("right arm", 2, True))
    ann = gunner(wounds={"limbs": arms})
    assert (ann.in_hand, ann.gone) == (0, ("", "dropped"))
    assert not {"draw:9mm pistol", "pick up:9mm pistol"} & keys(two(ann=ann), "Ann")


def test_a_load_weighs_on_everything_where_the_campaign_counts_it():  # lines 569-580
    rules = by(carrying_capacity=True)
    burdened = gunner(rules=rules, kilograms=40)
    fight = two(ann=burdened)
    assert pools(act(fight, "Ann", "shoot:Bob", faces=[(2, 2), (5,)], rules=rules))[0] == ("Ann", 2, -1)
    assert pools(act(two(ann=gunner(kilograms=40)), "Ann", "shoot:Bob", faces=[(2, 2), (5,)]))[0] == ("Ann", 2, 0)


def test_passing_ends_the_turn():
    assert script(go_on(RULES, two(), UnderWay("Ann", 2)), [], ["pass"]).outcome.turn is None
