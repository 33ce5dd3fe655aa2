"""Prepared scenes: listed, opened, renamed, copied, archived and restored; hidden from players until they start."""

import pytest

from rulewright.errors import UserError
from rulewright.field.map_strokes import Stroke
from rulewright.table import limits
from rulewright.table.commands import messages as a
from rulewright.table.commands.scene_drafts import scene_of
from rulewright.table.scenes.map_setup import laid_out
from rulewright.table.service import Tables
from rulewright.table.storage import migrate_full
from table.group import gather

AMBUSH = a.BeginScene(name="Ambush", sides={"heroes": (), "opposition": (a.Placing("characters/street-tough", count=3),)})


def names(group, who="bea"):
    return [each.name for each in group.view(who).drafts]


def test_a_prepared_scene_is_kept_changed_copied_named_and_put_away_and_each_can_be_taken_back(kept):
    group = gather(kept)
    first = group.act("bea", a.KeepDraft(AMBUSH)).made
    assert group.view("bea").drafts[0].words == "fight, 3 people"
    group.act("bea", a.KeepDraft(AMBUSH, name="Night ambush", draft=first))
    copied = group.act("bea", a.CopyDraft(first)).made
    group.act("bea", a.NameDraft(copied, "At the ford"))
    assert names(group) == ["Night ambush", "At the ford"]
    with kept.looking(group.table) as table:
        assert scene_of(table.draft(copied)).name == "At the ford"
    group.act("bea", a.RemoveDraft(first))
    assert names(group) == ["At the ford"]
    told = []
    while group.view("bea").may_undo_drafts:
        group.act("bea", a.UndoDrafts())
        told.append(names(group))
    assert told == [["Night ambush", "At the ford"], ["Night ambush", "Night ambush (2)"], ["Night ambush"], ["Ambush"], []]
    with pytest.raises(UserError, match="no change to the prepared scenes"):
        group.act("bea", a.UndoDrafts())


def test_players_learn_nothing_of_it_until_it_begins(kept):
    group = gather(kept)
    before, heard = group.view("ana"), len(group.log("ana"))
    group.act("bea", a.KeepDraft(AMBUSH))
    assert group.view("ana").drafts == ()
    assert group.view("ana").mark == before.mark
    assert len(group.log("ana")) == heard
    assert any("prepares the scene Ambush" in line.text for line in group.log("bea"))


def test_it_is_there_after_a_restart_and_where_the_campaign_goes_on(tmp_path):
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    tables = Tables(url)
    group = gather(tables)
    group.act("bea", a.KeepDraft(AMBUSH))
    tables.close()
    again = Tables(url)
    assert [each.name for each in again.view(group.table, group.bea).drafts] == ["Ambush"]
    onward = migrate_full.go_on(again, group.table, group.bea)
    with again.looking(onward.table) as table:
        assert [each.name for each in table.drafts.values()] == ["Ambush"]
    again.close()


def test_a_table_keeps_only_so_many(kept, monkeypatch):
    monkeypatch.setattr(limits, "DRAFTS", 1)
    group = gather(kept)
    first = group.act("bea", a.KeepDraft(AMBUSH)).made
    with pytest.raises(UserError, match="archive one first"):
        group.act("bea", a.KeepDraft(AMBUSH))
    with pytest.raises(UserError, match="archive one first"):
        group.act("bea", a.CopyDraft(first))
    with pytest.raises(UserError, match="no prepared scene"):
        group.act("bea", a.RemoveDraft("d1"))


def test_whoever_has_no_place_is_put_where_their_side_begins(kept):
    group = gather(kept)
    sheet = group.act("bea", a.KeepMap("yard")).made
    ours = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    sides = {"heroes": (a.Placing(ours, at=(2.0, 4.0)),), "opposition": (a.Placing("characters/street-tough", count=4),)}
    action = a.BeginScene(name="Yard", sides=sides, map=sheet, starts={"heroes": (0, 0, 2, 2), "opposition": (20, 10, 4, 3)})
    with kept.looking(group.table) as table:
        spots = {one.name: one.spot for one in laid_out(table, action).people}
    assert spots.pop("Vesna") == (2.0, 4.0)  # who has a place stays there
    assert len(set(spots.values())) == 4
    assert all(20 <= x <= 24 and 10 <= y <= 13 for x, y in spots.values())


def test_a_prepared_scene_is_seen_as_a_player_would_see_its_beginning(kept):
    group = gather(kept)
    sheet = group.act("bea", a.KeepMap("yard")).made
    group.act("bea", a.Draw(Stroke("walls", None, {"along": [[10, 0], [10, 20]]}), sheet))
    ours = group.act("ana", a.AddCharacter(ready="hired-gun", name="Vesna")).made
    hidden = group.act("bea", a.AddCharacter(ready="street-tough", name="Lurker", hidden=True)).made
    sides = {
        "heroes": (a.Placing(ours, at=(4.0, 4.0)),),
        "opposition": (a.Placing(hidden, at=(6.0, 6.0)), a.Placing("characters/street-tough", at=(5.0, 8.0))),
    }
    with kept.looking(group.table) as table:
        laid = laid_out(table, a.BeginScene(name="Yard", sides=sides, map=sheet), eyes=group.ana)
    assert {place.name for place in laid.view.places} == {"Vesna", "Lurker", "Street tough"}
    assert {place.name for place in laid.seen.places} == {"Vesna", "Street tough"}
