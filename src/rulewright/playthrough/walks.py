"""Random walks through an adventure: which endings they reach, how long they take, and how the fights end."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal

from msgspec import Struct

from rulewright.adventure.scene import offers, outcomes, request_of, take_offer, take_outcome
from rulewright.adventure.story import Story, begin_story
from rulewright.adventure.view import leaks
from rulewright.play import Seeded
from rulewright.playthrough.loader import Opened
from rulewright.playthrough.scenes import Companion, best_chance, chances_of, outcome_of, party_of, stage_fight
from rulewright.scenes.encounter import Encounter

MOST_STEPS = 600
"""A walk that takes longer has no ending."""
FIGHTS = 24
"""How often each fight is played with tactics; walks draw from the results."""
Luck = Literal["fair", "good", "bad"]
"""Whether results are drawn by their chances, or always the best or the worst."""


class Walked(Struct, frozen=True):
    """One walk: its ending (empty if it has none), its steps, its time in the story, and how often a fight was lost."""

    ending: str
    steps: int
    seconds: int
    visited: tuple[str, ...]
    lost: int
    wrong: tuple[str, ...] = ()
    """What it found wrong on the way."""


class Walks(Struct, frozen=True):
    """Many walks together."""

    number: int
    endings: dict[str, int]
    steps: tuple[int, int, int]
    """The shortest, the median and the longest."""
    seconds: tuple[int, int, int]
    visits: dict[str, int]
    fights: dict[str, dict[str, int]]
    """The results of each fight, played with tactics by the ready-made party."""
    wrong: tuple[str, ...]


class Walker:
    """Walks through one adventure. Chances and results of fights are computed once."""

    def __init__(self, opened: Opened, seed: int = 1, party: Sequence[Companion] | None = None, fights: int = FIGHTS) -> None:
        self.opened, self.seed, self.number_of_fights = opened, seed, fights
        self.party = party_of(opened.party) if party is None else tuple(party)
        self._chances: dict[str, float | None] = {}
        self.fights: dict[str, Counter[str]] = {}

    def walk(self, number: int, luck: Luck = "fair") -> Walked:
        """One walk. The same seed and number give the same one."""
        random, adventure = Random(f"{self.seed} {number} {luck}"), self.opened.adventure
        story, lost, wrong, steps = begin_story(adventure), 0, list[str](), 0
        for steps in range(MOST_STEPS):  # noqa: B007
            wrong += [f"{adventure.nodes[story.node].name}: players see {secret[:60]!r}" for secret in leaks(adventure, story)]
            if story.pending:
                outcome = self._outcome(story, random, luck)
                lost += outcome in ("lost", "fled")
                story = take_outcome(adventure, story, outcome)
                continue
            offered = offers(adventure, story)
            if not offered:
                break
            fresh = [
                offer for offer in offered if offer.kind != "way" or adventure.nodes[story.node].ways[offer.number].to not in story.visited
            ]
            story = take_offer(adventure, story, random.choice(fresh if fresh and random.random() < 0.6 else offered))
        node = adventure.nodes[story.node]
        if not node.ending:
            wrong.append(f"{node.name}: a walk does not come to an ending")
        return Walked(node.ending, steps, story.clock, story.visited, lost, tuple(dict.fromkeys(wrong)))

    def _outcome(self, story: Story, random: Random, luck: Luck) -> str:
        possible = outcomes(self.opened.adventure, story)
        if len(possible) == 1:
            return possible[0]
        request = request_of(self.opened.adventure, story)
        if request is not None:
            if luck != "fair":
                return "success" if luck == "good" else "failure"
            chance = self.chance(story.node, int(story.pending.partition(":")[2]))
            return "success" if random.random() < (0.5 if chance is None else chance) else "failure"
        if luck != "fair":
            return "won" if luck == "good" else "lost"
        results = self.fight(story.node)
        return random.choices(list(results), list(results.values()))[0]

    def chance(self, node: str, number: int) -> float | None:
        """The chance of a request for the party."""
        key = f"{node}/{number}"
        if key not in self._chances:
            request = self.opened.adventure.nodes[node].requests[number]
            self._chances[key] = best_chance(request, chances_of(self.opened, request, self.party))
        return self._chances[key]

    def fight(self, node: str) -> Counter[str]:
        """How the fight of a node ends, played with tactics several times."""
        fight = self.opened.adventure.nodes[node].fight
        assert fight is not None
        if node not in self.fights:
            staged = stage_fight(self.opened, fight.scenario, self.party)
            results: Counter[str] = Counter()
            for number in range(self.number_of_fights):
                encounter = Encounter.begin(staged.scene, staged.state)
                encounter.play_out(Seeded(1_000 * self.seed + number), staged.decide)
                results[outcome_of(encounter, list(fight.then))] += 1
            self.fights[node] = results
        return self.fights[node]

    def walks(self, number: int, luck: Luck = "fair") -> Walks:
        """Many walks, summed up."""
        walked = [self.walk(index, luck) for index in range(number)]
        steps, seconds = sorted(walk.steps for walk in walked), sorted(walk.seconds for walk in walked)
        endings = Counter(walk.ending for walk in walked if walk.ending)
        visits = Counter(node for walk in walked for node in walk.visited)
        wrong = tuple(dict.fromkeys(words for walk in walked for words in walk.wrong))
        fights = {node: dict(results.most_common()) for node, results in self.fights.items()}
        return Walks(number, dict(endings.most_common()), _spread(steps), _spread(seconds), dict(visits), fights, wrong)


def _spread(values: list[int]) -> tuple[int, int, int]:
    return values[0], values[len(values) // 2], values[-1]
