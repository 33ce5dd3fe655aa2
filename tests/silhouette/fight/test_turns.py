"""Turns in a fight: actions declared and counted, waiting, confusion, ties, orders (book lines 1911-1998, 2179-2182, 6014-6045)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.systems.silhouette.action.rounds import Ready
from rulewright.systems.silhouette.combat.command import Command, Member
from rulewright.systems.silhouette.combat.fighters import Ground, UnderWay
from rulewright.systems.silhouette.fight.turns import ask_delayed

from ..fights import AWAKE, RULES, act, by, fight_of, keys, pools, roll_initiative, someone, take_turn, told


def gunfight(**fields):
    ann = someone("Ann", (0, 0), weapons=("heavy revolver", "knife"), small_arms=2, defense=2, **fields.pop("ann", {}))
    ben = someone("Ben", (20, 0), weapons=("heavy revolver",), small_arms=2, defense=2, **fields.pop("ben", {}))
    return fight_of(ann, ben, queue=(("Ann",), ("Ben",)), **fields)


def duel(**fields):
    ann = someone("Ann", (0, 0), weapons=("short sword", "knife"), melee=2, defense=2, **fields.pop("ann", {}))
    ben = someone("Ben", (1, 0), weapons=("short sword",), melee=2, defense=2, **fields.pop("ben", {}))
    return fight_of(ann, ben, queue=(("Ann",), ("Ben",)), **fields)


# --- actions counted ----------------------------------------------------------------------------------------------------------


def test_two_shots_are_at_minus_one_each():
    """At 20 m the heavy revolver is at long range (-2), standing still costs nothing, and Ben's defense stands at -1."""
    played = take_turn(gunfight(), "2", "stay", "shoot:Ben", "shoot:Ben", faces=[(3, 2), (4, 3), (4, 2), (4, 3)])
    assert pools(played) == [("Ann", 2, -3), ("Ben", 2, -1), ("Ann", 2, -3), ("Ben", 2, -1)]
    assert played.outcome.fighter("Ann").ammo == (0, 3, 0)


def test_the_defense_suffers_nothing_from_many_actions():
    """Ann tries four things; when Ben shoots back her defense is what it was (ruling)."""
    after = take_turn(gunfight(), "4", "stay", "pass").outcome
    played = take_turn(after, "1", "stay", "shoot:Ann", faces=[(4, 2), (3, 3)])
    assert pools(played) == [("Ben", 2, -2), ("Ann", 2, -1)]


def test_where_the_campaign_says_so_it_does():
    ours = by(defense_suffers_from_actions=True)
    after = take_turn(gunfight(), "4", "stay", "pass", rules=ours).outcome
    played = take_turn(after, "1", "stay", "shoot:Ann", faces=[(4, 2), (6, 3)], rules=ours)
    assert pools(played) == [("Ben", 2, -2), ("Ann", 2, -4)]
    close = take_turn(duel(), "3", "stay", "pass", rules=ours).outcome
    assert pools(take_turn(close, "1", "stay", "strike:Ann", "dodge", faces=[(4, 2), (6, 3)], rules=ours))[1] == ("Ann", 2, -2)


def test_one_simple_action_is_free_beside_an_action():
    empty = gunfight(ann={"state": {"ammo": (0, 0, 0)}})
    played = take_turn(empty, "1", "stay", "load", "shoot:Ben", faces=[(3, 2), (4, 3)])
    assert pools(played)[0] == ("Ann", 2, -2)
    assert played.outcome.fighter("Ann").ammo == (0, 4, 0)
    assert "Ann" not in [name for group in played.outcome.queue for name in group]


def test_two_simple_actions_are_the_one_action():
    """Sheathing and drawing: nothing is tested, and nothing is left to shoot with."""
    fight = gunfight()
    turn = UnderWay("Ann")
    after = act(fight, "Ann", "sheathe", turn=turn).outcome
    assert after.turn == replace(turn, simple=1, steady=False, noticed=False)
    assert "shoot:Ben" not in keys(after, "Ann", turn=after.turn)
    drawn = act(after, "Ann", "draw:knife", turn=after.turn)
    assert drawn.rolls == ()
    assert drawn.outcome.turn is None
    assert drawn.outcome.fighter("Ann").weapon.name == "knife"


