"""The hard parts of the book once more, written down plainly from its text and held against the game over many random cases.

Nothing here uses the game's own formulas: dice are counted face by face, time goes by minute by minute.
"""

import random
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial

import pytest
from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.play import Player, Seeded, script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.action.climbing import Climber, Wall, climb_wall
from rulewright.systems.silhouette.action.recovery import Course, follow, recover, time_passes
from rulewright.systems.silhouette.action.rounds import account
from rulewright.systems.silhouette.attacks.attack_setup import make_blow
from rulewright.systems.silhouette.combat.close_combat import Technique
from rulewright.systems.silhouette.combat.fighters import Action
from rulewright.systems.silhouette.combat.throws import throw
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.called_shots import aimed_dice
from rulewright.systems.silhouette.harm.damage import Hit, take_hit
from rulewright.systems.silhouette.harm.healing import Medic, save_life
from rulewright.systems.silhouette.resolution.dice_options import cinematic_chance
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, action_test, opposed_test, passes, reading

from .fights import RULES, by, fight_of, someone

# --- dice ---------------------------------------------------------------------------------------------------------------------


def multisets(dice, die):
    """Every set of faces that so many dice can show, and how many rolls show it."""
    for faces in combinations_with_replacement(range(1, die + 1), dice):
        rolls = factorial(dice)
        for count in Counter(faces).values():
            rolls //= factorial(count)
        yield faces, rolls


def height(own, emergency, die, way):
    """What dice come to, by each of the book's ways to read them."""
    faces = own + emergency
    top, tops, next_to_top = max(faces), faces.count(die), faces.count(die - 1)
    if top == 1:
        return 1
    if way == "gritty":  # own dice give six at most, Emergency Dice go beyond
        counted = (die in own) + emergency.count(die)
        return die + counted - 1 if counted else top
    if way == "text":  # further fives count as further sixes do
        return top + tops + next_to_top - 1 if top >= die - 1 else top
    if way == "table":  # as the printed chances have it: each of the two faces beyond the first of its own
        return top + max(0, tops - 1) + max(0, next_to_top - 1)
    if way == "highest":
        return top + faces.count(top) - 1
    if way == "any":
        return max([face + faces.count(face) - 1 for face in faces])
    return top + max(0, tops - 1)


@lru_cache(maxsize=500)
def counted(dice, emergency=0, modifier=0, die=6, way="plain"):
    """How many rolls come to which total, and whether they fumble."""
    pairs = product(range(1, die + 1), repeat=2)
    own = list(multisets(dice, die)) if dice > 0 else [((min(pair),), 1) for pair in pairs]
    found = Counter()
    for more, often in multisets(emergency, die):
        for faces, rolls in own:
            came = height(faces, more, die, way)
            total = 1 if came == 1 and dice <= 0 else max(0, came + modifier)  # an unskilled fumble has no modifiers
            found[total, came == 1] += rolls * often
    return found


