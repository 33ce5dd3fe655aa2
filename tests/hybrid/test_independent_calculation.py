"""Whole chains worked out a second time, in plain arithmetic from the book's text, and held against the rules over many cases."""

from fractions import Fraction
from math import floor

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright.play import Seeded, play
from rulewright.systems.hybrid.combat.attack_setup import strike
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Ground, enter
from rulewright.systems.hybrid.harm.damage import Blow, Body, Plate, wound
from rulewright.systems.hybrid.harm.energy import Energy, exert, rest, spend
from rulewright.systems.hybrid.people.characters import Character, Gear, Heritage, statistics_of
from rulewright.systems.hybrid.people.statistics import PRIMARY, Primary
from rulewright.systems.hybrid.resolution.tests import DEGREES, SUCCESSES, degree_of, success_chance
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
STAT = st.integers(1, 30)


def half_up(value):
    return floor(value + Fraction(1, 2))


# --- the check, at every limit (lines 319-385, 523-538) -------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(-15, 300), st.integers(-60, 60).filter(bool), st.sampled_from([(1, 1), (1, 2), (1, 4), (3, 10)]))
def test_a_changed_chance_has_its_limits_where_the_degrees_are_defined(df, percent, share):
    chance = floor(Fraction(*share) * max(1, min(98, success_chance(RULES, df).value + percent)))
    if chance == success_chance(RULES, df).value:  # kept within the ends of the table: the row stays
        return
    best = [half_up(Fraction(part) * chance) for part in ("0.01", "0.1", "0.25", "0.5", "1")]
    worst = [chance + 1, *(max(chance + 1, half_up(Fraction(part) * chance)) for part in ("1.5", "2", "2.5", "3"))]
    for roll in range(1, 101):
        reached = [place for place, limit in enumerate(best) if roll <= limit]
        failed = [place for place, limit in enumerate(worst) if roll >= limit]
        expected = DEGREES[reached[0]] if reached else DEGREES[5 + failed[-1]]
        assert degree_of(RULES, df, roll, percent, share) is expected, roll


# --- calculated statistics in the order of creation (lines 1303-1378, 2230-2246, 2482-2508) ---------------------------------------

RACES = {
    "Human": ({}, {}),
    "Thenean": ({"FCS": 2, "MEN": 1, "PBD": -2}, {}),
    "Hairochan": ({"PBD": 1, "MST": 1, "FCS": 1}, {"PMV": "0.8"}),
    "Kurrock": ({"PST": 3, "MST": 1, "PEN": 3, "PBD": 2, "NRG": -2}, {"PMV": "0.4", "MMV": "0.6"}),
}
FORMULAS = {  # what is added up, what it is divided by, and whether a race multiplies it
    "PBD": ("PST PEN", 1, True),
    "PFT": ("PEN PEN PAG", 1, False),
    "PEX": ("PEN PEN PEN PEN PAG", 1, False),
    "PMV": ("PST PAG", 5, True),
    "MBD": ("MST MEN", 1, True),
    "MFT": ("MEN MEN MAG", 1, False),
    "MEX": ("MEN MEN MEN MEN MAG", 1, False),
    "MMV": ("MST MAG", 5, True),
    "ACC": ("PST DEX", 2, False),
    "PCA": ("PST DEX PAG", 3, False),
    "PDF": ("PAG DEX", 2, False),
    "FCS": ("MST MAG", 2, False),
    "MCA": ("MST NRG MAG", 3, False),
    "MDF": ("MAG NRG", 2, False),
}
BUYABLE = ("PST", "PEN", "MAG", "NRG", "PBD", "PMV", "PCA", "FCS", "MFT", "APP")
GRANTABLE = ("PAG", "MAW", "PBD", "PEX", "PSE", "PSPD", "APP")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(5, 25), min_size=10, max_size=10),
    st.sampled_from(list(RACES)),
    st.dictionaries(st.sampled_from(BUYABLE), st.integers(1, 4), max_size=4),
    st.dictionaries(st.sampled_from(GRANTABLE), st.integers(-3, 3), max_size=3),
)
def test_race_gifts_and_purchases_join_primary_statistics_before_and_calculated_ones_after_the_formula(points, race, bought, granted):
    mods, times = RACES[race]

    def more(stat):
        return mods.get(stat, 0) + bought.get(stat, 0) + granted.get(stat, 0)

    character = Character("X", race=race, primary=Primary(*points), bought=bought, heritage=Heritage(mods=granted))
    found = {stat: figure.value for stat, figure in statistics_of(RULES, character).items()}
    primary = {stat: max(1, given + more(stat)) for stat, given in zip(PRIMARY, points, strict=True)}
    assert {stat: found[stat] for stat in PRIMARY} == primary
    for stat, (parts, divisor, by_race) in FORMULAS.items():
        exact = Fraction(sum(primary[part] for part in parts.split()), divisor) * Fraction(times.get(stat, "1") if by_race else "1")
        exact += more(stat)
        assert found[stat] == (half_up(10 * exact) / 10 if stat in ("PMV", "MMV") else half_up(exact)), stat
    assert found["PSE"] == half_up(Fraction(primary["PST"], 2)) + more("PSE")
    assert found["APP"] == more("APP")
    bands = (0, 3, 6, 9, 12, 16, 20, 25, 30, 35, 40)
    assert found["PSPD"] == max(0, sum(primary["PAW"] >= low for low in bands) - 1 + more("PSPD"))


