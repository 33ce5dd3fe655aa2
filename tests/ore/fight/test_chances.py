"""The chance beside an option of a fight is the round played on, with everybody else's dice: counted again by enumeration."""

import pytest
from conformance.counting import checked
from msgspec.structs import replace

from rulewright.play import Choice, Seeded
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter
from rulewright.systems.ore.combat.cover import cover_called
from rulewright.systems.ore.combat.fighters import Fight, Ground
from rulewright.systems.ore.combat.profiles import enter, gather
from rulewright.systems.ore.fight.forecast import relevant_rolls
from rulewright.systems.ore.fight.scene import FightScene
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.people.characters import Character, Statistics
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.settings import BOOK

MOST = 4_000
PISTOL = "pistol: pistol 9mm semi-automatic magazine 5"


def somebody(name, dice=3, insight=2, **more):
    """Somebody with so many dice for everything done with the body."""
    statistics = Statistics(body=dice, insight=insight, coordination=dice, psyche=2)
    return Character(name, statistics=statistics, skills={"sight": 1}, **more)


def meeting(rules, ours, theirs, mooks=0, **ground):
    people = [enter(rules, each, each.name, side, 0) for side, members in (("us", ours), ("them", theirs)) for each in members]
    groups = (gather(Mook("Thug"), tuple(f"Thug {i}" for i in range(1, mooks + 1)), "them"),) if mooks else ()
    return Fight(Ground(**ground), tuple(people), groups)


def asked_for(rules, fight, who, decide):
    """The encounter at the moment at which somebody declares, and the place of the question."""
    encounter, dice = Encounter.begin(FightScene(rules), fight), Seeded(1)
    while True:
        at, request = encounter.open[0]
        if isinstance(request, Choice) and request.who == who and request.topic == "act":
            return encounter, at
        encounter.advance(dice, decide)


def decided(**tactics):
    """Everybody by their own tactic, else the usual one."""
    return lambda choice: TACTICS[tactics.get(choice.who, "attacker")](choice)


def does(key, others="attacker"):
    """Somebody who declares one thing, whatever it is about."""
    return lambda choice: key if choice.topic == "act" and key in set(choice.keys()) else TACTICS[others](choice)


def held(rules, fight, who, decide, *keys):
    encounter, at = asked_for(rules, fight, who, decide)
    options = [option for option in encounter.open[0][1].options if not keys or option.key in keys]
    assert not keys or len(options) == len(keys)
    return checked(encounter, at, decide, options, MOST)


SETTINGS = (
    {},
    {"speed": "height"},
    {"speed": "waste"},
    {"damage-system": "vital"},
    {"damage-system": "abstract"},
    {"defence-at-equal-speed": False},
    {"set-for-a-set": True},
    {"speed-of-a-shaken-set": "falls with it"},
    {"hit-location": "width"},
)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("answer", ["attack:Ann", "dodge", "attack+dodge:Ann"])
def test_a_blow_is_weighed_with_what_the_other_has_declared(settings, answer):
    rules, dice = BOOK.ruleset(settings=settings), 2 if settings.get("speed") == "waste" else 3
    fight = meeting(rules, [somebody("Ann", dice)], [somebody("Bob", dice, insight=1)])
    bob, anybody = does(answer), TACTICS["attacker"]
    decide = lambda choice: bob(choice) if choice.who == "Bob" else anybody(choice)  # noqa: E731
    assert held(rules, fight, "Ann", decide, "attack:Bob", "dodge")


SPECIAL = ("attack+dodge", "attack twice", "trip", "push", "grapple", "wait")


@pytest.mark.parametrize("key", [*[f"{kind}:Bob" for kind in SPECIAL], "called shot:Bob:head", "skill:sight", "dodge", "hold:Bob"])
@pytest.mark.parametrize("answer", ["attack:Ann", "dodge", "attack+dodge:Ann"])
def test_special_attacks_called_shots_and_several_actions_too(key, answer):
    rules = BOOK.ruleset()
    fight = meeting(rules, [somebody("Ann", 3)], [somebody("Bob", 2, insight=1)])
    bob, anybody = does(answer), TACTICS["attacker"]
    weighed = held(rules, fight, "Ann", lambda choice: bob(choice) if choice.who == "Bob" else anybody(choice), key)
    assert bool(weighed) == (answer != "dodge" or key not in ("dodge", "hold:Bob"))  # nobody is there to guard against


