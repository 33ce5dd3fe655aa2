"""What the log says of a fight."""

from rulewright.play import Event


class Happened(Event, frozen=True):
    """Something that somebody did, in a few words."""

    name: str
    what: str

    def headline(self) -> str:
        return f"{self.name} {self.what}"
