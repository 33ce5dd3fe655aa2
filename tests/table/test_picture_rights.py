"""Naming a picture needs the right to see it, and the address of a veiled picture tells nothing of the original."""

import re

import msgspec
import pytest

from rulewright.errors import UserError
from rulewright.table.commands import messages as a
from rulewright.table.open_tables import NotHere
from rulewright.table.service import Tables
from rulewright.table.storage import pictures
from rulewright.table.storage.export import export
from table.group import gather
from table.test_pictures import drawn
from table.test_secrets import received

VAULT = {"name": "vault", "veiled": True, "box": [10, 0, 10, 10]}


def veiled(group, colour="teal"):
    """A scene of Ana's and Cleo's characters on a map picture with a hidden vault; returns the digest of the picture."""
    digest = pictures.keep(group.tables, group.table, group.bea, drawn(colour, (200, 100)), "The bank", "map")
    ground = {"grid": "squares", "size": [20, 10], "picture": {"file": digest, "box": [0, 0, 20, 10]}, "regions": [VAULT]}
    bank = group.act("bea", a.KeepMap("The bank", ground=ground)).made
    ours = [group.act(who, a.AddCharacter(ready="hired-gun", name=name)).made for who, name in (("ana", "Vesna"), ("cleo", "Teodor"))]
    sides = {"north": (a.Placing(ours[0], at=(2.0, 4.0)),), "south": (a.Placing(ours[1], at=(7.0, 3.0)),)}
    group.act("bea", a.BeginScene(name="The robbery", sides=sides, map=bank))
    return digest


def address(group, who):
    return group.scene(who).view.field.ground.picture.file


def test_nothing_that_a_player_receives_names_the_picture_under_a_hidden_area(tables):
    group = gather(tables)
    digest = veiled(group)
    assert address(group, "bea") == digest
    for who in ("ana", "cleo", "dan"):
        assert digest not in received(group, who)
        assert digest.encode() not in export(tables, group.table, getattr(group, who)), "nor does the file that they take home"
        assert re.fullmatch("[0-9a-f]{32}", address(group, who))
    group.act("bea", a.TouchGround(1, "vault", "show"))
    assert address(group, "ana") == digest
    assert pictures.body(tables, group.table, group.ana, digest)


def test_an_address_of_a_veiled_picture_is_the_same_on_every_server_of_a_database_and_at_no_other_table(opened):
    first, second = opened(), opened()
    group, other = gather(first), gather(first)
    veiled(group), veiled(other)
    there = second.scene(group.table, group.ana, 1).view
    assert there.field.ground.picture.file == address(group, "ana")
    assert address(other, "ana") != address(group, "ana")


def test_whoever_knows_a_digest_cannot_name_it_without_the_right_to_see_it(tables):
    group = gather(tables)
    digest = veiled(group)
    mine = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vasil")).made
    naming = [a.WriteNote("Mine", f"![x](picture:{digest})", readers="everyone"), a.PictureCharacter(mine, digest)]
    for action in naming:
        with pytest.raises(UserError, match="you may not see it"):
            group.act("ana", action)
    unknown = a.WriteNote("Before it is there", f"![x](picture:{'0' * 32})")
    with pytest.raises(UserError, match="you may not see it"):
        group.act("ana", unknown)
    with pytest.raises(NotHere):
        pictures.body(tables, group.table, group.ana, digest)
    group.act("bea", a.WriteNote("Seen", f"![x](picture:{digest})", readers="some", to=(group.ana,)))
    for action in naming:
        group.act("ana", action)
    assert pictures.body(tables, group.table, group.cleo, digest)


def test_the_gamemaster_lays_no_picture_of_others_under_a_map(kept: Tables):
    group = gather(kept)
    hers = pictures.keep(kept, group.table, group.ana, drawn("red"), "mine")
    ground = {"grid": "squares", "size": [20, 10], "picture": {"file": hers, "box": [0, 0, 20, 10]}}
    with pytest.raises(UserError, match="you may not see it"):
        group.act("bea", a.KeepMap("Hers", ground=ground))
    with pytest.raises(UserError, match="you may not see it"):
        group.act(
            "bea",
            a.KeepMap("Hers", yaml=f"system: scumm\nkind: scenario\nname: x\nsides: {{}}\nmap: {msgspec.json.encode(ground).decode()}\n"),
        )
    assert group.act("bea", a.KeepMap("From elsewhere", ground={**ground, "picture": {"file": "f" * 32, "box": [0, 0, 2, 1]}})).made


def test_a_note_stays_editable_after_its_picture_was_removed(kept: Tables):
    group = gather(kept)
    digest = pictures.keep(kept, group.table, group.ana, drawn("red"), "mine")
    note = group.act("ana", a.WriteNote("Found", f"![x](picture:{digest})", readers="everyone")).made
    pictures.remove(kept, group.table, group.ana, digest)
    assert group.act("ana", a.WriteNote("Found", f"![x](picture:{digest}) twice", readers="everyone", note=note)).made == note
