"""The rows of chapter 5, held against a second entry of what the book prints (lines 5999-7734)."""

import pytest

from rulewright.errors import UserError
from rulewright.systems.ore.fight.actions.powers.effects import DOES
from rulewright.systems.ore.people.feats import SECRET_FEATS, paths
from rulewright.systems.ore.powers.attunement import ATTUNEMENT, SIGNATURES
from rulewright.systems.ore.powers.catalogue import (
    APTITUDES,
    EXAMPLES,
    LIMITS,
    RATINGS,
    SETS,
    effect_named,
    effects,
    effects_of,
    like_elsewhere,
    words_at,
)
from rulewright.systems.ore.powers.costs import AVAILABILITY
from rulewright.systems.ore.powers.usage import measure_of
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()

# name: level, intensity, range (a word, or how many of what for a point of Psi), how long
CLAIRSENTIENCE = {
    "Orientation": (1, 1, "50 kilometres", "instant"),
    "Psychic Echo": (1, 1, "touch", "instant"),
    "Sense Mastery": (1, 1, "self", "scene"),
    "Danger Sense": (2, 2, "self", "instant"),
    "Insight": (2, 2, "touch", "instant"),
    "Scan": (2, 2, "sight", "instant"),
    "Dowsing": (3, 3, "50 kilometres", "concentration"),
    "Sensory Projection": (3, 3, "10 metres", "concentration"),
    "Track": (3, 3, "50 kilometres", "concentration"),
    "Psi Cloak": (4, 4, "self", "concentration"),
    "Flashback": (4, 5, "place", "instant"),
    "Remote Sensing": (4, 4, "50 kilometres", "concentration"),
    "Bi-location": (5, 5, "self", "concentration"),
    "Lifeweb": (5, 5, "place", "hours"),
    "Signature": (5, 5, "sight", "instant"),
}
ELECTROKINESIS = {
    "Control Illumination": (1, 1, "place", "rounds by width"),
    "Power Surge": (1, 1, "sight", "instant"),
    "Spectrum Sight": (1, 1, "10 metres", "concentration"),
    "Disruption": (2, 2, "5 metres", "instant"),
    "Interrupt": (2, 2, "10 metres", "concentration"),
    "Lockout": (2, 2, "touch", "hours by psi"),
    "Control": (3, 3, "10 metres", "intense"),
    "Interface": (3, 3, "touch", "concentration"),
    "Static Shield": (3, 3, "self", "concentration"),
    "Coalesce Light": (4, 4, "30 metres", "instant"),
    "E-M Shield": (4, 4, "self", "concentration"),
    "Power Drain": (4, 4, "touch", "instant"),
    "Feedback": (5, 5, "30 metres", "instant"),
    "Refraction": (5, 5, "self", "intense"),
    "Transmit": (5, 5, "50 kilometres", "concentration"),
}
PSYCHOKINESIS = {
    "Calcify": (1, 1, "touch", "instant"),
    "Excite": (1, 1, "touch", "rounds by width"),
    "Prod": (1, 1, "1 metres", "rounds by width"),
    "Flash Freeze": (2, 2, "5 metres", "instant"),
    "Ignition": (2, 2, "5 metres", "rounds by height"),
    "Lift": (2, 2, "20 metres", "concentration"),
    "Heatburn": (3, 3, "10 metres", "instant"),
    "Hypothermic Blast": (3, 3, "10 metres", "instant"),
    "Remote Manipulation": (3, 3, "10 metres", "concentration"),
    "Flame Immunity": (4, 4, "self", "scene"),
    "Force Barrier": (4, 4, "self", "concentration"),
    "Thermal Screen": (4, 4, "self", "scene"),
    "Flight": (5, 5, "self", "concentration"),
    "Heat Sink": (5, 5, "place", "instant"),
    "Plasma Control": (5, 5, "30 metres", "intense"),
}
REDACTION = {
    "Healthy Glow": (1, 1, "self", "an hour"),
    "Meditation": (1, 1, "self", "hours"),
    "Sensitivity": (1, 1, "sight", "concentration"),
    "Inflame": (2, 2, "1 metres", "scene"),
    "Mending": (2, 2, "touch", "instant"),
    "Mind's Eye": (2, 2, "1 metres", "instant"),
    "Antitoxin": (3, 3, "touch", "hours by psi"),
    "Contusion": (3, 3, "3 metres", "instant"),
    "Ease Trauma": (3, 3, "touch", "hours by width"),
    "Algesic Shield": (4, 4, "self", "concentration"),
    "Metamitosis": (4, 4, "touch", "instant"),
    "Passive Voice": (4, 4, "1 metres", "concentration"),
    "Chemical Block": (5, 5, "touch", "days by width"),
    "Lacerate": (5, 5, "1 metres", "instant"),
    "Regeneration": (5, 5, "touch", "instant"),
}
TELEPATHY = {
    "Babel Effect": (1, 1, "speech", "concentration"),
    "Eavesdrop": (1, 1, "place", "instant"),
    "Intuit": (1, 1, "1 metres", "instant"),
    "Empathy": (2, 2, "5 metres", "instant"),
    "Exacerbate": (2, 2, "5 metres", "concentration"),
    "Mindspeak": (2, 2, "5 kilometres", "concentration"),
    "Emotional Achilles": (3, 3, "self", "concentration"),
    "Mindscan": (3, 3, "sight", "instant"),
    "Willfinder": (3, 3, "sight", "instant"),
    "Pilfer": (4, 4, "sight", "instant"),
    "Mindshield": (4, 4, "self", "concentration"),
    "Will Control": (4, 4, "sight", "instant"),
    "Brainjack": (5, 5, "30 metres", "instant"),
    "Muse": (5, 5, "50 metres", "concentration"),
    "Network": (5, 5, "30 kilometres", "scene"),
}
GRANDMASTERS = {
    "Astrolocation": ("clairsentience", "1 light-years", "days"),
    "Farsensing": ("clairsentience", "1 space", "days by height"),
    "Psi Survey": ("clairsentience", "1 light-years", "hours by height"),
    "Hologram Creation": ("electrokinesis", "10 metres", "intense"),
    "Microwave Burst": ("electrokinesis", "30 metres", "instant"),
    "Override": ("electrokinesis", "sight", "intense"),
    "Cryofreeze": ("psychokinesis", "30 metres", "instant"),
    "Liquefy": ("psychokinesis", "1 metres", "instant"),
    "Force": ("psychokinesis", "30 metres", "intense"),
    "Cellular Repair": ("redaction", "touch", "hours by height"),
    "Knit Psyche": ("redaction", "touch", "three hours"),
    "Morbidity": ("redaction", "sight", "instant"),
    "Mindbomb": ("telepathy", "sight", "minutes by height"),
    "Mindscape": ("telepathy", "sight", "intense"),
    "Mindwarp": ("telepathy", "sight", "instant"),
}
ALL = {
    "clairsentience": CLAIRSENTIENCE,
    "electrokinesis": ELECTROKINESIS,
    "psychokinesis": PSYCHOKINESIS,
    "redaction": REDACTION,
    "telepathy": TELEPATHY,
}
# what is added to Width, in Kill and in Shock; None where a form is not dealt
DAMAGE = {
    "Disruption": (None, 1),
    "Coalesce Light": (2, 2),
    "Feedback": (None, 0),
    "Heatburn": (0, None),
    "Hypothermic Blast": (None, 0),
    "Contusion": (None, 0),
    "Lacerate": (2, None),
    "Microwave Burst": (4, 2),
    "Cryofreeze": (2, 4),
    "Morbidity": (4, 4),
}


