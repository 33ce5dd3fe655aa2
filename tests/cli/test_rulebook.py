"""systems, rules, and calling one rule by its id."""

import doctest

import pytest

from rulewright.show import prose


def test_systems_lists_every_game_with_its_options(run):
    found = {game["id"]: game for game in run("systems", "--json").json}
    assert {"scumm", "pebbles"} <= set(found)
    assert found["pebbles"]["presets"] == {"friendly": {"gentle-topple": True, "most-spent": 1}}
    assert "wall" in found["pebbles"]["kinds"]["character"]
    names = [setting["name"] for setting in found["scumm"]["settings"]]
    assert "random-hit-locations" in names
    shown = run("systems", "pebbles").out
    assert "gentle-topple" in shown
    assert "a whole number from 0 to 9" in shown


def test_rules_have_the_shape_that_other_programs_rely_on(run):
    found = run("rules", "pebbles", "--json").json
    assert [rule["id"] for rule in found][:2] == ["pebbles-points", "pebbles-tricks"]
    throw = next(rule for rule in found if rule["id"] == "pebbles-throw")
    assert set(throw) == {"id", "title", "text", "kind", "book", "code", "callable"}
    assert throw["book"] == "lines 12-14"
    assert throw["code"] == "pebbles.coins:throw"
    assert throw["callable"] is True


def test_rules_of_all_games_are_searched_by_words(run):
    everything = {rule["id"] for rule in run("rules", "--json").json}
    assert {"pebbles-throw", "scumm-knockout"} <= everything
    found = {rule["id"] for rule in run("rules", "--search", "knocked OUT", "--json").json}
    assert found < everything
    assert run("rules", "scumm", "--search", "zzzz").out == ""


def test_a_formula_gives_its_value_and_why(run):
    found = run("rule", "scumm-taking-average", "level=3", "modifier=1", "--json").json
    assert found["id"] == "scumm-taking-average"
    assert found["value"] == 6
    assert [term["value"] for term in found["reasons"][0]["terms"]] == [2, 3, 1]
    shown = run("rule", "scumm-taking-average", "level=3").out
    assert shown.startswith("5   Taking Average")
    assert "├─ 2   base" in shown


def test_a_procedure_is_played_with_typed_dice(run):
    found = run("rule", "pebbles-throw", "aim=3", "guard=1", "--dice", "2,2,1/1", "--json").json
    assert found["outcome"] == {"heads": 2, "guard": 0, "margin": 2}
    assert [roll["faces"] for roll in found["rolls"]] == [[2, 2, 1], [1]]


def test_a_procedure_is_asked_for_its_odds(run):
    found = run("rule", "pebbles-throw", "aim=2", "guard=1", "--odds", "--json").json
    assert sum(outcome["weight"] for outcome in found["outcomes"]) == found["total"]
    ahead = sum(outcome["weight"] for outcome in found["outcomes"] if outcome["value"]["margin"] > 0)
    assert ahead / found["total"] == pytest.approx(0.5)


def test_decisions_are_chosen_on_the_command_line(run, folder):
    (folder / "duel.json").write_text("{}")
    cairn = '{"name": "%s", "side": "%s", "aim": 1, "guard": 0, "stones": 3, "bag": 1, "full": 2}'
    cairns = f"[{cairn % ('a', 'x')}, {cairn % ('b', 'y')}]"
    found = run("rule", "pebbles-turn", f"duel.cairns={cairns}", "--choose", "gather", "--json")
    assert found.status == 0, found.err
    assert found.json["changes"]["turn"] == 1
    assert found.json["outcome"]["cairns"][0]["bag"] == 2
    assert run("rule", "pebbles-turn", f"duel.cairns={cairns}", "--choose", "dance").status == 2


def test_a_table_lists_its_rows_and_house_rules_change_them(run, folder):
    (folder / "house.yaml").write_text(
        "system: pebbles\nkind: house-rules\nname: Ours\ntables:\n  pebbles-tricks:\n    low wall: {cost: 5}\n    sharp eye: null\n"
    )
    rows = {row["name"]: row for row in run("rule", "pebbles-tricks", "--json").json["rows"]}
    ours = {row["name"]: row for row in run("rule", "pebbles-tricks", "--house", "house.yaml", "--json").json["rows"]}
    assert rows["low wall"]["cost"] == 2
    assert ours["low wall"]["cost"] == 5
    assert ours["low wall"]["source"] == "house"
    assert "sharp eye" in rows
    assert "sharp eye" not in ours


def test_a_structure_takes_a_file_dotted_keys_or_both(run):
    run("new", "pebbles", "wall", "-o", "wall.yaml")
    from_file = run("rule", "pebbles-tricks", "thrower=wall.yaml", "value=guard", "--json").json["value"]
    ready_made = run("rule", "pebbles-tricks", "thrower=wilma", "value=guard", "--json").json["value"]
    both = run("rule", "pebbles-tricks", "thrower=wall.yaml", "thrower.tricks=low wall", "value=guard", "--json").json["value"]
    keys = run(
        "rule",
        "pebbles-tricks",
        "thrower.guard=3",
        "thrower.system=pebbles",
        "thrower.kind=character",
        "thrower.tricks=low wall,sharp eye",
        "value=guard",
        "--json",
    ).json["value"]
    assert (from_file, ready_made, both, keys) == (1, 2, 2, 4)


