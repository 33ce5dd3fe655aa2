"""Between scenes and at the end of one: the summary, the party and awards; the kinds of log entries."""

from litestar.testing import TestClient
from tests.table.group import gather

from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.views import Detail, LogShown
from rulewright.web.app import create_app
from rulewright.web.maps import scene_start
from rulewright.web.table.log_lines import entries, is_headline


def line(*details: Detail, sort: str = "play") -> LogShown:
    return LogShown("m", 0, "", "", sort, "", 1, details=details)


def test_entries_are_results_steps_or_bookkeeping() -> None:
    decision, roll = Detail("decision", "Ana shoots", "Ana"), Detail("roll", "Ana rolls 2d6", "Ana")
    wound, begins = Detail("event", "Kolbe suffers a Deep wound"), Detail("event", "Round 2. Initiative: Ana 5")
    shown = entries([line(decision), line(roll, wound), line(begins), line(sort="said"), line(sort="character changed")])
    assert [entry.kind for entry in shown] == ["step", "event", "event", "talk", "change"]
    assert shown[2].round == "Round 2"
    assert is_headline(wound.text)
    assert not is_headline("Adaeze takes 6 damage: only a scratch")


def test_a_scene_with_ai_players_starts_under_the_gamemasters_control() -> None:
    begin = a.BeginScene(ready="duel", npcs="plays good")
    paused = scene_start.pause(begin)
    assert isinstance(paused, a.BeginScene)
    assert paused.npcs == "gamemaster"
    plain = a.BeginScene(ready="duel")
    assert scene_start.pause(plain) is plain


def test_a_decided_scene_tells_who_won_and_what_happened_to_each(tmp_path) -> None:
    app = create_app(f"sqlite:///{tmp_path / 'tables.db'}")
    app.state.tables._dice = Seeded(3)
    with TestClient(app) as client:
        opened = client.post("/demo/silhouette", data={"scenario": "duel"}, follow_redirects=False)
        table = opened.headers["location"].rpartition("/")[2]
        for _ in range(80):
            page = client.get(f"/tables/{table}").text
            if 'class="won"' in page:
                break
            client.post(f"/tables/{table}/act", data={"do": "go on", "scene": "1"})
            seen = client.get(f"/api/tables/{table}").json()["scenes"][0]["questions"]
            mine = [question for question in seen if question["mine"]]
            if mine:
                asked = mine[0]
                fields = {"do": "answer", "scene": "1", "at": asked["at"], "question": asked["mark"], "given": asked["usual"]}
                client.post(f"/tables/{table}/act", data=fields)
        assert "What happened to each" in page
        assert "Turning points" in page
        client.post(f"/tables/{table}/act", data={"do": "end scene", "scene": "1"})
        between = client.get(f"/tables/{table}").text
        assert "Between scenes" in between
        assert "Next scenes" in between


def test_experience_is_awarded_to_several_at_once_and_only_by_the_gamemaster(tmp_path) -> None:
    app = create_app(f"sqlite:///{tmp_path / 'tables.db'}")
    group = gather(app.state.tables)
    with TestClient(app) as client:
        refused = client.post(f"/tables/{group.table}/award", data={"award.c1": "3"}, follow_redirects=False)
        assert refused.status_code in (403, 404)
        opened = client.post("/demo/scumm", data={"scenario": "duel"}, follow_redirects=False)
        where = opened.headers["location"]
        made = []
        for name in ("Ines", "Pike"):
            fields = {"do": "add character", "of": "character", "archetype": "mercenary", "name": name}
            answer = client.post(f"{where}/act", data=fields, headers={"HX-Request": "true"})
            made.append(answer.json()["made"])
        client.post(f"{where}/act", data={"do": "end scene", "scene": "1"})
        assert 'id="award"' in client.get(where).text
        fields = {f"award.{made[0]}": "17", f"award.{made[1]}": "0", "session": "The ford"}
        assert client.post(f"{where}/award", data=fields, follow_redirects=False).status_code == 303
        assert "17 XP: The ford" in client.get(f"{where}/characters/{made[0]}/advance").text
        assert "17 XP" not in client.get(f"{where}/characters/{made[1]}/advance").text
        assert client.post(f"{where}/award", data={f"award.{made[0]}": "many"}).status_code == 400
