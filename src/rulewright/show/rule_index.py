"""The rule book for readers: its chapters, and a full-text search in plain words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rulewright.rules import RuleInfo
from rulewright.rules.ruleset import Book

# --- chapters -----------------------------------------------------------------------------------------------------------------

CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "Dice and tests": ("resolution", "tests"),
    "Characters": ("character-creation", "creation", "attributes", "skills", "traits", "social"),
    "Powers": ("powers",),
    "Gear": ("equipment", "gear"),
    "Combat": ("initiative-and-actions", "movement", "close-combat", "ranged-combat", "duel"),
    "Wounds and healing": ("damage-and-injury", "healing"),
    "Experience": ("advancement",),
    "Machines: design": ("vehicles-design",),
    "Machines: play": ("vehicles-play",),
    "Creatures": ("creatures",),
    "Environment": ("environment",),
    "For the gamemaster": ("gm-tools",),
    "Converting": ("conversion",),
}
"""The chapters in the order of a book, each with the areas of the rules in it. Other areas are chapters of their own."""
_CHAPTER_BY_AREA = {area: chapter for chapter, areas in CHAPTERS.items() for area in areas}


class Chapter(NamedTuple):
    """A chapter of the rule book: its name in a URL, its title, and its rules."""

    key: str
    title: str
    rules: list[RuleInfo]


def chapter_of(book: Book, rule_id: str) -> str:
    """The title of a rule's chapter."""
    entry = book.index().get(rule_id)
    area = entry.area if entry is not None else ""
    return _CHAPTER_BY_AREA.get(area) or area.replace("-", " ").replace("_", " ").capitalize() or "Other"


def chapters(book: Book, rules: Iterable[RuleInfo]) -> list[Chapter]:
    """The rules by chapter, in the order of a book; chapters without rules are left out."""
    by_title: dict[str, list[RuleInfo]] = {title: [] for title in CHAPTERS}
    for info in rules:
        by_title.setdefault(chapter_of(book, info.id), []).append(info)
    return [Chapter(re.sub(r"\W+", "-", title.lower()), title, listed) for title, listed in by_title.items() if listed]


# --- search -------------------------------------------------------------------------------------------------------------------

_IGNORED = frozenset(
    re.findall(
        r"\w+",
        """a an and are at be by can could do does far for from get happens have how i if in is it many may me much my of on or rule rules
        should somebody someone the there they to was we what when where which who why will with work works would you your""",
    )
)
"""Words that a search ignores."""

SYNONYMS: Sequence[frozenset[str]] = tuple(
    frozenset(words.split())
    for words in (
        "heal healing recover recovery treat treatment mend medicine medical convalescence bandage",
        "wound injury hurt injured wounded harm",
        "die dead death dying kill killed",
        "shoot shot gun firearm ranged",
        "punch brawl unarmed fist grapple wrestle",
        "sword blade melee fence fencing",
        "dodge evade defense defence parry block",
        "sneak stealth hide hidden ambush",
        "run walk move movement sprint speed",
        "car vehicle drive machine driving",
        "fly flight aircraft plane flying",
        "level experience advance advancement improve xp learn raise better increase",
        "buy cost price money wealth",
        "initiative order turn first",
        "scared fear fright afraid courage",
        "poison toxin venom drug",
        "cold heat weather temperature frost",
        "fall falling drop",
        "drown swim swimming breath water",
        "magic spell power gift powers",
        "lie persuade convince talk argue debate",
        "armor armour protection",
        "dark darkness night light lighting",
        "tired fatigue exhausted exhaustion rest sleep",
        "hungry hunger thirst starve food starvation",
        "crit critical fumble botch mishap",
        "difficulty threshold modifier",
        "create build make creation new",
    )
)
"""Words that a player may use for each other. A synonym counts less than the word itself."""

TITLE, TEXT, AREA, OTHER = 12, 4, 6, 1
"""The weight of a word in the title, in the text, in the area, and in the id, kind and heading."""
PART_OF_WORD = 0.2
"""The weight of a match inside a longer word."""
SYNONYM = 0.6
AMBIGUOUS = {"die": 0.5}
"""Words that often mean something else, with their own weight: a die is also rolled."""


