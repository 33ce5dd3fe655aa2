"""The interface for programs: the shapes of the command line, and clear refusals."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from rulewright.cli import rulewright

GAMES = ("scumm", "pebbles")
TESTS = {"scumm": "3d+1 vs 5", "pebbles": "3c vs 2c"}
FACES = {"scumm": "2,6,4", "pebbles": "2,2,1/1,2"}


def printed(*arguments: str) -> Any:
    """What the command line prints with --json."""
    done = CliRunner().invoke(rulewright, [*arguments, "--json"], catch_exceptions=False)
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.output)


def test_systems_are_those_of_the_command_line(client: TestClient) -> None:
    answer = client.get("/api/systems")
    assert answer.status_code == 200
    by_id = {each["id"]: each for each in answer.json()}
    for game in GAMES:
        assert by_id[game] == printed("systems", game)[0]
        assert client.get(f"/api/systems/{game}").json() == by_id[game]


@pytest.mark.parametrize("game", GAMES)
def test_odds_are_those_of_the_command_line(client: TestClient, game: str) -> None:
    answer = client.get(f"/api/systems/{game}/odds", params={"notation": TESTS[game]}).json()
    assert answer == printed("odds", game, TESTS[game])
    assert sum(outcome["weight"] for outcome in answer["outcomes"]) == answer["total"]
    assert sum(answer["chance"].values()) == pytest.approx(1)


def test_up_to_four_odds_at_once(client: TestClient) -> None:
    two = client.get("/api/systems/scumm/odds", params={"notation": ["3d", "4d"]}).json()
    assert [each["notation"] for each in two] == ["3d", "4d"]
    assert client.get("/api/systems/scumm/odds", params={"notation": ["3d"] * 5}).status_code == 400


def test_weights_beyond_64_bits_arrive_whole(client: TestClient) -> None:
    answer = json.loads(client.get("/api/systems/scumm/odds", params={"notation": "60d vs 5"}).text)
    assert answer["total"] == 6**60
    assert sum(outcome["weight"] for outcome in answer["outcomes"]) == 6**60


@pytest.mark.parametrize("game", GAMES)
def test_a_roll_with_real_dice_is_that_of_the_command_line(client: TestClient, game: str) -> None:
    answer = client.post(f"/api/systems/{game}/roll", json={"notation": TESTS[game], "dice": FACES[game]})
    assert answer.status_code == 200
    assert answer.json() == printed("roll", game, TESTS[game], "--dice", FACES[game])


def test_the_worked_shape_of_a_roll(client: TestClient) -> None:
    answer = client.post("/api/systems/scumm/roll", json={"notation": "3d+1 vs 5", "dice": "2,6,4"}).json()
    assert (answer["label"], answer["success"], answer["margin"], answer["draw"]) == ("success by 2", True, 2, False)
    assert answer["rolls"][0]["faces"] == [2, 6, 4]
    assert answer["rolls"][0]["kept"] == [1]


def test_fresh_dice_differ(client: TestClient) -> None:
    faces = {tuple(client.post("/api/systems/scumm/roll", json={"notation": "9d"}).json()["rolls"][0]["faces"]) for _ in range(6)}
    assert len(faces) > 1


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_those_of_the_command_line(client: TestClient, game: str) -> None:
    assert client.get(f"/api/systems/{game}/rules").json() == printed("rules", game)


def test_rules_are_searched_and_read(client: TestClient) -> None:
    found = client.get("/api/systems/scumm/rules", params={"search": "falling damage"}).json()
    assert [each["id"] for each in found] == ["scumm-falling"]
    rule = client.get("/api/systems/scumm/rules/scumm-damage").json()
    assert rule["functions"][0]["parameters"][0]["name"] == "multiplier"


def test_rules_are_called_like_on_the_command_line(client: TestClient) -> None:
    def call(game: str, rule: str, **body: Any) -> Any:
        return client.post(f"/api/systems/{game}/rules/{rule}/call", json=body).json()

    assert call("scumm", "scumm-damage", given={"multiplier": 15, "margin": 3}) == printed(
        "rule", "scumm-damage", "multiplier=15", "margin=3"
    )
    assert call("scumm", "scumm-guns")["rows"] == printed("rule", "scumm-guns")["rows"]
    throw = {"aim": 2, "guard": 1}
    assert call("pebbles", "pebbles-throw", given=throw, odds=True) == printed("rule", "pebbles-throw", "aim=2", "guard=1", "--odds")
    assert call("pebbles", "pebbles-throw", given=throw, dice="2,1/1")["outcome"]["heads"] == 1


def test_sheets_audits_and_reasons(client: TestClient) -> None:
    for game in GAMES:
        for each in client.get(f"/api/systems/{game}/characters").json():
            name = each["id"].rpartition("/")[2]
            assert client.get(f"/api/systems/{game}/characters/{name}/sheet").json() == printed("sheet", f"{game}/{name}")
            assert client.get(f"/api/systems/{game}/characters/{name}/audit").json() == printed("audit", f"{game}/{name}")
    for game, name, value in (("scumm", "hunter", "stamina"), ("scumm", "hunter", "rifles"), ("pebbles", "wilma", "guard")):
        why = client.get(f"/api/systems/{game}/characters/{name}/why/{value}").json()
        assert why == printed("why", f"{game}/{name}", value)


def test_a_file_is_sent_to_be_audited(client: TestClient) -> None:
    over = "system: pebbles\nkind: character\nname: Over\naim: 5\nguard: 4\nstones: 6\n"
    answer = client.post("/api/systems/pebbles/audit", content=over).json()
    assert not answer["legal"]
    assert answer["problems"][0]["rule"] == "pebbles-points"
    fine = {"system": "pebbles", "kind": "character", "name": "Fine"}
    assert client.post("/api/systems/pebbles/sheet", content=json.dumps(fine)).json()["name"] == "Fine"
    wrong = client.post("/api/systems/scumm/sheet", content=over)
    assert wrong.status_code == 400
    assert "for the game pebbles" in wrong.json()["error"]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9))


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api/systems/nothing", None, 404),
        ("GET", "/api/systems/nothing/odds?notation=3d", None, 404),
        ("GET", "/api/systems/scumm/odds", None, 400),
        ("GET", "/api/systems/scumm/odds?notation=nonsense", None, 400),
        ("GET", "/api/systems/scumm/odds?notation=9999d", None, 400),
        ("GET", "/api/systems/scumm/odds?notation=3d&set=nonsense", None, 400),
        ("GET", "/api/systems/scumm/odds?notation=3d&preset=nonsense", None, 400),
        ("GET", "/api/systems/scumm/odds?notation=" + "1" * 5_000, None, 400),
        ("GET", "/api/systems/scumm/rules/nothing", None, 404),
        ("GET", "/api/systems/scumm/characters/nobody/sheet", None, 404),
        ("GET", "/api/systems/scumm/characters/..%2f..%2fetc%2fpasswd/sheet", None, 404),
        ("GET", "/api/systems/scumm/characters/hunter/why/nothing", None, 404),
        ("GET", "/api/nothing", None, 404),
        ("GET", "/api/systems/scumm/roll", None, 405),
        ("POST", "/api/systems/scumm/roll", {"notation": 3}, 400),
        ("POST", "/api/systems/scumm/roll", {"notation": "3d", "seed": 1}, 400),
        ("POST", "/api/systems/scumm/roll", {"notation": "3d", "dice": "2,6"}, 400),
        ("POST", "/api/systems/scumm/roll", {"notation": "3d", "dice": "2,6,7"}, 400),
        ("POST", "/api/systems/scumm/roll", {"notation": "3d", "dice": "2,6,5/1"}, 400),
        ("POST", "/api/systems/scumm/roll", {"notation": "3d", "dice": "six"}, 400),
        ("POST", "/api/systems/scumm/rules/scumm-damage/call", {"given": {"multiplier": "x", "margin": 1}}, 400),
        ("POST", "/api/systems/scumm/rules/scumm-damage/call", {"given": {"nothing": 1}}, 400),
        ("POST", "/api/systems/scumm/rules/scumm-falling/call", {"given": {"metres": 3, "victim": "/etc/passwd"}}, 404),
        ("POST", "/api/systems/scumm/rules/scumm-falling/call", {"given": {"metres": 3, "victim": "../../hunter.yaml"}}, 404),
        ("POST", "/api/systems/scumm/audit", "not: [closed", 400),
        ("POST", "/api/systems/scumm/audit", "!!python/object/apply:os.system [id]", 400),
        ("POST", "/api/systems/scumm/audit", BOMB, 400),
        ("POST", "/api/systems/scumm/audit", "", 400),
        ("POST", "/api/systems/scumm/audit", "x" * 300_000, 413),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(client: TestClient, method: str, path: str, body: Any, status: int) -> None:
    sent = {"content": body} if isinstance(body, str) else {"json": body} if body is not None else {}
    answer = client.request(method, path, **sent)  # type: ignore[arg-type]
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert "Traceback" not in answer.text
    assert 5 < len(answer.json()["error"]) < 500


def test_openapi_describes_every_address(client: TestClient) -> None:
    described = client.get("/api/schema/openapi.json").json()
    assert "/api/systems/{system}/roll" in described["paths"]
    assert all(path.startswith("/api/") for path in described["paths"])
    assert len(described["paths"]) == 41
    assert set(described["paths"]["/api/tables/{table}/pictures/{picture}"]) == {"get", "delete"}
    assert all(answer["description"] for methods in described["paths"].values() for answer in methods.values())


def test_every_address_is_answered_by_one_function(client: TestClient) -> None:
    """Two functions that run in threads cannot share an address with this version of the server's library."""
    for route in client.app.routes:
        threaded = [handler for handler in getattr(route, "route_handlers", ()) if getattr(handler, "sync_to_thread", False)]
        assert len(threaded) <= 1, route.path