# --- energy (lines 724-768) -------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 70), st.integers(0, 9), st.integers(0, 7_300), st.integers(0, 60))
def test_energy_is_used_and_comes_back_by_the_tables(fatigue, exhaustion, worn, seconds, points):
    energy = Energy(fatigue, exhaustion, 40, 70, worn)
    walked = spend(RULES, energy, "walking", seconds)
    assert (walked.fatigue, walked.exhaustion) == (max(0, fatigue - seconds // 60), max(0, exhaustion - seconds // 600))
    dashed = spend(RULES, energy, "dash", seconds)
    assert (dashed.fatigue, dashed.exhaustion) == (fatigue, max(0, exhaustion - 2 * seconds))
    tired = exert(RULES, energy, points)
    used = min(points, fatigue)
    assert (tired.fatigue, tired.worn) == (fatigue - used, (worn + used) % 10)
    assert tired.exhaustion == max(0, max(0, exhaustion - (worn + used) // 10) - (points - used))
    slept = rest(RULES, energy, "sleeping", seconds)
    assert (slept.fatigue, slept.exhaustion) == (min(40, fatigue + seconds), min(70, exhaustion + seconds // 360))


# --- damage (lines 1002-1065, 1135-1139) ------------------------------------------------------------------------------------------

PARTS = {6: "Head", 30: "Chest", 48: "Abdomen", 56: "Groin", 72: "Upper Leg", 84: "Lower Leg", 86: "Foot", 92: "Upper Arm"}
PARTS |= {98: "Lower Arm", 100: "Hand"}
EFFECTS = dict(zip(SUCCESSES, (Fraction(3), Fraction(2), Fraction(3, 2), Fraction(5, 4), Fraction(1)), strict=True))


def shocked(failed_by, already):
    order = ("", "jolted", "stunned", "badly stunned", "unconscious")
    struck = 0 if failed_by <= 0 else 1 + sum(failed_by >= limit for limit in (25, 50, 75))
    return order[max(struck, order.index(already))]


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(STAT, STAT, STAT, st.integers(1, 40), st.integers(0, 30), st.integers(0, 8)),
    st.sampled_from(["", "jolted", "badly stunned"]),
    st.sampled_from(["crushing", "cutting", "piercing", "projectile", "laser", "energy", "explosive"]),
    st.sampled_from(SUCCESSES),
    st.sampled_from([(1, 1), (3, 2)]),
    st.booleans(),
    st.integers(0, 10_000),
)
def test_a_blow_goes_through_armour_fatigue_and_body_to_what_follows(body, shock, kind, degree, manner, rolls_with, seed):
    pst, pen, pag, pbd, fatigue, plate = body
    armour = (Plate("vest", ("Chest", "Abdomen", "Groin"), ((kind, plate),)),)
    victim = Body("Bo", pbd, 40, Energy(fatigue, 50, 30, 50), pst=pst, pen=pen, pag=pag, armour=armour, shock=shock)
    blow = Blow((10, 10), 2, kind, degree=degree, times=manner, rolled_with=rolls_with)
    played = play(wound(RULES, victim, blow), dice=Seeded(seed))
    after, faces = played.outcome, iter([rolled.faces for rolled in played.rolls])

    def missed_by(df):
        return next(faces)[0] - success_chance(RULES, df).value

    roll = next(faces)[0]
    place = next(part for upto, part in PARTS.items() if roll <= upto)
    points = half_up((sum(next(faces)) + 2) * EFFECTS[degree] * Fraction(*manner))
    past = max(0, points - (plate if place in ("Chest", "Abdomen", "Groin") else 0))
    tired, flesh = min(past, fatigue), max(0, past - fatigue)
    assert (after.energy.fatigue, after.energy.exhaustion) == (fatigue - tired, 50 - tired // 10)
    assert (after.pbd, after.dead) == (max(0, pbd - flesh), flesh >= pbd)
    if after.dead:
        assert next(faces, None) is None
        return
    spared = rolls_with and missed_by(pag) <= 0
    strong = kind == "explosive" or (kind in ("crushing", "projectile") and (2 * tired > 30 or 4 * flesh > 40))
    assert after.prone == (strong and not spared and missed_by(max(pst, pag) - 2) > 0)
    cut = flesh > 0 and kind in ("cutting", "piercing")
    assert bool(after.bleeding) == (cut and missed_by(pen - 3) > 0)
    calls = flesh > 0 or kind == "energy"
    there = {"Head": -6, "Groin": -4}.get(place, 0) + 5 * spared
    assert after.shock == (shocked(missed_by(pen + there), shock) if calls else shock)
    assert next(faces, None) is None


# --- the chance to hit, with everything around it (lines 472-515, 910-942, 1067-1119) -----------------------------------------------

WAYS = {"": 0, "spinning": -2, "jumping": -4, "both hands": -4}
CALLED = {"": 0, "eye": -18, "hand": -15, "head": -12, "leg": -9, "chest": -6}
SHOCKS = {"": 0, "jolted": -2, "stunned": -4, "badly stunned": -6}
PACES = {"no move": 0, "walk": 0, "jog": -3, "run": -5, "dash": -7}
TIMES = {"normal": 1, "evading": 2, "prone": Fraction(1, 2), "all out": 0, "dropping": 3}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(5, 25), min_size=6, max_size=6),
    st.sampled_from([None, 0, 4, 12]),
    st.tuples(st.sampled_from(list(WAYS)), st.sampled_from(list(CALLED)), st.sampled_from(list(SHOCKS)), st.sampled_from(list(PACES))),
    st.tuples(st.integers(1, 40), st.booleans(), st.booleans(), st.booleans()),
    st.tuples(st.sampled_from([*TIMES, "unaware", "dodge"]), st.integers(0, 19), st.booleans()),
)
def test_a_stab_has_the_difficulty_and_meets_the_defense_of_the_book(stats, rank, how, condition, meets):
    pst, dex, pag, others_dex, others_pag, others_pst = stats
    (way, called, shock, pace), (left, exhausted, presses, in_the_dark), (guard, count, gives_way) = how, condition, meets
    skills = {} if rank is None else {"Dagger": rank}
    al = Character("Al", primary=Primary(pst=pst, dex=dex, pag=pag, pen=40 - pst), skills=skills, gear=Gear(weapons=("knife",)))
    bo = Character("Bo", primary=Primary(pst=others_pst, dex=others_dex, pag=others_pag))
    me, foe = enter(RULES, al, "Al", "a"), enter(RULES, bo, "Bo", "b", at=(1.0, 0.0))
    energy = replace(me.body.energy, exhaustion=0 if exhausted else 9)
    me = replace(me, body=replace(me.body, pbd=left, energy=energy, shock=shock), pace=pace, advancing=presses, entered=True, aware=True)
    doing = Doing("dodge") if guard == "dodge" else Doing("drop prone") if guard == "dropping" else None
    foe = replace(foe, entered=True, aware=guard != "unaware", evading=guard == "evading", retreating=gives_way, doing=doing)
    foe = replace(foe, body=replace(foe.body, prone=guard == "prone"), all_out="body" if guard == "all out" else "")
    ground = Ground(("visibility reduced 75%", "gravity 50% off") if in_the_dark else ())
    found = strike(RULES, Fight(ground, (me, foe)), me, foe, doing=Doing("attack", "Bo", count, way, called), arm=me.arm, now=count)

    lost = Fraction(40 - left, 40)
    wounds = next((cost for share, cost in ((90, -20), (75, -8), (50, -4), (25, -2)) if 100 * lost >= share), 0)
    df = half_up(Fraction(pst + dex + pag, 3)) + (-15 if rank is None else rank) - 1  # a knife is a simple tool
    df += wounds - 6 * exhausted + SHOCKS[shock] + PACES[pace] + 4 * presses - 7 * in_the_dark + WAYS[way] + CALLED[called]
    assert found.check.df == df
    times = (2 if count < 5 else 3 if count < 15 else 1) if guard == "dodge" else TIMES.get(guard, 0)
    defense = floor(half_up(Fraction(others_dex + others_pag, 2)) * times) + 6 * gives_way
    assert found.defense == (0 if guard == "unaware" else defense)
