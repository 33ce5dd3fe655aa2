"""Routes through an adventure to its endings, found at random: what is chosen, and how each request and fight ends."""

from random import Random

from rulewright.adventure.format import Adventure
from rulewright.adventure.scene import Offered, offers, outcomes, take_offer, take_outcome
from rulewright.adventure.story import begin_story

Step = tuple[str, str]
"""What is done: `choose` and the key of an option, or `finish` and an outcome."""
MOST_STEPS, SEARCHES = 200, 300


def route(adventure: Adventure, seed: int, only: frozenset[str] = frozenset()) -> tuple[str, list[Step], list[str]]:
    """One random route: its ending (empty if it has none), its steps, and the words of its choices. `only` are the kinds of offers."""
    random, story, steps, labels = Random(seed), begin_story(adventure), list[Step](), list[str]()
    while len(steps) < MOST_STEPS:
        if story.pending:
            outcome = random.choice(outcomes(adventure, story))
            if story.pending != "downtime":  # which ends as soon as it is chosen
                steps.append(("finish", outcome))
            story = take_outcome(adventure, story, outcome)
            continue
        offered: list[Offered] = [offer for offer in offers(adventure, story) if not only or offer.kind in only]
        if not offered:
            break
        offer = random.choice(offered)
        steps.append(("choose", offer.key))
        labels.append(offer.label)
        story = take_offer(adventure, story, offer)
    return adventure.nodes[story.node].ending, steps, labels


def routes_to_endings(adventure: Adventure, only: frozenset[str] = frozenset()) -> dict[str, tuple[list[Step], list[str]]]:
    """The shortest route to each ending that random routes find."""
    shortest: dict[str, tuple[list[Step], list[str]]] = {}
    for seed in range(SEARCHES):
        ending, steps, labels = route(adventure, seed, only)
        if ending and (ending not in shortest or len(steps) < len(shortest[ending][0])):
            shortest[ending] = steps, labels
    return shortest
