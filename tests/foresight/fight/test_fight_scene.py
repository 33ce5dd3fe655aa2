"""The fight as a scene: beginnings, ends, secrets, the lens, tactics, and a round with twelve of whom half wait."""

import time

import msgspec
import pytest
from msgspec.structs import replace

from foresight.fights import Table, fight_of, someone
from foresight.rules_for_tests import RULES
from rulewright import library
from rulewright.errors import UserError
from rulewright.lab.solver.exact import solve
from rulewright.play import Choice, Roll, Seeded
from rulewright.play.odds import Sampler
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.foresight import SYSTEM
from rulewright.systems.foresight.combat.fighters import Area, CoverSpot, Ground, Pin
from rulewright.systems.foresight.fight.scene import begin
from rulewright.systems.foresight.fight.tactics import TACTICS, shooter
from rulewright.systems.foresight.lab_view.scene import FightScene

SCENE = FightScene(RULES)
GUARD = SYSTEM.new(RULES, "character", "guard")
GUN = "Revolver (TL4.5)"


def scenario(**fields):
    return Scenario("foresight", "scenario", "test", {"us": [], "them": []}, **fields)


def begun(*members, **fields):
    return begin(RULES, scenario(**fields), [Placed(GUARD, *member) for member in members])


# --- the beginning ------------------------------------------------------------------------------------------------------------


def test_sides_without_places_stand_ten_meters_apart_and_face_each_other():
    fight = begun(("Ann", "us", None, {}), ("Abe", "us", None, {}), ("Bob", "them", None, {}))
    assert [(f.x, f.y, f.facing) for f in fight.fighters] == [(0, 0, 0), (0, 2, 349), (10, 0, 180)]
    assert SCENE.sides(fight) == {"us": ("Ann", "Abe"), "them": ("Bob",)}


def test_the_scenario_can_say_what_is_different():
    state = {"weapon": GUN, "cocked": True, "awareness": "surprised", "wounds": 1, "stance": "prone", "unaware_of": ["Bob"]}
    ann, _ = begun(("Ann", "us", (1.0, 2.0), state), ("Bob", "them", None, {})).fighters
    assert (ann.weapon.name, ann.ready, ann.awareness, ann.body.wounds, ann.stance, ann.unaware_of) == (GUN, (1,), -4, 1, "prone", ("Bob",))


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"weapon": "bazooka"}, "not carried"),
        ({"wepon": GUN}, "did you mean"),
        ({"stance": "floating"}, "is not one of"),
        ({"hand": 7}, "hand is one of"),
        ({"ammo": [0, 99]}, "from 0 to 6"),
        ({"ammo": [0]}, "entry for each"),
        ({"cover": "a wall"}, "no cover"),
        ({"unaware_of": ["Zoe"]}, "nobody here"),
        ({"awareness": "sleepy"}, "sleepy"),
        ({"awareness": 20}, "-8 to 8"),
        ({"style": 3}, "style"),
        ({"weapon": GUN, "off_weapon": GUN}, "both hands"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(state, says):
    with pytest.raises(UserError, match=says):
        begun(("Ann", "us", None, state), ("Bob", "them", None, {}))


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ({"light": "pink"}, "place"),
        ({"dimness": 9}, "dimness"),
        ({"covers": [{"name": "Ann", "x": 0, "y": 0}]}, "something else"),
        ({"areas": [{"name": "a", "x": 0, "y": 0}, {"name": "a", "x": 5, "y": 0}]}, "something else"),
    ],
)
def test_a_place_that_makes_no_sense_is_refused(place, says):
    with pytest.raises(UserError, match=says):
        begun(("Ann", "us", None, {}), ("Bob", "them", None, {}), place=place)


def test_the_sun_pains_some():
    from rulewright.systems.foresight.combat.fighters import enter

    orc = replace(GUARD, species="Orc")
    for character, cost in ((orc, -1), (GUARD, 0)):
        there = enter(RULES, character, "Ann", "us", ground=Ground(sunlight=True)).profile
        indoors = enter(RULES, character, "Ann", "us", ground=Ground()).profile
        for one in ("initiative", "hth", "strength", "agility"):
            assert getattr(there, one).modifier == getattr(indoors, one).modifier + cost
        assert there.weapons[1].task.modifier == indoors.weapons[1].task.modifier + cost


