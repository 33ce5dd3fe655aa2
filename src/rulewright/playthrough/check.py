"""Checks an adventure that was loaded: people, places of the party, the graph, clues, chances, secrets and random walks."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from rulewright.adventure.format import Request, effect_lists
from rulewright.adventure.graph import reachable, safe_nodes, sources
from rulewright.errors import UserError
from rulewright.files.documents import quoted
from rulewright.grammar import join
from rulewright.playthrough.loader import PARTY, Opened
from rulewright.playthrough.scenes import best_chance, chances_of, party_of, stage_fight
from rulewright.playthrough.walks import FIGHTS, Walker, Walks
from rulewright.scenes.scenarios import Scenario

LEAST, MOST = 0.05, 0.95
"""The chances that make a request worth a roll."""
WALKS = 1_000


class RequestChance(Struct, frozen=True):
    """The chances of one request: of each ready-made character, and of the party."""

    node: str
    request: str
    people: dict[str, float | None]
    party: float | None
    manner: str


class Checked(Struct, frozen=True):
    """The result of a check."""

    problems: tuple[str, ...]
    chances: tuple[RequestChance, ...]
    walks: Walks | None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def check(opened: Opened, walks: int = WALKS, seed: int = 1, fights: int = FIGHTS) -> Checked:
    """Check everything. Walks are left out if something else is wrong already."""
    problems = [*_people(opened), *_scenes(opened), *_graph(opened), *_clues(opened)]
    chances = []
    for key, node in opened.adventure.nodes.items():
        for number, request in enumerate(node.requests):
            field = ("nodes", key, "requests", number)
            try:
                chances.append(_chance(opened, key, request))
            except UserError as error:
                problems += [str(opened.document.wrong((*field, "tests"), part)) for part in error.parts]
                continue
            problems += _impossible(opened, field, request, chances[-1])
    if problems or not walks:
        return Checked(tuple(problems), tuple(chances), None)
    walker = Walker(opened, seed, fights=fights)
    walked = walker.walks(walks)
    extremes = [walker.walks(max(1, walks // 10), luck) for luck in ("good", "bad")]
    wrong = [words for some in (walked, *extremes) for words in some.wrong]
    ended = {ending for some in (walked, *extremes) for ending in some.endings}
    for key, node in opened.adventure.nodes.items():
        if node.ending and node.ending not in ended:
            wrong.append(str(opened.document.wrong(("nodes", key, "ending"), f"no walk of {walks} comes to this ending")))
    return Checked(tuple(dict.fromkeys(wrong)), tuple(chances), walked)


def _people(opened: Opened) -> Iterator[str]:
    for part, people in (("ready", opened.ready), ("people", opened.people)):
        for number, (name, thing) in enumerate(people.items()):
            file = name if part == "ready" else opened.adventure.people[name]
            for problem in opened.system.audit(opened.rules, thing).problems:
                if not problem.warning:
                    at = (part, number) if part == "ready" else (part, name)
                    yield str(opened.document.wrong(at, f"{file}: {problem.field}: {problem.message}"))
    names = [str(thing.name) for thing in opened.ready.values()]
    for name in {name for name in names if names.count(name) > 1}:
        yield str(opened.document.wrong(("ready",), f"two ready-made characters are called {name}"))


def _scenes(opened: Opened) -> Iterator[str]:
    players = int(opened.adventure.players.rpartition("-")[2]) if opened.adventure.players.rpartition("-")[2].isdecimal() else 1
    if players > len(opened.ready):
        yield str(opened.document.wrong(("ready",), f"{players} players need as many ready-made characters; there are {len(opened.ready)}"))
    for file, kept in opened.scenarios.items():
        scenario: Scenario = kept.thing
        places = [member for member in scenario.sides.get(PARTY, []) if member.character == PARTY]
        if len(places) < players:
            words = f"the side {PARTY} needs {players} places or more, each with `character: {PARTY}`; it has {len(places)}"
            yield str(kept.document.wrong(("sides", PARTY), words).args[0]).replace(str(kept.document.path), f"{opened.source}/{file}", 1)
            continue
        try:
            stage_fight(opened, file, party_of(opened.party)[:players])
        except UserError as error:
            yield from error.parts


def _graph(opened: Opened) -> Iterator[str]:
    adventure, document = opened.adventure, opened.document
    if not any(node.ending for node in adventure.nodes.values()):
        yield str(document.wrong(("nodes",), "there is no ending: give a node the field `ending`"))
    reached = reachable(adventure)
    safe = safe_nodes(adventure)
    for key in adventure.nodes:
        if key not in reached:
            yield str(document.wrong(("nodes", key), "no way leads here"))
        elif key not in safe:
            words = (
                "no ending can be reached from here if the dice fail: give it a way that needs nothing, or a date that moves the story on"
            )
            yield str(document.wrong(("nodes", key), words))


def _clues(opened: Opened) -> Iterator[str]:
    adventure, document = opened.adventure, opened.document
    places = sources(adventure, reachable(adventure))
    for clue in adventure.clues:
        where = places.get(clue, [])
        if not where:
            yield str(document.wrong(("clues", clue), "this clue is nowhere to be had"))
        elif len({source.node for source in where}) < 2 and all(source.roll for source in where):
            words = f"this clue is only to be had by a roll in {quoted(where[0].node)}: give it in a second place, or without a roll"
            yield str(document.wrong(("clues", clue), words))
    shown = {effect.show for _, effects in effect_lists(adventure) for effect in effects}
    for name in adventure.handouts:
        if name not in shown:
            yield str(document.wrong(("handouts", name), "no effect shows this handout"))


def _chance(opened: Opened, node: str, request: Request) -> RequestChance:
    chances = chances_of(opened, request, party_of(opened.party))
    people = {person.name: person.best for person in chances.people}
    return RequestChance(node, request.request, people, best_chance(request, chances), request.manner)


def _impossible(opened: Opened, field: tuple[Any, ...], request: Request, chance: RequestChance) -> Iterator[str]:
    """A request whose chance is not known, or that is worth no roll for anybody."""
    known = [value for value in (*chance.people.values(), chance.party) if value is not None]
    if not known:
        yield str(opened.document.wrong((*field, "tests"), "no test of it has a chance: give each test an `against`"))
    elif not request.hard and not any(LEAST <= value <= MOST for value in known):
        listed = join([f"{name} {100 * value:.0f} %" for name, value in chance.people.items() if value is not None])
        words = f"nobody has a chance from 5 to 95 % ({listed}): change `against`, or say in `hard` why"
        yield str(opened.document.wrong(field, words))
