"""Actions that are not attacks: using a skill, and getting free (book lines 1917-1998)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Scale, came_to
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.attacks.attack_setup import burden
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.entanglement import get_free
from rulewright.systems.silhouette.attacks.shots import PHYSICAL
from rulewright.systems.silhouette.combat.events import managed
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Kind, Situation
from rulewright.systems.silhouette.combat.stances import in_stance
from rulewright.systems.silhouette.fight.actions.base import Doing, Offer
from rulewright.systems.silhouette.fight.free_fall import take_hold
from rulewright.systems.silhouette.people.skills import attribute_of
from rulewright.systems.silhouette.resolution.tests import Mod, action_test, passes, skill_pool


class UseSkill(Doing):
    """A skill used during a fight."""

    kind: Kind = "use a skill"
    verb = "other"

    def options(self, rules: Ruleset, offer: Offer) -> Iterator[Option[Action]]:
        yield self.option("skill", "Use a skill (the gamemaster sets the Threshold)", Action("use a skill"))

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return use_skill(rules, fight, name, penalty)


class GetFree(Doing):
    """The only action of an entangled fighter."""

    kind: Kind = "get free"
    verb = "other"

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return get_free(rules, fight, name, penalty)


class HoldOn(Doing):
    """A floating fighter grabs a hold."""

    kind: Kind = "hold on"
    verb = "special"
    simple = True

    def said(self, fighter: Fighter, action: Action) -> str:
        return "grabs the nearest hold"

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action, penalty: int) -> Play[Fight]:
        return take_hold(rules, fight, name)


TRYING = Scale(("fumble", "failure", "success"), ("success",), "succeeds", "fails")
"""Possible results of a test against a Threshold."""


def use_skill(rules: Ruleset, fight: Fight, name: str, penalty: int) -> Play[Fight]:
    """Uses a skill during a fight: the player names it, the gamemaster sets the Threshold, and the roll decides."""
    fighter = fight.fighter(name)
    learnt = [trained.skill for trained in fighter.profile.skills if trained.level > 0] or ["athletics"]
    options = tuple([Option(skill, skill.capitalize(), skill) for skill in learnt])
    about = Situation(fight, name, rules)
    skill = yield from Choice(name, "Which skill do you use?", options, about, "way", fighter.hidden)
    asked = f"{name} uses {skill.capitalize()}. What is the Threshold?"
    threshold = yield from Choice[int](GAMEMASTER, asked, Range(0, 15), about, "threshold", fighter.hidden)
    trained, body = fighter.profile.trained(skill), fight.acting_body(fighter)
    attribute = attribute_of(rules, skill)
    mods = (
        *trained.mods,
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod("action penalty", body.acting_penalty, "sil-3.5.2-action-penalties"),
        *(burden(body) if attribute in PHYSICAL else ()),
    )
    own = fighter.profile.attribute(attribute)
    pool = skill_pool(rules, trained.level, own, trained.complexity, 1, False, attribute.capitalize(), mods)
    pool = in_stance(rules, replace(pool, hero=fighter.profile.hero), fighter.stance, "task", False)
    fight, pool = yield from spend_emergency_dice(rules, fight, name, pool, skill)
    test = yield from action_test(rules, pool, threshold, name, skill)
    passed = passes(rules, test.total, test.threshold)
    said = f"uses {skill.capitalize()}: {'success' if passed else 'failure'} by {abs(test.margin)}{' (fumble)' if test.fumble else ''}"
    yield managed(fight, name, said, test, "sil-1.2.4-skill-test", "good" if passed else "bad")
    yield came_to("fumble" if test.fumble else "success" if passed else "failure", TRYING, name)
    return fight
