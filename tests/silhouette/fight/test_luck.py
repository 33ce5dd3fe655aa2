"""Luck and Genre Points on every roll of a fight, and at its turning points (book lines 6120-6188, 8742-8747, 8844-8847)."""

import pytest
from msgspec.structs import replace

from rulewright.play import Player, Range, Rolled, ScriptedFaces, script
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Result
from rulewright.systems.silhouette.combat.fighters import Ground, UnderWay
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.fight.ambush import spring_ambush
from rulewright.systems.silhouette.fight.scene import begin
from rulewright.systems.silhouette.fight.turns import begin_round, next_turn
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.people.characters import Character
from rulewright.systems.silhouette.people.traits import Trait

from ..fights import AWAKE, RULES, act, by, fight_of, pools, roll_initiative, someone, step, take_turn, told
from .test_scenarios import shaken, staged_with

MISS = [(2, 1), (6, 5)]
"""A pistol at 5 m against two dice of Defense that stand still."""


def duel(*effects, points=3, foe=0, ann=None, ben=None, **skills):
    """Ann with a pistol and Ben with a knife, in a campaign with these effects."""
    one = someone(
        "Ann",
        side="us",
        small_arms=2,
        weapons=("medium pistol",),
        wounds={"genre": effects, "genre_points": points, **(ann or {})},
        **skills,
    )
    other = someone(
        "Ben", (5, 0), side="them", defense=2, weapons=("knife",), wounds={"genre": effects, "genre_points": foe, **(ben or {})}
    )
    return fight_of(one, other)


def points(fight):
    return [fighter.body.genre_points for fighter in fight.fighters]


def shoot(fight, *choices, faces):
    return act(fight, "Ann", "shoot:Ben", *choices, faces=faces)


# --- Insight ------------------------------------------------------------------------------------------------------------------


def test_insight_is_bought_before_the_roll():
    played = shoot(duel("insight"), 2, faces=[(2, 1, 1, 1), (6, 5)])
    assert pools(played)[0] == ("Ann", 4, 0)
    assert points(played.outcome) == [1, 0]
    unlearnt = act(duel("insight", points=1).change("Ann", in_hand=0, x=4.5), "Ann", "bruise:Ben", "block", 1, faces=[(5,), (6, 4)])
    assert pools(unlearnt)[0][:2] == ("Ann", 1)  # bare hands were never learnt: the one die is all


def test_insight_helps_the_defense_initiative_and_staying_conscious():
    fight = duel("insight", points=0, foe=3)
    played = shoot(fight, 1, 2, faces=[(4, 2), (2, 1, 1), (6, 5, 5, 5)])  # 4 against 2 - 1: 3 times 16, no more dice but for Health
    assert [pool[1] for pool in pools(played)] == [2, 3, 4]
    assert points(played.outcome) == [0, 0]
    first = script(step(RULES, fight, lambda fight: begin_round(RULES, fight)), [(3, 3), (2, 1, 1)], [3])
    assert [rolled.roll.by for rolled in first.rolls] == ["Ann", "Ben"]
    assert points(first.outcome) == [0, 0]


# --- Do It Again --------------------------------------------------------------------------------------------------------------


def test_ones_own_roll_again_costs_one_and_the_payer_picks():
    played = shoot(duel("do it again"), "again", "second", "no", faces=[*MISS, (6, 6), AWAKE])  # 7 against 6 - 1: by 2
    assert points(played.outcome) == [2, 0]
    assert "hits Ben by 2" in " ".join(told(played))
    kept = shoot(duel("do it again", points=1), "again", "first", faces=[(5, 4), (6, 5), (3, 2)])
    assert "misses" in " ".join(told(kept))


def test_anothers_roll_again_costs_three_and_the_payer_picks():
    fight = duel("do it again", points=4)
    played = shoot(fight, "no", "again", "second", faces=[(4, 2), (6, 5), (3, 2), AWAKE])  # Ann's own 4 stands, Ben's 6 does not
    assert points(played.outcome) == [1, 0]
    assert "hits Ben by 2" in " ".join(told(played))
    poor = duel("do it again", points=2)
    assert points(shoot(poor, "no", faces=[(4, 2), (6, 5)]).outcome) == [2, 0]  # asked about her own roll only


def test_two_poor_rolls_count_as_three_and_no_fumble():
    fight = duel("do it again", points=1)
    played = shoot(fight, "again", faces=[(1, 1), (3, 2), (2, 1), AWAKE])  # 3 against 3 - 1
    assert "hits Ben by 1" in " ".join(told(played))
    assert not played.outcome.fighter("Ann").jammed[1]


