"""The scene of an adventure: a step is a choice of what to do in a node, or the answer to how a request or fight ended."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.adventure.format import ADVENTURE, OUTCOMES, Adventure, Effect, Effects, Request
from rulewright.adventure.story import Story, happen, is_open, pass_time, span
from rulewright.build.sheet_parts import SceneView
from rulewright.play import GAMEMASTER, Choice, Event, Option, Play, Tell
from rulewright.rules import Ruleset
from rulewright.scenes.scene import Result, Scene

CALLED_OFF = "called off"
"""The answer that takes a request or fight back before it was played."""
PASSED = "passed"
"""How a stretch of time ends."""
FIGHT_TAKES = "5 min"


class Offered(Struct, frozen=True):
    """Something that can be done in a node now: its key, its words, and what it is."""

    key: str
    label: str
    kind: str
    """way, action, request, fight or downtime."""
    number: int = 0


class Told(Event, frozen=True):
    """What a step of the story told everybody."""

    words: str

    def headline(self) -> str:
        return self.words


def offers(adventure: Adventure, story: Story) -> list[Offered]:
    """Everything that can be done now, requests and actions first, ways last."""
    node = adventure.nodes[story.node]
    offered: list[Offered] = []
    if node.ending:
        return offered
    for number, request in enumerate(node.requests):
        if is_open(adventure, story, request, key := f"{story.node}/request:{number}"):
            offered.append(Offered(key.rpartition("/")[2], request.request, "request", number))
    for number, action in enumerate(node.actions):
        if is_open(adventure, story, action, key := f"{story.node}/do:{number}"):
            offered.append(Offered(key.rpartition("/")[2], action.do, "action", number))
    fight = node.fight
    if fight is not None and is_open(adventure, story, fight, f"{story.node}/fight"):
        offered.append(Offered("fight", fight.label or "Fight", "fight"))
    if node.downtime is not None and f"{story.node}/downtime" not in story.done:
        offered.append(Offered("downtime", node.downtime.label or f"Let {node.downtime.passes} pass", "downtime"))
    for number, way in enumerate(node.ways):
        if is_open(adventure, story, way):
            offered.append(Offered(f"way:{number}", way.label or adventure.nodes[way.to].name, "way", number))
    return offered


def request_of(adventure: Adventure, story: Story) -> Request | None:
    """The request that is being played; None if it is something else."""
    kind, _, number = story.pending.partition(":")
    return adventure.nodes[story.node].requests[int(number)] if kind == "request" else None


def outcomes(adventure: Adventure, story: Story) -> tuple[str, ...]:
    """How what is being played may end."""
    if request := request_of(adventure, story):
        return ("success", "draw", "failure") if "draw" in request.then else ("success", "failure")
    if story.pending == "fight":
        fight = adventure.nodes[story.node].fight
        assert fight is not None
        return tuple(outcome for outcome in OUTCOMES if outcome in fight.then or outcome in ("won", "lost"))
    return (PASSED,)


class AdventureScene(Scene[Story]):
    """An adventure under one ruleset."""

    kind = ADVENTURE
    state_type = Story

    def __init__(self, rules: Ruleset, adventure: Adventure) -> None:
        super().__init__(rules)
        self.adventure = adventure

    def step(self, state: Story) -> Play[Story]:
        state = replace(state, steps=state.steps + 1, news=())
        state = yield from (self._outcome(state) if state.pending else self._choice(state))
        for words in state.news:
            yield from Tell(Told(words))
        return state

    def _choice(self, story: Story) -> Play[Story]:
        options = tuple(Option(offer.key, offer.label, offer) for offer in offers(self.adventure, story))
        chosen = yield from Choice(GAMEMASTER, self.adventure.nodes[story.node].name, options, story, topic="story")
        return take_offer(self.adventure, story, chosen)

    def _outcome(self, story: Story) -> Play[Story]:
        options = tuple(Option(name, name, name) for name in (*outcomes(self.adventure, story), CALLED_OFF))
        outcome = yield from Choice(GAMEMASTER, "How did it end?", options, story, topic="outcome")
        return take_outcome(self.adventure, story, outcome)

    def weighs(self, state: Story, choice: Choice[Any]) -> bool:
        """The ways of a story have no chances."""
        return False

    def result(self, state: Story) -> Result | None:
        ending = self.adventure.nodes[state.node].ending
        if ending:
            return Result(None, ending)
        stuck = not state.pending and not offers(self.adventure, state)
        return Result(None, "nothing can be done any more") if stuck else None

    def view(self, state: Story, who: str | None) -> SceneView:
        return SceneView(self.adventure.name, self.adventure.nodes[state.node].name, ())

    def sides(self, state: Story) -> Mapping[str, tuple[str, ...]]:
        return {"party": ()}

    def out(self, state: Story) -> frozenset[str]:
        return frozenset()

    def round(self, state: Story) -> int:
        return state.steps

    def took(self, state: Story) -> int:
        return state.walked


def take_offer(adventure: Adventure, story: Story, offer: Offered) -> Story:
    """The story after a choice: an action or a way happens at once, anything else is played first."""
    node = adventure.nodes[story.node]
    if offer.kind == "way":
        way = node.ways[offer.number]
        story = pass_time(story, span(way.takes, adventure.pace))
        return happen(adventure, story, [*way.then, Effect(go=way.to)])
    if offer.kind == "action":
        action = node.actions[offer.number]
        key = f"{story.node}/do:{offer.number}"
        story = pass_time(story, span(action.takes, adventure.pace))
        story = replace(story, done=story.done if action.again else (*story.done, key))
        story = replace(story, news=(action.text,)) if action.text else story
        return happen(adventure, story, action.then)
    return replace(story, pending=offer.key)


def take_outcome(adventure: Adventure, story: Story, outcome: str) -> Story:
    """The story after a request, a fight or a stretch of time has ended."""
    key = f"{story.node}/{story.pending}"
    request, node = request_of(adventure, story), adventure.nodes[story.node]
    story = replace(story, pending="")
    if outcome == CALLED_OFF:
        return story
    if request is not None:
        again = request.again and outcome != "success"
        story = pass_time(story, span(request.takes, adventure.pace), walked=False)
        story = replace(story, done=story.done if again else (*story.done, key))
        return happen(adventure, story, effects_of(request.then, outcome, "failure"))
    story = replace(story, done=(*story.done, key))
    if key.endswith("/fight"):
        assert node.fight is not None
        story = pass_time(story, span(FIGHT_TAKES), walked=False)
        return happen(adventure, story, effects_of(node.fight.then, outcome, "lost"))
    assert node.downtime is not None
    story = pass_time(story, span(node.downtime.passes), walked=False)
    return happen(adventure, story, node.downtime.then)


def effects_of(then: Mapping[str, Effects], outcome: str, otherwise: str) -> Effects:
    """The effects of an outcome; one that is not named has those of the other one: a draw those of a failure, flight those of a defeat."""
    return then.get(outcome, [] if outcome in ("success", "won", otherwise) else then.get(otherwise, []))
