"""Chases, contests of words and days in the wilderness as scenes, step by step."""

import pytest
from msgspec.structs import replace

from rulewright import library
from rulewright.errors import UserError
from rulewright.lab.solver.exact import solve
from rulewright.play import Player, Seeded, script
from rulewright.scenes.scene import run
from rulewright.systems.silhouette import SYSTEM
from rulewright.systems.silhouette.action.movement import sprint
from rulewright.systems.silhouette.debate.scene import best_answer, best_ploy, make
from rulewright.systems.silhouette.debate.speakers import Word
from rulewright.systems.silhouette.pursuit.scene import gaits
from rulewright.systems.silhouette.wilderness.scene import MARCH, WILDERNESS_TACTICS, pace_of

from .fights import RULES

# --- a chase ------------------------------------------------------------------------------------------------------------------


def chase(**fields):
    staged = library.stage("silhouette/chase")
    return staged.scene, replace(staged.state, **fields)


def step(scene, state, faces=(), choices=()):
    """One step, and whatever words are still to fall after it."""

    def play():
        after = yield from scene.step(state)
        while getattr(after, "sayings", ()):
            after = yield from scene.step(after)
        return after

    return script(play(), faces, choices)


def test_a_round_of_the_chase():
    """Ximena runs with her bags (30 m), the others sprint (35 m): totals and speeds make the gap."""
    scene, state = chase()
    played = step(scene, state, [(4, 3, 2), (4, 3), (5, 2)], ["running", "sprinting", "sprinting", "close", "close"])
    totals = {rolled.roll.by: rolled.result.total for rolled in played.rolls}
    assert totals == {"Ximena": 4 + 2 + 1 + 2 - 1, "Bettina": 4 + 1 - 1, "Anselm": 5 + 1 - 1}  # Fitness, running, Complexity, the crowd
    assert {racer.name: racer.gap for racer in played.outcome.pursuers} == {"Bettina": 5.0, "Anselm": 4.0}  # 38 against 39 and 40


def test_emergency_dice_make_runners_faster():
    scene, state = chase()
    state = replace(state, prey=replace(state.prey, body=replace(state.prey.body, emergency_dice=3)))
    given = ["running", "sprinting", "sprinting", 2, "open", "open"]
    played = step(scene, state, [(4, 3, 2, 6, 6), (4, 3), (5, 2)], given)
    assert [len(rolled.faces) for rolled in played.rolls] == [5, 2, 2]
    assert played.outcome.prey.body.emergency_dice == 1
    plain = step(scene, state, [(4, 3, 2), (4, 3), (5, 2)], ["running", "sprinting", "sprinting", 0, "close", "close"])
    assert plain.outcome.prey.body.emergency_dice == 3


def test_who_gives_up_is_out_and_who_is_caught_has_lost():
    scene, state = chase()
    after = step(scene, state, [], ["running", "stop", "stop"]).outcome
    assert scene.result(after).winner == "thief"
    assert scene.out(after) == {"Bettina", "Anselm"}
    stopped = step(scene, state, [], ["stop", "sprinting", "sprinting"]).outcome
    assert scene.result(stopped).winner == "watchmen"
    assert scene.out(stopped) == {"Ximena"}
    caught = replace(state, pursuers=(replace(state.pursuers[0], gap=0.0), state.pursuers[1]))
    assert scene.result(caught).winner == "watchmen"


def test_wounds_and_load_limit_the_pace_in_a_chase():
    _, state = chase()
    assert gaits(RULES, state.prey)[0] == "running"
    assert gaits(RULES, replace(state.prey, body=replace(state.prey.body, flesh=1)))[0] == "jogging"
    assert gaits(RULES, replace(state.prey, body=replace(state.prey.body, deep=2))) == ()


def test_a_newcomer_joins_the_hunters_only():
    scene, state = chase()
    newcomer = SYSTEM.new(RULES, "character", "hedge-knight")
    assert len(scene.join(state, newcomer, "watchmen").pursuers) == 3
    with pytest.raises(UserError, match="newcomer to watchmen"):
        scene.join(state, newcomer, "thief")


