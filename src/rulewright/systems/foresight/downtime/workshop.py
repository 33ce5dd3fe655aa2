"""Work with things between scenes: mending and building, devices that may fail, and power (book lines 290-330, 3527-3616, 4156-4263)."""

from collections.abc import Mapping

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import HOUR, MINUTE
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure, again
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Happened, Play, Tell
from rulewright.rules import Ruleset, nearest
from rulewright.systems.foresight.downtime.market import SVU
from rulewright.systems.foresight.downtime.survivors import Recovers, Survivor, sheet_condition
from rulewright.systems.foresight.gear.items import (
    AIDS,
    DEVICES,
    GENERATORS,
    STORAGE,
    Battery,
    battery,
    device_fails,
    failing_rolls,
    fails,
    navigation_aid,
    running_time,
    toolkit,
)
from rulewright.systems.foresight.harm.body import condition
from rulewright.systems.foresight.resolution.notation import parse
from rulewright.systems.foresight.resolution.tests import Mod, Task, attempt, duration, roll_d100

Now = Case[Survivor]
TEST = Figure("test", "Test", takes="test", needed=True, rule="fs-success-chance")
MODIFIER = Figure("modifier", "Modifier", low=-20, high=20)
BROKEN = "broken"


def written_task(rules: Ruleset, case: Now, *mods: Mod) -> Task:
    """The test of the sheet that an activity uses, as the body is now."""
    weighed = sum(mod.value for mod in condition(rules, case.life.body)) - sum(mod.value for mod in sheet_condition(rules, case.life.file))
    return parse(case.tests[0].notation).task.plus(Mod("condition", weighed, "fs-wound-levels"), *mods)


class Broken(Begun[Survivor]):
    """A thing that has failed, until somebody mends it. It is never due."""

    name = BROKEN
    label = "break something"
    rules = ("fs-failure-range",)
    arguments = (Figure("item", "What is broken", takes="text", needed=True),)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} is broken"


class Mend(Activity[Survivor]):
    """Building or mending: the test is made when the work begins, and its quality says how long it takes. Tools help or hinder.

    Its data are the quality rating and the seconds of the work, once the test is made.
    """

    name = "build or mend"
    label = "build or mend something"
    rules = ("fs-toolkits", "fs-yield-time-pm")
    tools = Figure(
        "tools",
        "Tools",
        ("Standard", "Basic", "Advanced", "Small Facility", "Large Facility", "Advanced Facility"),
        rule="fs-toolkits",
    )
    newer = Figure("newer", "Technology levels that the tools are ahead", low=0, high=2, rule="fs-toolkits")
    estimate = Figure("estimate", "Estimated time", takes="span", default=8 * HOUR, needed=True, rule="fs-yield-time-pm")
    arguments = (AIM, TEST, tools, newer, estimate, MODIFIER)
    hours = 8

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not given.get(TEST.name):
            raise UserError("say which test of the sheet it takes")

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        return "" if case.tests else f"{case.name} has no test {case.argument(TEST)}"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(effect.data[1])) if effect.data else 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        if not effect.data:
            kit = toolkit(rules, str(case.argument(self.tools)), int(case.argument(self.newer)))
            tools = Mod(f"tools: {kit.quality}", kit.pm, "fs-toolkits")
            task = written_task(rules, case, tools, Mod("modifier", int(case.argument(MODIFIER))))
            rolled = yield from attempt(rules, task, case.name, effect.about)
            needed = duration(rules, rolled.qr, int(case.argument(self.estimate)))
            said = f"sets to work on {effect.about}: QR{rolled.qr} with {figure(kit.kg[0])} kg of tools"
            yield from Tell(Recovers(case.name, said, "plain", (needed.reason,)))
            return Change(case.life, again(effect, rolled.qr, round(needed.value)))
        done = int(effect.data[0]) <= 4
        words = "is done with" if done else "does not get done"
        yield from Tell(Happened(case.name, f"{words} {effect.about} (QR{effect.data[0]})", "good" if done else "bad"))
        return Change(case.life, ended=((BROKEN, effect.about),) if done else ())


