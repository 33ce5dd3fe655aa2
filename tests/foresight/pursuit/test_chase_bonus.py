"""Bonus actions in a pursuit, what pays for an action there, and arms that parry (book lines 3004-3008, 3055-3088, 3102, 3458)."""

from msgspec.structs import replace

from foresight.fights import drive
from foresight.pursuit.test_chase import chase, moved, ordered
from foresight.rules_for_tests import RULES, under
from rulewright.play import Player, Seeded, script
from rulewright.systems.foresight.combat.melee import damage_of
from rulewright.systems.foresight.pursuit.actions import Deed, act
from rulewright.systems.foresight.pursuit.bonus_actions import bonus_options, free_of
from rulewright.systems.foresight.pursuit.melee import side_by_side
from rulewright.systems.foresight.pursuit.pursuers import Place
from rulewright.systems.foresight.pursuit.rules import Gap
from rulewright.systems.foresight.pursuit.scene import finish_turn, roll_initiative, take_turn
from rulewright.systems.foresight.pursuit.tactics import TACTICS
from rulewright.systems.foresight.pursuit.wait_actions import perform, waiting_for
from rulewright.systems.foresight.resolution.tests import Task

GUN = "SL Pistol (TL5)"


def riding(**changes):
    """Cleo with a pistol in Ines' car, side by side with Odile's."""
    state = chase(others=[("smugglers", "Cleo", {"aboard": "Ines", "weapon": GUN})], who={"Cleo": "smuggler"})
    state = moved(state, 1, gap=Gap(0))
    return state.put(0, state.quarry.with_rider(1, qr=3, **changes))


def offered(rider, fresh=True, rules=RULES):
    return [option.key for option in bonus_options(rules, rider, fresh)]


def test_who_may_try_for_bonus_actions():
    cleo = riding().quarry.riders[1]
    assert offered(cleo) == ["bonus:fire", "bonus:aim"]
    assert offered(replace(cleo, jam=3)) == ["bonus:concentrate"]
    assert offered(replace(cleo, tried=True)) == offered(cleo, fresh=False) == []
    assert offered(replace(cleo, hand=0)) == ["bonus:draw"]
    assert offered(replace(cleo, hand=0, lost=tuple(range(1, len(cleo.profile.weapons))))) == []
    assert [option.key for option in bonus_options(RULES, cleo, True, True)] == [
        *offered(cleo),
        "bonus:dodge",
        "bonus:parry",
        "bonus:feint",
        "bonus:wind-up",
    ]
    assert offered(cleo, rules=under(bonus_actions=False)) == []


def test_bonus_shots_come_on_top_of_the_two():
    state = ordered(riding(), (0, 1, 2))
    dexterity = state.quarry.riders[1].profile.dx
    assert 10 <= dexterity <= 12  # QR4 wins two, a botch costs one
    four = 7 * dexterity
    lines = ["bonus:fire", "aim:Odile", "fire:Odile", "fire:Odile", "fire:Odile"]
    played = script(take_turn(RULES, state, Place(0, 1, 2)), [(four,), (98,), (98,), (98,)], lines)
    assert [rolled.roll.what for rolled in played.rolls] == ["bonus actions (fire)", "shot", "shot", "shot"]
    assert "Cleo wins 2 bonus actions (fire, reload and throw, QR4)" in [event.headline() for event in played.events]
    cleo = played.outcome.quarry.riders[1]
    assert (cleo.shots, cleo.tried, cleo.bonus, cleo.bonuses) == (3, False, "", 0)  # forgotten when the turn is over
    unused = script(take_turn(RULES, state, Place(0, 1, 2)), [(four,)], ["bonus:fire", "wait", "wait", "wait"])
    assert unused.outcome.quarry.riders[1].ammo == state.quarry.riders[1].ammo


def test_a_botch_costs_an_action_and_a_failed_initiative_the_roll():
    state = ordered(riding(), (0, 1, 2))
    botched = script(take_turn(RULES, state, Place(0, 1, 2)), [(100,), (98,)], ["bonus:fire", "fire:Odile"])
    assert [rolled.roll.what for rolled in botched.rolls] == ["bonus actions (fire)", "shot"]
    seen = []

    def first(choice):
        seen.append(choice.keys())
        return "wait"

    Player(Seeded(1), first).run(take_turn(RULES, state, Place(0, 1, 1)))
    Player(Seeded(1), first).run(take_turn(RULES, state, Place(0, 1, 2)))
    assert ["bonus:fire" in keys for keys in seen] == [False, True, False]