def four(friend, first, second):
    """Two against two, of whom Ann declares last; what the others do is said."""
    rules = BOOK.ruleset(settings={"six-sided-dice": True})
    others = {"Eve": does(friend), "Bob": does(first), "Cid": does(second)}
    fight = meeting(rules, [somebody("Ann", 2, insight=4), somebody("Eve", 2)], [somebody("Bob", 2), somebody("Cid", 2)])
    return rules, fight, lambda choice: others.get(choice.who, TACTICS["attacker"])(choice)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("friend", "first", "second", "key"),
    [
        ("attack:Bob", "attack:Ann", "dodge", "attack:Bob"),
        ("attack:Bob", "dodge", "attack:Ann", "attack:Bob"),
        ("attack:Cid", "attack+dodge:Ann", "attack:Ann", "attack:Bob"),
        ("dodge", "attack:Eve", "attack:Eve", "attack:Bob"),
        ("dodge", "attack:Eve", "attack:Ann", "dodge"),
        ("dodge", "attack:Ann", "attack:Ann", "dodge"),
        ("attack:Bob", "attack:Eve", "attack:Ann", "attack:Bob"),
    ],
)
def test_who_else_strikes_at_either_of_two_is_weighed_with_them(friend, first, second, key):
    rules, fight, decide = four(friend, first, second)
    assert held(rules, fight, "Ann", decide, key)


def test_a_guard_has_no_chance_beside_it_where_everybody_strikes_at_another():
    rules, fight, decide = four("dodge", "attack:Eve", "attack:Eve")
    assert not held(rules, fight, "Ann", decide, "dodge")


def test_luck_cover_and_mooks_are_weighed_with_it():
    rules = BOOK.ruleset()
    fight = meeting(rules, [somebody("Ann", 3, insight=3)], [somebody("Bob", 2)])
    for name in ("Ann", "Bob"):
        lucky = fight.change(name, body=replace(fight.fighter(name).body, luck=1))
        assert held(rules, lucky, "Ann", decided(), "attack:Bob", "trip:Bob")
    assert held(rules, fight.change("Bob", cover=cover_called("50% right")), "Ann", decided(), "attack:Bob")
    assert held(rules, meeting(rules, [somebody("Ann", 2)], [], mooks=2), "Ann", decided(), "attack:Thug", "dodge")


def test_blows_of_an_ally_at_mooks_are_weighed_with_the_dice_that_they_cost_them():
    rules = BOOK.ruleset(settings={"six-sided-dice": True})
    for mooks, name in ((1, "Thug 1"), (2, "Thug")):
        fight = meeting(rules, [somebody("Ann", 2, insight=3), somebody("Eve", 2)], [], mooks=mooks)
        assert held(rules, fight, "Ann", decided(), f"attack:{name}")


@pytest.mark.parametrize(("guarded", "else_at", "chances"), [("Ann", "Eve", 1), ("Eve", "Ann", 0)])
def test_mooks_whose_speaker_looks_at_what_was_declared_are_weighed_by_it(guarded, else_at, chances):
    rules = BOOK.ruleset(settings={"six-sided-dice": True})
    fight = meeting(rules, [somebody("Ann", 2, insight=3), somebody("Eve", 2)], [], mooks=2)

    def watchful(choice):
        if choice.topic != "mooks":
            return TACTICS["attacker"](choice)
        dodges = any(plan.who == "Ann" and plan.acts[0].kind == "dodge" for plan in choice.about.fight.plans)
        return guarded if dodges else else_at

    assert held(rules, fight, "Ann", watchful, "dodge") == chances