def test_a_body_is_made_from_a_character_file(run):
    found = run("rule", "scumm-knockout", "victim=bouncer", "victim.deep=2", "--dice", "6,5", "--json").json
    assert found["changes"] in ({}, None) or isinstance(found["changes"], dict)
    assert found["outcome"]["deep"] == 2


def test_a_row_of_a_table_is_named_by_its_key():
    from rulewright.rules import RuleInfo
    from rulewright.show import rule_calls
    from rulewright.system import find
    from rulewright.systems.scumm.gear.items import Gun

    def price(gun: Gun) -> int:
        return gun.cost

    info = RuleInfo("price", "", "", "", "", "", True, (price,))
    rules = find("scumm").book.ruleset()
    assert rule_calls.prepare(rules, info, {"gun": "9mm pistol"}).value() == 5
    assert rule_calls.prepare(rules, info, {"gun": "9mm pistol", "gun.cost": "7"}).value() == 7


def test_help_shows_what_a_rule_takes(run):
    shown = run("rule", "pebbles-throw", "--help").out
    assert "aim" in shown
    assert "a whole number" in shown
    assert "required" in shown
    assert "procedure" in shown
    assert "RULE-ID" in run("rule", "--help").out


def test_every_rule_of_every_game_shows_what_it_takes_or_lists_rows(run):
    from rulewright.show import rule_calls
    from rulewright.system import find, names

    for name in names():
        game = find(name)
        for info in game.book.rules():
            for function in rule_calls.names(info):
                assert rule_calls.parameters(info, function) is not None
            if info.table is not None:
                assert rule_calls.rows(game.book.ruleset(), info)


def test_a_scene_is_given_as_a_scenario(run):
    found = run("rule", "pebbles-turn", "duel=on-the-beach", "--choose", "gather", "--json")
    assert found.status == 0, found.err
    assert found.json["changes"]["turn"] == 1


def _given(taken, number):
    """Something for every parameter that has to be given."""
    given = {}
    for parameter in taken:
        if not parameter.required:
            continue
        if parameter.choices:
            given[parameter.name] = parameter.choices[0]
        elif parameter.type in ("a whole number", "a number"):
            given[parameter.name] = str(number)
        elif parameter.fields:
            below = _given(parameter.fields, number)
            given.update({f"{parameter.name}.{name}": value for name, value in below.items()} or {parameter.name: "{}"})
        else:
            given[parameter.name] = "1"
    return given


@pytest.mark.parametrize("number", [2, 0, -1_000_000_000, 1_000_000_000])
def test_whatever_numbers_a_rule_is_given_it_answers_or_refuses(number):
    from rulewright.errors import UserError
    from rulewright.play import Seeded, play
    from rulewright.show import rule_calls
    from rulewright.show.replies import Counted
    from rulewright.show.serialize import plain
    from rulewright.system import find, names

    answered = 0
    for name in names():
        book = find(name).book
        for info in book.rules():
            for function in rule_calls.names(info):
                try:
                    call = rule_calls.prepare(book.ruleset(), info, _given(rule_calls.parameters(info, function), number), function)
                    came = play(call.start(), dice=Counted(Seeded(1), 100_000)).outcome if call.asks else call.value()
                except UserError:
                    continue
                assert plain(came) is not NotImplemented
                answered += 1
    assert answered > 50


def test_lists_have_commas_and_lists_of_lists_semicolons():
    from rulewright.rules import RuleInfo
    from rulewright.show import rule_calls
    from rulewright.system import find

    def places(names: tuple[str, ...], at: tuple[tuple[float, float], ...], fixed: tuple[int, str] = (0, "")) -> object:
        return names, at, fixed

    info = RuleInfo("places", "", "", "", "", "", True, (places,))
    call = rule_calls.prepare(find("scumm").book.ruleset(), info, {"names": "a, b", "at": "1,2; 3,4.5", "fixed": "7,x"})
    assert call.value() == (("a", "b"), ((1, 2), (3, 4.5)), (7, "x"))


def test_values_may_also_come_as_json():
    from rulewright.show import rule_calls
    from rulewright.system import find

    book = find("scumm").book
    given = {"pool": {"dice": 3, "mods": [{"label": "aim", "value": 2}]}, "threshold": 5}
    call = rule_calls.prepare(book.ruleset(), book.rule("scumm-action-test"), given)
    assert call.arguments["pool"].modifier == 2
    text = rule_calls.prepare(book.ruleset(), book.rule("scumm-action-test"), {"pool.dice": "3", "pool.mods": "aim:2", "threshold": "5"})
    assert text.arguments["pool"] == call.arguments["pool"]


def test_a_decision_that_nothing_asks_for_is_refused(run):
    refused = run("rule", "pebbles-turn", "duel=on-the-beach", "--choose", "gather", "--choose", "dance")
    assert refused.status == 2
    assert "the decision 'dance' answers no question that was asked" in refused.err