def written_range(row):
    return f"{row.far} {row.reach}" if row.far else row.reach


def test_there_are_seventy_five_effects_and_fifteen_of_grandmasters():
    psychic = [row for row in effects(RULES).values() if row.set == "meta-psychic"]
    assert len([row for row in psychic if row.level <= 5]) == 75
    assert len([row for row in psychic if row.level == 6]) == 15


@pytest.mark.parametrize("aptitude", ALL)
def test_each_effect_has_its_printed_level_intensity_range_and_time(aptitude):
    rows = {row.effect: row for row in effects(RULES).values() if row.skill == aptitude and row.level <= 5}
    assert {name: (row.level, row.intensity, written_range(row), row.lasts) for name, row in rows.items()} == ALL[aptitude]
    assert [next(iter(values)) for values in ALL[aptitude].values()] == sorted([1, 2, 3, 4, 5] * 3)


def test_each_effect_of_grandmasters_is_of_level_six():
    rows = {row.effect: row for row in effects(RULES).values() if row.level == 6}
    assert {name: (row.skill, written_range(row), row.lasts) for name, row in rows.items()} == GRANDMASTERS
    assert {row.intensity for row in rows.values()} == {6}


def test_what_attacks_add_to_width_is_as_printed():
    harmful = {row.effect: (row.kill, row.shock) for row in effects(RULES).values() if row.works == "harm" and row.set == "meta-psychic"}
    assert harmful == DAMAGE
    assert effect_named(RULES, "Feedback").psi
    assert [name for name in DAMAGE if effect_named(RULES, name).armour] == ["Coalesce Light", "Microwave Burst"]


