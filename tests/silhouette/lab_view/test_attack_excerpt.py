"""A blow by itself comes to the same, with the same odds, as the turn in the whole fight."""

from functools import partial

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.lab import sample
from rulewright.play import Player, Seeded, is_local
from rulewright.play.odds import Exact
from rulewright.systems.silhouette.attacks.close_attacks import land, strikers
from rulewright.systems.silhouette.combat.close_combat import Struck
from rulewright.systems.silhouette.combat.fighters import Landing, Moment, Opening
from rulewright.systems.silhouette.fight.scene import TACTICS
from rulewright.systems.silhouette.harm.body import OPEN_ENDED
from rulewright.systems.silhouette.lab_view.scene import FightScene

from ..fights import RULES, by, fight_of, left_alone, someone, walked

SCENE = FightScene(RULES)


def group(tactic="fencer", count=3, character="court-fencer", **changes):
    sides = {
        side: [{"character": character, "name": f"{side} {at}", "at": [x, 0.6 * at]} for at in range(count)]
        for side, x in (("master", 0), ("pupil", 1))
    }
    return library.stage("silhouette/duel", changes={"sides": sides, "tactics": {"master": tactic, "pupil": tactic}, **changes})


def whole_turn(scene, state):
    """A turn in the whole fight, until it is over or somebody may strike freely because of it."""
    state = yield from scene.step(state)
    while state.turn is not None:
        item = state.todo[0] if state.todo else None
        if isinstance(item, Landing):
            state = yield from land(scene.rules, replace(state, todo=state.todo[1:]), item)
        elif isinstance(item, Opening):
            if strikers(scene.rules, state, item):
                return state
            state = replace(state, todo=state.todo[1:])
        else:
            state = yield from scene.step(state)
    return state


def whole_turns(scene, state):
    """The same for all who have still to act."""
    state = yield from whole_turn(scene, state)
    while state.queue and state.turn is None and scene.result(state) is None:
        state = yield from whole_turn(scene, scene.lens(state, "losses"))
    return state


class Levelled(Exact):
    """Exact odds, with what parts come to levelled as for the lab."""

    def __init__(self, staged):
        super().__init__(staged.decide)
        self.level = partial(staged.scene.level, question="losses")

    def part(self, part):
        return super().part(part).map(self.level)


def came_of(staged, state):
    """What comes of the blows by themselves, with its odds; None where they leave the state to others."""
    alone = Levelled(staged).solve(lambda: walked(staged.scene, state, staged.decide))
    return None if alone.weights.keys() == {state} else alone


def same_odds(staged, state, levelled=False):
    """Whether what comes of the blows by themselves is what comes of the whole fight."""
    scene, lens = staged.scene, partial(staged.scene.lens, question="losses")
    exact = Levelled(staged) if levelled else Exact(staged.decide)
    whole = exact.solve(lambda: whole_turns(scene, state))
    assert not whole.unsettled
    return came_of(staged, state).map(lens) == whole.map(lens)


@pytest.mark.parametrize(
    ("tactic", "character", "settings", "seed"),
    [
        ("fencer", "court-fencer", {}, 0),
        ("fencer", "court-fencer", {}, 1),
        ("bruiser", "court-fencer", {}, 2),
        ("fencer", "hedge-knight", {}, 3),
        ("fencer", "court-fencer", {"stances": True}, 4),
    ],
    ids=str,
)
def test_the_odds_of_a_blow_are_those_of_the_whole_fight(tactic, character, settings, seed):
    staged = group(tactic, 2, character, settings=settings)
    scene, seen, state = staged.scene, 0, staged.state
    player = Player(Seeded(seed), staged.decide)
    for _ in range(40):
        if scene.result(state) is not None or seen >= 6:
            break
        if state.queue and state.turn is None and not state.todo:
            one = replace(state, queue=(state.queue[0][:1],))  # more turns have too many paths
            if came_of(staged, one) is not None:
                assert same_odds(staged, one)
                seen += 1
        state = player.run(scene.step(state))
    assert seen >= 2


