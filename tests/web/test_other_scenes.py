"""A scene that is no fight at the table in the browser: its own view, its own questions, its own tactics."""

import pytest


@pytest.mark.parametrize(
    ("system", "scenario", "own", "others"), [("pebbles", "stacking-race", "steady", "bold"), ("foresight", "chase", "reckless", "")]
)
def test_a_table_offers_the_tactics_of_the_scene_that_is_played(client, system, scenario, own, others):
    page = client.post(f"/demo/{system}", data={"scenario": scenario}).text
    assert f"<option>{own}</option>" in page or f"<option selected>{own}</option>" in page
    if others:
        assert f">{others}</option>" not in page
