"""Powers between scenes: using them at leisure, what they cost, and how long they last (book lines 6010-6091, 6138-7355)."""

from collections.abc import Mapping

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Change, EffectKind, Figure
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Tell
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import Now, Patient, Recovers, changes_in_words, healed_sums, hindering, person_of
from rulewright.systems.ore.downtime.sickness import IMMUNE
from rulewright.systems.ore.downtime.ties import POUNDS
from rulewright.systems.ore.fight.powers.burn import burnt
from rulewright.systems.ore.powers.catalogue import EffectRow
from rulewright.systems.ore.powers.repertoire import Known, known_of
from rulewright.systems.ore.powers.usage import Used, asked, burns_below, use_costs, use_effect
from rulewright.systems.ore.recovery.psychic import again_dice, heals
from rulewright.systems.ore.resolution.tests import Mod, Pool, make_test

LIMIT_RULE, INTENSITY = "ore-5.02-limit-rating", "ore-5.03-intensity"
APTITUDES = ("clairsentience", "electrokinesis", "psychokinesis", "redaction", "telepathy")
ACTIVE, TREATED = "power", "treated by a power"
SPANS = {"minutes": MINUTE, "hours": HOUR, "days": DAY}


@cached(500)
def known_power(rules: Ruleset, sheet: str, name: str) -> Known | None:
    """A power of a sheet by name, in any case."""
    return next((known for known in known_of(rules, person_of(rules, sheet)) if known.effect.casefold() == name.casefold()), None)


def lasting_seconds(row: EffectRow, psi: int, width: int, height: int) -> int:
    """How long an effect lasts by itself; 0 if it is over at once or needs concentration."""
    if row.lasts in ("an hour", "three hours"):
        return HOUR if row.lasts == "an hour" else 3 * HOUR
    unit, _, by = row.lasts.partition(" by ")
    return SPANS.get(unit, 0) * {"psi": psi, "width": width, "height": height}.get(by, 0)


class Active(Begun[Patient]):
    """A power that lasts by itself. The data are its seconds."""

    name = ACTIVE
    rules = (INTENSITY,)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(effect.data[0])

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        yield from Tell(Recovers(case.name, f"is no longer under {effect.about}"))
        return Change(case.life)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} ends"


class Treated(Begun[Patient]):
    """A body mended with a power: for a day (ruling) every further time costs a die more. The data are the times."""

    name = TREATED
    rules = ("ore-5.04-effects-redaction",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        yield from ()
        return Change(case.life)

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} can be mended again as at first"


class Energy(EffectKind[Patient]):
    """Energy Points come back after a day (ruling)."""

    name = "energy points"
    rules = (LIMIT_RULE,)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        return ("",) if any(spent for _, spent in case.life.reserve.energy) and not case.life.body.dead else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return DAY

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        spent = sum(points for _, points in case.life.reserve.energy)
        yield from Tell(Recovers(case.name, f"has {count(spent, 'Energy Point')} back", "good"))
        return Change(replace(case.life, reserve=replace(case.life.reserve, energy=())))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "Energy Points come back"


class NewSession(Begun[Patient]):
    """The beginning of a session: what can be used once or so often in each can be used again."""

    name = "new session"
    label = "begin a new session"
    rules = (LIMIT_RULE, "ore-2.27-hard-to-kill", "ore-2.31-lucky", "ore-4.21-drama-points")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        life, fresh = case.life, Patient.of_sheet(rules, case.life.sheet).body
        body = replace(life.body, ignores=fresh.ignores, luck=fresh.luck, drama=fresh.drama)
        yield from Tell(Recovers(case.name, "begins a new session", "good", healed_sums(life.body, body, "ore-4.21-drama-points")))
        return Change(replace(life, body=body, reserve=replace(life.reserve, used=())))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return "a new session begins"