WAYS = {
    "plain": {},
    "gritty": {"reality": "gritty"},
    "text": {"reality": "cinematic", "cinematic_dice": "text"},
    "table": {"reality": "cinematic", "cinematic_dice": "table"},
    "highest": {"multiples": "highest"},
    "any": {"multiples": "any"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("die", [6, 8, 10])
def test_every_reading_counted_face_by_face(way, die):
    rules = by(dice=f"d{die}", **WAYS[way])
    few = [(dice, emergency, modifier) for dice in (-1, 0, 1, 2, 3) for emergency in (0, 1, 2) for modifier in (-3, 0, 2)]
    many = [(10, 0, 0), (12, 0, -2), (0, 5, 1), (2, 5, 0)] if die == 6 else [(4, 1, 0)]
    for dice, emergency, modifier in [*few, *many]:
        pool = Pool(dice, (Mod("some", modifier),) if modifier else (), emergency)
        found = {(total.total, total.fumble): rolls for total, rolls in weights_of(reading(rules, pool)).items()}
        assert found == counted(dice, emergency, modifier, die, way), (dice, emergency, modifier)


@pytest.mark.parametrize("skill", [0, 1, 5, 10, 12])
@pytest.mark.parametrize("way", ["table", "text"])
def test_cinematic_chances_by_both_readings(skill, way):
    rolls = counted(skill, die=6, way=way)
    of = sum(rolls.values())
    for result in range(1, 18):
        exactly = Fraction(1000 * sum([often for (total, _), often in rolls.items() if total == result]), of)
        assert abs(Fraction(cinematic_chance(skill, result, way).value).limit_denominator(10) * 10 - exactly) <= Fraction(1, 2)


# --- draws --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(2, 7))
def test_a_draw_passes_a_test_loses_a_contest_and_hits_with_a_throw(face):
    test = script(action_test(RULES, Pool(1), face), [(face,)]).outcome
    assert (test.verdict, passes(RULES, test.total, test.threshold)) == ("draw", True)
    assert not passes(by(draws_pass=False), test.total, test.threshold)
    sides = Side(Pool(1), "stealth"), Side(Pool(1), "notice")
    assert script(opposed_test(RULES, *sides), [(face,), (face,)]).outcome.verdict == "draw"  # the resisting side's
    landed = script(throw(RULES, Pool(1), Pool(1)), [(face,), (face,)]).outcome
    assert (landed.on_target, landed.metres) == (True, 0)
    assert script(throw(RULES, Pool(1), None, face), [(face,)]).outcome.on_target


# --- bruises and wounds -------------------------------------------------------------------------------------------------------


def burden(flesh, deep, light, heavy):
    """What injuries cost: bruises alone 1 for two boxes, beside wounds as much as these."""
    return -(flesh + light) - 2 * (deep + heavy) if flesh or deep else -((light + 2 * heavy) // 2)


def battered(health, thresholds, blows, tests):
    """A body after blows, by the book: wounds, bruises, and whether it is dead, dying for how long, or senseless."""
    shock = max(1, 5 + health)
    flesh = deep = light = heavy = 0
    dead, dying, senseless, rolls = False, None, False, iter(tests)
    for damage, bruises in blows:
        level = sum([damage >= each for each in thresholds])
        if dead or not level:
            continue
        before = burden(flesh, deep, light, heavy)
        soft = bruises and light + 2 * heavy < shock
        if not soft and level == 3:
            dead, dying = True, None
            continue
        flesh, deep = flesh + (not soft and level == 1), deep + (not soft and level == 2)
        light, heavy = light + (soft and level == 1), heavy + (soft and level > 1)
        now = burden(flesh, deep, light, heavy)
        if (flesh or deep) and shock + now <= 0:
            dying = 2 * shock + now if dying is None else dying + now - before
            if dying <= 0:
                dead, dying = True, None
        if dead or senseless or dying is not None or (soft and light + 2 * heavy < shock):
            continue
        modifier, total, fumble = next(rolls)
        assert modifier == health + now
        senseless = fumble or total < 1
    assert next(rolls, None) is None
    return flesh, deep, light, heavy, dead, dying, senseless


def test_bruises_against_wounds():
    chance = random.Random(11)
    for seed in range(400):
        health, deep = chance.randint(-3, 3), chance.randint(15, 40)
        thresholds = (-(-deep // 2), deep, 2 * deep)
        most = 2 * deep + 8 if chance.random() < 0.2 else deep + 14
        blows = [(chance.randint(0, most), chance.random() < 0.7) for _ in range(chance.randint(1, 9))]
        body, player = Patient("v", health, *thresholds, max(1, 5 + health)), Player(Seeded(seed))
        for damage, bruises in blows:
            body = player.run(take_hit(RULES, body, Hit(damage, None, bruises)))
        tests = [(each.roll.reading.modifier, each.result.total, each.result.fumble) for each in player.rolls]
        senseless = body.coma or body.unconscious != 0
        came = (body.flesh, body.deep, body.bruised_flesh, body.bruised_deep, body.dead, body.trauma, senseless)
        assert came == battered(health, thresholds, blows, tests), (health, thresholds, blows)


# --- trauma, again and again --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=500)
def against_one(dice, modifier):
    """The chances of success, failure and fumble against 1."""
    rolls = counted(dice, 0, modifier)
    of = sum(rolls.values())
    fumbles = sum([often for (_, fumble), often in rolls.items() if fumble])
    done = sum([often for (total, fumble), often in rolls.items() if total >= 1 and not fumble])
    return Fraction(done, of), Fraction(of - done - fumbles, of), Fraction(fumbles, of)


def saved(medic, health, wounds, minutes, attempts):
    """How a dying person fares with a medic: the chance of every end (whether dead, and the wounds)."""
    shock, found = max(1, 5 + health), Counter()

    def chances(flesh, deep):
        added = medic.attribute + medic.complexity - 1 + medic.penalty
        return against_one(medic.medicine, added + health - flesh - 2 * deep)

    def attempt(flesh, deep, held, firm, minutes, left, weight):
        done, failed, fumbled = chances(flesh, deep)
        found[True, flesh, deep, held, firm] += weight * fumbled
        again(flesh, deep, held, firm, minutes - 5, left, weight * failed)
        after = [(flesh, deep, held, firm, Fraction(1))]
        if deep > firm or flesh > held:
            worked, nothing, worse = chances(flesh, deep)
            treated = (flesh, deep, held, firm + 1) if deep > firm else (flesh, deep, held + 1, firm)
            after = [(*treated, worked), (flesh, deep, held, firm, nothing), (flesh + 1, deep, held, firm, worse)]
        for flesh, deep, held, firm, part in after:
            if shock - (flesh - held) - 2 * (deep - firm) > 0:
                found[False, flesh, deep, held, firm] += weight * done * part
            else:
                again(flesh, deep, held, firm, 2 * shock - flesh - 2 * deep, left, weight * done * part)

    def again(flesh, deep, held, firm, minutes, left, weight):
        if minutes <= 0 or left == 1:
            found[True, flesh, deep, held, firm] += weight
        elif weight:
            attempt(flesh, deep, held, firm, minutes, left - 1, weight)

    attempt(*wounds, minutes, attempts, Fraction(1))
    return {end: weight for end, weight in found.items() if weight}


def test_the_trauma_loop():
    chance, seen = random.Random(5), 0
    while seen < 40:
        health, flesh, deep = chance.randint(-3, 3), chance.randint(0, 4), chance.randint(0, 4)
        shock, lost = max(1, 5 + health), flesh + 2 * deep
        if shock - lost > 0 or 2 * shock - lost <= 0:
            continue
        seen += 1
        held, firm = chance.randint(0, flesh) // 2, chance.randint(0, deep) // 2
        medic = Medic("m", chance.randint(0, 5), chance.randint(-1, 3), chance.randint(1, 4), -chance.randint(0, 2))
        victim = Patient(
            "v", health, system_shock=shock, flesh=flesh, deep=deep, stable_flesh=held, stable_deep=firm, trauma=2 * shock - lost
        )
        attempts = chance.randint(1, 5)
        odds = exact(lambda medic=medic, victim=victim, attempts=attempts: save_life(RULES, medic, victim, 0, attempts))
        ends = Counter()
        for after, weight in odds:
            ends[after.dead, after.flesh, after.deep, after.stable_flesh, after.stable_deep] += Fraction(weight, odds.total)
        assert dict(ends) == saved(medic, health, (flesh, deep, held, firm), 2 * shock - lost, attempts)


# --- wounds in time -----------------------------------------------------------------------------------------------------------

DAY = 24 * 60
HEALS = {"none": {"flesh": 7, "deep": 30}, "constant": {"flesh": 3, "deep": 14, "rest": 7}}


def later(health, wounds, resuscitated, pace, minutes, care, tests):
    """Wounds minute by minute: what heals, one thing at a time; what runs out; what gets worse, each kind by its own clock."""
    shock, rolls = max(1, 5 + health), iter(tests)
    flesh, deep, held, firm = wounds
    clocks, gone, mending, dying, stiff = {"flesh": 0, "deep": 0}, 0, "", None, 0
    for _ in range(minutes):
        if resuscitated and care == "none":
            return True, flesh, deep, held, firm, True, stiff, None
        goal = "rest" if resuscitated else ("flesh" if held else "") if flesh else "deep" if firm else ""
        goal = goal if dying is None else ""
        gone, mending = (gone + 1 if goal == mending else 1, goal)
        if goal and gone >= round(HEALS[care][goal] * DAY * pace):
            gone, mending, resuscitated = 0, "", resuscitated and goal != "rest"
            flesh, held = (flesh - 1, held - 1) if goal == "flesh" else (flesh, held)
            stiff -= goal == "deep" and care == "none"
            deep, firm = (deep - 1, firm - 1) if goal == "deep" else (deep, firm)
        if dying is not None:
            dying -= 1
            if dying <= 0:
                return True, flesh, deep, held, firm, resuscitated, stiff, None
        untreated = {"flesh": (flesh - held, 60 * -(-24 // max(1, flesh - held))), "deep": (deep - firm, -(-60 // max(1, deep - firm)))}
        for kind, (count, every) in untreated.items():
            clocks[kind] = clocks[kind] + 1 if count else 0
            if not count or clocks[kind] < every:
                continue
            clocks[kind] = 0
            total, fumble = next(rolls)
            if total >= 1 and not fumble:
                continue
            treated = resuscitated or (dying is None and shock - flesh - 2 * deep <= 0)
            before = flesh + 2 * deep
            flesh, deep = flesh + (not fumble), deep + fumble
            now = flesh + 2 * deep
            if dying is not None:
                dying += before - now
            elif shock - (now - held - 2 * firm if treated else now) <= 0:
                dying, resuscitated = 2 * shock - now, False
            if dying is not None and dying <= 0:
                return True, flesh, deep, held, firm, resuscitated, stiff, None
    assert next(rolls, None) is None
    return False, flesh, deep, held, firm, resuscitated, stiff, dying


def test_wounds_get_worse_and_heal_by_their_own_clocks():
    chance, seen = random.Random(3), 0
    while seen < 120:
        health, flesh, deep = chance.randint(-2, 4), chance.randint(0, 3), chance.randint(0, 2)
        shock = max(1, 5 + health)
        if shock - flesh - 2 * deep <= 0:
            continue
        seen += 1
        held, firm = chance.randint(0, flesh), chance.randint(0, deep)
        treated = (held, firm) == (flesh, deep)
        minutes = chance.choice([300, DAY, 3 * DAY, 20 * DAY] if treated else [100, 300, DAY])
        pace, brought_back, care = chance.choice([1, 0.75, 1.5]), chance.random() < 0.2, chance.choice(["none", "constant"])
        body = Patient("v", health, system_shock=shock, flesh=flesh, deep=deep, stable_flesh=held, stable_deep=firm)
        body = replace(body, resuscitated=brought_back, healing=pace)
        player = Player(Seeded(seen))
        after = player.run(time_passes(RULES, body, minutes, care))
        tests = [(each.result.total, each.result.fumble) for each in player.rolls]
        came = (
            after.dead,
            after.flesh,
            after.deep,
            after.stable_flesh,
            after.stable_deep,
            after.resuscitated,
            after.stiffness,
            after.trauma,
        )
        assert came == later(health, (flesh, deep, held, firm), brought_back, pace, minutes, care, tests), (health, flesh, deep, held, firm)


@pytest.mark.parametrize(
    ("wound", "bruise", "stable"), [("flesh", "bruised_flesh", "stable_flesh"), ("deep", "bruised_deep", "stable_deep")]
)
def test_as_many_wounds_stay_stabilized_as_there_are_wounds_and_bruises_beside_them(wound, bruise, stable):
    hurt = Patient("v", system_shock=9, **{wound: 1, bruise: 2, stable: 3})
    seen = [(3, 2, 1)]
    for days in range(1, 400):
        now = recover(RULES, hurt, days).value
        state = (getattr(now, stable), getattr(now, bruise), getattr(now, wound))
        if state != seen[-1]:
            seen.append(state)
        if not now.wounded:
            break
    assert seen == [(3, 2, 1), (2, 1, 1), (1, 0, 1), (0, 0, 0)]


def test_a_new_wound_that_goes_first_does_not_heal_with_the_time_of_another():
    loose = by(only_treated_wounds_heal=False)
    body = Patient("v", health=3, system_shock=8, deep=1, stable_deep=1)
    course = script(follow(loose, Course(body), 20 * DAY)).outcome
    hurt = Patient("v", health=3, system_shock=8, deep=1, stable_deep=1, flesh=1, stable_flesh=1)
    soon = script(follow(loose, Course(hurt, progress=course.progress, mending=course.mending), 60)).outcome
    assert (soon.patient.flesh, soon.progress, soon.mending) == (1, 60, "flesh")


# --- climbing until no roll can help -----------------------------------------------------------------------------------------


def climbed(dice, modifier, threshold, step, metres, hasty, rounds):
    """The chance of every end of a climb: (fallen, metres, what is lost of the grip)."""
    found = Counter()

    def outcomes(less):
        rolls = counted(dice, 0, modifier - less)
        of = sum(rolls.values())
        return [(total, fumble, Fraction(often, of)) for (total, fumble), often in rolls.items()]

    def slipping(at, grip, left, weight):
        if max([total for total, _, _ in outcomes(grip)]) < threshold:  # the Threshold cannot be met in any way
            found[True, at, grip] += weight
        else:
            after(at, grip, left, weight)

    def climbing(at, tests, left, weight):
        for total, fumble, part in outcomes(2 if hasty else 0):
            up = min(metres, at + step) if total >= threshold and not fumble else at
            if up == at and (fumble or threshold - total >= 4):
                slipping(at, 1, left, weight * part)
            elif tests > 1 and up < metres:
                climbing(up, tests - 1, left, weight * part)
            else:
                after(up, 0, left, weight * part)

    def regaining(at, grip, left, weight):
        for total, fumble, part in outcomes(grip):
            if total >= threshold and not fumble:
                after(at, grip - 1, left, weight * part)
            else:
                slipping(at, grip + 1, left, weight * part)

    def after(at, grip, left, weight):
        if at >= metres or left == 1:
            found[False, at, grip] += weight
        elif grip:
            regaining(at, grip, left - 1, weight)
        else:
            climbing(at, 2 if hasty else 1, left - 1, weight)

    climbing(0.0, 2 if hasty else 1, rounds, Fraction(1))
    return dict(found)


@pytest.mark.parametrize("how", ["action", "full round", "accelerated"])
def test_a_climb_to_the_end_or_to_the_fall(how):
    chance = random.Random(how)
    for _ in range(8):
        dice, modifier = chance.randint(0, 3), chance.randint(-2, 4)
        climber, wall = Climber("c", Pool(dice, (Mod("some", modifier),) if modifier else ()), 8.0), Wall(metres=chance.choice([5.0, 8.0]))
        odds = exact(lambda climber=climber, wall=wall: climb_wall(RULES, climber, wall, how, 2 if how == "accelerated" else 3))
        ends = Counter()
        for end, weight in odds:
            ends[end.fallen, end.metres, end.grip] += Fraction(weight, odds.total)
        step, rounds = (2.0 if how == "action" else 4.0), (2 if how == "accelerated" else 3)
        assert dict(ends) == climbed(dice, modifier, 7, step, wall.metres, how == "accelerated", rounds)


# --- actions ------------------------------------------------------------------------------------------------------------------


def test_a_turn_is_accounted_for_one_thing_after_the_other():
    for standard, simple in product(range(5), range(7)):
        actions, waiting = standard, 0
        for _ in range(simple):  # one is free, and two together are an action
            waiting += 1
            if waiting == 2:
                actions, waiting = actions + 1, 0
        came = account(standard, simple)
        assert (came.actions, came.penalty) == (actions, -max(0, actions - 1))
        assert came.tests == (actions - standard if actions > 1 else 0)


# --- dice that stack down to nothing ------------------------------------------------------------------------------------------

STANCE_DICE = {"neutral": (0, 0), "offensive": (1, -1), "defensive": (-1, 1)}
SMALLER = {None: 0, "torso": 1, "left arm": 2, "head": 3}


def test_everything_that_takes_dice_adds_up_and_nothing_left_is_unskilled():
    rules, chance = by(stances=True), random.Random(9)
    for _ in range(150):
        melee, defense = chance.randint(0, 4), chance.randint(0, 4)
        mine, theirs = chance.choice(list(STANCE_DICE)), chance.choice(list(STANCE_DICE))
        feint, many, location = chance.randint(0, melee), chance.randint(0, 2), chance.choice(list(SMALLER))
        ann = someone("Ann", melee=melee, weapons=("short sword",), rules=rules, state={"stance": mine})
        ben = someone("Ben", (1, 0), defense=defense, rules=rules, state={"stance": theirs, "many": many})
        fight = fight_of(ann, ben)
        action = Action("strike", technique=Technique("plain", feint), location=location)
        blow = make_blow(rules, fight, ann, ben, ann.weapon, action=action)
        attack = melee + STANCE_DICE[mine][0] - feint - SMALLER[location]
        guard = defense + STANCE_DICE[theirs][1] - feint - many
        assert (blow.attack.pool.dice, blow.defense.pool.dice) == (attack, guard)
        for pool in (blow.attack.pool, blow.defense.pool):
            bare, helped = [{t.total: w for t, w in weights_of(reading(rules, pool.with_emergency(n))).items()} for n in (0, 2)]
            assert sum(bare.values()) == 6 ** (pool.dice if pool.dice > 0 else 2)
            assert sum(helped.values()) == 6 ** (2 + (pool.dice if pool.dice > 0 else 2))  # Emergency Dice come on top of the pair too


def test_aiming_adds_a_die_a_round_up_to_the_skill_and_small_marks_take_theirs():
    for level, aim, (size, less) in product(range(5), range(7), {"none": 0, "torso": 1, "limb": 2, "head": 3, "finger": 4}.items()):
        assert aimed_dice(RULES, level, aim, size) == level + min(aim, level) - less
