"""The chance beside an option is what comes of it by itself, counted a second time by throwing every face of every die."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.play import Paused, Seeded, Together, script
from rulewright.play.odds import exact
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter
from rulewright.systems.ore.battle.declaring import offers_for
from rulewright.systems.ore.battle.engaged import Order, Plan, Post, Situation
from rulewright.systems.ore.battle.events import Attempt
from rulewright.systems.ore.battle.prospects import prospect
from rulewright.systems.ore.battle.rounds import make_ready, next_step
from rulewright.systems.ore.battle.scene import BattleScene
from rulewright.systems.ore.battle.tactics import ace
from rulewright.systems.ore.battle.volleys import Widths
from rulewright.systems.ore.machines.vehicle import Gun
from rulewright.systems.ore.people.characters import Statistics
from rulewright.systems.ore.resolution.readings import Thrown
from rulewright.systems.ore.settings import BOOK

from .meeting import aboard, battle, car, jet, pilot, played, under_way, warship

SIX = BOOK.ruleset(settings={"six-sided-dice": True, "aboard-a-wreck": "unhurt"})
ANN, BOB = Post("Ann", "One", "pilot"), Post("Bob", "Two", "pilot")


def small(**more):
    """Two jets whose pilots roll three dice at most."""
    ann = pilot("Ann", rating=1, skills={"gunnery": 1})
    bob = pilot("Bob", rating=1, skills={"gunnery": 1})
    craft = jet(handling=2, speeds={"air": 2}, sensors=2, weapons=(Gun("cannon", 1), Gun("missile", 2, "BVR", 2)), **more)
    return under_way(battle([(craft, "One"), (ann, "Ann", aboard("One"))], [(craft, "Two"), (bob, "Bob", aboard("Two"))], SIX), Two=(0, 0))


def outcome(state, faces, who, attack):
    """What one throw of all dice comes to, by playing the round until it is clear."""
    told, thrown = [], list(faces)
    while True:
        paused = Paused(next_step(SIX, state), told.append)
        while not paused.done:
            found = [event.came_to() for event in told if isinstance(event, Attempt) and event.who == who and event.of_attack() == attack]
            if found:
                return found[0]
            rolls = paused.pending.requests if isinstance(paused.pending, Together) else (paused.pending,)
            answers = tuple(roll.reading.read(thrown.pop(0)) for roll in rolls)
            paused.answer(answers if isinstance(paused.pending, Together) else answers[0])
        found = [event.came_to() for event in told if isinstance(event, Attempt) and event.who == who and event.of_attack() == attack]
        if found:
            return found[0]
        state = paused.outcome


def sorted_rolls():
    """Three dice in any order, each with how many throws show it."""
    return list(Counter(tuple(sorted(faces)) for faces in product(range(1, 7), repeat=3)).items())


@pytest.mark.parametrize(
    ("kind", "target", "dice"), [("attack", "Two", 3), ("lock-on", "Two", 3), ("chase", "Two", 3), ("position", "", 3), ("ram", "Two", 3)]
)
def test_by_itself_an_option_comes_to_what_every_throw_of_its_dice_comes_to(kind, target, dice):
    state = small()
    orders = (Order(kind, target, 1 if kind == "lock-on" else 0),)
    found = prospect(Situation(state, ANN, SIX), orders)
    odds = exact(found.sub).map(found.name)
    ready = script(make_ready(SIX, replace(state, plans=(Plan(ANN, orders),)))).outcome
    counted = Counter()
    for faces in product(range(1, 7), repeat=dice):
        counted[outcome(ready, [faces], "Ann", kind in ("attack", "lock-on", "ram"))] += 1
    assert {name: Fraction(weight, odds.total) for name, weight in odds} == {name: Fraction(n, 6**dice) for name, n in counted.items()}


def test_a_jink_that_was_declared_is_in_the_chance_of_an_attack_on_whoever_jinks():
    state = small()
    free = prospect(Situation(state, ANN, SIX), (Order("attack", "Two"),))
    jinked = replace(state, plans=(Plan(BOB, (Order("jink"),)),))
    warned = prospect(Situation(jinked, ANN, SIX), (Order("attack", "Two"),))
    first, second = exact(free.sub), exact(warned.sub)
    chances = {name: Fraction(weight, second.total) for name, weight in second}
    assert chances["countered"] > 0
    assert chances["no set"] == {name: Fraction(weight, first.total) for name, weight in first}["no set"]
    counted = Counter()
    ready = script(make_ready(SIX, replace(jinked, plans=(*jinked.plans, Plan(ANN, (Order("attack", "Two"),)))))).outcome
    order = [cast.who for _, cast in ready.casts]
    assert order == ["Bob", "Ann"]
    for bobs, anns in product(sorted_rolls(), repeat=2):
        counted[outcome(ready, [bobs[0], anns[0]], "Ann", True)] += bobs[1] * anns[1]
    assert {name: Fraction(n, 6**6) for name, n in counted.items()} == chances


def test_what_needs_no_dice_or_has_no_difficulty_yet_has_no_chance_beside_it():
    about = Situation(small(), ANN, SIX)
    for orders in ((Order("pass"),), (Order("skill"),), (Order("land"),)):
        assert prospect(about, orders) is None


def test_every_option_that_rolls_has_its_chances_and_they_come_to_one():
    state = small()
    encounter = Encounter.begin(BattleScene(SIX), state, "chances")
    while encounter.open[0][1].topic != "act":
        encounter.advance(Seeded(1), ace)
    at, asked = encounter.open[0]
    weighed = {each.key: each for each in weigh(Asked(encounter.moment(at), (None,), ace), 20)}
    post = asked.about.post
    rolled = [offer.key for offer in offers_for(SIX, asked.about.battle, post) if offer.orders[0].kind not in ("pass", "skill", "land")]
    assert set(rolled) <= set(weighed)
    for each in weighed.values():
        assert not each.why_not
        assert sum(found.chance for found in each.outcomes) + each.unsettled == pytest.approx(1)


@pytest.mark.parametrize("dice", [2, 5])
@pytest.mark.parametrize("difficulty", [1, 3])
def test_the_widths_of_a_volley_weigh_what_its_faces_come_to(dice, difficulty):
    reading = Widths(Thrown(dice, (0,) * 6, difficulty))
    counted = Counter(reading.read(faces) for faces in product(range(1, 7), repeat=dice))
    assert dict(weights_of(reading)) == dict(counted)


def test_the_best_of_all_sets_of_a_broadside_is_its_outcome():
    ship = warship(firepower=1, weapons=(Gun("guns", 0),))
    state = under_way(battle([(ship, "Lion")], [(warship(armour=2), "Bear")], mode="relativistic"))
    crew = Post("Lion", "Lion", "crew")
    found = prospect(Situation(state, crew, BOOK.ruleset()), (Order("attack", "Bear", 0, 1),))
    odds = exact(found.sub)
    chances = {name: Fraction(weight, odds.total) for name, weight in odds}
    # four dice: no set, pairs that 2 armour stops, three alike (2 boxes), four alike (4 boxes: blasted)
    none = Fraction(10 * 9 * 8 * 7, 10**4)
    three, four = Fraction(4 * 10 * 9, 10**4), Fraction(10, 10**4)
    assert chances == {"no set": none, "damaged": three, "blasted": four, "armour holds": 1 - none - three - four}


def test_a_round_under_way_is_played_by_the_tactics():
    cars = battle(
        [(car(), "One"), (pilot("Ann", "drive", statistics=Statistics(body=3)), "Ann", aboard("One"))],
        [(car(), "Two"), (pilot("Bob", "drive"), "Bob", aboard("Two"))],
        mode="land",
    )
    after, told = played(under_way(cars), ["pass", "pass"])
    assert after.round == 2
    assert told[0] == "Round 2: Ann, Bob"