# --- the end ------------------------------------------------------------------------------------------------------------------


def test_results():
    fight = begun(("Ann", "us", None, {}), ("Bob", "them", None, {}))
    assert SCENE.result(fight) is None
    assert SCENE.result(fight.change("Bob", cuffed=True)).winner == "us"
    assert SCENE.result(fight.change("Bob", cuffed=True).change("Ann", cuffed=True)).winner is None
    assert SCENE.result(replace(fight, round=50)).winner is None
    stunned = fight.harm("Bob", replace(fight.fighter("Bob").body, stunned=True))
    assert SCENE.result(stunned) is None  # the stunned are not out of it


def test_who_gives_up_is_out_of_it():
    fight = begun(("Ann", "us", None, {"gives_up": 2}), ("Bob", "them", None, {"wounds": 1, "gives_up": 1}))
    assert SCENE.result(fight).winner == "us"
    ann = fight.fighter("Ann")
    assert not replace(ann, body=replace(ann.body, wounds=1)).out
    assert replace(ann, body=replace(ann.body, wounds=2)).out
    assert "has given up" in {piece.name for piece in SCENE.view(fight, None).cards[1].pieces}


def test_who_falls_lets_go_and_is_let_go_of():
    fight = fight_of(someone("Ann", guns=(GUN,), weapon=GUN), someone("Bob"))
    fight = fight.change("Ann", pins=(Pin("Bob", "left arm"),)).change("Bob", pins=(Pin("Ann", "left arm"),))
    out = fight.harm("Ann", replace(fight.fighter("Ann").body, unconscious=True))
    assert (out.fighter("Ann").pins, out.fighter("Bob").pins, out.fighter("Ann").stance) == ((), (), "prone")
    numb = fight.harm("Ann", replace(fight.fighter("Ann").body, stunned=True, dropped=("right arm",), prone=True))
    ann = numb.fighter("Ann")
    assert (ann.hand, ann.gone[1], ann.stance, ann.body.dropped) == (0, "at hand", "prone", ())


def test_a_newcomer():
    fight = SCENE.join(begun(("Ann", "us", None, {}), ("Bob", "them", None, {})), GUARD, "us")
    assert SCENE.sides(fight)["us"] == ("Ann", "Night-shift guard")
    with pytest.raises(UserError, match="another one"):
        SCENE.join(fight, GUARD, "us")


# --- the lens -----------------------------------------------------------------------------------------------------------------


def test_the_lens_forgets_what_cannot_matter():
    fight = fight_of(someone("Ann", state={"qr": 1, "acts": 1, "dodges": 2}), someone("Bob"), round=9)
    hurt = fight.harm("Ann", replace(fight.fighter("Ann").body, wounds=2, worst=4, hurt=("chest", "right leg"), clock=3))
    seen = SCENE.lens(hurt, "win").fighter("Ann")
    assert (seen.qr, seen.acts, seen.dodges, seen.body.worst, seen.body.hurt, seen.body.clock) == (7, 0, 0, 2, ("left leg",), 0)
    assert SCENE.lens(hurt, "win").round == 1
    assert SCENE.lens(hurt, "all") == hurt
    under_way = replace(hurt, order=("Ann",))
    assert SCENE.lens(under_way, "win").fighter("Ann").qr == 1  # still to act: it matters
    assert SCENE.lens(under_way, "win").fighter("Ann").dodges == 2
    waiting = hurt.change("Ann", waiting=True)
    assert SCENE.lens(waiting, "win").fighter("Ann").qr == 1


