"""ECM and ECCM (book lines 4788-4800): the printed effects a second time, both sides of every border, odds counted by hand."""

import pytest

from rulewright.play import script
from rulewright.play.odds import exact
from rulewright.systems.silhouette.detection.active import sweep
from rulewright.systems.silhouette.detection.concealment import Watched, Watcher
from rulewright.systems.silhouette.detection.jamming import (
    EFFECTS,
    Jam,
    counter,
    jam,
    jammers,
    message,
    spoof,
    spoofed,
    strongest,
)
from rulewright.systems.silhouette.detection.line_of_sight import Hex, Lay
from rulewright.systems.silhouette.machines.machine import machine
from rulewright.systems.silhouette.machines.vehicle import Fitted, Movement, Vehicle
from rulewright.systems.silhouette.resolution.tests import Mod, Pool
from rulewright.systems.silhouette.settings import BOOK

RULES = BOOK.ruleset()


def warfare_pool(level, rating, name):
    """Information Warfare with the rating of a system."""
    return Pool(level, hero=False).plus(Mod(name, rating))


def test_ecm_has_three_effects_and_eccm_two():
    assert {name: row.system for name, row in EFFECTS(RULES).items()} == {
        "jam communications": "ecm",
        "degrade sensors": "ecm",
        "spoof": "ecm",
        "counteract": "eccm",
        "shorten": "eccm",
    }


def test_the_roll_of_a_jammer_is_what_others_must_beat():
    came = script(jam(RULES, warfare_pool(2, 1, "ECM"), 5, "degrade sensors", "Ann"), [(4, 3)], []).outcome
    assert came == Jam("Ann", "degrade sensors", 5, 5)


def test_a_fumbled_jammer_counts_1_plus_its_modifiers_lines_611_and_4792():
    assert script(jam(RULES, warfare_pool(2, 3, "ECM"), 5), [(1, 1)], []).outcome.threshold == 4


def test_a_jammer_covers_what_happens_or_begins_within_its_range():
    active = Jam("Ann", "jam communications", 4, 3)
    assert active.covers(3)
    assert active.covers(9, 2)
    assert not active.covers(3.05, 4)


def test_every_jammer_that_was_bought_counts_by_itself():
    carrier = Vehicle(
        name="It", size=6, armor=9, movement=(Movement("ground", 10),), perks=(Fitted("ecm", 2, amount=3), Fitted("ecm", 1, amount=5))
    )
    assert jammers(machine(RULES, carrier), "ecm") == ((2, 3), (1, 5))
    assert jammers(machine(RULES, carrier), "eccm") == ()
    spent = Vehicle(name="It", movement=(Movement("ground", 5),), perks=(Fitted("ecm", 0, amount=0),))
    assert jammers(machine(RULES, spent), "ecm") == ((0, 0),)


def test_the_strongest_of_several_jammers_counts():
    both = (Jam("a", "jam communications", 4, 3), Jam("b", "jam communications", 6, 3), Jam("c", "spoof", 9, 3))
    assert strongest(both, "jam communications") == 6
    assert strongest(both, "degrade sensors") is None


@pytest.mark.parametrize(("faces", "through"), [((4,), False), ((5,), True), ((1,), False)])
def test_a_message_must_beat_the_jammer(faces, through):
    assert script(message(RULES, warfare_pool(1, 0, "set"), 4), [faces], []).outcome.through == through


@pytest.mark.parametrize(("own", "theirs", "threshold"), [((6,), (2,), 1), ((4,), (4,), 5), ((2,), (6,), 5)])
def test_eccm_takes_its_margin_from_what_the_jammer_asks_for(own, theirs, threshold):
    active = Jam("Ann", "degrade sensors", 5, 4)
    came = script(counter(RULES, warfare_pool(1, 0, "ECCM"), warfare_pool(1, 0, "ECM"), active), [own, theirs], []).outcome
    assert came.jam.threshold == threshold
    assert came.jam.reach == 4


def test_eccm_takes_its_margin_in_kilometres_from_how_far_a_jammer_reaches():
    active = Jam("Ann", "degrade sensors", 5, 4)
    came = script(counter(RULES, warfare_pool(1, 0, "ECCM"), warfare_pool(1, 0, "ECM"), active, "shorten"), [(6,), (1,)], []).outcome
    assert (came.jam.threshold, came.jam.reach) == (5, 0)


@pytest.mark.parametrize(("faces", "holds"), [((4,), False), ((5,), True), ((6,), True)])
def test_spoofing_is_a_second_defense_and_a_tie_is_enough(faces, holds):
    assert spoofed(script(spoof(RULES, warfare_pool(1, 0, "ECM"), 5), [faces], []).outcome) == holds


def test_a_sweep_under_jamming_must_beat_the_jammer_or_what_it_fails_by_hides_the_target():
    """Against a Concealment of 2: a 4 beats it alone; under a jammer of 5 the 4 fails by 1, and must beat 3, which it does; a 3 fails by
    2 and must beat 4."""
    lay = Lay(between=((Hex(2),),), hexes=2)
    watcher = Watcher(1, 0, 40)

    def came(face, jammer):
        return script(sweep(RULES, watcher, lay, Watched(size=20), jam=jammer), [(face,)], []).outcome

    assert came(4, 5).found
    assert came(4, 5).jammed == 1
    assert not came(3, 5).found
    assert came(3, None).found
    assert came(6, 5).jammed == 0


def test_the_odds_of_a_message_are_those_of_its_dice():
    odds = exact(lambda: message(RULES, warfare_pool(2, 0, "set"), 4))
    best = [max(a, b) + (a == b == 6) for a in range(1, 7) for b in range(1, 7)]
    assert sum(w for came, w in odds.weights.items() if came.through) * 36 == odds.total * sum(each > 4 for each in best)
