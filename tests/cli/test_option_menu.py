"""Many options at the terminal are arranged as on the page: what to do, to whom, how, with a dozen things at first sight."""

import pytest

from rulewright.cli.play.option_menu import Arrangement, Last
from rulewright.cli.play.terminal_player import Seat
from rulewright.play import Option
from rulewright.play.option_groups import VERBS

PEOPLE = ("Kolbe", "Hale", "Vega", "Quill", "Sorin", "Mireille", "Ada")


def option(key: str, label: str) -> Option[str]:
    return Option(key, label, key)


OPTIONS = (
    option("walk to Hale", "Walk towards Hale"),
    *(option(f"shoot:{who}", f"Shoot {who}") for who in PEOPLE),
    *(option(f"shoot burst:{who}", f"Shoot {who}, a burst") for who in PEOPLE),
    *(option(f"shoot aimed:{who}", f"Shoot {who}, at the head") for who in PEOPLE),
    option("reload", "Reload"),
    option("wait", "Wait"),
    option("pass", "Do nothing"),
)


def arranged(last: Last | None = None) -> Arrangement:
    return Arrangement(OPTIONS, PEOPLE, "act", {}, last)


def drawn(bar: Arrangement) -> list[str]:
    return bar.lines(lambda key: "56%" if key == "shoot:Kolbe" else "")


def test_at_first_sight_there_are_verbs_targets_and_manners_a_dozen_in_all():
    bar = arranged()
    verbs, whom, how = drawn(bar)
    assert verbs.split() == ["action", "M", "move", "*A", "attack", "G", "guard", "E", "gear", "O", "other"]
    assert "*1 Kolbe 56%" in whom
    assert "3 more: type all" in whom
    assert "Shoot, at the head" in how
    assert len(bar.verbs()) + len(bar._numbered) <= 12
    assert set(bar.verbs()) <= set(VERBS)


def test_enter_does_what_is_set_and_numbers_and_letters_set_it():
    bar = arranged()
    drawn(bar)
    assert bar.option.label == "Shoot Kolbe"
    assert bar.chosen("2") is None
    assert bar.taken("2")
    assert bar.option.label == "Shoot Hale"
    drawn(bar)
    assert bar.taken(next(str(at) for at, place in enumerate(bar._numbered, 1) if place.key == "shoot burst:Hale"))
    assert bar.chosen("") == "shoot burst:Hale"
    drawn(bar)
    assert bar.taken("1")  # the manner stays when the target changes
    assert bar.chosen("") == "shoot burst:Kolbe"
    assert bar.taken("E")
    assert bar.chosen("") == "reload"


def test_words_find_an_option_and_its_whole_label_or_key_chooses_it():
    bar = arranged()
    drawn(bar)
    assert bar.taken("quill head")
    assert bar.chosen("") == "shoot aimed:Quill"
    assert bar.chosen("do nothing") == "pass"
    assert bar.chosen("shoot:Vega") == "shoot:Vega"
    assert not bar.taken("dance")
    assert not bar.taken("99")


def test_a_dot_does_the_same_again_and_what_was_done_is_set_already():
    bar = arranged()
    bar.taken("vega burst")
    again = arranged(bar.remembered())
    assert again.chosen("") == again.chosen(".") == "shoot burst:Vega"
    assert arranged().chosen(".") is None


def test_all_shows_everybody():
    bar = arranged()
    assert bar.taken("all")
    assert all(name in " ".join(drawn(bar)) for name in PEOPLE)


@pytest.mark.parametrize(("typed", "selected", "drawn"), [("M", "*M move", False), ("S", "*S special", False), ("m", "*M move", True)])
def test_a_capital_letter_selects_an_action_and_a_small_one_is_a_command(run, monkeypatch, typed, selected, drawn):
    said = iter(("", typed, "q"))  # stays; the next question offers several actions
    monkeypatch.setattr("builtins.input", lambda: next(said))
    monkeypatch.setattr(Seat, "_weighed", lambda seat, choice: {})
    monkeypatch.setattr(Seat, "_show_map", lambda seat, who: seat.console.print("THE MAP"))
    played = run("fight", "scumm/shootout", "-i", "--seed", 1).out
    assert ("THE MAP" in played) is drawn
    assert (selected in played) is not drawn
