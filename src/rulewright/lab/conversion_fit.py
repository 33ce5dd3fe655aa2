"""Duels that check and fit the conversion of people: the original and the converted person, each against an ordinary opponent.

Chances of single tests do not decide a fight alone; games differ in how much a step of skill counts in one. Where the converted person
wins a different share of duels than the original did, their fighting skills move until the shares lie nearest.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from rulewright.build.portrait import FIGHTING, Portrait
from rulewright.conversion import Converted, Side, convert
from rulewright.lab.sampling.sample import sample
from rulewright.scenes.scenarios import Member, Placed, Scenario

CLOSE_KINDS = ("fist", "knife", "sword", "axe", "club", "staff")
CLOSE_TACTICS: tuple[str, ...] = ("brawler", "fencer", "attacker", "swordsman")
FAR_TACTICS: tuple[str, ...] = ("shooter", "marksman", "attacker")
METRES = {True: 1, False: 8}
"""How far apart people begin who fight hand to hand, and who shoot."""
ROUNDS = 60
FIGHTS = 200
CLOSE_ENOUGH = 0.05
ENOUGH = 0.10


class Share(Struct, frozen=True):
    """The share of duels that a person wins against an ordinary opponent, a draw as half a win, and how duels go."""

    share: float
    draws: float
    rounds: float
    fights: int


class Fitted(Struct, frozen=True):
    """A converted person with the duels before and after."""

    converted: Converted
    before: Share
    by_odds: Share
    after: Share

    @property
    def apart(self) -> float:
        """How far the shares lie apart."""
        return abs(self.before.share - self.after.share)


def fights_close(side: Side, portrait: Portrait) -> bool:
    """Whether a person fights hand to hand: by the first weapon."""
    kind_by_name = {item.name: item.kind for item in side.portrayal.weapons(side.rules)}
    kinds = [kind_by_name[name] for name in portrait.weapons if name in kind_by_name]
    return not kinds or kinds[0] in CLOSE_KINDS


def ordinary_opponent(side: Side, weapon: str | None) -> Any:
    """An ordinary person of a game with the weapon: average attributes, and the fighting skills of somebody who has learnt them."""
    ratings: dict[str, int] = {}
    for rating in side.portrayal.ratings(side.rules):
        if rating.attribute or (rating.written and set(rating.covers) & set(FIGHTING)):
            ratings[rating.key] = rating.ordinary
    weapons = () if weapon is None else (weapon,)
    return side.portrayal.build(side.rules, Portrait("Ordinary person", "an ordinary opponent", ratings, weapons, player=False))


def duel(side: Side, person: Any, opponent: Any, *, close: bool, fights: int = FIGHTS, seed: int = 1) -> Share:
    """Play a duel again and again."""
    system, rules = side.system, side.rules
    wanted = CLOSE_TACTICS if close else FAR_TACTICS
    tactic = next((system.tactics[name] for name in wanted if name in system.tactics), next(iter(system.tactics.values())))
    scenario = Scenario(system.id, "scenario", "Duel", {"one": [Member("one")], "other": [Member("other")]}, rounds=ROUNDS)
    placed = (Placed(person, "One", "one", (0, 0), {}), Placed(opponent, "Other", "other", (METRES[close], 0), {}))
    scene = system.scene(rules)
    state = system.begin(rules, scenario, placed)
    result = sample(scene, state, tactic, fights, question="win", rounds=ROUNDS, seed=seed, tables=False)
    mine, theirs = result.sides["one"].chance, result.sides["other"].chance
    draws = max(0.0, 1 - mine - theirs)
    rounds = sum(count * end.round for end, count in result.counts.items()) / max(1, sum(result.counts.values()))
    return Share(round(mine + draws / 2, 4), round(draws, 4), round(rounds, 2), result.n)


def fit(thing: Any, source: Side, target: Side, fights: int = FIGHTS, seed: int = 1) -> Fitted:
    """Convert a person, and move the fighting skills until duels against a converted ordinary opponent go as they did."""
    portrait = source.portrayal.read(source.rules, thing)
    close = fights_close(source, portrait)
    known = {item.name for item in source.portrayal.weapons(source.rules)}
    opponent = ordinary_opponent(source, next((name for name in portrait.weapons if name in known), None))
    before = duel(source, thing, opponent, close=close, fights=fights, seed=seed)
    other = convert(opponent, source, target).result
    tried: dict[int, tuple[Converted, Share]] = {}

    def attempt(steps: int) -> float:
        if steps not in tried:
            converted = convert(thing, source, target, steps)
            same = next((share for known, share in tried.values() if known.result == converted.result), None)
            share = same or duel(target, converted.result, other, close=close, fights=fights, seed=seed)
            tried[steps] = (converted, share)
        return tried[steps][1].share - before.share

    _search(attempt, _widest(target))
    near = [steps for steps, (_, share) in tried.items() if abs(share.share - before.share) <= CLOSE_ENOUGH]
    best = min(near, key=abs) if near else min(tried, key=lambda steps: abs(tried[steps][1].share - before.share))
    return Fitted(tried[best][0], before, tried[0][1], tried[best][1])


def _widest(target: Side) -> int:
    """The most steps that a fighting skill can move."""
    return max(
        max(rating.high, rating.in_play) - rating.low
        for rating in target.portrayal.ratings(target.rules)
        if set(rating.covers) & set(FIGHTING)
    )


def _search(attempt: Callable[[int], float], widest: int) -> None:
    """Find by halving where the difference changes its sign; more steps never make somebody weaker."""
    difference = attempt(0)
    if abs(difference) <= CLOSE_ENOUGH:
        return
    low, high = (-widest, 0) if difference > 0 else (0, widest)
    while high - low > 1:
        middle = (low + high) // 2
        difference = attempt(middle)
        if abs(difference) <= CLOSE_ENOUGH:
            return
        low, high = (low, middle) if difference > 0 else (middle, high)
    for steps in (low, high):
        attempt(steps)
