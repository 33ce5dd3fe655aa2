"""The page of a table without a browser: what stands on it for whom, and what it says."""

import re
from html import unescape
from itertools import pairwise

import pytest
from litestar.testing import TestClient

from rulewright.scenes import estimates
from rulewright.scenes.chances import TOO_LONG, Estimate, Outcome, Weighed
from rulewright.web.pages.games import examples, game

GAMES = ("silhouette", "scumm", "hybrid", "ore", "foresight")


def demo(client: TestClient, system: str = "scumm", scenario: str = "duel") -> str:
    """The address of a fresh demo table."""
    begun = client.post(f"/demo/{system}", data={"scenario": scenario}, follow_redirects=False)
    assert begun.status_code == 303, begun.text
    return str(begun.headers["location"])


def shown(client: TestClient, table: str) -> str:
    return client.get(table).text


def asked(page: str) -> dict[str, str]:
    """The fields of the first question with options."""
    form = page[page.index('class="choices ') :]
    names = ("do", "scene", "at", "question")
    return {name: re.search(rf'name="{name}" value="([^"]*)"', form)[1] for name in names} | {
        "given": re.search(r'name="given" value="([^"]*)"', form)[1]
    }


def weighing(page: str) -> str:
    return unescape(re.search(r'data-weighs="([^"]*)"', page)[1])


def test_the_same_question_at_another_moment_is_weighed_anew(client):
    """Wounds and tiredness change the chances of what is asked in the same words: only talk leaves them as they are."""
    table = demo(client, "ore", "")
    before = shown(client, table)
    question = asked(before)
    client.post(f"{table}/act", data={"do": "say", "text": "Well then."})
    assert weighing(shown(client, table)) == weighing(before)
    client.post(f"{table}/act", data=question)
    client.post(f"{table}/act", data={"do": "undo", "scene": question["scene"]})
    again = shown(client, table)
    assert asked(again) == question
    assert weighing(again) != weighing(before)
    assert client.get(weighing(again), headers={"HX-Request": "true"}).status_code == 200


def test_an_estimate_says_about_and_in_its_title_how_often_it_was_played_out(client, monkeypatch):
    outcomes = (Outcome("no set", 0.6625, 0, False), Outcome("hurt", 0.3375, 1, True))
    late = Weighed("suppress", why_not=TOO_LONG, counts="hits", about=Estimate(outcomes, 240, 0.0621))
    monkeypatch.setattr(estimates, "weigh", lambda asked: (late,))
    page = shown(client, table := demo(client, "ore", ""))
    found = client.get(weighing(page), headers={"HX-Request": "true"}).text
    assert '<span class="chance" title="240 simulations: 34 % ± 6"><b>about 34 %</b> <small>hits, ± 6</small></span>' in found
    assert 'data-hoped=""' in found
    assert TOO_LONG not in found
    question = asked(page)
    where = f"/api{table}/scenes/{question['scene']}/chances"
    (told,) = client.get(where, params={"at": question["at"], "question": question["question"]}).json()
    assert (told["outcomes"], told["why_not"]) == ([], TOO_LONG)
    assert (told["about"]["plays"], told["about"]["margin"]) == (240, 0.0621)
    assert [(each["name"], each["chance"]) for each in told["about"]["outcomes"]] == [("no set", 0.6625), ("hurt", 0.3375)]


def test_the_log_says_who_was_asked_what_and_what_they_chose(client):
    table = demo(client)
    page = shown(client, table)
    question = asked(page)
    client.post(f"{table}/act", data=question)
    page = shown(client, table)
    told = re.search(r'<p><b>([^<]+)</b> <span class="soft">([^<]+)</span> ([^<]+)</p>', page)
    assert told is not None
    who, ask, answer = told.groups()
    assert ask.endswith("?")
    assert f"{ask}:" not in page
    table_id = table.rpartition("/")[2]
    lines = client.get(f"/api/tables/{table_id}/log").json()
    decided = [part for line in lines for part in line.get("details", ()) if part["sort"] == "decision"]
    assert unescape(f"{who}, {ask} {answer}") in [part["text"] for part in decided]
    assert {(part["who"], part["asked"], part["answer"]) for part in decided} >= {tuple(map(unescape, (who, ask, answer)))}


def test_the_log_tells_a_time_once_and_by_a_clock_that_can_be_read_anywhere(client):
    table = demo(client)
    page = shown(client, table)
    times = re.findall(r'<time class="when soft" datetime="([^"]+)"[^>]*>([^<]+)</time>', page)
    assert page.count('<li class="entry') > len(times) >= 1
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", at) and at[11:16] == told for at, told in times)
    assert all(one[1] != next_one[1] for one, next_one in pairwise(times))


@pytest.mark.parametrize("system", GAMES)
def test_the_table_shows_how_this_very_game_rolls(client, system):
    table = demo(client, system, "")
    example = examples(system)[0]
    page = unescape(shown(client, table))
    assert f'placeholder="Message, or /roll {example}"' in page
    rolled = client.post(f"{table}/act", data={"do": "say", "text": f"/roll {example}"}, follow_redirects=False)
    assert rolled.status_code == 303
    assert f"{example}: " in unescape(shown(client, table))
    refused = client.post(f"{table}/act", data={"do": "say", "text": "/rol it"}, headers={"HX-Request": "true"})
    assert refused.status_code == 400
    assert f"a test of this game: /roll {example}" in unescape(refused.text)


@pytest.mark.parametrize("system", GAMES)
def test_examples_are_tests_of_the_game_and_stand_on_the_odds_page(client, system):
    found = examples(system)
    assert 1 < len(found) <= 4
    assert all(text in game(system).notation for text in found)
    page = unescape(client.get("/odds", params={"system": system}).text)
    for text in found:
        address = re.search(rf'<a class="tag" href="([^"]+)">{re.escape(text)}</a>', page)[1]
        answer = client.get(address)
        assert answer.status_code == 200
        assert 'class="refusal"' not in answer.text


@pytest.mark.parametrize(("system", "scenario"), [("scumm", "duel"), ("ore", "town_chase")])
def test_who_is_asked_can_leave_from_the_page(client, system, scenario):
    """The ways out stand beside the question; who is chased is offered no withdrawal."""
    table = demo(client, system, scenario)
    page = shown(client, table)
    forms = re.findall(r'<form(?:(?!</form>).)*value="leave fight"(?:(?!</form>).)*</form>', page, re.DOTALL)
    ways = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms]
    assert "surrender" in [way["how"] for way in ways]
    way = next(way for way in ways if way["how"] == "surrender")
    assert client.post(f"{table}/act", data=way).status_code < 400
    assert f"{way['who']} surrenders" in re.sub("<[^>]*>", "", shown(client, table))
