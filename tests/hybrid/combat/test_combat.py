"""Attack, defence and manoeuvres (book lines 898-1000, 1067-1133)."""

from fractions import Fraction

import pytest

from rulewright.play import script, sub
from rulewright.play.odds import exact, sample
from rulewright.systems.hybrid.combat.attacks import (
    Answer,
    Strike,
    advance,
    against_defense,
    all_out,
    attack,
    attack_factor,
    block,
    block_modifier,
    crouch,
    defense_value,
    dodge,
    dodge_phase,
    drop_prone,
    evasion,
    half_speed,
    lob,
    lob_range,
    may_advance,
    off_hand,
    parry,
    parry_modifier,
    recover_from_dodge,
    release,
    retreat,
    rising,
    side_effects,
    stat_base,
)
from rulewright.systems.hybrid.combat.maneuvers import (
    as_a_club,
    close_in,
    disarm,
    feint,
    fend_check,
    fend_counts,
    grapple,
    grip_bonus,
    hold_strength,
    jumping,
    must_close,
    overbear,
    overbear_strike,
    spinning,
    struggle,
    subdues,
    throw,
    throw_strike,
    tighten,
)
from rulewright.systems.hybrid.harm.damage import Blow, Body, roll_with_blow
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.resolution.tests import Check
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
BO = Body("Bo", energy=Energy.full(4, 60))


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def test_the_hit_roll_loses_the_defense_of_those_who_know_of_it():  # 912
    assert attack_factor(RULES, 12, 8, 12).value == 8
    assert attack_factor(RULES, 12, 8, 12, aware=False).value == 20
    assert against_defense(RULES, Check(20), 12) == Check(8)
    percent = under(defense_counts="percent")
    assert against_defense(percent, Check(20), 12) == Check(20, -12)
    assert attack_factor(percent, 12, 8, 12).value == 20


def test_statistics_of_attacks():
    kinds = ("melee", "thrown", "missile", "mental", "mental on a thing")
    assert [stat_base(RULES, kind) for kind in kinds] == ["PCA", "ACC", "ACC", "MCA", "FCS"]


def test_defense_by_how_one_moves():  # 1067-1119
    assert defense_value(RULES, 12).value == 12
    assert defense_value(RULES, 12, aware=False).value == 0
    assert evasion(RULES, 12).value == crouch(RULES, 12).value == 24
    assert [dodge(RULES, 12, counts).value for counts in (0, 4, 5, 14, 15, 19)] == [24, 24, 36, 36, 12, 12]
    assert dodge(RULES, 12, 5, evading=True).value == 39
    assert dodge_phase(RULES, 15) == "dodge: recovery"
    assert (drop_prone(RULES, 13).value, drop_prone(RULES, 13, True).value, rising(RULES)) == (39, 6, 30)
    assert defense_value(RULES, 12, "none").value == 0


def test_giving_up_defense_pressing_and_falling_back():  # 918-924, 1081
    assert all_out(RULES, 13).value == 13
    assert (advance(RULES).value, advance(RULES, False).value) == (4, -4)
    assert (retreat(RULES).value, retreat(RULES, True).value) == (6, -6)
    assert may_advance(RULES, 50, 50)
    assert not may_advance(RULES, 49, 50)
    assert (lob(RULES).value, lob_range(RULES, 14).value) == (-2, 14)


def test_the_off_hand():
    assert off_hand(RULES).value == -4
    assert off_hand(RULES, ambidextrous=True).value == 0
    assert off_hand(under(off_hand=-6)).value == -6


def test_a_dodge_ends_in_a_fall_unless_one_is_an_acrobat():
    assert not script(recover_from_dodge(RULES)).outcome
    assert script(recover_from_dodge(RULES, Check(12)), [(52,)]).outcome


def test_what_a_parry_costs():  # 1123
    assert [parry_modifier(RULES, kind).value for kind in ("melee", "thrown", "projectile", "energy")] == [-3, -5, -30, -40]
    adding = under(parry_modifiers="add")
    assert [parry_modifier(adding, kind).value for kind in ("melee", "thrown", "projectile", "energy")] == [-3, -8, -33, -43]
    assert (half_speed(RULES, 9).value, half_speed(RULES, 1).value) == (4, 1)


