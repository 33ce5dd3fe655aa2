"""A step seen by itself comes out as it does in the whole fight, die by die; and sampled fights end as stepped ones do."""

import random
from math import sqrt
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from foresight.fights import fight_of, someone
from foresight.rules_for_tests import RULES
from rulewright.lab.sampling.batches import Stepping
from rulewright.library import stage, take
from rulewright.play import Choice, Option, Player, Range, Seeded
from rulewright.scenes.scene import run
from rulewright.systems.foresight.combat.events import Asked
from rulewright.systems.foresight.combat.fighters import Action, CoverSpot, Deed, Ground
from rulewright.systems.foresight.fight.tactics import TACTICS
from rulewright.systems.foresight.lab_view.anonymised import felt, put_out
from rulewright.systems.foresight.lab_view.batch_rounds import Excerpts, _Walk
from rulewright.systems.foresight.lab_view.scene import FightScene
from rulewright.systems.foresight.lab_view.step_excerpt import played
from rulewright.systems.foresight.people.characters import Arm

SCENE = FightScene(RULES)
REVOLVER = "Revolver (TL4.25)"


def crowd(scenario, numbers, tactics, state=None):
    """The first of each side of a scenario, so many of them, all of a side deciding alike."""
    told = take(scenario, "scenario").thing
    sides = {
        side: [{"character": members[0].character, "state": members[0].state if state is None else state, "count": number}]
        for (side, members), number in zip(told.sides.items(), numbers, strict=True)
    }
    return stage(scenario, changes={"sides": sides, "tactics": dict(zip(told.sides, tactics, strict=True))})


def levelled(fight):
    """A fight without what no question but `all` asks about."""
    return replace(fight, fighters=tuple(put_out(each) if each.out else replace(each, body=felt(each)) for each in fight.fighters))


def anything(dice):
    """Somebody who does anything at all, so that fights get into every sort of muddle."""

    def decide(choice):
        options = choice.options
        return dice.randint(options.low, options.high) if isinstance(options, Range) else dice.choice(options).key

    return decide


class Found(Exception):
    """An excerpt that was not met before."""


class Showing(Excerpts):
    """A walk that stops at the first excerpt."""

    def excerpt(self, key, shown, places):
        raise Found(shown)


def excerpt(fight):
    """The next excerpt of a fight, as a walk shows it; None where there is none."""
    try:
        Showing(RULES, None, SCENE.step)(fight, fight.round)
    except Found as found:
        return found.args[0]
    return None


class Enough(Exception):
    """Another excerpt would come."""


class Once(Player):
    """Luck for one excerpt, of which nothing is learned: it is played with the next dice."""

    begun = False

    def learned(self, part):
        return None

    def sub(self, part):
        if part.procedure is played:
            if self.begun:
                raise Enough
            self.begun = True
        return super().sub(part)


def walked(staged, fight, luck, step):
    """The fight after one excerpt; None where the next step moves somebody, so that it cannot be put back."""
    walk = _Walk(Excerpts(staged.scene.rules, luck, step), fight)
    try:
        if walk._turns():
            return None
    except Enough:
        pass
    return walk._put_back()


def as_in_the_whole(staged, fight, seed):
    """Whether the next excerpt, if there is one, comes to what the whole fight comes to with the same dice."""
    shown = excerpt(fight)
    if shown is None:
        return None
    taken = []

    def step(small):
        taken.append(small)
        return staged.scene.step(small)

    after = walked(staged, fight, Once(Seeded(seed), staged.decide), step)
    if after is None:
        return None
    got, player, came = levelled(after), Player(Seeded(seed), staged.decide), []
    for _ in taken:
        fight = player.run(staged.scene.step(fight))
        came.append(levelled(fight))
    return got == came[-1] or (shown.anywhere and got in came[-2:])  # a move that would come next is left out


@pytest.mark.parametrize("tactic", TACTICS)
@pytest.mark.parametrize(
    ("scenario", "state"),
    [("foresight/gunslingers", None), ("foresight/gunslingers", {}), ("foresight/brawl", None), ("foresight/sniper", {})],
    ids=("a duel", "guns to be cocked", "a brawl", "rifles"),
)
def test_an_excerpt_comes_to_what_the_whole_fight_comes_to(scenario, state, tactic):
    dice = random.Random(f"{scenario} {tactic}")
    assert_as_in_the_whole(crowd(scenario, (2, 3), (tactic, dice.choice([*TACTICS])), state), dice)


@pytest.mark.parametrize("tactic", ["shooter", "sniper", "brawler"])
@pytest.mark.parametrize("covers", [(), (CoverSpot("a wall", 4.0, 1.0, bare=("head",)),)], ids=("in the open", "behind a wall"))
def test_so_it_does_with_weapons_that_are_thrown_and_bursts(covers, tactic):
    ground = Ground(covers=covers)
    arms = {"guns": ("Thrown Spear", Arm("SL Rifle", modifications=("Auto Short Burst",), name="rifle")), "throw": 12, "longarms": 12}
    people = [someone(f"{side} {at}", (x, 2.0 * at), side=side, state={"hand": 1 + at % 2}, **arms) for side, x in SIDES for at in range(2)]
    staged = SimpleNamespace(scene=SCENE, state=fight_of(*people, ground=ground), decide=TACTICS[tactic])
    assert_as_in_the_whole(staged, random.Random(tactic))


