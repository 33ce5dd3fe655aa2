"""The adventures that ship with the games."""

from random import Random

import pytest

from rulewright.play import Seeded
from rulewright.playthrough.check import check
from rulewright.playthrough.loader import Opened, open_adventure, starters
from rulewright.playthrough.scenes import chances_of
from rulewright.playthrough.solo import Playthrough, choose_party
from rulewright.scenes.encounter import Encounter
from rulewright.system import find, names

SHIPPED = [f"{system}/{name}" for system in names() for name in starters(find(system))]


def test_every_game_has_a_starter():
    assert {
        "foresight/two-days-to-cassel-dome",
        "hybrid/bell-under-the-hill",
        "ore/lantern-syndicate",
        "scumm/glass-ferry",
        "silhouette/salt-on-the-axles",
    } <= set(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_starter_is_an_evening(name):
    adventure = open_adventure(name).adventure
    requests = [request for node in adventure.nodes.values() for request in node.requests]
    assert len(adventure.ready) == 4
    assert len(adventure.nodes) >= 12
    assert len(adventure.maps) >= 3
    assert len(adventure.handouts) >= 4
    assert len({request.manner for request in requests} | {request.joined for request in requests if request.of == "everybody"}) >= 3
    assert any(node.downtime is not None for node in adventure.nodes.values())
    assert sum(bool(node.ending) for node in adventure.nodes.values()) >= 3
    fights = [node.fight for node in adventure.nodes.values() if node.fight is not None]
    assert fights
    for fight in fights:
        lost = [effect.go for effect in fight.then["lost"] if effect.go]
        assert not any(adventure.nodes[target].ending for target in lost)
    assert 500 <= len(adventure.lead.split()) <= 1_500
    assert all(node.lead and node.otherwise for node in adventure.nodes.values() if not node.ending)
    assert all(len(node.read.split()) <= 200 for node in adventure.nodes.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_each_ready_character_is_the_best_in_two_requests(name):
    checked = check(open_adventure(name), walks=0)
    assert checked.problems == ()
    best = dict.fromkeys(checked.chances[0].people, 0)
    for request in checked.chances:
        known = {person: chance for person, chance in request.people.items() if chance is not None}
        for person, chance in known.items():
            best[person] = best.get(person, 0) + (chance == max(known.values()))
    assert min(best.values()) >= 2, best
    assert len(best) == 4


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)])
def test_a_starter_can_be_played_alone(name, seed):
    """Every choice at random, the best for each request, tactics in each fight: the story ends, and its texts have no gaps."""
    opened = open_adventure(name)
    playthrough, random = Playthrough(opened, choose_party(opened, [])), Random(seed)
    for number in range(400):
        if playthrough.over:
            break
        playthrough.choose(random.choice(playthrough.shown().offers).key)
        _play_what_is_pending(opened, playthrough, seed * 1_000 + number)
    assert playthrough.shown().ending


def _play_what_is_pending(opened: Opened, playthrough: Playthrough, seed: int) -> None:
    request = playthrough.request
    if request is not None:
        people = chances_of(opened, request, playthrough.party).people
        best = max(people, key=lambda person: person.best or 0)
        playthrough.roll([person.name for person in people] if request.of == "everybody" else [best.name], Seeded(seed))
    elif playthrough.fight is not None:
        staged = playthrough.staged()
        encounter = Encounter.begin(staged.scene, staged.state)
        encounter.play_out(Seeded(seed), staged.decide)
        playthrough.fought(encounter)
    elif playthrough.story.pending:
        playthrough.waited()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_a_starter_is_good(name):
    opened = open_adventure(name)
    checked = check(opened, walks=1_000, fights=6)
    assert checked.problems == ()
    assert checked.walks is not None
    endings = {node.ending for node in opened.adventure.nodes.values() if node.ending}
    assert set(checked.walks.endings) == endings
    assert sum(checked.walks.endings.values()) == 1_000
    assert min(checked.walks.endings.values()) >= 50
