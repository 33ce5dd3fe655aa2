"""Hits on crews: casualties among nameless crew, injuries of characters (book lines 5007-5013, 5067-5073)."""

from msgspec.structs import replace

from rulewright.dice.sums import Sum
from rulewright.errors import UserError
from rulewright.grammar import count as counted
from rulewright.highest_die.harm import spend_dice
from rulewright.play import Play, Roll, Tell, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, at_least, divided, rounded, term, times, total
from rulewright.systems.silhouette.breakage.events import Broken, Tested
from rulewright.systems.silhouette.harm.body import AVERAGE, OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.damage import go_into_shock, health_test_pool, with_wound
from rulewright.systems.silhouette.resolution.tests import DIE, action_test, most_emergency_dice, passes, succeeds
from rulewright.systems.silhouette.units.units import Crew, Unit

_TABLE, _INJURY = "sil-5.5.1-systems-damage", "sil-5.5.2-crew-injury"
SHAKEN = 4
"""The Threshold of a character's Health test to stay conscious."""
DEEP_FROM = 3
"""The Margin of Failure of a Health test from which it is a Deep Wound."""
DEAD_UPTO = 3
"""A casualty is dead after the fight if the die shows this or less."""


@rule(_TABLE)
def casualties(aboard: int, percent: int = 10) -> Derived[int]:
    """How many of the people aboard are casualties: a percentage, rounded, and at least one."""
    if aboard < 0:
        raise UserError(f"the people aboard must be 0 or more, not {aboard}")
    if aboard == 0:
        return total("casualties", term("nobody aboard", 0), rule=_TABLE)
    return total(
        "casualties", term("aboard", aboard), times("per cent", percent), divided("hundred", 100), rounded(), at_least(1), rule=_TABLE
    )


def lose_crew(rules: Ruleset, name: str, crew: Crew, percent: int) -> Play[Crew]:
    """Make a percentage of the nameless people casualties, divided among crew and passengers."""
    count = int(casualties(crew.aboard, percent).value)
    if not count:
        return crew
    hands, riding = max(0, crew.hands - crew.lost), max(0, crew.passengers - crew.lost_passengers)
    if not riding or not hands:
        of_crew = min(hands, count)
    elif count == 1:
        of_crew = int((yield from Roll(Sum((hands + riding,)), name, "crew or passenger")) <= hands)
    else:
        of_crew = min(
            hands, int(total("crew", term("casualties", count), times("crew", hands), divided("aboard", hands + riding), rounded()).value)
        )
    sums = (casualties(crew.aboard, percent).reason,)
    people = counted(count, "casualty", "casualties")
    if count != of_crew:
        people += f", {counted(count - of_crew, 'passenger')} among them"
    yield from Tell(Broken(name, people, sums))
    return replace(crew, lost=crew.lost + of_crew, lost_passengers=crew.lost_passengers + count - of_crew)


@rule(_INJURY)
def shaken_aboard(rules: Ruleset, victim: Patient = AVERAGE) -> Play[Patient]:
    """Test a character aboard when the crew is hit: Health against 4, instead of 1, or knocked out; a fumble is a coma. Emergency Dice
    may be added."""
    victim = victim.under(rules)
    if not victim.awake:
        return victim
    victim, dice = yield from spend_dice(victim, most_emergency_dice(rules), "staying conscious")
    test = yield from action_test(rules, health_test_pool(rules, victim, None, dice), SHAKEN, victim.name, "staying conscious")
    out = not succeeds(rules, test, 2491)
    yield from Tell(Tested(victim.name, "is knocked out" if out else "stays conscious", test, _INJURY, "bad" if out else "plain"))
    if test.fumble:  # 2491: a fumble is a coma
        return replace(victim, coma=True)
    return replace(victim, unconscious=OPEN_ENDED) if out else victim


@rule(_INJURY)
def injured_aboard(rules: Ruleset, victim: Patient = AVERAGE, margin: int = 1) -> Play[Patient]:
    """Test every character at Heavy Damage to the crew: Health against the attack's margin; failed by 1 or 2 it is a Flesh Wound, by
    more a Deep Wound; then everyone tests to stay conscious, as at Light Damage."""
    victim = victim.under(rules)
    if victim.dead:
        return victim
    victim, dice = yield from spend_dice(victim, most_emergency_dice(rules), "the hit")
    test = yield from action_test(rules, health_test_pool(rules, victim, None, dice), margin, victim.name, "the hit")
    hurt = victim
    if passes(rules, test.total, test.threshold):
        yield from Tell(Tested(victim.name, "is unhurt", test, _INJURY))
    else:
        deep = -test.margin >= DEEP_FROM
        words = f"takes a {'Deep' if deep else 'Flesh'} Wound"
        yield from Tell(Tested(victim.name, words, test, _INJURY, "bad"))
        hurt = yield from go_into_shock(rules, victim, with_wound(victim, "deep" if deep else "flesh"))
    return (yield from shaken_aboard(rules, hurt)) if hurt.awake else hurt


def hurt_riders(rules: Ruleset, unit: Unit, heavy: bool, margin: int) -> Play[Unit]:
    """Test every character aboard, one after the other."""
    riders = []
    for rider in unit.riders:
        if heavy:
            body = yield from sub(injured_aboard, rules, rider.body, margin)
        else:
            body = yield from sub(shaken_aboard, rules, rider.body)
        if unit.has("emergency medical") and rider.body.awake and not body.awake and not body.dead and not body.coma:
            yield from Tell(Broken(rider.name, "is kept conscious by emergency medicine", mood="plain"))
            body = replace(body, unconscious=0, spared=True)
        riders.append(replace(rider, body=body))
    return replace(unit, riders=tuple(riders))


def kill_all(unit: Unit) -> Unit:
    """Kill everyone aboard; computers are destroyed too."""
    crew = replace(unit.crew, lost=unit.crew.hands, lost_passengers=unit.crew.passengers, dead=unit.crew.hands + unit.crew.passengers)
    riders = tuple([replace(rider, body=replace(rider.body, dead=True)) for rider in unit.riders])
    return replace(unit, crew=crew, riders=riders)


@rule(_TABLE)
def fate_of_casualty(rules: Ruleset, by: str = "", machine: str = "") -> Play[bool]:
    """Roll for a casualty after the fight: 3 or less is dead, more was only wounded. True: dead."""
    die = yield from Roll(DIE, by, "a casualty")
    dead = die <= DEAD_UPTO
    sums = (Reason("die of the casualty", die, "=", _TABLE),)
    yield from Tell(Broken(machine or by, f"a casualty is {'dead' if dead else 'alive'}", sums, "bad" if dead else "plain"))
    return dead
