"""Every roll is followed by a line of the log that has its sum, in whatever is decided."""

import random

import pytest

from foresight.fights import drive, fight_of, someone
from foresight.rules_for_tests import RULES
from rulewright.library import scenarios, stage
from rulewright.play import Event, Range, Roll, Rolled, Seeded
from rulewright.scenes.encounter import Decided, Encounter
from rulewright.systems.foresight.combat.fighters import Action, Pin
from rulewright.systems.foresight.combat.pins import maintain, topple
from rulewright.systems.foresight.combat.shots import clear_jam, jam
from rulewright.systems.foresight.fight.turns import InitiativeRolled
from rulewright.systems.foresight.fight.wait_actions import declare

MOST_ANSWERS = 150


def random_answer(request, dice, rng):
    """Dice at random, and half of the decisions."""
    if isinstance(request, Roll):
        return dice.faces(request)
    options = request.options
    return rng.randint(options.low, options.high) if isinstance(options, Range) else rng.choice(options).key


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", scenarios("foresight"))
def test_every_roll_is_told_with_its_sum(name, seed):
    staged = stage(f"foresight/{name}")
    encounter, dice, rng = Encounter.begin(staged.scene, staged.state, "told"), Seeded(seed), random.Random(seed)
    for _ in range(MOST_ANSWERS):
        if not encounter.open:
            break
        place, request = encounter.open[0]
        by_tactic = not isinstance(request, Roll) and rng.random() < 0.5
        encounter.give(staged.decide(request) if by_tactic else random_answer(request, dice, rng), place)
    untold, pending = [], []
    for line in encounter.log:
        if isinstance(line.what, Rolled):
            pending.append((line.what.roll.by, line.what.roll.what))
        elif isinstance(line.what, InitiativeRolled) and not line.what.reasons():
            continue  # the number of a round in which initiative is hidden; each side's own line follows
        elif isinstance(line.what, Event):
            if pending and not line.what.reasons():
                untold += [(*roll, line.what.headline()) for roll in pending]
            pending = []
        elif isinstance(line.what, Decided) and pending:
            untold, pending = untold + pending, []
    assert untold == []


@pytest.mark.parametrize("wishes", [("stand", "stand"), ("stand", "ground"), ("ground", "stand"), ("ground", "ground")])
@pytest.mark.parametrize("ratings", [("QR3", "QR3"), ("QR3", "QR7"), ("QR7", "QR3")])
def test_a_contest_on_the_ground_is_told_whoever_falls(wishes, ratings):  # 3213
    fight = fight_of(someone("Ann", (0.0, 0.0)), someone("Bob", (0.0, 0.0)))
    played = drive(
        topple(RULES, fight, "Ann", "Bob"), *zip(("Ann", "Bob"), wishes, strict=True), *zip(("Ann", "Bob"), ratings, strict=True)
    )
    sums = [event for event in played.events if event.reasons()]
    assert all(rating in " ".join(event.headline() for event in sums) for rating in ratings)
    assert sum(len(event.reasons()) for event in sums) == 2


def test_keeping_hold_and_jams_are_told_with_their_sums():
    fight = fight_of(someone("Ann", (0.0, 0.0)), someone("Bob", (0.0, 0.0)))
    held = drive(topple(RULES, fight, "Ann", "Bob"), ("Ann", "ground"), ("Bob", "ground"), ("Ann", "QR3"), ("Bob", "QR3")).outcome
    held = held.change("Ann", pins=(Pin("Bob", "left arm"),))
    kept = drive(maintain(RULES, held, "Ann", "Bob", "left arm"), ("Ann", "QR3"), ("Bob", "QR3"))
    assert [len(event.reasons()) for event in kept.events if event.logged] == [2]
    assert [event.known_to for event in drive(jam(RULES, "Ann"), ("Ann", 4)).events] == [("Ann",)]
    assert drive(clear_jam(RULES, 1, by="Ann"), ("Ann", "QR7")).told == ["Ann cannot clear the jam yet (QR7)"]


def test_giving_up_is_told():
    ann = someone("Ann", (0.0, 0.0), guns=("SL Pistol (TL5)",), weapon="SL Pistol (TL5)", handguns=15)
    bob = someone("Bob", (3.0, 0.0), state={"gives_up": 1, "focus": "nobody"})
    fight = fight_of(ann, bob)
    played = drive(declare(RULES, fight, "Ann", Action("fire", "Bob", 1)), ("Bob", "QR7"), ("Ann", "QR2"), ("Bob", 5), ("Bob", "QR3"))
    assert played.told[-1].startswith("Bob gives up at wound level")
