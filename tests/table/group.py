"""A group at a table, for the tests: Bea is the gamemaster, Ana and Cleo are players, Dan is a spectator."""

from msgspec import Struct

from rulewright.play import Choice
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables


class Group(Struct):
    """The ids of the members, and shortcuts."""

    tables: Tables
    table: str
    bea: str
    ana: str
    cleo: str
    dan: str
    invitation: str
    leading: str

    def act(self, who: str, action, key: str = ""):
        """Carries out an action of a member."""
        return self.tables.act(self.table, getattr(self, who), action, key)

    def view(self, who: str):
        """What a member sees."""
        return self.tables.view(self.table, getattr(self, who))

    def log(self, who: str, most: int = 100_000):
        """The log as a member may read it."""
        return self.tables.log(self.table, getattr(self, who), most=most)

    def scene(self, who: str, number: int = 1):
        """A scene as a member sees it."""
        return self.tables.scene(self.table, getattr(self, who), number)

    def everything(self, tables: Tables | None = None):
        """Everything that anybody may see, as plain comparable values."""
        tables = tables or self.tables
        with tables.looking(self.table) as table:
            here = [member.id for member in table.members.values() if member.here]
        return {member: (tables.view(self.table, member), tables.log(self.table, member, most=100_000)) for member in here}


def gather(tables: Tables, system: str = "scumm", **options) -> Group:
    """Opens a table with the group."""
    hosting = tables.host(system, "Friday night", "Bea", "device of Bea", **options)
    seats = [
        tables.join(hosting.table, hosting.invitation, name, f"device of {name}", role=role).member
        for name, role in (("Ana", "player"), ("Cleo", "player"), ("Dan", "spectator"))
    ]
    return Group(tables, hosting.table, hosting.member, *seats, hosting.invitation, hosting.gamemaster_link)


def duel(group: Group, **options) -> int:
    """Starts a duel of Ana's and Cleo's hired guns, six metres apart; returns the number of the scene."""
    ours = [group.act(who, a.AddCharacter(ready="hired-gun", name=name)).made for who, name in (("ana", "Vesna"), ("cleo", "Teodor"))]
    north, south = ({"character": one, "at": (6.0 * place, 0.0)} for place, one in enumerate(ours))
    sides = {"north": (a.Placing(**north),), "south": (a.Placing(**south),)}
    return int(group.act("bea", a.BeginScene(name="A duel", sides=sides, **options)).made)


def plainest(request: Choice):
    """The first option, or the lowest number."""
    return request.options[0].key if isinstance(request.options, tuple) else request.options.low


def asked(group: Group, who: str, number: int = 1):
    """The first question that a member may answer; None if there is none."""
    return next((question for question in group.scene(who, number).questions if question.mine), None)


def play_on(group: Group, most: int = 200, number: int = 1) -> int:
    """Answers every question with the simplest answer until the scene ends; returns the number of answers."""
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
