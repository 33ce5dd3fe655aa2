"""What is told of a fight where no sum stands behind it."""

from rulewright.play import Happened, Tell
from rulewright.systems.silhouette.combat.fighters import Fight


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tell what somebody does; what the hidden do is told to their own side only."""
    return Tell(Happened(who, what, mood, known_to=fight.mates(who) if fight.fighter(who).hidden else None))
