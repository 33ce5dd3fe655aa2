"""Printed sheets: no empty parts, nothing filled in, room for notes, on both paper sizes."""

import pytest

from rulewright import library
from rulewright.build import sheet_parts as p
from rulewright.build.sheet_parts import Pool, Rows, Section, Sheet, Stepper, Track
from rulewright.show import pdf

CHARACTERS = ("scumm/mercenary", "foresight/surgeon", "ore/zephyrine_ash", "ore/rasmus_holt", "hybrid/smith", "silhouette/tank-hunter")


def described(reference: str) -> dict:
    kept = library.take(reference)
    return pdf.describe(kept.system.sheet(kept.system.book.ruleset(), kept.thing))


def items(sheet: dict) -> list[dict]:
    return [item for column in sheet["columns"] for section in column for item in section["items"]]


def drawn(*pieces) -> list[dict]:
    return items(pdf.describe(Sheet(system="scumm", kind="character", name="Ines", subtitle="", sections=(Section("Things", pieces),))))


def stepper(name: str, level: int, **more) -> Stepper:
    return Stepper(name=name, field=name, value=level, low=0, high=9, **more)


@pytest.mark.parametrize("reference", CHARACTERS)
def test_no_sheet_lists_what_its_character_does_not_have(reference):
    sheet = described(reference)
    titles = [section["title"] for column in sheet["columns"] for section in column]
    assert not any("not learnt" in title for title in titles)
    assert all(section["items"] for column in sheet["columns"] for section in column)
    for section in [section for column in sheet["columns"] for section in column]:
        assert len([item for item in section["items"] if item.get("value") == "0"]) <= 3, section["title"]


def test_a_long_list_holds_what_was_raised_and_attributes_stand_in_any_case():
    many = [stepper(f"skill {at}", at % 2) for at in range(10)]
    assert [item["name"] for item in drawn(*many)] == [f"skill {at}" for at in (1, 3, 5, 7, 9)]
    few = [stepper(f"skill {at}", 0) for at in range(3)]
    assert len(drawn(*few)) == 3
    attributes = [stepper(f"attribute {at}", 0, signed=True) for at in range(10)]
    assert len(drawn(*attributes)) == 10


def test_a_test_goes_with_what_was_not_raised():
    many = [stepper(f"skill {at}", 0) for at in range(10)]
    tests = [p.Test(name=f"skill {at}", key=f"skill {at}", notation="1d") for at in range(10)]
    assert drawn(*many, *tests) == []


def test_of_a_pool_that_is_full_no_box_is_marked():
    full, spent, hurt = drawn(
        Pool(name="Luck", value=5, most=5), Pool(name="Rounds", value=3, most=5), Track(name="Shock", boxes=6, marks=("flesh",))
    )
    assert (full["boxes"], full["filled"]) == (5, 0)
    assert (spent["boxes"], spent["filled"], spent["note"]) == (5, 2, "3 of 5")
    assert (hurt["boxes"], hurt["filled"]) == (6, 1)


@pytest.mark.parametrize("page", list(pdf.PAGES))
def test_a_table_too_wide_for_its_column_runs_as_lines_and_still_takes_one_page(page):
    long = ("Incomprehensibilities", "Counterrevolutionaries", "Uncharacteristically", "Disproportionately", "Internationalization")
    rows = Rows(name="Wide", field="wide", heads=("one", "two", "three", "four", "five"), rows=(long, long))
    sheet = Sheet(
        system="scumm",
        kind="character",
        name="Ines",
        subtitle="",
        sections=(Section("Things", (rows,)), Section("More", (stepper("a", 1),))),
    )
    assert pdf.pdf([sheet, sheet], page).startswith(b"%PDF")
