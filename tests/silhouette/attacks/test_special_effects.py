"""Special Effects and Genre Effects in a fight (book lines 6086-6108, 6120-6170)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import Result
from rulewright.systems.silhouette.combat.effects import Stunts
from rulewright.systems.silhouette.fight.scene import begin
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import Hit, take_hit
from rulewright.systems.silhouette.lab_view.scene import FightScene
from rulewright.systems.silhouette.people.characters import Character, Gear
from rulewright.systems.silhouette.people.traits import Trait

from ..fight.test_scenarios import shaken, staged_with
from ..fights import AWAKE, RULES, by, fight_of, pools, someone, take_turn

CINEMA = by(reality="cinematic", special_effects=True)
MISS = [(6, 5)]
EVERYTHING = """
settings:
  {reality: cinematic, special-effects: true, skill-applications: true, stances: true, hit-locations: true, armor-wears-away: true,
   instant-death: emergency dice or trauma}
place: {genre: [insight, inner well of strength, opportunity seized, blessed unconsciousness, lucky break]}
sides:
  us: [{character: drop-sergeant, state: {fortune.lucky: 1, emergency_dice: 5}}, {character: court-fencer, at: [3, 1]}]
  them: [{character: hedge-knight, at: [4, 0], state: {fortune.unlucky: 1}}, {character: bounty-rider, at: [9, 3]}]
