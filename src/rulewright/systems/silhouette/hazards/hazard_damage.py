"""Effects of hazards on a body: damage, wounds, Health tests, sleep, coma and death."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play import Happened, Play, Scale, Tell, came_to, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived
from rulewright.systems.silhouette.harm.body import OPEN_ENDED, Patient
from rulewright.systems.silhouette.harm.damage import Hit, go_into_shock, health_test_pool, hold_on, take_hit, with_wound
from rulewright.systems.silhouette.harm.events import Died, Managed
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, attribute_pool, succeeds

Given = Literal["flesh", "deep", "death"]


class Resisted(Struct, frozen=True):
    """A test against a hazard: the margin of success, or of failure (at least 1), and whether it fumbled."""

    passed: bool
    margin: int
    fumble: bool = False


WITHSTANDING = Scale(("withstands", "gives way"), ("withstands",), "withstands", "gives way")
"""Possible results of a test against a hazard."""


def resist(
    rules: Ruleset,
    victim: Patient,
    threshold: int | Derived[int],
    what: str,
    *,
    rule: str,
    more: tuple[Mod, ...] = (),
    unseen: bool = False,
    fumble_line: int = 0,
) -> Play[Resisted]:
    """Tests Health with the action penalty against a hazard. `fumble_line` is the book line of a fumble clause, if it has one."""
    pool = health_test_pool(rules, victim).plus(*more)
    return (yield from _resolve_test(rules, pool, victim.name, threshold, what=what, rule=rule, unseen=unseen, fumble_line=fumble_line))


def strain_of(
    rules: Ruleset,
    name: str,
    attribute: str,
    value: int,
    *,
    threshold: int,
    what: str,
    rule: str,
    more: tuple[Mod, ...] = (),
    hero: bool = True,
    fumble_line: int = 0,
) -> Play[Resisted]:
    """Tests another attribute against a hazard."""
    pool = attribute_pool(rules, value, attribute, more)
    pool = Pool(pool.dice, pool.mods, 0, hero)
    return (yield from _resolve_test(rules, pool, name, threshold, what=what, rule=rule, fumble_line=fumble_line))


def _resolve_test(
    rules: Ruleset,
    pool: Pool,
    name: str,
    threshold: int | Derived[int],
    *,
    what: str,
    rule: str,
    unseen: bool = False,
    fumble_line: int = 0,
) -> Play[Resisted]:
    number = threshold if isinstance(threshold, int) else threshold.value
    test = yield from action_test(rules, pool, number, name, f"withstanding {what}", unseen)
    if not isinstance(threshold, int):
        test = test.against(threshold.reason)
    passed = succeeds(rules, test, fumble_line)
    did, mood = ("resists", "good") if passed else ("does not resist", "bad")
    yield from Tell(Managed(name, f"{did} {what}", test, rule, mood, known_to=() if unseen else None))
    if not unseen:
        yield came_to("withstands" if passed else "gives way", WITHSTANDING, name)
    return Resisted(passed, test.margin if passed else max(1, -test.margin), test.fumble)


def suffer_wound(rules: Ruleset, victim: Patient, wound: Given, cause: str) -> Play[Patient]:
    """Applies a wound without damage; it may cause shock and knock out like any other."""
    if victim.dead:
        return victim
    victim = victim.under(rules)
    if wound == "death":
        return (yield from perish(victim, cause))
    yield from Tell(Happened(victim.name, f"suffers a {wound.capitalize()} Wound from {cause}", "bad"))
    after = yield from go_into_shock(rules, victim, with_wound(victim, wound))
    return (yield from hold_on(rules, after)) if after.awake else after


def perish(victim: Patient, cause: str) -> Play[Patient]:
    """Applies death without a wound."""
    yield from Tell(Died(victim.name, cause))
    return replace(victim, dead=True, trauma=None, coma=False, unconscious=0)


def pass_out(victim: Patient) -> Play[Patient]:
    """Applies unconsciousness, whose duration depends on the wounds and is rolled when needed."""
    if victim.dead or victim.coma:
        return victim
    yield from Tell(Happened(victim.name, "loses consciousness", "bad"))
    return replace(victim, unconscious=OPEN_ENDED)


def harm(rules: Ruleset, victim: Patient, damage: int, armored: bool = True) -> Play[Patient]:
    """Applies damage of a hazard like that of any attack; the duration of a knockout is left open."""
    if damage <= 0:
        return victim
    after = yield from sub(take_hit, rules, victim, Hit(damage, armored=armored))
    return replace(after, coma=False, unconscious=0) if after.dead else after
