"""Luck and Genre Points in chases, contests of words and in the wilderness (book lines 6114-6196, 8742-8747, 8844-8847)."""

import pytest
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play import Player, Seeded, script
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.scenes.scene import run
from rulewright.systems.silhouette.debate.scene import make
from rulewright.systems.silhouette.debate.speakers import Word
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.people.characters import Character, Injuries
from rulewright.systems.silhouette.people.traits import Trait
from rulewright.systems.silhouette.scenes import STAGINGS
from rulewright.systems.silhouette.settings import BOOK

from ..fights import RULES, by

SHARP = by(social_damage="general")
NOBODY = {"role": "joe average"}
LUCK, BAD_LUCK = (Trait("lucky"),), (Trait("bad luck"),)
FILLERS = ("goad villain", "accessorize", "get a clue")
"""A campaign has three effects at least; these have no part in a scene's dice."""


def staged(kind, sides, *effects, rules=RULES, place=None, **states):
    """A scene of one of the other kinds, in a campaign with these Genre Effects."""
    genre = tuple(dict.fromkeys((*effects, *FILLERS)))[: max(3, len(effects))] if effects else ()
    members = [Placed(one, one.name, side, None, states.get(one.name, {})) for side, people in sides.items() for one in people]
    ground = {**(place or {}), **({"genre": list(genre)} if genre else {})}
    scenario = Scenario("silhouette", "scenario", "test", {side: [] for side in sides}, scene=kind, place=ground, rounds=20)
    staging = STAGINGS[kind]
    return staging.scene(rules), staging.begin(rules, scenario, members)


def person(name, perks=(), flaws=(), role="pc", attributes=None, injuries=None, **skills):
    levels = {skill.replace("_", " "): level for skill, level in skills.items()}
    hurt = Injuries(**(injuries or {}))
    return Character(name, role=role, attributes=attributes or {}, skills=levels, perks=perks, flaws=flaws, injuries=hurt)


def dice(played):
    return [(each.roll.by, getattr(each.roll.reading, "dice", 0)) for each in played.rolls]


# --- chases -------------------------------------------------------------------------------------------------------------------


def runners(*effects, prey=None, hunter=None, place=None, **states):
    """Eve, whom Dan is after: two dice of Athletics each, ten metres between them, as fast as each other."""
    eve, dan = person("Eve", **{"athletics": 2, **(prey or {})}), person("Dan", **{"athletics": 2, **(hunter or {})})
    return staged("chase", {"prey": [eve], "hunters": [dan]}, *effects, place={"prey": "prey", **(place or {})}, **states)


def chased(scene, state, *given, faces):
    return script(scene.step(state), faces, ["running", "running", *given])


def gap(played):
    return played.outcome.pursuers[0].gap


def test_nobody_is_asked_in_a_chase_without_luck_or_points():
    scene, state = runners()
    assert not state.swayed
    assert gap(chased(scene, state, "open", faces=[(5, 2), (3, 1)])) == 12
    poor = runners("insight", "do it again", "sweet success", prey=NOBODY, hunter=NOBODY)
    assert gap(chased(*poor, "open", faces=[(5, 2), (3, 1)])) == 12


def test_the_lucky_stumble_once_less():
    scene, state = runners(prey={"perks": LUCK})
    saved = chased(scene, state, "yes", "open", faces=[(1, 1), (3, 1), (5, 2)])
    assert (gap(saved), saved.outcome.prey.fortune) == (12, ORDINARY)
    fell = chased(scene, state, "no", "close", faces=[(1, 1), (3, 1), (4,)])  # by 2, and four metres for the stumble
    assert (gap(fell), fell.outcome.prey.fortune) == (4, Fortune(1))
    assert scene.lasting(saved.outcome, "Eve")["fortune.lucky"].value == 0
    scene, again = runners(prey={"perks": LUCK}, Eve={"fortune.lucky": 0})  # as it was left by another scene
    assert gap(chased(scene, again, "close", faces=[(1, 1), (3, 1), (4,)])) == 4


