"""Building something new, taking it away as a file or on paper, and opening a file of one's own."""

import msgspec
import pytest

from rulewright import files, library
from rulewright.system import find, names


def _change(client, url, **fields):
    return client.post(f"{url}/change", data=fields, headers={"hx-request": "true"})


@pytest.mark.slow
@pytest.mark.parametrize("system", names())
def test_every_game_begins_something_new_from_nothing_that_can_be_taken_away(client, system):
    for kind in find(system).kinds:
        url = f"/games/{system}/new/{kind}"
        assert f'href="{url}"' in client.get(f"/games/{system}").text
        assert client.get(url).status_code == 200
        taken = client.get(f"{url}/file")
        assert taken.headers["content-disposition"].endswith('.yaml"')
        kept = library.opened(files.parse(taken.content, "taken"), "taken")
        beginning = "nothing" if "nothing" in find(system).archetypes(kind) else None
        assert kept.thing == find(system).new(find(system).book.ruleset(), kind, beginning)


def test_what_was_changed_and_renamed_is_in_the_file(client):
    url = "/games/scumm/new/character"
    assert "<h1>Ana Reyes</h1>" in _change(client, url, do="words", field="name", value="  Ana   Reyes ").text
    _change(client, url, do="step", field="attributes.body", value="1")
    taken = client.get(f"{url}/file")
    assert taken.headers["content-disposition"] == 'attachment; filename="ana-reyes.yaml"'
    thing = library.opened(files.parse(taken.content, "taken"), "taken").thing
    before = find("scumm").new(find("scumm").book.ruleset(), "character", "nothing")
    assert (thing.name, thing.attributes.body) == ("Ana Reyes", before.attributes.body + 1)


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\u202eb"])
def test_a_name_that_is_none_is_refused(client, name):
    answer = _change(client, "/games/scumm/characters/detective", do="words", field="name", value=name)
    assert "Name: write from 1 to 60 printable characters" in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("system", names())
def test_who_somebody_is_and_what_is_noted_is_written_on_the_sheet(client, system):
    game = find(system)
    for kind, saved in game.kinds.items():
        url = f"/games/{system}/new/{kind}"
        fields = {"concept", "notes"} & {field.name for field in msgspec.structs.fields(saved)}
        for field in fields:
            assert f'id="words-{field}"' in client.get(f"{url}?step=all").text
            assert "Owes &lt;b&gt;much" in _change(client, url, do="words", field=field, value=" Owes <b>much \n money").text
        thing = library.opened(files.parse(client.get(f"{url}/file").content, "taken"), "taken").thing
        assert {field: getattr(thing, field) for field in fields} == {
            field: "Owes <b>much\nmoney" if field == "notes" else "Owes <b>much money" for field in fields
        }
        game.audit(game.book.ruleset(), thing)


@pytest.mark.parametrize(
    ("field", "value"), [("notes", "x" * 4001), ("concept", "y" * 201), ("notes", "a\x00b"), ("skills", "many"), ("kind", "mook")]
)
def test_words_that_are_too_many_or_stand_nowhere_are_refused(client, field, value):
    url = "/games/scumm/characters/detective"
    before = client.get(f"{url}/file").text
    assert 'class="refusal"' in _change(client, url, do="words", field=field, value=value).text
    assert client.get(f"{url}/file").text == before


def test_a_sheet_goes_on_paper(client):
    drawn = client.get("/games/pebbles/characters/wilma/paper")
    assert drawn.headers["content-type"] == "application/pdf"
    assert drawn.content.startswith(b"%PDF")


def test_a_file_of_ones_own_is_opened_changed_and_saved_again(client):
    mine = client.get("/games/scumm/characters/detective/file").text.replace("Marisol Vantongeren", "Zoë Ångström 🐉")
    answer = client.post("/open/read", files={"file": ("zoe.yaml", mine.encode())})
    assert answer.url.path == "/games/scumm/own/zo-ngstr-m"
    assert "Zoë Ångström 🐉" in answer.text
    assert "Reset" not in answer.text
    _change(client, answer.url.path, do="words", field="name", value="Zoë")
    assert "name: Zoë" in client.get(f"{answer.url.path}/file").text


def test_what_somebody_else_opened_is_not_here(client):
    answer = client.get("/games/scumm/own/zoe")
    assert answer.status_code == 404
    assert "is no longer open" in answer.text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "choose the file of a character"),
        (b"system: scumm\nkind: character\nname: A\nattributes: {boddy: 1}\n", "mine.yaml:4:14: attributes.boddy: unknown field"),
        (b"\xff\xfe\x00garbage", "not a text file"),
        (b"system: scumm\nkind: house-rules\nname: Ours\n", "which has no sheet"),
        (b"x" * 100_001, "too large"),
    ],
)
def test_a_file_that_cannot_be_opened_says_why(client, content, said):
    answer = client.post("/open/read", files={"file": ("mine.yaml", content)})
    assert answer.status_code == 400
    assert said in answer.text.replace("&#34;", '"')
