"""Every visible change is logged: what changes on a card or the map has an event that names the person concerned."""

import pytest

from conformance.games import demos, seeds, staged
from conformance.random_play import played
from rulewright.build.sheet_parts import seen_to_change
from rulewright.play import Event

MOST_STEPS = 60


def plain(name):
    """A name without its number."""
    return name.rstrip("0123456789 ")


def told(words, who, changes, everybody):
    """Whether a line names a person, their group, or another person whom the change concerns."""
    others = {plain(other) for other in everybody if plain(other) in changes}
    return any(name in words for name in (plain(who), *others))


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_whatever_changes_on_a_card_or_the_map_is_told(name, seed):
    """Effects that last for a round, or until a person's next decision, may end without a line of their own."""
    scene, untold = staged(name).scene, []
    for state, after, stream in played(name, seed, MOST_STEPS):
        events = [entry for entry in stream if isinstance(entry, Event)]
        asked = {entry[0].who for entry in stream if isinstance(entry, tuple)}
        before, now = scene.view(state, None), scene.view(after, None)
        words = " / ".join(event.headline() for event in events if event.logged)
        everybody = [card.name for card in now.cards]
        next_round = scene.round(after) != scene.round(state) or any(event.headline().startswith("Round ") for event in events)
        changes = {}
        for who, change in seen_to_change(before, now):
            if who and not (change.startswith("no more ") and (next_round or who in asked)):
                changes[who] = f"{changes.get(who, '')} {change};"
        untold += [(who, change, words) for who, change in changes.items() if not told(words, who, change, everybody)]
    assert untold == []