def test_luck_turns_the_modifier_of_wounds():
    scene, state = runners(prey={"perks": LUCK, "injuries": {"flesh": 1}})
    turned = script(scene.step(state), [(3, 2), (3, 1)], ["jogging", "jogging", "yes", "open"])  # 3 + 1 against 3
    assert (gap(turned), turned.outcome.prey.fortune) == (11, ORDINARY)


def test_a_pursuer_of_the_unlucky_gets_up_again():
    scene, state = runners(prey={"flaws": BAD_LUCK})
    played = chased(scene, state, "yes", "close", faces=[(3, 2), (1, 1), (5, 2)])
    assert (gap(played), played.outcome.prey.fortune) == (8, ORDINARY)


def test_the_gamemaster_turns_what_helps_the_unlucky():
    scene, state = runners(prey={"flaws": BAD_LUCK, "attributes": {"fitness": 1}})
    played = chased(scene, state, "yes", "open", faces=[(3, 2), (3, 1)])  # 3 - 1 against 3, and she runs 10/3 of a metre more
    assert (gap(played), played.outcome.prey.fortune) == (12.33, ORDINARY)
    plain = chased(scene, state, "no", "open", faces=[(3, 2), (3, 1)])
    assert (gap(plain), plain.outcome.prey.fortune) == (14.33, Fortune(0, 1))


def test_points_buy_dice_and_rolls_in_a_chase():
    more = chased(*runners("insight", hunter=NOBODY), 2, "open", faces=[(3, 3, 2, 5), (3, 1)])
    assert (gap(more), more.outcome.prey.body.genre_points) == (12, 1)
    again = chased(*runners("do it again", hunter=NOBODY), "again", "second", "no", "open", faces=[(2, 2), (3, 1), (6, 1)])
    assert (gap(again), again.outcome.prey.body.genre_points) == (13, 2)
    sweet = chased(*runners("sweet success", hunter=NOBODY), "+2", "no", "open", faces=[(3, 2), (3, 1)])
    assert (gap(sweet), sweet.outcome.prey.body.genre_points) == (12, 1)


def test_another_runners_roll_again_costs_three():
    played = chased(*runners("do it again", hunter=NOBODY), "no", "again", "second", "open", faces=[(4, 2), (6, 5), (2, 1)])
    assert (gap(played), played.outcome.prey.body.genre_points) == (12, 0)


def test_who_never_learnt_to_run_mimics_it_for_one_roll():
    eve, dan = person("Eve"), person("Dan", role="joe average", athletics=2)
    scene, state = staged("chase", {"prey": [eve], "hunters": [dan]}, "mimic skill", place={"prey": "prey"})
    even = ["sprinting", "running"]  # twenty metres a round each
    played = script(scene.step(state), [(5, 2), (3, 1)], [*even, "2", "open"])
    assert dice(played) == [("Eve", 2), ("Dan", 2)]
    assert (gap(played), played.outcome.prey.body.genre_points) == (12, 1)
    unskilled = script(scene.step(state), [(5, 2), (3, 1)], [*even, "no", "close"])
    assert gap(unskilled) == 9  # the lower of two dice


def test_an_inner_well_of_strength_lasts_as_long_as_the_chase():
    scene, state = runners("inner well of strength", prey={"injuries": {"flesh": 2}}, hunter=NOBODY)
    given = ["jogging", "jogging"]
    first = script(scene.step(state), [(3, 2), (3, 1)], ["inner well flesh", *given, "close"])  # one wound a round: 3 - 1
    assert (gap(first), first.outcome.prey.body.genre_points) == (9, 2)
    second = script(scene.step(first.outcome), [(4, 2), (3, 1)], ["inner well flesh", *given, "open"])
    assert (gap(second), second.outcome.prey.body.genre_points) == (10, 1)
    third = script(scene.step(second.outcome), [(4, 2), (3, 1)], [*given, "open"])  # nothing is left that hurts
    assert third.outcome.prey.body.acting_penalty == 0
    assert "ignored" not in scene.lasting(third.outcome, "Eve")
    assert scene.lasting(third.outcome, "Eve")["flesh"].value == 2


