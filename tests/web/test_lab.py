"""The lab's page: begun, watched, stopped, charted; refused where it asks for too much; ended when its asker leaves."""

import re
import time
from html import unescape

import pytest

from rulewright.web.pages import lab, lab_jobs


@pytest.fixture(autouse=True)
def nothing_left():
    yield
    lab.JOBS.close()


def begin(client, **fields):
    found = client.post("/lab/start", data={"system": "pebbles", "scenario": "on-the-beach", **fields}, follow_redirects=False)
    assert found.status_code == 303, found.text
    return found.headers["location"]


def finished(client, address):
    for _ in range(1200):
        page = client.get(address, headers={"hx-request": "true"})
        assert page.status_code == 200
        if "every 700ms" not in page.text:
            return page.text
        time.sleep(0.1)
    raise AssertionError("the simulation does not end")


def test_a_scene_is_chosen_played_and_charted(client):
    page = client.get("/lab?system=pebbles").text
    assert "On the beach" in page
    address = begin(client, how="sample", fights="400")
    piece = finished(client, address)
    assert "400 fights" in piece
    assert "Win chances" in piece
    assert re.search(r"<rect class=", piece)
    assert re.search(r"\d+(\.\d+)?\s?% to ", piece)
    whole = client.get(address).text
    assert whole.count("400 fights") == 1
    assert "<!doctype html>" in whole


def test_solving_says_that_it_is_exact(client):
    assert "Solved exactly" in finished(client, begin(client, how="solve"))


def test_a_simulation_can_be_stopped(client):
    address = begin(client, system="scumm", scenario="shootout", how="sample", fights="200000")
    client.get(address)
    stopped = client.post(f"{address}/stop", follow_redirects=True).text
    assert "The simulation was stopped." in stopped
    process = lab.JOBS.look(address.rpartition("/")[2]).process
    process.join(10)
    assert process.exitcode is not None


def test_it_ends_when_nobody_looks_any_more(client, monkeypatch):
    monkeypatch.setattr(lab_jobs, "UNWATCHED_SECONDS", 0.3)
    address = begin(client, system="scumm", scenario="shootout", how="sample", fights="200000")
    job = lab.JOBS._jobs[address.rpartition("/")[2]]
    for _ in range(600):
        if job.done:
            break
        time.sleep(0.1)
    assert job.done
    assert "nobody was watching it" in job.wrong
    job.process.join(10)
    assert job.process.exitcode is not None


def test_only_so_many_run_at_once_and_one_of_each_address(client, monkeypatch):
    begin(client, system="scumm", scenario="shootout", how="sample", fights="200000")
    own = client.post("/lab/start", data={"system": "pebbles", "scenario": "on-the-beach"})
    assert own.status_code == 503
    assert "a simulation of yours is running" in own.text.lower()
    assert 0 < int(own.headers["retry-after"]) <= 2 * lab_jobs.SECONDS
    monkeypatch.setattr(lab_jobs, "OF_ONE", 9)
    for _ in range(lab_jobs.AT_ONCE - 1):
        begin(client, system="scumm", scenario="shootout", how="sample", fights="200000")
    refused = client.post("/lab/start", data={"system": "pebbles", "scenario": "on-the-beach"})
    assert refused.status_code == 503
    assert "simulations are running" in refused.text


@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"scenario": "nowhere"}, 400, "no ready-made scene"),
        ({"scenario": "../../../etc/passwd"}, 400, "no ready-made scene"),
        ({"system": "chess"}, 404, "no game"),
        ({"fights": "many"}, 400, "is not a number"),
        ({"fights": "999999999"}, 400, "from 1 to"),
        ({"fights": "0"}, 400, "from 1 to"),
    ],
    ids=str,
)
def test_what_cannot_be_simulated_is_refused(client, fields, status, says):
    found = client.post("/lab/start", data={"system": "pebbles", "scenario": "on-the-beach", **fields})
    assert found.status_code == status
    assert says in found.text.lower()


def test_a_simulation_that_is_not_there_is_missing(client):
    assert client.get("/lab/nonsense").status_code == 404
    assert client.post("/lab/nonsense/stop").status_code == 404


SCENE = """system: scumm
kind: scenario
name: At the ford
sides:
  heroes:
    - {character: ines.yaml}
  others:
    - {character: street-tough, count: 2}
"""

OTHERS = SCENE.replace("ines.yaml", "mercenary")


def own(client, *named):
    return client.post("/lab/own", files=[("files", each) for each in named], follow_redirects=False)


def test_the_lab_takes_a_scene_of_ones_own_with_ones_own_characters(client):
    ines = client.get("/games/scumm/characters/mercenary/file").content
    answer = own(client, ("ford.yaml", SCENE.encode()), ("ines.yaml", ines))
    assert answer.status_code == 303, answer.text
    for _ in range(600):
        page = client.get(answer.headers["location"]).text
        if 'aria-busy="false"' in page:
            break
        time.sleep(0.1)
    assert re.search(r"(heroes|others) win \d+ % of the time, with \d\.\d of them out on average", page)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ([("ford.yaml", SCENE.encode())], "ines.yaml is missing"),
        ([("ford.yaml", SCENE.replace("ines.yaml", "/etc/passwd").encode())], "is missing"),
        ([("ford.yaml", (SCENE + "place: {map: ../secret.yaml}\n").encode())], "is missing"),
        ([("ford.yaml", OTHERS.encode()), ("ford2.yaml", OTHERS.encode())], "exactly one scenario"),
        ([("ford.txt", SCENE.encode())], "ends in .yaml"),
        ([("ford.yaml", b"- what")], "ord.yaml"),
    ],
)
def test_what_the_lab_cannot_take_is_refused_in_a_sentence(client, named, said):
    answer = client.post("/lab/own", files=[("files", each) for each in named], headers={"HX-Request": "true"})
    assert answer.status_code == 400
    assert said in unescape(answer.text)
