"""Checks every name in an adventure: nodes, clues, tallies, handouts, people, maps, files, dates and spans of time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rulewright import files
from rulewright.adventure.format import (
    KINDS_OF_EFFECT,
    LONGEST_DATE,
    OUTCOMES,
    VERDICTS,
    Adventure,
    Effect,
    Fight,
    Needs,
    Node,
    effect_lists,
)
from rulewright.adventure.story import calendar_of, moment
from rulewright.campaign.calendar import read_span
from rulewright.errors import UserError
from rulewright.files import Document
from rulewright.files.documents import quoted
from rulewright.grammar import join

Field = tuple[Any, ...]


def wrong_references(adventure: Adventure, document: Document, content: Iterable[str]) -> list[UserError]:
    """Everything that an adventure names and does not have, with line and column. `content` are the files of its folder."""
    return list(_Check(adventure, document, frozenset(content)).faults())


class _Check:
    def __init__(self, adventure: Adventure, document: Document, content: frozenset[str]) -> None:
        self.adventure, self.document, self.content = adventure, document, content
        self.facts = {effect.mark for _, effects in effect_lists(adventure) for effect in effects if effect.mark}

    def faults(self) -> Iterator[UserError]:
        adventure = self.adventure
        yield from self._name(("start", "node"), adventure.start.node, adventure.nodes, "node")
        yield from self._understood(("start", "clock"), "clock", lambda: calendar_of(adventure))
        yield from self._span(("pace",), adventure.pace)
        yield from self._text(("lead",), adventure.lead)
        if not adventure.ready:
            yield self.document.wrong(("ready",), "give at least one ready-made character")
        for number, file in enumerate(adventure.ready):
            yield from self._file(("ready", number), file)
        for part, named in (("people", adventure.people), ("maps", adventure.maps)):
            for name, file in named.items():
                if "/" in file or "." in file:
                    yield from self._file((part, name), file)
        for name, handout in adventure.handouts.items():
            yield from self._text(("handouts", name, "text"), handout.text)
            if handout.picture:
                yield from self._file(("handouts", name, "picture"), handout.picture)
        for name, tally in adventure.tallies.items():
            if not 1 <= tally.of <= 100:
                yield self.document.wrong(("tallies", name, "of"), "a tally counts to a number from 1 to 100")
        for number, date in enumerate(adventure.dates):
            yield from self._date(("dates", number, "on"), date.on)
            if not 1 <= len(date.what) <= LONGEST_DATE:
                yield self.document.wrong(
                    ("dates", number, "what"), f"say in 1 to {LONGEST_DATE} characters what happens; {len(date.what)} are given"
                )
        for field, effects in effect_lists(adventure):
            for number, effect in enumerate(effects):
                yield from self._effect((*field, number), effect)
        for key, node in adventure.nodes.items():
            yield from self._node(("nodes", key), node)

    # --- parts

    def _node(self, field: Field, node: Node) -> Iterator[UserError]:
        for part in ("read", "lead", "otherwise"):
            yield from self._text((*field, part), getattr(node, part))
        for number, name in enumerate(node.here):
            yield from self._name((*field, "here", number), name, self.adventure.people, "person", "people")
        if node.map:
            yield from self._name((*field, "map"), node.map, self.adventure.maps, "map", "maps")
        for number, way in enumerate(node.ways):
            yield from self._name((*field, "ways", number, "to"), way.to, self.adventure.nodes, "node")
            yield from self._needs((*field, "ways", number), way)
            yield from self._span((*field, "ways", number, "takes"), way.takes)
        for number, action in enumerate(node.actions):
            yield from self._needs((*field, "actions", number), action)
            yield from self._span((*field, "actions", number, "takes"), action.takes)
            yield from self._text((*field, "actions", number, "text"), action.text)
        for number, request in enumerate(node.requests):
            at = (*field, "requests", number)
            yield from self._needs(at, request)
            yield from self._span((*at, "takes"), request.takes)
            yield from self._text((*at, "text"), request.text)
            if not request.tests:
                yield self.document.wrong((*at, "tests"), "give at least one test")
            if request.joined == "each":
                yield self.document.wrong((*at, "joined"), "the results must be joined: any, all, most, best or worst")
            for verdict in request.then:
                if verdict not in VERDICTS:
                    words = f"{quoted(verdict)} is no verdict; there are {join(VERDICTS)}"
                    yield self.document.wrong((*at, "then", verdict), words)
        if node.fight is not None:
            yield from self._fight((*field, "fight"), node.fight)
        if node.downtime is not None:
            yield from self._span((*field, "downtime", "pass"), node.downtime.passes, required=True)
        if node.ending and (node.ways or node.requests or node.actions or node.fight or node.downtime):
            yield self.document.wrong((*field, "ending"), "an ending has no ways, requests, actions, fight or downtime")
        elif not (node.ending or node.ways or node.requests or node.actions or node.fight or node.downtime):
            yield self.document.wrong(field, "this is a dead end: give it a way on, or make it an ending")

    def _fight(self, field: Field, fight: Fight) -> Iterator[UserError]:
        yield from self._file((*field, "scenario"), fight.scenario)
        yield from self._needs(field, fight)
        for outcome in fight.then:
            if outcome not in OUTCOMES:
                words = f"{quoted(outcome)} is no end of a fight; there are {join(OUTCOMES)}"
                yield self.document.wrong((*field, "then", outcome), words)
        for outcome in ("won", "lost"):
            if outcome not in fight.then:
                yield self.document.wrong((*field, "then"), f"say what follows if the fight is {outcome}")

    def _effect(self, field: Field, effect: Effect) -> Iterator[UserError]:
        named = effect.named()
        known = ["pass" if name == "passes" else name for name in KINDS_OF_EFFECT]
        if len(named) != 1:
            yield self.document.wrong(field, f"an effect is exactly one of {join(known, 'or')}")
            return
        adventure = self.adventure
        tables: dict[str, tuple[Mapping[str, object], str, str]] = {
            "reveal": (adventure.clues, "clue", "clues"),
            "show": (adventure.handouts, "handout", "handouts"),
            "tick": (adventure.tallies, "tally", "tallies"),
            "go": (adventure.nodes, "node", "nodes"),
        }
        if named[0] in tables:
            table, what, where = tables[named[0]]
            yield from self._name((*field, named[0]), getattr(effect, named[0]), table, what, where)
        elif effect.passes:
            yield from self._span((*field, "pass"), effect.passes)

    def _needs(self, field: Field, needs: Needs) -> Iterator[UserError]:
        for part in ("needs", "unless"):
            for number, name in enumerate(getattr(needs, part)):
                yield from self._known((*field, part, number), name)
        for part in ("after", "before"):
            if getattr(needs, part):
                yield from self._date((*field, part), getattr(needs, part))

    # --- single values

    def _known(self, field: Field, name: str) -> Iterator[UserError]:
        known = [*self.adventure.clues, *self.facts]
        if name not in known:
            words = f"there is no clue {quoted(name)}, and no effect marks it as a fact{files.did_you_mean(name, known)}"
            yield self.document.wrong(field, words)

    def _name(self, field: Field, name: str, known: Iterable[str], what: str, where: str = "nodes") -> Iterator[UserError]:
        if name not in known:
            hint = files.did_you_mean(name, known)
            yield self.document.wrong(field, f"there is no {what} {quoted(name)} in `{where}`{hint}")

    def _file(self, field: Field, name: str) -> Iterator[UserError]:
        if name not in self.content:
            yield self.document.wrong(field, f"the folder has no file {quoted(name)}{files.did_you_mean(name, self.content)}")

    def _text(self, field: Field, text: str) -> Iterator[UserError]:
        if is_file(text):
            yield from self._file(field, text)

    def _date(self, field: Field, text: str) -> Iterator[UserError]:
        yield from self._understood(field, text, lambda: moment(self.adventure, text))

    def _span(self, field: Field, text: str, required: bool = False) -> Iterator[UserError]:
        if text or required:
            yield from self._understood(field, text, lambda: read_span(text))

    def _understood(self, field: Field, text: str, reads: Callable[[], object]) -> Iterator[UserError]:
        try:
            reads()
        except UserError as error:
            yield self.document.wrong(field, str(error))


def is_file(text: str) -> bool:
    """Whether a text is the name of a file with the text."""
    return text.endswith(".md") and "\n" not in text and len(text) <= 200