# --- a contest of words -------------------------------------------------------------------------------------------------------


def reception():
    staged = library.stage("silhouette/debate")
    return staged, staged.scene, staged.state


def test_what_is_rolled_in_society():
    """Casimir: Etiquette 2 with Creativity +1, 8 + 2 + 1 + 2 a point; Lucasta answers with Seduction 2 and Willpower 0."""
    _, _, state = reception()
    casimir, lucasta = state.speakers
    assert (best_ploy(casimir), best_answer(lucasta)) == ("etiquette", "seduction")
    affront = make(RULES, state, "Casimir", Word("etiquette", "Lucasta"), answer="seduction")
    assert (affront.attack.pool.dice, affront.attack.pool.modifier) == (2, 1)
    assert (affront.defense.pool.dice, affront.defense.pool.modifier) == (2, 0)
    assert affront.damage == 8 + 2 + 1 + 2
    misled = make(RULES, state, "Casimir", Word("etiquette", "Lucasta", 1), answer="seduction")
    assert (misled.attack.pool.dice, misled.defense.pool.dice) == (1, 1)


def test_notice_says_who_speaks_first():
    _, scene, state = reception()
    after = step(scene, state, [(3, 2), (5, 1)]).outcome
    assert after.queue == (("Lucasta",), ("Casimir",))
    fool = step(scene, state, [(1, 1), (5, 1)]).outcome
    assert fool.speaker("Casimir").confused
    silent = step(scene, replace(fool, queue=(("Casimir",),))).outcome
    assert silent.queue == ()


def test_a_word_wounds_and_a_blunder_is_answered_at_once():
    _, scene, state = reception()
    spoken = step(scene, replace(state, queue=(("Casimir",),)), [(6, 2), (4, 2)], ["1", "etiquette:Lucasta", "seduction", 0])
    assert spoken.outcome.speaker("Lucasta").standing.hurts == 1  # 7 against 4, 39 points
    blunder = step(
        scene,
        replace(state, queue=(("Casimir",),)),
        [(1, 1), (4, 2), (5, 2), (4, 4)],
        ["1", "etiquette:Lucasta", "seduction", 0, "seduction", "etiquette", 0],
    )
    assert blunder.outcome.speaker("Lucasta").retorted
    assert [rolled.roll.by for rolled in blunder.rolls] == ["Casimir", "Lucasta", "Lucasta", "Casimir"]


def test_a_retort_may_be_held_back_and_comes_once_a_round():
    held = speaks("1", "etiquette:Lucasta", "seduction", "hold", faces=[(1, 1), (4, 2)], Lucasta=DRY)
    assert not held.outcome.speaker("Lucasta").retorted
    once = {"retorted": True, **DRY}
    assert len(speaks("1", "etiquette:Lucasta", "seduction", faces=[(1, 1), (4, 2)], Lucasta=once).rolls) == 2


def speaks(*given, faces=(), who="Casimir", **changes):
    """A turn of somebody at the reception, with somebody's standing or dice changed."""
    _, scene, state = reception()
    for name, fields in changes.items():
        state = state.put(replace(state.speaker(name), **fields))
    return step(scene, replace(state, queue=((who,),)), faces, given)


DRY = {"emergency_dice": 0}


def rolled(played):
    return [(each.roll.by, each.roll.reading.dice, each.roll.reading.modifier) for each in played.rolls]


def test_several_words_in_a_round_suffer_alike():
    once = speaks("1", "etiquette:Lucasta", "seduction", faces=[(2, 1), (6, 2)], Lucasta=DRY)
    assert rolled(once) == [("Casimir", 2, 1), ("Lucasta", 2, 0)]
    words = ["etiquette:Lucasta", "etiquette:Lucasta", "nothing"]
    thrice = speaks("3", *words, "seduction", "seduction", faces=[(2, 1), (6, 2), (2, 1), (6, 2)], Lucasta=DRY)
    assert rolled(thrice) == [("Casimir", 2, -1), ("Lucasta", 2, 0)] * 2  # a single rival attacks, however often
    assert thrice.outcome.queue == ()


