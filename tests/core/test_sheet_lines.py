"""Parts of a sheet about one thing share a line, whatever the game calls them; the others stay as they are."""

from rulewright.build.sheet_parts import Line, Pick, Stepper, Value, lines
from rulewright.build.sheet_parts import Test as Rolled


def step(name, price=""):
    return Stepper(name=name, field=name, value=1, low=0, high=5, price=price)


def value(name):
    return Value(name=name, key=name, value=7)


def rolled(name):
    return Rolled(name=name, key=name, notation="3d")


def columns(line):
    assert isinstance(line, Line)
    return [column for column, _ in line.columns]


def test_a_level_and_its_test_share_a_line():
    (line,) = lines([step("Stealth"), rolled("Stealth")])
    assert line.name == "Stealth"
    assert columns(line) == ["level", "test"]


def test_whatever_a_name_adds_to_the_common_one_is_its_column():
    found = lines(
        [
            *(step("Melee", "9 SP"), step("Melee, Complexity", "4 SP"), rolled("Melee")),
            *(step("Archery"), value("Archery: rank"), rolled("Archery")),
            *(value("Culture Lore: Woods: rank"), rolled("Culture Lore: Woods")),
            *(step("Search"), value("Search score"), rolled("Search")),
        ]
    )
    assert [columns(line) for line in found] == [
        ["level", "Complexity", "test"],
        ["level", "rank", "test"],
        ["rank", "test"],
        ["level", "score", "test"],
    ]
    assert found[0].prices() == "9 SP; 4 SP"


def test_steps_that_add_up_to_a_value_share_its_line():
    (line,) = lines([step("Strength (inherent)"), step("Strength (trained)"), value("Strength")])
    assert columns(line) == ["inherent", "trained", "in all"]
    (line,) = lines([step("Physical Strength (PST), given"), value("Physical Strength (PST)")])
    assert columns(line) == ["given", "in all"]


def test_what_is_about_different_things_stays_apart():
    apart = [
        value("Health"),
        rolled("Health"),
        step("Body"),
        value("Bodyguard"),
        step("Spirit"),
        Pick(name="Spirit", field="spirit", value="", options=()),
        rolled("Spirit"),
    ]
    assert list(lines(apart)) == apart
