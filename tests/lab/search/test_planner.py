"""Search as a decider: it finds what is better, knows what its side knows, and ends when it is told to."""

from typing import Any

import pytest
from tests.lab.lab_scenes import Parley, Talk
from tests.lab.search.search_scenes import Cup, Guessing

from rulewright import library
from rulewright.lab import solve
from rulewright.lab.examples.dares import Dares, Pot
from rulewright.lab.search import LEVELS, Level, Match, Mind, Thought, deadline, level, planner
from rulewright.lab.search.deadline import Watch
from rulewright.lab.search.sequential_halving import OutOfTime
from rulewright.play import Choice, Given, Seeded, first_option
from rulewright.play.odds import exact
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.question_snapshot import Moment
from rulewright.scenes.scene import Scene


def asked(encounter: "Encounter[Any]", who: str = "", topic: str = "", seed: int = 3, decide: Any = first_option) -> int:
    """Play on until somebody is asked something they can choose about; the place of the question."""
    dice = Seeded(seed)
    for _ in range(1_000):
        for at, request in encounter.open:
            if isinstance(request, Choice):
                wanted = (not who or request.who == who) and (not topic or request.topic == topic)
                if wanted and len(request.keys()) > 1:
                    return at
                encounter.give(decide(request), at)
            else:
                encounter.give(dice.faces(request), at)
            break
    raise AssertionError("nobody was asked")


def thinks(scene: Scene[Any], state: Any, budget: int = 200, seed: int = 1, **known: Any) -> Thought:
    """What somebody thinks about the first question in a scene."""
    encounter = Encounter.begin(scene, state)
    at = asked(encounter)
    return Mind(scene, {}, first_option, Level("test", budget, None), seed=seed).think(encounter.moment(at), **known)


def insistent(choice: Choice[Any]) -> Given:
    """Bids low, and insists."""
    return "low" if choice.ask_for == "high or low?" else "yes"


def meek(choice: Choice[Any]) -> Given:
    """Bids low, and gives in."""
    return "low" if choice.ask_for == "high or low?" else "no"


def test_it_finds_the_way_to_play_on_and_the_answer_that_no_tactic_gives() -> None:
    encounter = Encounter.begin(Parley(), Talk())
    at = next(at for at, request in encounter.open if isinstance(request, Choice))
    thought = Mind(Parley(), {"meek": meek, "insistent": insistent}, meek, Level("test", 200, None)).think(encounter.moment(at))
    assert thought.way == "insistent"
    assert (thought.usual, thought.answer) == ("low", "high")
    high = next(option for option in thought.options if option.key == "high")
    assert high.interval[0] < 3 / 8 < high.interval[1]


def test_what_an_answer_is_worth_agrees_with_exact_solving() -> None:
    scene, state = Dares(), Pot(2, 2)
    thought = thinks(scene, state, 1_200)
    for option in thought.options:
        odds = exact(lambda key=option.key: scene.step(state), decide=lambda choice, key=option.key: key)  # type: ignore[misc]
        worth = 0.0
        for after, weight in odds:
            ended = scene.result(after)
            if ended is not None:
                won = 0.5 if ended.winner is None else float(ended.winner == "bold")
            else:
                solved = solve(scene, after, first_option, question="win")
                won = solved.sides["bold"].chance + solved.draw.chance / 2
            worth += won * weight / odds.total
        assert option.interval[0] - 0.02 < worth < option.interval[1] + 0.02, (option.key, worth, option.interval)


def test_the_same_seed_thinks_the_same_whatever_was_thought_before() -> None:
    staged = library.stage("scumm/duel")
    tactics = staged.system.tactics
    encounter = Encounter.begin(staged.scene, staged.state)
    at = asked(encounter, decide=staged.decide)
    moment = encounter.moment(at)
    small = Level("test", 60, None)
    fresh = Mind(staged.scene, tactics, staged.decide, small, seed=7).think(moment)
    used = Mind(staged.scene, tactics, staged.decide, small, seed=7)
    used.think(moment)
    used._best.clear()
    assert used.think(moment) == fresh
    assert fresh.playouts > 30
    assert Mind(staged.scene, tactics, staged.decide, small, seed=8).think(moment).options != fresh.options


