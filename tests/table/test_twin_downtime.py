"""Two tables that differ only in hidden effects, dates, tallies and people: while time passes, players receive the same bytes of both,
and time stops at the same moments, until a symptom is told."""

import msgspec
import pytest
from conformance.test_downtime import survivors

from rulewright.campaign.calendar import DAY
from rulewright.campaign.downtime import MOST_DUES, Downtime, OngoingEffect, Participant
from rulewright.campaign.downtime_rules import Begun, Bodiless, Figure, NoBody, again
from rulewright.campaign.downtime_scene import DowntimeScene
from rulewright.play import Happened, Seeded, Tell, play
from rulewright.scenes.scene import run
from rulewright.system import find
from rulewright.table import campaign_view
from rulewright.table.commands import campaign_messages as c
from rulewright.table.commands import messages as a
from rulewright.table.scenes import demos
from rulewright.table.service import Tables
from table.ear import Ear
from table.group import gather

GAMES = [game.id for game in demos.playable()]
SPANS = ("1 minute", "4 minutes", "20 minutes", "1 hour", "5 hours", "1 day", "1 day", "3 days", "1 week", "30 days")
PLAYERS = ("ana", "cleo", "dan")


class TwoCups:
    """Dice of a seed, with others for what is rolled in secret, so that hidden rolls change no open one."""

    def __init__(self, seed):
        self.open, self.secret = Seeded(seed), Seeded(seed + 0.5)

    def faces(self, roll):
        return (self.secret if roll.secret else self.open).faces(roll)


def party(folder, game, seed=4):
    """A table with Ana's and Cleo's hurt characters, who have plans, and what every id stands for, since ids are random."""
    folder.mkdir()
    group = gather(Tables(str(folder / "tables.db"), dice=TwoCups(seed), clock=lambda: 10**15), game)
    people = []
    hurt = survivors(game)[1] if find(game).downtime is not None else []
    for who, number in (("ana", 0), ("cleo", -1)):
        data = msgspec.to_builtins(hurt[number]) if hurt else None
        new = a.AddCharacter(data=data, of="character", name=f"Person of {who}")
        people.append(group.act(who, new).made)
    group.act("bea", c.StartClock("3 March 1931 20:00"))
    group.act("bea", c.SetLocation("camp", {}))
    date = group.act("bea", c.SetDate("9 March 1931", "the market")).made
    for who, character in zip(("ana", "cleo"), people, strict=True):
        group.act(who, c.MakePlan(character, location="camp"))
        group.act(who, c.PlanActivity(character, "something else", {"aim": "the ledger", "unit": "9 hours", "total": "40"}))
    ids = {group.table: "table", date: "date"} | dict(zip(people, ("first", "second"), strict=True))
    return group, people, ids | {getattr(group, who): who for who in (*PLAYERS, "bea")}


def example(system, figure: Figure):
    """A value for an argument: the first row of the table of its rule, or any text."""
    if not figure.takes or figure.takes == "span":
        return figure.usual
    info = next((info for info in system.book.rules() if info.id == figure.rule), None)
    rows = info.table.rows if info is not None and info.table is not None else ()
    return str(next(iter(rows[0].values()))) if rows else "fever"


def hidden_kinds(game):
    """The kinds of effects that a gamemaster of a game begins in secret."""
    downtime = find(game).downtime
    return [kind.name for kind in downtime.effects if kind.label and kind.hidden] if downtime is not None else []


def begin_in_secret(group, people, game, name):
    """A hidden effect of both characters, if one is named, and a hidden person with a plan."""
    system = find(game)
    if name:
        given = {figure.name: example(system, figure) for figure in system.downtime.kind(name).arguments}
        for character in people:
            group.act("bea", c.BeginEffect(character, name, given, True))
    hidden = group.act("bea", a.AddCharacter(of="character", name="Mortimer", hidden=True)).made
    group.act("bea", c.MakePlan(hidden, location="camp"))
    group.act("bea", c.PlanActivity(hidden, "go to", {"to": "camp", "takes": "2 hours"}))


