"""What is told of a fight in a few words, with a sum where a test stands behind it."""

from rulewright.play import Happened, Tell
from rulewright.systems.silhouette.combat.fighters import Fight
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.resolution.tests import Test


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tell what somebody does; what the hidden do is told to their own side only."""
    return Tell(Happened(who, what, mood, known_to=fight.knowing(who)))


def managed(fight: Fight, who: str, what: str, test: Test, rule: str, mood: str = "plain") -> Tell:
    """Tell what came of a test of somebody, with its sum."""
    return Tell(Managed(who, what, test, rule, mood, known_to=fight.knowing(who)))
