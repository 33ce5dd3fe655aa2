"""Radiation between scenes: exposure, the secret tally and test, sickness, purging, and the years after (book lines 5830-5916)."""

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, MINUTE, WEEK, YEAR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Begun, Case, Change, EffectKind, Figure, again
from rulewright.highest_die.downtime import Recovers
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.downtime.survivors import RAD_BONUS, RAD_PURGE, RADS, Survivor
from rulewright.systems.silhouette.harm.damage import stay_out
from rulewright.systems.silhouette.hazards import radiation
from rulewright.systems.silhouette.hazards.hazard_damage import perish, suffer_wound
from rulewright.systems.silhouette.hazards.radiation import RAD_SOURCES, STRIKES, Irradiated, Strike, sickness_of
from rulewright.systems.silhouette.people.conditions import TakenIn

Now = Case[Survivor]
HIDDEN_TALLY, TESTED, STRIKING = "rads", "radiation test", "radiation strike"
SICKENING, LINGERING = "radiation sickness", "lingering sickness"
MILLI = 1000
"""Data are whole numbers: rads are kept in thousandths."""

SOURCE = Figure("source", "Source of the table (empty: rads)", takes="text", rule="sil-6.2.8-rad-sources")
BURST = Figure("rads", "Rads of a burst without a source", low=0, high=100_000, rule="sil-6.2.8-rad-tally")
HOURS = Figure("time", "How long", takes="span", default=HOUR, rule="sil-6.2.8-rad-sources")
STRONG = Figure("strength", "Strength", ("low", "high"), rule="sil-6.2.8-rad-sources")
SUIT = Figure("protection", "Protection factor of a suit or shielded vehicle", low=0, high=100_000, rule="sil-6.2.8-rad-protection")
HULL = Figure("armor", "Armor of an unshielded vehicle", low=0, high=1000, rule="sil-6.2.8-rad-protection")


def tally_of(case: Now) -> tuple[TakenIn, OngoingEffect | None]:
    """Everything taken in, with a tally that not everybody knows of, and the effect that keeps it."""
    hidden = next(iter(case.running(HIDDEN_TALLY)), None)
    if hidden is None:
        return case.life.taken, None
    rads, most = (int(value) / MILLI for value in hidden.data)
    return replace(case.life.taken, rads=rads, most_rads=max(most, case.life.taken.most_rads)), hidden


def kept(case: Now, after: TakenIn, known: tuple[str, ...] | None) -> tuple[Survivor, tuple[OngoingEffect, ...]]:
    """The person with a tally that everybody knows, or the effect that keeps a hidden one."""
    life, hidden = case.life, next(iter(case.running(HIDDEN_TALLY)), None)
    if known is None and hidden is None:
        return replace(life, taken=replace(life.taken, rads=after.rads, most_rads=after.most_rads)), ()
    secret = known if hidden is None else hidden.known
    return life, (OngoingEffect(HIDDEN_TALLY, "", 0, (round(after.rads * MILLI), round(after.most_rads * MILLI)), secret),)


def absorb(rules: Ruleset, case: Now, rads: float, known: tuple[str, ...] | None) -> Play[Change[Survivor]]:
    """Adds rads to the tally and makes the test that they require, at most once a day; what it brings comes later."""
    before, _ = tally_of(case)
    after = radiation.irradiate(before, rads)
    life, runs = kept(case, after, known)
    if not radiation.is_due(before.rads, rads, bool(case.running(TESTED))):
        return Change(life, runs=runs)
    irradiated = yield from radiation.rads_tell(rules, case.life.body, after.rads)
    tested = OngoingEffect(TESTED, "", 0, (), ())
    return Change(life, runs=(*runs, tested, *(yield from _to_come(rules, case, irradiated))))


def _to_come(rules: Ruleset, case: Now, irradiated: Irradiated) -> Play[tuple[OngoingEffect, ...]]:
    """What a failed test brings, unknown to everybody until it shows."""
    if irradiated.passed:
        return ()
    if irradiated.strike != "none":
        return (OngoingEffect(STRIKING, "", 0, (irradiated.strike, irradiated.minutes), ()),)
    hours = yield from radiation.roll_health(rules, case.life.body, "hours until the sickness shows")
    running = next(iter(case.running(SICKENING)), None)
    if running is not None and int(running.data[0]) >= irradiated.margin:
        return ()
    felt = int(running.data[2]) if running is not None else 0
    return (OngoingEffect(SICKENING, "", 0, (irradiated.margin, hours.total, felt), ()),)


