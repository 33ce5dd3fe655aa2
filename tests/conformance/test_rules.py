"""Every game's rules: registered with a place in the book, callable or a table, open to settings and house rules."""

import inspect
import re
import typing
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from conformance.games import NAMES
from rulewright.errors import UserError
from rulewright.play import Seeded, play
from rulewright.rules import House, registry, row_types
from rulewright.show import rule_calls
from rulewright.show.serialize import plain
from rulewright.system import find

games = pytest.mark.parametrize("game", [find(name) for name in NAMES], ids=NAMES)
every_rule = pytest.mark.parametrize(
    ("name", "rule_id"), [pytest.param(name, info.id, id=info.id) for name in NAMES for info in find(name).book.rules()]
)


def rule_of(name, rule_id):
    game = find(name)
    return game.book.ruleset(), game.book.rule(rule_id)


@every_rule
def test_a_rule_can_be_called_or_lists_rows(name, rule_id):
    rules, info = rule_of(name, rule_id)
    assert info.callable or info.table is not None or info.only_advice
    if info.table is not None:
        assert rule_calls.rows(rules, info)
        msgspec.json.encode(rule_calls.rows(rules, info))


@every_rule
def test_a_rule_says_what_it_takes_and_what_it_gives(name, rule_id):
    _, info = rule_of(name, rule_id)
    for function in info.functions:
        hints = typing.get_type_hints(inspect.unwrap(function))
        assert "return" in hints
        assert (function.__doc__ or "").strip()
        for parameter in rule_calls.parameters(info, function.__name__):
            assert parameter.name in hints
            assert parameter.type
            assert parameter.signature()


@every_rule
def test_a_rule_has_a_title_a_text_and_a_place_in_the_book(name, rule_id):
    _, info = rule_of(name, rule_id)
    assert info.id in find(name).book.index()
    assert info.title
    assert info.text
    stand_in = info.table is not None and any(row.get("source") == "stand-in" for row in info.table.rows)
    assert info.book or stand_in  # what fills a lost page stands on none
    assert msgspec.json.encode(info.public())


SAMPLES = {"a whole number": "2", "a number": "2", "true or false": "true", "text": "a word"}


@every_rule
def test_a_rule_of_plain_numbers_gives_an_answer_or_says_what_is_wrong(name, rule_id):
    rules, info = rule_of(name, rule_id)
    for function in rule_calls.names(info):
        given = {p.name: SAMPLES.get(p.type, "") or next(iter(p.choices), "") for p in rule_calls.parameters(info, function) if p.required}
        if not all(given.values()):
            continue
        with suppress(UserError):  # it may need better numbers, and says so
            call = rule_calls.prepare(rules, info, given, function)
            outcome = play(call.start(), dice=Seeded(1)).outcome if call.asks else call.value()
            msgspec.json.encode(plain(outcome))


@games
def test_every_rule_in_the_registry_is_counted_once(game):
    ids = [info.id for info in game.book.rules()]
    assert len(ids) == len(set(ids))
    assert ids


@games
def test_an_unknown_rule_is_refused_with_the_nearest_one(game):
    known = game.book.rules()[0].id
    with pytest.raises(UserError, match=f"did you mean.*{known[:4]}"):
        game.book.rule(known + "x")


@games
def test_every_row_of_every_table_can_be_changed_by_the_house(game):
    for rule_id, table in game.book.tables().items():
        row_type = row_types.get(rule_id)
        if row_type is None:
            continue
        printed = game.book.ruleset().rows(rule_id, row_type)
        key = str(table.rows[0][table.key])
        ours = game.book.ruleset(house=House(tables={rule_id: {key: {"note": "ours"}}}))
        assert ours.rows(rule_id, row_type)[key].source == "house"
        assert ours.rows(rule_id, row_type)[key].note == "ours"
        assert list(ours.rows(rule_id, row_type)) == list(printed)
        assert ours != game.book.ruleset()
        without = game.book.ruleset(house=House(tables={rule_id: {key: None}}))
        assert key not in without.rows(rule_id, row_type)


@games
def test_every_data_table_has_a_row_type(game):
    game.book.load()
    assert [rule_id for rule_id in game.book.tables() if rule_id not in row_types] == []


@games
def test_every_setting_takes_its_default_and_refuses_nonsense(game):
    for setting in game.book.settings.values():
        assert setting.check(setting.default) == setting.default
        with pytest.raises(UserError, match=setting.name):
            setting.check(["nonsense"])
        assert setting.title
        assert setting.text
        assert setting.rule in game.book.index()


@games
def test_every_value_of_every_setting_makes_a_ruleset_of_its_own(game):
    printed = game.book.ruleset()
    for setting in game.book.settings.values():
        if isinstance(setting.default, bool):
            values = [not setting.default]
        elif isinstance(setting.default, int):
            values = [value for value in (setting.low, setting.high) if value is not None and value != setting.default]
        else:
            values = [value for value in setting.values if value != setting.default]
        for value in values:
            ours = game.book.ruleset(settings={setting.name: value})
            assert ours.settings[setting.name] == value
            assert ours.digest != printed.digest
            assert ours.source(setting.name) == "house"
        assert game.book.ruleset(settings={setting.name: setting.default}) == printed


@games
def test_every_preset_is_a_ruleset(game):
    for preset in game.book.presets:
        assert game.book.ruleset(preset).chosen == {**game.book.presets[preset], **game.book.ruleset(preset).chosen}


@games
def test_every_alternative_step_belongs_to_a_value_that_its_setting_takes(game):
    game.book.load()
    for key, alternatives in registry.alternatives.items():
        for setting, value, function in alternatives:
            if registry.belongs(function, game.book.package):
                found = game.book.setting(setting)
                assert found.check(value) == value
                assert value != found.default, f"{key}: the default of {setting} is the step itself"
                assert game.book.ruleset(settings={setting: value}).steps[key] is function


@games
def test_every_setting_is_listened_to(game):
    """A setting that nothing reads would promise what it does not do."""
    book = game.book
    package = Path(import_module(book.package).__file__).parent
    sources = [file for file in package.rglob("*") if file.suffix in (".py", ".yaml") and file.name not in ("settings.py", "index.yaml")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    named = re.compile(r'"([\w-]+)"|setting: ([\w-]+)')
    listening = {quoted or plain_name for quoted, plain_name in named.findall(text)}
    assert [setting for setting in book.settings if setting not in listening] == []