def test_the_lens_keeps_the_odds():
    """A short fight solved with and without the lens comes to the same chances."""

    class Bare(FightScene):
        def lens(self, state, question):
            return state

    ann = someone("Ann", (0.0, 0.0), guns=("SL Pistol (TL5)",), weapon="SL Pistol (TL5)", handguns=12)
    bob = someone("Bob", (2.0, 0.0), body={"wounds": 5, "worst": 5})
    fight = fight_of(ann, bob, rounds=1)
    fight = replace(fight, round=1, order=("Ann",)).change("Ann", focus="Bob", qr=7, acts=1).change("Bob", focus="Ann")
    seen = solve(SCENE, fight, shooter, question="win", rounds=1)
    bare = solve(Bare(RULES), fight, shooter, question="win", rounds=1)
    assert seen.exact
    assert bare.exact
    assert seen.sides["Ann"].chance == pytest.approx(bare.sides["Ann"].chance)
    assert 0.05 < seen.sides["Ann"].chance < 0.95
    assert seen.states <= bare.states


# --- what is seen -------------------------------------------------------------------------------------------------------------


def test_who_is_unseen_is_on_no_card_no_list_and_no_map():
    fight = fight_of(someone("Ann"), someone("Bob", (9.0, 0.0), state={"unaware_of": ("Ann",)}), order=("Ann", "Bob"))
    view = SCENE.view(fight, "Bob")
    assert [card.name for card in view.cards] == ["Bob"]
    assert [place.name for place in view.places] == ["Bob"]
    assert [turn.who for turn in view.timeline.turns] == ["Bob"]
    assert [card.name for card in SCENE.view(fight, None).cards] == ["Ann", "Bob"]
    assert [card.name for card in SCENE.view(fight, "a stranger").cards] == ["Bob"]


def test_friends_see_ammunition_and_foes_do_not():
    fight = fight_of(someone("Ann", guns=(GUN,), weapon=GUN), someone("Bob", (9.0, 0.0)))

    def pieces(who):
        return {type(piece).__name__ for card in SCENE.view(fight, who).cards if card.name == "Ann" for piece in card.pieces}

    assert "Pool" in pieces("Ann")
    assert "Pool" not in pieces("Bob")


# --- twelve in a round --------------------------------------------------------------------------------------------------------


def crowd():
    """Six of each side in two lines; every second one waits, watching the one across, who does not."""
    people = []
    for at in range(6):
        for side, x in (("us", 0.0), ("them", 6.0)):
            state = {"waiting": at % 2 == (side == "us"), "qr": 2 + at % 3, "focus": f"{'them' if side == 'us' else 'us'} {at + 1}"}
            people.append(
                someone(f"{side} {at + 1}", (x, 3.0 * at), side=side, guns=(GUN,), weapon=GUN, handguns=8, initiative=at, state=state)
            )
    return fight_of(*people, round=0, ground=Ground(covers=(CoverSpot("a wall", 3, 3),), areas=(Area("the middle", 3, 9, 4),)))


def steady(choice):
    """Those who wait go on waiting until somebody shoots; all others shoot."""
    if choice.topic == "turn":
        me = choice.about.fight.fighter(choice.about.name)
        return "wait" if me.waiting else "act"
    return shooter(choice)


def test_a_round_with_twelve_half_of_them_waiting():
    encounter = Encounter.begin(SCENE, crowd(), "a crowd")
    dice, names = Seeded(1), {f.name for f in encounter.state.fighters}
    assert sum(f.waiting for f in encounter.state.fighters) == 6
    slowest, asked, interrupts, topics = 0.0, 0, 0, set()
    while encounter.open and encounter.state.round <= 1:
        for at, request in encounter.open:
            who = request.by if isinstance(request, Roll) else request.who
            assert who in names or who == "gamemaster"  # the question always says who may answer it
            if isinstance(request, Choice):
                topics.add(request.topic)
                assert request.about.name in names
                assert len({option.key for option in request.options}) == len(request.options)
            interrupts += len(encounter.state.deeds) > 0
            given = dice.faces(request) if isinstance(request, Roll) else steady(request)
            before = time.process_time()
            encounter.give(given, at)
            slowest = max(slowest, time.process_time() - before)
            asked += 1
            if encounter.state.round > 1:
                break
    assert {"focus", "turn", "act", "now"} <= topics
    assert interrupts > 5
    assert asked > 40
    assert slowest < 1.0  # seconds of the processor, so that a crowded machine does not matter; usually some milliseconds


