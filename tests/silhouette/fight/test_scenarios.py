"""The scenarios that ship: played, shaken with random decisions under many settings, solved and sampled."""

import random

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.lab.solver.exact import read, solve
from rulewright.lab.solver.markov import flow
from rulewright.lab.solver.state_graph import explore
from rulewright.play import Choice, Player, Range, Seeded, play
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scene import run
from rulewright.show import rule_calls
from rulewright.systems.silhouette.combat.fighters import Fight
from rulewright.systems.silhouette.fight.tactics import TACTICS
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.settings import BOOK

from ..fights import RULES, fight_of, someone

FIGHTS = ["duel", "firefight"]
OTHERS = ["chase", "debate", "wilderness"]
SETTINGS = [
    {},
    {"advanced-ties": "true", "stances": "true", "command-points": "true", "special-circumstances": "true", "hit-locations": "true"},
    {
        "free-strike-timing": "after",
        "combat-reach": "by the body",
        "unwary-modifiers": "all",
        "unskilled-emergency-dice": "none",
        "reality": "cinematic",
        "instant-death": "trauma",
    },
    {"dice": "d8", "margin-limit": "true", "running-tests": "behind the screen", "speed-in-a-chase": "left out", "fatigue": "true"},
]


def at_random(seed):
    """Any allowed answer to every question; no two options of a question share a key."""
    rng = random.Random(seed)

    def decide(choice: Choice):
        if isinstance(choice.options, Range):
            return rng.randrange(choice.options.low, choice.options.high + 1, choice.options.step)
        keys = choice.keys()
        assert len(set(keys)) == len(keys), keys
        if choice.topic in ("act", "move") and hasattr(choice.about, "fight"):
            fight = choice.about.fight
            assert fight.acting_body(fight.fighter(choice.who)).able, f"{choice.who} is in no state to act"
        return rng.choice(keys)

    return decide


def sound(fight: Fight) -> None:
    """Nothing about a state is impossible."""
    assert fight.round <= fight.rounds
    for fighter in fight.fighters:
        weapons = fighter.profile.weapons
        assert len(fighter.ammo) == len(fighter.jammed) == len(fighter.gone) == len(fighter.unready) == len(weapons)
        assert all(0 <= left <= weapon.magazine for left, weapon in zip(fighter.ammo, weapons, strict=True))
        assert fighter.body.emergency_dice >= 0
        assert not fighter.gone[fighter.in_hand]
        assert fighter.ready is None or fighter.body.able or fight.frozen
        assert fighter.aim <= max(1, fighter.profile.level(fighter.weapon.aims_with))
    if fight.turn is None:
        assert fight.todo == ()
        for name in [name for group in fight.queue for name in group]:
            assert fight.acting_body(fight.fighter(name)).able
    else:
        assert fight.turn.left >= 0
    for command in fight.commands:
        assert command.tactical >= 0


def shaken(staged, seed, rounds):
    player = Player(Seeded(seed), at_random(seed))
    state = replace(staged.state, rounds=rounds)
    for _ in range(rounds * 120):
        if staged.scene.result(state) is not None:
            return
        state = player.run(staged.scene.step(state))
        if isinstance(state, Fight):
            sound(state)
    raise AssertionError("the scene does not end")


@pytest.mark.parametrize("settings", range(len(SETTINGS)))
@pytest.mark.parametrize("name", FIGHTS)
def test_random_decisions_never_break_a_fight(name, settings):
    staged = library.stage(f"silhouette/{name}", settings=SETTINGS[settings])
    for seed in range(8):
        shaken(staged, seed, rounds=6)


@pytest.mark.parametrize("settings", range(len(SETTINGS)))
@pytest.mark.parametrize("name", OTHERS)
def test_random_decisions_never_break_another_scene(name, settings):
    staged = library.stage(f"silhouette/{name}", settings=SETTINGS[settings])
    for seed in range(8):
        shaken(staged, seed, rounds=9)


@pytest.mark.parametrize("name", FIGHTS)
def test_a_fight_replays_from_its_record(name):
    staged = library.stage(f"silhouette/{name}")
    encounter = Encounter.begin(staged.scene, replace(staged.state, rounds=4))
    encounter.play_out(Seeded(3), at_random(3))
    again = Encounter(staged.scene, encounter.entries)
    assert again.state == encounter.state
    assert again.result == encounter.result


@pytest.mark.parametrize("name", [*FIGHTS, *OTHERS])
def test_every_scenario_is_a_contest(name):
    """Each ends with a winner most of the time, and no side always wins; in the wilderness there is but one side, and it may lose."""
    staged = library.stage(f"silhouette/{name}")
    won: dict[str | None, int] = {}
    for seed in range(40):
        end = Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))
        winner = staged.scene.result(end).winner
        won[winner] = won.get(winner, 0) + 1
    sides = staged.scene.sides(staged.state)
    assert won.get(None, 0) < 12
    assert all(won.get(side, 0) >= 2 for side in sides)
    assert max(won.values()) < 40


