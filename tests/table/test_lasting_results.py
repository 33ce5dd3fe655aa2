"""Lasting results: offered, kept, shown, used, undone, and the same wherever the table is opened."""

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.play import Seeded
from rulewright.system import find, names
from rulewright.table.commands import messages as a
from rulewright.table.log.entries import CarryUndone, CharacterFresh, SceneCarried
from rulewright.table.permissions import Forbidden
from rulewright.table.service import Tables
from rulewright.table.storage import export as exporting
from rulewright.table.views import TakesAlong
from table.group import duel, gather


@pytest.fixture
def tables(tmp_path):
    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    yield tables
    tables.close()


@pytest.fixture
def group(tables):
    return gather(tables)


def hurt(group, **options):
    """A duel in which Vesna is wounded, spends dice and fires, and which then ends; returns her id and Teodor's."""
    number = duel(group, **options)
    group.act("bea", a.Overrule(number, changes(group, number), "for the test"))
    group.act("bea", a.EndScene(number))
    return [each.id for each in group.view("bea").characters][-2:]


def changes(group, number):
    """Edits: two Flesh wounds, one die and four rounds left, whatever the gun is."""
    with group.tables.looking(group.table) as table:
        fighter = table.scene(number).encounter.state.fighters[0]
        gun = next(at for at, weapon in enumerate(fighter.profile.weapons) if weapon.gun)
    return (("fighters.0.body.flesh", 2), ("fighters.0.body.fatigue", -1), (f"fighters.0.ammo.{gun}", 4))


def again(group, *ids, **more):
    """Starts a second scene with the same people; returns its number."""
    sides = {f"side {at}": (a.Placing(one, **more),) for at, one in enumerate(ids)}
    return int(group.act("bea", a.BeginScene(name="Another", sides=sides)).made)


def fighter(group, number, place=0):
    with group.tables.looking(group.table) as table:
        return table.scene(number).encounter.state.fighters[place]


def carried(group, character, who="bea"):
    return next(each.carried for each in group.view(who).characters if each.id == character)


def test_the_gamemaster_is_offered_what_a_scene_left_behind_and_the_next_begins_with_it(group):
    vesna, teodor = hurt(group)
    (offer,) = group.view("bea").offers
    assert offer.name == "A duel"
    (taking,) = offer.people
    assert (taking.character, taking.name) == (vesna, "Vesna")
    assert taking.words[:2] == ("2 Flesh wounds", "fatigue -1")
    assert group.view("ana").offers == ()
    group.act("bea", a.CarryOn(1))
    assert group.view("bea").offers == ()
    assert "2 Flesh wounds" in carried(group, vesna)
    assert carried(group, teodor) == ()
    number = again(group, vesna, teodor)
    before, now = fighter(group, 1), fighter(group, number)
    assert (now.body.flesh, now.body.fatigue, now.ammo) == (2, -1, before.ammo)
    assert 4 in now.ammo
    assert (now.aim, now.x, now.body.unconscious) == (0, 0.0, 0)
    assert fighter(group, number, 1).body.flesh == 0


def test_rounds_of_a_gun_with_a_dot_in_its_name_are_carried_on(group):
    yaml = "system: scumm\nkind: character\nname: {}\ngear: {{guns: [7.62 rifle]}}\n"
    ids = [group.act("bea", a.AddCharacter(yaml=yaml.format(name))).made for name in ("Vesna", "Teodor")]
    number = again(group, *ids)
    group.act("bea", a.Overrule(number, changes(group, number)[2:], "three shots"))
    group.act("bea", a.EndScene(number))
    group.act("bea", a.CarryOn(number))
    assert carried(group, ids[0]) == ("7.62 rifle: 4 of 7 rounds",)
    assert 4 in fighter(group, again(group, *ids)).ammo


def test_without_carrying_on_the_next_scene_begins_fresh_and_it_is_then_too_late(group):
    vesna, teodor = hurt(group)
    number = again(group, vesna, teodor)
    assert fighter(group, number).body.flesh == 0
    assert group.view("bea").offers == ()
    with pytest.raises(UserError, match="entered another scene since"):
        group.act("bea", a.CarryOn(1))


def test_what_later_scenes_add_comes_on_top(group):
    vesna, teodor = hurt(group)
    group.act("bea", a.CarryOn(1))
    number = again(group, vesna, teodor)
    group.act("bea", a.Overrule(number, (("fighters.0.body.deep", 1),), ""))
    group.act("bea", a.EndScene(number))
    assert group.view("bea").offers[0].people == (TakesAlong(vesna, "Vesna", ("1 Deep wound",)),)
    group.act("bea", a.CarryOn(number))
    assert {"2 Flesh wounds", "1 Deep wound"} <= set(carried(group, vesna))
    body = fighter(group, again(group, vesna, teodor)).body
    assert (body.flesh, body.deep) == (2, 1)


