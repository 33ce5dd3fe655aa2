"""Skills, Perks, Flaws, gear and the tables of situations (book lines 1279-1345, 1494-1614, 2038-2452, 8044-9026)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.errors import UserError
from rulewright.rules import House
from rulewright.systems.silhouette.gear.items import (
    ARCHAIC,
    ARMOR,
    GRENADES,
    GUNS,
    HEAVY,
    MELEE,
    SHIELDS,
    after_shield,
    find_weapon,
    shield_catches,
    weapon,
    weapon_names,
    weapon_skill,
)
from rulewright.systems.silhouette.people.skills import (
    FOLDED,
    SKILLS,
    USES,
    Named,
    attribute_of,
    concealed,
    discount,
    fields_covered,
    folded,
    groomed,
    named,
    native_tongue,
    needs_field,
    social_level,
    unfamiliar,
    weightless_level,
)
from rulewright.systems.silhouette.people.traits import (
    FLAW_PRICES,
    FLAWS,
    PERK_PRICES,
    PERKS,
    Trait,
    age_limits,
    companion_cost,
    contradictions,
    contradictory_flaws,
    flaw_value,
    healing_time,
    lucky,
    machine_complexity,
    most_flaw_points,
    most_traits,
    perk_cost,
    resistance_threshold,
    spared,
    stamina_from_traits,
    trait_modifiers,
    traits_balance,
    wealth_left,
)
from rulewright.systems.silhouette.resolution.modifiers import (
    CHASE,
    CLOSE,
    LEADERSHIP,
    MOVEMENT,
    RANGED,
    THROWING,
    chase_modifier,
    climbing_threshold,
    group_modifier,
    opponents_modifier,
    situation_modifier,
    throwing_range,
)
from rulewright.systems.silhouette.settings import BOOK

PLAIN = BOOK.ruleset()


def with_settings(**chosen):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in chosen.items()})


# --- skills --------------------------------------------------------------------------------------------------------------------


def test_forty_four_skills_are_listed_and_described_and_magic_besides():
    assert len([name for name in SKILLS(PLAIN) if name != "magic"]) == 44  # Magic is of the fantasy genre (line 7171)
    assert list(USES(PLAIN)) == list(SKILLS(PLAIN))
    specific = [name for name, row in SKILLS(PLAIN).items() if row.specific]
    assert len(specific) == 14


def test_a_skill_is_known_by_all_its_names():
    assert named(PLAIN, "Traps") == Named("demolition/traps")
    assert named(PLAIN, "lore (dragons)").key == "trivia/lore (dragons)"
    with pytest.raises(UserError, match='did you mean "stealth"'):
        named(PLAIN, "stelth")


def test_the_usual_attribute_of_a_skill():
    assert attribute_of(PLAIN, "small arms") == "agility"
    assert attribute_of(PLAIN, "combat sense") == "perception"
    assert attribute_of(PLAIN, "hand-to-hand") == "fitness"


def test_specific_skills():  # lines 1287-1290
    assert unfamiliar(PLAIN, "pilot (air)").value == -2
    assert unfamiliar(PLAIN, "craft (cooking)").value == -2  # by ruling
    assert unfamiliar(with_settings(unfamiliar_field=-3), "craft (cooking)").value == -3
    assert unfamiliar(PLAIN, "stealth").value == 0
    assert unfamiliar(BOOK.ruleset("cinematic"), "pilot (air)").value == 0
    assert needs_field(PLAIN, "pilot")
    assert not needs_field(BOOK.ruleset("cinematic"), "pilot")
    assert [fields_covered(PLAIN, "survival", depth) for depth in (1, 2, 3)] == [1, 2, 4]
    assert fields_covered(PLAIN, "pilot", 3) == 1


def test_skills_of_earlier_editions():  # line 1293
    assert folded(1, 2) == 3
    assert FOLDED(PLAIN)["first aid"].now == "medicine"


def test_what_some_skills_do():
    assert groomed(0, 2).value == 2  # line 8221
    assert groomed(1, -3).value == 1
    assert concealed(4, 3).value == 7
    assert discount(4).value == 20
    assert social_level(5, 1) == 1  # line 8359
    assert weightless_level(4, 2) == 2
    assert (native_tongue(0), native_tongue(1)) == (2, 3)


# --- prices of Perks and Flaws -------------------------------------------------------------------------------------------------


def test_thirty_one_perks_and_forty_flaws():
    assert len(PERK_PRICES(PLAIN)) == len(PERKS(PLAIN)) == 31
    assert len(FLAW_PRICES(PLAIN)) == len(FLAWS(PLAIN)) == 40
    assert set(PERK_PRICES(PLAIN)) == set(PERKS(PLAIN))
    assert set(FLAW_PRICES(PLAIN)) == set(FLAWS(PLAIN))


@pytest.mark.parametrize(
    ("perk", "cost"),
    [
        (Trait("acute senses", "smell/taste"), 2),
        (Trait("animal kinship", "fantasy"), 5),
        (Trait("connections", "ally", points=7), 7),
        (Trait("fake identity"), 3),
        (Trait("favor", "life boon"), 5),
        (Trait("rank", "junior officer"), 8),
        (Trait("rank", "director", points=9), 9),
        (Trait("sense of direction", "3d"), 5),
        (Trait("subordinates", rating=22), 5),
        (Trait("photographic memory", rating=3), 6),
        (Trait("wealthy", "renewable", rating=2), 6),
    ],
)
def test_perk_prices(perk, cost):
    assert perk_cost(PLAIN, perk).value == cost


@pytest.mark.parametrize(
    ("flaw", "value"),
    [
        (Trait("age", "young"), 4),
        (Trait("bad luck"), 5),
        (Trait("debt", "major boon"), 3),
        (Trait("dependent", "10/20"), 3),
        (Trait("lame", "permanent"), 6),
        (Trait("liar", "mythomaniac"), 5),
        (Trait("nemesis", rating=40), 4),
        (Trait("phobia", "severe, uncommon"), 3),
        (Trait("poor senses", "blind", points=8), 8),
        (Trait("split personality"), 7),
        (Trait("addiction", rating=5), 2),
    ],
)
def test_flaw_values(flaw, value):
    assert flaw_value(PLAIN, flaw).value == value


def test_how_an_addiction_is_rounded():
    assert [flaw_value(with_settings(addiction_rounding=how), Trait("addiction", rating=4)).value for how in ("nearest", "down", "up")] == [
        1,
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("perk", "message"),
    [
        (Trait("connections"), "one of ally, contact"),
        (Trait("connections", "ally", points=2), "3 to 7"),
        (Trait("lucky", "very"), "no variants"),
        (Trait("lucky", points=3), "fixed price"),
        (Trait("wealthy", "renewable"), "needs a rating"),
        (Trait("photographic memory", rating=4), "up to 3"),
        (Trait("lucky", rating=1), "no rating"),
        (Trait("luky"), 'did you mean "lucky"'),
    ],
)
def test_what_has_no_price_says_why(perk, message):
    with pytest.raises(UserError, match=message):
        perk_cost(PLAIN, perk)


def test_lost_prices_are_stand_ins_that_a_campaign_may_change():
    assert perk_cost(PLAIN, Trait("lucky")).reason.source == "stand-in"
    ours = BOOK.ruleset(house=House(tables={"sil-2.4.1-perk-list": {"lucky": {"cost": 6}}}))
    assert (perk_cost(ours, Trait("lucky")).value, perk_cost(ours, Trait("lucky")).reason.source) == (6, "house")
    printed = {name for name, row in PERK_PRICES(PLAIN).items() if row.source == "book"}
    assert {"connections", "fake identity", "famous", "favor", "rank", "property", "subordinates"} <= printed


def test_one_lost_figure_among_printed_ones_is_a_stand_in():
    """The list lost the price of keen ears and the plain sense of direction, and what a mild Phobia gives; the others are printed."""
    perks = [perk_cost(PLAIN, Trait("acute senses", sense)) for sense in ("hearing", "sight", "smell/taste")]
    assert [(found.value, found.reason.source) for found in perks] == [(1, "stand-in"), (1, "book"), (2, "book")]
    ways = [perk_cost(PLAIN, Trait("sense of direction", kind)) for kind in ("2d", "3d")]
    assert [(found.value, found.reason.source) for found in ways] == [(2, "stand-in"), (5, "book")]
    fears = [flaw_value(PLAIN, Trait("phobia", kind)) for kind in ("mild", "severe", "mild, uncommon", "severe, uncommon")]
    assert [found.value for found in fears] == [2, 4, 1, 3]
    assert [found.reason.source for found in fears] == ["stand-in", "book", "book", "book"]
    ours = BOOK.ruleset(house=House(tables={"sil-2.4.2-flaw-list": {"phobia": {"variants": {"mild": 3}}}}))
    assert flaw_value(ours, Trait("phobia", "mild")).reason.source == "house"


def test_etiquette_has_the_specializations_of_the_book():  # line 8259
    assert USES.get(PLAIN, "etiquette").specializations == ("military", "business", "aristocratic", "bureaucracy")


def test_an_animal_companion():  # lines 1527, 8671
    assert companion_cost(PLAIN, "large", "trained") == 8
    assert companion_cost(PLAIN, "small", "none") == 2
    assert companion_cost(with_settings(animal_companion="product"), "large", "trained") == 8
    assert companion_cost(with_settings(animal_companion="product"), "small", "none") == 1


def test_perks_cost_and_flaws_give():
    perks, flaws = (
        (Trait("acute senses", "sight"),),
        (Trait("curse", points=4), Trait("quirk"), Trait("quirk", about="b"), Trait("quirk", about="c")),
    )
    assert traits_balance(PLAIN, perks, flaws).value == 1 - 4 - 2  # only two quirks count
    assert most_flaw_points(PLAIN) == 12
    assert most_flaw_points(BOOK.ruleset("cinematic")) == 20
    assert most_traits(PLAIN) is None
    assert most_traits(with_settings(one_perk_one_flaw=True)) == 1


def test_contradictions():
    assert contradictions(PLAIN, (Trait("lucky"),), (Trait("bad luck"),)) == (("lucky", "bad luck"),)
    assert contradictions(PLAIN, (Trait("acute senses", "sight"),), (Trait("poor senses", "blind", points=2),))
    assert not contradictions(PLAIN, (Trait("acute senses", "sight"),), (Trait("poor senses", "hearing"),))
    police = (Trait("authority", about="city police"),)
    assert contradictions(PLAIN, police, (Trait("obligation", points=1, about="City Police"),)) == (("authority", "obligation"),)
    assert not contradictions(PLAIN, police, (Trait("obligation", points=1, about="an aunt"),))
    assert contradictory_flaws(PLAIN, (Trait("insomniac"), Trait("heavy sleeper"))) == (("heavy sleeper", "insomniac"),)


# --- Perks and Flaws at work ---------------------------------------------------------------------------------------------------


def mods(on, when=(), perks=(), flaws=()):
    return sum(mod.value for mod in trait_modifiers(PLAIN, on, when, tuple(perks), tuple(flaws)))


def test_what_perks_add():
    assert mods("riding", perks=[Trait("animal kinship", "fantasy")]) == 1
    assert mods("influence", ("in the sphere",), perks=[Trait("influence", points=5)]) == 2  # one for each two points
    assert mods("knowledge", ("recalling",), perks=[Trait("photographic memory", rating=3)]) == 3
    assert mods("health", ("radiation",), perks=[Trait("radiation resistance")]) == 1
    assert mods("health", (), perks=[Trait("radiation resistance")]) == 0
    assert spared(PLAIN, "off hand", (Trait("ambidextrous"),))
    assert not spared(PLAIN, "off hand")
    assert spared(PLAIN, "surprised asleep", (Trait("light sleeper"),))


def test_what_flaws_cost():
    assert mods("riding", flaws=[Trait("animal antipathy")]) == -1
    assert mods("notice", ("waking in danger",), flaws=[Trait("heavy sleeper")]) == -3
    assert mods("small arms", ("in motion",), flaws=[Trait("motion sickness", rating=2)]) == -2
    assert mods("notice", (), flaws=[Trait("poor senses", "deaf", points=8)]) == -2
    assert mods("notice", ("sight",), flaws=[Trait("poor senses", "sight")]) == -1
    assert mods("stealth", ("object of the phobia",), flaws=[Trait("phobia", "mild")]) == -1


def test_skin_healing_and_machines():
    assert stamina_from_traits(PLAIN, (Trait("thick-skinned"),)) == 5
    assert stamina_from_traits(PLAIN, (), (Trait("thin-skinned"),)) == -5
    assert healing_time(PLAIN, 28, (Trait("accelerated healing"),)) == 21
    assert healing_time(PLAIN, 28, (), (Trait("slow healing"),)) == 42
    assert machine_complexity(PLAIN, 4, perks=(Trait("machine-touch"),)) == 1
    assert machine_complexity(PLAIN, 4, repair=False, perks=(Trait("machine-touch"),)) == 4
    assert machine_complexity(PLAIN, 1, repair=False, flaws=(Trait("mechanical inaptitude"),)) == 3


def test_what_willpower_must_meet():
    assert resistance_threshold(PLAIN, Trait("bloodlust")) == 5
    assert resistance_threshold(PLAIN, Trait("flashbacks")) == 4
    assert resistance_threshold(PLAIN, Trait("flashbacks"), (Trait("photographic memory", rating=1),)) == 5  # line 8762
    assert resistance_threshold(PLAIN, Trait("phobia", "severe")) == 4
    assert resistance_threshold(PLAIN, Trait("phobia", "mild")) is None


def test_wealth_luck_and_age():
    assert [wealth_left(PLAIN, 3, uses).value for uses in (0, 1, 2)] == [30_000, 20_000, 10_000]  # line 8816
    assert lucky(-3) == 3
    assert age_limits("young") == {"build": 0, "knowledge": 0, "skill": 3}
    assert age_limits("old") == {"agility": 0, "fitness": 0}


# --- gear ----------------------------------------------------------------------------------------------------------------------


def test_the_lists_of_gear():
    assert [len(table(PLAIN)) for table in (MELEE, GUNS, HEAVY, GRENADES, ARCHAIC, ARMOR, SHIELDS)] == [29, 21, 11, 5, 9, 8, 5]
    assert len(weapon_names(PLAIN)) == len(set(weapon_names(PLAIN))) == 75


@pytest.mark.parametrize(
    ("name", "skill", "accuracy", "damage"),
    [
        ("2-handed sword", "melee", -1, 18),
        ("rapier", "melee", 1, 11),
        ("whip", "melee", 0, 3),
        ("assault rifle", "small arms", 0, 28),
        ("sniper rifle", "small arms", 1, 40),
        ("medium pistol", "small arms", 0, 15),
        ("light mortar", "heavy weapons", -1, 120),
        ("fragmentation grenade", "throwing", 0, 26),
        ("crossbow", "archery", 0, 14),
        ("bola", "throwing", -1, 7),
    ],
)
def test_some_weapons(name, skill, accuracy, damage):
    row = weapon(PLAIN, name)
    assert (weapon_skill(row), row.accuracy, row.damage) == (skill, accuracy, damage)


def test_armor_and_shields():
    assert [(row.points, row.encumbrance) for row in ARMOR(PLAIN).values()] == [
        *((15, 0), (20, 0), (25, 0), (5, 0), (8, 0), (14, -1), (22, -2), (32, -1)),
    ]
    assert [row.parry for row in SHIELDS(PLAIN).values()] == [1, 2, 2, 3, 3]
    assert shield_catches(2, 2)
    assert not shield_catches(2, 3)
    assert not shield_catches(2, 0)
    assert after_shield(30, 13) == 17
    assert after_shield(5, 13) == 0


def test_an_unknown_weapon_is_refused_with_the_nearest():
    assert find_weapon(PLAIN, "spoon") is None
    with pytest.raises(UserError, match='did you mean "rapier"'):
        weapon(PLAIN, "rapeir")


# --- situations ----------------------------------------------------------------------------------------------------------------


def test_paces():  # lines 2044-2053
    rows = {name: (row.action, row.defense_close, row.defense_ranged) for name, row in MOVEMENT(PLAIN).items()}
    assert rows == {
        "prone": (0, -3, 1),
        "crawling": (-1, -2, 2),
        "stationary": (0, -1, -1),
        "walking": (-1, 0, 0),
        "jogging": (-2, 1, 1),
        "running": (-3, 2, 2),
        "sprinting": (None, 3, 3),
        "climbing": (None, -2, -2),
    }


def test_chases_and_climbs():
    assert chase_modifier(PLAIN, ("heavy foot traffic", "minor obstacles")) == -3
    assert CHASE(PLAIN)["slalom"].defense == 1
    assert climbing_threshold(PLAIN, "rough rock or brick") == 7  # line 2651
    assert climbing_threshold(PLAIN, "smooth and upright", ("chimney between two walls", "slippery")) == 12
    with pytest.raises(UserError, match="not a surface"):
        climbing_threshold(PLAIN, "slippery")


def test_close_and_ranged_situations():  # lines 2207-2233, 2327-2348
    assert situation_modifier(PLAIN, ("poor light", "off hand"), "attack") == -2
    assert situation_modifier(PLAIN, ("heavy cover", "attacked from behind"), "defense") == 1
    assert situation_modifier(PLAIN, ("extreme range", "complete darkness"), "attack", ranged=True) == -7
    assert situation_modifier(PLAIN, ("point blank",), "attack", ranged=True) == 1
    with pytest.raises(UserError, match="only one situation of the group light"):
        situation_modifier(PLAIN, ("poor light", "complete darkness"))
    assert [opponents_modifier(PLAIN, n) for n in (1, 2, 3, 4, 9)] == [0, -1, -2, -3, -3]
    assert CLOSE(PLAIN)["fully hidden by heavy cover"].safe
    assert RANGED(PLAIN)["fully hidden by heavy cover"].safe


@given(strength=st.integers(-3, 3), kilograms=st.floats(0.1, 12))
@settings(max_examples=60)
def test_throwing_follows_the_rule_behind_the_table(strength, kilograms):  # lines 2410-2430
    weight = max(1, -int(-kilograms // 1))
    expected = -(-(strength + 5) // weight) if strength + 5 >= weight else 0
    assert throwing_range(PLAIN, strength, kilograms) == expected


def test_throws_beyond_the_table_and_leaders():
    assert throwing_range(PLAIN, 5, 2) == 5
    assert len(THROWING(PLAIN)) == 9
    assert [group_modifier(PLAIN, size) for size in (1, 3, 4, 12, 96)] == [0, 0, -1, -2, -5]
    assert LEADERSHIP(PLAIN)["leader in close combat"].modifier == -1
    with pytest.raises(UserError, match="96"):
        group_modifier(PLAIN, 97)
