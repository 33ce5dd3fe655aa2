"""The graph of an adventure: which nodes can be reached, which of them lead to an ending whatever the dice say, and where clues are."""

from collections.abc import Iterator

from msgspec import Struct

from rulewright.adventure.format import Adventure, Effects, Node
from rulewright.adventure.scene import effects_of, outcomes
from rulewright.adventure.story import Story


class ClueSource(Struct, frozen=True):
    """A place where a clue or fact is to be had, and whether that takes a roll or a fight."""

    node: str
    roll: bool


def reachable(adventure: Adventure) -> set[str]:
    """The nodes that some course of events reaches, whatever it needs."""
    reached, waiting = set[str](), [adventure.start.node, *_targets_of_events(adventure)]
    while waiting:
        key = waiting.pop()
        if key in reached or key not in adventure.nodes:
            continue
        reached.add(key)
        node = adventure.nodes[key]
        waiting += [way.to for way in node.ways]
        waiting += [effect.go for effects in _all_effects(node) for effect in effects if effect.go]
    return reached


def sources(adventure: Adventure, among: set[str] | None = None) -> dict[str, list[ClueSource]]:
    """Where each clue or fact is to be had."""
    places: dict[str, list[ClueSource]] = {}
    for key in adventure.nodes:
        if among is not None and key not in among:
            continue
        for effects, roll in _effects_with_roll(adventure, key):
            for effect in effects:
                if name := effect.reveal or effect.mark:
                    places.setdefault(name, []).append(ClueSource(key, roll))
    return places


def safe_nodes(adventure: Adventure) -> set[str]:
    """The nodes from which an ending is reached whatever the dice say, with nothing but what is certain to be had."""
    certain = _certain(adventure)
    safe = {key for key, node in adventure.nodes.items() if node.ending}
    forced = {name for name in _certain_events(adventure) if name in adventure.nodes}
    changed = True
    while changed:
        changed = False
        for key, node in adventure.nodes.items():
            if key not in safe and (forced & safe or _leads_on(adventure, key, node, safe, certain)):
                safe.add(key)
                changed = True
    return safe


def _leads_on(adventure: Adventure, key: str, node: Node, safe: set[str], certain: frozenset[str]) -> bool:
    """Whether a node leads to a safe one by a way, by an action, or by every result of a request, fight or stretch of time."""
    if any(way.to in safe and certain.issuperset(way.needs) for way in node.ways):
        return True
    sure = [node.enter, *[action.then for action in node.actions if certain.issuperset(action.needs)]]
    sure += [node.downtime.then] if node.downtime is not None else []
    if any(_target(effects) in safe for effects in sure):
        return True
    return any(all(_target(effects) in safe for effects in results) for results in _results(adventure, key, node, certain))


def _certain(adventure: Adventure) -> frozenset[str]:
    """The clues and facts that can be had without a roll, on the way that is open whatever the dice say."""
    certain, nodes = frozenset[str](), {adventure.start.node}
    while True:
        more, reached = set(certain), set(nodes)
        for key in nodes:
            node = adventure.nodes[key]
            reached |= {way.to for way in node.ways if certain.issuperset(way.needs) and way.to in adventure.nodes}
            lists = [node.enter, *[action.then for action in node.actions if certain.issuperset(action.needs)]]
            lists += [way.then for way in node.ways if certain.issuperset(way.needs)]
            lists += [node.downtime.then] if node.downtime is not None else []
            for effects in lists:
                more |= _gained(effects)
                reached |= {_target(effects)} & adventure.nodes.keys()
            for results in _results(adventure, key, node, certain):
                more |= set.intersection(*[_gained(effects) for effects in results])
        if more == certain and reached == nodes:
            return certain
        certain, nodes = frozenset(more), reached


def _results(adventure: Adventure, key: str, node: Node, certain: frozenset[str]) -> Iterator[list[Effects]]:
    """The effects of every result of each request and fight that is open, a list for each."""
    for number, request in enumerate(node.requests):
        if certain.issuperset(request.needs):
            story = Story(key, pending=f"request:{number}")
            yield [effects_of(request.then, outcome, "failure") for outcome in outcomes(adventure, story)]
    if node.fight is not None and certain.issuperset(node.fight.needs):
        then = node.fight.then
        yield [effects_of(then, outcome, "lost") for outcome in outcomes(adventure, Story(key, pending="fight"))]


def _target(effects: Effects) -> str:
    return next((effect.go for effect in reversed(effects) if effect.go), "")


def _gained(effects: Effects) -> set[str]:
    return {name for effect in effects if (name := effect.reveal or effect.mark)}


def _all_effects(node: Node) -> list[Effects]:
    lists = [node.enter, *[action.then for action in node.actions], *[way.then for way in node.ways]]
    lists += [effects for request in node.requests for effects in request.then.values()]
    lists += list(node.fight.then.values()) if node.fight is not None else []
    return lists + ([node.downtime.then] if node.downtime is not None else [])


def _effects_with_roll(adventure: Adventure, key: str) -> Iterator[tuple[Effects, bool]]:
    """The effects of a node, each with whether they take a roll."""
    node = adventure.nodes[key]
    sure = [node.enter, *[action.then for action in node.actions], *[way.then for way in node.ways]]
    yield from ((effects, False) for effects in sure + ([node.downtime.then] if node.downtime is not None else []))
    for request in node.requests:
        yield from ((effects, len(request.then) == 1 or not _always(list(request.then.values()))) for effects in request.then.values())
    if node.fight is not None:
        yield from ((effects, True) for effects in node.fight.then.values())


def _always(results: list[Effects]) -> bool:
    """Whether every verdict gives the same clues."""
    gained = [_gained(effects) for effects in results]
    return all(names == gained[0] for names in gained)


def _targets_of_events(adventure: Adventure) -> list[str]:
    tallies = [effect.go for tally in adventure.tallies.values() for effect in tally.full if effect.go]
    return tallies + _certain_events(adventure)


def _certain_events(adventure: Adventure) -> list[str]:
    """Where dates lead: time always passes."""
    return [effect.go for date in adventure.dates for effect in date.then if effect.go]
