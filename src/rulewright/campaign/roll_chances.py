"""The exact chances of a roll request before anybody rolls: of each person with each test, and of the joint result."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.campaign.requests.attempts import Chosen, attempted
from rulewright.campaign.requests.rule_calls import called_procedure, described
from rulewright.campaign.roll_request import Attempt, Attempted, Join, RollRequest, Take, Verdict, Way, joined_verdict
from rulewright.campaign.roll_scene import RollScene
from rulewright.play import Play, sub
from rulewright.play.odds import Budget, Odds, exact

Ranked = tuple[float, Verdict | None, int]
"""A result's rank, its verdict, and how far it brings an extended task."""
Spread = dict[Ranked, Fraction]


class WayChance(Struct, frozen=True):
    """The chance of success with one test; None if the test has no verdict, or if counting it takes too long."""

    key: str
    label: str
    chance: float | None
    take: bool = False
    """Whether more time is taken for it."""
    verdicts: tuple[tuple[str, float], ...] = ()
    """The chance of each verdict."""


class PersonChance(Struct, frozen=True):
    """The chances of one person: the best of their tests first counts in the joint result."""

    name: str
    ways: tuple[WayChance, ...]

    @property
    def best(self) -> float | None:
        """The chance with the best test, without taking more time."""
        known = [way.chance for way in self.ways if way.chance is not None and not way.take]
        return max(known) if known else None


class RequestChances(Struct, frozen=True):
    """The chances of everybody who is asked, and of the joint result (None if each counts alone)."""

    people: tuple[PersonChance, ...]
    joint: float | None


def request_chances(scene: RollScene, request: RollRequest, seconds: float = 1.0) -> RequestChances:
    """Compute the chances of a request, everybody with the best of their tests, without boosts."""
    budget = Budget(seconds=seconds)
    people: list[PersonChance] = []
    spreads: list[Spread | None] = []
    chosen: list[Chosen] = []
    for attempt in request.attempts:
        spread_by_way = {way.key: _spread(scene, request, attempt, Chosen(way), budget) for way in attempt.ways}
        ways = [_way_chance(way, None, spread_by_way[way.key]) for way in attempt.ways]
        best = max(attempt.ways, key=lambda way: _worth(request, spread_by_way[way.key]))
        ways += [
            _way_chance(way, take, _spread(scene, request, attempt, Chosen(way, 0, take), budget))
            for way in attempt.ways
            for take in way.takes
        ]
        people.append(PersonChance(attempt.name, tuple(ways)))
        spreads.append(spread_by_way[best.key])
        chosen.append(Chosen(best))
    known = [spread for spread in spreads if spread is not None]
    joint = None
    if len(known) == len(spreads):
        if request.goal:
            joint = _reaches(request, known)
        elif len(spreads) > 1 and all(_success(spread) is not None for spread in known):
            shared = request.one_roll and any(attempt.against for attempt in request.attempts)
            joint = _joint_of_shared(scene, request, chosen, budget) if shared else _joint(request.joined, known)
    return RequestChances(tuple(people), joint)


def attempt_outcome(scene: RollScene, request: RollRequest, attempt: Attempt, chosen: Chosen) -> Play[Ranked]:
    """Plays one attempt for its rank, verdict and gain alone."""
    result = yield from attempted(scene.resolver(replace(request, attempts=(attempt,))), attempt, chosen)
    return result.rank, result.verdict, result.gain


def _spread(scene: RollScene, request: RollRequest, attempt: Attempt, chosen: Chosen, budget: Budget) -> Spread | None:
    odds = _odds(scene, request, attempt, chosen, budget)
    return None if odds.unsettled else {outcome: Fraction(weight, odds.total) for outcome, weight in odds.weights.items()}


def _odds(scene: RollScene, request: RollRequest, attempt: Attempt, chosen: Chosen, budget: Budget) -> Odds[Ranked]:
    """The odds of one attempt. What depends on one test alone is solved by that test."""
    resolver, called = scene.resolver(request), chosen.way.called
    if called is not None:
        odds = exact(sub(called_procedure, scene.rules, called), budget=budget)
        return odds.map(lambda outcome: (0, described(outcome, resolver.show)[1], 0))
    if attempt.others or (chosen.take is not None and not chosen.take.notation):
        return exact(sub(attempt_outcome, scene, request, attempt, chosen), budget=budget)

    def ranked(outcome: Any) -> Ranked:
        result = resolver.result(attempt, chosen, outcome, 0)
        return result.rank, result.verdict, result.gain

    return exact(resolver.parse(scene.rules, chosen.notation), budget=budget).map(ranked)


