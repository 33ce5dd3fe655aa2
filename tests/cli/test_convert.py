"""convert: people between our games from the command line."""

import pytest

from rulewright import library


def test_a_person_becomes_a_file_of_another_game(run, folder):
    shown = run("convert", "scumm/detective", "--to", "ore", "-o", "marisol.yaml")
    assert shown.status == 0
    assert "# lost: 5 Emergency Dice: no other game has them" in shown.out
    assert "Small arms" in shown.out
    kept = library.take(folder / "marisol.yaml")
    assert (kept.system.id, kept.kind, kept.thing.name) == ("ore", "character", "Marisol Vantongeren")
    assert run("audit", "marisol.yaml").status in (0, 1)


def test_json_names_every_rating_with_its_sources(run):
    result = run("convert", "foresight/gunman", "--to", "scumm", "--json").json
    rifles = next(rating for rating in result["ratings"] if rating["name"] == "Rifles")
    assert rifles["from"][0]["name"] == "Longarms"
    assert 0 < rifles["chance"] < 1
    assert result["items"][0]["from"] == "SL Rifle"
    assert result["legal"] == (not result["costs"])
    assert result["result"]["system"] == "scumm"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("scumm/detective", "--to", "gurps"), "does not convert to 'gurps'"),
        (("scumm/detective", "--to", "scumm"), "does not convert to 'scumm'"),
        (("scumm/detective",), "without --to"),
        (("silhouette/heron-walker", "--to", "ore"), "only people are converted"),
        (("scumm/detective", "--to", "ore", "class=rogue"), "takes no arguments"),
        (("ana.yaml", "--to", "ore"), "ana.yaml"),
    ],
)
def test_what_cannot_be_converted_is_refused_in_a_sentence(run, arguments, why):
    refused = run("convert", *arguments)
    assert refused.status == 2
    assert why in refused.err
    assert refused.err.count("\n") == 1