def test_bonus_actions_of_one_who_waited():  # 3008
    state = riding(focus="Odile", held=2)
    state = state.put(1, state.runners[1].with_rider(0, qr=4))
    dexterity = state.quarry.riders[1].profile.dx
    answered = script(perform(RULES, state, 1, 0, Deed("fire", 0)), [(7 * dexterity,), (98,)], ["first", "bonus:fire", "fire:Odile"])
    cleo = answered.outcome.quarry.riders[1]
    assert (cleo.tried, cleo.bonus, cleo.bonuses, cleo.held, cleo.spent, cleo.shots) == (True, "fire", 1, 2, 0, 1)


def test_a_laser_sight_aims_by_itself_once_a_turn():  # 3794
    cleo = riding().quarry.riders[1]
    weapons = tuple([replace(weapon, bonus_aim=1) for weapon in cleo.profile.weapons])
    sighted = replace(cleo, profile=replace(cleo.profile, weapons=weapons))
    assert free_of(sighted, Deed("aim", 1)) == {"sighted": True}
    assert free_of(replace(sighted, sighted=True), Deed("aim", 1)) is None
    assert free_of(cleo, Deed("aim", 1)) is None
    state = riding(profile=sighted.profile)
    played = script(take_turn(RULES, ordered(state, (0, 1, 2)), Place(0, 1, 2)), [(98,), (98,)], ["aim:Odile", "fire:Odile", "fire:Odile"])
    assert played.outcome.quarry.riders[1].shots == 2


def test_a_bare_arm_that_parries_takes_part_of_the_force():  # 3102
    foot = {"vehicle": "Human (on foot)"}
    state = moved(chase(ines=foot, odile=foot, place={"scale": "foot"}), 1, gap=Gap(0))
    odile = state.runners[1].riders[0]
    sword = replace(odile.profile.weapons[0], name="a sword", group="swords", normal=(0, 4.0, 0))
    armed = replace(odile, profile=replace(odile.profile, weapons=(*odile.profile.weapons, sword)), hand=len(odile.profile.weapons))
    state = state.put(1, replace(state.runners[1], riders=(armed,)))
    state = state.put(0, state.quarry.with_rider(0, focus="Odile"))
    blow = [("Ines", "parry:bare hands"), ("Odile", "QR4"), ("Ines", "QR4")]  # nothing gets through but to the arm
    played = drive(act(RULES, state, 1, 0, Deed("strike", 0)), *blow, ("Ines", "QR4"))
    assert [what for _, what, _ in played.rolls] == ["attack", "parry", "Pain Resistance"]
    body = played.outcome.quarry.body(0)
    assert (body.wounds, body.hurt) == (1, ("right arm",))
    spared = drive(act(under(parrying_limb="unharmed"), state, 1, 0, Deed("strike", 0)), *blow)
    assert spared.outcome.quarry.body(0).wounds == 0


def test_a_driver_left_senseless_by_a_critical_wound_may_come_to():  # 2585
    state = chase()
    down = replace(state.quarry.body(0), wounds=5, worst=5, unconscious=True)
    quick = replace(state.quarry.riders[0].profile, initiative=Task(20, 9))
    state = state.put(0, replace(state.quarry, driving=Task(20, 9)).with_body(0, down).with_rider(0, profile=quick))
    asleep = drive(roll_initiative(RULES, state), ("Ines", "QR7"), ("Odile", "QR3")).outcome
    assert asleep.quarry.body(0).unconscious
    assert Place(0, 0, 0) in asleep.order
    woke = drive(roll_initiative(RULES, state), ("Ines", "QR4"), ("Ines", "QR4"), ("Odile", "QR3"))
    assert [what for _, what, _ in woke.rolls] == ["willpower to come to", "initiative", "initiative"]
    after = woke.outcome
    assert (after.quarry.body(0).unconscious, after.quarry.riders[0].roused, Place(0, 0, 2) in after.order) == (False, True, True)
    turn = drive(take_turn(RULES, ordered(after, (0, 0, 2)), Place(0, 0, 2)), ("Ines", "QR4"))  # one action lost, the other drives
    assert [what for _, what, _ in turn.rolls] == ["operate"]
    assert not turn.outcome.quarry.riders[0].roused


# --- dodges and parries ---------------------------------------------------------------------------------------------------------

HORSE = {"vehicle": "Horse"}


def horsemen(**more):
    """Ines and Odile, each on a horse, side by side; Ines watches Odile."""
    state = moved(chase({**HORSE, **more}, HORSE), 1, gap=Gap(0))
    return state.put(0, state.quarry.with_rider(0, qr=3, focus="Odile"))


def asked_about(state, number=0):
    seen = []

    def note(choice):
        seen.append(choice.keys())
        return "wait"

    Player(Seeded(1), note).run(take_turn(RULES, moved(state, number, autopilot=True), Place(number, 0, 2)))
    return seen[0]


