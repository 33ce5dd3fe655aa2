"""Chances counted a second time, by following every face of every roll as a live table does: no sub-procedures, no cache."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from rulewright.dice.reading import weights_of
from rulewright.errors import UserError
from rulewright.play import Choice, Paused, Roll, Together
from rulewright.scenes.chances import RARE, Asked, weigh
from rulewright.scenes.evaluation import GUARD, how_bad

MOST = 4_000
"""How many paths enumeration follows before it gives an option up."""
LOOKED_AHEAD = 3
"""How many random paths tell whether there are too many."""


class TooMany(Exception):
    """More paths than this test has time for."""


def counted(encounter, at, option, decide, most=MOST):
    """The verdicts of an option, by following every face of every roll as a live table does."""
    moment = encounter.moment(at)
    if paths_ahead(moment, option, decide) > 2 * most:
        raise TooMany
    found, paths = Counter(), [((), Fraction(1))]
    followed = 0
    while paths:
        results, weight = paths.pop()
        followed += 1
        if followed + len(paths) > most:
            raise TooMany
        verdict, branches = follow(moment, option, list(results), decide)
        if branches is None:
            found[verdict] += weight
        else:
            total = sum(branches.values())
            paths += [((*results, result), weight * Fraction(share, total)) for result, share in branches.items()]
    return found


def paths_ahead(moment, option, decide):
    """About how many paths an option has: the product of the branches along a path, on average over a few random ones."""
    chance, products = Random(1), []
    for _ in range(LOOKED_AHEAD):
        results, product = [], 1
        while (branches := follow(moment, option, list(results), decide)[1]) is not None:
            results.append(chance.choice(list(branches)))
            product *= len(branches)
        products.append(product)
    return sum(products) / len(products)


def follow(moment, option, results, decide):
    """One path: its verdict, or the results of the next roll if the path's own run out."""
    who, acts = moment.who, moment.requests[moment.at].topic == "act"
    guards = acts and moment.scene.declares and option.verb == GUARD
    suffered, scale = [], moment.scene.asks_for(option)
    told, given, taken_yet, state = [], list(moment.given), False, moment.state
    values, overlaps = dict(moment.values) | {moment.at: option.value}, moment.scene.overlaps

    def tell(event):
        verdict = event.verdict()
        if taken_yet and verdict is not None and guards and verdict.to == who:
            suffered.append(verdict)
        elif taken_yet and verdict is not None and not guards and (verdict.by == who or (not acts and verdict.to == who)):
            told.extend([verdict] if scale in (None, verdict.scale) else [])

    def worst():
        return max(suffered, key=how_bad, default=None)

    for _ in range(moment.scene.followed):
        paused = Paused(moment.scene.step(state), tell)
        while not paused.done and not told:
            if given:
                paused.answer(given.pop(0))
                continue
            pending = paused.pending
            members = pending.requests if isinstance(pending, Together) else (pending,)
            answers = []
            for at, request in enumerate(members):
                if not taken_yet and at in values:
                    answers.append(values[at])
                elif isinstance(request, Roll):
                    if not results:
                        return None, weights_of(request.reading)
                    answers.append(results.pop(0))
                elif isinstance(request, Choice) and taken_yet and request.topic == "act" and (request.who == who or not overlaps):
                    return worst(), None
                else:
                    answers.append(request.take(decide(request)))
            taken_yet = True
            paused.answer(tuple(answers) if isinstance(pending, Together) else answers[0])
        if told:
            return told[0], None
        after = paused.outcome
        if moment.scene.result(after) is not None or (moment.scene.round(after) != moment.scene.round(state) and not overlaps):
            return worst(), None
        if guards and not moment.scene.threatened(after, who):
            return worst(), None
        state = after
    return worst(), None


def checked(encounter, at, decide, options, most=MOST):
    """How many of these options have chances; each must equal the enumeration. An option that cannot be enumerated is evaluated too."""
    moment, found = encounter.moment(at), {}
    for option in options:
        try:
            found[option.key] = counted(encounter, at, option, decide, most)
        except (TooMany, UserError):
            continue
    asked, others = Asked(moment, (None,), decide), [option.key for option in options if option.key not in found][:1]
    chances = {each.key: each for each in weigh(asked, 20, list(found))}
    for key, verdicts in found.items():
        named = Counter()
        for verdict, chance in verdicts.items():
            named["no consequence" if verdict is None else verdict.name] += chance
        if verdicts[None] >= 1 - RARE:
            assert key not in chances or chances[key].ranges or chances[key].why_not
            continue
        shown = chances[key]
        assert not shown.unsettled, shown
        assert {outcome.name: outcome.chance for outcome in shown.outcomes} == pytest.approx(named, abs=1e-12)
        assert sum(outcome.chance for outcome in shown.outcomes) == pytest.approx(1)
    return len(chances) or len(weigh(asked, 1, others))