def test_the_duel_is_soon_known_within_two_percent_and_fair():
    staged = library.stage("silhouette/duel")
    found = solve(staged.scene, staged.state, staged.decide, seconds=60, precision=0.02)
    assert found.settled > 0.96
    low, high = found.sides["master"].interval
    assert low < 0.5
    assert abs(found.sides["master"].chance - found.sides["pupil"].chance) < 0.02
    won = 0
    for seed in range(400):
        end = Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))
        won += staged.scene.result(end).winner == "master"
    assert low - 0.1 < won / 400 < high + 0.1


@pytest.mark.slow
def test_the_duel_is_solved_to_the_end():
    staged = library.stage("silhouette/duel")
    chain = explore(staged.scene, staged.state, staged.decide, "win", seconds=120)
    assert chain.complete
    assert 1_000 < chain.explored < 15_000
    found = read(chain, flow(chain, None))
    assert found.exact
    assert found.sides["master"].chance == pytest.approx(found.sides["pupil"].chance, abs=1e-9)


def test_the_lens_changes_no_chance():
    """A short duel solved with the lens and without: any wound puts these two out of it."""

    class Plain(FightScene):
        def lens(self, state, question):
            return replace(state, round=min(state.round, 1))

    ann = someone("Ann", (0, 0), weapons=("2-handed sword",), melee=1, build=3, combat_sense=1, wounds={"system_shock": 1})
    ben = someone("Ben", (1, 0), weapons=("club", "knife"), melee=2, combat_sense=1, build=2, wounds={"system_shock": 1})
    fight = fight_of(ann, ben, round=0)
    found = [solve(scene, fight, TACTICS["fencer"], seconds=60) for scene in (FightScene(RULES), Plain(RULES))]
    assert all(each.exact for each in found)
    assert found[0].states < found[1].states
    for side in ("Ann", "Ben"):
        assert found[0].sides[side].chance == pytest.approx(found[1].sides[side].chance, abs=1e-9)
    assert found[0].draw.chance == pytest.approx(found[1].draw.chance, abs=1e-9)


# --- describing a scene -------------------------------------------------------------------------------------------------------


def staged_with(tmp_path, text):
    path = tmp_path / "scene.yaml"
    path.write_text("system: silhouette\nkind: scenario\nname: A test\n" + text)
    return library.stage(path)


TWO = "sides:\n  a: [{character: court-fencer}]\n  b: [{character: hedge-knight}]\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (TWO + "place: {ambush: c}\n", "not a side"),
        (TWO + "place: {swamp: true}\n", "swamp"),
        (TWO + "place: {leaders: {a: Nobody}}\n", "is not on the side"),
        (TWO + "place: {covers: [{name: w, x: 1, y: 1}, {name: w, x: 2, y: 1}]}\n", "is used twice"),
        (TWO + "scene: race\n", "no scene 'race'"),
        (TWO + "scene: chase\n", "prey"),
        (TWO + "scene: chase\nplace: {prey: c}\n", "is not a side"),
        (TWO + "scene: chase\nplace: {prey: a, course: [{conditions: [lava]}]}\n", "lava"),
        (TWO + "scene: debate\nplace: {light: dim}\n", "no map"),
        (TWO + "scene: wilderness\n", "same side"),
        ("sides:\n  a: [{character: court-fencer, state: {weapon: spoon}}]\n  b: [{character: hedge-knight}]\n", "not carried"),
        ("sides:\n  a: [{character: court-fencer, state: {wings: 2}}]\n  b: [{character: hedge-knight}]\n", "no field 'wings'"),
        ("sides:\n  a: [{character: court-fencer, state: {ammo: [1, 2]}}]\n  b: [{character: hedge-knight}]\n", "need 3 entries"),
        ("sides:\n  a: [{character: court-fencer, state: {shield_up: true}}]\n  b: [{character: hedge-knight}]\n", "no shield"),
        ("sides:\n  a: [{character: court-fencer, state: {cover: a leaf}}]\n  b: [{character: hedge-knight}]\n", "no cover"),
    ],
)
def test_a_scene_that_cannot_be_is_refused(tmp_path, text, wrong):
    with pytest.raises(UserError, match=wrong):
        staged_with(tmp_path, text)


def test_states_and_short_names(tmp_path):
    text = (
        "sides:\n  a: [{character: court-fencer, state: {flesh: 1, weapon: knife, cover: light cover}}]\n  b: [{character: hedge-knight}]\n"
    )
    ann = staged_with(tmp_path, text).state.fighters[0]
    assert (ann.body.flesh, ann.weapon.name, ann.cover) == (1, "knife", "light cover")


