"""What powers cost: the book's examples, and what cannot be bought (lines 5999-6141, 7356-7370)."""

import msgspec
import pytest

from rulewright.build.audit import repair
from rulewright.build.sheet_parts import Value
from rulewright.errors import UserError
from rulewright.library import take
from rulewright.systems.ore.build.advancement import buy, standing
from rulewright.systems.ore.build.audit import audit
from rulewright.systems.ore.build.audit.points import points_spent
from rulewright.systems.ore.build.sheet import sheet
from rulewright.systems.ore.people.characters import Award, Character, Inherent, Owned, Person, PowerSet, Purchase
from rulewright.systems.ore.powers.costs import (
    apprentice_cost,
    developed_cost,
    effect_cost,
    inherent_cost,
    may_become_grandmaster,
    most_of_power,
    open_level,
    rank_in,
    set_cost,
)
from rulewright.systems.ore.powers.repertoire import known_of
from rulewright.systems.ore.powers.usage import use_costs
from rulewright.systems.ore.settings import BOOK

RULES = BOOK.ruleset()
RIGHT = Owned("arcane apprentice", first=5, second=1, choice="meta-psychic")
DEMOS = ["kaia_lindqvist", "varro_quill", "ember_salazar", "professor_anselm", "doctor_lisse", "tess_okoro", "hagen_the_grey"]


def psychic(rating=3, skills=None, effects=(), advantages=(RIGHT,), **more):
    own = PowerSet("meta-psychic", rating, {"telepathy": 3} if skills is None else skills, tuple(effects))
    return Character("Ann", points=500, advantages=advantages, powers=(own,), **more)


def problems(character, rules=RULES):
    return [(problem.rule, problem.message) for problem in audit(rules, character).problems if not problem.warning]


# --- prices -------------------------------------------------------------------------------------------------------------------


def test_arcane_apprentice_costs_power_and_limit_together():  # lines 6001, 6171
    assert apprentice_cost(RULES, 5, 1).value == 6
    assert set_cost(RULES, "meta-psychic").value == 6
    assert apprentice_cost(RULES, 0, 5).value == 5
    with pytest.raises(UserError):
        apprentice_cost(RULES, 6, 1)


def test_a_lesser_inherent_power_without_a_limit_costs_seven():  # line 6073
    assert inherent_cost(RULES, 2, 5).value == 7


def test_the_vampire_of_the_example_pays_twenty_five():  # lines 6105-6117
    costs = [inherent_cost(RULES, level, 5).value for level in (4, 3, 3)]
    assert (costs, sum(costs)) == ([9, 8, 8], 25)
    countess = take("ore/characters/countess_ilse").thing
    parts = {reason.label: reason.value for reason in points_spent(RULES, countess).reasons}
    assert parts["Powers"] == 25


def test_the_warlock_of_the_example_pays_thirty_two_and_then_five():  # lines 6119-6139
    assert developed_cost(RULES, 4, 4, 3, 3, (1, 2, 3)).value == 32
    assert developed_cost(RULES, 4, 4, 3, 3, (1, 2, 3, 1, 2, 2)).value == 37
    with pytest.raises(UserError):  # no effect above the Power Statistic
        developed_cost(RULES, 4, 4, 3, 3, (4,))
    hagen = take("ore/characters/hagen_the_grey").thing
    (right,), (own,) = hagen.advantages, hagen.powers
    plain = Character("Hagen", advantages=(right,), powers=(own,))
    assert points_spent(RULES, plain).value == 32


def test_the_warlock_rolls_six_dice_and_uses_up_sixty_pounds_at_level_three():  # line 6141
    known = {each.effect: each for each in known_of(RULES, Person.of(RULES, take("ore/characters/hagen_the_grey").thing))}
    assert known["Lesser Spirit"].pool.size == 6
    assert use_costs(RULES, known["Lesser Spirit"].level, known["Lesser Spirit"].limit).pounds == 60


def test_an_effect_costs_its_intensity():  # lines 6085-6091, 6370
    assert effect_cost(RULES, "Heatburn").value == 3
    assert effect_cost(RULES, "Flashback").value == 5