class Irradiation(Begun[Survivor]):
    """A burst of radiation, or a time near a source."""

    name = "irradiation"
    label = "irradiate"
    rules = (
        *("sil-6.2.8-rad-sources", "sil-6.2.8-rad-protection", "sil-6.2.8-rad-tally", "sil-6.2.8-rad-test"),
        "sil-6.2.8-irradiation-table",
    )
    arguments = (SOURCE, BURST, HOURS, STRONG, SUIT, HULL)
    hidden = True

    def begun(self, rules: Ruleset, given: Mapping[str, Value]) -> OngoingEffect:
        if given[SOURCE.name]:
            RAD_SOURCES.get(rules, str(given[SOURCE.name]))
        return super().begun(rules, given)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return 0 if self._is_burst(rules, effect) else int(effect.data[2])

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        source, rads, seconds, strength, suit, hull = effect.data
        hours = None if self._is_burst(rules, effect) else int(seconds) / HOUR
        emitted = radiation.rads_from(rules, str(source), hours or 0, strength == "high") if source else float(rads)
        got = radiation.shielded(emitted, hours, float(suit), int(hull)).value
        return (yield from absorb(rules, case, got, effect.known))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"radiation from {effect.data[0] or f'a burst of {effect.data[1]} rads'}"

    def _is_burst(self, rules: Ruleset, effect: OngoingEffect) -> bool:
        source = str(effect.data[0])
        return not source or RAD_SOURCES.get(rules, source).per_hour is None


class Fallout(EffectKind[Survivor]):
    """A radiating location: its rads every day, in the open."""

    name = "fallout"
    rules = ("sil-6.2.8-rad-tally", "sil-6.2.8-rad-test")
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.figure(RADS) and not case.life.body.dead and case.life.machine is None else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        change = yield from absorb(rules, case, float(case.figure(RADS)), None)
        return Change(change.life, again(effect), runs=change.runs)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{case.figure(RADS)} rads of this place"


