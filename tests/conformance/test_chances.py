"""The chance beside an option is the chance: the scene played on from there, counted a second time by plain enumeration."""

from collections import Counter
from fractions import Fraction

import pytest

from conformance.games import demos, staged, taken
from rulewright.dice.reading import weights_of
from rulewright.errors import Wrong
from rulewright.play import Choice, Paused, Roll, Seeded, Together
from rulewright.scenes.chances import RARE, STEPS, Asked, weigh
from rulewright.scenes.encounter import Encounter

MOST = 4_000
"""Paths that plain enumeration follows before it gives an option up."""
HELD = ("pebbles", "foresight", "hybrid", "scumm", "silhouette")
"""The games whose options have their chances from their own steps so far; it grows until it is all of them."""

scenarios = pytest.mark.parametrize("name", [one for one in demos("scenario") if taken(one).system.id in HELD])


class TooMany(Exception):
    """More paths than this test has time for."""


def counted(encounter, at, option, decide):
    """The verdicts of an option by following every face of every roll with what a live table is made of: no parts, no memory."""
    moment = encounter.moment(at)
    who, acts = moment.who, moment.requests[at].topic == "act"
    found, paths = Counter(), [((), Fraction(1))]
    followed = 0
    while paths:
        results, weight = paths.pop()
        followed += 1
        if followed + len(paths) > MOST:
            raise TooMany
        verdict, branches = follow(moment, option, list(results), decide, who, acts)
        if branches is None:
            found[verdict] += weight
        else:
            total = sum(branches.values())
            paths += [((*results, result), weight * Fraction(share, total)) for result, share in branches.items()]
    return found


def follow(moment, option, results, decide, who, acts):
    """One path: its verdict, or the results of the next roll where the path's own run out."""
    told, given, taken_yet, state = [], list(moment.given), False, moment.state
    values, overlaps = dict(moment.values) | {moment.at: option.value}, moment.scene.overlaps

    def tell(event):
        verdict = event.verdict()
        if taken_yet and verdict is not None and (verdict.by == who or (not acts and verdict.to == who)):
            told.append(verdict)

    for _ in range(STEPS):
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
                    return None, None
                else:
                    answers.append(request.take(decide(request)))
            taken_yet = True
            paused.answer(tuple(answers) if isinstance(pending, Together) else answers[0])
        if told:
            return told[0], None
        after = paused.outcome
        if moment.scene.result(after) is not None or (moment.scene.round(after) != moment.scene.round(state) and not overlaps):
            return None, None
        state = after
    return None, None


@scenarios
def test_the_chance_beside_an_option_is_that_of_playing_on(name):
    found = staged(name)
    encounter, dice = Encounter.begin(found.scene, found.state), Seeded(3)
    looked_at = weighed_at_all = 0
    while encounter.open and looked_at < 6:
        at, request = encounter.open[0]
        if isinstance(request, Choice) and isinstance(request.options, tuple) and len(request.options) > 1:
            looked_at += 1
            chances = {each.key: each for each in weigh(Asked(encounter.moment(at), (None,), found.decide), 20)}
            weighed_at_all += len(chances)
            for option in request.options[:4]:
                try:
                    verdicts = counted(encounter, at, option, found.decide)
                except (TooMany, Wrong):
                    continue
                named = Counter()
                for verdict, chance in verdicts.items():
                    named["nothing comes of it" if verdict is None else verdict.name] += chance
                if verdicts[None] >= 1 - RARE:
                    assert option.key not in chances
                    continue
                shown = chances[option.key]
                assert not shown.unsettled
                assert {outcome.name: outcome.chance for outcome in shown.outcomes} == pytest.approx(named, abs=1e-12)
                assert sum(outcome.chance for outcome in shown.outcomes) == pytest.approx(1)
        if not encounter.advance(dice, found.decide):
            break
    assert looked_at
    assert weighed_at_all