def test_words_fall_idle_on_who_is_gone_already():
    twice = ["2", "etiquette:Lucasta", "etiquette:Lucasta", "seduction"]
    played = speaks(*twice, faces=[(6, 6), (2, 1)], Lucasta=DRY)  # 7 against 2: exile
    assert played.outcome.speaker("Lucasta").standing.exiled
    assert len(played.rolls) == 2


def test_quick_words_are_answered_one_by_one():
    played = speaks("1", "etiquette lightning:Lucasta", "seduction", faces=[(6, 2), (2, 1), (3, 3), (5, 5)], Lucasta=DRY)
    assert rolled(played) == [("Casimir", 2, -1), *[("Lucasta", 2, 0)] * 3]
    assert played.outcome.speaker("Lucasta").standing.hurts == 1  # 5 against 2: 39 points
    assert played.outcome.speaker("Lucasta").standing.embarrassments == 1  # 5 against 3: 26 points; 5 against 5 is a tie
    both = make(RULES, reception()[2], "Casimir", Word("etiquette", "Lucasta", 1, "fast"), answer="seduction")
    assert (both.strikes, both.attack.pool.dice, both.attack.pool.modifier, both.defense.pool.dice) == (2, 1, 0, 1)


def test_who_listens_knows_when_to_speak():
    played = speaks("refocus").outcome
    assert played.speaker("Casimir").refocused
    _, scene, _ = reception()
    begun = step(scene, played, [(3, 2)])
    assert [each.roll.by for each in begun.rolls] == ["Lucasta"]
    assert begun.outcome.queue[0] == ("Casimir",)  # 4 and Notice
    assert not begun.outcome.speaker("Casimir").refocused


def test_emergency_dice_help_in_society():
    played = speaks("1", "etiquette:Lucasta", "seduction", 2, faces=[(2, 1), (6, 2, 5, 4)])
    assert rolled(played)[1] == ("Lucasta", 4, 0)
    assert played.outcome.speaker("Lucasta").emergency_dice == 0


def crowd():
    """Two who mean to shame Lucasta."""
    _, scene, state = reception()
    casimir, lucasta = state.speakers
    other = replace(casimir, name="Odo", sense=replace(casimir.sense, name="Odo"), standing=replace(casimir.standing, name="Odo"))
    return scene, replace(state, speakers=(casimir, other, replace(lucasta, emergency_dice=0)))


def test_every_further_rival_is_harder_to_answer():
    scene, state = crowd()
    first = step(scene, replace(state, queue=(("Casimir",), ("Odo",))), [(2, 1), (6, 2)], ["1", "etiquette:Lucasta", "no", "seduction"])
    assert first.outcome.speaker("Lucasta").pressed_by == ("Casimir",)
    second = step(scene, first.outcome, [(2, 1), (6, 2)], ["1", "etiquette:Lucasta", "seduction"])
    assert rolled(second)[1] == ("Lucasta", 2, -1)
    held = step(scene, replace(state, queue=(("Casimir",), ("Odo",))), [(2, 1), (6,)], ["1", "etiquette:Lucasta", "yes", "seduction"])
    assert rolled(held)[1] == ("Lucasta", 1, 0)
    again = step(scene, held.outcome, [(2, 1), (6,)], ["1", "etiquette:Lucasta", "seduction"])
    assert rolled(again)[1] == ("Lucasta", 1, 0)
    fresh = step(scene, replace(again.outcome, queue=()), [(2, 1), (3, 1), (6, 2)]).outcome
    assert (fresh.speaker("Lucasta").pressed_by, fresh.speaker("Lucasta").many) == ((), 0)


def test_the_contest_is_soon_known_within_two_percent():
    staged, scene, state = reception()
    found = solve(scene, state, staged.decide, seconds=60, precision=0.02)
    assert found.settled > 0.96
    low, high = found.sides["legation"].interval
    assert 0.3 < low < high < 0.7
    won = 0
    for seed in range(300):
        end = Player(Seeded(seed), staged.decide).run(run(scene, state))
        won += scene.result(end).winner == "legation"
    assert low - 0.1 < won / 300 < high + 0.1


