"""Pictures over HTTP: sent as a form, served to those who may see them, with headers that let nothing else be made of them."""

import re
from pathlib import Path

import pytest
from tests.table.test_pictures import drawn, huge
from tests.web.test_tables import Group, act, group, opened, sat  # noqa: F401

from rulewright.files import images


def sent(client, made, data, name="mill.png", purpose="handout", api="/api"):
    return client.post(f"{api}/tables/{made['table']}/pictures", files={"file": (name, data)}, data={"purpose": purpose})


@pytest.fixture
def table(group: Group):  # noqa: F811
    bea, ana, stranger = group.somebody(), group.somebody(), group.somebody()
    made = opened(bea)
    sat(ana, made, "Ana")
    return made, bea, ana, stranger


def test_a_picture_is_sent_once_and_looked_at_by_those_who_see_what_it_belongs_to(table):
    made, bea, ana, stranger = table
    answer = sent(bea, made, drawn())
    assert answer.status_code == 201, answer.text
    kept = answer.json()
    assert (kept["width"], kept["height"], kept["name"]) == (40, 30, "mill.png")
    where = f"/tables/{made['table']}/pictures/{kept['digest']}"
    assert bea.get(where).status_code == 200
    assert ana.get(where).status_code == 404
    assert stranger.get(where).status_code == 404
    act(bea, made, "write note", title="Found", text=f"![mill](picture:{kept['digest']})", readers="everyone")
    shown = ana.get(where)
    assert shown.status_code == 200
    assert shown.headers["content-type"] == "image/webp"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert shown.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert shown.headers["etag"] == f'"{kept["digest"]}"'
    assert ana.get(where, headers={"if-none-match": shown.headers["etag"]}).status_code == 304
    assert stranger.get(where).status_code == 404
    assert [each["digest"] for each in ana.get(f"/api/tables/{made['table']}/pictures").json()] == [kept["digest"]]
    assert ana.delete("/api" + where).status_code == 403
    assert bea.delete("/api" + where).status_code == 204
    assert ana.get(where).status_code == 404


def test_what_cannot_be_kept_is_refused_with_one_sentence(table):
    made, bea, ana, stranger = table
    for data, said in ((huge(), "400 million"), (b"plain text", "PNG, JPEG or WebP")):
        answer = sent(bea, made, data)
        assert answer.status_code == 400
        assert said in answer.json()["error"]
    assert sent(stranger, made, drawn()).status_code == 404
    assert sent(ana, made, drawn(), purpose="map").status_code == 403
    too_large = sent(bea, made, bytes(images.MOST_BYTES + 200_000))
    assert too_large.status_code == 413
    assert "32 MB" in too_large.json()["error"]
    assert bea.post(f"/api/tables/{made['table']}/pictures", data={"purpose": "map"}).json()["error"].startswith("choose a picture")


def test_the_name_of_a_file_is_no_path(table, tmp_path: Path):
    made, bea, _, _ = table
    assert sent(bea, made, drawn(), name="../../etc/passwd").json()["name"] == "passwd"


def test_a_handout_with_a_picture_is_for_one_and_nobody_else(table, group):  # noqa: F811
    made, bea, ana, _stranger = table
    cleo = group.somebody()
    sat(cleo, made, "Cleo")
    where = f"/tables/{made['table']}"
    members = {each["name"]: each["id"] for each in bea.get(f"/api{where}").json()["members"]}
    fields = {"do": "write note", "title": "A letter", "text": "Meet me.", "readers": "some", "to": members["Ana"]}
    answer = bea.post(f"{where}/notes/write", data=fields, files={"file": ("the mill.png", drawn())}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    page = ana.get(f"{where}/notes").text
    shown = re.search(rf'<img src="({where}/pictures/[0-9a-f]+)" alt="the mill"', page)
    assert shown is not None
    assert "only for you" in page
    assert ana.get(shown[1]).status_code == 200
    assert "A letter" not in cleo.get(f"{where}/notes").text
    assert cleo.get(shown[1]).status_code == 404


def test_a_character_has_a_portrait_that_those_see_who_know_it(table):
    made, bea, ana, _stranger = table
    where = f"/tables/{made['table']}"
    character = act(bea, made, "add character", ready="hired-gun", name="Vesna", hidden=True).json()["made"]
    answer = bea.post(f"{where}/characters/{character}/picture", files={"file": ("v.png", drawn())}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    digest = bea.get(f"/api{where}").json()["characters"][0]["picture"]
    assert f'src="{where}/pictures/{digest}"' in bea.get(f"{where}/characters/{character}").text
    assert ana.get(f"{where}/pictures/{digest}").status_code == 404
    act(bea, made, "show character", character=character)
    assert ana.get(f"{where}/pictures/{digest}").status_code == 200
    assert ana.post(f"{where}/characters/{character}/picture", data={"none": "true"}, follow_redirects=False).status_code == 403
    bea.post(f"{where}/characters/{character}/picture", data={"none": "true"})
    assert bea.get(f"/api{where}").json()["characters"][0]["picture"] == ""