def test_a_fumble_that_is_kept_is_a_fumble():
    fight = duel("do it again", points=1)
    assert shoot(fight, "again", "first", faces=[(1, 1), (3, 2), (5, 1)]).outcome.fighter("Ann").jammed[1]
    assert not shoot(fight, "again", "second", faces=[(1, 1), (3, 2), (3, 1), AWAKE]).outcome.fighter("Ann").jammed[1]


def test_the_test_to_stay_conscious_may_be_rolled_again():
    fight = duel("do it again", points=0, foe=1)
    played = shoot(fight, "no", "again", "second", faces=[(4, 2), (3, 2), (1, 2), (6, 5)])
    assert played.outcome.fighter("Ben").body.awake
    assert points(played.outcome) == [0, 0]


# --- Sweet Success ------------------------------------------------------------------------------------------------------------


def test_sweet_success_adds_after_the_roll():
    played = shoot(duel("sweet success"), "+2", "no", faces=[(4, 2), (6, 5), AWAKE])  # 4 + 2 against 6 - 1
    assert "hits Ben by 1" in " ".join(told(played))
    assert points(played.outcome) == [1, 0]
    saved = shoot(duel("sweet success", points=0, foe=2), "+2", faces=[(4, 2), (3, 2)])
    assert "misses" in " ".join(told(saved))


def test_sweet_success_is_for_skills_alone():
    fight = duel("sweet success", points=0, foe=1)
    assert points(shoot(fight, "no", faces=[(4, 2), (3, 2), AWAKE]).outcome) == [0, 1]  # no question about Health


def test_nobody_is_asked_without_points_or_without_the_effect():
    assert shoot(duel("sweet success", "do it again", "insight", points=0), faces=MISS).outcome
    assert shoot(duel("last hurrah"), faces=MISS).outcome


# --- spending against it ------------------------------------------------------------------------------------------------------


def with_villain(*effects, points=3, foe=2):
    fight = duel(*effects, points=points, foe=foe)
    ben = fight.fighter("Ben")
    return fight.put(replace(ben, profile=replace(ben.profile, villain=True)))


def test_a_main_villain_makes_an_effect_dearer():
    fight = with_villain("sweet success")
    paid = shoot(fight, "+1", 2, "yes", faces=[(5, 2), (6, 5), AWAKE])
    assert points(paid.outcome) == [0, 0]
    assert "hits Ben by 1" in " ".join(told(paid))
    lost = shoot(fight, "+1", 2, "no", "no", faces=[(5, 2), (6, 5)])
    assert points(lost.outcome) == [2, 0]
    assert "misses" in " ".join(told(lost))
    free = shoot(fight, "+1", 0, "no", "no", faces=[(5, 2), (6, 5), AWAKE])
    assert points(free.outcome) == [2, 2]


def test_what_is_bought_in_a_turn_can_be_spent_against_too():
    fight = with_villain("opportunity seized", points=1, foe=1)
    played = take_turn(fight, "1", "opportunity seized", 1, "stay", "shoot:Ben", faces=MISS, of="Ann")
    assert points(played.outcome) == [0, 0]
    assert len(pools(played)) == 2  # no second action


# --- luck ---------------------------------------------------------------------------------------------------------------------


def armed(*weapons, fortune=ORDINARY, other=ORDINARY, **skills):
    ann = someone("Ann", side="us", weapons=weapons, state={"fortune": fortune}, **skills)
    return fight_of(ann, someone("Ben", (4, 0), side="them", defense=2, state={"fortune": other}))


def test_luck_turns_the_modifier_of_a_throw():
    fight = armed("hatchet", fortune=Fortune(1), throwing=2).change("Ann", body=replace(armed().fighters[0].body, flesh=2, system_shock=9))
    played = act(fight, "Ann", "throw:Ben", "yes", faces=[(4, 1), (5, 2), AWAKE])  # 4 + 2 against 5 - 1
    assert "hits Ben by 2" in " ".join(told(played))
    assert played.outcome.fighter("Ann").fortune == ORDINARY