@pytest.mark.slow
def test_the_contest_is_solved_to_the_end():
    staged, scene, state = reception()
    found = solve(scene, state, staged.decide, seconds=120)
    assert found.exact
    assert found.states < 10_000


# --- the wilderness -----------------------------------------------------------------------------------------------------------


def journey(**fields):
    staged = library.stage("silhouette/wilderness")
    return staged.scene, replace(staged.state, **fields)


def test_the_slowest_sets_the_pace():
    scene, state = journey()
    rules = scene.rules
    ottokar, ezekiel = state.people
    assert ottokar.sprint == sprint(rules, 1, 2).value == 35
    assert ezekiel.sprint == 20
    assert pace_of(rules, state) == pytest.approx(20 / 3)  # with a Deep Wound one still walks
    down = state.put(replace(ottokar, course=replace(ottokar.course, patient=replace(ottokar.body, unconscious=600))))
    assert pace_of(rules, down) == pytest.approx(20 / 3)  # carried at 35 / 5 = 7 m
    assert MARCH == 360


def test_a_march_covers_ground_and_opens_wounds():
    scene, state = journey()
    ottokar = state.people[0]
    healed = replace(ottokar.body, stable_flesh=1, stable_deep=1)
    state = state.put(replace(ottokar, course=replace(ottokar.course, patient=healed)))
    played = step(scene, state, [(6, 5)] * 8, ["march"])
    after = played.outcome
    assert after.metres == pytest.approx(24_000, abs=1)
    assert after.who("Ottokar").body.stable_deep == 0
    assert after.who("Ottokar").body.stable_flesh == 1
    assert len(played.rolls) == 8  # the open wound is tested every hour
    assert all(rolled.roll.by == "Ottokar" for rolled in played.rolls)


def test_in_camp_wounds_are_stabilized_and_then_hold():
    scene, state = journey()
    played = step(scene, state, [(6,), (6,)], ["camp", *["treat:Ottokar"] * 2])  # Medicine 1, the wounds at -3, against 1
    body = played.outcome.who("Ottokar").body
    assert (body.stable_deep, body.stable_flesh) == (1, 1)
    assert (body.deep, body.flesh) == (1, 1)


def test_a_day_without_food_and_a_night_without_sleep_tire():
    scene, state = journey(round=2, fed=False, marches=1)
    unhurt = [replace(one, course=replace(one.course, patient=replace(one.body, flesh=0, deep=0))) for one in state.people]
    state = replace(state, people=tuple(unhurt))
    after = step(scene, state, [], ["march"]).outcome
    assert after.who("Ezekiel").weary.total == -1 - 1 - 1  # a day's walk, the night, hunger
    assert after.who("Ezekiel").hungry == 1
    slept = step(scene, replace(state, fed=True, marches=0), [], ["camp"]).outcome
    assert slept.who("Ezekiel").weary.total == 0


def test_drugs_wear_off_by_a_point_an_hour_on_the_way():
    scene, state = journey()
    unhurt = [replace(one, course=replace(one.course, patient=replace(one.body, flesh=0, deep=0, drugged=-9))) for one in state.people]
    played = step(scene, replace(state, people=tuple(unhurt)), [], ["march"])
    assert [one.body.drugged for one in played.outcome.people] == [-1, -1]


def test_the_end_of_the_journey():
    scene, state = journey()
    assert scene.result(replace(state, metres=55_000.0)).winner == "travellers"
    assert scene.result(replace(state, round=9)).winner == "travellers"
    ottokar = state.people[0]
    dead = state.put(replace(ottokar, course=replace(ottokar.course, patient=replace(ottokar.body, dead=True))))
    assert scene.result(dead).winner is None
    assert scene.out(dead) == {"Ottokar"}


def test_a_quiet_day_takes_effort_away_but_no_lost_sleep():
    from rulewright.systems.silhouette.harm.fatigue import Weariness

    scene, state = journey(round=0)
    unhurt = [
        replace(one, weary=Weariness(-2, -1), course=replace(one.course, patient=replace(one.body, flesh=0, deep=0)))
        for one in state.people
    ]
    rested = step(scene, replace(state, people=tuple(unhurt)), [], ["camp"]).outcome
    assert rested.who("Ezekiel").weary == Weariness(0, -1)
    asleep = step(scene, replace(state, people=tuple(unhurt), round=2), [], ["camp"]).outcome
    assert asleep.who("Ezekiel").weary == Weariness(0, 0)


