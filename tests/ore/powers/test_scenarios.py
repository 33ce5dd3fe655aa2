"""The duel of minds, and heroes with powers against a company of mooks."""

import pytest

from rulewright import library
from rulewright.lab.solver.exact import solve
from rulewright.play import Player, Seeded
from rulewright.scenes.chances import Asked, weigh
from rulewright.scenes.encounter import Encounter


@pytest.mark.slow
def test_the_duel_of_minds_is_solved_as_closely_as_is_asked():
    staged = library.stage("ore/scenarios/minds")
    found = solve(staged.scene, staged.state, staged.decide, question="win", precision=0.005)
    least, most = found.sides["hotel"].interval
    assert most - least <= 0.01
    assert least < 0.83995 < most
    games = 300
    player = Player(Seeded(5), staged.decide)
    carried = 0
    for _ in range(games):
        state = staged.state
        while staged.scene.result(state) is None:
            state = player.run(staged.scene.step(state))
        carried += staged.scene.result(state).winner == "hotel"
    assert abs(carried / games - 0.83995) < 0.08


@pytest.mark.slow
def test_the_chance_of_a_power_stands_beside_it():
    staged = library.stage("ore/scenarios/minds")
    encounter = Encounter.begin(staged.scene, staged.state)
    at, request = encounter.open[0]
    assert request.who == "Tess"
    (chances,) = weigh(Asked(encounter.moment(at), (None,), staged.decide), 60, ["power:Disruption:Varro"])
    outcomes = {outcome.name: outcome.chance for outcome in chances.outcomes}
    assert outcomes["hurt"] > 0.5
    assert sum(outcomes.values()) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(3))
def test_heroes_with_powers_fight_a_company_to_its_end(seed):
    staged = library.stage("ore/scenarios/station")
    encounter = Encounter.begin(staged.scene, staged.state)
    dice = Seeded(seed)
    while encounter.advance(dice, staged.decide):
        pass
    assert encounter.result is not None
