"""The page of a character's plan: players plan by forms alone, and the gamemaster begins and ends effects."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient
from tests.web.test_downtime import form, page, text
from tests.web.test_tables import Group, act, opened, sat

Party = tuple[TestClient, TestClient, dict[str, str], str]


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    made = Group(tmp_path)
    with made.server:
        yield made


@pytest.fixture
def party(group: Group) -> Party:
    leader, player = group.server, group.somebody()
    made = opened(leader)
    sat(player, made)
    vesna = act(player, made, "add character", of="character", name="Vesna").json()["made"]
    form(leader, made, "start clock", start="3 March 1931 20:00")
    return leader, player, made, vesna


def test_a_player_plans_an_activity_and_sees_what_becomes_of_it(party: Party) -> None:
    leader, player, made, vesna = party
    assert f"/plan/{vesna}" in page(player, made)
    fields = {"given.aim": "the ledger", "given.unit": "8 hours", "given.total": "2", "hours": "8", "back": f"plan/{vesna}"}
    answer = form(player, made, "plan activity", character=vesna, activity="something else", **fields)
    assert answer.headers["location"].endswith(f"/plan/{vesna}")
    shown = text(page(player, made, f"/plan/{vesna}"))
    assert "the ledger, 0 of 2 in 1 day done in 2 days" in shown
    assert form(leader, made, "pass time", how="span", span="1 day").status_code == 303
    assert "the ledger, 1 of 2" in text(page(player, made, f"/plan/{vesna}"))
    ahead = text(page(leader, made, "/time/preview", how="milestone", milestone="done", who=vesna, about="the ledger"))
    assert "Vesna is done with the ledger" in ahead
    assert form(leader, made, "pass time", how="milestone", milestone="done", who=vesna, about="the ledger").status_code == 303
    assert "Nothing is planned" in page(player, made, f"/plan/{vesna}")
    assert "Thursday 5 March 1931, 20:00" in text(page(player, made))


def test_what_does_not_fit_waits_and_is_dropped(party: Party) -> None:
    _, player, made, vesna = party
    for aim in ("one", "two", "three"):
        form(player, made, "plan activity", character=vesna, activity="something else", **{"given.aim": aim, "hours": "8"})
    assert "three waits Vesna has no time for it yet" in text(page(player, made, f"/plan/{vesna}"))
    form(player, made, "drop activity", character=vesna, activity="something else", aim="one")
    assert "waits" not in text(page(player, made, f"/plan/{vesna}")).split("Everything that fits")[0]


def test_a_plan_is_its_owners_and_the_gamemasters(group: Group, party: Party) -> None:
    leader, _, made, vesna = party
    other = group.somebody()
    sat(other, made, "Bruno")
    assert other.get(f"/tables/{made['table']}/plan/{vesna}").status_code == 403
    assert leader.get(f"/tables/{made['table']}/plan/{vesna}").status_code == 200
    assert leader.get(f"/tables/{made['table']}/plan/nobody").status_code == 400


def test_a_random_table_makes_a_note_of_the_gamemaster(group: Group) -> None:
    leader, player = group.server, group.somebody()
    made = opened(leader, "silhouette")
    sat(player, made)
    assert "Roll a plot mover" in page(leader, made, "/time")
    answer = form(leader, made, "generate note", generator="plot mover", back="notes", **{"given.title": "crowd scene"})
    assert answer.headers["location"].endswith("/notes")
    assert "Crowd scene" in page(leader, made, "/notes")
    assert "Crowd scene" not in page(player, made, "/notes")