def test_a_decision_is_a_key_or_a_number_in_range():
    from rulewright.play import Choice, Option, Range
    from rulewright.show.replies import fitting

    keys = Choice("ana", "what", (Option("go", "go", "go"), Option("2", "two", "2")))
    numbers = Choice("ana", "how many", Range(-2, 3))
    assert [fitting(keys, text) for text in ("go", "2", "stay", "")] == ["go", "2", None, None]
    assert [fitting(numbers, text) for text in ("3", "-2", "4", "--2", "²", "٣", "", "-", "1" * 40)] == [3, -2] + [None] * 7


def test_of_several_functions_the_one_is_called_that_the_values_fit(run):
    """A fall by its metres alone is rolled; with what the dice show it is only reckoned."""
    assert run("rule", "sil-3.2.8-falls", "metres=10", "--dice", "1,6,5,2,3,3,4,5,1,1", "--json").json["outcome"] == 60
    assert run("rule", "sil-3.2.8-falls", "metres=10", "dice=6", "--json").json["value"] == 60
    refused = run("rule", "sil-3.2.8-falls", "height=10")
    assert refused.status == 2
    assert "has no parameter 'height'" in refused.err


def test_odds_of_numbers_stand_in_the_order_of_the_numbers(run):
    shown = run("rule", "sil-3.2.8-falls", "metres=10", "--odds").out.splitlines()[1:]
    amounts = [int(line.split()[0]) for line in shown if line.split()[0].isdecimal()]
    assert len(amounts) > 5
    assert amounts == sorted(amounts)


def test_a_table_takes_no_parameters(run):
    refused = run("rule", "scumm-guns", "weapon=9mm pistol")
    assert refused.status == 2
    assert "is a table without parameters" in refused.err


def test_a_game_lists_its_ready_made_scenarios_as_they_are_named(run):
    assert "scumm/duel" in run("systems", "scumm").out
    for asked in ("scumm", "scumm/"):
        refused = run("simulate", asked)
        assert refused.status == 2
        assert "duel" in refused.err


def test_presets_with_commas_in_their_names_can_be_told_apart(run):
    assert "cinematic; cinematic, as the printed chances" in " ".join(run("systems", "silhouette").out.split())


def test_what_a_rule_takes_is_told_to_programs_too(run):
    found = run("rule", "pebbles-throw", "--help", "--json").json
    assert found["id"] == "pebbles-throw"
    assert {parameter["name"] for parameter in found["functions"][0]["parameters"]} >= {"aim", "guard"}


def test_advice_is_listed_as_advice_and_can_be_read_but_not_called(run):
    assert "(advice)" in run("rules", "silhouette", "--search", "tactics checklist").out
    assert "advice without a calculation" in run("rule", "sil-7.4.6-tactics").out
    assert "advice" in run("rule", "sil-7.4.6-tactics", "--json").json
    for wrong in ("--odds", "cover=2"):
        refused = run("rule", "sil-7.4.6-tactics", wrong)
        assert refused.status == 2
        assert "is advice" in refused.err


@pytest.mark.parametrize("name", ["silhouette", "hybrid", "ore", "foresight"])
def test_every_game_lists_the_advice_of_its_book(run, name):
    listed = [info for info in run("rules", name, "--json").json if info["kind"] == "advice"]
    assert listed
    assert all(info["text"] and info["book"] for info in listed)


def test_from_a_rule_to_its_code_is_one_hop(run):
    shown = run("rules", "scumm-aiming")
    assert shown.status == 0
    assert "rulewright/systems/scumm/combat/attacks.py:" in shown.out
    places = run("rules", "scumm-skills-creation", "--json").json["places"]
    assert "rulewright/systems/scumm/data/people/skills.yaml (table)" in places
    assert run("rules", "scumm-aimin").status == 2


@pytest.mark.parametrize(
    ("game", "function", "given", "name"),
    [
        ("foresight", "range_modifier", {}, "meters"),
        ("silhouette", "ignition", {}, "intensity"),
        ("ore", "speed_of", {"height": "3"}, "width"),
    ],
)
def test_there_is_never_less_than_nothing_of_what_is_measured(game: str, function: str, given: dict[str, str], name: str) -> None:
    from rulewright.errors import UserError
    from rulewright.show import rule_calls
    from rulewright.system import find

    book = find(game).book
    info = next(info for info in book.rules() if function in rule_calls.names(info))
    with pytest.raises(UserError, match=f"^{name}: -1 is negative; give 0 or more$"):
        rule_calls.prepare(book.ruleset(), info, {**given, name: "-1"}, function)


def test_the_examples_of_outcomes_in_words_hold():
    results = doctest.testmod(prose)
    assert results.attempted
    assert not results.failed


def test_an_outcome_is_printed_in_words_and_keeps_its_fields_in_json(run):
    asked = ("rule", "fs-travel:leg", "km=300", "--odds")
    shown = run(*asked).out
    assert "300 km, 5 hours  " in shown
    assert "none" not in shown
    assert "not lost" not in shown
    assert run(*asked, "--json").json["outcomes"][0]["label"].startswith("km ")