def test_bonus_dodges_are_tried_for_where_somebody_can_strike():  # 3063, 3077
    assert {"bonus:dodge", "bonus:parry"} <= set(asked_about(horsemen()))
    assert "bonus:dodge" not in asked_about(moved(horsemen(), 1, gap=Gap(1)))
    assert "bonus:dodge" not in asked_about(moved(chase(), 1, gap=Gap(0)))  # closed cars


def test_bonus_dodges_take_away_what_earlier_dodges_cost_and_last_until_all_have_had_their_turn():  # 3100
    state = horsemen()
    agility = state.quarry.riders[0].profile.task("AG").score
    assert 7 <= agility <= 12  # QR3 wins two or three
    lines = [("Ines", "QR4"), ("Ines", "bonus:dodge"), ("Ines", "QR3"), ("Ines", "wait")]  # driving, the roll, and the one action left
    turn = drive(take_turn(RULES, state, Place(0, 0, 2)), *lines)
    ines = turn.outcome.quarry.riders[0]
    won = 2 if agility <= 9 else 3
    assert (ines.tried, ines.bonus, ines.bonuses) == (True, "dodge", won)
    tired = turn.outcome.put(0, turn.outcome.quarry.with_rider(0, dodges=2))
    blow = [("Ines", "dodge"), ("Odile", "QR4"), ("Ines", "QR1")]
    easy = drive(act(RULES, tired, 1, 0, Deed("strike", 0)), *blow)
    hard = drive(act(RULES, tired.put(0, tired.quarry.with_rider(0, bonus="", bonuses=0)), 1, 0, Deed("strike", 0)), *blow)
    limits = [played.rolls[1][2].limits[3] for played in (easy, hard)]
    assert limits[0] > limits[1]  # two dodges before cost 4 rungs, but not a bonus dodge
    assert [(each.outcome.quarry.riders[0].dodges, each.outcome.quarry.riders[0].bonuses) for each in (easy, hard)] == [
        (2, won - 1),
        (3, 0),
    ]
    over = script(finish_turn(RULES, ordered(easy.outcome))).outcome.quarry.riders[0]
    assert (over.tried, over.bonus, over.bonuses, over.dodges) == (False, "", 0, 0)


def test_bonus_parries_are_for_parries_alone():  # 3105
    state = horsemen()
    ready = state.put(0, state.quarry.with_rider(0, bonus="parry", bonuses=2))
    parried = drive(act(RULES, ready, 1, 0, Deed("strike", 0)), ("Ines", "parry:bare hands"), ("Odile", "QR7"), ("Ines", "QR1"))
    assert (parried.outcome.quarry.riders[0].parries, parried.outcome.quarry.riders[0].bonuses) == (0, 1)
    dodged = drive(act(RULES, ready, 1, 0, Deed("strike", 0)), ("Ines", "dodge"), ("Odile", "QR7"), ("Ines", "QR1"))
    assert (dodged.outcome.quarry.riders[0].dodges, dodged.outcome.quarry.riders[0].bonuses) == (1, 2)


def test_who_waits_keeps_bonus_dodges_for_blows():
    state = horsemen()
    ready = state.put(0, state.quarry.with_rider(0, bonus="dodge", bonuses=2))
    assert waiting_for(ready, 1) == []  # nothing in hand that an action could be
    assert waiting_for(state.put(0, state.quarry.with_rider(0, bonus="fire", bonuses=1)), 1) == [(0, 0)]


# --- drawing ------------------------------------------------------------------------------------------------------------------


def test_a_passenger_draws_a_weapon_and_shoots():  # 3036, 3458
    state = moved(chase(others=[("smugglers", "Cleo", {"aboard": "Ines"})], who={"Cleo": "smuggler"}), 1, gap=Gap(0))
    cleo = state.quarry.riders[1]
    pistol = next(at for at in cleo.drawable if cleo.profile.weapons[at].name == GUN)
    assert (cleo.hand, cleo.profile.weapons[pistol].draw) == (0, 2)
    half = script(act(RULES, state, 0, 1, Deed("draw", pistol))).outcome.quarry.riders[1]
    assert (half.hand, half.drawing, half.drawn) == (0, pistol, 1)
    played = script(take_turn(RULES, ordered(state, (0, 1, 2)), Place(0, 1, 2)), [], [f"draw:{GUN}", f"draw:{GUN}"])
    armed = played.outcome.quarry.riders[1]
    assert (armed.hand, armed.ammo, armed.drawn, armed.cocked) == (pistol, cleo.profile.weapons[pistol].ammo, 0, True)
    fired = script(act(RULES, played.outcome, 0, 1, Deed("fire", 1)), [(98,)]).outcome.quarry.riders[1]
    assert fired.ammo == armed.ammo - 1


