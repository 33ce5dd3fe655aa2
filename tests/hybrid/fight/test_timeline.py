"""The fight count by count (book lines 804-896)."""

import pytest
from msgspec.structs import replace

from rulewright.play import Choice, Event, Player, Seeded, script
from rulewright.scenes.encounter import Encounter
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Ground, defense_of, enter
from rulewright.systems.hybrid.fight.tactics import fencer
from rulewright.systems.hybrid.fight.timeline import COUNTS_A_SECOND, due_at, enter_fight, move_clock, next_count, order
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.lab_view.scene import FightScene
from rulewright.systems.hybrid.people.characters import Character, Gear
from rulewright.systems.hybrid.resolution.tests import Check
from rulewright.systems.hybrid.settings import BOOK

RULES = BOOK.ruleset()
LAST = Fight(Ground(), ()).seconds * COUNTS_A_SECOND
"""The last count of a fight."""


def under(**settings):
    return BOOK.ruleset(settings={name.replace("_", "-"): value for name, value in settings.items()})


def person(name, side, at=(0.0, 0.0), weapons=("knife",), rank=8, rules=RULES, **changes):
    skills = {"Dagger": rank, "Sword": rank, "Unarmed Combat": rank, "Melee: Spear": rank, "Throw Object": rank}
    one = enter(rules, Character(name=name, skills=skills, gear=Gear(weapons=tuple(weapons))), name, side, at=at)
    return replace(one, **{"entered": True, "aware": True, **changes})


def fight(*people, **changes):
    return Fight(Ground(), people, **changes)


def skilled(profile, check):
    """Somebody whose bare hands roll against this."""
    return replace(profile, arms=tuple(replace(arm, check=check) if arm.name == "fist" else arm for arm in profile.arms))


def stepped(state, faces=(), choices=(), rules=RULES):
    played = script(next_count(rules, state), faces, choices)
    return played.outcome, [event.headline() for event in played.events]


def test_the_lowest_count_is_due_and_of_those_the_fastest_first():
    assert order(RULES, (12, 9, 9), (4, 4, 6)) == (2, 1)
    assert order(RULES, ()) == ()


def test_entering_is_perception_and_initiative_and_the_unaware_come_later():
    start = fight(person("Al", "a", entered=False, aware=False), person("Bo", "b", (1.0, 0.0), entered=False, aware=False))
    state = script(enter_fight(RULES, start), [(20,), (3, 4), (90,), (3, 4)]).outcome
    assert [(one.at, one.aware) for one in state.fighters] == [(13, True), (18, False)]
    assert defense_of(RULES, state.fighters[1], 14) == 0
    assert defense_of(RULES, state.fighters[0], 14) == 12


def test_an_action_begins_at_ones_count_and_takes_effect_after_its_speed():  # 846
    state = fight(person("Al", "a", at=(0.0, 0.0)), person("Bo", "b", (1.0, 0.0)))
    state = state.change("Al", at=13).change("Bo", at=20)
    state, told = stepped(state, [], ["attack:Bo"])
    assert (state.count, state.fighter("Al").at) == (13, 14)  # 2 counts, less half of rank 8, never below 1
    assert told == ["Count 13", "Al attacks Bo with the knife (takes effect at count 14)"]
    state, told = stepped(state, [(30,), (20,), (4,), (3, 4)], ["defend", "take it"])
    assert state.fighter("Bo").body.energy.fatigue == 36 - 7
    assert (state.fighter("Al").at, state.fighter("Al").doing) == (27, None)


def test_a_parry_costs_the_defender_counts():
    state = fight(person("Al", "a", at=(0.0, 0.0)), person("Bo", "b", (1.0, 0.0), ("short sword", "knife"), in_hand=1))
    state = state.change("Al", at=14, doing=Doing("attack", "Bo", 12)).change("Bo", at=20)
    state, _ = stepped(state, [(30,), (5,), (3, 4)], ["parry"])
    assert state.fighter("Bo").at == 21
    assert state.fighter("Bo").body == person("Bo", "b").body


def test_a_longer_weapon_must_be_closed_on_and_may_fend():
    state = fight(person("Al", "a"), person("Bo", "b", (1.0, 0.0), ("spear",)))
    state = state.change("Al", at=14, doing=Doing("attack", "Bo", 12)).change("Bo", at=20)
    kept, told = stepped(state, [(30,), (3, 4)], ["fend", "go on", "break off"])
    assert kept.fighter("Al").inside == ()
    assert kept.fighter("Bo").at == 24
    assert "Al is kept outside the reach of Bo" in told
    inside, _ = stepped(state, [(90,), (3, 4)], ["let them come", "defend"])
    assert inside.fighter("Al").inside == ("Bo",)