def test_a_parry_is_an_opposed_roll_with_side_effects():  # 1127-1129
    assert not script(parry(RULES, Check(12), 20), [(33,)]).outcome.success
    assert script(parry(RULES, Check(12), 20), [(30,)]).outcome.bound
    made = script(parry(RULES, Check(12), 0), [(10,)]).outcome
    assert (made.success, made.bound, made.off_balance) == (True, False, -4)
    assert side_effects(RULES, True, 25).off_balance == 0
    assert side_effects(RULES, True, 80).off_balance == -6
    assert side_effects(under(off_balance_worst=2), True, 60).off_balance == -2


def test_bound_weapons_come_free_by_an_opposed_roll():
    assert script(release(RULES), [(40,), (41,)]).outcome
    assert not script(release(RULES), [(40,), (40,)]).outcome
    assert not script(release(RULES), [(60,)]).outcome


def test_a_block_is_armour():  # 1133
    assert block_modifier(RULES).value == -2
    assert script(block(RULES, Check(12)), [(52,), (5,)]).outcome == 8
    assert script(block(RULES, Check(12)), [(53,)]).outcome == 0


def test_an_attack_that_is_blocked_or_parried():
    strike = Strike(Check(24), 12, Blow((6,), 3), "Al")
    blocked = script(attack(RULES, strike, BO, Answer("block", Check(12), (6,), 3, "Bo")), [(50,), (20,), (6,), (20,), (6,)])
    assert blocked.outcome.body == BO
    parried = script(attack(RULES, strike, BO, Answer("parry", Check(12), by="Bo")), [(50,), (30,)]).outcome
    assert not parried.hit


def test_exact_odds_of_an_attack_through_to_the_wound_equal_simulated_ones():
    strike = Strike(Check(24), 12, Blow((6,), 3), "Al")
    part = sub(attack, RULES, strike, BO)
    odds = exact(part)
    assert odds.unsettled == 0
    assert odds.map(lambda struck: struck.hit)[True] == Fraction(52, 100)
    n = 4000
    counted = sample(part, n, seed=5)
    for what in (
        lambda s: s.hit,
        lambda s: s.body.pbd < 24,
        lambda s: bool(s.body.bleeding),
        lambda s: s.body.shock == "jolted",
        lambda s: s.body.shock == "stunned",
        lambda s: s.body.pbd < 18,
    ):
        true = odds.chance(what)[0]
        found = sum(times for outcome, times in counted.items() if what(outcome)) / n
        assert abs(found - true) < 4 * (true * (1 - true) / n) ** 0.5 + 1e-9
    assert set(counted) <= set(odds.weights)


def test_the_odds_of_the_wound_are_those_of_every_roll_counted_by_hand():
    """Attack, place, die: DF 12 has 52 %, degrees at 1, 5, 13, 26; a vest takes 3 off chest and abdomen; 4 of fatigue go first."""
    from rulewright.systems.hybrid.harm.damage import Plate

    vest = Plate("vest", ("Chest", "Abdomen"), (("piercing", 3),))
    body = Body("Bo", energy=Energy(4, 60, 36, 60), armour=(vest,))
    odds = exact(sub(attack, RULES, Strike(Check(24), 12, Blow((6,), 3), "Al"), body)).map(lambda struck: struck.body.pbd)
    counted: dict[int, int] = {}
    for roll in range(1, 101):
        times = next((by for limit, by in ((1, "3"), (5, "2"), (13, "1.5"), (26, "1.25"), (52, "1")) if roll <= limit), None)
        for place in range(1, 101):
            for face in range(1, 7):
                left = 24
                if times is not None:
                    points = int((face + 3) * Fraction(times) + Fraction(1, 2)) - (3 if 7 <= place <= 48 else 0)
                    left = max(0, 24 - max(0, points - 4))
                counted[left] = counted.get(left, 0) + 1
    assert {left: odds[left] for left in counted} == {left: Fraction(number, 60_000) for left, number in counted.items()}


def test_the_odds_of_a_parried_attack_are_those_of_all_pairs_of_rolls():
    from rulewright.systems.hybrid.resolution.tests import limits

    strike, answer = Strike(Check(24), 12), Answer("parry", Check(16))
    odds = exact(sub(attack, RULES, strike, BO, answer)).map(lambda struck: struck.hit)
    hits, own = limits(RULES, Check(12)).chance, limits(RULES, Check(16)).chance
    through = sum(100 - max(1, min(98, own - (hits - roll))) if hits - roll else 100 - own for roll in range(1, hits + 1))
    assert odds[True] == Fraction(through, 10_000)


# --- manoeuvres -----------------------------------------------------------------------------------------------------------------


