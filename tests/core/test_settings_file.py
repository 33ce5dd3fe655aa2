"""The settings of a game are YAML as its other data is; one JSON object a line is only the faster way to write them."""

import sys

import pytest

from rulewright.errors import UserError
from rulewright.rules.settings import Setting, declared

FUMBLES = Setting("fumbles", "Fumbles", "A one fails.", "some-rule", default=True, lines="12")
WIDE = Setting("range", "Range", "How far.", "some-rule", default=3, low=1, high=9)
AS_YAML = """# Settings
- name: fumbles
  title: Fumbles
  text: A one fails.
  rule: some-rule
  default: true
  lines: "12"
- {name: range, title: Range, text: How far., rule: some-rule, default: 3, low: 1, high: 9}
- preset: far
  settings:
    range: 9
"""
AS_JSON = """# Settings
- {"name": "fumbles", "title": "Fumbles", "text": "A one fails.", "rule": "some-rule", "default": true, "lines": "12"}
- {"name": "range", "title": "Range", "text": "How far.", "rule": "some-rule", "default": 3, "low": 1, "high": 9}
- {"preset": "far", "settings": {"range": 9}}
"""


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A package without anything but the file of its settings."""
    folder = tmp_path / "made_up_game"
    (folder / "data").mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder / "data" / "settings.yaml"
    sys.modules.pop("made_up_game", None)


@pytest.mark.parametrize("text", [AS_YAML, AS_JSON], ids=["YAML", "JSON"])
def test_settings_are_read_however_they_are_written(game, text):
    game.write_text(text)
    assert declared("made_up_game") == ({"fumbles": FUMBLES, "range": WIDE}, {"far": {"range": 9}})


def test_a_game_without_the_file_has_no_settings(game):
    assert declared("made_up_game") == ({}, {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (AS_YAML.replace("default: 3", "standard: 3"), "row 2 (range): Object contains unknown field `standard`"),
        (AS_YAML.replace('"12"', "12"), "row 1 (fumbles): Expected `str`, got `int`"),
        ("- fumbles\n", "row 1: Expected `object`"),
        (AS_JSON.replace('"low": 1', '"low": "one"'), "row 2 (range): Expected `int | null`, got `str`"),
    ],
)
def test_a_wrong_row_is_named(game, text, said):
    game.write_text(text)
    with pytest.raises(ValueError) as refused:
        declared("made_up_game")
    assert said in str(refused.value)


def test_what_is_no_yaml_is_refused_with_line_and_column(game):
    game.write_text("- name: fumbles\n  title: [Fumbles\n")
    with pytest.raises(UserError, match=r"settings\.yaml:\d+:\d+: "):
        declared("made_up_game")