def test_luck_rolls_a_fumbled_initiative_again():
    fight = armed(fortune=Fortune(1), combat_sense=2)
    begun = roll_initiative(fight, (1, 1), (4, 4), (6, 5), choices=["yes"])
    assert begun.queue == (("Ann",), ("Ben",))
    assert not begun.fighter("Ann").confused
    assert begun.fighter("Ann").fortune == ORDINARY
    assert roll_initiative(fight, (1, 1), (4, 4), choices=["no"]).fighter("Ann").confused


def test_luck_rolls_fumbled_saturation_fire_again():
    fight = armed("assault rifle", fortune=Fortune(1), small_arms=2)
    kept = act(fight, "Ann", "saturate:Ben", "no", faces=[(1, 1), (5, 4)])
    assert kept.outcome.fighter("Ann").jammed[1]
    again = act(fight, "Ann", "saturate:Ben", "yes", faces=[(1, 1), (3, 1), (6, 6)])
    assert not again.outcome.fighter("Ann").jammed[1]
    assert again.outcome.zones[0].threshold > kept.outcome.zones[0].threshold


def test_a_fumbled_grenade_against_the_unlucky_is_thrown_again():
    fight = armed("fragmentation grenade", other=Fortune(0, 1), throwing=2)
    played = act(fight, "Ann", "lob:Ben", "yes", faces=[(1, 1), (6, 5), (2, 1), (6, 5), (6, 5)])
    assert played.outcome.fighter("Ben").fortune == ORDINARY
    assert pools(played)[1][0] == "Ann"


def test_the_gamemaster_turns_what_helps_the_unlucky_but_no_health_test():
    fight = armed("medium pistol", fortune=Fortune(0, 1), small_arms=2, agility=2)
    assert act(fight, "Ann", "shoot:Ben", "yes", faces=[(4, 1), (5, 2)]).outcome.fighter("Ann").fortune == ORDINARY
    struck = armed("medium pistol", other=Fortune(0, 1), small_arms=2)
    ben = struck.fighter("Ben")
    struck = struck.put(replace(ben, body=replace(ben.body, health=3)))
    assert act(struck, "Ann", "shoot:Ben", faces=[(4, 2), (3, 2), AWAKE]).outcome.fighter("Ben").fortune == Fortune(0, 1)


def test_rolls_of_the_hidden_are_asked_about_in_secret():
    ann = someone("Ann", side="us", combat_sense=2, state={"hidden": True, "fortune": Fortune(1)})
    fight = replace(fight_of(ann, someone("Ben", (4, 0), side="them")), ambush_open=False)
    play = step(RULES, fight, lambda fight: begin_round(RULES, fight))
    asked = play.send(None)
    choice = play.send(tuple(roll.reading.read((1, 1)) for roll in asked.requests))
    assert (choice.who, choice.secret) == ("Ann", True)


# --- turning points -----------------------------------------------------------------------------------------------------------


def test_a_mortal_strike_comes_after_a_wound():
    fight = duel("mortal strike", points=7)
    in_time = shoot(fight, "yes", "in time", faces=[(4, 2), (3, 2), AWAKE]).outcome
    assert (points(in_time), in_time.fighter("Ben").body.doomed, in_time.fighter("Ben").body.dead) == ([1, 0], True, False)
    at_once = shoot(fight, "yes", "at once", faces=[(4, 2), (3, 2), AWAKE]).outcome
    assert at_once.fighter("Ben").body.dead
    assert shoot(fight, faces=MISS).outcome  # no wound, no question
    assert points(shoot(duel("mortal strike", points=5), faces=[(4, 2), (3, 2), AWAKE]).outcome) == [5, 0]


def test_it_may_still_be_called_for_at_ones_next_turn():
    kept = shoot(duel("mortal strike", points=6), "no", faces=[(4, 2), (3, 2), AWAKE]).outcome
    later = take_turn(kept, "1", "mortal strike", "in time", "stay", "pass", of="Ann").outcome
    assert later.fighter("Ben").body.doomed


def dying(effect, foe, **ben):
    """Ben is about to be dealt a wound that leaves no System Shock."""
    return duel(effect, points=0, foe=foe, ben={"flesh": 3, "system_shock": 4, "genre_points": foe, **ben})


def test_who_is_dying_may_escape_it():
    fight = dying("escape impending death", 3)
    saved = shoot(fight, "escape", faces=[(2, 1), (3, 2)]).outcome.fighter("Ben").body
    assert (saved.trauma, saved.spared, saved.genre_points, saved.awake) == (None, True, 0, False)
    assert shoot(fight, "no", faces=[(2, 1), (3, 2)]).outcome.fighter("Ben").body.trauma is not None
    assert shoot(dying("escape impending death", 2), faces=[(2, 1), (3, 2)]).outcome.fighter("Ben").body.trauma is not None


