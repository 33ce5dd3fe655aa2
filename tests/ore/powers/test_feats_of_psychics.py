"""Secret Feats in play (lines 6220-6234, 6478-6490, 6919-6935, 7108-7122)."""

from msgspec.structs import replace

from ore.powers.people import RULES, VITAL, a_round, fight, keys, part, plain, psychic
from rulewright.build.sheet_parts import Value
from rulewright.systems.ore.build.sheet import sheet
from rulewright.systems.ore.fight.powers.active import mods_on


def test_the_feat_of_attunement_adds_clairsentience_on_the_sheet():  # line 6228
    found = []
    for level in (1, 2):
        page = sheet(RULES, psychic("Ann", "Scan", psi=3, skill=3, feats={"Clairsentience": level}))
        pieces = [piece for section in page.sections for piece in section.pieces]
        found.append(next(piece.value for piece in pieces if isinstance(piece, Value) and piece.key == "attunement"))
    assert found == [5, 8]


def test_a_spark_from_the_fingers_deals_one_shock_without_a_roll():  # lines 6482-6484
    state = fight(RULES, psychic("Ann", "Disruption", feats={"Electrokinesis": 2}), plain())
    assert "static touch:Bob" not in keys(RULES, fight(RULES, psychic("Ann", "Disruption", feats={"Electrokinesis": 1}), plain()))
    after, log = a_round(RULES, state, [], ["static touch:Bob", "pass"])
    assert part(after, "Bob", "torso") == (0, 1)
    assert "Bob is shocked by Ann: 1 Shock" in log


def test_an_analgesic_touch_takes_a_die_off_what_injuries_cost():  # lines 6927-6929
    state = fight(VITAL, psychic("Ann", "Mending", feats={"Redaction": 3}), plain(), friends=(plain("Cid", insight=3),), metres=9)
    hurt = state.change("Cid", body=replace(state.fighter("Cid").body, vital_lost=2))
    assert "analgesic touch:Cid" in keys(VITAL, hurt)
    assert "analgesic touch:Cid" not in keys(VITAL, state)
    after, _ = a_round(VITAL, hurt, [], ["analgesic touch:Cid", "pass", "pass"])
    assert [mod.dice for mod in mods_on(VITAL, after, "Cid")] == [1]
    assert [mod.dice for mod in mods_on(VITAL, after, "Ann")] == [-1]


def test_other_secret_feats_are_called_on_like_any_feat():  # lines 7118-7122
    state = fight(RULES, psychic("Ann", "Empathy", psi=5, skill=5, feats={"Telepathy": 3}), plain())
    _, log = a_round(RULES, state, [], ["feat", "Telepathy 3", "yes", "pass"])
    assert "Ann uses Casual Scan: success" in log