@pytest.mark.parametrize(("ties", "both"), [("together", True), ("higher speed first", False)])
def test_on_one_count_both_act_or_the_faster_one_first(ties, both):  # 818
    rules = under(initiative_ties=ties)
    weak = Energy(0, 60, 36, 60)
    people = [person(name, side, (x, 0.0), rules=rules) for name, side, x in (("Al", "a", 0.0), ("Bo", "b", 1.0))]
    people = [
        replace(one, body=replace(one.body, energy=weak, pbd=1, pbd_full=1), at=14, doing=Doing("attack", other, 12))
        for one, other in zip(people, ("Bo", "Al"), strict=True)
    ]
    people[0] = replace(people[0], profile=replace(people[0].profile, speed=9))
    faces = [(30,), (20,), (6,), (3, 4)] + [(30,), (20,), (6,)] * both
    state, _ = stepped(fight(*people), faces, ["defend", "take it"] * (1 + both), rules)
    assert state.fighter("Bo").body.dead
    assert state.fighter("Al").body.dead is both


def test_a_dodge_has_three_parts_and_ends_in_a_fall():
    state = fight(person("Al", "a", at=(0.0, 0.0)), person("Bo", "b", (1.0, 0.0)))
    state = state.change("Al", at=50).change("Bo", at=10)
    state, _ = stepped(state, [], ["dodge"])
    bo = state.fighter("Bo")
    assert bo.at == 30
    assert [defense_of(RULES, bo, count) for count in (10, 15, 25)] == [24, 36, 12]
    state, told = stepped(state, [(3, 4)])
    assert state.fighter("Bo").body.prone
    assert defense_of(RULES, state.fighter("Bo"), 30) == 6
    assert "Bo lands on the ground" in told


def test_drawing_takes_twice_the_weapons_speed_and_a_fast_draw_once():
    state = fight(person("Al", "a", weapons=("knife", "short sword")), person("Bo", "b", (1.0, 0.0)))
    state = state.change("Al", at=10).change("Bo", at=50)
    assert stepped(state, [], ["draw:short sword"])[0].fighter("Al").at == 16
    fast, _ = stepped(state, [(20,)], ["fast draw:short sword"])
    assert fast.fighter("Al").at == 13
    drawn, _ = stepped(fast)
    assert (drawn.fighter("Al").arm.name, drawn.fighter("Al").at) == ("short sword", 13)


def test_setting_up_takes_twice_as_long_and_rushing_any_part_of_it():
    state = fight(person("Al", "a", weapons=("spear",), rank=0), person("Bo", "b", (1.0, 0.0)))
    state = state.change("Al", at=10).change("Bo", at=50)
    assert stepped(state, [], ["attack how:Bo", "set up", "enough"])[0].fighter("Al").at == 28
    rushed = stepped(state, [], ["attack how:Bo", "rushed", "enough", 5])[0].fighter("Al")
    assert (rushed.at, rushed.doing.share) == (15, (5, 9))
    third = stepped(state, [], ["attack how:Bo", "rushed", "enough", 3])[0].fighter("Al")
    assert (third.at, third.doing.share) == (13, (1, 3))


def test_a_preset_goes_off_with_the_whole_of_speed_when_one_is_attacked():
    state = fight(person("Al", "a", at=(0.0, 0.0)), person("Bo", "b", (1.0, 0.0)))
    state = state.change("Al", at=12).change("Bo", at=10)
    state, told = stepped(state, [], ["wait"])
    assert (state.fighter("Bo").waiting, state.fighter("Bo").at) == (True, 34)
    state, told = stepped(state, [(20,), (1, 1)], ["attack:Bo"])
    assert "Bo reacts: this is the event they waited for" in told
    assert state.fighter("Bo").at == 12 + 2 + 8 - 4


def test_holding_a_preset_for_long_costs_mental_fatigue():
    state = fight(person("Al", "a"), person("Bo", "b", (1.0, 0.0))).change("Al", at=99).change("Bo", at=10)
    state, _ = stepped(state, [], ["wait"])
    state, _ = stepped(state)
    assert state.fighter("Bo").body.mind.fatigue == 35


def test_a_hold_subdues():
    state = fight(person("Al", "a", weapons=()), person("Bo", "b", (1.0, 0.0), ()))
    state = state.change("Al", at=10, doing=Doing("grapple", "Bo", 8)).change("Bo", at=12)
    state = state.change("Al", profile=skilled(state.fighter("Al").profile, Check(60)))
    state, _ = stepped(state, [(5,), (3, 4)], ["defend"])
    assert state.fighter("Al").hold >= 36
    assert FightScene(RULES).result(state).winner == "a"


def test_timed_shock_wakes_on_its_count():
    rules = under(shock_ends="2d6+45 counts")
    state = fight(person("Al", "a"), person("Cy", "b", (9.0, 0.0)), person("Bo", "b", (1.0, 0.0)))
    state = state.change("Al", at=90).change("Cy", at=90)
    state = state.change("Bo", body=replace(state.fighter("Bo").body, shock="unconscious", shock_ends=60))
    after, _ = stepped(state, [(3, 4)], rules=rules)
    assert after.count == 60
    assert after.fighter("Bo").body.awake
    assert after.fighter("Bo").at == 73