def test_hunters_help_each_other_and_a_villain_spends_against_them():
    eve = person("Eve", role="major npc", athletics=2)
    hunters = [person("Dan", athletics=2), person("Fay", athletics=2)]
    points = {"Eve": {"genre_points": 1}, "Dan": {"genre_points": 1}, "Fay": {"genre_points": 2}}
    scene, state = staged("chase", {"prey": [eve], "hunters": hunters}, "sweet success", "group effort", place={"prey": "prey"}, **points)
    given = ["running"] * 3
    asked = ["no", "+2", 1, 1, "yes", 1, "leave"]  # Eve's stands; Dan's for 2: Fay gives 1, Eve spends 1, Fay 1 more
    played = script(scene.step(state), [(4, 2), (3, 1), (4, 1)], [*given, *asked])
    assert [racer.body.genre_points for racer in played.outcome.everybody] == [0, 0, 0]
    assert [racer.gap for racer in played.outcome.pursuers] == [10, 10]  # 4 against 5, left as it is, and 4 against 4


def test_a_newcomer_to_a_chase_brings_luck_along():
    scene, state = runners()
    assert not scene.join(state, person("Gus", athletics=1), "hunters").swayed
    assert scene.join(state, person("Gus", perks=LUCK), "hunters").swayed
    scene, state = runners("insight", "do it again", "sweet success")
    assert scene.join(state, person("Gus"), "hunters").pursuers[1].body.genre_points == 3


def test_what_a_chase_cannot_begin_with():
    with pytest.raises(UserError, match="three to five"):
        staged("chase", {"prey": [person("Eve")], "hunters": [person("Dan")]}, place={"prey": "prey", "genre": ["insight"]})
    with pytest.raises(UserError, match="state has no field 'fortunes'"):
        runners(Eve={"fortunes": 1})
    with pytest.raises(UserError, match="fortune"):
        runners(Eve={"fortune.lucky": "much"})


# --- contests of words --------------------------------------------------------------------------------------------------------


def society(*effects, one=None, other=None, rules=SHARP, **states):
    """Ida and Odo: Etiquette and Notice at two dice each, and every point by which a word strikes counts ten."""
    skills = {"etiquette": 2, "notice": 2}
    ida, odo = person("Ida", **{**skills, **(one or {})}), person("Odo", **{**skills, **(other or {})})
    return staged("debate", {"one": [ida], "other": [odo]}, *effects, rules=rules, **states)


def spoken(scene, state, *given, faces, who="Ida"):
    """A turn of somebody, with whatever is said in it."""

    def play():
        after = yield from scene.step(replace(state, queue=((who,),)))
        while after.sayings:
            after = yield from scene.step(after)
        return after

    return script(play(), faces, given)


ATTACK = ("1", "etiquette:Odo", "etiquette")


def test_nobody_is_asked_in_society_without_luck_or_points():
    scene, state = society()
    assert not state.swayed
    assert len(spoken(scene, state, *ATTACK, faces=[(3, 2), (4, 1)]).rolls) == 2


def test_nothing_that_costs_points_is_offered_where_nobody_has_any():
    unlearnt = {"etiquette": 0, "notice": 0, **NOBODY}
    scene, state = society("mimic skill", "opportunity seized", "burst of angst", one=unlearnt, other=unlearnt, Ida={"shocked": True})
    assert state.swayed
    begun = script(scene.step(state), [(5, 2), (4, 3)])
    assert begun.outcome.queue == (("Odo",), ("Ida",))  # unskilled, and asked nothing
    assert len(spoken(scene, state, *ATTACK, faces=[(3, 2), (4, 3)]).rolls) == 2
    chase = runners("mimic skill", "inner well of strength", prey={**NOBODY, "athletics": 0, "injuries": {"flesh": 1}}, hunter=NOBODY)
    assert len(script(chase[0].step(chase[1]), [(5, 2), (3, 1)], ["jogging", "jogging", "open"]).rolls) == 2


