"""Whatever people choose, the fight goes on by the rules: random fighters, random choices, every step checked."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from foresight.fights import RULES, Table, fight_of, someone
from foresight.rules_for_tests import under
from rulewright.play import Range, Roll, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.systems.foresight.combat.fighters import Area, CoverSpot, Ground
from rulewright.systems.foresight.lab_view.scene import FightScene
from rulewright.systems.foresight.people.characters import Arm

KITS = (
    {"guns": ("Bow", "Thrown Dagger"), "blades": ("Dagger",), "throw": 8},
    {"guns": (Arm("SL Rifle", ("Auto Long Burst",), name="auto rifle"), "Revolver (TL4.25)"), "longarms": 8, "handguns": 8},
    {"blades": ("Spear", "Small Shield", "Hand and a Half"), "ST": 14},
    {"styles": ("Crane", "Mischief (offensive)", "Drunken fist"), "fields": ("Capture", "Throws", "Lethal", "Defensive")},
    {"guns": ("Laser Pistol (TL7)", "Cartridge Laser Rifle"), "blades": ("Two-Handed Sword", "Staff"), "handguns": 6, "longarms": 6},
)
COVERS = (
    CoverSpot("a wall", 2, 1, "2/3 cover", bare=("head",), barriers=("3A",)),
    CoverSpot("a door", 3, 3, "out of sight", barriers=("2",)),
)
HOUSES = (
    RULES,
    under(burst_fire_actions=2, close_quarters_footing=True),
    under(bonus_actions=False, noticing_out_of_focus="freely", styles_with_weapons=True),
    under(stance_and_balance="every change", noticing_out_of_focus="not at all", vital_hits=True),
)
IDLE, BUSY = ("done", "wait", "hold", "nothing"), ("attack", "pin", "fire", "maintain", "throw", "close", "cuff", "bonus")


def quarrel(rng):
    """Two to five people with odd belongings within three meters."""
    people = []
    for at in range(rng.choice((2, 3, 4, 5))):
        armor = rng.choice(((), (("Chainmail", "Shirt, arms"),)))
        skills = {skill: rng.randint(0, 12) for skill in ("hth", "acrobatics", "pain", "initiative")}
        place = (rng.uniform(0, 3), rng.uniform(0, 3))
        body = {"drunk": rng.choice((0, 0, 2))}
        people.append(someone(f"P{at}", place, side=f"side {at % 2}", armor=armor, body=body, **skills, **rng.choice(KITS)))
    if rng.random() < 0.3:
        people[0] = replace(people[0], unaware_of=("P1",))
    ground = Ground(covers=COVERS, areas=(Area("the middle", 2, 2, 2),), light=rng.choice(("normal", "poor", "dark")))
    return fight_of(*people, round=0, rounds=20, ground=ground)


def any_answer(rng, request):
    """Anything that is allowed, rather something than nothing."""
    if isinstance(request.options, Range):
        return rng.randint(request.options.low, request.options.high)
    keys = [option.key for option in request.options]
    weights = [0.2 if key in IDLE else 3 if key.startswith(BUSY) else 0.5 for key in keys]
    return rng.choices(keys, weights)[0]


@pytest.mark.parametrize("seed", range(8))
def test_any_choice_leads_on(seed):
    rng, dice = random.Random(seed), Seeded(seed)
    scene = FightScene(HOUSES[seed % len(HOUSES)])
    encounter = Encounter.begin(scene, quarrel(rng), "a quarrel")
    for _ in range(250):
        if not encounter.open:
            break
        at, request = rng.choice(encounter.open)
        encounter.give(dice.faces(request) if isinstance(request, Roll) else any_answer(rng, request), at)
        for fighter in encounter.state.fighters:
            assert fighter.acts >= 0
            assert fighter.bonuses >= 0
            assert all(0 <= left <= weapon.ammo for left, weapon in zip(fighter.ammo, fighter.profile.weapons, strict=True))
            assert fighter.gone[fighter.hand] == fighter.gone[fighter.off] == ""
            assert not (fighter.out and fighter.pins)
            assert len(fighter.attacks) == len(fighter.profile.weapons)
    state = encounter.state
    assert msgspec.convert(msgspec.to_builtins(state), type(state)) == state
    assert Encounter(scene, encounter.entries).state == state
    assert len(encounter.entries) > 20


def test_a_target_that_slipped_away_is_not_struck():
    """A blow begun at somebody who came first and stepped back does not reach them any more."""
    fight = fight_of(someone("Ann", hth=8), someone("Bob", (1.0, 0.0), hth=8))
    fight = fight.change("Bob", waiting=True, qr=2, acts=2, tried=True, focus="Ann").change("Ann", qr=4, focus="Bob")
    table = Table(replace(fight, turn="Ann"))
    table.play(("Ann", "attack how:Bob"), ("Ann", "bare hands: kick"), ("Bob", "first"), ("Bob", "move"), ("Bob", "away:Ann"))
    assert "Ann can no longer carry out the action" in table.transcript()
    assert table.fighter("Ann").attacks == (0,)