def test_a_secret_that_lies_in_the_state_is_not_known() -> None:
    low, high = thinks(Guessing(), Cup(2)), thinks(Guessing(), Cup(6))
    assert low == high
    assert all(option.interval[0] < 0.5 < option.interval[1] for option in low.options)
    assert thinks(Guessing(), Cup(6), all_known=True).answer == "high"
    assert thinks(Guessing(), Cup(2), all_known=True).answer == "low"


def test_a_secret_roll_of_the_same_step_is_not_known() -> None:
    def after(face: int, seed: int) -> Thought:
        encounter = Encounter.begin(Guessing(at_once=True), Cup())
        encounter.give((face,))
        return Mind(encounter.scene, {}, first_option, Level("test", 200, None), seed=seed).think(encounter.moment(0))

    seeds = range(12)
    assert [after(1, seed) for seed in seeds] == [after(6, seed) for seed in seeds]
    answers = [after(6, seed).answer for seed in seeds]
    assert 2 <= answers.count("high") <= 10, "neither answer is favoured"


def test_a_scene_that_keeps_secrets_and_cannot_draw_them_is_refused_to_all_but_the_gamemaster() -> None:
    refused = thinks(Guessing(draws=False), Cup(6))
    assert refused.answer == refused.usual
    assert not refused.options
    assert "cannot know everything about keeper" in refused.note
    assert thinks(Guessing(draws=False), Cup(6), all_known=True).answer == "high"


@pytest.mark.parametrize("pause", [0.001, 0.4])
def test_no_playout_goes_on_after_the_time_is_out(monkeypatch: pytest.MonkeyPatch, pause: float) -> None:
    now, looks = [0.0], [0]

    def clock() -> float:
        looks[0] += 1
        now[0] += pause if looks[0] % 100 == 0 else 0.001
        return now[0]

    monkeypatch.setattr(deadline.time, "thread_time", clock)
    monkeypatch.setattr(deadline.time, "monotonic", lambda: now[0])
    staged = library.stage("scumm/duel")
    encounter = Encounter.begin(staged.scene, staged.state)
    at = asked(encounter, decide=staged.decide)
    patient = Mind(staged.scene, staged.system.tactics, staged.decide, Level("test", 100_000, 5.0), seed=1)
    for _ in range(3):
        began = now[0]
        thought = patient.think(encounter.moment(at))
        assert now[0] - began <= 5.0 + 0.002, "what one step took at most is kept free"
    if pause < 0.1:
        assert 0 < thought.playouts < 1_000
    hasty = Mind(staged.scene, staged.system.tactics, staged.decide, Level("test", 100_000, 1e-9), seed=1).think(encounter.moment(at))
    assert hasty.answer == hasty.usual
    assert hasty.note == planner.NO_TIME


def test_a_watch_keeps_free_what_the_longest_step_took_and_forgets_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 3.0, 3.5, 4.0])
    monkeypatch.setattr(deadline.time, "thread_time", lambda: next(times))
    monkeypatch.setattr(deadline.time, "monotonic", lambda: 0.0)
    watch = Watch()
    watch.look()  # nobody is in a hurry
    watch.begin()
    watch.until = 5.2
    watch.look()
    watch.look()
    assert watch.longest == 2.0
    with pytest.raises(OutOfTime):
        watch.look()
    watch.begin()
    assert watch.longest == 1.0


def test_a_machine_busy_with_others_ends_a_search_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = [0.0]
    monkeypatch.setattr(deadline.time, "thread_time", lambda: 0.0)
    monkeypatch.setattr(deadline.time, "monotonic", lambda: wall[0])
    watch = Watch()
    watch.begin()
    watch.until = 1.0
    wall[0] = 0.9 * deadline.PATIENCE / 2
    watch.look()
    wall[0] = 1.1 * deadline.PATIENCE
    with pytest.raises(OutOfTime):
        watch.look()


