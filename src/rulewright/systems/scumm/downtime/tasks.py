"""Work between scenes: long tasks, taking time, jury-rigging, forging, disguises and deals (book lines 116-120, 186-260, 325-346)."""

from collections.abc import Mapping
from typing import Any, cast

from rulewright.campaign.activities.general import AIM
from rulewright.campaign.calendar import HOUR
from rulewright.campaign.downtime import OngoingEffect, Value
from rulewright.campaign.downtime_rules import Activity, Begun, Case, Change, Figure, again
from rulewright.errors import UserError
from rulewright.highest_die import long_task
from rulewright.highest_die.downtime import Recovers
from rulewright.highest_die.long_task import MODIFIER, worded
from rulewright.highest_die.notation import parse
from rulewright.play import Play, Tell
from rulewright.rules import Ruleset
from rulewright.systems.scumm.downtime.survivors import Survivor
from rulewright.systems.scumm.people import skills
from rulewright.systems.scumm.people.characters import SKILLS
from rulewright.systems.scumm.people.skills import Gadget
from rulewright.systems.scumm.resolution.tests import Mod, Pool, Test, action_test, gathered, passes, skill_pool, take_average, take_high

Now = Case[Survivor]
TEST = Figure("test", "Test", takes="test", needed=True, rule="scumm-skill-test")
THRESHOLD = Figure("threshold", "Threshold", low=1, high=30, default=4, rule="scumm-action-test")
TIME = Figure("time", "Usual time", takes="span", default=HOUR, needed=True)


def pool_of(case: Now, modifier: int = 0) -> Pool:
    """The dice of the test that an activity uses, as the body is now."""
    written = parse(case.tests[0].notation, Pool).pool
    assert isinstance(written, Pool)
    return written.plus(Mod("action penalty", case.life.body.penalty, "scumm-injuries"), Mod("situation", modifier))


class LongTask(long_task.LongTask[Survivor]):
    """An extended task: Margins of Success add up until they reach the total."""

    def __init__(self) -> None:
        super().__init__("scumm-accumulated-successes", TEST, THRESHOLD)

    def tested(self, rules: Ruleset, case: Now, modifier: int, threshold: int, what: str) -> Play[Test]:
        return (yield from action_test(rules, pool_of(case, modifier), threshold, case.name, what))

    def gathered(self, rules: Ruleset, so_far: int, margin: int) -> int:
        return gathered(rules, so_far, margin)

    def passes(self, rules: Ruleset, total: int, threshold: int) -> bool:
        return passes(rules, total, threshold)


class TakeTime(Activity[Survivor]):
    """Taking Average in the usual time, or Taking High in twenty times it: a certain result, and no dice."""

    name = "take time"
    label = "take time instead of a roll"
    rules = ("scumm-taking-average", "scumm-taking-high")
    how = Figure("how", "How", ("average", "high"), rule="scumm-taking-high")
    arguments = (AIM, Figure("skill", "Skill", takes="text", needed=True), how, TIME, THRESHOLD, MODIFIER)

    def refuse(self, rules: Ruleset, given: Mapping[str, Value]) -> None:
        if not str(given.get("skill", "")).strip():
            raise UserError("say which skill it takes")

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        skill = str(case.argument(self.arguments[1]))
        return "" if case.life.level(skill) > 0 else f"{case.name} has no level of {skill}, and an unskilled test is always rolled"

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        usual = int(case.argument(TIME))
        return case.worked(usual if case.argument(self.how) == "average" else 20 * usual)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        level = case.life.level(str(case.argument(self.arguments[1])))
        attribute = attribute_of(rules, case.life, str(case.argument(self.arguments[1])))
        modifier = int(case.argument(MODIFIER)) + case.life.body.penalty + attribute
        taken = (take_average if case.argument(self.how) == "average" else take_high)(level, modifier)
        passed = passes(rules, taken.value, int(case.argument(THRESHOLD)))
        said = f"takes {case.argument(self.how)} for {effect.about}: {taken.value} against {case.argument(THRESHOLD)}"
        yield from Tell(Recovers(case.name, f"{said}, {'success' if passed else 'failure'}", "good" if passed else "bad", (taken.reason,)))
        return Change(case.life)


def attribute_of(rules: Ruleset, life: Survivor, skill: str) -> int:
    """The attribute that a skill is tested with; 0 for a skill that no table lists."""
    known = SKILLS(rules).get(skill)
    name = known.attribute if known is not None else ""
    return {"alertness": life.alertness, "body": life.strength, "intelligence": life.intelligence, "spirit": life.spirit}.get(name, 0)


# --- jury-rigging -------------------------------------------------------------------------------------------------------------