def placed(staged, places, **changes):
    """A fight in its first round with people in these places, and some of them otherwise."""
    people = zip(staged.state.fighters, places, strict=True)
    fighters = tuple([replace(f, x=x, y=y, **changes.get(f.name.replace(" ", "_"), {})) for f, (x, y) in people])
    return replace(staged.state, fighters=fighters, round=1)


def test_the_same_holds_for_those_who_have_to_come_nearer_first():
    staged = group("fencer", 2)
    state = placed(staged, [(0.0, 0.0), (3.0, 22.0), (5.0, 1.3), (9.7, 4.4)])
    names = [f.name for f in state.fighters]
    seen = set()
    for name in names:
        one = replace(state, queue=((name,),))
        assert same_odds(staged, one)
        seen |= {fight.fighter(name).pace for fight in came_of(staged, one).weights}
    assert seen == {"walking", "running"}


def test_whoever_is_nearer_in_the_end_is_struck():
    staged = group("fencer", 2)
    for x in (4.05, 4.95, 3.6):  # beside or behind the one whom the first runs up to
        state = placed(staged, [(0.0, 0.0), (0.0, 30.0), (4.0, 0.0), (x, 0.4)])
        assert same_odds(staged, replace(state, queue=(("master 0",),)))


def test_the_same_holds_for_the_wounded_the_prone_and_the_confused():
    staged = group("fencer", 2)
    near, far = [(0.0, 0.0), (0.0, 5.0), (1.0, 0.0), (1.0, 5.0)], [(0.0, 0.0), (0.0, 5.0), (7.0, 0.0), (11.0, 5.0)]
    body = staged.state.fighters[0].body
    for places in (near, far):
        for changed in ({"pace": "prone"}, {"confused": True}, {"body": replace(body, deep=1)}, {"body": replace(body, flesh=2)}):
            state = placed(staged, places, master_0=changed)
            assert same_odds(staged, replace(state, queue=(("master 0",),)))
        state = placed(staged, places, pupil_0={"pace": "prone"})
        assert same_odds(staged, replace(state, queue=(("master 0",),)))


def test_the_same_holds_for_a_moment_that_two_share_and_one_does_not_outlive():
    staged = group("fencer", 1, settings={})
    weak = replace(staged.state.fighters[1].body, flesh=2, deep=2)
    state = placed(staged, [(0.0, 0.0), (1.0, 0.0)], pupil_0={"body": weak, "pace": "prone"})  # nobody stands with two Deep Wounds
    assert same_odds(staged, replace(state, queue=(("master 0", "pupil 0"),)), levelled=True)
    fallen = replace(weak, dead=True)
    moment = (Moment("master 0", state.fighters[0].body), Moment("pupil 0", weak))
    hit = placed(staged, [(0.0, 0.0), (1.0, 0.0)], pupil_0={"body": fallen, "pace": "prone"})
    assert same_odds(staged, replace(hit, frozen=moment, queue=(("pupil 0",),)))
    assert same_odds(staged, replace(hit, frozen=moment, queue=(("master 0",), ("pupil 0",))), levelled=True)


def test_the_same_holds_for_turns_one_after_the_other():
    staged = group("fencer", 2)
    weak = replace(staged.state.fighters[2].body, flesh=2, deep=1)
    beside = [(0.0, 0.0), (0.0, 0.6), (1.0, 0.3), (1.0, 5.0)]
    state = placed(staged, beside, pupil_0={"body": weak})
    assert same_odds(staged, replace(state, queue=(("master 0",), ("master 1",))), levelled=True)  # who comes second may find another
    assert same_odds(staged, replace(state, queue=(("master 0",), ("pupil 0",))), levelled=True)  # or may not come to it any more
    alone = placed(staged, beside, pupil_0={"body": weak}, pupil_1={"body": replace(weak, name="pupil 1", dead=True)})
    assert same_odds(staged, replace(alone, queue=(("master 0",), ("master 1",))), levelled=True)  # or there is nobody left


