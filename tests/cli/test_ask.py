"""The command `ask`: chances first, then everybody rolls."""

import json

import pytest
from click.testing import CliRunner

from rulewright.cli import rulewright


@pytest.fixture
def ran(tmp_path):
    for name, ready in (("ana", "detective"), ("bo", "burglar")):
        assert CliRunner().invoke(rulewright, ["new", "scumm", ready, "-o", str(tmp_path / f"{name}.yaml")]).exit_code == 0

    def run(*arguments):
        paths = {"ana": str(tmp_path / "ana.yaml"), "bo": str(tmp_path / "bo.yaml")}
        return CliRunner().invoke(rulewright, ["ask", *[paths.get(argument, argument) for argument in arguments]])

    return run


def test_the_chances_come_before_the_rolls(ran):
    shown = ran("alertness vs 5", "ana", "bo", "--or", "spirit vs 4", "--joined", "any", "--seed", "3").output
    assert shown.index("with everybody's best test") < shown.index("rolls 2d6 for Alertness")
    assert "(one success is enough)" in shown


def test_json_has_the_request_the_chances_and_the_rolls(ran):
    answer = json.loads(ran("alertness vs 5", "ana", "--dice", "6,6", "--json").output)
    notation = answer["request"]["attempts"][0]["ways"][0]["notations"][0]
    odds = json.loads(CliRunner().invoke(rulewright, ["odds", "scumm", notation, "--json"]).output)
    assert answer["chances"]["people"][0]["ways"][0]["chance"] == pytest.approx(odds["chance"]["success"])
    assert answer["played"]["result"]["why"].startswith("Alertness:")


def test_an_opponent_rolls_too(ran):
    shown = ran("stealth", "bo", "--against", "ana", "--with", "alertness", "--seed", "4").output
    assert shown.count(" rolls ") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("zzz", "ana"), "has no test 'zzz'"), (("alertness vs x", "ana"), "cannot read"), (("alertness", "nowhere.yaml"), "nowhere.yaml")],
)
def test_what_cannot_be_asked_gets_one_clear_message(ran, arguments, message):
    result = ran(*arguments)
    assert result.exit_code != 0
    assert message in str(result.exception) + result.output
