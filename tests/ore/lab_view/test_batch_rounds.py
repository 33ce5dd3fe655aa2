"""A walk through a fight comes to the same, die for die, as the fight stepped declaration by declaration and set by set."""

import pytest
from msgspec.structs import replace
from tests.ore.lab_view.test_declaration_excerpt import staged_as

from rulewright import library
from rulewright.play import Player, Seeded
from rulewright.systems.ore.lab_view.batch_rounds import Rounds


class Dice(Player):
    """Luck of which nothing is learned: every part is played with the next dice."""

    def learned(self, part):
        return None


def without_luck(staged):
    """The fight with people who are not Lucky: a roll that is made again is made at once in a walk, and after all others in a step."""
    return replace(staged, state=staged.state.put(*[replace(one, body=replace(one.body, luck=0)) for one in staged.state.fighters]))


def walked(staged, walk, state, seed, until=10_000):
    """The fight after a walk, after it has been seen that steps with the same dice come there too; and how many steps that took."""
    alone, whole = Dice(Seeded(seed), staged.decide), Player(Seeded(seed), staged.decide)
    walk.luck = alone
    after, came, steps = walk(state, until), state, 0
    while came != after:
        assert staged.scene.result(came) is None
        assert len(whole.rolls) <= len(alone.rolls)
        came, steps = whole.run(staged.scene.step(came)), steps + 1
    assert [rolled.faces for rolled in whole.rolls] == [rolled.faces for rolled in alone.rolls]
    return after, steps


def fought_out(staged, seed, walk=None):
    """A fight walked where that can be, else stepped; and how many steps of it were walked."""
    walk = walk or Rounds(staged.scene.rules, Dice(Seeded(0), staged.decide))
    state, total, number = staged.state, 0, seed * 1_000
    while staged.scene.result(state) is None:
        number += 1
        after, steps = walked(staged, walk, state, number)
        total += steps
        state = after if after is not state else Player(Seeded(number), staged.decide).run(staged.scene.step(state))
    return total


def settings(**more):
    """The settings of the duel with some more."""
    return {"settings": {"damage-system": "vital", "gear": "gritty", **{name.replace("_", "-"): value for name, value in more.items()}}}


FISTS = {
    "vital": {},
    "located": settings(damage_system="locations"),
    "abstract": settings(damage_system="abstract"),
    "wounds": settings(wounds=True),
    "tiring": settings(getting_tired=True),
    "rolled initiative": settings(random_initiative=True),
    "by height": settings(speed="height"),
    "shaken sets fall": settings(speed_of_a_shaken_set="falls with it"),
    "parts beside": settings(locations_beside_vital=True),
}


@pytest.mark.parametrize("tactic", ["attacker", "headhunter", "slasher", "careful", "feinter"])
@pytest.mark.parametrize("changes", FISTS.values(), ids=FISTS)
def test_the_same_dice_do_the_same_as_steps(tactic, changes):
    staged = without_luck(staged_as("ore/duel", tactic, 3, **changes))
    walk = Rounds(staged.scene.rules, Dice(Seeded(0), staged.decide))
    total = sum(fought_out(staged, seed, walk) for seed in range(3))
    assert total > 50 or tactic in ("careful", "feinter")


@pytest.mark.parametrize("tactic", ["attacker", "headhunter"])
@pytest.mark.parametrize("changes", [{}, settings(damage_system="locations"), settings(speed="waste")], ids=["vital", "located", "waste"])
def test_it_is_so_with_a_gun_that_kicks_and_runs_dry(tactic, changes):
    armed = [{"character": "brannock_tiel", "name": name, "tactic": tactic, "state": {}, "count": 2} for name in ("Ann", "Bob")]
    sides = {"law": armed[:1], "crooks": armed[1:]}
    staged = without_luck(library.stage("ore/duel", changes={"sides": sides, "place": {"metres": 8}, **changes}))
    walk = Rounds(staged.scene.rules, Dice(Seeded(0), staged.decide))
    assert sum(fought_out(staged, seed, walk) for seed in range(4)) > 20


@pytest.mark.parametrize("tactic", ["attacker", "headhunter", "gunner", "marksman"])
@pytest.mark.parametrize("name", ["ore/firefight", "ore/rooftop"])
def test_it_is_so_with_guns_cover_and_mooks(name, tactic):
    staged = without_luck(staged_as(name, tactic, 2))
    for seed in range(3):
        fought_out(staged, seed)


def test_no_round_begins_after_the_last():
    staged = without_luck(staged_as("ore/duel", "attacker", 3))
    walk = Rounds(staged.scene.rules, Dice(Seeded(0), staged.decide))
    for until in (1, 2, 3):
        assert walked(staged, walk, staged.state, until, until)[0].round == until


def test_nothing_is_walked_where_a_squad_has_its_leader_or_somebody_is_held():
    staged = without_luck(staged_as("ore/duel", "attacker", 2))
    walk = Rounds(staged.scene.rules, Dice(Seeded(0), staged.decide))
    first = staged.state.fighters[0]
    for changed in (
        replace(first, held_by="Ines 1"),
        replace(first, profile=replace(first.profile, feats=(("Group Tactics", 1),))),
        replace(first, body=replace(first.body, drama=1)),
    ):
        state = staged.state.put(changed)
        assert walk(state, 10) is state