def test_looking_for_food_is_a_test_of_survival():
    scene, state = journey(fed=False)
    unhurt = [replace(one, course=replace(one.course, patient=replace(one.body, flesh=0, deep=0))) for one in state.people]
    state = replace(state, people=tuple(unhurt))
    found = step(scene, state, [(4, 2)], ["forage"])  # Ottokar: Survival 2, in the marsh, with Creativity +1 and Complexity 2
    assert found.rolls[0].roll.by == "Ottokar"
    assert found.outcome.fed
    assert not step(scene, state, [(1, 1)], ["forage"]).outcome.fed


def test_emergency_dice_help_to_find_food_and_to_treat():
    scene, state = journey(fed=False)
    ottokar, ezekiel = [one.with_body(replace(one.body, emergency_dice=2)) for one in state.people]
    unhurt = ottokar.with_body(replace(ottokar.body, flesh=0, deep=0))
    found = step(scene, replace(state, people=(unhurt, ezekiel)), [(1, 1, 5)], ["forage", 1])
    assert (found.outcome.fed, found.outcome.who("Ottokar").body.emergency_dice) == (True, 1)
    treated = step(
        scene, replace(state, people=(ottokar, ezekiel)), [(1, 6, 2), (6,)], ["camp", "treat:Ottokar", 2, "treat:Ottokar"]
    )  # all of Ezekiel's on the first wound
    assert (treated.outcome.who("Ottokar").body.stable_deep, treated.outcome.who("Ezekiel").body.emergency_dice) == (1, 0)
    ruled_out = scene_by(unskilled_emergency_dice="none")
    unlearnt = replace(unhurt, survival=unhurt.survival.with_dice(0))
    other = replace(ezekiel, survival=ezekiel.survival.with_dice(0))
    assert len(step(ruled_out, replace(state, people=(unlearnt, other)), [(2, 2)], ["forage"]).rolls) == 1


def scene_by(**settings):
    from rulewright.systems.silhouette.wilderness.scene import WildernessScene

    from .fights import by

    return WildernessScene(by(fatigue=True, **settings))


def test_a_nurse_keeps_the_resuscitated_alive_and_heals_nobody_faster():
    scene, state = journey()
    ottokar = state.who("Ottokar")
    back = replace(ottokar.body, resuscitated=True, stable_flesh=1, stable_deep=1)
    state = state.put(ottokar.with_body(back))
    assert not step(scene, state, [], ["camp"]).outcome.who("Ottokar").body.dead
    ignorant = state.put(replace(state.who("Ezekiel"), medicine=0))
    assert step(scene, ignorant, [], ["camp"]).outcome.who("Ottokar").body.dead
    course = replace(ottokar.course, patient=replace(ottokar.body, stable_flesh=1, stable_deep=1), progress=3 * 24 * 60, mending="flesh")
    slow = state.put(replace(ottokar, course=course))
    assert step(scene, slow, [], ["camp"]).outcome.who("Ottokar").body.flesh == 1  # a week without a hospital, not three days


def test_bruises_fade_under_way_each_in_its_time():
    scene, state = journey()
    ottokar = state.who("Ottokar")
    beaten = ottokar.with_body(replace(ottokar.body, flesh=0, deep=0, bruised_flesh=2, bruised_deep=1))
    first = step(scene, state.put(beaten), [(6,), (1,), (2,)], ["march"]).outcome  # hours for the light ones, two days for the other
    assert (first.who("Ottokar").body.bruised_flesh, first.who("Ottokar").body.bruised_deep) == (0, 1)
    assert first.who("Ottokar").fading == (("deep", 40),)
    later = first
    for plan in ("march", "camp", "camp", "camp", "camp"):
        assert later.who("Ottokar").body.bruised_deep == 1
        later = step(scene, replace(later, fed=True), [], [plan]).outcome
    assert (later.who("Ottokar").body.bruise_boxes, later.who("Ottokar").fading) == (0, ())
    wounded = state.put(ottokar.with_body(replace(beaten.body, flesh=1, stable_flesh=1)))
    assert step(scene, wounded, [(6,)] * 3, ["camp", *["treat:Ottokar"] * 3]).outcome.who("Ottokar").body.bruised_deep == 1


