"""Impressions, lies, meetings, games, teaching, instant characters, terms (book lines 327-379, 1188-1261, 1711-1949, 2438-2521)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from foresight.rules_for_tests import RULES, under
from rulewright.errors import UserError
from rulewright.play import play, script, sub
from rulewright.play.odds import exact
from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.glossary import TERMS, meaning
from rulewright.systems.foresight.people.npcs import ADJECTIVES, CALLINGS, COMPETENCES, described, extra
from rulewright.systems.foresight.people.skills import SKILLS, split_name
from rulewright.systems.foresight.people.social import (
    BELIEFS,
    DEMEANORS,
    ENCOUNTERS,
    GAMES,
    PERSUASION,
    PICKS,
    RANGES,
    REACTIONS,
    Charmed,
    Demeanor,
    Engagement,
    Match,
    Party,
    Request,
    build_case,
    engagement,
    engagement_range,
    engagement_total,
    first_glance,
    game_lore,
    gauge,
    impress,
    lie,
    make_contact,
    meet,
    persuade,
    persuasion_modifier,
    pick_pocket,
    play_game,
    read_feelings,
    teach,
    teaching_hours,
    win_over,
)
from rulewright.systems.foresight.resolution.tests import Task, compare

ABLE = Task(12, 5)


def test_an_impression():  # 1717-1725
    assert script(impress(RULES, ABLE), [(6,)]).outcome.reaction == "liked at once and for long"
    assert script(impress(RULES, ABLE, -3), [(25,)]).outcome.qr == 7
    assert len(REACTIONS(RULES)) == 6


def test_a_lie_may_be_seen_through():  # 1733-1742
    told = script(lie(RULES, ABLE), [(20,)]).outcome
    assert (told.qr, told.believed) == (3, True)
    seen = script(lie(RULES, ABLE, ABLE), [(20,), (20,)]).outcome
    assert (seen.qr, seen.believed) == (7, False)
    assert [row.believed for row in BELIEFS(RULES).values()] == [True, True, True, True, False, False]


def test_the_urchin_takes_amys_phone():  # 1838: QR3 blocked by QR4 is QR4: noticed, but gone
    theft = script(pick_pocket(RULES, ABLE, ABLE), [(20,), (40,)]).outcome
    assert (theft.qr, theft.result, theft.taken) == (4, "noticed as it happens", True)
    assert [row.taken for row in PICKS(RULES).values()] == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    ("d10", "modifier", "demeanor", "interaction"),
    [
        (1, 0, "Hostile", -3),
        (3, 0, "Unfriendly", -1),
        (7, 0, "Neutral/Guarded", 0),
        (9, 0, "Friendly", 1),
        (10, 0, "Attracted", 3),
        (1, -3, "Hostile", -3),
        (9, 3, "Attracted", 3),
    ],
)
def test_demeanor(d10, modifier, demeanor, interaction):  # 2448-2455
    assert script(meet(RULES, modifier), [(d10,)]).outcome == Demeanor(demeanor, interaction)


@given(modifier=integers(-12, 12))
def test_everybody_has_some_demeanor(modifier):
    odds = exact(sub(meet, RULES, modifier))
    assert sum(odds.weights.values()) == odds.total
    assert len(DEMEANORS(RULES)) == 5


BY_DICE = under(persuasion=True)


def test_persuasion():  # 2477-2521
    assert script(persuade(BY_DICE, ABLE, ABLE, interaction=-1), [(6,), (84,)]).outcome == Request(1, 4)  # +3 -1: 84
    assert persuasion_modifier(RULES, "major request").value == -1
    assert persuasion_modifier(RULES, "target feels indebted", 4).value == 4
    assert len(PERSUASION(RULES)) == 17
    with pytest.raises(UserError, match="-4 to -1"):
        persuasion_modifier(RULES, "major request", 0)


def test_a_request_counts_all_that_fits_the_situation_once():  # 2501-2521
    fits = ("seen as an outsider", "very minor request", "seen as an outsider")
    asked = script(persuade(BY_DICE, ABLE, ABLE, fits), [(60,), (48,)])  # the case QR4 adds 0; -2 and +1: 12 x 4
    assert asked.outcome == Request(4, 4)
    assert script(persuade(BY_DICE, ABLE, ABLE, fits), [(60,), (49,)]).outcome == Request(4, 7)
    failed = script(persuade(BY_DICE, ABLE, ABLE), [(61,), (24,)]).outcome  # a failed case costs 3: 12 x 2
    assert (failed.qr, failed.granted) == (4, True)
    assert not script(persuade(BY_DICE, ABLE, ABLE), [(61,), (25,)]).outcome.granted


def test_without_the_option_a_request_is_one_roll():  # 2438-2442
    plain = script(persuade(RULES, ABLE, ABLE, ("major request",), -1), [(48,)]).outcome
    assert plain == Request(None, 4)
    assert script(persuade(RULES, ABLE, ABLE, ("major request",), -1), [(49,)]).outcome == Request(None, 7)
    assert exact(sub(persuade, RULES, ABLE, ABLE)).chance(lambda request: request.granted) == (0.6, 0.6)
    built, _ = exact(sub(persuade, BY_DICE, ABLE, ABLE)).chance(lambda request: request.granted)
    # the case: 6 QR1 (+3: 96), 6 QR2 (+2: 84), 18 QR3 (+1: 72), 30 QR4 (60), 36 QR7 (-3: 24), 4 QR10 (-6: a quarter, 3)
    assert built == pytest.approx((6 * 96 + 6 * 84 + 18 * 72 + 30 * 60 + 36 * 24 + 4 * 3) / 10_000)


def test_a_case_that_rests_on_a_lie_is_no_better_than_the_lie():  # 2477-2481, ruling
    assert script(build_case(RULES, ABLE, ABLE), [(6,), (60,)]).outcome == 4
    assert script(build_case(RULES, ABLE, ABLE), [(60,), (6,)]).outcome == 4
    assert script(build_case(RULES, ABLE), [(6,)]).outcome == 1
    # a QR2 lie and empathy QR3: two notches down, QR4; empathy QR2 sees through it
    assert script(build_case(RULES, ABLE, ABLE, ABLE), [(6,), (12,), (30,)]).outcome == 4
    assert script(build_case(RULES, ABLE, ABLE, ABLE), [(6,), (12,), (12,)]).outcome == 7


def test_engagements():  # 1892-1908
    assert engagement_total(RULES, (3, 7, 4), (2, 4)).value == 9
    assert engagement_total(RULES, (3,), (2,), "ambush").value == 1
    assert engagement(RULES, 2, 9) == Engagement(1, "total surprise", 4, -4, "any", may_avoid=True)
    assert engagement(RULES, 9, 7) == Engagement(2, "first", -2, 2, "observation", may_avoid=True)
    assert engagement(RULES, 4, 7) == Engagement(1, "surprise", 4, 0, "any", may_avoid=True)
    assert engagement(RULES, 7, 4, at_contact=True) == Engagement(2, "surprise", 0, 0, "any", may_avoid=True, in_cover=True)
    assert engagement(RULES, 2, 9, at_contact=True).first == 4
    assert engagement(RULES, 7, 7) == Engagement(0, "both at once", -2, -2, "contact")
    assert engagement(RULES, 8, 8).range == "observation"
    assert engagement(RULES, 5, 6).first == 0
    assert len(ENCOUNTERS(RULES)) == 5
    with pytest.raises(UserError, match="at least one"):
        engagement_total(RULES, (), (2,))


def test_everybody_in_both_parties_rolls():  # 1892-1900
    patrol = Party((ABLE, ABLE), (ABLE, ABLE), "very cautious")
    # Stealth QR3 and QR4, Perception QR7 and QR2: 4 + 2 - 2 = 4; the others QR4 and QR4: 8, and 4 is total surprise
    rolls = [(30,), (60,), (61,), (12,), (60,), (60,)]
    assert script(make_contact(RULES, patrol, Party((ABLE,), (ABLE,))), rolls).outcome.sees == "total surprise"
    even = exact(sub(make_contact, RULES)).map(lambda found: found.edge)
    assert even[1] == even[2]
    with pytest.raises(UserError, match="at least one"):
        play(make_contact(RULES, Party(())))


def test_what_strangers_see_first():  # 2456
    assert first_glance(RULES, ("attractive", "similar")).value == 2
    assert first_glance(RULES, ("attractive", "similar"), strongly=True).value == 4
    assert first_glance(RULES, ("different", "opposing organization")).value == -4
    assert first_glance(RULES, ("different",), strongly=True).value == -2
    assert first_glance(RULES, ("same organization", "friendly organization")).value == 4


def test_masked_feelings():  # 2460
    assert script(read_feelings(RULES, ABLE, ABLE), [(12,), (30,)]).outcome is True
    assert script(read_feelings(RULES, ABLE, ABLE), [(30,), (30,)]).outcome is False


def test_engagement_ranges():  # 1912-1919
    assert [(row.contact, row.observation) for row in RANGES(RULES).values()] == [
        (100, 2000),
        (50, 1000),
        (30, 500),
        (15, 250),
        (10, 100),
        (5, 50),
    ]
    assert engagement_range(RULES, "Dense Forest", contact=True) == 10


def test_games():  # 2017-2019
    assert {row.game: row.rounds for row in GAMES(RULES).values()} == {"Monopoly": 1, "Backgammon": 2, "Chess": 5, "Go": 10}
    assert script(play_game(RULES, ABLE, ABLE, "Backgammon"), [(1,), (99,), (50,), (50,)]).outcome == Match(1, 0)
    assert script(play_game(RULES, ABLE, ABLE, "Monopoly", 2), [(99,), (1,)]).outcome == Match(0, 3)
    assert game_lore(RULES, 35).value == 3
    odds = exact(sub(play_game, RULES, ABLE, ABLE, "Go"))
    assert odds.unsettled == 0
    assert odds.chance(lambda match: match.one > match.other) == odds.chance(lambda match: match.one < match.other)


def test_the_less_luck_the_surer_the_better_player_wins():
    def win(game):
        return exact(sub(play_game, RULES, Task(16, 5), Task(12, 5), game)).chance(lambda match: match.one > match.other)[0]

    assert win("Monopoly") < win("Chess") < win("Go")


def test_teaching():  # 1943-1945
    assert script(teach(RULES, ABLE), [(60,)]).outcome is True
    assert teaching_hours(RULES, "Theory") == 3
    with pytest.raises(UserError, match="can only teach"):
        play(teach(RULES, ABLE, knows=False))


def test_who_sneaks_is_noticed_by_a_better_rating_alone():  # 1491-1495, 1659
    assert compare(RULES, 3, 4).winner == 1
    assert compare(RULES, 4, 4).winner != 1


# --- instant characters --------------------------------------------------------------------------------------------------------


def test_a_competent_detective():  # 1226
    found = extra(RULES)
    assert (found.skills["Charisma"], found.skills["Search"], found.skills["Handguns"], found.skills["Stealth"]) == (18, 18, 12, 10)
    assert found.attributes == Attributes(9, 9, 9, 9, 9, 11, 11, 9, 9)
    assert found.fields == ("Forensic Science", "Law", "Surveillance")


def test_an_educated_detective_has_theory_at_twelve():  # 1245 prints 15, the Experienced value
    assert described(RULES, "educated competent detective").skills["Theory"] == 12


def test_a_charming_hotshot_has_charisma_as_a_primary_skill():  # 1245
    found = described(RULES, "veteran charming hotshot")
    assert found.written(RULES)["Charisma"] == "20+1"
    assert found.skills["Confidence"] == 18


def test_weapons_and_vehicles_are_named():
    found = extra(RULES, "Inept", "Assassin", (), "Archery", "Ride")
    assert (found.skills["Archery"], "Disguise" in found.skills) == (10, False)
    for words in ("competent nobody", "competent shiny detective"):
        with pytest.raises(UserError, match=r"calling|adjective"):
            described(RULES, words)


def test_tables_of_instant_characters():  # 1198-1261
    assert (len(CALLINGS(RULES)), len(ADJECTIVES(RULES)), len(COMPETENCES(RULES))) == (21, 13, 10)
    levels = [(row.primary, row.secondary, row.other, row.best, row.others) for row in COMPETENCES(RULES).values()]
    assert levels == [
        (10, 8, None, 8, 6),
        (12, 10, 8, 9, 7),
        (15, 12, 10, 10, 8),
        (18, 12, 10, 11, 9),
        (20, 15, 12, 12, 9),
        (23, 18, 15, 13, 10),
        (20, 18, 15, 14, 10),
        (23, 20, 15, 15, 11),
        (26, 23, 18, 15, 12),
        (29, 26, 20, 16, 13),
    ]
    for calling in CALLINGS(RULES):
        for skill in extra(RULES, "Expert", calling).skills:
            assert split_name(skill)[0] in SKILLS(RULES)


def test_terms_are_explained():
    assert len(TERMS(RULES)) == 46
    assert meaning(RULES, "stamina, threshold").formula == "EN / 3"


def test_a_second_weapon_or_vehicle_is_another_one():  # 1207, 1221, 1253
    deadly = extra(RULES, "Competent", "Assassin", ("Deadly",)).skills
    assert (deadly["Longarms"], deadly["Handguns"]) == (18, 12)  # the calling's own weapon, and a second one
    armed = extra(RULES, "Competent", "Commando", weapon="Archery").skills
    assert (armed["Archery"], armed["Handguns"], "Longarms" in armed) == (12, 10, False)
    pilot = extra(RULES, "Competent", "Hotshot", vehicle="Aircraft").skills
    assert [pilot[skill] for skill in ("Aircraft", "Groundcraft", "Personal Flyer")] == [18, 12, 10]
    plain = extra(RULES, "Competent", "Hotshot").skills
    assert [plain[skill] for skill in ("Motorcycles", "Groundcraft", "Personal Flyer")] == [18, 12, 10]


def test_the_gamemaster_picks_within_the_ranges_of_a_request():  # 2501-2521: -1 to -4 for something major, +1 to +4 for favors done
    fits = ("major request", "target feels indebted", "seen as an outsider")
    # the case QR4 adds 0; mildest -1 +1 -2: 12 x 3; picked -4 +2 -2: 12 x 1
    assert script(persuade(BY_DICE, ABLE, ABLE, fits), [(60,), (36,)]).outcome == Request(4, 4)
    assert script(persuade(BY_DICE, ABLE, ABLE, fits, picks=(-4, 2)), [(60,), (12,)]).outcome == Request(4, 4)
    assert script(persuade(BY_DICE, ABLE, ABLE, fits, picks=(-4, 2)), [(60,), (13,)]).outcome == Request(4, 7)
    assert script(persuade(BY_DICE, ABLE, ABLE, fits, picks=(0, 4)), [(60,), (72,)]).outcome == Request(4, 4)  # -1 +4 -2: 12 x 6
    with pytest.raises(UserError, match="-4 to -1"):
        play(persuade(BY_DICE, ABLE, ABLE, fits, picks=(-5,)))
    with pytest.raises(UserError, match="4 picks for 3"):
        play(persuade(BY_DICE, ABLE, ABLE, fits, picks=(-1, 1, -2, 1)))


def test_a_case_can_be_gauged_before_anything_is_asked():  # 2493
    assert script(gauge(RULES, ABLE, 3), [(60,)]).outcome == 3
    assert script(gauge(RULES, ABLE, 3), [(61,)]).outcome is None
    with pytest.raises(UserError, match="quality rating"):
        play(gauge(RULES, ABLE, 5))


@pytest.mark.parametrize(
    ("demeanor", "d100", "after"),
    [
        ("Neutral/Guarded", 6, "Attracted"),  # 12 x 5: QR1 is two rows
        ("Neutral/Guarded", 30, "Friendly"),
        ("Neutral/Guarded", 60, "Neutral/Guarded"),
        ("Neutral/Guarded", 61, "Neutral/Guarded"),
        ("Neutral/Guarded", 70, "Unfriendly"),  # QR10
        ("Hostile", 12, "Unfriendly"),  # 12 x 2: QR3
        ("Hostile", 100, "Hostile"),
        ("Attracted", 1, "Attracted"),
    ],
)
def test_charisma_betters_a_demeanor(demeanor, d100, after):  # 2461
    came = script(win_over(RULES, demeanor, ABLE), [(d100,)]).outcome
    assert came == Charmed(after, DEMEANORS(RULES)[after].interaction, False)


def test_empathy_may_notice_charm_and_spoil_it_where_the_campaign_says_so():  # 2461
    rolls = [(30,), (12,)]  # Charisma QR3, empathy QR2
    assert script(win_over(RULES, "Neutral/Guarded", ABLE, ABLE), rolls).outcome == Charmed("Friendly", 1, True)
    strict = under(noticed_charm="fails")
    assert script(win_over(strict, "Neutral/Guarded", ABLE, ABLE), rolls).outcome == Charmed("Neutral/Guarded", 0, True)
    assert script(win_over(strict, "Neutral/Guarded", ABLE, ABLE), [(30,), (30,)]).outcome == Charmed("Friendly", 1, False)
    assert not script(win_over(RULES, "Neutral/Guarded", ABLE, ABLE), [(70,), (61,)]).outcome.noticed  # a failure notices nothing


def test_lore_and_handicaps_are_never_less_than_nothing():
    for what in (lambda: game_lore(RULES, -10), lambda: play(play_game(RULES, handicap=-1))):
        with pytest.raises(UserError, match="from 0 to"):
            what()
