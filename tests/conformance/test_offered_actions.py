"""Every offered option can be taken, and every action of a book is offered in some state (offered.yaml, by rule id)."""

from functools import cache
from pathlib import Path
from random import Random

import pytest
import yaml

from conformance.games import NAMES, SEEDS, demos, seeds, staged
from conformance.random_play import played
from rulewright.play import Player, Range, Seeded
from rulewright.system import find

pytestmark = pytest.mark.slow

LISTED = yaml.safe_load((Path(__file__).parent / "offered.yaml").read_text("utf-8"))
STEPS = 40
RARE = range(1, 13)
"""Seeds for finding rare states; the first that offers an action ends the search."""
BOLD = 0.6
"""How often a person takes a random option, so that fights reach unusual states."""


@cache
def explored(name, seed):
    """The keys of every option offered in random play; every option that was taken worked."""
    found = staged(name)
    scene, state = found.scene, found.state
    offered, whims, dice = set(), Random(f"{name} {seed}"), Seeded(seed)

    def decide(choice):
        if isinstance(choice.options, Range):
            return found.decide(choice)
        offered.update(option.key for option in choice.options)
        if whims.random() > BOLD:
            return found.decide(choice)
        return whims.choice(choice.options).key

    for _ in range(STEPS):
        if scene.result(state) is not None:
            break
        state = Player(dice, decide).run(scene.step(state))
        scene.view(state, None)
    return offered


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_whatever_is_offered_can_be_taken(name, seed):
    asked = any(isinstance(entry, tuple) for _, _, stream in played(name, SEEDS[0]) for entry in stream)
    brief = staged(name).scene.kind == "battle"  # a pass of ships may be over before anybody is asked
    assert explored(name, seed) or brief or not asked


def listed():
    return [(where, rule_id, begins) for where, rules in LISTED.items() for rule_id, keys in rules.items() for begins in keys]


@pytest.mark.parametrize(("where", "rule_id", "begins"), listed())
def test_every_action_of_the_book_is_offered_by_some_state(where, rule_id, begins):
    game, kind = where.split(" ")
    names = [name for name in demos("scenario") if name.startswith(f"{game}/") and staged(name).scene.kind == kind]
    assert any(key.startswith(begins) for seed in RARE for name in names for key in explored(name, seed)), f"{rule_id}: nobody may {begins}"


def test_the_list_names_rules_that_are_there():
    known = {info.id for name in NAMES for info in find(name).book.rules()}
    assert {rule_id for rules in LISTED.values() for rule_id in rules} <= known