def test_bonus_actions_draw_faster():
    state = moved(chase(others=[("smugglers", "Cleo", {"aboard": "Ines"})], who={"Cleo": "smuggler"}), 1, gap=Gap(0))
    state = ordered(state.put(0, state.quarry.with_rider(1, qr=3)), (0, 1, 2))
    lines = [("Cleo", "bonus:draw"), ("Cleo", "QR4"), ("Cleo", f"draw:{GUN}"), ("Cleo", f"draw:{GUN}")]
    shots = [("Cleo", "fire:Odile"), ("Cleo", "QR7"), ("Cleo", "fire:Odile"), ("Cleo", "QR7")]
    done = drive(take_turn(RULES, state, Place(0, 1, 2)), *lines, *shots).outcome.quarry.riders[1]  # QR4 wins two
    assert (done.shots, done.bonuses) == (2, 0)


def test_what_was_let_go_of_is_not_drawn_again():
    state = horsemen(weapon="Dagger")
    dagger = state.quarry.riders[0].hand
    hurt = state.put(0, state.quarry.with_body(0, replace(state.quarry.body(0), dropped=("right arm",))))
    after = script(finish_turn(RULES, ordered(hurt))).outcome.quarry.riders[0]
    assert (after.hand, dagger in after.drawable) == (0, False)
    assert after.drawable == tuple(at for at in range(1, len(after.profile.weapons)) if at != dagger)


def test_passengers_left_to_their_tactics_draw_what_shoots():
    state = moved(chase(others=[("smugglers", "Cleo", {"aboard": "Ines"})], who={"Cleo": "smuggler"}), 1, gap=Gap(0))
    drawn = Player(Seeded(1), TACTICS["steady"]).run(take_turn(RULES, ordered(state, (0, 1, 2)), Place(0, 1, 2)))
    assert drawn.quarry.riders[1].weapon.name == GUN
    driver = Player(Seeded(1), TACTICS["steady"]).run(take_turn(RULES, ordered(state, (0, 0, 2)), Place(0, 0, 2)))
    assert driver.quarry.riders[0].weapon is None


def test_feints_and_wind_ups_from_the_saddle():  # 3024-3026, 3458
    state = horsemen()
    assert {"strike:Odile", "feint", "wind-up"} <= set(asked_about(state))
    assert "feint" not in asked_about(moved(state, 1, gap=Gap(1)))
    state = state.put(1, state.runners[1].with_rider(0, focus="Ines"))
    feinted = state
    for kind in ("feint", "feint", "wind-up"):
        feinted = script(act(RULES, feinted, 0, 0, Deed(kind))).outcome
    assert (feinted.quarry.riders[0].feints, feinted.quarry.riders[0].windups) == (2, 1)
    blow = [("Odile", "dodge"), ("Ines", "QR4"), ("Odile", "QR4")]
    plain, tricked = (drive(act(RULES, each, 0, 0, Deed("strike", 1)), *blow) for each in (state, feinted))
    limits = [played.rolls[1][2].limits[3] for played in (plain, tricked)]
    assert limits[0] > limits[1]
    after = tricked.outcome.quarry.riders[0]
    assert (after.feints, after.windups, after.blows) == (0, 0, 1)
    ready = side_by_side(feinted, 0, 0, 1, 0).fighter("Ines")
    assert damage_of(RULES, ready, "normal", 0)[0] == damage_of(RULES, replace(ready, windups=0), "normal", 0)[0] + 1
    spoilt = script(act(RULES, feinted, 0, 0, Deed("draw", 1))).outcome.quarry.riders[0]
    assert (spoilt.feints, spoilt.windups) == (0, 0)  # they count only right before the blow


def test_stun_ends_feints_wind_ups_and_aims():  # 2566, 3024-3028
    state = horsemen()
    ready = state.quarry.with_rider(0, feints=2, windups=1, aim=1, aim_at="Odile", just_hit="Odile")

    def left(runner):
        rider = runner.riders[0]
        return (rider.feints, rider.windups, rider.aim, rider.aim_at, rider.just_hit)

    kept = script(finish_turn(RULES, ordered(state.put(0, ready)))).outcome
    assert left(kept.quarry) == (2, 1, 1, "Odile", "Odile")
    dazed = state.put(0, ready.with_body(0, replace(ready.body(0), stunned=True)))
    assert left(script(finish_turn(RULES, ordered(dazed))).outcome.quarry) == (0, 0, 0, "", "")
    up = script(take_turn(RULES, moved(dazed, 0, autopilot=True), Place(0, 0, 2)), [(1,)]).outcome.quarry  # shaken off the same turn
    assert (up.body(0).stunned, left(up)) == (False, (0, 0, 0, "", ""))
