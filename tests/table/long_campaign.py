"""A campaign of ten fights and twenty downtimes that plays itself: the next action follows from the table alone, so anybody can go on."""

import msgspec

from rulewright.play import Seeded
from rulewright.system import find
from rulewright.table import campaign_view
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.service import Tables
from table.group import Group, gather, plainest

DOWNTIMES, ANSWERS = 20, 12
SORTED = msgspec.json.Encoder(order="sorted")
SPANS = ("1 day", "3 days", "5 hours", "1 week")
SECRETS = {"scumm": ("illness", {"name": "marsh fever"}), "ore": ("sickness", {"name": "marsh fever", "onset": "9 days"})}


class SteadyDice:
    """Dice that depend on how far a table is, so that whoever goes on rolls the same."""

    def __init__(self):
        self.rolls = Seeded(0)

    def begin(self, seq):
        """The dice of the next action."""
        self.rolls = Seeded(seq)

    def faces(self, roll):
        return self.rolls.faces(roll)


def opened(folder):
    """The service on a database in a folder, with steady dice and a clock that stands still."""
    return Tables(f"sqlite:///{folder / 'tables.db'}", dice=SteadyDice(), clock=lambda: 10**15)


def begin(tables, game):
    """A table with two characters, plans, dates, a tally and an effect that nobody knows of; returns the group and its characters."""
    group = gather(tables, game)
    people = tuple(group.act(who, a.AddCharacter(of="character", name=f"Person of {who}")).made for who in ("ana", "cleo"))
    group.act("bea", c.StartClock("3 March 1931 20:00"))
    group.act("bea", c.SetLocation("camp", {}))
    group.act("bea", c.SetDate("9 March 1931", "the market"))
    group.act("bea", c.SetDate("11 March 1931", "the plot", "gamemaster"))
    group.act("bea", c.SetTally("patience", 6, "exists"))
    name, given = SECRETS[game]
    group.act("bea", c.BeginEffect(people[0], name, given, True))
    for who, character in zip(("ana", "cleo"), people, strict=True):
        test = "alertness" if game == "scumm" else "coordination"
        ledger = {"aim": "the ledger", "unit": "9 hours", "total": "200", "test": test}
        group.act(who, c.PlanActivity(character, "something else", ledger, 8))
    return group, people


def next_action(tables, group, people):
    """The member who acts next and what they do; None at the end of the campaign."""
    with tables.looking(group.table) as table:
        downtimes = sum(stage.downtime for stage in table.scenes.values())
        fights = len(table.scenes) - downtimes
        playing = next((stage for stage in table.open_scenes()), None)
        questions = playing.questions() if playing is not None else ()
        asked = len(playing.entries) if playing is not None else 0
    if playing is not None and playing.downtime:
        return "bea", a.GoOn(playing.number)
    if questions and asked < ANSWERS:
        question = questions[0]
        if hasattr(question.request, "reading"):
            return "bea", a.RollDice(playing.number, question.at, question.mark)
        return "bea", a.Answer(playing.number, plainest(question.request), question.at, question.mark)
    if playing is not None:
        return "bea", a.EndScene(playing.number)
    offers = tables.view(group.table, group.bea).offers
    if offers:
        return "bea", a.LeaveBehind(offers[0].scene) if fights % 3 == 0 else a.CarryOn(offers[0].scene)
    if downtimes == DOWNTIMES:
        return None
    if fights == downtimes // 2 and downtimes % 2 == 0:
        ready = next(path for path in find(group_game(tables, group)).demos() if path.startswith("characters/"))
        other = ready.removeprefix("characters/").removesuffix(".yaml")
        sides = {"one": (a.Placing(people[fights % 2], at=(0.0, 0.0)),), "two": (a.Placing(other, at=(4.0, 0.0)),)}
        return "bea", a.BeginScene(name=f"fight {fights + 1}", sides=sides)
    return "bea", c.PassTime(SPANS[downtimes % len(SPANS)], stops=downtimes % 5 != 0, tactics=True)


def group_game(tables, group):
    """The game of a table."""
    with tables.looking(group.table) as table:
        return table.system.id


def play_on(tables, group, people, most=100_000):
    """Goes on with the campaign; yields the number of the last line after every action."""
    for _ in range(most):
        turn = next_action(tables, group, people)
        if turn is None:
            return
        who, action = turn
        tables._dice.begin(tables.store.last(group.table))
        yield tables.act(group.table, getattr(group, who), action, f"line {tables.store.last(group.table)}").seq


def everything(tables, group, people):
    """What every member sees of a table, as bytes, with names for what has a random id."""
    seen = []
    with tables.looking(group.table) as table:
        members = [getattr(group, who) for who in ("bea", "ana", "cleo", "dan")]
        campaigns = [campaign_view.campaign_shown(table, table.members[member]) for member in members]
        dates = {key: f"date {number}" for number, key in enumerate(table.campaign.dates)}
        tallies = {key: f"tally {number}" for number, key in enumerate(table.campaign.tallies)}
        sheets = [table.characters[key].data for key in people]
    for member in members:
        lines = [{**msgspec.to_builtins(line), "mark": ""} for line in tables.log(group.table, member, most=100_000)]
        seen.append(({**msgspec.to_builtins(tables.view(group.table, member)), "mark": "", "id": ""}, lines))
    text = SORTED.encode((seen, campaigns, sheets)).decode()
    names = dates | tallies | dict(zip((*members, *people), ("bea", "ana", "cleo", "dan", "first", "second"), strict=True))
    for number, name in names.items():
        text = text.replace(f'"{number}"', f'"{name}"')
    return text


def serve(folder, fields, people):
    """Goes on with the campaign in a process of its own, until it is killed or the campaign is over."""
    tables = opened(folder)
    group = Group(tables, *fields)
    for _ in play_on(tables, group, people):
        pass
    tables.close()
