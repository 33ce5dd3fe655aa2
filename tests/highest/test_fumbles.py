"""Fumbles: a result of 1 plus modifiers, which passes if that is enough (Silhouette line 611, S.C.U.M.M. line 307)."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

from rulewright.highest_die.tests import succeeds
from rulewright.play import script
from rulewright.rules.reasons import Mod
from rulewright.systems.scumm import SYSTEM as SCUMM
from rulewright.systems.scumm.people.skills import tinker
from rulewright.systems.scumm.resolution import tests as scumm
from rulewright.systems.silhouette import SYSTEM as SILHOUETTE
from rulewright.systems.silhouette.combat.effects import act_tough
from rulewright.systems.silhouette.creatures.creatures import ride
from rulewright.systems.silhouette.detection.jamming import jam, spoof, spoofed
from rulewright.systems.silhouette.genres.practices import cast
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.hazards.addiction import fall_into
from rulewright.systems.silhouette.hazards.disease import catch
from rulewright.systems.silhouette.hazards.radiation import year
from rulewright.systems.silhouette.maneuver.air.flight import tight_turn
from rulewright.systems.silhouette.maneuver.stunts import try_stunt
from rulewright.systems.silhouette.resolution import tests as silhouette
from rulewright.systems.silhouette.resolution.tests import Pool

GAMES = {"scumm": (SCUMM.book.ruleset(), scumm), "silhouette": (SILHOUETTE.book.ruleset(), silhouette)}
SIL, SCU = GAMES["silhouette"][0], GAMES["scumm"][0]
CINEMATIC = SILHOUETTE.book.ruleset(settings={"reality": "cinematic"})


def one_die(modifier: int) -> Pool:
    return Pool(1, (Mod("attribute", modifier),))


@given(sampled_from(sorted(GAMES)), integers(1, 5), integers(-5, 12), integers(0, 12))
def test_a_fumbled_roll_with_enough_modifiers_passes(game, dice, modifier, threshold):
    rules, module = GAMES[game]
    pool = module.Pool(dice, (Mod("modifier", modifier),) if modifier else ())
    test = script(module.action_test(rules, pool, threshold), [(1,) * dice]).outcome
    assert test.fumble
    assert succeeds(rules, test) == (max(0, 1 + modifier) >= threshold)
    assert not succeeds(rules, test, fumble_line=611)


@pytest.mark.parametrize(
    ("name", "play", "rolls", "read", "answer"),
    [
        ("tinker 307", tinker(SCU, 1, 3, 4), [(1,)], lambda gadget: gadget.state, "works"),
        ("riding", ride(SIL, one_die(3), 3, 4), [(1,)], bool, True),
        ("the years after 5912", year(SIL, AVERAGE, 1), [(1, 1)], bool, True),
        ("addiction 5641", fall_into(SIL, Patient(health=2), 3), [(6, 6), (1, 1)], lambda habit: habit.addicted, False),
        ("a stunt 6914", try_stunt(SIL, "Avoid Hazard (small)", one_die(3)), [(1,)], lambda piloted: piloted.passed, True),
        ("a spell", cast(SIL, level=1, willpower=3), [(1,)], lambda spell: spell.worked, True),
        ("acting tough", act_tough(CINEMATIC, Patient(willpower=5)), [(1, 1)], lambda patient: patient.tough, 1),
        ("ECM 4792", jam(SIL, one_die(2), 5), [(1,)], lambda jammer: jammer.threshold, 3),
        ("spoofing 4796", spoof(SIL, one_die(3), 4), [(1,)], spoofed, True),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fumble_passes_where_the_book_has_no_clause_for_it(name, play, rolls, read, answer):
    assert read(script(play, rolls).outcome) == answer


def test_a_fumble_clause_holds_even_where_the_total_would_pass_lines_5662_and_4543():
    assert script(catch(SIL, Patient(health=12)), [(1, 1)]).outcome is not None
    turned = script(tight_turn(SIL, one_die(5)), [(1,), (3,), (3,), (1,), (6, 6)]).outcome
    assert turned.made
    assert turned.slip is not None


def test_hygiene_changes_the_threshold_of_an_infection_line_5662():
    caught = script(catch(SIL, Patient(health=-1), clean=-3), [(3, 3)]).outcome
    assert (caught.virulence, round(caught.days_left, 3)) == (19, 0.7)
    assert script(catch(SIL, Patient(health=0), clean=3), [(5, 1)]).outcome is not None
    assert script(catch(SIL, Patient(health=0), clean=3), [(6, 1)]).outcome is None
