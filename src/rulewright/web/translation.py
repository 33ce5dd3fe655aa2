"""Translations: gettext catalogues of the pages, and the language of each request.

English is the source language and needs no catalogue. Another language is a compiled catalogue in
`locale/<language>/LC_MESSAGES/messages.mo`. `RULEWRIGHT_LANGUAGE` sets the language of the server; without it, each visitor gets the
first language of their browser that has a catalogue. `make messages` extracts all texts to `locale/messages.pot`.

Python code marks a text with `from rulewright.web.translation import gettext as _`.
"""

import os
import re
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

HERE = Path(__file__).parent
LOCALES = HERE / "locale"
SOURCE = "en"
"""The language of the texts in the code."""
VARIABLE = "RULEWRIGHT_LANGUAGE"
PLURALS = 200
"""Plural forms repeat after a hundred: scripts get the form of each number below this one."""

_language: ContextVar[str] = ContextVar("language", default="")


@cache
def languages() -> frozenset[str]:
    """The languages that have a compiled catalogue."""
    return frozenset(path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/messages.mo"))


@cache
def catalogue(language: str) -> NullTranslations:
    """The catalogue of a language; English and unknown languages have an empty one."""
    if language not in languages():
        return NullTranslations()
    with (LOCALES / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        return GNUTranslations(file)


def best_language(accepted: str) -> str:
    """The language for an `Accept-Language` header: the server's own, or the visitor's first one that has a catalogue."""
    if fixed := os.environ.get(VARIABLE, ""):
        return fixed if fixed in languages() else SOURCE
    wishes = []
    for position, part in enumerate(accepted.split(",")[:20]):
        name, _, weight = part.strip().partition(";q=")
        if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", name) and re.fullmatch(r"(0(\.\d{0,3})?|1(\.0{0,3})?)?", weight):
            wishes.append((-float(weight or 1), position, name))
    for _weight, _position, name in sorted(wish for wish in wishes if wish[0]):
        country = name.replace("-", "_")
        for candidate in (country, country.partition("_")[0].lower()):
            if candidate in languages() or candidate == SOURCE:
                return candidate
    return SOURCE


def choose(accepted: str) -> None:
    """Set the language of the current request."""
    _language.set(best_language(accepted))


def language() -> str:
    """The language of the current request; outside of requests, that of the server."""
    if not languages():
        return SOURCE
    return _language.get() or best_language("")


def gettext(message: str) -> str:
    """The translation of a text."""
    return catalogue(language()).gettext(message)


def ngettext(singular: str, plural: str, n: int) -> str:
    """The translation of a text that depends on a number."""
    return catalogue(language()).ngettext(singular, plural, n)


# --- templates ----------------------------------------------------------------------------------------------------------------


def install(environment: Environment) -> None:
    """Give templates `_()`, `ngettext()` and `{% trans %}`, with texts taken as HTML and values escaped.

    Jinja's own functions do the same, but look up the context and build an escaping mapping at each call.
    """
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]
    environment.globals.update(
        _=_markup, gettext=_markup, ngettext=_plural_markup, language=language, script_catalogue=lambda: script_catalogue(language())
    )


@cache
def _plain(language: str, message: str) -> Markup:
    return Markup(catalogue(language).gettext(message) % ())


def _markup(message: str, /, **values: Any) -> Markup:
    if not values:
        return _plain(language(), message)
    return Markup(gettext(message) % _escaped(values))


def _plural_markup(singular: str, plural: str, n: int, /, **values: Any) -> Markup:
    return Markup(ngettext(singular, plural, n) % {"num": n, **_escaped(values)})


def _escaped(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value if type(value) is int else escape(value) for name, value in values.items()}


# --- scripts ------------------------------------------------------------------------------------------------------------------

_TEXT = r'"((?:[^"\\]|\\.)*)"'
_IN_SCRIPT = re.compile(rf"(?<![\w.])_\({_TEXT}|(?<![\w.])ngettext\({_TEXT}, {_TEXT}")


@cache
def script_texts() -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The texts of our own scripts, and those that depend on a number."""
    texts = [match.groups() for path in (HERE / "static").glob("*.js") for match in _IN_SCRIPT.finditer(path.read_text(encoding="utf-8"))]
    return frozenset(text for text, _, _ in texts if text), frozenset((singular, plural) for text, singular, plural in texts if not text)


@cache
def script_catalogue(language: str) -> dict[str, Any]:
    """Returns what page.js needs to translate the texts of the scripts; nothing for English."""
    if language not in languages():
        return {}
    known = catalogue(language)
    texts, plurals = script_texts()
    forms = [_plural_form(known, n) for n in range(PLURALS)]
    examples = [forms.index(form) for form in range(max(forms) + 1)]
    return {
        "texts": {text: known.gettext(text) for text in sorted(texts)},
        "plurals": {singular: [known.ngettext(singular, plural, n) for n in examples] for singular, plural in sorted(plurals)},
        "form": forms,
    }


def _plural_form(known: NullTranslations, n: int) -> int:
    rule = getattr(known, "plural", None)
    return int(rule(n)) if rule else int(n != 1)