WIDTHS = {
    "Orientation": 3, "Psychic Echo": 3, "Danger Sense": 3, "Dowsing": 3, "Track": 3, "Flashback": 3, "Signature": 3, "Power Surge": 3,
    "Control": 3, "Refraction": 3, "Mind's Eye": 3, "Intuit": 3, "Empathy": 3, "Exacerbate": 3, "Willfinder": 3, "Pilfer": 3,
    "Will Control": 3, "Muse": 3, "Psi Survey": 3, "Hologram Creation": 3, "Mindscape": 3, "Mindwarp": 3, "Farsensing": 2,
}  # fmt: skip


def test_what_is_told_by_width_has_three_steps():
    found = {row.effect: len(row.by_width) for row in effects(RULES).values() if row.by_width}
    assert found == WIDTHS
    for name in WIDTHS:
        assert list(effect_named(RULES, name).by_width)[:2] == ["2", "3"]


HEIGHTS = {
    "Flash Freeze": ["water", "alcohol", "oil", "nitrogen", "mercury"],
    "Plasma Control": ["direction", "shape", "hand", "words", "anything"],
    "Hologram Creation": ["translucent", "pixelated", "realistic", "very real", "perfect"],
    "Liquefy": ["plastic", "copper", "steel", "granite", "lead"],
    "Cellular Repair": ["harmless", "malignant", "30", "60", "90"],
    "Mindscape": ["unconvincing", "doubtful", "realistic", "convincing", "beyond doubt"],
}


def test_what_is_told_by_height_has_the_five_printed_steps():
    found = {row.effect: row.by_height for row in effects(RULES).values() if row.by_height}
    assert set(found) == set(HEIGHTS)
    for name, words in HEIGHTS.items():
        assert list(found[name]) == ["2", "4", "6", "8", "10"]
        assert all(word in text for word, text in zip(words, found[name].values(), strict=True))


def test_steps_with_a_difficulty_of_their_own_are_as_printed():  # lines 6408, 6428, 6466, 6566, 6659, 6719
    assert list(effect_named(RULES, "Bi-location").steps.values()) == [3, 4, 5]
    assert list(effect_named(RULES, "Lifeweb").steps.values()) == [2, 3, 4, 5, 6]
    assert list(effect_named(RULES, "Lifeweb").tuning) == ["1", "2", "3", "4", "5", "6"]
    assert list(effect_named(RULES, "Signature").steps.values()) == [3, 4, 5]
    assert list(effect_named(RULES, "Control").steps.values()) == [0, 1, 2, 3]
    assert list(effect_named(RULES, "Power Drain").steps.values()) == [0, 1, 2]
    assert list(effect_named(RULES, "Transmit").steps.values()) == [3, 4, 5]


FEATS = {
    "clairsentience": ["Psi-Sight", "Attunement", "Peek-a-boo", "Medium", "The Knowledge"],
    "electrokinesis": ["EK-Sight", "Shock", "Power Flow", "Off Switch", "EK-Sense"],
    "psychokinesis": ["Never Break A Sweat...", "Ghost Hand", "Heat Sensor", "Air Con", "Poltergeist"],
    "redaction": ["Kirlian Eye", "Kirlian Vision", "Analgesic Touch", "Self Awareness", "Awareness"],
    "telepathy": ["Psychic Scent", "Assay Power", "Casual Scan", "Projection", "Thought Scan"],
}