GADGET = "gadget"


class GadgetKind(Begun[Survivor]):
    """Something jury-rigged, which lasts as long as its maker needs it. Its data are the Threshold and its state; it is never due."""

    name = GADGET
    rules = ("scumm-tinker",)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> None:
        return None

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        return f"{effect.about}: {effect.data[1]}"


def _gadget(effect: OngoingEffect, maker: str) -> Gadget:
    state: Any = effect.data[1]
    return Gadget(maker, int(effect.data[0]), state)


class JuryRig(Activity[Survivor]):
    """Making something makeshift with Tinker; what works is kept as a gadget of its maker."""

    name = "jury-rig"
    label = "jury-rig something"
    rules = ("scumm-tinker",)
    arguments = (AIM, THRESHOLD, MODIFIER, TIME)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        modifier = int(case.argument(MODIFIER)) + case.life.body.penalty
        threshold, level = int(case.argument(THRESHOLD)), case.life.level("tinker")
        gadget = yield from skills.tinker(rules, level, case.life.alertness, threshold, modifier, case.name)
        kept = OngoingEffect(GADGET, effect.about, 0, (threshold, gadget.state))
        return Change(case.life, runs=(kept,) if gadget.state == "works" else ())


class HandleGadget(Activity[Survivor]):
    """Pushing a gadget (another test), ending its malfunction, or no longer needing it."""

    name = "handle a gadget"
    label = "push, fix or discard a gadget"
    rules = ("scumm-tinker",)
    what = Figure("what", "What", ("push it", "fix it", "no longer need it"))
    arguments = (Figure("aim", "Which gadget", takes="text", needed=True), what, MODIFIER)

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return 6  # a full-round action

    def obstacle(self, rules: Ruleset, case: Now) -> str:
        aim = str(case.argument(self.arguments[0]))
        return "" if any(run.about == aim for run in case.running(GADGET)) else f"{case.name} has no gadget {aim}"

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        run = next(run for run in case.running(GADGET) if run.about == effect.about)
        gadget, what = _gadget(run, case.name), case.argument(self.what)
        if what == "push it":
            modifier = int(case.argument(MODIFIER)) + case.life.body.penalty
            gadget = yield from skills.strain(rules, gadget, case.life.level("tinker"), case.life.alertness, modifier)
        else:
            gadget = skills.fix(gadget) if what == "fix it" else skills.use(gadget, case.name, needed=False)
            yield from Tell(Recovers(case.name, f"sees to {effect.about}: it {gadget.state}"))
        if gadget.state == "fell apart":
            return Change(case.life, ended=((GADGET, effect.about),))
        return Change(case.life, runs=(again(run, gadget.threshold, gadget.state),))


# --- forging, disguises, deals ------------------------------------------------------------------------------------------------

FAMILIAR = Figure("familiar", "Field or milieu", ("familiar", "unfamiliar"), rule="scumm-forgery-unfamiliar")


class SkillWork(Activity[Survivor]):
    """One test of a skill with a rule of its own, at the end of the usual time."""

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int:
        return case.worked(int(case.argument(TIME)))

    def tested(self, rules: Ruleset, case: Now) -> Play[Test]:
        """The skill's test."""
        raise NotImplementedError

    def passed(self, rules: Ruleset, case: Now, effect: OngoingEffect, test: Test) -> Change[Survivor]:
        """What a success brings."""
        return Change(case.life)

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        test = yield from self.tested(rules, case)
        passed = passes(rules, test.total, test.threshold)
        yield from Tell(Recovers(case.name, f"{self.label} ({effect.about}): {worded(test, passed)}", "good" if passed else "bad"))
        return self.passed(rules, case, effect, test) if passed else Change(case.life)


class Forge(SkillWork):
    """Making a forgery, at -2 in a field that one is not familiar with."""

    name, label = "forge", "forges"
    rules = ("scumm-forgery-unfamiliar",)
    arguments = (AIM, THRESHOLD, FAMILIAR, MODIFIER, TIME)

    def tested(self, rules: Ruleset, case: Now) -> Play[Test]:
        familiar, modifier = case.argument(FAMILIAR) == "familiar", int(case.argument(MODIFIER)) + case.life.body.penalty
        level = case.life.level("forgery")
        return (yield from skills.forgery(rules, level, case.life.intelligence, int(case.argument(THRESHOLD)), familiar, modifier))