def test_no_blow_is_shown_by_itself_where_a_turn_may_touch_more():
    ann = someone("Ann", weapons=("short sword",), melee=3, state={"in_hand": 1})
    bob = someone("Bob", (1, 0), weapons=("short sword",), melee=2, state={"in_hand": 1})
    queue = (("Ann",),)

    def alone(*people, scene=SCENE, **changes):
        return left_alone(scene, fight_of(*people, **{"queue": queue, **changes}))

    assert not alone(ann, bob)
    assert alone(ann, bob, queue=())  # initiative
    assert alone(ann, replace(bob, x=900.0))  # too far off
    assert not alone(ann, replace(bob, x=4.0))
    for changed in ({"hidden": True}, {"unwary": True}, {"body": replace(bob.body, unconscious=OPEN_ENDED)}):
        assert alone(ann, replace(bob, **changed))
    for changed in ({"in_hand": 0}, {"ordered": 1}, {"confused": True, "aim": 1}, {"pace": "climbing"}):
        assert alone(replace(ann, **changed), bob)
    assert alone(ann, bob, late=("Bob",))
    assert alone(ann, bob, scene=FightScene(by(reality="cinematic")))


def test_of_those_who_are_out_it_does_not_matter_how():
    body = someone("Ann").body
    dead = Struck(replace(body, flesh=2, deep=3, dead=True), 1)
    asleep = Struck(replace(body, flesh=1, unconscious=OPEN_ENDED), 1)
    assert SCENE.level(dead, "win") == SCENE.level(asleep, "losses") != asleep
    assert not SCENE.level(dead, "win").victim.able
    assert SCENE.level(dead, "all") == dead
    hurt = Struck(replace(body, flesh=1), 1)
    assert SCENE.level(hurt, "win") == hurt
    ties = FightScene(by(**{"advanced-ties": True}))
    assert ties.level(dead, "win") == dead  # who is late acts once more, with these wounds
    fated = Struck(replace(dead.victim, genre=("last hurrah",)), 1)
    assert SCENE.level(fated, "win") == fated


def test_where_genre_points_count_the_lens_keeps_how_somebody_fell():
    fallen = replace(someone("Bob", side="Ann"), left_for_dead=True)
    fallen = replace(fallen, body=replace(fallen.body, deep=3, trauma=4))
    fight = fight_of(someone("Ann"), fallen, someone("Cyd"))
    assert SCENE.lens(fight, "losses").fighter("Bob") != fallen
    assert SCENE.lens(replace(fight, swayed=True), "losses").fighter("Bob") == fallen


def test_only_tactics_that_look_at_no_more_are_local():
    assert {name for name, tactic in TACTICS.items() if is_local(tactic)} == {"fencer", "bruiser"}
    assert is_local(group("fencer").decide)
    assert not is_local(group("whirlwind").decide)


def test_drawn_blows_and_played_fights_agree():
    staged = group("fencer", 2)
    asked = {"question": "losses", "rounds": staged.scenario.rounds, "tables": False}
    drawn = sample(staged.scene, staged.state, staged.decide, 600, seed=5, confidence=0.9999, **asked)
    played = sample(staged.scene, staged.state, lambda choice: staged.decide(choice), 300, seed=6, confidence=0.9999, **asked)
    for side in ("master", "pupil"):
        (low, high), (least, most) = drawn.sides[side].interval, played.sides[side].interval
        assert low < most
        assert least < high
        (low, high), (least, most) = drawn.losses[side].interval, played.losses[side].interval
        assert low < most
        assert least < high
    (low, high), (least, most) = drawn.rounds.interval, played.rounds.interval
    assert low < most
    assert least < high
