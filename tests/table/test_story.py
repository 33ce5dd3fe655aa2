"""An adventure at a table: laid out by one action, led by a gamemaster or by the players alone, and kept secret until it has happened."""

import msgspec
import pytest
from adventure.small import content
from msgspec.structs import astuple

from rulewright.adventure.package import write_zip
from rulewright.adventure.view import leaks
from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.table.story import messages as s
from table.group import Group, gather

SMALL = write_zip(content())


class Evening(Group):
    """A group with a small adventure."""

    def story(self, who="bea"):
        return self.view(who).story

    def choose(self, who, label, character=""):
        offer = next(offer for offer in self.story(who).shown.offers if offer.label == label)
        return self.act(who, s.ChooseInStory(offer.key, character))

    def labels(self, who="bea"):
        return [offer.label for offer in self.story(who).shown.offers]

    def ready(self, name="Ana"):
        return next(character.id for character in self.view("bea").characters if character.name == name)


@pytest.fixture
def led(kept):
    group = Evening(*astuple(gather(kept, "scumm")))
    group.act("bea", s.StartStory(packed=SMALL))
    group.act("ana", a.ClaimCharacter(group.ready()))
    return group


@pytest.fixture
def solo(kept):
    group = Evening(*astuple(gather(kept, "scumm")))
    group.act("bea", s.StartStory(packed=SMALL, solo=True))
    group.act("ana", a.ClaimCharacter(group.ready()))
    return group


def roll(group, who="ana"):
    """Answer an open roll request."""
    scene = group.view(who).scenes[-1]
    question = next(question for question in scene.questions if question.mine)
    group.act(who, a.Answer(scene.number, question.options[0].key, question.at))


def test_one_action_lays_everything_out(led):
    bea, ana = led.view("bea"), led.view("ana")
    assert [character.name for character in ana.characters] == ["Ana"]
    assert [(note.title, note.readers) for note in bea.notes] == [("A card", "me")]
    assert ana.notes == ()
    assert [(tally.name, tally.count) for tally in ana.campaign.tallies] == [("noise", None)]
    assert bea.campaign.time == "18:00"
    assert bea.story.shown.secrets.lead == "Old Teshi hides from her own birthday."
    assert ana.story.shown.secrets is None
    assert ana.story.shown.offers == ()
    assert ana.story.shown.read == "Rain, and a locked door."


def test_a_request_is_asked_of_the_player_and_its_verdict_moves_the_story(led):
    (chance,) = led.story().chances["request:0"]
    assert 0.05 < chance.chance < 0.95
    led.choose("bea", "Look closely", led.ready())
    assert led.story().playing == 1
    roll(led)
    shown = led.story("ana").shown
    assert shown.pending == ""
    assert ("The latch of the side door is worn through." in shown.clues) != (led.story("bea").shown.tallies[0].count == 1)
    assert "Look closely" not in led.labels()
    assert led.view("bea").campaign.time == "18:10"


def test_handouts_and_clues_appear_when_they_happen_and_go_with_undo(led):
    led.choose("bea", "Walk once around the house")
    assert [note.title for note in led.view("ana").notes] == ["A card"]
    assert "Tea for one" in led.labels()
    assert led.view("ana").campaign.time == "18:20"
    led.act("bea", s.UndoStory())
    assert led.view("ana").notes == ()
    assert "Tea for one" not in led.labels()
    assert led.view("ana").campaign.time == "18:00"


def test_time_passes_and_the_table_keeps_one_clock(led):
    led.choose("bea", "Let 30 min pass")
    assert led.view("ana").campaign.time == "18:30"
    assert led.story().shown.now.endswith("18:30")
    led.choose("bea", "Walk once around the house")
    assert led.view("ana").campaign.time == "18:50"


def test_only_the_gamemaster_leads(led):
    for action in (s.ChooseInStory("do:0"), s.FinishInStory("won"), s.UndoStory(), s.LeaveStory(), s.StartStory("glass-ferry")):
        with pytest.raises(Forbidden):
            led.act("ana", action)
    with pytest.raises(UserError, match="in progress"):
        led.act("bea", s.StartStory("glass-ferry"))


