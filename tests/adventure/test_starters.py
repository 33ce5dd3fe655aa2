"""The adventures that ship with the games."""

import pytest

from rulewright.playthrough.check import check
from rulewright.playthrough.loader import open_adventure, starters
from rulewright.system import find, names

SHIPPED = [f"{system}/{name}" for system in names() for name in starters(find(system))]


def test_there_are_starters():
    assert "scumm/glass-ferry" in SHIPPED


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
    assert min(checked.walks.endings.values()) >= 20