def test_an_ambush_is_noticed_or_not(tmp_path):
    text = TWO + "place: {ambush: a, light: poor light}\n"
    staged = staged_with(tmp_path, text)
    assert staged.state.ambush_open
    seen = {True: 0, False: 0}
    for seed in range(40):
        state = Player(Seeded(seed), staged.decide).run(staged.scene.step(staged.state))
        hidden, unwary = state.fighters[0].hidden, state.fighters[1].unwary
        assert hidden == unwary
        seen[unwary] += 1
        if hidden:
            assert [card.name for card in staged.scene.view(state, state.fighters[1].name).cards] == [state.fighters[1].name]
            assert len(staged.scene.view(state, None).cards) == 2
    assert min(seen.values()) > 3


# --- tactics ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TACTICS)
def test_every_tactic_fights_to_an_end(name):
    staged = library.stage("silhouette/firefight")
    for seed in range(3):
        player = Player(Seeded(seed), TACTICS[name])
        end = player.run(run(staged.scene, replace(staged.state, rounds=12), most=3_000))
        assert staged.scene.result(end) is not None


@pytest.mark.parametrize(
    "fields",
    [
        {"weapons": ("light pistol", "knife"), "small_arms": 2},
        {"weapons": ("crossbow", "short sword"), "archery": 2, "melee": 1},
        {"weapons": ("javelin", "club"), "throwing": 2, "melee": 2},
        {"weapons": ("fragmentation grenade", "knife"), "throwing": 2},
        {"hand_to_hand": 2},
    ],
)
@pytest.mark.parametrize("tactic", ["shooter", "fencer", "bruiser", "hasty"])
def test_people_of_all_arms_fight_to_an_end(tactic, fields):
    ann, ben = someone("Ann", (0, 0), defense=1, **fields), someone("Ben", (12, 0), defense=1, **fields)
    scene = FightScene(RULES)
    for seed in range(3):
        end = Player(Seeded(seed), TACTICS[tactic]).run(run(scene, fight_of(ann, ben, round=0, rounds=60), most=3_000))
        assert scene.result(end) is not None
        sound(end)


# --- every rule of action by its id -------------------------------------------------------------------------------------------

RULES_OF_ACTION = {
    "sil-3.1-rounds": {"rounds": "10"},
    "sil-3.1.1-action-types": {"action": "load"},
    "sil-3.1.1-multiple-actions": {"standard": "2"},
    "sil-3.1.1-readying-delaying": {"ready.trigger": "moves", "event": "moves"},
    "sil-3.1.1-refocus": {"combat_sense": "3"},
    "sil-3.1.1-running-tests": {},
    "sil-3.1.2-free-strike": {"act": "load"},
    "sil-3.1.2-initiative": {},
    "sil-3.1.2-surprise": {},
    "sil-3.2.1-movement-types": {"pace": "running"},
    "sil-3.2.2-move-rates": {"fitness": "1"},
    "sil-3.2.3-movement-in-close-combat": {"pace": "running"},
    "sil-3.2.4-carrying": {"strength": "1"},
    "sil-3.2.5-injury-movement": {"deep": "1"},
    "sil-3.2.6-chase": {"prey": "5", "pursuer": "3"},
    "sil-3.2.7-climbing": {},
    "sil-3.2.7-climbing-options": {},
    "sil-3.2.8-falls": {"dice": "5", "metres": "4"},
    "sil-3.2.8-softening-and-surfaces": {"metres": "6", "roll": "2"},
    "sil-3.2.9-jumping": {},
    "sil-3.3-advanced-ties-combat": {"attack": "4", "defense": "4"},
    "sil-3.3-close-attack": {"level": "3"},
    "sil-3.3-close-task": {},
    "sil-3.3-object": {},
    "sil-3.3-unwary-target": {"stealth": "2"},
    "sil-3.3.1-reach": {"complexity": "4"},
    "sil-3.3.3-special-circumstances": {},
    "sil-3.3.4-combinations": {"level": "4", "defense": "3"},
    "sil-3.3.4-deception": {"attack": "4", "defense": "3"},
    "sil-3.3.4-defend-multiple": {"level": "5", "opponents": "3"},
    "sil-3.3.4-fast-attacks": {"speed": "lightning"},
    "sil-3.3.5-social-game": {"influence": "2"},
    "sil-6.4.1-cinematic-jumping": {"margin": "2"},
}


@pytest.mark.parametrize("rule_id", RULES_OF_ACTION)
def test_every_rule_of_action_can_be_called_by_its_id(rule_id):
    call = rule_calls.prepare(RULES, BOOK.rule(rule_id), RULES_OF_ACTION[rule_id])
    if call.asks:
        play(call.start(), dice=Seeded(1))
    else:
        assert call.value() is not None