class TestedToday(Begun[Survivor]):
    """There is at most one test a day."""

    name = TESTED
    rules = ("sil-6.2.8-rad-test",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        yield from ()
        return Change(case.life)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "another test against radiation may be due"


class RadTally(Begun[Survivor]):
    """A tally that not everybody knows of: every week without further rads some of it is purged, down to a tenth."""

    name = HIDDEN_TALLY
    rules = ("sil-6.2.8-rad-tally", "sil-6.2.8-rad-treatment")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        taken, _ = tally_of(replace(case, runs=(effect,)))
        return WEEK if _purges(case, taken) else None

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        taken, _ = tally_of(replace(case, runs=(effect,)))
        after = yield from radiation.purge_week(rules, case.life.body, taken, int(case.figure(RAD_PURGE)))
        return Change(case.life, again(effect, round(after.rads * MILLI), effect.data[1]))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{int(effect.data[0]) / MILLI:g} rads"


class Purging(EffectKind[Survivor]):
    """The known tally: every week without further rads some of it is purged, down to a tenth."""

    name = "purging"
    rules = ("sil-6.2.8-rad-tally", "sil-6.2.8-rad-treatment")
    possessions = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if not case.running(HIDDEN_TALLY) and _purges(case, case.life.taken) else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return WEEK

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        after = yield from radiation.purge_week(rules, case.life.body, case.life.taken, int(case.figure(RAD_PURGE)))
        return Change(replace(case.life, taken=after), again(effect))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "purges rads"


def _purges(case: Now, taken: TakenIn) -> bool:
    """Whether a person purges rads: there are more than a tenth of the highest tally, and no more come."""
    return taken.rads > taken.most_rads / 10 and not case.figure(RADS) and not case.life.body.dead


class RadStrike(Begun[Survivor]):
    """A fumble strikes after some minutes: wounds, or death."""

    name = STRIKING
    rules = ("sil-6.2.8-rad-test", "sil-6.2.8-irradiation-table")

    def shows(self, effect: OngoingEffect) -> bool:
        return True

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if case.life.body.dead else int(effect.data[1]) * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        body = case.life.body
        for wound in STRIKES[cast(Strike, effect.data[0])]:
            body = yield from suffer_wound(rules, body, wound, "radiation")
        body = yield from stay_out(rules, body)
        return Change(case.life.with_body(body))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "radiation strikes"


class RadSickness(Begun[Survivor]):
    """Sickness of a failed test: nobody knows of it for a Health roll of hours, then its penalty falls by 1 every twelve hours.

    Its data are the margin, the hours until it shows (-1: it has), and the penalty that is felt. A worse test takes its place.
    """

    name = SICKENING
    rules = ("sil-6.2.8-rad-short-term",)
    ailment = True

    def shows(self, effect: OngoingEffect) -> bool:
        return True

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        if case.life.body.dead:
            return None
        return int(effect.data[1]) * HOUR if int(effect.data[1]) >= 0 else 12 * HOUR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        margin, hours, before = (int(value) for value in effect.data)
        if hours >= 0:
            return (yield from self._break_out(rules, case, effect, margin, before))
        after = radiation.penalty_after(before, 12)
        yield from Tell(Recovers(case.name, f"feels better (radiation {after})" if after else "is no longer nauseous", "good"))
        return Change(case.life.penalized(before, after), again(effect, margin, -1, after) if after else None)

    def _break_out(self, rules: Ruleset, case: Now, effect: OngoingEffect, margin: int, before: int) -> Play[Change[Survivor]]:
        sick, (taken, hidden) = sickness_of(margin), tally_of(case)
        life = replace(case.life, taken=radiation.remember(taken, margin))
        ended = ((HIDDEN_TALLY, ""),) if hidden is not None else ()
        if sick.fatal:
            return Change(life.with_body((yield from perish(life.body, "radiation"))), ended=ended)
        yield from Tell(Recovers(case.name, f"is sick and exhausted: radiation ({sick.penalty})", "bad"))
        later: tuple[OngoingEffect, ...] = ()
        if sick.lingering:
            days = yield from radiation.roll_health(rules, life.body, "days until it gets worse")
            later = (OngoingEffect(LINGERING, "", 0, (margin, days.total), ()),)
        shown = again(replace(effect, known=None), margin, -1, sick.penalty)
        return Change(life.penalized(before, sick.penalty), shown, later, ended)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "radiation sickness shows" if int(effect.data[1]) >= 0 else f"radiation sickness ({effect.data[2]}) eases"


class SecondSymptoms(Begun[Survivor]):
    """The lingering sickness, some days after the first: nobody knows of it before."""

    name = LINGERING
    rules = ("sil-6.2.8-rad-short-term",)

    def shows(self, effect: OngoingEffect) -> bool:
        return True

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if case.life.body.dead else int(effect.data[1]) * DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        margin, taken = int(effect.data[0]), case.life.taken
        worst = max(margin, taken.rad_sickness)
        before, after = sickness_of(taken.rad_sickness).lingering, sickness_of(worst).lingering
        yield from Tell(Recovers(case.name, f"loses hair and strength: lingering radiation sickness ({after})", "bad"))
        return Change(replace(case.life.penalized(before, after), taken=replace(taken, rad_sickness=worst)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "radiation sickness comes back"


class Lingering(EffectKind[Survivor]):
    """Lingering radiation sickness: a Health test every day; after a success 10 - System Shock days to full health (data: 1)."""

    name = "radiation recovery"
    rules = ("sil-6.2.8-rad-short-term", "sil-6.2.8-rad-treatment")
    ailment = True

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.taken.rad_sickness and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY * radiation.convalescence(case.life.body.system_shock).value if effect.data else DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        margin, life = case.life.taken.rad_sickness, case.life
        if not effect.data:
            sickened = yield from radiation.lingers(rules, life.body, margin, 1, int(case.figure(RAD_BONUS)))
            body = yield from stay_out(rules, sickened.patient)
            return Change(life.with_body(body), again(effect, 1) if sickened.recovered_on else again(effect))
        yield from Tell(Recovers(case.name, "has recovered from radiation sickness", "good"))
        life = life.penalized(sickness_of(margin).lingering, 0)
        return Change(replace(life, taken=replace(life.taken, rad_sickness=0)))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "radiation sickness is over" if effect.data else "a Health test against radiation sickness"


class LateEffects(EffectKind[Survivor]):
    """After radiation sickness Health is tested once a year; a failure is a cancer, and time stops. Its datum says so."""

    name = "late effects of radiation"
    rules = ("sil-6.2.8-rad-long-term", "sil-6.2.8-rad-treatment")

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if case.life.taken.worst_irradiation and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return None if effect.data else YEAR

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        fine = yield from radiation.year(rules, case.life.body, case.life.taken.worst_irradiation, int(case.figure(RAD_BONUS)))
        if fine:
            return Change(case.life, again(effect))
        yield from Tell(Recovers(case.name, "has a life-threatening cancer", "bad"))
        return Change(case.life, again(effect, "cancer"), stops=f"{case.name} has a life-threatening cancer")

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "cancer" if effect.data else "a Health test against the years after"
