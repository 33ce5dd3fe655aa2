"""Short log entries of a fight, with the sum of a test if there is one."""

from rulewright.play import Happened, Tell
from rulewright.systems.silhouette.combat.fighters import Fight
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.resolution.tests import Test


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tells what a fighter does; actions of hidden fighters are told to their own side only."""
    return Tell(Happened(who, what, mood, known_to=fight.knowing(who)))


def managed(fight: Fight, who: str, what: str, test: Test, rule: str, mood: str = "plain") -> Tell:
    """Tells the result of a fighter's test, with its sum."""
    return Tell(Managed(who, what, test, rule, mood, known_to=fight.knowing(who)))