def test_what_a_members_own_state_says_goes_before_what_is_carried(group):
    vesna, teodor = hurt(group)
    group.act("bea", a.CarryOn(1))
    number = again(group, vesna, teodor, state={"flesh": 0})
    assert (fighter(group, number).body.flesh, fighter(group, number).body.fatigue) == (0, -1)


def test_who_is_brought_in_later_brings_it_along(group):
    vesna, teodor = hurt(group)
    group.act("bea", a.CarryOn(1))
    third = group.act("cleo", a.AddCharacter(ready="hired-gun", name="Milos")).made
    number = again(group, teodor, third)
    group.act("bea", a.BringIn(number, vesna, "side 0"))
    newcomer = fighter(group, number, 2)
    assert (newcomer.name, newcomer.body.flesh, newcomer.body.fatigue) == ("Vesna", 2, -1)
    group.act("bea", a.Overrule(number, (("fighters.2.body.flesh", 3),), ""))
    group.act("bea", a.EndScene(number))
    assert group.view("bea").offers[0].people == (TakesAlong(vesna, "Vesna", ("3 Flesh wounds",)),)


def test_several_of_one_character_neither_bring_anything_nor_take_anything_along(group):
    vesna, teodor = hurt(group)
    group.act("bea", a.CarryOn(1))
    sides = {"north": (a.Placing(vesna, count=2),), "south": (a.Placing(teodor),)}
    number = int(group.act("bea", a.BeginScene(name="Twins", sides=sides)).made)
    assert [fighter(group, number, place).body.flesh for place in (0, 1)] == [0, 0]
    group.act("bea", a.Overrule(number, (("fighters.0.body.deep", 1), ("fighters.2.body.deep", 1)), ""))
    group.act("bea", a.EndScene(number))
    assert [taking.name for taking in group.view("bea").offers[0].people] == ["Teodor"]


def test_a_weapon_that_was_sold_is_left_out_and_the_log_says_so(group):
    vesna, teodor = hurt(group)
    group.act("bea", a.CarryOn(1))
    group.act("ana", a.ChangeCharacter(vesna, "gear.guns", []))
    number = again(group, vesna, teodor)
    assert fighter(group, number).body.flesh == 2
    line = next(line for line in reversed(group.log("ana")) if line.sort == "scene begun")
    assert any("begins without results that no longer fit" in detail.text and "4 of" in detail.text for detail in line.details)
    hidden = next(line for line in reversed(group.log("cleo")) if line.sort == "scene begun")
    assert not any("does not fit" in detail.text for detail in hidden.details)


# --- clearing, leaving, taking back ---------------------------------------------------------------------------------------------


def test_the_gamemaster_makes_somebody_fresh_again_and_takes_it_back_step_by_step(group):
    vesna, _ = hurt(group)
    group.act("bea", a.CarryOn(1))
    kept = carried(group, vesna)
    group.act("bea", a.MakeFresh(vesna))
    assert carried(group, vesna) == ()
    with pytest.raises(UserError, match="no results of earlier scenes"):
        group.act("bea", a.MakeFresh(vesna))
    group.act("bea", a.UndoCarry())
    assert carried(group, vesna) == kept
    group.act("bea", a.UndoCarry())
    assert carried(group, vesna) == ()
    assert group.view("bea").offers[0].scene == 1
    with pytest.raises(UserError, match="no kept or discarded results"):
        group.act("bea", a.UndoCarry())
    with group.tables.looking(group.table) as table:
        kinds = [type(line.change) for line in table.lines][-4:]
    assert kinds == [SceneCarried, CharacterFresh, CarryUndone, CarryUndone]


def test_a_scene_can_be_left_behind_and_that_taken_back(group):
    hurt(group)
    group.act("bea", a.LeaveBehind(1))
    assert group.view("bea").offers == ()
    with pytest.raises(UserError, match="undo that first"):
        group.act("bea", a.CarryOn(1))
    group.act("bea", a.UndoCarry())
    assert group.view("bea").offers[0].scene == 1


def test_only_the_gamemaster_carries_on_and_only_what_has_ended(group):
    vesna, teodor = hurt(group)
    for who, action in (("ana", a.CarryOn(1)), ("ana", a.LeaveBehind(1)), ("ana", a.MakeFresh(vesna)), ("dan", a.UndoCarry())):
        with pytest.raises(Forbidden):
            group.act(who, action)
    with pytest.raises(UserError, match="no results of this scene to keep"):
        group.act("bea", a.CarryOn(1, (teodor,)))
    with pytest.raises(UserError, match="no scene 7"):
        group.act("bea", a.CarryOn(7))
    number = again(group, vesna, teodor)
    with pytest.raises(UserError, match="not ended"):
        group.act("bea", a.CarryOn(number))


