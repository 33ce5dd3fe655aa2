"""What is told of a fight where no sum stands behind it."""

from rulewright.play import Event, Tell
from rulewright.systems.silhouette.fighters import Fight


class Happened(Event, frozen=True):
    """Something that needs no sum: who did what. `known_to` names those who may know of it, where not everybody may."""

    who: str
    what: str
    mood: str = "plain"
    known_to: tuple[str, ...] | None = None

    def headline(self) -> str:
        return f"{self.who} {self.what}"

    def tone(self) -> str:
        return self.mood

    def hidden_from(self, who: str | None) -> bool:
        return self.known_to is not None and who is not None and who not in self.known_to


def happened(fight: Fight, who: str, what: str, mood: str = "plain") -> Tell:
    """Tell what somebody does; what the hidden do is told to their own side only."""
    return Tell(Happened(who, what, mood, fight.mates(who) if fight.fighter(who).hidden else None))
