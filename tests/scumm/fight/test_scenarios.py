"""The scenarios that ship: played, replayed, undone, and shaken with random decisions under many settings."""

import random

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.play import Choice, Player, Range, Seeded, play
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Answered
from rulewright.scenes.scene import run
from rulewright.show import rule_calls
from rulewright.systems.scumm.combat.fighters import Fight
from rulewright.systems.scumm.settings import BOOK

from ..fights import RULES

SCENARIOS = ["duel", "brawl", "shootout", "ambush"]
SETTINGS = [
    {},
    {"multiple-actions": "true", "random-hit-locations": "true", "carrying-capacity": "true"},
    {
        "no-dice-left": "impossible",
        "burst-keeps-a-die": "false",
        "unskilled-emergency-dice": "none",
        "beyond-extreme-range": "minus four",
        "fumbled-initiative": "nothing",
        "ambush-roll": "combat sense",
        "ambush-tie": "unnoticed",
        "suppression-exposed": "spared",
        "suppression-tie-hits": "true",
        "free-strikes-a-round": "3",
        "grapple-moves-at": "loser",
        "first-opponent-counts": "yes",
        "most-opponents-penalty": "2",
        "maneuver-draws": "lands",
        "random-hit-locations": "true",
    },
]


def at_random(seed):
    """Any allowed answer to every question; no two options of a question share a key."""
    rng = random.Random(seed)

    def decide(choice: Choice):
        if isinstance(choice.options, Range):
            return rng.randrange(choice.options.low, choice.options.high + 1, choice.options.step)
        keys = choice.keys()
        assert len(set(keys)) == len(keys), keys
        if choice.topic in ("act", "move"):
            fight = choice.about.fight
            assert fight.acting_body(fight.fighter(choice.who)).able, f"{choice.who} is in no state to act"
        return rng.choice(keys)

    return decide


def sound(fight: Fight) -> None:
    """Nothing about a state is impossible."""
    assert fight.round <= fight.rounds
    for fighter in fight.fighters:
        weapons = fighter.profile.weapons
        assert len(fighter.ammo) == len(fighter.jammed) == len(fighter.gone) == len(weapons)
        assert all(0 <= left <= weapon.ammo for left, weapon in zip(fighter.ammo, weapons, strict=True))
        assert fighter.body.emergency_dice >= 0
        assert 0 <= fighter.aim <= 3
        assert not fighter.gone[fighter.in_hand] or fight.frozen
        assert fighter.ready is None or fighter.body.able or fight.frozen
        if fighter.grappling:
            other = fight.fighter(fighter.grappling)
            assert other.grappling == fighter.name
            assert fighter.body.able
            assert other.body.able
    for name in [name for group in fight.queue for name in group] if fight.turn is None else []:
        assert fight.acting_body(fight.fighter(name)).able


def shaken(staged, seed, rounds):
    player = Player(Seeded(seed), at_random(seed))
    state = replace(staged.state, rounds=rounds)
    for _ in range(rounds * 50):
        if staged.scene.result(state) is not None:
            return
        state = player.run(staged.scene.step(state))
        sound(state)
    raise AssertionError("the fight does not end")


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("settings", range(len(SETTINGS)))
def test_random_decisions_never_break_a_fight(name, settings):
    staged = library.stage(f"scumm/{name}", settings=SETTINGS[settings])
    for seed in range(12):
        shaken(staged, seed, rounds=10)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("settings", range(len(SETTINGS)))
def test_random_decisions_never_break_any_of_two_hundred_fights(name, settings):
    staged = library.stage(f"scumm/{name}", settings=SETTINGS[settings])
    for seed in range(201):
        shaken(staged, seed, rounds=15)


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_fight_replays_from_its_record(name, seed):
    staged = library.stage(f"scumm/{name}")
    encounter = Encounter.begin(staged.scene, replace(staged.state, rounds=8))
    encounter.play_out(Seeded(seed), at_random(seed))
    again = Encounter(staged.scene, encounter.entries)
    assert again.state == encounter.state
    assert again.result == encounter.result
    played = play(run(staged.scene, replace(staged.state, rounds=8)), dice=Seeded(seed), decide=at_random(seed))
    given = [entry.given for entry in encounter.entries if isinstance(entry, Answered)]
    assert played.outcome == encounter.state
    assert [answer.given for answer in played.record] == given


