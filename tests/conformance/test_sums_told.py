"""Every roll is told: a log line after it names its result, with the terms behind it, whether the roll passes or fails.

| roll | the line after it |
|---|---|
| a total (silhouette: attack 8) | has a sum in which the number occurs |
| a percentile test | has a sum with the chance, one for each such roll |
| a pool of sets | names one of the sets or says that there is none; a line of the round has the sum of the dice |
| a table (hit location) | names the row |
"""

import re

import pytest

from conformance.games import demos, seeds
from conformance.random_play import steps_of
from rulewright.dice import HighestDie, Total
from rulewright.dice.sums import Sum
from rulewright.play import Event, Reckoned, Roll
from rulewright.play.drivers import Rolled
from rulewright.rules.reasons import term

MOST_STEPS = 80
BOLDNESS = 0.25
NO_SET = ("no set", "fail", "nothing", "miss", "no effect")


def nodes(event):
    return [reason for root in event.reasons() for _, reason in root.walk()]


def number_of(result):
    """The number of a result that is one, or has a total."""
    value = getattr(result, "total", result)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def before_modifiers(result):
    """The number of a result before modifiers, if it has one."""
    shown = getattr(result, "shown", None)
    return None if shown is None else shown()


def first_name(who):
    """The first word of a name without its number."""
    return (who.rstrip("0123456789 ").split() or [""])[0]


class Told:
    """Which rolls of a scene were told so far."""

    def __init__(self):
        self.pending = []
        self.pools = set()
        """Words of lines with a sum: whose dice were told."""
        self.before = []
        """Chances that this step told before the roll: the words of the line, and the term."""

    def begin_step(self):
        self.pending, self.before = [], []

    def hear(self, event):
        left, words = nodes(event), event.headline()
        if left:
            self.pools.update(words.replace(":", " ").replace("'s", " ").split())
        chances = [(words, reason) for reason in left if "chance" in reason.label.lower()]
        for chance in list(chances):
            self._match_chance(*chance) and chances.remove(chance)
        self.pending = [rolled for rolled in self.pending if not self._tells(words, left, rolled)]
        self.before += chances

    def _match_chance(self, words, reason):
        """Whether a chance belongs to a pending percentile roll: of the person in its label, else of one named in the line."""
        tests = [rolled for rolled in self.pending if rolled.roll.reading.sides() == (100,)]
        for text in (reason.label, words):
            for rolled in reversed(tests):
                if first_name(rolled.roll.by) in text and (text is words or ":" in text):
                    self.pending.remove(rolled)
                    return True
        return False

    def _tells(self, words, left, rolled):
        """Whether a line tells a roll; uses up the term that does."""
        sides, name, result = rolled.roll.reading.sides(), first_name(rolled.roll.by), rolled.result
        if sides == (100,) and "location" not in rolled.roll.what:
            used = [chance for chance in self.before if name in chance[0]] if name in words else []
            self.before = [chance for chance in self.before if chance not in used[:1]]
            return bool(used)
        number = number_of(result)
        pool = len(sides) > 1 or number is None or not isinstance(rolled.roll.reading, Sum)
        if set(sides) == {10} and pool and not isinstance(result, str):
            return self._tells_sets(words, left, rolled)
        if number is None:
            row = re.compile(rf"\b(?:qr)?{re.escape(str(result).lower())}\b")
            return bool(row.search(words.lower())) or any(row.search(f"{reason.label} {reason.value}".lower()) for reason in left)
        plain = number is result and re.search(rf"\b{number}\b", words)
        told = bool(plain) or _use(left, lambda reason: reason.value in (number, -number))
        return told or _use(left, lambda reason: reason.value == before_modifiers(result))

    def _tells_sets(self, words, left, rolled):
        """Whether a line names a set of a pool, or says that there is none, and the sum of the dice was told in the same round."""
        name, sets = first_name(rolled.roll.by), re.findall(r"(\d+), (\d+)", str(rolled.result))
        if any(f"{width}x{height}" in words for width, height in sets):
            return True
        heights = any(f"x{height}" in words for _, height in sets)
        named = heights or bool(left) or not sets or any(word in words for word in NO_SET)
        return named and name in words and (not name or name in self.pools)


def _use(left, fits):
    """Uses up a term that fits, with the terms behind it: the smallest sum, else a term without a sum. False if there is none."""
    sums = [reason for reason in left if fits(reason)]
    if not sums:
        return False
    sizes = [len(list(reason.walk())) for reason in sums]
    best = min(range(len(sums)), key=lambda at: (sizes[at] == 1, sizes[at]))
    used = {id(reason) for _, reason in sums[best].walk()}
    left[:] = [reason for reason in left if id(reason) not in used]
    return True


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_every_roll_is_told_with_its_sum(name, seed):
    told, untold = Told(), {}
    for _, _, stream in steps_of(name, seed, MOST_STEPS, BOLDNESS):
        told.begin_step()
        for entry in stream:
            if isinstance(entry, Rolled):
                if entry.faces:
                    told.pending.append(entry)
            elif isinstance(entry, Event) and entry.logged:
                told.hear(entry)
        lines = [entry.headline() for entry in stream if isinstance(entry, Event) and entry.logged]
        for rolled in told.pending:
            untold.setdefault(rolled.roll.what, f"{rolled.roll.by}: {rolled.result}; told: {lines}")
    assert untold == {}


def test_a_roll_without_a_sum_would_be_found():
    rolled = Rolled(Roll(HighestDie(2, 1), "Ana", "attack"), (3, 5), Total(6))
    for sums, untold in (((), 1), ((term("attack", 4),), 1), ((term("attack", 6),), 0)):
        told = Told()
        told.pending = [rolled]
        told.hear(Reckoned(who="Ana", what="misses", sums=sums))
        assert len(told.pending) == untold