class UseDevice(Activity[Survivor]):
    """Using a communications device or an aid to navigation, which fails on some rolls of the task and is broken then."""

    name = "use a device"
    label = "use a communicator or an aid to navigation"
    rules = ("fs-communications", "fs-failure-range", "fs-navigation-aids")
    item = Figure("item", "Device, such as Sextant or Pager", takes="text", needed=True, rule="fs-communications")
    test = Figure("test", "Test (empty: none is needed)", takes="test", rule="fs-success-chance")
    time = Figure("time", "Time it takes", takes="span", default=10 * MINUTE)
    arguments = (item, test, MODIFIER, time)
    hours = 0

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        item = str(given[self.item.name])
        if item not in DEVICES(rules) and item not in AIDS(rules):
            raise UserError(f"there is no device {item[:40]!r}{nearest(item, (*DEVICES(rules), *AIDS(rules)))}")

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        item, wanted = str(case.argument(self.item)), case.argument(self.test)
        if any(run.about == item for run in case.running(BROKEN)):
            return f"{item} is broken"
        return "" if case.tests or not wanted else f"{case.name} has no test {wanted}"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return int(case.argument(self.time))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        item = effect.about
        row = DEVICES(rules).get(item) or AIDS.get(rules, item)
        if case.argument(self.test):
            helps = navigation_aid(rules, item) if item in AIDS(rules) else Mod(item, row.pm or 0, "fs-communications")
            task = written_task(rules, case, helps, Mod("modifier", int(case.argument(MODIFIER))))
            failing = failing_rolls(rules, row.fails) if row.fails else ()
            rolled = yield from attempt(rules, task, case.name, item, failing)
            breaks = rolled.fails and row.fails is not None and (yield from fails(rules, row.fails, failing[0]))
            said, good = f"uses {item}: QR{rolled.qr}", rolled.success
        else:
            roll = yield from roll_d100(rules)
            if item in DEVICES(rules):
                breaks = yield from device_fails(rules, item, roll)
            else:
                breaks = row.fails is not None and (yield from fails(rules, row.fails, roll))
            said, good = f"uses {item}", True
        yield from Tell(Happened(case.name, f"{said}{', and it breaks' if breaks else ''}", "good" if good and not breaks else "bad"))
        return Change(case.life, runs=(OngoingEffect(BROKEN, item, 0, (item,)),) if breaks else ())


# --- power --------------------------------------------------------------------------------------------------------------------

POWER = "power"


class Power(Begun[Survivor]):
    """A battery or generator that runs something. Its data are the watts, and the minutes that it lasts (-1: as long as it is fed)."""

    name = POWER
    rules = ("fs-power-storage", "fs-power-generators")

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        minutes = int(effect.data[1])
        return None if minutes < 0 else minutes * MINUTE

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        yield from Tell(Happened(case.name, f"runs out of power: {effect.about}", "bad"))
        return Change(case.life, stops=f"{effect.about} has run out of power")

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about} gives {effect.data[0]} watts"


class PowerUp(Activity[Survivor]):
    """Running a load on a battery, which is bought for it, or on a generator."""

    name = "power something"
    label = "run something on a battery or generator"
    rules = ("fs-power-storage", "fs-power-generators")
    source = Figure("source", "Battery or generator of the lists", takes="text", needed=True, rule="fs-power-storage")
    watts = Figure("watts", "Watts", low=1, high=1_000_000_000, default=25, rule="fs-power-storage")
    lasts = Figure("hours", "Hours that a battery must last (0: as long as its output makes it)", low=0, high=100_000)
    arguments = (source, watts, lasts)
    hours = 0

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        source, watts = str(given[self.source.name]), int(given[self.watts.name])
        if source in GENERATORS(rules):
            running_time(rules, source, watts)
        elif source not in STORAGE(rules):
            raise UserError(f"there is no source of power {source[:40]!r}{nearest(source, (*STORAGE(rules), *GENERATORS(rules)))}")

    def _battery(self, rules: Ruleset, case: Now) -> Battery | None:
        source = str(case.argument(self.source))
        if source not in STORAGE(rules):
            return None
        return battery(rules, int(case.argument(self.watts)), source, int(case.argument(self.lasts)))

    def price(self, rules: Ruleset, case: Now) -> tuple[tuple[str, int], ...]:
        needed = self._battery(rules, case)
        return ((SVU, max(1, round(needed.cost))),) if needed is not None else ()

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 0

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        watts, needed = int(case.argument(self.watts)), self._battery(rules, case)
        hours = running_time(rules, effect.about, watts) if needed is None else needed.hours
        weight = f", {figure(needed.kg)} kg" if needed is not None else ""
        lasts = "as long as it is fed" if hours is None else f"for {figure(hours)} hours"
        yield from Tell(Happened(case.name, f"runs {watts} watts on {effect.about} {lasts}{weight}"))
        minutes = -1 if hours is None else round(hours * 60)
        return Change(case.life, runs=(OngoingEffect(POWER, effect.about, 0, (watts, minutes)),))
