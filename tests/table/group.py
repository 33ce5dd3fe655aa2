"""A group at a table, for the tests: Bea leads, Ana and Cleo play, Dan watches."""

from msgspec import Struct

from rulewright.play import Choice
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables


class Group(Struct):
    """Who sits where."""

    tables: Tables
    table: str
    bea: str
    ana: str
    cleo: str
    dan: str
    invitation: str
    leading: str

    def act(self, who: str, action, key: str = ""):
        """Somebody does something."""
        return self.tables.act(self.table, getattr(self, who), action, key)

    def view(self, who: str):
        """What somebody sees."""
        return self.tables.view(self.table, getattr(self, who))

    def log(self, who: str, most: int = 100_000):
        """The log as somebody may read it."""
        return self.tables.log(self.table, getattr(self, who), most=most)

    def scene(self, who: str, number: int = 1):
        """A scene as somebody sees it."""
        return self.tables.scene(self.table, getattr(self, who), number)

    def everything(self, tables: Tables | None = None):
        """All that anybody may see, as plain comparable values."""
        tables = tables or self.tables
        with tables.looking(self.table) as table:
            here = [member.id for member in table.members.values() if member.here]
        return {member: (tables.view(self.table, member), tables.log(self.table, member, most=100_000)) for member in here}


def gather(tables: Tables, system: str = "scumm", **options) -> Group:
    """The group sits down."""
    hosting = tables.host(system, "Friday night", "Bea", "device of Bea", **options)
    seats = [
        tables.join(hosting.table, hosting.invitation, name, f"device of {name}", role=role).member
        for name, role in (("Ana", "player"), ("Cleo", "player"), ("Dan", "spectator"))
    ]
    return Group(tables, hosting.table, hosting.member, *seats, hosting.invitation, hosting.gamemaster_link)


def duel(group: Group, **options) -> int:
    """Ana's and Cleo's hired guns face each other, six metres apart; the number of the scene."""
    ours = [group.act(who, a.AddCharacter(ready="hired-gun", name=name)).made for who, name in (("ana", "Vesna"), ("cleo", "Teodor"))]
    north, south = ({"character": one, "at": (6.0 * place, 0.0)} for place, one in enumerate(ours))
    sides = {"north": (a.Placing(**north),), "south": (a.Placing(**south),)}
    return int(group.act("bea", a.BeginScene(name="A duel", sides=sides, **options)).made)


def plainest(request: Choice):
    """The first option, or the lowest number."""
    return request.options[0].key if isinstance(request.options, tuple) else request.options.low


def asked(group: Group, who: str, number: int = 1):
    """The first question that somebody may answer; None where nothing is asked of them."""
    return next((question for question in group.scene(who, number).questions if question.mine), None)


def play_on(group: Group, most: int = 200, number: int = 1) -> int:
    """Whoever is asked answers the plainest thing, until the scene ends; how many answers that took."""
    for count in range(most):
        for who in ("ana", "cleo", "bea"):
            question = asked(group, who, number)
            if question is not None:
                break
        else:
            return count
        if question.sort == "roll":
            group.act(who, a.RollDice(number, question.at, question.mark))
        else:
            given = question.options[0].key if question.options else question.low
            group.act(who, a.Answer(number, given, question.at, question.mark))
    return most
