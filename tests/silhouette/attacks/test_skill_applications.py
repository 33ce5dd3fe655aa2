"""Skill Applications and acting tough in a fight (book lines 5994-6012, 6947-6957)."""

from msgspec.structs import replace

from rulewright.play import script
from rulewright.scenes.scene import Result
from rulewright.systems.silhouette.attacks.skill_applications import offers
from rulewright.systems.silhouette.combat.fighters import Ground
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.resolution.applications import Use
from rulewright.systems.silhouette.resolution.tests import Mod, Pool

from ..fights import AWAKE, RULES, act, by, fight_of, pools, roll_initiative, someone, take_turn

ON = by(skill_applications=True)
CINEMA = by(reality="cinematic")
DARK = Ground(light="poor light")


def gunfight(complexity=1, **ann):
    ann.setdefault("small_arms", 3)
    one = someone("Ann", (0, 0), side="us", weapons=("medium pistol",), complexity={"small arms": complexity}, **ann)
    return fight_of(one, someone("Ben", (5, 0), side="them", defense=2), ground=DARK)


def test_what_is_offered_is_what_would_help():
    dim = Pool(2, (Mod("poor light", -1), Mod("flanked", -1), Mod("walking", -1)))
    assert offers(ON, dim) == (Use("acting blind", 1, -1), Use("acting while disadvantaged", 1, -1))
    assert offers(ON, Pool(2), deceives=True) == (Use("deception attack", 1), Use("deception attack", 2))
    assert offers(ON, Pool(2), encumbrance=-2) == (Use("acting while burdened", 1, -2), Use("acting while burdened", 2, -2))
    assert offers(ON, Pool(0), deceives=True) == ()


def test_a_shot_in_the_dark():
    plain = act(gunfight(), "Ann", "shoot:Ben", faces=[(2, 1, 1), (6, 5)])
    assert pools(plain) == [("Ann", 3, -1), ("Ben", 2, -2)]
    seeing = act(gunfight(), "Ann", "shoot:Ben", "acting blind 1", "no", faces=[(2, 1), (6, 5)], rules=ON)
    assert pools(seeing) == [("Ann", 2, 0), ("Ben", 2, -2)]
    assert seeing.outcome.fighter("Ann").applied == ("acting blind",)
    feint = act(gunfight(), "Ann", "shoot:Ben", "deception attack 2", "acting blind 1", faces=[(2,), (6, 5)], rules=ON)
    assert pools(feint) == [("Ann", 1, -1), ("Ben", 0, -1)]  # Ben lost two dice to the feint, and one to see: unskilled


def test_as_many_different_ones_in_a_round_as_complexity():
    both = act(gunfight(2), "Ann", "shoot:Ben", "acting blind 1", "deception attack 1", "no", faces=[(2,), (6,)], rules=ON)
    assert pools(both)[0] == ("Ann", 1, 0)
    again = act(both.outcome, "Ann", "shoot:Ben", "acting blind 1", "no", "no", faces=[(2, 1), (6, 5)], rules=ON)
    assert pools(again)[0] == ("Ann", 2, 0)
    # With Complexity 1 the second shot of a round may only repeat what the first one used.
    once = act(gunfight(), "Ann", "shoot:Ben", "acting blind 1", "no", faces=[(2, 1), (6, 5)], rules=ON).outcome
    assert act(once, "Ann", "shoot:Ben", "no", "no", faces=[(2, 1, 1), (6, 5)], rules=ON).outcome.fighter("Ann").applied == (
        "acting blind",
    )


def test_a_new_round_begins_afresh():
    used = gunfight(combat_sense=1).change("Ann", applied=("acting blind",))
    assert roll_initiative(used, (4,), (3, 2)).fighter("Ann").applied == ()


def test_a_blow_in_the_dark_and_in_armor():
    ann = someone("Ann", (0, 0), side="us", melee=3, weapons=("short sword",), armor="plate", complexity={"melee": 2})
    fight = fight_of(ann, someone("Ben", (1, 0), side="them", defense=2), ground=DARK)
    plain = act(fight, "Ann", "strike:Ben", "dodge", faces=[(2, 1, 1), (6, 5)])
    eased = act(fight, "Ann", "strike:Ben", "dodge", "acting while burdened 2", "no", "acting blind 1", faces=[(2,), (6,)], rules=ON)
    mine, theirs = pools(plain), pools(eased)
    assert (theirs[0][1], theirs[0][2]) == (mine[0][1] - 2, mine[0][2] + 2)
    assert (theirs[1][1], theirs[1][2]) == (mine[1][1] - 1, mine[1][2] + 1)


def test_a_burdened_shooter_may_give_up_dice_too():
    fight = gunfight(2, armor="plate")
    plain, eased = [(2, 1, 1), (6, 5)], [(2,), (6, 5)]
    assert pools(act(fight, "Ann", "shoot:Ben", faces=plain))[0] == ("Ann", 3, -3)  # poor light and plate
    assert pools(act(fight, "Ann", "shoot:Ben", "acting while burdened 2", "no", "no", faces=eased, rules=ON))[0] == ("Ann", 1, -1)


# --- acting tough ---------------------------------------------------------------------------------------------------------------