def test_the_dead_do_not_escape_but_have_a_last_hurrah():
    fight = duel("escape impending death", "last hurrah", points=0, foe=2)
    fight = replace(fight, queue=(("Ben",),))
    played = shoot(fight, "hurrah", 2, faces=[(6, 5), (2, 1)]).outcome  # 5 times 16: far beyond death
    ben = played.fighter("Ben").body
    assert (ben.dead, ben.last_rounds, ben.genre_points, ben.able, ben.penalty) == (False, 2, 0, True, 0)
    assert played.queue == (("Ben",),)  # the place in the round is kept
    second = roll_initiative(replace(played, queue=()), (6, 5), (3, 2))
    assert second.fighter("Ben").body.last_rounds == 1
    third = roll_initiative(replace(second, queue=()), (6, 5))
    assert third.fighter("Ben").body.dead
    scene = FightScene(RULES)
    assert scene.result(third) == Result("us", "only us can still act")


def test_the_end_of_the_fight_is_the_end_of_a_last_hurrah():
    fight = duel("last hurrah", points=1, ann={"last_rounds": 3, "flesh": 4}, ben={"dead": True})
    scene = FightScene(RULES)
    assert scene.result(fight) is None
    over = script(scene.step(fight)).outcome
    assert over.fighter("Ann").body.dead
    assert scene.result(over) == Result("us", "only us could still act")


def test_a_burst_of_angst_lasts_for_the_fight():
    fight = duel("burst of angst", ann={})
    assert take_turn(fight, "1", "stay", "shoot:Ben", faces=MISS, of="Ann").outcome  # nothing terrible has happened
    friend = someone("Cyd", (0, 9), side="us", wounds={"dead": True})
    fight = replace(fight, fighters=(*fight.fighters, friend))
    played = take_turn(fight, "1", "burst of angst 2", "agility", "no", "stay", "shoot:Ben", faces=MISS, of="Ann")
    assert pools(played)[0] == ("Ann", 2, 2)
    ann = played.outcome.fighter("Ann")
    assert (ann.profile.attribute("agility"), ann.profile.attribute("psyche"), ann.body.genre_points) == (2, -2, 1)
    ended = played.outcome.change("Ben", body=replace(played.outcome.fighter("Ben").body, dead=True))
    over = script(FightScene(RULES).step(ended)).outcome.fighter("Ann")
    assert (over.profile.attribute("agility"), over.profile.attribute("psyche"), over.angst) == (0, 0, ())


def test_psyche_is_never_pressed_below_minus_five():
    low = duel("burst of angst", points=9, psyche=-4).change("Ann", shocked=True)
    offered = next(choice for choice in _questions(low, "1") if choice.topic == "genre")
    assert offered.keys() == ("no", "burst of angst 1")


def _questions(fight, *choices):
    """The questions of a turn, the first answered as given and all others with the first option."""
    from rulewright.play import Player, Seeded, first_option

    asked, given = [], iter(choices)

    def decide(choice):
        asked.append(choice)
        return next(given, None) or first_option(choice)

    Player(Seeded(1), decide).run(step(RULES, replace(fight, queue=(("Ann",),)), lambda fight: next_turn(RULES, fight)))
    return asked


@pytest.mark.parametrize(("said", "dice"), [("no", 0), ("1", 1), ("3", 3)])
def test_a_skill_that_was_never_learnt_is_mimicked_for_one_roll(said, dice):
    fight = duel("mimic skill").change("Ann", in_hand=0, x=4.5)
    faces = [(5, 4, 3)[: dice or 2], (6, 5)]
    played = act(fight, "Ann", "bruise:Ben", "dodge", said, faces=faces)
    assert pools(played)[0][:2] == ("Ann", dice)
    assert played.outcome.fighter("Ann").profile.level("hand-to-hand") == 0
    assert points(played.outcome) == [3 - dice, 0]


def test_a_defense_is_mimicked_too_and_nothing_that_is_known():
    fight = duel("mimic skill", points=0, foe=2).change("Ben", profile=someone("Ben", side="them").profile)
    fight = fight.change("Ben", in_hand=0, ammo=(0,), jammed=(False,), unready=(0,), gone=("",))
    played = shoot(fight, "2", faces=[(2, 1), (6, 5)])
    assert pools(played)[1][:2] == ("Ben", 2)
    assert shoot(duel("mimic skill", foe=2), faces=MISS).outcome