def test_the_shotgun_of_the_book_in_a_fight():
    """Pick up, load and fire: two actions, so that loading is an Agility test at -1, and the shot is at -1 as well."""
    ann = someone(
        "Ann", (0, 0), weapons=("shotgun",), small_arms=2, agility=1, state={"in_hand": 0, "gone": ("", "dropped"), "ammo": (0, 0)}
    )
    ben = someone("Ben", (5, 0), defense=2)
    fight = fight_of(ann, ben, queue=(("Ann",),))
    played = take_turn(fight, "2", "stay", "pick up:shotgun", "load", "shoot:Ben", faces=[(3, 1), (2, 1), (4, 4)])
    assert [rolled.roll.what for rolled in played.rolls][:2] == ["load", "attack"]
    assert pools(played)[:2] == [("Ann", 2, 0), ("Ann", 2, 0)]  # +1 Agility, -1 for two actions
    assert played.outcome.fighter("Ann").ammo == (0, 9)


def test_a_fumbled_loading_leaves_the_gun_empty():
    ann = someone("Ann", (0, 0), weapons=("shotgun",), small_arms=2, state={"in_hand": 0, "gone": ("", "dropped"), "ammo": (0, 0)})
    fight = fight_of(ann, someone("Ben", (5, 0)), queue=(("Ann",),))
    played = take_turn(fight, "2", "stay", "pick up:shotgun", "load", "pass", faces=[(2, 1)])  # 1 against 3
    assert played.outcome.fighter("Ann").ammo == (0, 0)
    assert "Ann fails to load the weapon" in told(played)


def test_without_other_actions_the_pair_is_not_tested():
    ann = someone("Ann", (0, 0), weapons=("shotgun",), small_arms=2, state={"in_hand": 0, "gone": ("", "dropped"), "ammo": (0, 0)})
    fight = fight_of(ann, someone("Ben", (5, 0)), queue=(("Ann",),))
    played = take_turn(fight, "1", "stay", "pick up:shotgun", "load")
    assert played.rolls == ()
    assert played.outcome.fighter("Ann").ammo == (0, 10)


def test_getting_up_to_run_is_the_free_simple_action():
    fight = gunfight(ann={"state": {"pace": "prone"}})
    played = take_turn(fight, "1", "walk to Ben", "shoot:Ben", faces=[(3, 2), (4, 3)])
    ann = played.outcome.fighter("Ann")
    assert (ann.x, ann.pace) == (6.67, "walking")
    assert pools(played)[0] == ("Ann", 2, -2)  # medium range at 13 m, and -1 for walking


def test_nothing_else_is_done_in_a_sprint():
    played = take_turn(gunfight(), "1", "sprint to Ben")
    assert played.outcome.turn is None
    assert played.outcome.fighter("Ann").pace == "sprinting"


def test_a_draw_beside_another_weapon_lets_that_one_fall():
    after = act(duel(), "Ann", "draw:knife").outcome.fighter("Ann")
    assert (after.weapon.name, after.gone) == ("knife", ("", "dropped", ""))


# --- refocus ------------------------------------------------------------------------------------------------------------------


def test_refocus_spends_the_round_and_sets_the_next_initiative():
    fight = gunfight(ann={"combat_sense": 1}, ben={"combat_sense": 2})
    after = take_turn(fight, "refocus")
    assert after.rolls == ()
    assert after.outcome.fighter("Ann").refocused
    new = roll_initiative(replace(after.outcome, queue=()), (4, 3))  # only Ben rolls
    assert new.queue == (("Ann",), ("Ben",))  # 5 against 4
    assert not new.fighter("Ann").refocused


# --- readying and delaying ----------------------------------------------------------------------------------------------------


def test_a_readied_shot_comes_before_what_sets_it_off():
    ready = take_turn(gunfight(), "1", "stay", "ready").outcome
    assert ready.fighter("Ann").ready == Ready()
    played = take_turn(ready, "1", "stay", "shoot:Ann", "act", faces=[(5, 2), (2, 1), AWAKE, (3, 2), (4, 3)])
    assert told(played)[0].startswith("Ann hits Ben")
    assert played.outcome.fighter("Ben").body.deep == 1
    assert played.outcome.fighter("Ann").ready is None
    assert pools(played)[3] == ("Ben", 2, -4)  # long range, and the wound he has just been dealt