def test_effects_that_are_rare_cost_two_or_three_times_as_much():  # lines 6093-6103
    costs = [effect_cost(BOOK.ruleset(settings={"effects-are": word}), "Heatburn").value for word in ("uncommon", "restricted")]
    assert costs == [6, 9]
    assert effect_cost(RULES, "Heatburn", "restricted").value == 9
    rare = BOOK.ruleset(settings={"effects-are": "restricted"})
    assert (
        points_spent(rare, psychic(3, {"psychokinesis": 1}, ("Heatburn",))).value
        == points_spent(RULES, psychic(3, {"psychokinesis": 1}, ("Heatburn",))).value + 6
    )


def test_masters_have_five_in_all_and_grandmasters_six():  # lines 7356-7370
    assert rank_in(5, 5, 5) == "master"
    assert rank_in(5, 4, 5) == rank_in(4, 5, 5) == rank_in(5, 5, 4) == ""
    assert rank_in(6, 6, 6, True) == "grandmaster"
    assert rank_in(6, 6, 6, False) == "master"
    assert may_become_grandmaster(5, 5)
    assert not may_become_grandmaster(5, 4)
    assert not may_become_grandmaster(4, 5)
    assert (most_of_power(False), most_of_power(True)) == (5, 6)
    assert [open_level(RULES, 6, 6, True), open_level(RULES, 6, 5, True), open_level(RULES, 5, 5, False)] == [6, 5, 5]


# --- the audit ----------------------------------------------------------------------------------------------------------------


def test_ready_made_people_with_powers_are_legal():
    for name in (*DEMOS, "countess_ilse"):
        assert problems(take(f"ore/characters/{name}").thing) == []


def test_effects_need_the_right_to_their_set():  # line 5997
    found = audit(RULES, psychic(effects=("Empathy",), advantages=()))
    (problem,) = [one for one in found.problems if not one.warning]
    assert problem.rule == "ore-5.00-power-sets"
    assert "Arcane Apprentice" in problem.message
    assert problem.repair.value[-1]["second"] == 1


def test_a_right_that_is_rated_otherwise_is_not_the_sets():
    cheap = Owned("arcane apprentice", first=1, second=1, choice="meta-psychic")
    assert problems(psychic(advantages=(cheap,)))[0][0] == "ore-5.00-power-sets"


def test_no_effect_is_above_the_power_statistic():  # lines 784, 6131
    assert problems(psychic(3, effects=("Mindscan",))) == []
    ((rule, message),) = problems(psychic(3, effects=("Mindshield",)))
    assert rule == "ore-5.02b-developed"
    assert "level 4" in message


def test_an_effect_takes_the_skill_of_its_aptitude():  # line 6175
    ((rule, message),) = problems(psychic(3, {"telepathy": 3}, ("Heatburn",)))
    assert (rule, "psychokinesis" in message) == ("ore-5.04-metapsychic", True)


def test_what_the_audit_finds_wrong_it_can_mend():
    wrong = [
        psychic(9),
        psychic(3, {"telepathy": 5}),
        psychic(3, {"tellepathy": 1}),
        psychic(3, effects=("Empathy", "Empathy")),
        psychic(3, effects=("Emphaty",)),
        Character("Ann", points=500, powers=(PowerSet("wizardry"),)),
        Character("Ann", points=500, inherent=(Inherent("Mist", 9, 7),)),
        psychic(3, advantages=(RIGHT, Owned("grandmaster"))),
    ]
    for character in wrong:
        assert problems(character)
        for _ in range(20):
            open_ones = [problem for problem in audit(RULES, character).problems if not problem.warning]
            if not open_ones:
                break
            character = repair(character, open_ones[0])
        assert problems(character) == []


def test_a_set_of_ones_own_needs_only_its_right():
    own = PowerSet("wizardry", 2, {"lore": 2}, own={"Light": 1, "Fog": 2})
    right = Owned("arcane apprentice", first=5, second=3, choice="wizardry")
    wizard = Character("Ann", points=500, advantages=(right,), powers=(own,))
    assert problems(wizard) == []
    assert points_spent(RULES, wizard).value == 8 + 10 + 2 + 3
    known = known_of(RULES, Person.of(RULES, wizard))
    assert [(each.effect, each.level, each.pool.size, each.limit, each.energy) for each in known] == [
        ("Light", 1, 4, 3, 2),
        ("Fog", 2, 4, 3, 2),
    ]