def test_an_opportunity_comes_before_others_act():
    fight = replace(duel("opportunity seized", points=1), queue=(("Ben",), ("Ann",)))
    seized = script(step(RULES, fight, lambda fight: next_turn(RULES, fight)), (), ["yes"]).outcome
    assert (seized.turn, seized.queue, points(seized)) == (UnderWay("Ann", steady=False), fight.queue, [0, 0])
    waited = take_turn(fight, "no", "1", "stay", "pass")
    assert waited.outcome.queue == (("Ann",),)


# --- what must not be known ---------------------------------------------------------------------------------------------------


def lying_in_wait(*effects, fortune=ORDINARY):
    fight = duel(*effects, points=3, foe=3)
    fight = replace(fight, ground=Ground(ambush="us"), ambush_open=True, swayed=True)
    return fight.change("Ann", hidden=True).change("Ben", fortune=fortune)


def test_nobody_is_asked_about_an_ambush_they_may_not_know_of():
    fight = lying_in_wait("insight", "do it again", fortune=Fortune(1))
    asked = []

    def decide(choice):
        asked.append((choice.who, choice.secret or choice.topic == "do it again"))
        return "no" if not isinstance(choice.options, Range) else 0

    faces = ScriptedFaces([(1, 1), (1, 2)])
    Player(faces, decide).run(step(RULES, fight, lambda fight: spring_ambush(RULES, fight)))
    assert {who for who, _ in asked} == {"Ann"}


def test_who_lies_in_wait_may_have_the_others_look_again_without_seeing_the_dice():
    fight = lying_in_wait("do it again", "creative stunt", "get a clue")
    asked = []

    def decide(choice):
        asked.append((choice.who, choice.ask_for, choice.secret))
        return "again" if "noticing" in choice.ask_for else choice.keys()[-1] if choice.topic == "do it again" else "no"

    faces = ScriptedFaces([(6, 5), (5, 5), (1, 2)])
    after = Player(faces, decide).run(step(RULES, fight, lambda fight: spring_ambush(RULES, fight)))
    assert asked[0] == ("Ann", "The roll for noticing the ambush, Ben. Do you change it?", True)
    assert {(who, secret) for who, _, secret in asked} == {("Ann", True)}
    assert points(after) == [0, 3]


def test_who_walks_into_an_ambush_is_asked_nothing_and_sees_nothing_of_the_rolls():
    scene = FightScene(RULES)
    fight = replace(duel(points=0), ground=Ground(ambush="us"), ambush_open=True, swayed=False).change("Ann", hidden=True)
    encounter = Encounter.begin(scene, fight)
    before = scene.view(encounter.state, "Ben")
    assert {request.by for _, request in encounter.open} == {"Ann", "gamemaster"}
    assert all(request.secret for _, request in encounter.open)
    while encounter.state.ambush_open:
        (at, request), *_ = encounter.open
        encounter.give((6, 6) if request.by == "Ann" else (1, 2), at)
    assert encounter.state.fighter("Ben").unwary
    assert [isinstance(line.what, Rolled) for line in encounter.log] == [True, True, False]
    assert all(line.hidden_from("Ben") and not line.hidden_from(None) for line in encounter.log)
    assert scene.view(encounter.state, "Ben") == before


def test_who_lies_in_wait_may_mimic_stealth():
    fight = lying_in_wait("mimic skill", "creative stunt", "get a clue")
    played = script(step(RULES, fight, lambda fight: spring_ambush(RULES, fight)), [(3, 2), (6, 5)], ["2"])
    assert pools(played)[1][:2] == ("Ann", 2)
    assert points(played.outcome) == [1, 3]


# --- sharing ------------------------------------------------------------------------------------------------------------------


def friends(*effects, mine=1, theirs=3, start=1, **wounds):
    """Ann with her pistol, Cyd beside her, and Ben."""
    fight = duel(*effects, points=mine, ann=wounds)
    cyd = someone("Cyd", (0, 9), side="us", wounds={"genre": effects, "genre_points": theirs})
    fight = replace(fight, fighters=(*fight.fighters, cyd))
    ann = fight.fighter("Ann")
    return fight.put(replace(ann, profile=replace(ann.profile, genre_start=start)))


