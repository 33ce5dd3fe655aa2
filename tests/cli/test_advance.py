"""`advance`: experience awarded and spent in every game, written into the file, shown before and after, refused where the rules do."""

import json

import pytest

from rulewright.system import HOUSE

AWARDS = {
    "scumm": ("award", "xp=20"),
    "silhouette": ("award", "xp=20"),
    "hybrid": ("award", "eep=20"),
    "ore": ("award", "xp=20"),
    "foresight": ("award", "points=20"),
}


@pytest.mark.parametrize("game", HOUSE)
def test_experience_is_awarded_in_every_game_and_stands_in_the_file(run, folder, game):
    assert run("new", game, "-o", "who.yaml").status == 0
    before = (folder / "who.yaml").read_text()
    assert run("advance", "who.yaml", *AWARDS[game], "--try").status == 0
    assert (folder / "who.yaml").read_text() == before
    done = run("advance", "who.yaml", *AWARDS[game], "--json")
    assert done.status == 0
    assert json.loads(done.out)["file"] == "who.yaml"
    assert "entry: award" in (folder / "who.yaml").read_text()
    assert run("audit", "who.yaml").status == 0


def test_a_purchase_shows_what_changes_and_one_that_cannot_be_paid_writes_nothing(run, folder):
    run("new", "scumm", "-o", "ana.yaml")
    run("advance", "ana.yaml", "award", "xp=20")
    bought = run("advance", "ana.yaml", "purchase", "buy=skill", "what=climb", "to=1")
    assert bought.status == 0
    assert "Climb" in bought.out
    assert "Experience left" in bought.out
    before = (folder / "ana.yaml").read_text()
    refused = run("advance", "ana.yaml", "purchase", "buy=skill", "what=climb", "to=5")
    assert refused.status == 1
    assert "none can be skipped" in refused.out
    assert (folder / "ana.yaml").read_text() == before
    assert run("advance", "ana.yaml", "purchase", "buy=skill", "what=climb", "to=5", "--anyway").status == 1
    assert (folder / "ana.yaml").read_text() != before


def test_comments_of_the_file_stay(run, folder):
    run("new", "scumm", "-o", "ana.yaml")
    path = folder / "ana.yaml"
    path.write_text("# my own\n" + path.read_text())
    run("advance", "ana.yaml", "award", "xp=2")
    assert path.read_text().startswith("# my own\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("purchse",), 'did you mean "purchase"?'),
        (("award", "xp=abc"), "xp takes a whole number, not 'abc'"),
        (("award", "xq=1"), "it takes xp, session"),
        (("award", "xp"), "name=value"),
    ],
)
def test_nonsense_is_refused_in_one_line(run, folder, typed, said):
    run("new", "scumm", "-o", "ana.yaml")
    refused = run("advance", "ana.yaml", *typed)
    assert refused.status == 2
    assert said in refused.err
    assert refused.err.count("\n") == 1
