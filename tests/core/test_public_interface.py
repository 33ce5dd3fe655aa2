"""`import rulewright` offers what its documentation shows, and imports nothing until it is used."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright import api
from rulewright import system as system_module
from rulewright.cli import main

DOCS = Path(__file__).resolve().parents[2] / "docs"
FUNCTIONS = [name for name in rulewright.__all__ if name not in ("UserError", "__version__")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_function_holds(name):
    if name == "simulate":
        pytest.importorskip("numpy")
    function = getattr(rulewright, name)
    module = system_module if name == "find" else api
    [example] = doctest.DocTestFinder(recurse=False).find(function, name, globs=vars(module).copy())
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_example_of_the_package_holds():
    results = doctest.testmod(rulewright)
    assert results.attempted
    assert not results.failed


def test_the_page_about_the_library_is_true():
    pytest.importorskip("numpy")
    results = doctest.testfile(str(DOCS / "library.md"), module_relative=False)
    assert results.attempted > 20
    assert not results.failed


def test_the_page_lists_every_function():
    page = (DOCS / "library.md").read_text(encoding="utf-8")
    assert [name for name in FUNCTIONS if f"| `{name}(" not in page] == []


def test_importing_the_package_imports_no_game_and_no_lab():
    code = (
        "import sys, rulewright; assert rulewright.__version__; "
        "heavy = [name for name in sys.modules if name.startswith('rulewright.') and name != 'rulewright.version']; "
        "assert not heavy, heavy; "
        "assert rulewright.find('scumm').id == 'scumm'; assert 'rulewright.lab' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_public_names_are_listed_and_others_refused():
    assert set(rulewright.__all__) <= set(dir(rulewright))
    with pytest.raises(AttributeError, match="no attribute 'rol'"):
        rulewright.rol  # noqa: B018


def test_dice_are_seeded_or_given():
    assert rulewright.roll("scumm", "3d+1 vs 5", dice="2,6,4").faces == ((2, 6, 4),)
    assert rulewright.roll("scumm", "3d+1 vs 5", dice=[(2, 6, 4)]).faces == ((2, 6, 4),)
    assert rulewright.roll("scumm", "2d6+1", seed=3).faces == rulewright.roll(rulewright.find("scumm"), "2d6+1", seed=3).faces
    with pytest.raises(rulewright.UserError, match="either seed or dice"):
        rulewright.roll("scumm", "3d+1 vs 5", seed=1, dice=[2, 6, 4])


def test_odds_of_plain_dice_have_no_verdict():
    odds = rulewright.odds("scumm", "1d6")
    assert (odds.success, odds.draw, odds.failure, odds.mean, odds.unsettled) == (None, None, None, 3.5, 0.0)
    assert sum(odds.outcomes.values()) == pytest.approx(1)


def test_a_fight_is_the_one_of_the_command_line(capsys):
    main(["fight", "scumm/duel", "--seed", "5", "--json"])
    answer = json.loads(capsys.readouterr().out)
    fought = rulewright.fight("scumm/duel", seed=5)
    assert (fought.winner, fought.why) == (answer["result"]["winner"], answer["result"]["why"])
    assert fought.rounds == answer["rounds"]
    assert list(fought.log) == [line["text"] for line in answer["log"] if line["kind"] == "event"]


def test_settings_are_text_or_values():
    for value in (True, "yes"):
        fought = rulewright.fight("scumm/duel", seed=5, settings={"random-hit-locations": value})
        assert fought.encounter.scene.rules.on("random-hit-locations")
    with pytest.raises(rulewright.UserError, match="random-hit-locations"):
        rulewright.fight("scumm/duel", settings={"random-hit-locations": 5})


def test_an_exact_solution_takes_no_number_of_fights():
    with pytest.raises(rulewright.UserError, match="leave out n"):
        rulewright.simulate("scumm/duel", n=10, exact=True)


def test_every_kind_of_file_can_be_audited():
    assert rulewright.audit("scumm/duel").legal
    assert rulewright.audit("scumm/warehouse").legal
    assert rulewright.audit(rulewright.load("scumm/detective")).budgets
    with pytest.raises(rulewright.UserError, match="a scenario has no sheet; give a character"):
        rulewright.sheet("scumm/duel")