def _way_chance(way: Way, take: Take | None, spread: Spread | None) -> WayChance:
    key, label = (way.key, way.label) if take is None else (f"{way.key}~{take.name}", f"{way.label}, {take.name}: {take.words}")
    shares: dict[str, float] = {}
    if spread is not None:
        for (_, verdict, _), share in spread.items():
            if verdict is not None:
                shares[verdict] = shares.get(verdict, 0.0) + float(share)
    ordered = tuple((verdict, shares[verdict]) for verdict in ("failure", "draw", "success") if verdict in shares)
    return WayChance(key, label, _success(spread), take is not None, ordered)


def _success(spread: Spread | None) -> float | None:
    if spread is None or any(verdict is None for _, verdict, _ in spread):
        return None
    return float(sum((weight for (_, verdict, _), weight in spread.items() if verdict == "success"), Fraction()))


def _worth(request: RollRequest, spread: Spread | None) -> float:
    """How good a test is for the request: its chance, or what it gathers for an extended task."""
    if spread is not None and request.goal:
        return float(sum((share * gain for (_, _, gain), share in spread.items()), Fraction()))
    success = _success(spread)
    return -1.0 if success is None else success


def _reaches(request: RollRequest, spreads: list[Spread]) -> float:
    """The chance that an extended task reaches its goal within the tests that it allows."""
    round_gain: dict[int, Fraction] = {0: Fraction(1)}
    for spread in spreads:
        round_gain = _added(round_gain, _gains(spread), request.goal)
    total = {min(request.progress, request.goal): Fraction(1)}
    for _ in range(request.tries - request.tried):
        total = _added(total, round_gain, request.goal)
    return float(total.get(request.goal, Fraction()))


def _gains(spread: Spread) -> dict[int, Fraction]:
    gains: dict[int, Fraction] = {}
    for (_, _, gain), share in spread.items():
        gains[gain] = gains.get(gain, Fraction()) + share
    return gains


def _added(sums: Mapping[int, Fraction], other: Mapping[int, Fraction], most: int) -> dict[int, Fraction]:
    """The distribution of a sum that is cut off at `most`; what has reached it stays."""
    added: dict[int, Fraction] = {}
    for first, share in sums.items():
        for second, weight in other.items() if first < most else ((0, Fraction(1)),):
            total = min(most, first + second)
            added[total] = added.get(total, Fraction()) + share * weight
    return added


def _joint(joined: Join, spreads: list[Spread]) -> float | None:
    """The chance of a joint success, everybody rolling independently."""
    if joined == "each":
        return None
    if joined in ("best", "worst"):
        return _success(_extreme(spreads, 1 if joined == "best" else -1))
    successes = [Fraction(1)]
    for spread in spreads:
        chance = sum((weight for (_, verdict, _), weight in spread.items() if verdict == "success"), Fraction())
        one_more = [Fraction(), *[share * chance for share in successes]]
        successes = [share * (1 - chance) + more for share, more in zip([*successes, Fraction()], one_more, strict=True)]
    needed = {"any": 1, "all": len(spreads), "most": len(spreads) // 2 + 1}[joined]
    return float(sum(successes[needed:], Fraction()))


def _joint_of_shared(scene: RollScene, request: RollRequest, chosen: list[Chosen], budget: Budget) -> float | None:
    """The chance of a joint success where one roll of an opponent counts against several people."""
    if request.joined == "each":
        return None
    odds = exact(sub(_joint_verdict, scene, request, tuple(chosen)), budget=budget)
    return None if odds.unsettled else float(odds["success"])


def _joint_verdict(scene: RollScene, request: RollRequest, chosen: tuple[Chosen, ...]) -> Play[Verdict | None]:
    resolver = scene.resolver(request)
    results: list[Attempted] = []
    for attempt, choice in zip(request.attempts, chosen, strict=True):
        results.append((yield from attempted(resolver, attempt, choice)))
    return joined_verdict(request.joined, tuple(results))


def _extreme(spreads: list[Spread], sign: int) -> Spread:
    """The distribution of the best (sign 1) or worst (sign -1) result; of equal ranks the first person's counts."""
    combined, *rest = spreads
    for spread in rest:
        merged: Spread = {}
        for first, share in combined.items():
            for second, weight in spread.items():
                winner = second if sign * second[0] > sign * first[0] else first
                merged[winner] = merged.get(winner, Fraction()) + share * weight
        combined = merged
    return combined