def searched(rules: Iterable[RuleInfo], text: str, book: Book | None = None) -> list[RuleInfo]:
    """Search the rules in plain words, the best match first.

    A rule matches if it has all words, themselves or synonyms; if no rule has, the rules with most of them match. Words count by their
    stem, so `heal` finds `healing` before `health`. A word that occurs nowhere is replaced by similar words. With a book the areas count.
    """
    said = re.findall(r"[^\s?!.,;:]+", text.lower())
    wanted = [word for word in said if word not in _IGNORED] or said
    listed = list(rules)
    if not wanted:
        return listed
    pages = [_page(info, book) for info in listed]
    meant = [_meanings(word, pages) for word in wanted]
    if len(wanted) > 1 and any(all(_score(page, word, True) for word in wanted) for page in pages):
        meant = [{word: 1.0} for word in wanted]  # synonyms only where the words themselves do not do
    scored = [(_scores(page, wanted, meant), info) for info, page in zip(listed, pages, strict=True)]
    most = max((matched for (matched, _), _ in scored), default=0)
    matches = [(score, info) for (matched, score), info in scored if matched == most > 0]
    return [info for _, info in sorted(matches, key=lambda match: -match[0])]


def _scores(page: tuple[tuple[str, int], ...], wanted: Sequence[str], meant: Sequence[Mapping[str, float]]) -> tuple[int, float]:
    """How many of the words a rule has, and how well they fit."""
    scores = [
        max((weight * _score(page, term, term == word) for term, weight in terms.items()), default=0.0)
        for word, terms in zip(wanted, meant, strict=True)
    ]
    return sum(score > 0 for score in scores), sum(scores)


def _page(info: RuleInfo, book: Book | None) -> tuple[tuple[str, int], ...]:
    """The fields of a rule that are searched, each with its weight."""
    area = book.index()[info.id].area.replace("-", " ") if book is not None and info.id in book.index() else ""
    fields = ((info.title, TITLE), (info.text, TEXT), (area, AREA), (f"{info.id} {info.kind} {info.heading}", OTHER))
    return tuple((field.lower(), weight) for field, weight in fields)


def _meanings(word: str, pages: Sequence[tuple[tuple[str, int], ...]]) -> dict[str, float]:
    """A word and its synonyms with their weights; similar words if it occurs nowhere."""
    own = AMBIGUOUS.get(word, 1.0)
    terms = {word: own} | {other: SYNONYM for group in SYNONYMS if _stem(word) in map(_stem, group) for other in group if other != word}
    if len(terms) > 1 or any(word in field for page in pages for field, _ in page):
        return terms
    vocabulary = {known for page in pages for field, _ in page for known in re.findall(r"[a-z][a-z'-]+", field)}
    return dict.fromkeys(_similar(word, vocabulary), SYNONYM)


def _stem(word: str) -> str:
    """The stem of a word: without -ing, -ed, -er, -e and the plural."""
    for ending in ("ing", "ies", "ed", "es", "er", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


_FORMS = r"(?:e|s|es|ed|d|ing|er|ers|ery|'s)?"


def _score(page: tuple[tuple[str, int], ...], term: str, parts: bool) -> float:
    """How well a word fits a rule; with `parts`, also inside longer words."""
    whole = re.compile(rf"\b{re.escape(_stem(term))}{_FORMS}\b|\b{re.escape(term)}\b")
    score = 0.0
    for field, weight in page:
        if whole.search(field):
            score += weight
        elif parts and len(term) > 2 and term in field:
            score += weight * PART_OF_WORD
    return score


def _similar(word: str, vocabulary: Iterable[str]) -> list[str]:
    """Similar words of the book: other spellings, typing errors, the singular."""
    spelt = {word.replace("our", "or"), word.replace("or", "our"), word.replace("ise", "ize"), word.rstrip("s")} & set(vocabulary)
    try:
        from rapidfuzz import fuzz, process

        near = [text for text, _, _ in process.extract(word, vocabulary, scorer=fuzz.ratio, score_cutoff=80, limit=6)]
    except ImportError:
        from difflib import get_close_matches

        near = get_close_matches(word, vocabulary, 6, 0.8)
    return [*spelt, *near]