def test_each_aptitude_has_five_secret_feats():
    for table, (aptitude, names) in zip(SECRET_FEATS, FEATS.items(), strict=True):
        rows = list(table(RULES).values())
        assert [row.name for row in rows] == names
        assert [(row.level, row.kind, row.skill) for row in rows] == [(level, "secret", aptitude) for level in range(1, 6)]
        assert paths(RULES)[aptitude.capitalize()].opened_by == (aptitude,)


def test_ratings_limits_and_sets_are_as_printed():  # lines 6007-6022, 6145, 6171
    assert [row.name for row in RATINGS(RULES).values()] == ["none", "latent", "lesser", "medium", "high", "great"]
    assert [row.calls for row in RATINGS(RULES).values()] == ["", "cantrips", "blessings", "prayers", "esoteric", "arcane"]
    assert [row.name for row in LIMITS(RULES).values()] == ["session", "burn", "preparation", "mana", "materials", "unrestricted"]
    assert [row.aptitude for row in APTITUDES(RULES).values()] == list(ALL)
    psychic = SETS(RULES)["meta-psychic"]
    assert (psychic.power, psychic.limit, psychic.statistic, psychic.skills) == (5, 1, "psi", tuple(ALL))
    assert [row.factor for row in AVAILABILITY(RULES).values()] == [1, 2, 3]


def test_ranges_of_attunement_and_difficulties_of_signatures_are_as_printed():  # lines 6187-6216
    metres = [0, 5, 20, 75, 750, 15_000, 100_000, 1_000_000, 50_000_000, 100_000_000]
    assert [row.metres for row in ATTUNEMENT(RULES).values()] == metres
    assert [row.difficulty for row in SIGNATURES(RULES).values()] == [1, 2, 3, 4, 5]


def test_every_rating_but_none_has_its_examples_elsewhere():  # lines 6052-6061
    assert list(EXAMPLES(RULES)) == ["latent", "lesser", "medium", "high", "great"]
    assert like_elsewhere(RULES, 1) == EXAMPLES(RULES)["latent"].examples
    assert like_elsewhere(RULES, 0) == ""


def test_an_effect_is_found_by_its_name_and_an_unknown_one_is_refused_with_the_nearest():
    assert effect_named(RULES, "mindSCAN").effect == "Mindscan"
    with pytest.raises(UserError, match="Mindscan"):
        effect_named(RULES, "Mindscann")
    assert len(effects_of(RULES)) == 90
    assert len(effects_of(RULES, "meta-psychic", "telepathy")) == 18
    with pytest.raises(UserError):
        effects_of(RULES, "wizardry")


def test_words_hold_from_their_figure_upwards():
    steps = {"2": "a", "4": "b"}
    assert [words_at(steps, figure) for figure in (0, 1, 2, 3, 4, 9)] == ["", "", "a", "a", "b", "b"]


def test_whatever_can_be_used_in_a_fight_has_a_mechanism():
    for row in effects(RULES).values():
        assert not row.at_once or row.works in DOES, row.effect


@pytest.mark.parametrize(
    ("effect", "width", "height", "words"),
    [
        ("Meditation", 2, 5, "30 minutes more for each hour of sleep"),  # line 6951: 15 for each point of Width
        ("Meditation", 3, 5, "45 minutes more for each hour of sleep"),
        ("Scan", 3, 5, "3 details"),
        ("Flashback", 1, 4, ""),
        ("Flashback", 2, 4, "jerky and distorted, 120 seconds"),  # 30 seconds, a minute or five, times the Height
        ("Flashback", 3, 4, "hazy, 240 seconds"),
        ("Flashback", 4, 4, "perfectly clear, 1200 seconds"),
        ("Flashback", 5, 4, "perfectly clear, 1200 seconds"),
    ],
)
def test_what_a_set_is_worth_in_the_words_of_an_effect(effect, width, height, words):
    assert measure_of(effect_named(RULES, effect), width, height) == words