def test_friends_give_what_is_missing():
    fight = friends("group effort", "sweet success")
    played = shoot(fight, "+3", 2, "no", faces=[(4, 2), (6, 5), AWAKE])  # 4 + 3 against 6 - 1
    assert points(played.outcome) == [0, 0, 1]
    assert "hits Ben by 2" in " ".join(told(played))
    short = shoot(fight, "+3", 1, "no", faces=[(4, 2), (6, 5)])
    assert points(short.outcome) == [1, 0, 3]  # not enough: nothing is spent, and nothing comes of it
    assert "misses" in " ".join(told(short))
    assert points(shoot(friends("sweet success"), "+1", faces=[(4, 2), (6, 5)]).outcome) == [0, 0, 3]  # without the effect nobody is asked


def test_a_friend_may_pay_for_a_lucky_break_or_an_escape():
    fight = dying("escape impending death", 0)
    fight = fight.change("Ben", body=replace(fight.fighter("Ben").body, genre=("escape impending death", "group effort")))
    cyd = someone("Cyd", (0, 9), side="them", wounds={"genre": ("escape impending death", "group effort"), "genre_points": 4})
    saved = shoot(replace(fight, fighters=(*fight.fighters, cyd)), "escape", 3, faces=[(2, 1), (3, 2)]).outcome
    assert (saved.fighter("Ben").body.spared, points(saved)) == (True, [0, 0, 1])


def test_a_last_hurrah_takes_ones_own_points_alone():
    fight = duel("last hurrah", "group effort", points=0, foe=2)
    cyd = someone("Cyd", (0, 9), side="them", wounds={"genre": ("last hurrah", "group effort"), "genre_points": 4})
    after = shoot(replace(fight, fighters=(*fight.fighters, cyd)), "hurrah", 1, faces=[(6, 5), (2, 1)]).outcome
    assert points(after) == [0, 0, 4]


def test_a_common_pool_is_drawn_on_as_far_as_one_began_or_all_agree():
    pool = by(genre_pool=True)

    def shot(*said, start=2, faces=((4, 2), (6, 5), AWAKE)):
        return act(friends("sweet success", mine=1, theirs=3, start=start), "Ann", "shoot:Ben", *said, faces=faces, rules=pool)

    freely = shot("+2", "no")
    assert points(freely.outcome) == [0, 0, 2]
    agreed = shot("+3", "yes", "no")
    assert points(agreed.outcome) == [0, 0, 1]
    refused = shot("+3", "no", "no", faces=((4, 2), (6, 5)))
    assert points(refused.outcome) == [1, 0, 3]


def test_the_pool_remembers_what_everybody_began_with():
    def started(genre):
        placed = [Placed(Character(name), name, side, None, {"genre_points": 1}) for name, side in (("Ann", "us"), ("Ben", "them"))]
        scenario = Scenario("silhouette", "scenario", "x", sides={"us": [], "them": []}, place={"genre": genre})
        return [(f.profile.genre_start, f.body.genre_points) for f in begin(RULES, scenario, placed).fighters]

    assert started(["insight", "do it again", "mimic skill"]) == [(3, 1), (3, 1)]


EVERYTHING = """
place: {genre: [%s]}
sides:
  us: [{character: drop-sergeant, state: {genre_points: 30, fortune.lucky: 1}}, {character: court-fencer, at: [3, 1]}]
  them: [{character: hedge-knight, at: [4, 0], state: {fortune.unlucky: 1, genre_points: 30}}, {character: bounty-rider, at: [9, 3]}]
"""


@pytest.mark.parametrize(
    "effects",
    [
        "do it again, sweet success, insight, mimic skill, group effort",
        "last hurrah, escape impending death, mortal strike, burst of angst",
    ],
)
def test_random_decisions_never_break_such_a_fight(tmp_path, effects):
    staged = staged_with(tmp_path, EVERYTHING % effects)
    for seed in range(8):
        shaken(staged, seed, rounds=5)


def test_a_newcomer_has_the_effects_of_the_campaign_too():
    scene = FightScene(RULES)
    effects = ("insight", "do it again", "mimic skill")
    came = scene.join(duel(*effects), Character("Cyd"), "them").fighter("Cyd").body
    assert (came.genre, came.genre_points) == (effects, 3)
    plain = fight_of(someone("Ann", side="us"), someone("Ben", (5, 0), side="them"))
    assert not scene.join(plain, Character("Cyd"), "them").swayed
    assert scene.join(plain, Character("Cyd", perks=(Trait("lucky"),)), "them").swayed