def test_a_fight_of_the_story_leads_on_when_the_gamemaster_ends_it(led):
    number = int(led.choose("bea", "Fight").made)
    for _ in range(200):
        scene = next((scene for scene in led.view("ana").scenes if scene.number == number), None)
        if scene is None or scene.result is not None:
            break
        question = next(question for question in scene.questions if question.mine)
        led.act("ana", a.Decide(number, question.at) if question.sort == "choice" else a.RollDice(number, question.at))
    won = led.scene("bea", number).result.winner == "party"
    led.act("bea", a.EndScene(number))
    assert led.story().shown.title == ("Tea for one" if won else "The neighbours")
    assert led.story("ana").shown.ending


def test_the_gamemaster_may_decide_or_call_off(led):
    led.choose("bea", "Fight")
    led.act("bea", s.FinishInStory("called off"))
    assert "Fight" in led.labels()
    assert led.view("bea").scenes == ()
    led.choose("bea", "Fight")
    with pytest.raises(UserError, match="is no result here"):
        led.act("bea", s.FinishInStory("success"))
    led.act("bea", s.FinishInStory("won"))
    assert led.story().shown.ending == "A quiet birthday"


def test_players_alone_choose_and_nothing_is_given_away(solo):
    story = solo.story("ana")
    assert story.leads
    assert story.shown.secrets is None
    assert not solo.story("dan").leads
    solo.choose("ana", "Walk once around the house")
    solo.choose("cleo", "Tea for one")
    assert solo.story("cleo").shown.ending == "A quiet birthday"
    assert any("The end: A quiet birthday" in line.text for line in solo.log("dan"))


def test_players_alone_cannot_name_a_result(solo):
    solo.choose("ana", "Look closely", solo.ready())
    with pytest.raises(Forbidden):
        solo.act("ana", s.FinishInStory("success"))
    roll(solo)
    assert solo.story("ana").shown.pending == ""


def test_no_player_ever_receives_a_secret(solo):
    """Whatever is chosen, what a player is sent holds nothing that is for the gamemaster alone."""
    for label in ("Knock", "Let 30 min pass", "Knock", "Knock"):
        sent = msgspec.json.encode(solo.view("ana")).decode() + "".join(line.text for line in solo.log("ana"))
        with solo.tables.looking(solo.table) as table:
            assert leaks(table.story.adventure, table.story.story) == []
        assert "Teshi" not in sent
        assert "street-tough" not in sent
        solo.choose("ana", label)
    assert solo.story("ana").shown.ending == "A loud birthday"


def test_a_table_with_a_story_is_read_again_from_its_log(led, kept):
    led.choose("bea", "Walk once around the house")
    before = led.everything()
    again = Tables(str(kept.store.url))
    assert led.everything(again) == before
    again.close()


def test_a_broken_or_foreign_adventure_is_refused(kept):
    group = Evening(*astuple(gather(kept, "scumm")))
    with pytest.raises(UserError, match="zip file"):
        group.act("bea", s.StartStory(packed=b"nothing"))
    broken = {**content(), "adventure.yaml": content()["adventure.yaml"].replace(b"node: porch", b"node: portch")}
    with pytest.raises(UserError, match=r"adventure\.yaml:8:\d+: start\.node"):
        group.act("bea", s.StartStory(packed=write_zip(broken)))
    with pytest.raises(UserError, match="no ready-made adventure"):
        group.act("bea", s.StartStory("glass"))
    with pytest.raises(UserError, match="name an adventure"):
        group.act("bea", s.StartStory())
    other = Evening(*astuple(gather(kept, "hybrid")))
    with pytest.raises(UserError, match="the table plays Hybrid"):
        other.act("bea", s.StartStory(packed=SMALL))


def test_putting_the_adventure_away_keeps_people(led):
    led.act("bea", s.LeaveStory())
    assert led.story() is None
    assert [character.name for character in led.view("ana").characters] == ["Ana"]
