"""Tiredness between scenes, an option: Exertion Tests by hours or days, and what rest gives back (lines 4843-4879)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.campaign.calendar import DAY, HOUR
from rulewright.campaign.downtime import OngoingEffect
from rulewright.campaign.downtime_rules import RUNS_ON, EffectKind, again
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.downtime.patients import (
    HUNGER,
    MARCH,
    NO_SLEEP,
    After,
    Now,
    Patient,
    Recovers,
    change_sums,
    exertion_of,
    injuries_cost,
)
from rulewright.systems.ore.harm.endurance import AT_EASE, BOXES, RESTS, Stamina, exertion_test, perished, recuperate
from rulewright.systems.ore.harm.over_time import SECONDS_A_ROUND

RULE = "ore-4.09b-opt19-endurance"
UNITS = {MARCH.name: HOUR, HUNGER.name: DAY, NO_SLEEP.name: DAY}
"""The Time Factor of each exertion, in seconds."""
MARCHING = 8 * HOUR
"""How long people travel on a day (ruling)."""


class Spell(NamedTuple):
    """A spell of exertion: its Time Factor, and the seconds of it since the last test, of rest since it ended, and of the present day."""

    unit: int = SECONDS_A_ROUND
    exerted: int = 0
    rested: int = 0
    today: int = 0


class Weariness(EffectKind[Patient]):
    """An Exertion Test after every Body units of exertion; four units without any restore everything. The data are a `Spell`."""

    name = "tiredness"
    rules = (RULE,)

    def concerns(self, rules: Ruleset, case: Now) -> tuple[str, ...]:
        if not rules.on("getting-tired") or case.life.body.dead:
            return ()
        return ("",) if exertion_of(case) in UNITS or _is_tired(case.life.stamina) else RUNS_ON

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return min(_next(case, _spell(case, effect)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[After]:
        spell, tired = _spell(case, effect), case.life.stamina
        passed = min(_next(case, spell))
        today = (spell.today + passed) % DAY
        if _exerts(case, spell):
            spell = spell._replace(exerted=spell.exerted + passed, rested=0, today=today)
            if spell.exerted >= tired.body_left * spell.unit:
                spell = spell._replace(exerted=0)
                tired = yield from exertion_test(rules, case.life.endurance.plus(injuries_cost(rules, case.life)), tired, case.name)
        else:
            spell = spell._replace(rested=spell.rested + passed, today=today)
            if spell.rested >= (RESTS + AT_EASE) * spell.unit:
                tired, spell = recuperate(tired, RESTS, AT_EASE), spell._replace(exerted=0)
        life = replace(case.life, stamina=tired, body=perished(case.life.body) if tired.dead else case.life.body)
        yield from _told(case, tired)
        goes_on = exertion_of(case) in UNITS or _is_tired(tired) or spell.exerted
        return life, again(effect, *spell) if goes_on else None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        spell = _spell(case, effect)
        if not _exerts(case, spell):
            return "rested" if exertion_of(case) != MARCH.name else "the end of a rest"
        test = case.life.stamina.body_left * spell.unit - spell.exerted
        return "an Exertion Test" if self.seconds(rules, case, effect) == test else "the end of the day's march"


def _told(case: Now, tired: Stamina) -> Play[None]:
    """Tells a change of the Endurance Boxes, of lost Body, or of the Difficulty of later tests."""
    was = case.life.stamina
    sums = change_sums(_figures(was), _figures(tired), RULE)
    if not sums:
        return
    if tired.dead:
        what = "dies of exhaustion"
    elif tired.boxes != was.boxes or tired.body_lost != was.body_lost:
        what = f"is {tired.state}{f' with {tired.body_left} Body left' if tired.body_lost else ''}"
    else:
        what = "holds out; later Exertion Tests are harder" if tired.passed > was.passed else "is rested"
    worse = (tired.boxes, tired.body_lost, tired.passed) > (was.boxes, was.body_lost, was.passed)
    yield from Tell(Recovers(case.name, what, "bad" if worse else "good", sums))


def _figures(tired: Stamina) -> list[tuple[str, int]]:
    return [
        ("Difficulty of the next Exertion Test", tired.difficulty),
        ("Endurance Boxes crossed off", tired.boxes),
        ("Body lost", tired.body_lost),
    ]


def _is_tired(tired: Stamina) -> bool:
    return bool(tired.boxes or tired.passed or tired.body_lost)


def _spell(case: Now, effect: OngoingEffect) -> Spell:
    """The spell so far; a new exertion has its own Time Factor."""
    spell = Spell(*[int(figure) for figure in effect.data]) if len(effect.data) == len(Spell._fields) else Spell()
    unit = UNITS.get(exertion_of(case), spell.unit)
    return spell if unit == spell.unit else spell._replace(unit=unit, exerted=0, rested=0)


def _exerts(case: Now, spell: Spell) -> bool:
    """Whether a person exerts themselves at this hour. Who is depleted cannot march on."""
    doing = exertion_of(case)
    if doing == MARCH.name:
        return spell.today < MARCHING and case.life.stamina.boxes < len(BOXES) and case.life.body.able
    return doing in UNITS


def _next(case: Now, spell: Spell) -> tuple[int, ...]:
    """The seconds until a test, until everything is restored, and until the march of the day ends or begins."""
    day = ((MARCHING if spell.today < MARCHING else DAY) - spell.today,) if exertion_of(case) == MARCH.name else ()
    if _exerts(case, spell):
        return (max(0, case.life.stamina.body_left * spell.unit - spell.exerted), *day)
    left = (RESTS + AT_EASE) * spell.unit - spell.rested
    return (left, *day) if left > 0 and (_is_tired(case.life.stamina) or spell.exerted) else day or (DAY,)