def test_drama_points_that_nobody_spends_change_nothing():
    rules = BOOK.ruleset(settings={"six-sided-dice": True, "drama-points": "drama points"})
    fight = meeting(rules, [somebody("Ann", 2, insight=3)], [somebody("Bob", 2)])
    for name in ("Ann", "Bob"):
        fight = fight.change(name, body=replace(fight.fighter(name).body, drama=2))
    assert held(rules, fight, "Ann", decided(), "attack:Bob", "dodge")
    assert held(rules, fight, "Ann", decided(Bob="hero"), "attack:Bob")


@pytest.mark.slow
def test_where_a_person_answers_each_guard_is_weighed_and_the_worst_counts():
    rules = BOOK.ruleset()
    fight = meeting(rules, [somebody("Ann", 4)], [somebody("Bob", 4, insight=3)])
    encounter, at = asked_for(rules, fight, "Ann", decided())
    weighed = {each.key: each for each in weigh(Asked(encounter.moment(at), ("Ann",), decided(), frozenset(("Bob",))), 30)}
    answers = {answer.key: sum(one.chance for one in answer.outcomes if one.good) for answer in weighed["attack:Bob"].answers}
    assert {"attack:Ann", "dodge"} <= set(answers)
    assert answers["dodge"] < answers["attack:Ann"]
    assert sum(one.chance for one in weighed["attack:Bob"].outcomes if one.good) == pytest.approx(min(answers.values()))


@pytest.mark.parametrize("loss", ["1 width", "1 height"])
@pytest.mark.parametrize("else_for", [(), ("drama lucky",)])
def test_a_point_of_an_ally_that_makes_a_set_of_the_only_opponent_slip_is_weighed_with_it(loss, else_for, monkeypatch):
    rules = BOOK.ruleset(settings={"six-sided-dice": True, "drama-points": "drama points"})
    fight = meeting(rules, [somebody("Ann", 2, insight=4), somebody("Eve", 2, insight=1)], [somebody("Bob", 2)])
    fight = fight.change("Eve", body=replace(fight.fighter("Eve").body, drama=1))
    asked, blindly = [], relevant_rolls.slipped_blindly
    monkeypatch.setattr(relevant_rolls, "slipped_blindly", lambda *given: asked.append(given) or blindly(*given))

    def eve(choice):
        if choice.topic == "drama slip":
            return loss
        return "yes" if choice.topic in else_for else does("skill:sight")(choice)

    decide = lambda choice: eve(choice) if choice.who == "Eve" else TACTICS["attacker"](choice)  # noqa: E731
    assert held(rules, fight, "Ann", decide, "attack:Bob")
    assert asked


def test_a_point_whose_owner_looks_at_the_sets_is_weighed_with_what_he_sees():
    rules = BOOK.ruleset(settings={"six-sided-dice": True, "drama-points": "drama points"})
    fight = meeting(rules, [somebody("Ann", 2, insight=4), somebody("Eve", 2, insight=1)], [somebody("Bob", 2)])
    fight = fight.change("Eve", body=replace(fight.fighter("Eve").body, drama=1))

    def eve(choice):
        if choice.topic == "drama slip":
            return "1 width" if choice.about.fight.pending[0].height > 3 else "no"
        return does("skill:sight")(choice)

    decide = lambda choice: eve(choice) if choice.who == "Eve" else TACTICS["attacker"](choice)  # noqa: E731
    assert held(rules, fight, "Ann", decide, "attack:Bob")


def test_several_shots_are_weighed_whatever_the_die_says_that_counts_the_bullets():
    rules = BOOK.ruleset(settings={"six-sided-dice": True, "waste-ammunition": True})
    ann = Character("Ann", statistics=Statistics(body=3, insight=3, coordination=2), skills={"small arms": 1}, weapons=(PISTOL,))
    fight = meeting(rules, [ann], [somebody("Bob", 2)])
    assert held(rules, fight, "Ann", decided(), "2 shots:Bob")
    shot_at = meeting(rules, [replace(ann, statistics=replace(ann.statistics, insight=1))], [somebody("Bob", 2)])
    decide = lambda choice: does("2 shots:Bob")(choice) if choice.who == "Ann" else TACTICS["attacker"](choice)  # noqa: E731
    assert held(rules, shot_at, "Bob", decide, "attack:Ann")