def test_the_lucky_talk_themselves_out_of_a_blunder():
    scene, state = society(one={"perks": LUCK})
    played = spoken(scene, state, *ATTACK, "yes", faces=[(1, 1), (4, 1), (4, 3)])
    assert played.outcome.speaker("Ida").fortune == ORDINARY
    assert not played.outcome.speaker("Odo").retorted
    kept = spoken(scene, state, *ATTACK, "no", "hold", faces=[(1, 1), (4, 1)])
    assert kept.outcome.speaker("Ida").fortune == Fortune(1)
    assert scene.lasting(played.outcome, "Ida")["fortune.lucky"].value == 0


def test_rivals_of_the_unlucky_think_again():
    scene, state = society(other={"flaws": BAD_LUCK})
    played = spoken(scene, state, *ATTACK, "yes", faces=[(1, 1), (4, 1), (6, 3)])
    assert played.outcome.speaker("Odo").fortune == ORDINARY
    assert played.outcome.speaker("Odo").standing != state.speaker("Odo").standing  # 6 against 4


def test_points_buy_dice_and_rolls_in_society():
    more = spoken(*society("insight", other=NOBODY), *ATTACK, 1, faces=[(3, 2, 2), (4, 1)])
    assert dice(more)[0] == ("Ida", 3)
    assert more.outcome.speaker("Ida").genre_points == 2
    again = spoken(*society("do it again", other=NOBODY), *ATTACK, "again", "second", "no", faces=[(3, 2), (4, 1), (6, 2)])
    assert again.outcome.speaker("Odo").standing.penalty < 0
    sweet = spoken(*society("sweet success", other=NOBODY), *ATTACK, "+3", faces=[(3, 2), (4, 1)])
    assert sweet.outcome.speaker("Odo").standing.penalty < 0
    assert sweet.outcome.speaker("Ida").genre_points == 0


def test_insight_sharpens_notice():
    scene, state = society("insight", other=NOBODY)
    played = script(scene.step(state), [(3, 2, 5), (4, 1)], [1])
    assert played.outcome.queue == (("Ida",), ("Odo",))


def test_unlearnt_words_and_notice_are_mimicked_for_one_roll():
    scene, state = society("mimic skill", one={"notice": 0}, other=NOBODY)
    noticed = script(scene.step(state), [(5, 2), (4, 1)], ["2"])
    assert noticed.outcome.queue == (("Ida",), ("Odo",))
    assert noticed.outcome.speaker("Ida").genre_points == 1
    assert noticed.outcome.speaker("Ida").sense.level == 0
    played = spoken(scene, state, "1", "business:Odo", "etiquette", "3", faces=[(6, 2, 1), (4, 1)])
    assert dice(played)[0] == ("Ida", 3)
    assert played.outcome.speaker("Odo").standing.embarrassments == 1  # 2 times 8 + 3, where 13 embarrass and 25 hurt
    assert played.outcome.speaker("Ida").ploy("business").attack.pool.dice == 0


def test_an_answer_may_be_mimicked_too():
    scene, state = society("mimic skill", one=NOBODY, other={})
    played = spoken(scene, state, "1", "etiquette:Odo", "business", "1", faces=[(3, 2), (5,)])
    assert dice(played) == [("Ida", 2), ("Odo", 1)]
    assert played.outcome.speaker("Odo").genre_points == 2