def test_several_are_asked_at_once_and_answer_in_any_order():
    fight = crowd()
    for at in (1, 2, 3):
        fight = fight.change(f"us {at}", waiting=True, qr=1, focus="them 1", acts=2, tried=True)
    fight = replace(fight, round=1, turn="them 1").change("them 1", qr=3, acts=2, waiting=False, focus="us 1")
    table = Table(fight)
    table.play(("them 1", "drop"))
    assert {who for who, _ in table.asks()} == {"us 1", "us 2", "us 3"}
    assert {topic for _, topic in table.asks()} == {"first"}
    table.play(("us 3", "first"), ("us 1", "let"))
    assert table.asks() == [("us 2", "first")]
    table.play(("us 2", "first"))
    assert table.fight.deeds[0].granted == ("us 3", "us 2")  # the better Initiative goes first
    assert table.asks() == [("us 3", "act")]


# --- tactics ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TACTICS)
def test_every_tactic_fights_to_an_end(name):
    arms = {"guns": (GUN,), "blades": ("Dagger",), "hth": 8, "handguns": 10, "pain": 3}
    ground = Ground(covers=(CoverSpot("a wall", 2, 1, "1/3 cover"),))
    fight = fight_of(someone("Ann", **arms), someone("Bob", (4.0, 0.0), **arms), round=0, rounds=60, ground=ground)
    encounter = Encounter.begin(SCENE, fight, name)
    result = encounter.play_out(Seeded(2), TACTICS[name])
    assert result is not None
    assert encounter.state.round >= 1


def test_tactics_differ():
    arms = {"guns": (GUN,), "hth": 8, "handguns": 10}
    fight = fight_of(someone("Ann", **arms), someone("Bob", (1.0, 0.0), **arms))
    table = Table(replace(fight.change("Ann", focus="Bob", hand=1), turn="Ann"))
    (_, choice), *_ = table.encounter.open
    assert TACTICS["shooter"](choice) == "ready"
    assert TACTICS["waiter"](choice) == "wait"
    assert TACTICS["brawler"](choice) == "attack:Bob"
    assert TACTICS["swordsman"](choice) == "feint:Bob"


@pytest.mark.parametrize("name", ["gunslingers", "sniper", "brawl"])
def test_the_scenarios_are_played_from_a_seed(name):
    staged = library.stage(f"foresight/scenarios/{name}")
    encounter = Encounter.begin(staged.scene, staged.state, name)
    assert encounter.play_out(Seeded(1), staged.decide) is not None
    written = msgspec.json.decode(msgspec.json.encode(encounter.state), type=type(encounter.state))
    assert written == encounter.state


def test_part_of_the_gunslingers_is_settled_exactly():
    staged = library.stage("foresight/scenarios/gunslingers")
    solved = solve(staged.scene, staged.state, staged.decide, question="win", rounds=30, states=250)
    assert solved.settled > 0.3
    north, south = solved.sides["north"].interval, solved.sides["south"].interval
    assert north[0] <= 0.5 <= north[1]
    assert south[0] <= 0.5 <= south[1]


def test_the_duel_comes_out_sampled_as_it_is_solved():
    staged = library.stage("foresight/scenarios/gunslingers")
    solved = solve(staged.scene, staged.state, staged.decide, question="win", rounds=30, states=450)
    low, high = solved.sides["north"].interval
    n, sampler = 250, Sampler(3, staged.decide)
    won = 0
    for _ in range(n):
        last = sampler.run(run(staged.scene, staged.state, most=10_000))
        won += staged.scene.result(last).winner == "north"
    spread = 4 * (0.25 / n) ** 0.5
    assert low - spread <= won / n <= high + spread
    assert high - low < 0.5
