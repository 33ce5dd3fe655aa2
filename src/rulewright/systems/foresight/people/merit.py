"""Merit in several organizations at once, each with its own total and rank (book lines 1263-1300)."""

from msgspec import Struct

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.foresight.people.backgrounds import STARTING_MERIT, rank
from rulewright.systems.foresight.people.characters import Character, MeritGained
from rulewright.systems.foresight.resolution.tests import half_up


class Repute(Struct, frozen=True):
    """How somebody stands in an organization; the one of the character's own career may have no name."""

    organization: str
    points: Derived[int]
    rank: int


@rule("fs-merit-points")
def repute(rules: Ruleset, character: Character) -> tuple[Repute, ...]:
    """Merit and rank in every organization, kept apart, the character's own career first.

    What background factors brought belongs to the first organization that is named (ruling). A share of another organization's own
    merit counts where the file says so, and what is counted there is not handed on.
    """
    terms = _earned(rules, character)
    totals = {name: sum([int(each.value) for each in found]) for name, found in terms.items()}
    counted = {each.organization: each.counts for each in character.merit}
    found = []
    for name, own in terms.items():
        shares = [
            _merit(f"{percent} % of {totals.get(other, 0)} ({other})", half_up(totals.get(other, 0) * percent / 100))
            for other, percent in counted.get(name, {}).items()
            if other != name
        ]
        every = [*own, *shares]
        points = total("merit points", *every, rule="fs-merit-points")
        found.append(Repute(name, points, rank(rules, points.value)))
    return tuple(found)


def _merit(label: str, points: int) -> Reason:
    return term(label, points, rule="fs-merit-points")


def _earned(rules: Ruleset, character: Character) -> dict[str, list[Reason]]:
    """What was earned in each organization itself."""
    gained = [entry for entry in character.experience if isinstance(entry, MeritGained)]
    gains = [*[(each.organization, each.points) for each in character.merit], *[(each.organization, each.points) for each in gained]]
    names = [organization for organization, _ in gains]
    brought = [each for each in character.background if each.merit]
    if not names and not brought:
        return {}
    found: dict[str, list[Reason]] = {name: [] for name in names or [""]}
    home, most = next(iter(found)), STARTING_MERIT.of(rules, "inside, at most")
    found[home] += [_merit(each.called or each.factor, max(0, min(most, each.merit))) for each in brought]
    for organization, points in gains:
        found[organization].append(_merit(organization, points))
    return found