def test_an_opportunity_is_seized_with_one_word_more():
    scene, state = society("opportunity seized", other=NOBODY)
    waiting = replace(state, queue=(("Odo",),))
    seized = script(scene.step(waiting), [], ["yes", "etiquette:Odo"]).outcome
    assert (seized.queue, seized.sayings[0].penalty, seized.speaker("Ida").genre_points) == ((("Odo",),), 0, 2)
    said = script(scene.step(seized), [(3, 2), (4, 1)], ["etiquette"]).outcome
    assert said.queue == (("Odo",),)
    assert script(scene.step(said), [], ["no", "1", "nothing"]).outcome.queue == ()
    confused = waiting.put(replace(state.speaker("Ida"), confused=True))
    assert script(scene.step(confused), [], ["1", "nothing"]).outcome.queue == ()


def test_a_villain_spoils_a_sweet_success_in_society():
    scene, state = society("sweet success", other={"role": "major npc"}, Odo={"genre_points": 1})
    played = spoken(scene, state, *ATTACK, "+1", 1, "no", "no", faces=[(4, 2), (4, 1)])
    assert [speaker.genre_points for speaker in played.outcome.speakers] == [2, 0]
    assert played.outcome.speaker("Odo").standing.penalty == 0  # 4 against 4


def test_what_a_contest_cannot_begin_with():
    people = {"one": [person("Ida")], "other": [person("Odo")]}
    with pytest.raises(UserError, match="has no map"):
        staged("debate", people, place={"walls": 4})
    with pytest.raises(UserError, match="state accepts"):
        staged("debate", people, Ida={"genre_points": -1})
    with pytest.raises(UserError, match="fortune"):
        staged("debate", people, Ida={"fortune.lucky": "much"})
    scene, state = staged("debate", people, Ida={"fortune.lucky": 1, "hurts": 1})
    assert (state.swayed, state.speaker("Ida").fortune.lucky, state.speaker("Ida").standing.hurts) == (True, 1, 1)
    assert scene.join(state, person("Pia", perks=LUCK), "one").speaker("Pia").fortune == Fortune(1)


# --- the wilderness -----------------------------------------------------------------------------------------------------------


def party(*effects, one=None, other=None, place=None, **states):
    """Kim and Lou: neither knows medicine or the wild unless told."""
    people = [person("Kim", **(one or {})), person("Lou", **{**NOBODY, **(other or {})})]
    return staged("wilderness", {"all": people}, *effects, place={"days": 3, **(place or {})}, **states)


def watch(scene, state, *given, faces=()):
    return script(scene.step(state), faces, given)


def test_nobody_is_asked_under_way_without_luck_or_points():
    scene, state = party()
    assert not state.swayed
    assert watch(scene, state, "march").outcome.marches == 1


def test_luck_finds_food():
    scene, state = party(one={"perks": LUCK, "survival": 2})
    found = watch(scene, replace(state, fed=False), "forage", "yes", faces=[(1, 1), (5, 2)])
    assert (found.outcome.fed, found.outcome.who("Kim").fortune) == (True, ORDINARY)
    assert scene.lasting(found.outcome, "Kim")["fortune.lucky"].value == 0


def test_points_find_food():
    hungry = {"one": {"survival": 1}}
    scene, state = party("sweet success", **hungry)
    found = watch(scene, replace(state, fed=False), "forage", "+2", "no", faces=[(3,)])
    assert (found.outcome.fed, found.outcome.who("Kim").body.genre_points) == (True, 1)
    scene, state = party("mimic skill")
    found = watch(scene, replace(state, fed=False), "forage", "3", faces=[(3, 5, 2)])
    assert (found.outcome.fed, found.outcome.who("Kim").body.genre_points) == (True, 0)


def test_a_medic_by_chance():
    scene, state = party("mimic skill", other={"injuries": {"flesh": 1}})
    played = watch(scene, state, "camp", "treat:Lou", "2", faces=[(5, 2)])
    assert dice(played) == [("Kim", 2)]
    assert played.outcome.who("Lou").body.stable_flesh == 1