def test_who_acts_in_the_same_moment_is_not_forestalled():
    """It is done after one's turn is over, and those who tied act at the same time (sil-3.1.1-readying-delaying)."""
    readied = take_turn(replace(gunfight(), queue=(("Ann", "Ben"),)), "1", "stay", "ready").outcome
    played = take_turn(readied, "1", "stay", "shoot:Ann", faces=[(3, 2), (4, 3)])
    assert [rolled.roll.by for rolled in played.rolls] == ["Ben", "Ann"], "Ben shoots, Ann defends herself"
    assert played.outcome.fighter("Ann").ready == Ready(), "and still waits for what comes after"


def test_whoever_is_shot_down_first_does_not_act():
    ready = take_turn(gunfight(), "1", "stay", "ready").outcome
    played = take_turn(ready, "1", "stay", "shoot:Ann", "act", faces=[(5, 2), (2, 1), (2, 1)])  # the Health test fails
    assert [rolled.roll.by for rolled in played.rolls] == ["Ann", "Ben", "Ben"]
    assert not played.outcome.fighter("Ben").body.able


def test_readying_for_movement_lets_a_shot_pass():
    ready = take_turn(gunfight(), "1", "stay", "ready moves").outcome
    standing = take_turn(ready, "1", "stay", "shoot:Ann", faces=[(3, 2), (4, 3)])
    assert standing.outcome.fighter("Ann").ready == Ready("moves")
    moving = take_turn(ready, "1", "walk to Ann", "hold", "pass")
    assert moving.outcome.fighter("Ann").ready is not None


def test_a_readied_action_bears_the_penalty_of_its_turn():
    ready = take_turn(gunfight(), "2", "stay", "shoot:Ben", "ready", faces=[(3, 2), (4, 3)]).outcome
    assert ready.fighter("Ann").ready == Ready(penalty=-1)
    played = take_turn(ready, "1", "stay", "shoot:Ann", "act", faces=[(3, 2), (4, 3), (3, 2), (4, 3)])
    assert pools(played)[0] == ("Ann", 2, -3)


def test_staying_ready_through_the_next_round_costs_nothing_and_rolls_nothing():
    ready = replace(take_turn(gunfight(), "2", "stay", "ready").outcome, queue=())
    assert ready.fighter("Ann").ready == Ready(penalty=-1)
    held = roll_initiative(ready, (4, 3), choices=["hold"])  # Ben, who is unskilled
    assert held.queue == (("Ben",),)
    assert held.fighter("Ann").ready == Ready()
    dropped = roll_initiative(ready, (4, 3), (5, 2), choices=["drop"])
    assert dropped.fighter("Ann").ready is None
    assert dropped.queue == (("Ann",), ("Ben",))


def test_who_moves_to_cover_holds_no_action():
    spot = ({"name": "the wall", "x": 3, "y": 0},)
    from rulewright.systems.silhouette.combat.fighters import CoverSpot

    ground = Ground(covers=(CoverSpot(**spot[0]),))
    fight = gunfight(ground=ground, ann={"state": {"ready": Ready("moves")}})
    after = take_turn(fight, "1", "walk to the wall", "pass").outcome
    assert after.fighter("Ann").ready is None
    assert after.fighter("Ann").cover == "heavy cover"


def doorway():
    """Ben is behind a door; Ann has her gun in the holster."""
    ann = someone("Ann", (0, 0), weapons=("heavy revolver",), small_arms=2, defense=2, state={"in_hand": 0})
    ben = someone("Ben", (10, 0), weapons=("heavy revolver",), small_arms=2, defense=2, state={"cover": "fully hidden by heavy cover"})
    return fight_of(ann, ben, queue=(("Ann",), ("Ben",)))