class UsePower(Activity[Patient]):
    """Using a power: the roll with its Intensity as Difficulty, its price by Limit Rating, and what it does to body or sickness."""

    name = "use a power"
    label = "use a power"
    rules = (
        INTENSITY,
        LIMIT_RULE,
        *[f"ore-5.04-effects-{aptitude}" for aptitude in APTITUDES],
        *[f"ore-5.04-grandmaster-{aptitude}" for aptitude in APTITUDES],
    )
    power = Figure("power", "Power", takes="text", needed=True, rule=INTENSITY)
    whom = Figure("on", "On whom (nobody: oneself)", takes="person")
    penalty = Figure("penalty", "Dice lost to the target or a ward", low=0, high=10)
    resists = Figure("resistance", "Dice of a target that resists", low=0, high=20)
    time = Figure("time", "Time it takes (the book prints none)", takes="span", default=MINUTE)
    arguments = (power, whom, penalty, resists, time)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not str(given[self.power.name]).strip():
            raise UserError("say which power")

    def known(self, rules: Ruleset, case: Now) -> Known | None:
        """The power on the sheet."""
        return known_power(rules, case.life.sheet, str(case.argument(self.power)))

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        known = self.known(rules, case)
        if known is None:
            return f"{case.name} does not have the power {case.argument(self.power)}"
        if case.argument(self.whom) not in ("", case.name) and case.partner(self.whom) is None:
            return f"{case.argument(self.whom)} is not there"
        return case.life.reserve.lacks(known, use_costs(rules, known.level, known.limit))

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        known = self.known(rules, case)
        pounds = 0 if known is None else use_costs(rules, known.level, known.limit).pounds
        return ((POUNDS, pounds),) if pounds else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(self.time)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Patient]]:
        known = self.known(rules, case)
        assert known is not None
        cost = use_costs(rules, known.level, known.limit)
        row, life = known.row(rules), replace(case.life, reserve=case.life.reserve.drawn(known, cost))
        used = yield from self._rolled(rules, case, known, row)
        if used.burnt:
            below = burns_below(rules, known.effect)
            body = yield from burnt(rules, life.body, case.name, used.burnt, below=below, effect=known.effect, about=row)
            life = life.with_body(body)
        if not used.outcome.success:
            return Change(life)
        return (yield from self._worked(rules, case, known, life, used))

    def _rolled(self, rules: Ruleset, case: Now, known: Known, row: EffectRow) -> Play[Used]:
        """The roll: that of the book's effect, or for others a test and the gamemaster's answer."""
        resists = int(case.argument(self.resists))
        opposition = Pool(resists) if resists else None
        treated = [int(run.data[0]) for run in case.running(TREATED) if run.about == self._patient(case)]
        mods = (*hindering(rules, case.life), *([again_dice(treated[0])] if treated and row.heals == "kill" else []))
        penalty = int(case.argument(self.penalty)) - sum(mod.dice for mod in mods)
        if not known.inherent and row.source != "house":
            skill = known.pool.dice - known.psi
            return (yield from use_effect(rules, known.effect, known.psi, skill, penalty, opposition, case.name))
        if not known.rolled:
            yield from Tell(Recovers(case.name, f"uses {known.effect}"))
            return Used(known.effect)
        pool = known.pool.plus(Mod("injuries and the target", -penalty))
        outcome = yield from make_test(rules, pool, row.intensity, "widest", case.name, known.effect)
        yield from Tell(Recovers(case.name, f"uses {known.effect}: {outcome}", "good" if outcome.success else "bad"))
        answer = (yield from asked(row, case.name, outcome, "")) if outcome.success and row.asks else ""
        return Used(known.effect, outcome, answer=answer)

    def _patient(self, case: Now) -> str:
        return str(case.argument(self.whom)) or case.name

    def _worked(self, rules: Ruleset, case: Now, known: Known, life: Patient, used: Used) -> Play[Change[Patient]]:
        """What a success does: it heals, works against sickness, or lasts."""
        row, partner, patient = known.row(rules), case.partner(self.whom), self._patient(case)
        target = life if partner is None else partner.life
        runs: tuple[OngoingEffect, ...] = ()
        own: tuple[OngoingEffect, ...] = ()
        if row.heals:
            healed = yield from heals(rules, target.body, used.outcome.width, row.heals, case.name)
            words = changes_in_words(target.body, healed.body) or "nothing heals"
            sums = healed_sums(target.body, healed.body, "ore-5.04-effects-redaction")
            yield from Tell(Recovers(case.name, f"mends {patient}: {words}", "good" if sums else "plain", sums))
            target = target.with_body(healed.body)
            times = sum(int(run.data[0]) for run in case.running(TREATED) if run.about == patient)
            own = (OngoingEffect(TREATED, patient, 0, (times + 1,)),) if row.heals == "kill" else ()
        elif row.works == "cure":
            runs = (OngoingEffect(IMMUNE, "", 0, (used.outcome.width, known.psi)),)
        elif seconds := lasting_seconds(row, known.psi, used.outcome.width, used.outcome.height):
            runs = (OngoingEffect(ACTIVE, known.effect, 0, (seconds,)),)
        if partner is None:
            return Change(target, runs=(*runs, *own))
        return Change(life, runs=own, partner=(partner.name, target), partner_runs=runs)