SIDES = (("north", 0.0), ("south", 7.0))


def assert_as_in_the_whole(staged, dice):
    wild, usual, found = Player(Seeded(dice.random()), anything(dice)), Player(Seeded(dice.random()), staged.decide), []
    fight = staged.state
    for number in range(60):
        if staged.scene.result(fight) is not None:
            fight = staged.state
        found.append(as_in_the_whole(staged, fight, number))
        fight = (usual if number % 3 else wild).run(staged.scene.step(fight))
    assert False not in found
    assert True in found


def test_only_those_are_shown_whom_the_step_depends_on():
    armed = {"guns": (REVOLVER,), "weapon": REVOLVER}
    ann, bob = someone("Ann", (0, 0), side="north", **armed), someone("Bob", (10, 0), side="south", **armed)
    cid = someone("Cid", (10, 4), side="south", **armed)
    fight = fight_of(ann, bob, cid, turn="Ann")
    assert [each.name for each in excerpt(fight).small.fighters] == ["Ann", "Bob"]
    watching = fight.change("Ann", focus="Cid")
    assert [each.name for each in excerpt(watching).people] == ["Ann", "Cid"]
    waiting = fight.change("Cid", waiting=True, focus="Ann")
    assert [each.name for each in excerpt(waiting).people] == ["Ann", "Bob", "Cid"]
    elsewhere = fight.change("Cid", waiting=True, focus="Bob")
    assert [each.name for each in excerpt(elsewhere).people] == ["Ann", "Bob"]


def test_the_same_step_of_another_person_at_another_place_is_the_same_excerpt():
    armed = {"guns": (REVOLVER,), "weapon": REVOLVER}
    people = [someone(f"North {at}", (0, 3 * at), side="north", **armed) for at in range(3)]
    people += [someone(f"South {at}", (10, 3 * at), side="south", **armed) for at in range(3)]
    fight = fight_of(*people)
    smalls = [excerpt(replace(fight, turn=f"North {at}")).small for at in range(3)]
    assert smalls[0] == smalls[1] == smalls[2]
    assert excerpt(replace(fight.change("South 2", stance="prone"), turn="North 2")).small != smalls[0]
    assert excerpt(replace(fight.change("South 2", x=40.0).change("North 2", focus="South 2"), turn="North 2")).small != smalls[0]


def test_there_is_no_excerpt_where_a_step_may_concern_anybody():
    ann, bob = someone("Ann", (0, 0)), someone("Bob", (5, 0))
    assert excerpt(fight_of(ann, bob, order=("Ann", "Bob"))) is not None
    assert excerpt(fight_of(ann, bob)) is None  # initiative
    assert excerpt(fight_of(ann, bob, order=("Ann", "Bob"), declaring=True)) is None
    assert excerpt(fight_of(ann, replace(bob, unaware_of=("Ann",)), turn="Ann")) is None
    word = Deed("Ann", Action("signal"), "done")
    assert excerpt(fight_of(ann, bob, turn="Ann", deeds=(word,))) is None


@pytest.mark.parametrize("tactic", TACTICS.values(), ids=TACTICS)
def test_every_tactic_keeps_to_what_an_excerpt_shows(tactic):
    armed = {"guns": (REVOLVER,), "weapon": REVOLVER, "state": {"ready": (1,)}}
    fight = fight_of(someone("Ann", (0, 0), **armed), someone("Bob", (5, 0), **armed))
    reflexes = tuple(Option(key, key, key) for key in ("nothing", "drop", "squat", "step", "trigger"))
    asked = Asked(fight, "Bob", RULES, actor="Ann")
    assert tactic(Choice("Bob", "Ann acts. Do you react?", reflexes, asked, "reflex")) == "nothing"
    assert tactic(Choice("Bob", "Ann shoots at you.", reflexes, asked, "duck")) != "trigger"


@pytest.mark.slow
def test_four_against_four_sampled_end_as_when_they_are_stepped():
    staged = crowd("foresight/gunslingers", (4, 4), ("gunslinger", "shooter"))
    stepping = Stepping(staged.scene, staged.state, staged.decide, "losses", 5, 10**9, staged.scenario.rounds, 10_000)
    stepping.size = 60
    drawn = [(end.winner == "north", end.round, *end.losses) for end, count in stepping(0)[0].items() for _ in range(count)]
    stepped = []
    for seed in range(60):
        end = Player(Seeded(seed), staged.decide).run(run(staged.scene, staged.state))
        out = staged.scene.out(end)
        lost = [sum(name in out for name in names) for names in staged.scene.sides(end).values()]
        stepped.append((staged.scene.result(end).winner == "north", end.round, *lost))
    for one, other in zip(zip(*drawn, strict=True), zip(*stepped, strict=True), strict=True):
        assert abs(mean(one) - mean(other)) <= 3.5 * sqrt(spread(one) / len(one) + spread(other) / len(other))


def mean(values):
    return sum(values) / len(values)


def spread(values):
    return sum((value - mean(values)) ** 2 for value in values) / (len(values) - 1)