@pytest.mark.parametrize("name", SCENARIOS)
def test_everything_undone_is_the_beginning(name):
    staged = library.stage(f"scumm/{name}")
    start = replace(staged.state, rounds=3)
    encounter = Encounter.begin(staged.scene, start)
    encounter.play_out(Seeded(5), at_random(5))
    undone = 0
    while encounter._live:
        encounter.undo()
        undone += 1
    assert undone > 5
    assert encounter.state == start
    for _ in range(undone):
        encounter.redo()
    assert encounter.result is not None


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_is_a_contest(name):
    """Each ends with a winner most of the time, and no side always wins."""
    staged = library.stage(f"scumm/{name}")
    won: dict[str | None, int] = {}
    for seed in range(60):
        end = Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))
        winner = staged.scene.result(end).winner
        won[winner] = won.get(winner, 0) + 1
    assert won.get(None, 0) < 15
    assert all(won.get(side, 0) >= 3 for side in staged.scene.sides(staged.state))


def test_a_duel_between_equals_is_fair():
    """Who stands first in the file has no advantage: ties act at the same time."""
    staged = library.stage("scumm/duel")
    won = {"north": 0, "south": 0, None: 0}
    for seed in range(3_000):
        end = Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))
        won[staged.scene.result(end).winner] += 1
    assert abs(won["north"] - won["south"]) < 4 * (3_000**0.5)
    assert won[None] > 20  # those who kill each other


# --- every rule of combat by its id -------------------------------------------------------------------------------------------

RULES_OF_COMBAT = {
    "scumm-defense-roll": {"defense": "3"},
    "scumm-combat-sense-roll": {"combat_sense": "3"},
    "scumm-actions-per-round": {},
    "scumm-multiple-actions": {"extra": "2"},
    "scumm-action-types": {"kind": "reload"},
    "scumm-readying": {"ready.trigger": "moves", "event": "moves"},
    "scumm-initiative": {"total": "7"},
    "scumm-movement-types": {},
    "scumm-movement-modifiers": {"mode": "running"},
    "scumm-injury-movement": {},
    "scumm-close-attack": {"guard": "parry"},
    "scumm-close-unwary": {"stealth": "2"},
    "scumm-attack-object": {"size": "head", "level": "4"},
    "scumm-close-fumbles": {},
    "scumm-grapple": {"grappler.dice": "3"},
    "scumm-disarm": {"margin": "3"},
    "scumm-trip": {"target.body": "2"},
    "scumm-shove": {"attacker_body": "1"},
    "scumm-ranged-attack": {"skill": "3", "metres": "10", "circumstances.aim": "2", "exposure.cover": "heavy cover"},
    "scumm-ranged-unwary": {"stealth": "3"},
    "scumm-ranged-fumbles": {},
    "scumm-aiming": {"rounds": "2"},
    "scumm-called-shots": {"location": "head"},
    "scumm-burst-fire": {"dice": "2"},
    "scumm-spraying": {"positions": "0,0;1,0"},
    "scumm-suppression-fire": {"widened": "true"},
    "scumm-combat-modifiers": {"name": "heavy cover"},
    "scumm-thrown-knife": {"body": "1"},
    "scumm-emergency-dice": {},
    "scumm-emergency-dice-cheat-death": {},
}


@pytest.mark.parametrize("rule_id", RULES_OF_COMBAT)
def test_every_rule_of_combat_can_be_called_by_its_id(rule_id):
    call = rule_calls.prepare(RULES, BOOK.rule(rule_id), RULES_OF_COMBAT[rule_id])
    if call.asks:
        play(call.start(), dice=Seeded(1))
    else:
        assert call.value() is not None


@pytest.mark.parametrize(
    ("rule_id", "value"), [("scumm-initiative", 2), ("scumm-aiming", 2), ("scumm-multiple-actions", -2), ("scumm-readying", True)]
)
def test_simple_rules_give_simple_answers(rule_id, value):
    assert rule_calls.prepare(RULES, BOOK.rule(rule_id), RULES_OF_COMBAT[rule_id]).value() == value