def test_closing_in_on_a_longer_weapon():  # 898-908
    assert must_close(RULES, 20, 90)
    assert not must_close(RULES, 90, 90)
    assert fend_check(RULES, Check(12), True) == Check(18)
    assert fend_counts(RULES, 8).value == 4
    fend = Strike(Check(24), 12, Blow((6,), 3), "Al", "fend")
    assert script(close_in(RULES, BO, None)).outcome.inside
    assert script(close_in(RULES, BO, fend), [(60,)]).outcome.inside
    assert not script(close_in(RULES, BO, fend), [(50,)], ["break off"]).outcome.inside
    hurt = script(close_in(RULES, BO, fend), [(50,), (20,), (1,)], ["ignore"]).outcome
    assert hurt.inside
    assert hurt.body.energy.fatigue == 0
    assert script(close_in(RULES, BO, fend, Answer("parry", Check(12))), [(50,), (20,)]).outcome.inside
    assert as_a_club(RULES, Blow((10,), 9, "cutting")) == Blow((4,), 4, "crushing")


@pytest.mark.parametrize(
    ("answer", "rolling", "bears"),
    [(Answer("none"), 0, 0), (Answer("none"), -3, -3), (Answer("roll with the blow", modifier=-2), None, -2)],
)
def test_whoever_goes_on_through_a_fend_rolls_with_it_by_what_bears_on_that(answer, rolling, bears):  # 902
    fend = Strike(Check(24), 12, Blow((6,), 3), "Al", "fend")
    chosen = ["ignore" if rolling is None else "roll with the blow"]
    through = script(close_in(RULES, BO, fend, answer, rolling=rolling), [(50,), (20,), (1,), (50,)], chosen)
    alone = script(roll_with_blow(RULES, BO.pag, bears, BO.name), [(50,)])
    assert [each.roll for each in through.rolls if each.roll.what == "rolling with the blow"] == [each.roll for each in alone.rolls]


def test_disarming_is_an_opposed_roll_at_4_less():  # 946
    assert script(disarm(RULES), [(40,), (53,)]).outcome
    assert not script(disarm(RULES), [(40,), (52,)]).outcome
    assert not script(disarm(RULES), [(41,)]).outcome


def test_spinning_and_jumping():  # 948-962
    spun, leapt = spinning(RULES, 5), jumping(RULES, 4)
    assert (spun.modifier.value, spun.times, spun.counts) == (-2, (3, 2), 8)
    assert (leapt.modifier.value, leapt.times, leapt.counts) == (-4, (3, 2), 6)
    assert jumping(under(jumping_penalty=3)).modifier.value == -3


def test_a_feint_is_seen_through_less_its_success_number():  # 964-970
    assert script(feint(RULES, Check(18), (Check(12), Check(12))), [(42,), (42,), (43,)]).outcome == (False, True)
    assert script(feint(RULES, Check(18), (Check(12),)), [(53,)]).outcome == (False,)


def test_bearing_down_and_throwing():  # 972-990
    down = script(overbear(RULES, overbear_strike(RULES, Check(24), 12, 6), BO), [(52,), (20,), (60,)]).outcome.body
    assert (down.prone, down.pbd) == (True, 22)
    thrown = throw_strike(RULES, Check(24), 12, 6, gripped=True)
    assert (thrown.check, thrown.blow.flat) == (Check(24), 12)
    assert script(throw(RULES, thrown, BO), [(52,), (20,), (60,)]).outcome.body.pbd == 16


def test_holds():  # 992-1000
    assert script(grapple(RULES, Check(24), 12), [(30,)]).outcome == 22
    assert script(grapple(RULES, Check(24), 12), [(53,)]).outcome == 0
    assert grip_bonus(RULES).value == 5
    assert hold_strength(RULES, 20, 15).value == 27
    assert hold_strength(RULES, 58, 40, 12).value == 60
    assert hold_strength(RULES, 20, 15, by_victim=True).value == 5
    assert script(tighten(RULES, Check(12), 20), [(42,)]).outcome == 30
    assert script(struggle(RULES, Check(12), 20), [(22,)]).outcome == 0
    assert (subdues(RULES, 60, 12), subdues(RULES, 59, 12)) == (True, False)


@pytest.mark.parametrize("way", ["none", "parry", "block", "roll with the blow"])
def test_every_answer_has_odds_that_add_up(way):
    odds = exact(sub(attack, RULES, Strike(Check(20), 12), BO, Answer(way, Check(12), (6,), 3, "Bo")))
    assert odds.unsettled == 0
    assert sum(odds.weights.values()) == odds.total
