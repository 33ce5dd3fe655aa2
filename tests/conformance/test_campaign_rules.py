"""Every rule of life between fights is met at a table where campaign_rules.yaml says: each is looked for there, and played if it can be."""

import shlex
from functools import cache
from pathlib import Path

import pytest
import yaml

from conformance.games import with_options
from rulewright.campaign.activities.plan_text import Around, read_arguments
from rulewright.campaign.roll_request import Attempt, RollRequest, WantedTest
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.play import Player, Seeded, first_option
from rulewright.roll_requests import Circumstances, Opponent, Person, attempt_of, joined_attempt
from rulewright.scenes.encounter import Encounter
from rulewright.show.rule_attempts import PlayedRule, rule_way
from rulewright.system import find

LISTED = yaml.safe_load((Path(__file__).parent / "campaign_rules.yaml").read_text("utf-8"))
NUMBERS = {"scumm": 50, "silhouette": 125, "hybrid": 39, "ore": 76, "foresight": 90}
"""How many rules of each book belong to life between fights."""
ROWS = [(name, rule_id, where) for name, rules in LISTED.items() for rule_id, where in rules.items()]
TESTS = {"silhouette": "agility", "scumm": "alertness", "hybrid": "DEX", "ore": "coordination", "foresight": "DX"}
TARGETS = {"silhouette": "4", "scumm": "4", "hybrid": "", "ore": "", "foresight": ""}


@cache
def game(name):
    """A game, its ruleset with every option that fits, and its ready-made characters."""
    system = find(name)
    rules = with_options(system.book)
    ready = [path.removeprefix("characters/").removesuffix(".yaml") for path in system.demos() if path.startswith("characters/")]
    return system, rules, [system.new(rules, "character", each) for each in ready]


@cache
def on_sheets(name):
    """The ids that the tests of ready-made characters name, and the names of all these tests."""
    system, rules, characters = game(name)
    tests = [test for character in characters for test in system.sheet(rules, character).tests().values()]
    ids = {part for test in tests for part in (test.rule, *[mod.rule for mod in (*test.parts, *test.modifiers)])}
    return ids, {test.name.casefold() for test in tests} | {test.key.casefold() for test in tests}


def played(system, rules, request):
    """A request that was played out."""
    encounter = Encounter.begin(system.staging(ROLL_REQUEST).scene(rules), request.checked(), "asked")
    encounter.play_out(Seeded(1), first_option)
    assert encounter.result is not None
    return encounter.state


def people(name):
    return [Person(f"Person {number}", character) for number, character in enumerate(game(name)[2][:2], 1)]


def wanted(name):
    return (WantedTest(TESTS[name], TARGETS[name]),)


def takes_of(name):
    system, rules, characters = game(name)
    found = set()
    for character in characters[:3]:
        for test in system.sheet(rules, character).tests().values():
            found |= {take.rule for take in system.requests.takes(rules, test, 0, TARGETS[name], 60)}
    return found


def is_opposed(name, rule_id):
    system, rules, _ = game(name)
    one, other = people(name)
    against = Circumstances((Opponent(other, TESTS[name]),))
    state = played(system, rules, RollRequest("x", (attempt_of(system, rules, one, wanted(name), against),), one_roll=True))
    return state.done[0].verdict is not None and rule_id in {info.id for info in system.book.rules()}


def is_group_test(name, rule_id):
    system, rules, _ = game(name)
    groups = [group for group in system.requests.groups if group.rule == rule_id]
    for group in groups:
        attempt = joined_attempt(system, rules, group.name, people(name), wanted(name))
        assert played(system, rules, RollRequest("x", (attempt,))).done
    return bool(groups)


def is_extended(name, rule_id):
    system, rules, _ = game(name)
    attempt = attempt_of(system, rules, people(name)[0], wanted(name))
    state = played(system, rules, RollRequest("x", (attempt,), goal=4, tries=12, gathers=system.requests.gathers))
    assert state.verdict is not None
    assert state.progress >= state.goal or state.tried == state.tries
    return system.requests.extended_rule == rule_id


def plays_rule(name, rule_id, words):
    system, rules, _ = game(name)
    function, *values = words
    given = dict(value.partition("=")[::2] for value in values)
    way = rule_way(system, rules, people(name)[0], PlayedRule(rule_id, function, given), TESTS[name])
    state = played(system, rules, RollRequest("x", (Attempt("Person 1", (way,)),)))
    return bool(state.done[0].result)


def every_entry_is_a_test(name, rule_id):
    """Whether the sheets show tests whose names come from the table of the rule."""
    info = next(info for info in find(name).book.rules() if info.id == rule_id)
    keys = [str(next(iter(row.values()))).casefold() for row in info.table.rows]
    names = on_sheets(name)[1]
    return bool(keys) and any(any(key in test for test in names) for key in keys)


def is_generated(name, rule_id, which):
    """Whether a table of the gamemaster has the rule and makes a note."""
    system, rules, _ = game(name)
    for generator in system.generators:
        if generator.name == which and rule_id in generator.rules:
            draft = Player(Seeded(1)).run(generator.generate(rules, read_arguments(generator, {}, Around())))
            return bool(draft.title.strip() and draft.text.strip())
    return False


def is_met(name, rule_id, where):
    system, rules, _ = game(name)
    kind, _, rest = where.partition(" ")
    downtime = system.downtime
    match kind:
        case "sheet":
            return rule_id in on_sheets(name)[0]
        case "difficulty":
            return rule_id in {difficulty.rule for difficulty in system.difficulties(rules)}
        case "every":
            return rule_id in system.requests.rules
        case "take":
            return rule_id in takes_of(name)
        case "group":
            return is_group_test(name, rule_id)
        case "extended":
            return is_extended(name, rule_id)
        case "again":
            again = system.requests.again(rules, 2)
            return again.rule == rule_id and again.modifier != 0
        case "boost":
            return any(system.boost(rules, character) is not None for character in game(name)[2])
        case "opposed":
            return is_opposed(name, rule_id)
        case "rule":
            return plays_rule(name, rule_id, shlex.split(rest))
        case "skills":
            return every_entry_is_a_test(name, rule_id)
        case "effect":
            return any(effect.name == rest and rule_id in effect.rules for effect in downtime.effects)
        case "activity":
            return any(activity.name == rest and rule_id in activity.rules for activity in downtime.activities)
        case "mean":
            return any(mean.name == rest and mean.rule == rule_id for mean in downtime.means)
        case "exertion":
            return any(exertion.name == rest and exertion.rule == rule_id for exertion in downtime.exertions)
        case "generator":
            return is_generated(name, rule_id, rest)
        case "location":
            return any(figure.name == rest and figure.rule == rule_id for figure in downtime.figures)
        case "read:":
            return next(info for info in system.book.rules() if info.id == rule_id).only_advice and len(rest) > 10
    return False


@pytest.mark.parametrize(("name", "rule_id", "where"), ROWS)
def test_the_rule_is_met_there(name, rule_id, where):
    assert is_met(name, rule_id, where), f"{rule_id} is not met by: {where}"


def test_the_list_names_rules_that_are_there_once():
    assert all(rule_id in {info.id for info in find(name).book.rules()} for name, rule_id, _ in ROWS)
    assert len({rule_id for _, rule_id, _ in ROWS}) == len(ROWS)
    assert {name: len(rules) for name, rules in LISTED.items()} == NUMBERS
