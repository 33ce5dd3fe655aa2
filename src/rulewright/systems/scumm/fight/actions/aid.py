"""Actions outside combat: using a skill and resuscitation (book lines 348-370, 555)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.play import GAMEMASTER, Choice, Event, Option, Play, Range, Scale, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.scumm.combat.attack_setup import Situation, happened, spend_emergency_dice
from rulewright.systems.scumm.combat.attacks import extra_action_penalty
from rulewright.systems.scumm.combat.fighters import REACH, Action, Fight, Fighter, Kind
from rulewright.systems.scumm.fight.actions.base import Doing, Offer
from rulewright.systems.scumm.harm.healing import Medic, resuscitate
from rulewright.systems.scumm.resolution.tests import Mod, Pool, Test, action_test, passes, rolled_total, skill_pool

HARDEST = 15
TRYING = Scale(("fumble", "failure", "success"), ("success",), "succeeds", "fails")
"""The possible results of a test against a Threshold."""
SAVING = Scale(("dead", "worse", "stable"), ("stable",), "brings back")
"""The possible results of an attempt to bring a person back."""


class Managed(Event, frozen=True):
    """A skill used for something that the rules of fighting do not cover."""

    name: str
    skill: str
    pool: Pool
    test: Test
    passed: bool

    def headline(self) -> str:
        fumbled = ", and a fumble" if self.test.fumble else ""
        return f"{self.name} uses {self.skill}: {'success' if self.passed else 'failure'} by {abs(self.test.margin)}{fumbled}"

    def reasons(self) -> tuple[Reason, ...]:
        rolled = rolled_total(self.skill, self.pool, Total(self.test.total, self.test.fumble), "scumm-skill-test")
        return rolled.reason, Reason("Threshold", self.test.threshold, "against", "scumm-action-test")

    def tone(self) -> str:
        return "good" if self.passed else "bad"


class UseSkill(Doing):
    """A skill used for something else."""

    kind: Kind = "skill"
    verb = "other"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        if offer.profile.trained:
            yield USE_A_SKILL

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        return use_skill(rules, fight, name, extra)


USE_A_SKILL = Option("skill", "Use a skill", Action("skill"), "against a Threshold set by the gamemaster", verb="other")


def use_skill(rules: Ruleset, fight: Fight, name: str, extra: int) -> Play[Fight]:
    """The skill is named, the gamemaster says how hard it is, and the roll decides."""
    fighter = fight.fighter(name)
    options = tuple([Option(trained.skill, trained.skill.capitalize(), trained) for trained in fighter.profile.trained])
    about = Situation(fight, name, rules)
    used = yield from Choice(name, "Which skill do you use?", options, about, "skill", fighter.hidden)
    asked = f"{name} uses {used.skill}. What is the Threshold?"
    threshold = yield from Choice[int](GAMEMASTER, asked, Range(0, HARDEST), about, "threshold", fighter.hidden)
    mods = (
        Mod("wounds", fight.acting_body(fighter).penalty, "scumm-injuries"),
        Mod("extra actions", extra_action_penalty(extra), "scumm-multiple-actions"),
    )
    pool = skill_pool(rules, used.level, used.attribute, used.attribute_name.capitalize(), mods)
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, used.skill)
    test = yield from action_test(rules, pool, threshold, name, used.skill)
    passed = passes(rules, test.total, threshold)
    known = fight.mates(name) if fighter.hidden else None
    yield from Tell(Managed(name, used.skill, pool, test, passed, known_to=known))
    yield from came_to("fumble" if test.fumble else "success" if passed else "failure", TRYING, name)
    return fight


def treatable(fight: Fight, fighter: Fighter) -> tuple[str, ...]:
    """Those within reach whose life can be saved."""
    return tuple(
        [
            other.name
            for other in fight.fighters
            if other.body.trauma is not None and not other.body.dead and other is not fighter and fighter.distance(other) <= REACH
        ]
    )


class Treat(Doing):
    """Work on a person within reach who is dying."""

    kind: Kind = "treat"
    verb = "help"
    goes_on_treating = True

    def for_all(self, rules: Ruleset, fight: Fight, fighter: Fighter) -> Iterator[Option[Action]]:
        """One option for everybody within reach who is dying."""
        needed = rules.number("treatment-rounds")
        for name in treatable(fight, fighter):
            spent = fighter.treated if fighter.treating == name else 0
            note = f"round {spent + 1} of {needed}, then Medicine against 1"
            yield self.option(f"treat:{name}", f"Treat {name}", Action("treat", name), note)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, extra: int) -> Play[Fight]:
        return treat(rules, fight, name, action.target)


def treat(rules: Ruleset, fight: Fight, name: str, target: str) -> Play[Fight]:
    """A round of work on a person who is dying; when a minute is over, a Medicine test decides."""
    fighter = fight.fighter(name)
    rounds = (fighter.treated if fighter.treating == target else 0) + 1
    needed = rules.number("treatment-rounds")
    if rounds < needed:
        yield from happened(fight, name, f"works on {target} (round {rounds} of {needed})")
        return fight.put(replace(fighter, treating=target, treated=rounds))
    profile = fighter.profile
    skilled = next((candidate for candidate in profile.trained if candidate.skill == "medicine"), None)
    medic = Medic(
        name,
        skilled.level if skilled is not None else 0,
        profile.intelligence,
        penalty=fight.acting_body(fighter).penalty,
    )
    fight = fight.put(replace(fighter, treating="", treated=0))
    victim = fight.fighter(target)
    body = yield from resuscitate(rules, medic, victim.body)
    yield from came_to("dead" if body.dead else "stable" if body.trauma is None else "worse", SAVING, name, target)
    return fight.put(victim.with_body(body))