def test_who_has_no_time_to_wake_at_has_no_count():
    state = fight(person("Al", "a"), person("Bo", "b", (1.0, 0.0))).change("Al", at=90)
    body = state.fighter("Bo").body
    assert due_at(RULES, state.change("Bo", body=replace(body, shock="unconscious", shock_ends=0))) == 90
    asleep = replace(body, shock="unconscious", shock_ends=60)
    assert due_at(RULES, state.change("Bo", body=asleep)) == 60
    for nothing_left in ({"pbd": 0}, {"mbd": 0}):
        assert due_at(RULES, state.change("Bo", body=replace(asleep, **nothing_left))) == 90


@pytest.mark.parametrize(("at", "told"), [(LAST, True), (LAST + 1, False)])
def test_the_last_count_is_still_acted_on(at, told):
    state = fight(person("Al", "a"), person("Bo", "b", (1.0, 0.0)), count=5).change("Al", at=at).change("Bo", at=at)
    events = script(move_clock(RULES, state)).events
    assert (f"Count {LAST}" in [event.headline() for event in events]) is told


def test_wounds_bleed_while_time_passes():
    state = fight(person("Al", "a", at=(0.0, 0.0)), person("Bo", "b", (1.0, 0.0)), count=5)
    state = state.change("Al", at=45).change("Bo", at=90, body=replace(state.fighter("Bo").body, bleeding=(5,)))
    assert stepped(state, [], ["pass"])[0].fighter("Bo").body.energy.fatigue == 34


TRANSCRIPT = """\
Al looks around: Solid Success
Al reacts at count 10
Bo looks around: Success
Bo reacts at count 13
Count 10
Al attacks Bo with the knife (takes effect at count 11)
Count 11
Al attacks Bo (knife): success
Bo takes 6 damage to the chest (PFT -2, PBD -4)
Bo bleeds
Bo is jolted
Al will be ready at count 24
Count 13
Bo is over the shock
Bo attacks Al with the knife (takes effect at count 14)
Count 14"""


def test_a_knife_fight_count_by_count_and_undone_across_counts():
    people = [person(name, side, (x, 0.0), entered=False, aware=False) for name, side, x in (("Al", "a", 0.0), ("Bo", "b", 1.0))]
    people[1] = replace(people[1], body=replace(people[1].body, energy=Energy(2, 60, 36, 60)))
    encounter = Encounter.begin(FightScene(RULES), fight(*people))
    given = [(20,), (2, 2), (50,), (3, 4), "attack:Bo", "defend", (30,), "take it", (20,), (3,), (60,), (60,), (3, 4), (10,), "attack:Al"]
    for answer in given:
        encounter.give(answer)
    told = [line.what.headline() for line in encounter.log if isinstance(line.what, Event)]
    assert told == TRANSCRIPT.splitlines()
    view = encounter.scene.view(encounter.state, None)
    turns = [(turn.who, turn.at, turn.now) for turn in view.timeline.turns]
    assert turns == [("Bo", "14: attacks Al with the knife", True), ("Al", "24: decides", False)]
    assert encounter.state.count == 14
    encounter.undo()
    assert encounter.state.count == 13
    encounter.undo()
    assert encounter.state.count == 11
    encounter.redo()
    encounter.redo()
    assert encounter.state.count == 14


def test_undo_goes_back_over_every_count_to_the_very_same_states_and_redo_forward():
    people = [person(name, side, (x, 0.0), entered=False, aware=False) for name, side, x in (("Al", "a", 0.0), ("Bo", "b", 1.0))]
    encounter = Encounter.begin(FightScene(RULES), fight(*people, seconds=60))
    dice, stood = Seeded(4), []

    def now():
        return encounter.state, [request.question() for _, request in encounter.open], encounter.result

    while encounter.result is None and len(stood) < 40:
        at, request = encounter.open[0]
        if isinstance(request, Choice):
            stood.append(now())
            encounter.give(fencer(request), at)
        else:
            encounter.give(dice.faces(request), at)
    counts = [state.count for state, _, _ in stood]
    assert counts == sorted(counts)
    assert len(set(counts)) >= 8
    after = [now()]
    for before in reversed(stood):
        encounter.undo()
        assert now() == before
        after.append(now())
    assert encounter.state.count == stood[0][0].count
    for later in reversed(after[:-1]):
        encounter.redo()
        assert now() == later


def test_every_kind_of_action_can_be_chosen_and_played_on():
    seen = set()

    def wild(choice: Choice):
        keys = choice.keys()
        key = next((key for key in keys if (choice.topic, key) not in seen and "wait" not in key), None) or fencer(choice)
        seen.add((choice.topic, key))
        return key

    scene = FightScene(RULES)
    for seed in range(6):
        state = fight(
            person("Al", "a", (0.0, 0.0), ("knife", "short sword", "throwing knife")), person("Bo", "b", (1.5, 0.0), ("spear", "shield"))
        )
        if seed % 2:
            state = state.change("Al", in_hand=[arm.name for arm in state.fighter("Al").profile.arms].index("fist"))
        player = Player(Seeded(seed), wild)
        for _ in range(300):
            if scene.result(state) is not None:
                break
            state = player.run(scene.step(state))
    acts = {key.partition(":")[0] for topic, key in seen if topic == "act"}
    assert {"attack", "attack how", "feint", "disarm", "grapple", "overbear", "throw", "draw", "dodge", "drop prone", "rise"} <= acts
