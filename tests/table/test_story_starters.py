"""The adventures that ship with the games, laid into a table of their game; each of their fights begins with the party in its places."""

import pytest

from rulewright.playthrough.loader import PARTY, open_adventure, starters
from rulewright.system import find, names
from rulewright.table.commands import messages as a
from rulewright.table.story import messages as s
from rulewright.table.story.party import fight_scene
from table.group import gather

SHIPPED = [(system, name) for system in names() for name in starters(find(system))]


@pytest.mark.parametrize(("system", "name"), SHIPPED)
def test_a_starter_at_a_table(kept, system, name):
    adventure = open_adventure(f"{system}/{name}").adventure
    group = gather(kept, system)
    group.act("bea", s.StartStory(name))
    assert group.view("bea").story.shown.title == adventure.nodes[adventure.start.node].name
    players = {character.name: character.id for character in group.view("ana").characters}
    assert len(players) == len(adventure.ready)
    for character in players.values():
        group.act("ana", a.ClaimCharacter(character))
    fights = [node.fight for node in adventure.nodes.values() if node.fight is not None]
    for fight in fights:
        with kept.looking(group.table) as table:
            action = fight_scene(table, table.story, fight, table.gamemaster)
        number = int(group.act("bea", action).made)
        with kept.looking(group.table) as table:
            encounter = table.scenes[number].encounter
            assert set(players) <= set(encounter.scene.sides(encounter.state)[PARTY])
            assert encounter.result is None