def test_time_counted_in_steps_is_the_same_on_any_machine() -> None:
    watch = Watch()
    watch.begin(10)
    watch.until = 1.0
    for _ in range(10):
        watch.look()
    assert watch.now == 1.0
    with pytest.raises(OutOfTime):
        watch.look()


def test_a_small_question_stays_with_the_tactic() -> None:
    encounter = Encounter.begin(Parley(), Talk(1))
    agreed = {"one": meek, "other": meek}
    moment = encounter.moment(0)
    assert moment.requests[0].topic == "act"
    assert Mind(Parley(), agreed, meek, Level("test", 50, None)).think(moment).options
    small = moment.requests[0]
    quiet = Choice(small.who, small.ask_for, small.options, small.about, "detail")
    from msgspec.structs import replace

    thought = Mind(Parley(), agreed, meek, Level("test", 50, None)).think(replace(moment, requests=(quiet,)))
    assert (thought.note, thought.options) == (planner.SMALL, ())


def test_whom_to_attack_is_thought_about_though_all_tactics_agree() -> None:
    """Mooks are asked nothing else: a side of them would never think."""
    staged = library.stage("ore/station")
    encounter = Encounter.begin(staged.scene, staged.state)
    moment = encounter.moment(asked(encounter, topic="mooks", decide=staged.decide))
    thought = Mind(staged.scene, {}, staged.decide, Level("test", 18, None), rounds=1).think(moment)
    assert {option.key for option in thought.options} == set(moment.requests[moment.at].keys())


def test_the_levels_have_names_and_others_are_refused() -> None:
    assert list(LEVELS) == ["easy", "good", "best"]
    assert LEVELS["easy"].playouts < LEVELS["good"].playouts < LEVELS["best"].playouts
    with pytest.raises(Exception, match="nobody plays 'goood'; did you mean"):
        level("goood")
    assert level("best").counted.by_steps


def test_a_level_promises_a_time_on_average_and_lends_what_was_saved_up_to_its_cap() -> None:
    assert [(how.seconds, how.most) for how in LEVELS.values()] == [(0.2, 0.4), (0.5, 0.7), (1.5, 3.0)]
    good = level("good")
    assert [good.allowed(saved) for saved in (0.0, 0.1, 5.0)] == [0.5, 0.6, 0.7]
    assert Level("test", 50, None).allowed(3.0) is None


def test_temperature_lets_worse_answers_happen_but_not_often() -> None:
    level_ = Level("test", 60, None, 0.1)
    scene = Guessing(draws=False)
    encounter = Encounter.begin(scene, Cup(5))
    given = [Mind(scene, {}, first_option, level_, seed=seed).think(encounter.moment(0), all_known=True).answer for seed in range(30)]
    assert given.count("high") == 30, "a whole game is ten times the temperature"
    fair = Guessing()
    encounter = Encounter.begin(fair, Cup(5))
    given = [Mind(fair, {}, first_option, level_, seed=seed).think(encounter.moment(0)).answer for seed in range(30)]
    assert 5 < given.count("high") < 25


def test_a_fight_of_a_match_depends_on_its_number_alone_whatever_was_played_before() -> None:
    staged = library.stage("scumm/duel")
    told: list[tuple[str, Given, int]] = []

    class Watched(Match):
        def thought(self, thought: Thought, moment: Moment) -> Given:
            told.append((thought.question, thought.answer, thought.playouts))
            return thought.answer

    def match() -> Match:
        return Watched(staged.scene, staged.state, staged.decide, staged.system.tactics, {"Vesna": Level("test", 24, None)}, 4)

    used = match()
    used(0)
    used(1)
    told.clear()
    again = used(2), tuple(told)
    told.clear()
    assert (match()(2), tuple(told)) == again
    assert any(playouts for _, _, playouts in told)
    assert used._minds not in used.__reduce__()[1], "minds are not sent to other processes"
