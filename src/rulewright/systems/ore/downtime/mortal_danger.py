"""Ongoing effects that are due by the round: bleeding Wounds (lines 4527-4529), and tests for one's life (lines 4413-4453)."""

from msgspec.structs import replace

from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import EffectKind, again
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abstract import due_tests, stabilise
from rulewright.systems.ore.downtime.patients import After, Now, Patient, Recovers, changes_in_words, healed_sums, medic_at_hand
from rulewright.systems.ore.harm.body import Abstract, AnyBody
from rulewright.systems.ore.harm.over_time import SECONDS_A_ROUND, bleeds, fights_on
from rulewright.systems.ore.recovery.medicine import staunch
from rulewright.systems.ore.resolution.tests import make_test

WOUNDS_RULE, TESTS_RULE = "ore-4.07-opt09-wounds", "ore-4.07-opt07-boxes"


class Bleeding(EffectKind[Patient]):
    """Each bleeding Wound costs a point of Shock every Body rounds. Whenever one did, the best medic at hand tries to staunch a Wound."""

    name = "bleeding"
    rules = (WOUNDS_RULE,)
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return ("",) if not body.dead and any(wound.bleeding for wound in body.wounds) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return SECONDS_A_ROUND * _rounds_left(case.life.body)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        body = before = case.life.body
        for _ in range(_rounds_left(body)):
            body = yield from bleeds(rules, body, case.name)
        if body.dead or body.able != before.able:
            what = "bleeds to death" if body.dead else "can act no more"
            yield from Tell(Recovers(case.name, what, "bad", healed_sums(before, body, WOUNDS_RULE)))
        medic = medic_at_hand(rules, case, first_aid=True)
        if medic is not None and not body.dead:
            name, pool = medic
            body, bled = (yield from staunch(rules, body, pool, name)), body
            did, tone = ("staunches", "good") if body != bled else ("cannot staunch", "bad")
            yield from Tell(Recovers(name, f"{did} a Wound of {case.name}", tone))
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        wounds = count(sum(wound.bleeding for wound in case.life.body.wounds), "Wound")
        return f"{wounds} bleeding: {_treated_by(rules, case)}"


def _rounds_left(body: AnyBody) -> int:
    """Rounds until the next Wound costs a point."""
    return max(1, min([body.statistic - wound.rounds for wound in body.wounds if wound.bleeding], default=1))


def _treated_by(rules: Ruleset, case: Now) -> str:
    medic = medic_at_hand(rules, case, first_aid=True)
    return "nobody treats it" if medic is None else f"{medic[0]} gives first aid"


class Failing(EffectKind[Patient]):
    """A Mauled, incapacitated or unconscious body: a medic at hand stabilises it, or it must repeat its tests."""

    name = "failing"
    rules = (TESTS_RULE, "ore-4.07-opt07-down-out-tests")
    company = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        body = case.life.body
        return ("",) if isinstance(body, Abstract) and due_tests(body) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return SECONDS_A_ROUND * _abstract(case).health_threshold

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        before = _abstract(case)
        medic = medic_at_hand(rules, case, first_aid=True)
        if medic is not None:
            name, pool = medic
            outcome = yield from make_test(rules, pool, by=name, what="first aid")
            what = f"{'stabilises' if outcome.success else 'cannot stabilise'} {case.name}"
            yield from Tell(Recovers(name, what, "good" if outcome.success else "bad"))
            if outcome.success:
                return case.life.with_body(stabilise(before)), None
        body: AnyBody = yield from fights_on(rules, replace(before, rounds=before.health_threshold - 1), case.name)
        if sums := healed_sums(before, body, TESTS_RULE):
            words = f"{'dies: ' if body.dead else ''}{changes_in_words(before, body)}"
            yield from Tell(Recovers(case.name, words, "bad", sums))
        return case.life.with_body(body), again(effect)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        due = " and ".join(track.capitalize() for track in due_tests(_abstract(case)))
        return f"{due} Test: {_treated_by(rules, case)}"


def _abstract(case: Now) -> Abstract:
    body = case.life.body
    assert isinstance(body, Abstract)
    return body
