"""new, audit, sheet, why and schema."""

import json

import pytest

from rulewright import files, library
from rulewright.system import find, names


@pytest.mark.parametrize("system", names())
def test_every_beginning_of_every_game_is_legal_and_round_trips(run, system):
    game = find(system)
    for kind in game.kinds:
        for archetype in [None, *game.archetypes(kind)]:
            chosen = [archetype] if archetype is not None else []
            assert run("new", system, *chosen, "--kind", kind, "-o", "it.yaml", "--force").status == 0
            assert run("audit", "it.yaml").status == 0
            assert library.take("it.yaml").thing == game.new(game.book.ruleset(), kind, archetype)


def test_the_header_stands_on_top_of_a_new_file(run, folder):
    run("new", "scumm", "-o", "ana.yaml", "--name", "Ana")
    lines = (folder / "ana.yaml").read_text().splitlines()
    assert lines[0].startswith("# Rulewright ")
    assert lines[1:4] == ["system: scumm", "kind: character", "name: Ana"]


def test_a_new_file_is_printed_where_no_name_is_given(run):
    shown = run("new", "pebbles", "sling")
    assert files.parse(shown.out, "printed").data["name"] == "Sling"


def test_a_file_is_replaced_only_by_force(run, folder):
    (folder / "it.yaml").write_text("mine")
    assert run("new", "pebbles", "-o", "it.yaml").status == 2
    assert (folder / "it.yaml").read_text() == "mine"
    assert run("new", "pebbles", "-o", "it.yaml", "--force").status == 0


def test_an_audit_of_an_illegal_file_says_no_with_rule_amount_and_repair(run, folder):
    run("new", "pebbles", "-o", "it.yaml")
    text = (folder / "it.yaml").read_text()
    (folder / "it.yaml").write_text(text.replace("stones: 1", "stones: 40"))
    shown = run("audit", "it.yaml")
    assert shown.status == 1
    assert shown.out.startswith("it.yaml: 2 problems")
    found = run("audit", "it.yaml", "--json")
    assert found.status == 1
    assert found.json["legal"] is False
    problem = found.json["problems"][0]
    assert set(problem) >= {"rule", "field", "message", "over", "fix"}
    assert found.json["budgets"][0]["name"] == "points"


def test_several_files_are_audited_at_once(run):
    run("new", "pebbles", "-o", "a.yaml")
    found = run("audit", "a.yaml", "scumm/medic", "pebbles/on-the-beach", "--json").json
    assert [audit["legal"] for audit in found] == [True, True, True]


def test_a_sheet_gives_every_value_with_its_reasons(run):
    found = run("sheet", "scumm/medic", "--json").json
    threshold = found["values"]["flesh_wound_threshold"]
    assert set(threshold) == {"value", "source", "reasons"}
    assert threshold["reasons"]
    shown = run("sheet", "scumm/medic").out
    assert "Flesh Wound Threshold" in shown


def test_why_prints_the_tree_of_reasons(run):
    shown = run("why", "scumm/medic", "flesh_wound_threshold").out.splitlines()
    assert "Flesh Wound Threshold" in shown[0]
    assert "scumm-derived-attributes" in shown[0]
    assert shown[1].endswith("Stamina")
    assert any("├─ 5   base" in line for line in shown)
    assert run("why", "scumm/medic", "Flesh Wound Threshold").out.splitlines() == shown


def test_why_names_the_nearest_value(run):
    refused = run("why", "scumm/medic", "flesh_wound_treshold")
    assert refused.status == 2
    assert "flesh_wound_threshold" in refused.err


def test_sheets_become_one_pdf_with_a_page_each(run, folder):
    assert run("sheet", "scumm/medic", "pebbles/wilma", "--pdf", "s.pdf").status == 0
    assert (folder / "s.pdf").read_bytes().startswith(b"%PDF")


def test_a_crowded_sheet_is_set_smaller_until_it_fits_its_page():
    from rulewright.build.sheet_parts import Section, Sheet, Value
    from rulewright.show import pdf

    def crowded(count):
        values = tuple(Value(name=f"value {n}", key=str(n), value=n) for n in range(count))
        return Sheet("scumm", "character", "Crowded", "", tuple(Section(f"part {n}", values) for n in range(4)))

    import typst

    template = (library.Path(pdf.__file__).parent.parent / "templates/sheet.typ").read_bytes()
    described = [pdf.describe(crowded(30))]
    assert pdf._too_long(typst, template, described) == [0]
    described[0]["scale"] = pdf.SCALES[-1]
    assert pdf._too_long(typst, template, described) == []
    assert pdf.pdf([crowded(30)]).startswith(b"%PDF")


@pytest.mark.parametrize("system", names())
def test_schemas_describe_every_kind(run, folder, system):
    assert run("schema", system, "--all", "-o", ".").status == 0
    for kind in library.kinds(find(system)):
        described = json.loads((folder / f"{system}-{kind}.schema.json").read_text())
        assert described["$schema"].endswith("2020-12/schema")
        assert run("schema", system, kind, "--json").json == described


def test_what_is_printed_is_the_file_that_would_be_written(run, folder):
    for system, archetype in (("scumm", "detective"), ("silhouette", "hedge-knight"), ("ore", "kaito_renn")):
        run("new", system, archetype, "-o", f"{system}.yaml")
        assert run("new", system, archetype).out == (folder / f"{system}.yaml").read_text()


def test_a_skill_its_complexity_and_its_test_stand_in_one_line_of_the_sheet(run):
    lines = [line.split() for line in run("sheet", "silhouette/hedge-knight").out.splitlines()]
    assert ["level", "Complexity", "test"] in lines
    assert ["Riding", "2", "2", "2d+2"] in [line[:4] for line in lines]


def test_why_without_a_value_lists_what_can_be_asked_for(run):
    listed = run("why", "scumm/detective")
    assert listed.status == 0
    assert ["flesh_wound_threshold", "4", "Flesh", "Wound", "Threshold"] in [line.split() for line in listed.out.splitlines()]
    assert run("why", "scumm/detective", "--json").json["values"]["flesh_wound_threshold"] == "4"


def test_a_part_of_a_name_is_taken_for_a_slip(run):
    assert 'did you mean "flesh_wound_threshold"' in run("why", "scumm/detective", "flesh").err


def test_paper_and_charts_are_there_whole_or_not_at_all(run, folder, monkeypatch):
    for old in ("it.pdf", "it.svg"):
        (folder / old).write_text("mine")
    monkeypatch.setattr("os.replace", _broken)
    assert run("sheet", "pebbles/wilma", "--pdf", "it.pdf").status == 2
    assert run("odds", "pebbles", "3c", "--plot", "it.svg").status == 2
    assert [(path.name, path.read_text()) for path in sorted(folder.iterdir())] == [("it.pdf", "mine"), ("it.svg", "mine")]


def _broken(*_):
    raise OSError(28, "No space left on device")