def test_whoever_comes_out_of_that_doorway():
    """The book's example: drawing is the free simple action, readying the action; whoever walks out is shot at before he can act."""
    ready = take_turn(doorway(), "1", "stay", "draw:heavy revolver", "ready shows").outcome
    assert ready.fighter("Ann").ready == Ready("shows")
    played = take_turn(ready, "1", "walk to Ann", "act", "shoot:Ann", faces=[(4, 2), (2, 1), AWAKE, (3, 2), (4, 3)])
    assert told(played)[:2] == ["Ben walks 7 m towards Ann", "Ann hits Ben by 2 with the heavy revolver"]
    assert [rolled.roll.by for rolled in played.rolls][:2] == ["Ann", "Ben"]
    stays = take_turn(ready, "1", "stay", "shoot:Ann", faces=[(3, 2), (4, 3)])  # who stays behind it sets nothing off
    assert stays.outcome.fighter("Ann").ready == Ready("shows")


def test_who_only_delayed_is_shot_at_first():
    """The same doorway with a delay: he acts, and only then does she draw and fire."""
    waiting = take_turn(doorway(), "delay").outcome
    walked = take_turn(waiting, "1", "walk to Ann", "shoot:Ann", faces=[(3, 2), (4, 3)])
    assert [rolled.roll.by for rolled in walked.rolls] == ["Ben", "Ann"]
    after = script(ask_delayed(RULES, walked.outcome), [], ["act", "1", "stay", "draw:heavy revolver"]).outcome
    fired = act(after, "Ann", "shoot:Ben", faces=[(3, 2), (4, 3)], turn=after.turn)
    assert fired.rolls[0].roll.by == "Ann"


def test_delaying_comes_after_the_other_has_acted():
    waiting = take_turn(gunfight(), "delay").outcome
    assert waiting.fighter("Ann").ready == Ready(delays=True)
    after = take_turn(waiting, "1", "stay", "shoot:Ann", faces=[(3, 2), (4, 3)])  # nobody pre-empts it
    assert after.outcome.delayed
    acts = script(ask_delayed(RULES, after.outcome), [], ["act", "1", "stay", "pass"]).outcome
    assert acts.fighter("Ann").ready is None
    waits = script(ask_delayed(RULES, after.outcome), [], ["wait"]).outcome
    assert waits.fighter("Ann").ready == Ready(delays=True)
    assert not waits.delayed


# --- initiative ---------------------------------------------------------------------------------------------------------------


def test_wounds_and_a_bad_position_weigh_on_initiative():
    fight = gunfight(
        ann={"combat_sense": 2, "perception": 1, "wounds": {"flesh": 1}}, ben={"combat_sense": 2, "state": {"off_balance": True}}
    )
    from rulewright.systems.silhouette.fight.turns import sense_of

    ann, ben = sense_of(RULES, fight.fighter("Ann")), sense_of(RULES, fight.fighter("Ben"))
    assert (ann.pool.dice, ann.pool.modifier) == (2, 0)
    assert (ben.pool.dice, ben.pool.modifier) == (2, -3)
    after = roll_initiative(replace(fight, queue=()), (3, 2), (6, 2))
    assert after.queue == (("Ann", "Ben"),)
    assert not after.fighter("Ben").off_balance


def test_a_fumble_leaves_nothing_but_ducking():
    fight = gunfight(ann={"combat_sense": 1}, ben={"combat_sense": 1})
    confused = roll_initiative(replace(fight, queue=()), (1,), (4,))
    assert confused.fighter("Ann").confused
    ducked = take_turn(confused, "duck", of="Ann").outcome
    assert ducked.fighter("Ann").pace == "prone"
    stood = take_turn(confused, "nothing", of="Ann").outcome
    assert stood.fighter("Ann").pace == "stationary"


def test_the_confused_go_on_with_what_takes_longer():
    fight = gunfight(ann={"state": {"aim": 1, "aim_at": "Ben", "confused": True}})
    assert take_turn(fight, "go on", of="Ann").outcome.fighter("Ann").aim == 2
    bow = someone("Ann", weapons=("crossbow",), archery=1, state={"unready": (0, 2), "confused": True})
    loading = fight_of(bow, someone("Ben", (9, 0)))
    assert take_turn(loading, "go on", of="Ann").outcome.fighter("Ann").unready == (0, 1)


