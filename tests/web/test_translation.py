"""Translations of the pages: every visible text is marked, the catalogue is up to date, and a catalogue changes the pages."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from litestar.testing import TestClient

from rulewright.web import app, translation

ROOT = Path(__file__).parents[2]
WEB = ROOT / "src" / "rulewright" / "web"
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
POT = WEB / "locale" / "messages.pot"


def ids(message):
    return message if isinstance(message, str) else tuple(message)


def extracted():
    """All marked texts of the web package, as `make messages` finds them."""
    with (ROOT / "babel.cfg").open() as mapping:
        methods, options = parse_mapping_cfg(mapping)
    return {(name, ids(message)) for name, _, message, _, _ in extract_from_dir(str(WEB), methods, options)}


def test_the_catalogue_is_up_to_date():
    kept = {ids(message.id) for message in read_po(POT.open("rb")) if message.id}
    now = {message for _, message in extracted()}
    assert kept == now, "run make messages"


def test_pages_and_babel_find_the_same_texts_of_scripts():
    texts, plurals = translation.script_texts()
    assert texts | plurals == {message for name, message in extracted() if name.endswith(".js")}


# --- every visible text is marked -----------------------------------------------------------------------------------------------

JINJA = r"\{#.*?#\}|\{%-?\s*trans\b.*?\{%-?\s*endtrans\s*-?%\}|\{%.*?%\}|\{\{.*?\}\}"
VISIBLE = ("aria-label", "title", "placeholder", "alt")
EXEMPT = {
    "Rule", "wright", "Rulewright",  # the name
    "heroes", "opposition", "third side",  # names of sides, sent as they stand
    "Enter", "Del", "kB", "UTC", "PDF",  # keys, units and abbreviations
    "system:", "light: dim", "covers: …", "http://…/tables/…/join/…", "page",  # file formats and addresses, and a class of the body
}  # fmt: skip


class Texts(HTMLParser):
    """The texts and visible attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.outer: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.outer.append(tag)
        self.found += [value for name, value in attrs if name in VISIBLE and value]

    def handle_endtag(self, tag):
        if tag in self.outer:
            del self.outer[len(self.outer) - 1 - self.outer[::-1].index(tag) :]

    def handle_data(self, data):
        if "style" not in self.outer:
            self.found.append(data)


def unmarked(source):
    """Visible texts of a template outside of gettext; Jinja is replaced by a separator first."""
    page = Texts()
    page.feed(re.sub(JINJA, "¦", source, flags=re.DOTALL))
    words = {part.strip(" \n·.,:;()/") for text in page.found for part in text.split("¦")}
    exempt = {text.strip(" .:") for text in EXEMPT}
    return {part for part in words if re.search(r"[^\W\d_]{2}", part) and part not in exempt}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_visible_text_is_marked(path):
    assert not unmarked(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_text_in_an_expression_is_marked(path):
    """A literal with a capital or with a space between words is a text, unless it is a command or compared with something."""
    source = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = []
    for expression in re.findall(r"\{\{.*?\}\}|\{%.*?%\}", source, flags=re.DOTALL):
        bare = re.sub(r"\b(?:_|ngettext|act|form)\((?:'[^']*'|\"[^\"]*\"|, )+|[=!]= '[^']*'| in \('.*?\)", "", expression)
        found += [text for text in re.findall(r"'([^']*)'", bare) if re.search(r"^[A-Z][a-z]|[a-z] [a-z]", text)]
    assert not found


def test_an_unmarked_text_is_found():
    assert unmarked('<p title="Hello there">{{ _("marked") }} <b>not marked</b></p>') == {"Hello there", "not marked"}
    assert unmarked('<p title="{{ _("x y") }}">{% trans a=b %}all <b>of it</b>{% endtrans %} · 3 {{ name }}.</p>') == set()


# --- a catalogue ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A small German catalogue, as if it were shipped."""
    known = Catalog(locale="de")
    known.add("Host a table", "Tisch eröffnen")
    known.add("about %(name)s", "über %(name)s")
    known.add("Copied", "Kopiert")
    known.add(("%(n)s hex", "%(n)s hexes"), ("%(n)s Feld", "%(n)s Felder"))
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    written = io.BytesIO()
    write_mo(written, known)
    (folder / "messages.mo").write_bytes(written.getvalue())
    monkeypatch.setattr(translation, "LOCALES", tmp_path / "locale")
    caches = (translation.languages, translation.catalogue, translation.script_catalogue, translation._plain)
    for each in caches:
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()


def test_a_catalogue_serves_those_who_read_it(german, tmp_path):
    with TestClient(app.create_app(str(tmp_path / "t.db"))) as client:
        page = client.get("/", headers={"accept-language": "fr, de-CH;q=0.8, en;q=0.5"}).text
        assert '<html lang="de"' in page
        assert "Tisch eröffnen" in page
        assert '"Copied": "Kopiert"' in page
        assert "über S.C.U.M.M." in page
        plain = client.get("/", headers={"accept-language": "en, de;q=0.5"}).text
        assert '<html lang="en"' in plain
        assert "Host a table" in plain
        assert 'id="catalogue"' not in plain


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("fr", "en"),
        ("", "en"),
        ("en;q=0.3,de;q=0.4", "de"),
        ("de;q=0", "en"),
        ("*", "en"),
        ("de;q=x,../..", "en"),
    ],
)
def test_the_language_is_the_first_one_with_a_catalogue(german, accepted, language):
    assert translation.best_language(accepted) == language


def test_the_server_can_have_one_language(german, monkeypatch):
    monkeypatch.setenv(translation.VARIABLE, "de")
    assert translation.best_language("en") == "de"
    assert translation.gettext("Host a table") == "Tisch eröffnen"
    assert translation.ngettext("%(n)s hex", "%(n)s hexes", 2) == "%(n)s Felder"
    monkeypatch.setenv(translation.VARIABLE, "xx")
    assert translation.best_language("de") == "en"


def test_scripts_get_their_texts_and_plural_forms(german):
    sent = translation.script_catalogue("de")
    assert sent["texts"]["Copied"] == "Kopiert"
    assert sent["plurals"]["%(n)s hex"] == ["%(n)s Feld", "%(n)s Felder"]
    assert sent["form"][:3] == [1, 0, 1]
    assert translation.script_catalogue("en") == {}


def test_values_are_escaped_and_texts_are_not():
    environment = app._environment()
    template = environment.from_string(
        "{% trans name=name %}<b>{{ name }}</b> is here, 100 %{% endtrans %}{{ _('%(name)s: 5 %%', name=name) }}"
    )
    assert template.render(name="<i>") == "<b>&lt;i&gt;</b> is here, 100 %&lt;i&gt;: 5 %"
    counted = environment.from_string("{% trans n=n %}{{ n }} rule{% pluralize n %}{{ n }} rules{% endtrans %}")
    assert [counted.render(n=n) for n in (1, 2)] == ["1 rule", "2 rules"]