class CallOn(SkillWork):
    """Moving in a milieu by Etiquette, at -2 in one that one is not familiar with."""

    name, label = "move in society", "moves in society"
    rules = ("scumm-etiquette-unfamiliar",)
    arguments = (AIM, THRESHOLD, FAMILIAR, MODIFIER, TIME)

    def tested(self, rules: Ruleset, case: Now) -> Play[Test]:
        familiar, modifier = case.argument(FAMILIAR) == "familiar", int(case.argument(MODIFIER)) + case.life.body.penalty
        level = case.life.level("etiquette")
        return (yield from skills.etiquette(rules, level, case.life.spirit, int(case.argument(THRESHOLD)), familiar, modifier))


class Disguise(SkillWork):
    """Putting on a disguise; its Margin of Success makes it harder to see through, until it is taken off."""

    name, label = "disguise", "puts on a disguise"
    rules = ("scumm-disguise-opposition",)
    certain = Figure("impersonation", "Harder for a certain person", low=0, high=20, rule="scumm-disguise-opposition")
    arguments = (AIM, THRESHOLD, certain, MODIFIER, TIME)

    def tested(self, rules: Ruleset, case: Now) -> Play[Test]:
        modifier = int(case.argument(MODIFIER)) + case.life.body.penalty
        threshold, certain = int(case.argument(THRESHOLD)), int(case.argument(self.certain))
        return (yield from skills.disguise(rules, case.life.level("disguise"), case.life.spirit, threshold, certain, modifier))

    def passed(self, rules: Ruleset, case: Now, effect: OngoingEffect, test: Test) -> Change[Survivor]:
        return Change(case.life, runs=(OngoingEffect("disguised", effect.about, 0, (test.margin,)),))


class Disguised(Begun[Survivor]):
    """A disguise that is worn, or one that somebody looks at: the Margin of Success, then the onlooker's Notice and Alertness."""

    name = "disguised"
    rules = ("scumm-disguise-opposition",)
    label = "let somebody look at a disguise"
    arguments = (
        Figure("aim", "As whom", takes="text", needed=True),
        Figure("margin", "Margin of Success of the disguise", low=0, high=30),
        Figure("notice", "Notice of the onlooker", low=0, high=20, default=1),
        Figure("alertness", "Alertness of the onlooker", low=-5, high=5),
        Figure("threshold", "Threshold without a disguise", low=1, high=30, default=2, rule="scumm-disguise-opposition"),
    )

    def seconds(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> int | None:
        return 0 if len(effect.data) > 1 else None

    def come_due(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> Play[Change[Survivor]]:
        margin, notice, alertness, threshold = cast(tuple[int, int, int, int], tuple(effect.data[-4:]))
        seen = yield from skills.see_through(rules, notice, alertness, threshold, margin)
        said = "is recognized" if seen else "is not recognized"
        yield from Tell(Recovers(case.name, f"{said} as {effect.about}", "bad" if seen else "good"))
        return Change(case.life, None if seen else again(effect, margin))

    def words(self, rules: Ruleset, case: Now, effect: OngoingEffect) -> str:
        margin = effect.data[0] if len(effect.data) == 1 else effect.data[-4]
        return f"disguised as {effect.about}: +{margin} on the Threshold of onlookers"


TARGETS = ("moderate", "routine", "easy", "challenging", "difficult", "very difficult", "extremely difficult", "near impossible")


class Deal(SkillWork):
    """Winning somebody for a deal, and what it brings or costs in Wealth Points."""

    name, label = "deal", "makes a deal"
    rules = ("scumm-persuasion-difficulty",)
    target = Figure("target", "The target", TARGETS, rule="scumm-persuasion-difficulty")
    relationship = Figure("relationship", "The relationship", low=-10, high=10, rule="scumm-persuasion-difficulty")
    risk = Figure("risk", "Risk against reward", low=-10, high=10, rule="scumm-persuasion-difficulty")
    gain = Figure("gain", "Wealth Points gained", low=0, high=10_000, rule="scumm-wealth")
    arguments = (AIM, target, relationship, risk, gain, TIME)

    def tested(self, rules: Ruleset, case: Now) -> Play[Test]:
        weighs = str(case.argument(self.target)), int(case.argument(self.relationship)), int(case.argument(self.risk))
        threshold = skills.persuasion_threshold(rules, *weighs).value
        mods = (Mod("action penalty", case.life.body.penalty, "scumm-injuries"),)
        pool = skill_pool(rules, case.life.level("persuasion"), case.life.spirit, "Spirit", mods)
        return (yield from action_test(rules, pool, threshold, case.name, "Persuasion"))

    def passed(self, rules: Ruleset, case: Now, effect: OngoingEffect, test: Test) -> Change[Survivor]:
        gain = int(case.argument(self.gain))
        return Change(case.life, means=(("Wealth Points", gain),) if gain else ())