def test_a_crossbow_is_loaded_one_step_a_round():
    bow = someone("Ann", weapons=("crossbow",), archery=2)
    fight = fight_of(bow, someone("Ben", (5, 0), defense=1), queue=(("Ann",),))
    shot = take_turn(fight, "1", "stay", "shoot:Ben", "load", faces=[(3, 2), (4,)]).outcome
    assert shot.fighter("Ann").unready == (0, 2)
    again = act(shot, "Ann", "load", turn=UnderWay("Ann", 3, 3))
    assert again.outcome.fighter("Ann").unready == (0, 1)
    assert "load" not in keys(again.outcome, "Ann", turn=again.outcome.turn)
    assert "shoot:Ben" not in keys(again.outcome, "Ann")


# --- ties ---------------------------------------------------------------------------------------------------------------------


def test_those_who_tie_act_at_once():
    """Ann kills Ben, and Ben's shot of the same moment still falls, without what the wound would cost."""
    fight = replace(gunfight(), queue=(("Ann", "Ben"),))
    first = take_turn(fight, "1", "stay", "shoot:Ben", faces=[(6, 6), (2, 1)])
    assert first.outcome.fighter("Ben").body.dead
    assert first.outcome.queue == (("Ben",),)
    second = take_turn(first.outcome, "1", "stay", "shoot:Ann", faces=[(5, 2), (2, 1), AWAKE])
    assert pools(second)[0] == ("Ben", 2, -2)
    assert second.outcome.fighter("Ann").body.deep == 1
    assert second.outcome.frozen == ()


def test_with_advanced_ties_the_slower_acts_on_at_once_and_faints_later():
    ours = by(advanced_ties=True)
    fight = gunfight(ann={"combat_sense": 2}, ben={"combat_sense": 1})
    tied = roll_initiative(replace(fight, queue=()), (4, 2), (4,), rules=ours)
    assert tied.queue == (("Ann",), ("Ben",))
    assert tied.late == ("Ben",)
    first = take_turn(tied, "1", "stay", "shoot:Ben", faces=[(5, 2), (2, 1)], rules=ours)  # by 2: a Deep Wound, and no Health test
    assert first.outcome.fighter("Ben").body.deep == 1
    assert first.outcome.fighter("Ben").body.shaken
    second = take_turn(first.outcome, "1", "stay", "shoot:Ann", faces=[(3, 2), (4, 3)], rules=ours)
    assert pools(second)[0] == ("Ben", 2, -4)  # the action penalty counts
    assert second.outcome.late == ()
    from rulewright.play import script
    from rulewright.systems.silhouette.fight.turns import settle_health

    fainted = script(settle_health(ours, second.outcome), [(2, 1)]).outcome  # 0 against 1
    assert not fainted.fighter("Ben").body.able
    assert not fainted.fighter("Ben").body.shaken


def test_with_advanced_ties_the_dead_act_once_more_at_minus_two():
    ours = by(advanced_ties=True)
    fight = replace(gunfight(), late=("Ben",))
    first = take_turn(fight, "1", "stay", "shoot:Ben", faces=[(6, 6), (2, 1)], rules=ours)
    assert first.outcome.fighter("Ben").body.dead
    from rulewright.systems.silhouette.lab_view.scene import FightScene

    assert FightScene(ours).result(first.outcome) is None
    second = take_turn(first.outcome, "1", "stay", "shoot:Ann", faces=[(3, 2), (4, 3)], rules=ours)
    assert pools(second)[0] == ("Ben", 2, -4)  # long range and the last act
    assert FightScene(ours).result(second.outcome).winner == "Ann"


# --- stances and orders -------------------------------------------------------------------------------------------------------


def test_stances_are_taken_before_initiative_and_change_dice():
    ours = by(stances=True)
    fight = duel(ann={"combat_sense": 2}, ben={"combat_sense": 2})
    new = roll_initiative(replace(fight, queue=()), (4,), (4, 3, 2), choices=["offensive", "defensive"], rules=ours)
    assert [fighter.stance for fighter in new.fighters] == ["offensive", "defensive"]
    ann = take_turn(replace(new, queue=(("Ann",),)), "1", "stay", "strike:Ben", "parry", faces=[(3, 2, 1), (4, 3, 1)], rules=ours)
    assert pools(ann) == [("Ann", 3, 0), ("Ben", 3, 0)]


