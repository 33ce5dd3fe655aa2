"""Every ready-made scenario, at random states, through every page and endpoint, export and import: no server error, nothing missing."""

import re
from random import Random
from typing import Any

import pytest
from litestar.testing import TestClient
from tests.web.conftest import fresh
from tests.web.test_tables import act, opened, sat

from rulewright.play import Seeded
from rulewright.table.scenes import demos

SCENARIOS = [(game.id, name) for game in demos.playable() for name in demos.scenarios(game.id)]
SLOW = re.compile(r".*/(chances|hints|think|live|stream|paper|call|odds|lab.*)$")
"""Requests that calculate, or never end; other tests make them."""
STEPS = 12


class Door:
    """A table with one scenario, its gamemaster and a player who controls one person."""

    def __init__(self, folder: Any, game: str, name: str) -> None:
        self.app = fresh(folder / "tables.db")
        self.leader = TestClient(self.app)
        self.name, self.game = name, game
        self.app.state.tables._dice = Seeded(7)

    def begin(self) -> None:
        self.player = TestClient(self.app)
        self.player.__dict__["blocking_portal"] = self.leader.blocking_portal
        self.made = opened(self.leader, self.game)
        sat(self.player, self.made, "Ana")
        self.where = f"/tables/{self.made['table']}"
        act(self.player, self.made, "choose dice", wait=True)
        answer = act(self.leader, self.made, "begin scene", ready=self.name)
        assert answer.status_code == 200, answer.text
        self.leads = self.leader.get(f"/api{self.where}").json()["me"]["id"]
        self.member = self.player.get(f"/api{self.where}").json()["me"]["id"]
        cards = self.leader.get(f"/api{self.where}/scenes/1").json()["view"]["cards"]
        act(self.leader, self.made, "set hand", scene=1, who=cards[0]["name"], member=self.member)
        kept = act(self.leader, self.made, "keep map", name="The place", like="scene:1")
        self.map = kept.json().get("made", "none")
        self.character = act(self.player, self.made, "add character", name="Vesna").json().get("made", "")

    def step(self, whim: Random) -> bool:
        """Answer one question, at random or as the tactic does; false if none is open."""
        scene = self.leader.get(f"/api{self.where}/scenes/1").json()
        questions = [question for question in scene["questions"] if question["mine"]]
        if not questions:
            return False
        question = whim.choice(questions)
        fields = {"scene": 1, "at": question["at"], "mark": question["mark"]}
        if question["sort"] == "roll":
            answer = act(self.leader, self.made, "roll", **fields)
        elif question.get("options") and whim.random() < 0.4:
            answer = act(self.leader, self.made, "answer", given=whim.choice(question["options"])["key"], **fields)
        else:
            answer = act(self.leader, self.made, "decide", **fields)
        assert answer.status_code < 500, answer.text
        return True


def addresses(door: Door) -> list[str]:
    """Every address of a table that a GET request can reach, with its parameters filled in."""
    known = {"table": door.made["table"], "scene": "1", "map_id": door.map, "character": door.character, "member": door.member}
    known |= {"picture": "0" * 32, "mark": "0" * 32, "token": "x", "item": "x", "kind": "journal"}
    found = []
    for route in door.app.routes:
        if "GET" not in getattr(route, "methods", ()) or "{table:" not in route.path or SLOW.fullmatch(route.path):
            continue
        found.append(re.sub(r"\{(\w+):\w+\}", lambda name: known[name[1]], route.path))
    return found


@pytest.mark.parametrize(("game", "name"), SCENARIOS)
def test_every_scenario_goes_through_every_door(tmp_path: Any, game: str, name: str) -> None:
    door, whim = Door(tmp_path, game, name), Random(f"{game} {name}")
    with door.leader:
        door.begin()
        through_files(door)
        for _ in range(whim.randrange(1, STEPS)):
            if not door.step(whim):
                break
        for who, client in (("leader", door.leader), ("player", door.player)):
            for address in addresses(door):
                answer = client.get(address, follow_redirects=False)
                assert answer.status_code < 500, f"{who}: {address}"
        through_files(door)


def through_files(door: Door) -> None:
    """Export the table, as both, and import it: the imported scene is the same."""
    exported = door.leader.get(f"/api{door.where}/export")
    assert exported.status_code == 200
    assert door.player.get(f"/api{door.where}/export").status_code == 200
    brought = door.leader.post("/api/import", content=exported.content)
    assert brought.status_code == 201, brought.text
    again = door.leader.get(f"/api/tables/{brought.json()['table']}/scenes/1").json()
    assert again["view"] == door.leader.get(f"/api{door.where}/scenes/1").json()["view"]