def test_the_wounded_may_act_tough_once():
    ann = someone("Ann", side="us", willpower=3, small_arms=2, weapons=("medium pistol",), wounds={"flesh": 2, "system_shock": 9})
    fight = fight_of(ann, someone("Ben", (5, 0), side="them", defense=1))
    brave = take_turn(fight, "yes", "1", "stay", "shoot:Ben", faces=[(6, 6), (2, 1), (6,)], rules=CINEMA, of="Ann")
    assert brave.outcome.fighter("Ann").body.tough == 3  # 6 and 1 for the other, 3 - 2: three over 5
    assert pools(brave)[1] == ("Ann", 2, 0)
    timid = take_turn(fight, "no", "1", "stay", "shoot:Ben", faces=[(2, 1), (6,)], rules=CINEMA, of="Ann")
    assert pools(timid)[0] == ("Ann", 2, -2)
    assert take_turn(fight, "1", "stay", "shoot:Ben", faces=[(2, 1), (6,)], rules=RULES, of="Ann").outcome


def test_who_fails_may_fall():
    ann = someone("Ann", side="us", wounds={"flesh": 2, "system_shock": 9})
    fight = fight_of(ann, someone("Ben", (5, 0), side="them"))
    down = take_turn(fight, "yes", faces=[(2, 3), (5, 4)], rules=CINEMA, of="Ann").outcome  # 3 - 2 against 5; then 5 - 2 - 4
    assert down.fighter("Ann").body.unconscious
    up = take_turn(fight, "yes", "1", "stay", "pass", faces=[(4, 6), AWAKE], rules=CINEMA, of="Ann").outcome
    assert up.fighter("Ann").body.acted_tough
    assert replace(up.fighter("Ann").body, acted_tough=False) == fight.fighter("Ann").body


def test_the_pain_comes_back_when_the_fight_is_over():
    """Whoever acted tough must stay conscious at the end; who faints then has carried the fight all the same."""
    ann = someone("Ann", side="us", wounds={"flesh": 2, "system_shock": 9, "tough": 1, "acted_tough": True})
    fight = fight_of(ann, someone("Ben", (5, 0), side="them", wounds={"dead": True}))
    scene = FightScene(CINEMA)
    assert scene.result(fight) is None
    faints = script(scene.step(fight), [(2, 1)]).outcome  # 2 - 2 against 1
    assert faints.fighter("Ann").body.unconscious
    assert scene.result(faints) == Result("us", "only us could still act")
    stands = script(scene.step(fight), [(3, 1)]).outcome
    assert (stands.fighter("Ann").body.awake, stands.fighter("Ann").body.acting_penalty) == (True, -2)
    assert scene.result(stands) is not None


def test_emergency_dice_help_to_look_tough():
    ann = someone("Ann", side="us", dice=3, wounds={"flesh": 2, "system_shock": 9})
    fight = fight_of(ann, someone("Ben", (5, 0), side="them"))
    brave = take_turn(fight, "yes", 2, "1", "stay", "pass", faces=[(6, 6, 6, 6)], rules=CINEMA, of="Ann").outcome.fighter("Ann").body
    assert (brave.tough, brave.emergency_dice) == (2, 1)  # 6 and 3, less 2: two over 5


# --- luck -----------------------------------------------------------------------------------------------------------------------


def lucky_fight(mine=ORDINARY, theirs=ORDINARY, **ann):
    one = someone("Ann", side="us", small_arms=2, melee=2, weapons=("medium pistol",), state={"fortune": mine}, **ann)
    return fight_of(one, someone("Ben", (5, 0), side="them", defense=2, state={"fortune": theirs}))


def test_the_perk_and_the_flaw_come_with_their_owner():
    assert someone("Ann", perks=(Trait("lucky"),)).fortune == Fortune(1, 0)


def test_the_lucky_roll_a_fumbled_attack_again_once():
    again = act(lucky_fight(Fortune(1)), "Ann", "shoot:Ben", "yes", faces=[(1, 1), (6, 5), (2, 1)])
    ann = again.outcome.fighter("Ann")
    assert (ann.jammed[1], ann.fortune) == (False, ORDINARY)
    jams = act(again.outcome, "Ann", "shoot:Ben", faces=[(1, 1), (6, 5)])
    assert jams.outcome.fighter("Ann").jammed[1]


def test_the_lucky_turn_a_modifier_after_the_roll():
    hurt = lucky_fight(Fortune(1), wounds={"flesh": 2, "system_shock": 9})
    turned = act(hurt, "Ann", "shoot:Ben", "yes", faces=[(4, 1), (4, 3), AWAKE])  # 4 + 2 against 4 - 1: 45 points
    assert turned.outcome.fighter("Ben").body.deep == 1
    kept = act(hurt, "Ann", "shoot:Ben", "no", faces=[(4, 1), (4, 3)])
    assert kept.outcome.fighter("Ann").fortune == Fortune(1)


def test_a_fumble_against_the_unlucky_is_rolled_again():
    came = act(lucky_fight(theirs=Fortune(0, 1)), "Ann", "shoot:Ben", "yes", faces=[(1, 1), (6, 5), (2, 1)]).outcome
    assert not came.fighter("Ann").jammed[1]
    assert came.fighter("Ben").fortune == ORDINARY


def test_ill_luck_never_turns_a_defense():
    fight = lucky_fight(theirs=Fortune(0, 1)).change("Ben", cover="heavy cover")
    assert act(fight, "Ann", "shoot:Ben", faces=[(4, 1), (3, 1)]).outcome.fighter("Ben").fortune == Fortune(0, 1)


def test_luck_has_its_say_in_blows_too():
    fight = lucky_fight(Fortune(1)).change("Ann", in_hand=0)
    fight = fight.change("Ben", x=1.0)
    came = act(fight, "Ann", "bruise:Ben", "dodge", "yes", faces=[(3, 1), (6, 5), (4, 3)]).outcome
    assert came.fighter("Ann").fortune == ORDINARY