def prepare_in_secret(group, moment, span):
    """Another hidden date within the span, and tallies that count."""
    with group.tables.looking(group.table) as table:
        soon = table.campaign.calendar.write(table.campaign.now + 600)
    group.act("bea", c.SetDate(soon.partition(" ")[2], f"plot {moment}", "gamemaster"))
    tally = group.act("bea", c.SetTally(f"fuse {moment}", 6, "gamemaster")).made
    group.act("bea", c.CountTally(tally, 2))
    return span


def secrets(group, people):
    """The hidden effects that still run, with those that showed left out."""
    with group.tables.looking(group.table) as table:
        return [run for character in people for run in table.campaign.secrets.get(character, ())]


def received(group, ears, ids):
    """Everything that players have, with names for ids: views, logs, the campaign, and the events of their pages."""
    with group.tables.looking(group.table) as table:
        campaigns = [campaign_view.campaign_shown(table, table.members[getattr(group, who)]) for who in PLAYERS]
    logs = [[{**msgspec.to_builtins(line), "mark": ""} for line in group.log(who)] for who in PLAYERS]
    views = [{**msgspec.to_builtins(group.view(who)), "mark": "", "id": ""} for who in PLAYERS]
    text = msgspec.json.encode((campaigns, logs, views, [ear.events for ear in ears])).decode()
    for number, name in ids.items():
        text = text.replace(f'"{number}"', f'"{name}"')
    return text


def now(group):
    with group.tables.looking(group.table) as table:
        return table.campaign.now


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in GAMES for name in ("", *hidden_kinds(game))])
def test_what_is_hidden_changes_no_byte_no_stop_and_no_length(tmp_path, game, name):
    (plain, _, names), (busy, others, other_names) = (party(tmp_path / which, game) for which in ("plain", "busy"))
    begin_in_secret(busy, others, game, name)
    begun = len(secrets(busy, others))
    assert begun == (len(others) if name else 0)
    ears = {group.table: [Ear(group, who) for who in PLAYERS] for group in (plain, busy)}
    compared = 0
    for moment, span in enumerate(SPANS):
        prepare_in_secret(busy, moment, span)
        for group in (plain, busy):
            group.act("bea", c.PassTime(span, tactics=True))
            for ear in ears[group.table]:
                ear.listen()
        same = received(plain, ears[plain.table], names) == received(busy, ears[busy.table], other_names)
        left = len(secrets(busy, others))
        if left < begun and not same:
            break  # a symptom was told
        assert same, f"after {span}"
        assert now(plain) == now(busy)
        begun, compared = left, compared + 1
    assert compared >= (1 if name else len(SPANS))
    for group in (plain, busy):
        group.tables.close()


class Drip(Begun[NoBody]):
    """A hidden effect that is due every minute."""

    name = "drip"

    def seconds(self, rules, case, effect):
        return 60

    def come_due(self, rules, case, effect):
        yield Tell(Happened(case.name, "drips"))
        return case.life, again(effect)

    def words(self, rules, case, effect):
        return "drips"


class Dripping(Bodiless):
    effects = (Drip(),)


@pytest.mark.parametrize("known", [None, ()])
def test_only_what_everybody_knows_of_ends_a_piece_of_time(known):
    scene = DowntimeScene(find("scumm").book.ruleset(), Dripping())
    wet = Participant("Ana", NoBody(), runs=(OngoingEffect("drip", known=known),))
    played = play(run(scene, Downtime(0, 0, DAY // 2, (wet,))), dice=Seeded(1))
    minutes = MOST_DUES if known is None else DAY // 2 // 60
    assert (played.outcome.now, played.outcome.dues) == (minutes * 60, MOST_DUES if known is None else 0)
    seen = [event for event in played.events if event.logged and not event.hidden_from("Ana")]
    assert bool(seen) == (known is None)


def test_a_hidden_effect_is_in_no_file_of_its_character(tmp_path):
    group, people, _ = party(tmp_path / "table", "scumm")
    group.act("bea", c.BeginEffect(people[0], "illness", {"name": "marsh fever"}, True))
    for span in SPANS[:3]:
        group.act("bea", c.PassTime(span, tactics=True))
        with group.tables.looking(group.table) as table:
            assert "marsh fever" not in str(table.character(people[0]).data)
    assert len(secrets(group, people[:1])) == 1
    group.tables.close()