def test_no_ill_luck_turns_what_keeps_wounds_from_getting_worse():
    hurt = {"flaws": BAD_LUCK, "attributes": {"fitness": 3, "willpower": 3, "psyche": 3}, "injuries": {"flesh": 1}}
    scene, state = party(one=hurt, place={"days": 4})
    body = state.who("Kim").body
    assert body.health - 1 > 0
    ready = state.put(replace(state.who("Kim"), course=replace(state.who("Kim").course, flesh_clock=24 * 60 - 1)))
    assert len(watch(scene, ready, "march", faces=[(5, 2)]).rolls) == 1  # and the gamemaster was not asked


def test_an_inner_well_eases_a_watch():
    scene, state = party("inner well of strength", one={"injuries": {"flesh": 2}, "survival": 1}, Kim={"genre_points": 2})
    given = ["inner well flesh", "inner well flesh", "forage"]
    found = watch(scene, replace(state, fed=False), *given, faces=[(4,)])  # without the pain 4 is enough
    assert found.outcome.fed
    assert found.outcome.who("Kim").body.genre_points == 0
    assert found.outcome.who("Kim").body.acting_penalty == -2  # and then it is back


def test_the_last_point_is_spent_once():
    scene, state = party("inner well of strength", one={"injuries": {"flesh": 2}}, Kim={"genre_points": 1}, Lou={"genre_points": 0})
    later = watch(scene, state, "inner well flesh", "march")  # the second wound hurts, and nobody is asked about it
    assert [later.outcome.who(name).body.genre_points for name in ("Kim", "Lou")] == [0, 0]


def test_wounds_that_are_not_to_get_worse():
    scene, state = party("escape impending death", one={"injuries": {"deep": 1}})
    spared = watch(scene, state, "escape", "march")
    assert not spared.rolls
    assert spared.outcome.who("Kim").body.genre_points == 0
    assert len(watch(scene, state, "no", "march", faces=[(6, 5)] * 8).rolls) == 8


def test_who_begins_to_die_under_way_may_escape():
    scene, state = party("escape impending death", one={"injuries": {"deep": 2}})
    bad = [(1, 2)]  # a failure: a Flesh Wound more, and five points of System Shock are gone
    played = watch(scene, state, "no", "march", "escape", faces=bad)
    body = played.outcome.who("Kim").body
    assert (body.dead, body.trauma, body.spared, body.genre_points) == (False, None, True, 0)
    died = watch(scene, state, "no", "march", "no", faces=bad)
    assert died.outcome.who("Kim").body.dead


def test_what_a_journey_cannot_begin_with():
    with pytest.raises(UserError, match="state has no field"):
        party(Kim={"fortunes": 1})
    with pytest.raises(UserError, match="Kim: state: expected true or false"):
        party(Kim={"shocked": "a little"})
    with pytest.raises(UserError, match="three to five"):
        party(place={"genre": ["insight"]})
    scene, state = party("insight", "do it again", "sweet success")
    assert scene.join(state, person("Max"), "all").who("Max").body.genre_points == 3
    assert not scene.join(party()[1], person("Max"), "all").swayed
    assert scene.join(party()[1], person("Max", perks=LUCK), "all").swayed


# --- Burst of Angst -----------------------------------------------------------------------------------------------------------


def test_rage_makes_legs_faster_until_the_chase_is_over():
    scene, state = runners("burst of angst", hunter=NOBODY, Eve={"shocked": True})
    first = script(scene.step(state), [(3, 2), (3, 1)], ["burst of angst fitness 2", "running", "running", "open"])
    assert (gap(first), first.outcome.prey.body.genre_points) == (12, 1)
    second = script(scene.step(first.outcome), [(3, 2), (3, 1)], ["no", "running", "running", "open"])
    assert gap(second) == 14
    calm = runners("burst of angst", hunter=NOBODY)
    assert gap(chased(*calm, "open", faces=[(5, 2), (3, 1)])) == 12  # nothing terrible has happened, and nobody asks
    broken = runners("burst of angst", prey={"attributes": {"psyche": -5}}, hunter=NOBODY, Eve={"shocked": True})
    assert gap(chased(*broken, "open", faces=[(5, 2), (3, 1)])) == 12  # Psyche cannot fall any further