def test_the_focused_have_two_more_and_defend_by_situation():
    ours = by(stances=True)
    fight = duel(ann={"state": {"stance": "focused"}}, ben={"state": {"stance": "focused"}})
    played = take_turn(fight, "1", "stay", "strike:Ben", faces=[(2, 2), AWAKE], rules=ours)
    assert pools(played)[0] == ("Ann", 2, 2)  # nobody sneaks up on anybody: Melee in full, +2 for focus, against 0


def group(**points):
    members = (Member("Ann", 2), Member("Cat", 2))
    return Command("Ann", 2, members, **points)


def squad(**points):
    ann = someone("Ann", (0, 0), side="us", weapons=("heavy revolver",), small_arms=2, defense=2, leadership=2, combat_sense=2)
    cat = someone("Cat", (0, 2), side="us", weapons=("heavy revolver",), small_arms=2, defense=2, combat_sense=2)
    ben = someone("Ben", (20, 0), side="them", weapons=("heavy revolver",), small_arms=2, defense=2, combat_sense=2)
    return fight_of(ann, cat, ben, commands=(group(**points),))


ORDERS = by(command_points=True)


def test_a_leader_gives_orders_at_the_beginning_and_spends_an_action():
    new = roll_initiative(squad(), (5, 2), (4, 2), (3, 2), (5, 2), choices=["and 1", "no", 2], rules=ORDERS)
    assert new.fighter("Ann").ordered == 2
    command = new.commands[0]
    assert command.member("Cat").orders == 2  # Leadership 2, -1 for two actions: 4 against 1 gives 3, and Complexity 2 caps
    played = take_turn(new, "stay", "shoot:Ben", faces=[(3, 2), (4, 3)], rules=ORDERS)
    assert pools(played)[0] == ("Ann", 2, -3)


@pytest.mark.parametrize(
    ("light", "drunk", "near", "well", "points"),
    [
        ("", 0, False, "no", 3),
        ("", 0, False, "yes", 4),
        ("poor light", 0, False, "no", 2),
        ("", 2, False, "no", 1),
        ("very bright", 0, True, "no", 1),
    ],
)
def test_what_weighs_on_orders(light, drunk, near, well, points):  # lines 6049-6066: the situation, the play, and all of the other tables
    fight = replace(squad(), ground=Ground(light=light)).change("Ann", drunk=drunk)
    fight = fight.change("Ben", x=1.0) if near else fight
    new = roll_initiative(fight, (5, 2), (4, 2), (3, 2), (5, 2), choices=["and 1", well, 0], rules=ORDERS)
    assert new.commands[0].leadership == points  # 5, less 1 for two actions, against 1


def test_a_point_buys_a_free_action_without_its_penalty():
    fight = replace(squad(tactical=1), queue=(("Cat",), ("Ben",)))
    played = take_turn(fight, "1", "free action", "stay", "shoot:Ben", "shoot:Ben", faces=[(3, 2), (4, 3), (3, 2), (4, 3)], rules=ORDERS)
    assert [pool for pool in pools(played) if pool[0] == "Cat"] == [("Cat", 2, -2)] * 2
    assert played.outcome.commands[0].tactical == 0


def test_a_point_lets_one_act_before_the_enemy():
    fight = replace(squad(tactical=1), queue=(("Ben",), ("Cat",)))
    from rulewright.play import script
    from rulewright.systems.silhouette.fight.turns import next_turn

    after = script(next_turn(ORDERS, fight), [], ["yes"]).outcome
    assert after.queue == (("Cat",), ("Ben",))
    assert after.commands[0].tactical == 0
    assert after.turn is None


def test_a_point_helps_a_defense():
    fight = replace(squad(tactical=1), queue=(("Ben",),))
    played = take_turn(fight, "1", "stay", "shoot:Ann", "yes", faces=[(3, 2), (4, 3)], rules=ORDERS)
    assert pools(played) == [("Ben", 2, -2), ("Ann", 2, 1)]  # -1 standing still, +2
    assert not played.outcome.fighter("Ann").guarded


def test_no_stance_no_orders_without_the_options():
    assert roll_initiative(replace(duel(), queue=()), (4, 2), (4, 3)).fighter("Ann").stance == "neutral"
    with pytest.raises(UserError, match="script ends"):
        roll_initiative(replace(duel(), queue=()), (4, 2), (4, 3), rules=by(stances=True))