def test_a_secret_feat_is_opened_by_its_power_skill():  # line 742
    assert problems(psychic(3, {"telepathy": 2}, feats={"Telepathy": 2})) == []
    assert problems(psychic(3, {"telepathy": 2}, feats={"Telepathy": 3}))[0][0] == "ore-3.08-feat-purchase"
    assert problems(Character("Ann", points=500, feats={"Telepathy": 1}))[0][0] == "ore-3.08-feat-purchase"


# --- experience ---------------------------------------------------------------------------------------------------------------


def learning(character, *entries):
    return msgspec.structs.replace(character, advancement=(Award(100), *entries))


def test_an_effect_is_bought_with_experience_for_its_intensity():  # line 6091
    ann = learning(psychic(4, {"clairsentience": 3}))
    ann = buy(RULES, ann, Purchase("power effect", "Flashback", under="meta-psychic"))
    assert standing(RULES, ann).spent == 5
    assert Person.of(RULES, ann).powers[0].effects == ("Flashback",)
    with pytest.raises(UserError, match="level 5"):
        buy(RULES, ann, Purchase("power effect", "Lifeweb", under="meta-psychic"))


def test_psi_goes_beyond_five_for_grandmasters_alone():  # line 7364
    ann = learning(psychic(5, {"telepathy": 3}, ("Muse",)))
    with pytest.raises(UserError, match="limit is 5"):
        buy(RULES, ann, Purchase("power statistic", "meta-psychic", 6, "meta-psychic", xp=10))
    ann = buy(RULES, ann, Purchase("advantage", "grandmaster", xp=5))
    ann = buy(RULES, ann, Purchase("power statistic", "meta-psychic", 6, "meta-psychic", xp=10))
    for rating in (4, 5, 6):
        with pytest.raises(UserError):
            buy(RULES, ann, Purchase("power effect", "Mindwarp", under="meta-psychic"))
        ann = buy(RULES, ann, Purchase("power skill", "telepathy", rating, "meta-psychic", xp=rating))
    ann = buy(RULES, ann, Purchase("power effect", "Mindwarp", under="meta-psychic"))
    with pytest.raises(UserError, match="one Grandmaster effect"):
        buy(RULES, ann, Purchase("power effect", "Mindbomb", under="meta-psychic"))


def test_grandmaster_takes_psi_and_an_effect_of_level_five():  # line 7362
    with pytest.raises(UserError, match="level 5"):
        buy(RULES, learning(psychic(5, {"telepathy": 3}, ("Mindshield",))), Purchase("advantage", "grandmaster", xp=5))


def test_nothing_of_a_set_is_bought_without_the_right_to_it():
    ann = learning(Character("Ann"))
    for buying in ("power statistic", "power skill", "power effect", "energy"):
        with pytest.raises(UserError, match="Arcane Apprentice"):
            buy(RULES, ann, Purchase(buying, "telepathy", under="meta-psychic", xp=1))
    ann = buy(RULES, ann, Purchase("inherent power", "Mist", 4, second=5))
    assert standing(RULES, ann).spent == 9
    assert Person.of(RULES, ann).inherent[0].name == "Mist"


# --- the sheet ----------------------------------------------------------------------------------------------------------------


def test_the_sheet_shows_powers_with_their_dice_and_attunement():
    page = sheet(RULES, take("ore/characters/tess_okoro").thing)
    tests = page.tests()
    assert tests["power.Disruption"].notation == "5d diff 2"
    assert tests["power.Sense Mastery"].notation == "4d"
    values = {piece.key: piece.value for section in page.sections for piece in section.pieces if isinstance(piece, Value)}
    assert (values["attunement"], values["attunement_metres"]) == (3, 20)


def test_the_sheet_says_why_an_effect_cannot_be_had():
    page = sheet(RULES, psychic(3, {"telepathy": 3}))
    picks = next(piece for section in page.sections for piece in section.pieces if piece.name == "Effects of meta-psychic")
    by = {option.key: option for option in picks.options}
    assert by["Mindscan"].barred == ""
    assert "level 4" in by["Mindshield"].barred
    assert "psychokinesis" in by["Heatburn"].barred
    assert (by["Mindscan"].price, by["Mindscan"].group) == ("3 points", "telepathy")


def test_old_files_without_powers_still_open():
    meridian = take("ore/characters/the_meridian").thing
    assert (meridian.powers, meridian.inherent) == ((), ())