def test_rage_sharpens_words_and_dulls_psyche():
    scene, state = society("burst of angst", other=NOBODY, Ida={"shocked": True})
    begun = script(scene.step(state), [(3, 2), (4, 1)], ["burst of angst creativity 2"]).outcome
    assert begun.speaker("Ida").shaken.angst == (("creativity", 2),)
    assert make(scene.rules, begun, "Ida", Word("etiquette", "Odo"), answer="etiquette").attack.pool.modifier == 2
    answers = script(scene.step(state), [(3, 2), (4, 1)], ["burst of angst willpower 1"]).outcome
    assert make(scene.rules, answers, "Odo", Word("etiquette", "Ida"), answer="etiquette").defense.pool.modifier == 1
    scene, state = society("burst of angst", other=NOBODY, rules=by(social_attributes="of the skill"), Ida={"shocked": True})
    raged = script(scene.step(state), [(5, 2), (4, 1)], ["burst of angst influence 2"])
    assert raged.outcome.queue == (("Odo",), ("Ida",))  # Notice with Psyche: 5 - 2 against 4


def test_whose_companion_is_dying_may_burst_into_rage():
    scene, state = party("burst of angst", one={"medicine": 1}, other={"injuries": {"deep": 2, "flesh": 1}}, Lou={"trauma": 5})
    raged = watch(scene, state, "burst of angst creativity 3", "camp", *["treat:Lou"] * 3, faces=[(6,)] * 4)
    assert raged.rolls[0].roll.reading.modifier == -5 + 3
    assert raged.outcome.who("Kim").body.genre_points == 0
    assert watch(*party("burst of angst"), "march").outcome.marches == 1


# --- all of them --------------------------------------------------------------------------------------------------------------

EVERYTHING = ("insight", "do it again", "sweet success", "mimic skill", "inner well of strength")
KINDS = {
    "chase": lambda: runners(*EVERYTHING, prey={"perks": LUCK}, hunter={"flaws": BAD_LUCK, "injuries": {"flesh": 1}}),
    "debate": lambda: society(*EVERYTHING[:4], "opportunity seized", one={"perks": LUCK}, other={"flaws": BAD_LUCK, "notice": 0}),
    "wilderness": lambda: party(*EVERYTHING[:4], "escape impending death", one={"perks": LUCK, "injuries": {"flesh": 1, "deep": 1}}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_tactic_plays_such_scenes_to_their_end(kind):
    scene, state = KINDS[kind]()
    for tactic in STAGINGS[kind].tactics.values():
        for seed in range(5):
            end = Player(Seeded(seed), lambda choice, tactic=tactic: tactic(choice)).run(run(scene, state))
            assert scene.result(end) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_points_are_shown_to_friends_only(kind):
    scene, state = KINDS[kind]()
    everyone = scene.view(state, None).cards
    assert all("Genre Points" in [piece.name for piece in card.pieces] for card in everyone if card.name != "Lou")
    if kind != "wilderness":
        first, *others = [name for names in scene.sides(state).values() for name in names]
        seen = {card.name: [piece.name for piece in card.pieces] for card in scene.view(state, first).cards}
        assert "Genre Points" in seen[first]
        assert all("Genre Points" not in seen[other] for other in others)


def test_a_common_pool_works_in_every_scene():
    rules = BOOK.ruleset(settings={"genre-pool": True})
    kim, lou = person("Kim", survival=1), person("Lou")
    scene, state = staged("wilderness", {"all": [kim, lou]}, "sweet success", "insight", rules=rules, place={"days": 2})
    played = script(scene.step(replace(state, fed=False)), [(2,)], ["forage", 0, "+2", "no"])
    assert sum([one.body.genre_points for one in played.outcome.people]) == 4
