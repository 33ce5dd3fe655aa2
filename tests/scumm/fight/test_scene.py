"""The fight as a scene: how it ends, what each may see, and what the lens leaves out."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulewright import library
from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.lab.results import End
from rulewright.lab.solver.exact import solve
from rulewright.play import Seeded
from rulewright.play.odds import Budget, Exact, Odds
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.scumm.combat.attacks import Struck
from rulewright.systems.scumm.combat.fighters import Fight, Moment, UnderWay
from rulewright.systems.scumm.fight.scene import TACTICS, begin
from rulewright.systems.scumm.fight.turns import Initiatives, actions_by_initiative, ranked
from rulewright.systems.scumm.harm.body import OPEN_ENDED
from rulewright.systems.scumm.lab_view.scene import FightScene
from rulewright.systems.scumm.people.characters import Attributes, Character, Gear

from ..fights import RULES, fight_of, roll_initiative, someone

SCENE = FightScene(RULES)
TOUGH = Character("Tough", attributes=Attributes(body=1), skills={"brawl": 2}, gear=Gear(melee=("knife",), guns=("9mm pistol",)))


def scenario(**fields):
    return Scenario("scumm", "scenario", "test", {"us": [], "them": []}, **fields)


def begun(*members, **fields):
    return begin(RULES, scenario(**fields), [Placed(TOUGH, *member) for member in members])


# --- the beginning ------------------------------------------------------------------------------------------------------------


def test_sides_without_places_stand_ten_metres_apart():
    fight = begun(("Ann", "us", None, {}), ("Abe", "us", None, {}), ("Bob", "them", None, {}))
    assert [(f.x, f.y) for f in fight.fighters] == [(0, 0), (0, 2), (10, 0)]
    assert fight.round == 0


def test_the_scenario_can_say_what_is_different():
    state = {"weapon": "knife", "flesh": 1, "cover": "light cover", "ammo": [0, 0, 3]}
    (ann, _) = begun(("Ann", "us", (1.0, 2.0), state), ("Bob", "them", None, {})).fighters
    assert (ann.weapon.name, ann.body.flesh, ann.cover, ann.ammo) == ("knife", 1, "light cover", (0, 0, 3))


def test_who_cannot_stand_begins_on_the_ground():
    (ann, _) = begun(("Ann", "us", None, {"deep": 2, "system_shock": 9}), ("Bob", "them", None, {})).fighters
    assert ann.mode == "prone"


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"weapon": "bazooka"}, "not carried"),
        ({"wepon": "knife"}, "did you mean"),
        ({"cover": "a wall"}, "is not one of"),
        ({"in_hand": 7}, "in_hand"),
        ({"ammo": [0, 0, 99]}, "from 0 to 12"),
        ({"ammo": [0]}, "entry for each"),
        ({"intoxicated": 9}, "from 0 to 3"),
        ({"gone": ["", "", "away"]}, "cannot be in hand"),
        ({"flesh": -2}, "Ann: flesh is at least 0, not -2"),
        ({"emergency_dice": -3}, "emergency_dice is at least 0"),
        ({"unconscious": -5}, "unconscious is at least -1"),
        ({"trauma": 0}, "trauma is at least 1"),
        ({"system_shock": 0}, "system_shock is at least 1"),
        ({"stiffness": 4}, "0 or less, not 4"),
        ({"limbs": [{"limb": "left arm", "flesh": -1}]}, "the entry for the left arm breaks"),
        ({"limbs": [{"limb": "head", "flesh": 1}]}, "arms and legs"),
        ({"acts": -1}, "counted from 0"),
        ({"grappling": "Zed"}, "there is no 'Zed' in this fight; there are Ann, Bob"),
        ({"grappling": "Bob"}, "needs the same of Bob"),
        ({"grappling": "Ann"}, "cannot grapple alone"),
        ({"aim": 1, "aim_at": "Zed"}, "there is no 'Zed'"),
        ({"ready": {"of": "Zed"}}, "there is no 'Zed'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(state, says):
    with pytest.raises(UserError, match=says):
        begun(("Ann", "us", None, state), ("Bob", "them", None, {}))


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ({"ambush": "nobody"}, "is no side"),
        ({"light": "pink"}, "place"),
        ({"covers": [{"name": "Ann", "x": 0, "y": 0}]}, "another"),
        ({"covers": [{"name": "a wall", "x": 0, "y": 0}, {"name": "a wall", "x": 5, "y": 0}]}, "another"),
    ],
)
def test_a_place_that_makes_no_sense_is_refused(place, says):
    with pytest.raises(UserError, match=says):
        begun(("Ann", "us", None, {}), ("Bob", "them", None, {}), place=place)


def test_nobody_joins_under_a_name_that_is_taken():
    fight = begun(("Ann", "us", None, {}), ("Bob", "them", None, {}))
    assert SCENE.sides(SCENE.join(fight, replace(TOUGH, name="Cyd"), "us")) == {"us": ("Ann", "Cyd"), "them": ("Bob",)}
    with pytest.raises(UserError, match="another one"):
        SCENE.join(fight, replace(TOUGH, name="Ann"), "us")


# --- the end ------------------------------------------------------------------------------------------------------------------


def test_the_last_side_standing_wins():
    fight = fight_of(someone("Ann"), someone("Bob", wounds={"coma": True}))
    assert SCENE.result(fight).winner == "Ann"
    assert SCENE.out(fight) == {"Bob"}
    assert SCENE.result(fight_of(someone("Ann", wounds={"dead": True}), someone("Bob", wounds={"coma": True}))).winner is None


def test_nobody_wins_when_the_rounds_are_over():
    fight = fight_of(someone("Ann"), someone("Bob"), round=50)
    assert SCENE.result(fight).winner is None
    assert SCENE.result(replace(fight, queue=(("Ann",),))) is None
    assert SCENE.result(replace(fight, turn=UnderWay("Ann", 1))) is None
    assert SCENE.result(replace(fight, round=49)) is None


def test_sleep_is_rolled_before_the_fight_goes_on():
    fight = fight_of(someone("Ann"), someone("Bob", wounds={"unconscious": OPEN_ENDED, "flesh": 1}), someone("Cyd"))
    from rulewright.play import script

    assert script(SCENE.step(fight), [(4,)]).outcome.fighter("Bob").body.unconscious == 4


# --- what one may see ---------------------------------------------------------------------------------------------------------


def names(fight, who, whose):
    return {piece.name for card in SCENE.view(fight, who).cards if card.name == whose for piece in card.pieces}


def test_ammunition_and_emergency_dice_are_seen_by_ones_own_side():
    ann = someone("Ann", guns=("9mm pistol",), dice=3, state={"jammed": (False, True), "aim": 1, "aim_at": "Bob"})
    fight = fight_of(ann, someone("Bob", (5, 0)))
    mine = {piece.name: piece for card in SCENE.view(fight, "Ann").cards if card.name == "Ann" for piece in card.pieces}
    assert (mine["9mm pistol"].value, mine["Emergency Dice"].value) == (12, 3)
    assert {"Emergency Dice", "jammed"} <= names(fight, None, "Ann")
    theirs = {piece.name: piece for card in SCENE.view(fight, "Bob").cards if card.name == "Ann" for piece in card.pieces}
    assert not {"Emergency Dice", "jammed"} & set(theirs)
    assert not hasattr(theirs["9mm pistol"], "most")
    assert "12" not in str(theirs["9mm pistol"])
    assert "Bob" not in str(theirs["aiming +1"])


def test_wounds_are_there_for_all_to_see():
    fight = fight_of(someone("Ann", wounds={"flesh": 1, "deep": 1}), someone("Bob", (5, 0)))
    track = next(piece for card in SCENE.view(fight, "Bob").cards if card.name == "Ann" for piece in card.pieces)
    assert track.marks == ("d", "d", "f")


def test_the_timeline_shows_whose_turn_it_is():
    fight = roll_initiative(fight_of(someone("Ann"), someone("Bob", (5, 0))), (3,), (5,))
    view = SCENE.view(replace(fight, queue=(("Ann",),), turn=UnderWay("Bob", 1)), None)
    assert [(turn.who, turn.now) for turn in view.timeline.turns] == [("Bob", True), ("Ann", False)]


# --- states and the lens ------------------------------------------------------------------------------------------------------


def duel():
    return library.stage("scumm/duel")


def visited(staged, seed, decide=None):
    """The states that one game goes through."""
    encounter = Encounter.begin(staged.scene, staged.state)
    states = [encounter.state]
    while encounter.result is None:
        encounter.advance(Seeded(seed * 1000 + len(states)), decide or staged.decide)
        if encounter.state is not states[-1]:
            states.append(encounter.state)
    return states


@pytest.mark.parametrize("name", ["duel", "brawl", "shootout", "ambush"])
def test_states_survive_being_written_down(name):
    for state in visited(library.stage(f"scumm/{name}"), 3):
        again = msgspec.convert(msgspec.to_builtins(state), Fight)
        assert again == state
        assert hash(again) == hash(state)
        assert msgspec.json.decode(msgspec.json.encode(state), type=Fight) == state


def test_the_lens_keeps_what_a_step_can_lead_to():
    """A state and the same state through the lens step to the same states, seen through the lens, with the same weights."""
    staged = duel()
    for seed in range(4):
        for state in visited(staged, seed):
            if staged.scene.result(state) is not None or any(f.body.unconscious == OPEN_ENDED for f in state.fighters):
                continue

            def seen(start, staged=staged) -> Odds[Fight]:
                odds = Exact(staged.decide, Budget(200_000)).solve(lambda: staged.scene.step(start))
                assert not odds.unsettled
                return odds.map(lambda after: staged.scene.lens(after, "win"))

            assert seen(state) == seen(staged.scene.lens(state, "win"))


def test_the_lens_changes_no_result():
    staged = library.stage("scumm/shootout")
    for state in visited(staged, 5):
        for question in ("win", "rounds", "losses"):
            through = staged.scene.lens(state, question)
            assert staged.scene.out(through) == staged.scene.out(state)
            if state.round < state.rounds:
                assert staged.scene.result(through) == staged.scene.result(state)
            assert staged.scene.lens(through, question) == through
        assert staged.scene.lens(state, "all") is state


def test_the_exact_winner_of_a_short_duel_is_the_same_with_and_without_the_lens():
    gun = Character("Gun", attributes=Attributes(alertness=-1, body=-1), skills={"pistols": 2}, gear=Gear(guns=(".45 pistol",)))
    fight = begin(RULES, scenario(rounds=1), [Placed(gun, "Ann", "us", None, {}), Placed(gun, "Bob", "them", (5.0, 0.0), {})])
    answers = [solve(SCENE, fight, duel().usual, question=question, rounds=1) for question in ("win", "all")]
    assert all(answer.exact for answer in answers)
    assert answers[0].states < answers[1].states
    chances = [{side: found.chance for side, found in answer.sides.items()} for answer in answers]
    assert chances[0] == pytest.approx(chances[1], abs=1e-9)


def test_a_part_is_levelled_only_in_what_the_question_does_not_ask_for():
    """Through the lens and with levelled parts a short duel costs both sides the same as without, tactic by tactic."""
    gun = Character("Gun", attributes=Attributes(alertness=-1, body=-1), skills={"pistols": 1}, gear=Gear(guns=(".45 pistol",)))
    fight = begin(RULES, scenario(rounds=1), [Placed(gun, "Ann", "us", None, {}), Placed(gun, "Bob", "them", (5.0, 0.0), {})])
    for tactic in ("duellist", "shooter"):
        levelled, plain = [solve(SCENE, fight, TACTICS[tactic], question=question, rounds=1) for question in ("losses", "all")]
        assert levelled.exact
        assert plain.exact
        assert levelled.states < plain.states
        ends: dict[End, float] = {}
        for end, chance in plain.ends.items():  # which tells of wounds and ammunition too
            short = end._replace(losses=end.losses[:2])
            ends[short] = ends.get(short, 0.0) + chance
        assert levelled.ends == pytest.approx(ends, abs=1e-9)


@given(st.lists(st.builds(Total, st.integers(0, 12), st.booleans()), max_size=5))
def test_ranked_initiative_keeps_order_actions_and_fumbles(totals):
    found = ranked(Initiatives(tuple(totals))).totals
    assert [total.fumble for total in found] == [total.fumble for total in totals]
    for one, before in zip(found, totals, strict=True):
        assert actions_by_initiative(one.total, one.fumble) == actions_by_initiative(before.total, before.fumble)
        for other, other_before in zip(found, totals, strict=True):
            assert (one.total < other.total) == (before.total < other_before.total)


def test_who_is_out_is_out_in_one_way_and_nothing_is_levelled_for_the_question_all():
    body = someone("Bob").body
    ways = [replace(body, dead=True), replace(body, coma=True, flesh=2), replace(body, unconscious=OPEN_ENDED, deep=1)]
    assert len({SCENE.level(way, "win") for way in ways}) == 1
    assert len({SCENE.level(Struck(way, True, False, False), "losses") for way in ways}) == 1
    assert all(SCENE.level(way, "all") is way for way in ways)
    hurt = replace(body, flesh=1)
    assert SCENE.level(hurt, "win") is hurt


def test_the_only_one_who_can_still_attack_counts_as_no_other_foe():
    ann, bob, cyd = someone("Ann", state={"attacked_by": ("Bob",)}), someone("Bob", (5, 0)), someone("Cyd", (5, 5), side="Bob")
    alone = fight_of(ann, bob, queue=(("Bob",),))
    assert SCENE.lens(alone, "win").fighter("Ann").attacked_by == ()
    assert SCENE.lens(fight_of(ann, bob, cyd, queue=(("Bob",),)), "win").fighter("Ann").attacked_by == ("Bob",)


def test_the_lens_keeps_the_moment_of_those_who_act_together():
    ann, bob = someone("Ann"), someone("Bob", (5, 0))
    fight = fight_of(ann, replace(bob, body=replace(bob.body, dead=True)), queue=(("Bob",),), frozen=(Moment("Bob", bob.body, 0, ""),))
    assert SCENE.result(fight) is None
    assert SCENE.result(SCENE.lens(fight, "win")) is None
