"""A game's own page: its demos, what is ready-made (by kind, searched and filtered), what one builds, its rule book and its options."""

from collections import Counter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from litestar import Response, get
from litestar.response import Template

from rulewright.show.rule_index import chapters
from rulewright.show.spreadsheet import KINDS, file_of
from rulewright.system import System
from rulewright.table.scenes import demos
from rulewright.web.pages.games import MAX_TEXT, NEW, OWN, Missing, ReadyMade, game, ready_made, rulebook
from rulewright.web.pages.public import campaign_of, render, visit_of
from rulewright.web.pages.visitor_drafts import Visit
from rulewright.web.pages.visitor_rules import list_presets
from rulewright.web.params import PathText, WebRequest

LABELS = {"character": "People", "vehicle": "Machines", "creature": "Creatures", "race": "Races", "mook": "Groups"}
"""The names of the tabs, by kind of file."""
MINE = "mine"
"""The tab of the visitor's own drafts."""
FIRST_ROWS = 8
MAX_DEMOS, MAX_CHIPS, MAX_PRESETS = 4, 5, 4


class Tab(NamedTuple):
    """A tab of the list: its key, its name, how many are in it, and its URL."""

    key: str
    name: str
    number: int
    url: str


def kind_name(kind: str) -> str:
    """The name of a kind in the plural."""
    return LABELS.get(kind, f"{kind[:1].upper()}{kind[1:]}s")


@get("/games/{system:str}", sync_to_thread=True, include_in_schema=False)
def game_page(request: WebRequest, system: PathText) -> Template:
    """Show a game."""
    owner = game(system)
    scenarios = demos.scenarios(owner.id) if owner.fights else {}
    show_all = request.query_params.get("demos") == "all"
    by = campaign_of(request, owner.id)
    presets = list_presets(owner, by)
    marked = next((name for _, name, chosen in presets if chosen), "")  # a preset may equal the book; one is marked
    presets = [(sent, name, name == marked) for sent, name, _ in presets]
    current = [preset for preset in presets[MAX_PRESETS:] if preset[2]]
    return render(
        request,
        "game.html",
        system=owner,
        by=by,
        demos=dict(list(scenarios.items())[: None if show_all else MAX_DEMOS]),
        number_of_demos=len(scenarios),
        chapters=chapters(owner.book, rulebook(owner.id).values()),
        number_of_rules=len(rulebook(owner.id)),
        presets=[*presets[:MAX_PRESETS], *current],
        steps={kind: len(owner.steps.get(kind, ())) for kind in owner.kinds},
        **_list(request, owner),
    )


@get("/games/{system:str}/list/{name:str}", sync_to_thread=True, include_in_schema=False)
def list_file(request: WebRequest, system: PathText, name: PathText) -> Response[bytes]:
    """The ready-made list as CSV or JSON, with the filters of the page."""
    owner = game(system)
    stem, _, kind = name.partition(".")
    if stem != "list" or kind not in KINDS:
        raise Missing(f"there is no such file; there are list.{' and list.'.join(KINDS)}")
    listed = _list(request, owner)
    tab = listed["tab"]
    heads = ["name", "kind", "about", "best at", *([listed["rating"]] if listed["rating"] else []), "file"]
    rows = [
        [thing.title, thing.kind, thing.subtitle, ", ".join(thing.best)]
        + ([thing.rating[1] if thing.rating else None] if listed["rating"] else [])
        + [f"{thing.system}/{thing.name}"]
        for thing in listed["matching"]
    ]
    return Response(
        file_of(kind, heads, rows),
        media_type=KINDS[kind],
        headers={"content-disposition": f'attachment; filename="{owner.id}-{tab}.{kind}"'},
    )


def _list(request: WebRequest, owner: System) -> dict[str, Any]:
    """The ready-made list: its tabs, chips and rows, as the query parameters choose them."""
    query = request.query_params
    by_tab: dict[str, list[ReadyMade]] = {kind: [] for kind in owner.kinds}
    for thing in ready_made(owner.id).values():
        by_tab[thing.kind].append(thing)
    drafts = list_drafts(owner, visit_of(request))
    by_tab = {key: entries for key, entries in (by_tab | {MINE: drafts}).items() if entries}
    chosen = query.get("kind", "")
    key = chosen if chosen in by_tab else next(iter(by_tab), "")
    rows = by_tab.get(key, [])
    chips = list_chips(rows)
    words, skill, sort = query.get("q", "")[:MAX_TEXT].strip(), query.get("skill", "")[:MAX_TEXT], query.get("sort", "")

    def url(**changes: str) -> str:
        chosen = {"kind": key, "q": words, "skill": skill, "sort": sort} | changes
        return f"/games/{owner.id}?{urlencode({name: value for name, value in chosen.items() if value})}#ready-made"

    matching = [thing for thing in rows if matches(thing, words, skill)]
    rated = any(thing.rating for thing in rows)
    matching.sort(key=lambda thing: -thing.rating[1] if sort == "rating" and thing.rating else 0)
    shown = matching if query.get("all") or words or skill else matching[:FIRST_ROWS]
    clear = {"q": "", "skill": "", "sort": ""}
    return {
        "tabs": [Tab(tab, "" if tab == MINE else kind_name(tab), len(entries), url(kind=tab, **clear)) for tab, entries in by_tab.items()],
        "tab": key,
        "chips": [(name, url(skill="" if name == skill else name), name == skill) for name in chips],
        "every": url(skill=""),
        "words": words,
        "skill": skill,
        "sort": sort,
        "rating": next((thing.rating[0] for thing in rows if thing.rating), "") if rated else "",
        "sorted_by": url(sort="" if sort == "rating" else "rating"),
        "rows": shown,
        "matching": matching,
        "files": [(kind.upper(), url().replace("?", f"/list/list.{kind}?", 1).partition("#")[0]) for kind in KINDS],
        "hidden": len(matching) - len(shown),
        "all_rows": url(all="yes"),
    }


def list_chips(rows: list[ReadyMade]) -> list[str]:
    """The skills that several are good at, the most frequent first."""
    frequent = Counter(skill for thing in rows for skill in thing.skills).most_common()
    return [skill for skill, number in frequent if 1 < number < len(rows)][:MAX_CHIPS]


def matches(thing: ReadyMade, words: str, skill: str) -> bool:
    """Whether a ready-made character has all these words in its name or description, and is good at a skill."""
    text = f"{thing.title} {thing.subtitle} {thing.name} {' '.join(thing.best)}".lower()
    return all(word in text for word in words.lower().split()) and (not skill or skill in thing.skills)


def list_drafts(owner: System, visit: Visit | None) -> list[ReadyMade]:
    """The visitor's own characters of a game: new, opened, or changed."""
    drafts = []
    for (system, folder, name), thing in visit.copies.items() if visit is not None else ():
        if system == owner.id:
            kind = str(getattr(thing, "kind", ""))
            about = "new" if folder == NEW else "from a file" if folder == OWN else "changed"
            drafts.append(ReadyMade(system, folder, name, kind, str(getattr(thing, "name", name)), about, thing))
    return drafts