"""


def duel(villain=False, **wounds):
    ann = someone("Ann", side="us", small_arms=2, weapons=("medium pistol",), wounds=wounds)
    ann = replace(ann, profile=replace(ann.profile, villain=villain))
    return fight_of(ann, someone("Ben", (5, 0), side="them", defense=2))


def turn(fight, *choices, faces=(), rules=CINEMA):
    return take_turn(fight, *choices, faces=faces, rules=rules, of="Ann")


# --- Special Effects ----------------------------------------------------------------------------------------------------------


def test_what_is_told_well_adds_dice_to_one_action():
    for told, dice in (("no", 2), ("basic", 3), ("advanced", 4), ("complex", 5)):
        played = turn(duel(), "1", told, "stay", "shoot:Ben", faces=[(2,) + (1,) * (dice - 1), *MISS])
        assert pools(played)[0] == ("Ann", dice, 0)
        assert played.outcome.fighter("Ann").flourish == 0
    twice = turn(duel(), "2", "basic", "stay", "shoot:Ben", "shoot:Ben", faces=[(2, 1, 1), *MISS, (2, 1), *MISS])
    assert [pool[1] for pool in pools(twice)[::2]] == [3, 2]


def test_or_it_is_worth_free_actions_at_no_penalty():
    free = turn(duel(), "1", "advanced action", "stay", "shoot:Ben", "shoot:Ben", faces=[(2, 1), *MISS, (2, 1), *MISS])
    assert pools(free)[::2] == [("Ann", 2, 0), ("Ann", 2, 0)]
    more = turn(duel(), "1", "complex actions", "stay", *["shoot:Ben"] * 3, faces=[(2, 1), *MISS] * 3)
    assert len(pools(more)) == 6


def test_only_the_cinema_has_them_and_only_heroes():
    assert turn(duel(), "1", "stay", "shoot:Ben", faces=[(2, 1), *MISS], rules=by(special_effects=True)).outcome
    fight = duel()
    ann = fight.fighter("Ann")
    extra = fight.put(replace(ann, profile=replace(ann.profile, hero=False)))
    assert turn(extra, "1", "stay", "shoot:Ben", faces=[(2, 1), *MISS]).outcome


def test_a_main_villain_has_one_or_draws_on_a_pool():
    once = turn(duel(villain=True), "1", "basic", "stay", "shoot:Ben", faces=[(2, 1, 1), *MISS]).outcome
    assert once.stunts.villains == ("Ann",)
    assert turn(once, "1", "stay", "shoot:Ben", faces=[(2, 1), *MISS]).outcome
    pooled = by(reality="cinematic", special_effects=True, villain_effects="pool")
    assert turn(duel(villain=True), "1", "stay", "pass", rules=pooled).outcome
    grown = turn(duel(), "1", "basic", "stay", "pass", rules=pooled).outcome
    assert grown.stunts.pool == 1
    spent = turn(replace(duel(villain=True), stunts=Stunts(pool=1)), "1", "basic", "stay", "pass", rules=pooled).outcome
    assert spent.stunts.pool == 0


# --- Genre Effects ------------------------------------------------------------------------------------------------------------

GENRE = ("inner well of strength", "opportunity seized", "blessed unconsciousness", "lucky break")


def rich(points=3, **wounds):
    return duel(genre=GENRE, genre_points=points, **wounds)


def test_an_inner_well_takes_the_pain_of_one_wound_a_round():
    hurt = rich(4, flesh=1, deep=1, system_shock=9)
    played = turn(hurt, "1", "inner well deep", "no", "stay", "shoot:Ben", faces=[(2, 1), *MISS], rules=RULES)
    assert pools(played)[0] == ("Ann", 2, -1)
    ann = played.outcome.fighter("Ann")
    assert (ann.body.genre_points, ann.body.deep, ann.eased) == (1, 1, (0, 1))
    again = turn(played.outcome, "1", "inner well flesh", "stay", "shoot:Ben", faces=[(2, 1), *MISS], rules=RULES)
    assert pools(again)[0] == ("Ann", 2, 0)


def test_an_opportunity_is_one_more_action():
    played = turn(rich(1), "1", "opportunity seized", "stay", "shoot:Ben", "shoot:Ben", faces=[(2, 1), *MISS, (2, 1), *MISS], rules=RULES)
    assert pools(played)[::2] == [("Ann", 2, 0), ("Ann", 2, 0)]


def test_the_blessed_wake_when_the_fight_is_over():
    fight = turn(rich(1, flesh=1), "1", "blessed unconsciousness", rules=RULES).outcome
    scene = FightScene(RULES)
    assert not fight.fighter("Ann").body.able
    assert fight.enemies(fight.fighter("Ben")) == []
    assert scene.result(fight) is None
    over = script(scene.step(fight)).outcome
    assert over.fighter("Ann").body.awake
    assert scene.result(over) == Result("them", "only them could still act")


def test_pain_kept_away_comes_back_but_drugs_go_on():
    fight = turn(rich(1, flesh=1, system_shock=9, ignored=1), "1", "inner well flesh", "stay", "pass", rules=RULES).outcome
    fight = fight.change("Ben", body=replace(fight.fighter("Ben").body, dead=True))
    over = script(FightScene(RULES).step(fight)).outcome.fighter("Ann")
    assert (over.body.ignored, over.eased) == (1, (0, 0))


@pytest.mark.parametrize(
    ("damage", "points", "said", "left"),
    [(30, 9, "3", (1, 0, False, 6)), (30, 9, "6", (0, 0, False, 3)), (13, 3, "3", (0, 0, False, 0)), (50, 9, "9", (0, 0, False, 0))],
)
def test_a_lucky_break_makes_a_wound_less(damage, points, said, left):
    body = Patient("Ann", genre=GENRE, genre_points=points)
    came = script(take_hit(RULES, body, Hit(damage)), [AWAKE] * left[0], [said]).outcome
    assert (came.flesh, came.deep, came.dead, came.genre_points) == left


def test_who_keeps_the_points_takes_the_wound():
    body = Patient("Ann", genre=GENRE, genre_points=3)
    assert script(take_hit(RULES, body, Hit(13)), [AWAKE], ["no"]).outcome.flesh == 1
    assert script(take_hit(RULES, replace(body, genre_points=2), Hit(13)), [AWAKE]).outcome.flesh == 1
    assert script(take_hit(RULES, body, Hit(13, bruise=True))).outcome.bruised_flesh == 1


def test_a_scenario_names_the_effects_of_its_campaign():
    def started(genre):
        hero = Character("Ann", attributes={"influence": -2}, flaws=(Trait("bad luck"), Trait("flashbacks")), gear=Gear())
        people = (hero, Character("Ben", role="major npc"), Character("Cy", role="joe average"))
        placed = [Placed(one, one.name, side, None, {}) for one, side in zip(people, ("us", "them", "them"), strict=True)]
        scenario = Scenario("silhouette", "scenario", "x", sides={"us": [], "them": []}, place={"genre": genre})
        return [f.body.genre_points for f in begin(RULES, scenario, placed).fighters]

    assert started(list(GENRE)) == [5, 4, 0]
    assert started([]) == [0, 0, 0]
    with pytest.raises(UserError, match="three to five"):
        started(["insight"])


def test_random_decisions_never_break_a_fight_with_everything_in_it(tmp_path):
    staged = staged_with(tmp_path, EVERYTHING)
    for seed in range(8):
        shaken(staged, seed, rounds=4)