def watched(state, seed, decide):
    """What is told of a watch in camp."""
    player = Player(Seeded(seed), decide)
    player.run(journey()[0].step(state))
    return [event.headline() for event in player.events if event.logged]


def test_a_medic_is_asked_whom_to_treat_and_may_leave_it_at_that():  # lines 2529-2531
    def idle(choice):
        return {"plan": "camp", "act": "rest"}.get(choice.topic) or WILDERNESS_TACTICS["patient"](choice)

    assert any("stabilizing" in line for line in watched(journey()[1], 1, WILDERNESS_TACTICS["still"]))
    assert not any("stabilizing" in line for line in watched(journey()[1], 1, idle))


def test_a_medic_at_the_bedside_tends_to_whoever_goes_into_shock_in_the_middle_of_a_watch():  # lines 2529, 2541
    state = journey()[1]
    ottokar = state.who("Ottokar")
    state = state.put(ottokar.with_body(replace(ottokar.body, flesh=2, deep=1, stable_flesh=2)))
    shocks = 0
    for seed in range(40):
        told = watched(state, seed, WILDERNESS_TACTICS["still"])
        for at, line in enumerate(told):
            if "Ottokar goes into shock" in line:
                shocks += 1
                assert any("resuscitating Ottokar" in later for later in told[at + 1 :])
    assert shocks


def marched(plans, load="", **fields):
    """Ezekiel's fatigue after each watch of some days on healthy legs."""
    scene, state = journey(**fields)
    unhurt = [replace(one.with_body(replace(one.body, flesh=0, deep=0)), load=load) for one in state.people]
    state, found = replace(state, people=tuple(unhurt)), []
    for plan in plans:
        state = step(scene, replace(state, fed=True), [], [plan]).outcome
        found.append(state.who("Ezekiel").weary.total)
    return found


def test_a_day_on_the_march_tires_before_the_night_and_sleep_takes_it_away():
    assert marched(["march", "march", "camp", "march", "march", "camp"]) == [0, -1, 0, 0, -1, 0]
    assert marched(["march", "march", "march"]) == [0, -1, -2]  # and the night is lost
    assert marched(["march", "march", "camp"], "heavy load") == [0, -2, 0]
    assert marched(["march", "march", "camp"], "full load") == [-1, -3, 0]


def test_heat_counts_once_a_day():
    hot = replace(journey()[1].country, extreme_weather=True)
    assert marched(["march", "march", "march"], country=hot) == [0, -2, -3]
    assert marched(["march", "march", "camp", "march", "march"], country=hot) == [0, -2, 0, 0, -2]
    assert marched(["camp", "camp", "camp"], country=hot) == [0, 0, 0]


def test_armor_in_the_heat():
    scene, state = journey(marches=1)
    clad = [one.with_body(replace(one.body, flesh=0, deep=0, armor=4)) for one in state.people]
    state = replace(state, people=tuple(clad), country=replace(state.country, extreme_weather=True))
    assert step(scene, state, [], ["march"]).outcome.who("Ezekiel").weary.total == -1 - 1 - 1


@pytest.mark.parametrize(("kilograms", "load"), [(1, ""), (60, "heavy load"), (90, "full load")])
def test_what_a_traveller_carries_is_a_strain(kilograms, load):
    from rulewright.systems.silhouette.people.characters import Item
    from rulewright.systems.silhouette.people.secondary_attributes import capacity

    scene, state = journey()
    newcomer = SYSTEM.new(RULES, "character", "hedge-knight")
    most = capacity(RULES, 0).lift
    item = Item("bags", weight=most * kilograms / 100)
    bare = replace(newcomer, attributes={}, gear=replace(newcomer.gear, other=(item,)))
    joined = scene.join(state, bare, "travellers")
    assert joined.people[-1].load == load
