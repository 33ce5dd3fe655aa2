"""Merit in several organizations at once, each with its own total and rank (book lines 1263-1300)."""

from msgspec import Struct

from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, term, total
from rulewright.systems.foresight.people.backgrounds import STARTING_MERIT, rank
from rulewright.systems.foresight.people.characters import Character, MeritGained
from rulewright.systems.foresight.resolution.tests import half_up


class Repute(Struct, frozen=True):
    """How a person stands in an organization; the one of the character's own career may have no name."""

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
    totals = {name: sum([int(reason.value) for reason in reasons]) for name, reasons in terms.items()}
    counted = {candidate.organization: candidate.counts for candidate in character.merit}
    reputes = []
    for name, own in terms.items():
        shares = [
            _merit(f"{percent} % of {totals.get(other, 0)} ({other})", half_up(totals.get(other, 0) * percent / 100))
            for other, percent in counted.get(name, {}).items()
            if other != name
        ]
        every = [*own, *shares]
        points = total("merit points", *every, rule="fs-merit-points")
        reputes.append(Repute(name, points, rank(rules, points.value)))
    return tuple(reputes)


def _merit(label: str, points: int) -> Reason:
    return term(label, points, rule="fs-merit-points")


def _earned(rules: Ruleset, character: Character) -> dict[str, list[Reason]]:
    """The merit earned in each organization itself."""
    gained = [entry for entry in character.experience if isinstance(entry, MeritGained)]
    gains = [
        *[(candidate.organization, candidate.points) for candidate in character.merit],
        *[(merit_gained.organization, merit_gained.points) for merit_gained in gained],
    ]
    names = [organization for organization, _ in gains]
    brought = [candidate for candidate in character.background if candidate.merit]
    if not names and not brought:
        return {}
    reasons_by_name: dict[str, list[Reason]] = {name: [] for name in names or [""]}
    home, most = next(iter(reasons_by_name)), STARTING_MERIT.of(rules, "inside, at most")
    reasons_by_name[home] += [_merit(candidate.called or candidate.factor, max(0, min(most, candidate.merit))) for candidate in brought]
    for organization, points in gains:
        reasons_by_name[organization].append(_merit(organization, points))
    return reasons_by_name