def test_a_scene_that_changed_nothing_offers_nothing(group):
    duel(group)
    group.act("bea", a.EndScene(1))
    assert group.view("bea").offers == ()
    with pytest.raises(UserError, match="no results to keep"):
        group.act("bea", a.CarryOn(1))


# --- who may know -------------------------------------------------------------------------------------------------------------


def test_others_learn_that_somebody_carries_something_and_not_what(group):
    vesna, _ = hurt(group)
    group.act("bea", a.CarryOn(1))
    assert "2 Flesh wounds" in carried(group, vesna, "ana")
    assert carried(group, vesna, "cleo") == ()
    assert carried(group, vesna, "dan") == ()
    told = {who: group.log(who)[-1] for who in ("bea", "ana", "cleo")}
    assert {line.text for line in told.values()} == {"Bea keeps the results of A duel for Vesna"}
    assert "2 Flesh wounds" in told["ana"].details[0].text
    assert told["cleo"].details == ()
    assert b"Flesh" not in msgspec.json.encode((group.view("cleo").characters, told["cleo"]))


def test_of_a_hidden_character_nobody_hears(group):
    lurker = group.act("bea", a.AddCharacter(ready="hired-gun", name="Lurker", hidden=True)).made
    other = group.act("bea", a.AddCharacter(ready="hired-gun", name="Shade", hidden=True)).made
    number = again(group, lurker, other)
    group.act("bea", a.Overrule(number, (("fighters.0.body.flesh", 1),), ""))
    group.act("bea", a.EndScene(number))
    mark, _ = group.tables.since(group.table, group.ana, "")
    for action in (a.CarryOn(number), a.MakeFresh(lurker), a.UndoCarry(), a.UndoCarry(), a.LeaveBehind(number), a.UndoCarry()):
        group.act("bea", action)
        assert group.tables.since(group.table, group.ana, mark) == (mark, [])
    assert not any("keeps the results" in line.text or "resets the condition" in line.text for line in group.log("ana"))


# --- wherever the table is opened ---------------------------------------------------------------------------------------------


def test_it_stands_the_same_after_a_restart_and_in_an_exported_table(group, tmp_path):
    vesna, teodor = hurt(group)
    group.act("bea", a.CarryOn(1))
    other = Tables(f"sqlite:///{tmp_path / 'tables.db'}")
    assert group.everything() == group.everything(other)
    file = exporting.export(other, group.table, group.bea)
    other.close()
    new = exporting.bring_in(group.tables, file, "another device")
    shown = group.tables.view(new.table, new.member)
    assert "2 Flesh wounds" in next(each.carried for each in shown.characters if each.id == vesna)
    assert next(each.carried_from for each in shown.characters if each.id == vesna) == "A duel"
    sides = {"one": (a.Placing(vesna),), "two": (a.Placing(teodor),)}
    number = int(group.tables.act(new.table, new.member, a.BeginScene(name="Elsewhere", sides=sides)).made)
    with group.tables.looking(new.table) as table:
        assert table.scene(number).encounter.state.fighters[0].body.flesh == 2
    mine = msgspec.json.decode(exporting.export(group.tables, group.table, group.ana))
    assert "2 Flesh wounds" in next(each["carried"] for each in mine["table"]["characters"] if each["id"] == vesna)


def test_a_request_that_is_sent_twice_carries_on_once(group):
    hurt(group)
    assert not group.act("bea", a.CarryOn(1), "once").again
    assert group.act("bea", a.CarryOn(1), "once").again


@pytest.mark.parametrize("system", names())
def test_every_game_carries_a_fight_on(tmp_path, system):
    """Two characters fight to the end with tactics; a wounded one begins the next scene with the wounds."""
    tables = Tables(f"sqlite:///{tmp_path / 'tables.db'}", dice=Seeded(1))
    group = gather(tables, system)
    ready = next(key for key in find(system).demos() if key.startswith("characters/"))
    ids = [group.act("bea", a.AddCharacter(ready=ready.removesuffix(".yaml"), name=name)).made for name in ("Vesna", "Teodor")]
    number = again(group, *ids)
    while group.scene("bea", number).questions:
        group.act("bea", a.GoOn(number))
    group.act("bea", a.EndScene(number))
    (offer,) = group.view("bea").offers
    assert offer.people
    group.act("bea", a.CarryOn(number))
    with tables.looking(group.table) as table:
        scene, end = table.scene(number).encounter.scene, table.scene(number).encounter.state
        left = {name: {field: lasts.value for field, lasts in scene.lasting(end, name).items()} for name in ("Vesna", "Teodor")}
    following = again(group, *ids)
    with tables.looking(group.table) as table:
        start = table.scene(following).begun.state
        start = msgspec.convert(start, scene.state_type)
        for name, lasting in left.items():
            assert {field: lasts.value for field, lasts in scene.lasting(start, name).items()} == lasting
    tables.close()
