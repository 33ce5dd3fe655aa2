"""Random actions in random order, in two server processes: the table read again equals the live one."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.table.commands import messages as a
from rulewright.table.log.lines import check_of, encode
from rulewright.table.service import Tables
from table.group import gather

PEOPLE = ("bea", "ana", "cleo", "dan")
people = st.sampled_from(PEOPLE)
HANDLED = (a.ClaimCharacter, a.ReleaseCharacter, a.RemoveCharacter)
PLAYED = (a.RollDice, a.Decide, a.Undo, a.Redo, a.GoOn)
texts = st.text(st.characters(codec="utf-8"), max_size=20)


class Campaign(RuleBasedStateMachine):
    """A group with random actions; a refused one must change nothing."""

    @initialize(seed=st.integers(0, 10), game=st.sampled_from(["scumm", "pebbles"]))
    def begin(self, seed, game):
        self.folder = Path(tempfile.mkdtemp(prefix="rw-machine-"))
        self.url = f"sqlite:///{self.folder / 'tables.db'}"
        self.servers = [Tables(self.url, dice=Seeded(seed)), Tables(self.url, dice=Seeded(seed + 1))]
        self.group = gather(self.servers[0], game)
        self.game = game
        self.wishes = 0

    def attempt(self, who, action, server=0):
        """Tries an action; a refusal changes nothing. Sent twice with one key, it is carried out once."""
        self.wishes += 1
        tables, member = self.servers[server], getattr(self.group, who)
        before = tables.store.last(self.group.table)
        try:
            acted = tables.act(self.group.table, member, action, f"wish {self.wishes}")
        except UserError:
            assert tables.store.last(self.group.table) == before
            return
        if not isinstance(action, a.Leave | a.RemoveMember):
            assert self.servers[1 - server].act(self.group.table, member, action, f"wish {self.wishes}").again
        assert tables.store.last(self.group.table) == acted.seq

    def id_of(self, place):
        """The id of the n-th note, character and so on; an unknown id if there is none."""
        with self.servers[0].looking(self.group.table) as table:
            found = list({"c": {**table.characters, **table.gone}, "n": table.notes, "t": table.tokens}[place[:1] or "c"])
        number = int(place[1:] or 0)
        return found[number - 1] if 0 < number <= len(found) else place

    @rule(who=people, text=texts, whisper=st.booleans(), server=st.integers(0, 1))
    def talk(self, who, text, whisper, server):
        self.attempt(who, a.Say(text, (self.group.ana,) if whisper else ()), server)

    @rule(who=people, text=texts, readers=st.sampled_from(["me", "gamemaster", "everyone"]), note=st.sampled_from(["", "n1", "n2"]))
    def write(self, who, text, readers, note):
        self.attempt(who, a.WriteNote("a note", text, readers, self.id_of(note)))

    @rule(who=people, note=st.sampled_from(["n1", "n2"]))
    def tear_up(self, who, note):
        self.attempt(who, a.RemoveNote(self.id_of(note)))

    @rule(who=people)
    def bring_a_character(self, who):
        self.attempt(who, a.AddCharacter(ready="hired-gun" if self.game == "scumm" else "wilma"))

    @rule(
        who=people,
        character=st.sampled_from(["c1", "c2", "c3"]),
        what=st.sampled_from([a.ClaimCharacter, a.ReleaseCharacter, a.RemoveCharacter]),
    )
    def handle_a_character(self, who, character, what):
        self.attempt(who, what(self.id_of(character)))

    @rule(who=people, name=texts, character=st.sampled_from(["c1", "c2"]), advancement=st.booleans())
    def change_a_character(self, who, name, character, advancement):
        self.attempt(who, a.ChangeCharacter(self.id_of(character), "name", name, "", advancement))

    @rule(npcs=st.sampled_from(["gamemaster", "tactics"]), ready=st.booleans())
    def begin_scene(self, npcs, ready):
        with self.servers[0].looking(self.group.table) as table:
            ours = list(table.characters)
        if ready or len(ours) < 2:
            self.attempt("bea", a.BeginScene(ready="duel" if self.game == "scumm" else "on-the-beach", npcs=npcs))
        else:
            sides = {"one": (a.Placing(ours[0], "First"),), "two": (a.Placing(ours[1], "Second"),)}
            self.attempt("bea", a.BeginScene(name="Among us", sides=sides, npcs=npcs))

    def open_scene(self, pick):
        with self.servers[0].looking(self.group.table) as table:
            found = table.open_scenes()
        return found[pick % len(found)].number if found else 0

    @precondition(lambda self: self.open_scene(0))
    @rule(who=people, pick=st.integers(0, 3), option=st.integers(0, 5), server=st.integers(0, 1))
    def answer(self, who, pick, option, server):
        number = self.open_scene(pick)
        with self.servers[server].looking(self.group.table) as table:
            questions = table.scene(number).questions()
        if not questions:
            return
        question = questions[pick % len(questions)]
        request = question.request
        if hasattr(request, "reading"):
            given = tuple(min(option + 1, sides) for sides in request.reading.sides())
        elif isinstance(request.options, tuple):
            given = request.options[option % len(request.options)].key
        else:
            given = request.options.low
        self.attempt(who, a.Answer(number, given, question.at, question.mark), server)

    @precondition(lambda self: self.open_scene(0))
    @rule(
        who=people, pick=st.integers(0, 3), what=st.sampled_from([a.RollDice, a.Decide, a.Undo, a.Redo, a.GoOn]), server=st.integers(0, 1)
    )
    def play(self, who, pick, what, server):
        self.attempt(who, what(self.open_scene(pick)), server)

    @precondition(lambda self: self.open_scene(0))
    @rule(pick=st.integers(0, 3), to=st.integers(0, 6))
    def go_far_back(self, pick, to):
        self.attempt("bea", a.Undo(self.open_scene(pick), to))

    @precondition(lambda self: self.open_scene(0))
    @rule(who=people, pick=st.integers(0, 3), x=st.integers(-5, 5))
    def push(self, who, pick, x):
        number = self.open_scene(pick)
        with self.servers[0].looking(self.group.table) as table:
            encounter = table.scene(number).encounter
            somebody = next(name for side in encounter.scene.sides(encounter.state).values() for name in side)
        self.attempt(who, a.Move(number, somebody, x, x))

    @precondition(lambda self: self.open_scene(0))
    @rule(who=people, pick=st.integers(0, 3))
    def end_scene(self, who, pick):
        self.attempt(who, a.EndScene(self.open_scene(pick)))

    @rule(who=st.sampled_from(["bea", "bea", "ana"]), what=st.sampled_from([a.CarryOn, a.CarryOn, a.LeaveBehind]), back=st.integers(0, 2))
    def carry_on(self, who, what, back):
        with self.servers[0].looking(self.group.table) as table:
            ended = [number for number, stage in table.scenes.items() if stage.ended is not None]
        if ended:
            self.attempt(who, what(ended[-1 - back % len(ended)]), back % 2)

    @rule(who=st.sampled_from(["bea", "cleo"]), character=st.sampled_from(["", "c1", "c2"]))
    def clear(self, who, character):
        self.attempt(who, a.MakeFresh(self.id_of(character)) if character else a.UndoCarry())

    @precondition(lambda self: self.open_scene(0))
    @rule(pick=st.integers(0, 3), character=st.sampled_from(["c1", "c2", "c3"]))
    def bring_in(self, pick, character):
        number = self.open_scene(pick)
        with self.servers[0].looking(self.group.table) as table:
            encounter = table.scene(number).encounter
            side = next(iter(encounter.scene.sides(encounter.state)))
        self.attempt("bea", a.BringIn(number, self.id_of(character), side))

    @rule(who=people, wait=st.booleans())
    def choose_dice(self, who, wait):
        self.attempt(who, a.ChooseDice(wait))

    @rule(who=people, hidden=st.booleans(), token=st.sampled_from(["", "t1"]))
    def mark(self, who, hidden, token):
        self.attempt(who, a.PlaceToken("stone", 1, 2, self.id_of(token), hidden))

    @rule(who=people, other=people)
    def hand_over(self, who, other):
        self.attempt(who, a.HandOver(getattr(self.group, other)))

    @rule(who=people, other=people, role=st.sampled_from(["player", "spectator"]))
    def set_role(self, who, other, role):
        self.attempt(who, a.SetRole(getattr(self.group, other), role))

    @rule(who=people)
    def leave(self, who):
        self.attempt(who, a.Leave())

    @rule(who=people)
    def come_back(self, who):
        self.servers[1].join(self.group.table, self.group.invitation, who, f"device of {who.title()}")

    @rule()
    def restart(self):
        self.open_again()
        self.servers[0].close()
        self.servers[0] = self.group.tables = Tables(self.url, dice=Seeded(self.wishes))

    @invariant()
    def both_servers_see_the_same(self):
        if hasattr(self, "servers"):
            first, second = (self.group.everything(tables) for tables in self.servers)
            assert first == second

    def open_again(self):
        """The table read again equals the live one, and every checksum is right."""
        again = Tables(self.url)
        assert self.group.everything(again) == self.group.everything(self.servers[0])
        before = ""
        for number, line in enumerate(again.store.lines(self.group.table), 1):
            before = check_of(before, line.seq, line.at, line.who, line.version, encode(line.change))
            assert (line.seq, line.check) == (number, before)
        again.close()

    def teardown(self):
        if not hasattr(self, "servers"):
            return
        try:
            self.open_again()
        finally:
            for tables in self.servers:
                tables.close()
            shutil.rmtree(self.folder)


TestCampaign = Campaign.TestCase
TestCampaign.settings = settings(max_examples=8, stateful_step_count=25, deadline=None)
