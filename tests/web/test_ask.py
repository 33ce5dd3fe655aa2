"""The page of a roll request by forms alone: its chances, what is kept and asked again, and what follows a verdict."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.test_downtime import form, page, text
from tests.web.test_tables import Group, act, opened, sat


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Group]:
    found = Group(tmp_path)
    with found.server:
        yield found


def test_a_request_is_kept_asked_and_asked_again_by_forms(group: Group) -> None:
    leader, player = group.server, group.somebody()
    made = opened(leader)
    sat(player, made)
    ana = act(player, made, "add character", ready="detective").json()["made"]
    tally = act(leader, made, "set tally", name="patience", of=6).json()["made"]
    fields = {"of": ana, "test1": "Notice", "against1": "5", "minutes": "10", "on1": "success", "then1": f"tick;{tally}", "amount1": "2"}
    shown = text(page(leader, made, "/ask", **fields))
    assert "Taking Average: a total of" in shown
    assert "count patience" in shown
    assert form(leader, made, "keep request", keep_as="The desk", **fields).status_code == 303
    kept = page(leader, made, "/ask", kept="The desk")
    assert 'value="Notice"' in kept
    assert "The desk" not in page(player, made)
    assert form(leader, made, "ask for a roll", **fields).status_code == 303
    seen = text(page(player, made))
    assert "Taking High with Notice: a total of" in seen
    long = {"of": ana, "test1": "Business", "against1": "4", "goal": "6", "tries": "20"}
    assert "for the whole task" in text(page(leader, made, "/ask", **long))
    played = text(page(leader, made, "/ask", of=ana, test1="Climb", rule="scumm-climbing", given="metres=12"))
    assert "Climbing: climb" in played
    assert "did you mean" in leader.get(f"/tables/{made['table']}/ask", params={"of": ana, "rule": "scumm-climbin"}).text
    assert form(leader, made, "forget request", name="The desk").status_code == 303
