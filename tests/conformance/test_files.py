"""Every game's ready-made files: legal, drawn, and unchanged by saving."""

import msgspec
import pytest

from conformance.games import NAMES, demos, taken, things
from rulewright import files, library
from rulewright.build.audit import change, repair
from rulewright.build.sheet_parts import Stepper
from rulewright.errors import UserError
from rulewright.system import find

every_file = pytest.mark.parametrize("name", demos())
every_thing = pytest.mark.parametrize("name", things())
games = pytest.mark.parametrize("game", [find(name) for name in NAMES], ids=NAMES)


@games
def test_every_game_ships_somebody_to_play(game):
    assert any(one.startswith(f"{game.id}/") for one in things())


@every_file
def test_a_file_read_written_and_read_again_is_the_same(name, tmp_path):
    kept = taken(name)
    kind = library.kinds(kept.system)[kept.kind]
    files.write(tmp_path / "new.yaml", msgspec.to_builtins(kept.thing))
    again = files.convert(files.read(tmp_path / "new.yaml"), kind)
    assert again == kept.thing
    assert msgspec.to_builtins(again) == msgspec.to_builtins(kept.thing)
    assert library.take(tmp_path / "new.yaml").thing == kept.thing


@every_file
def test_saving_a_file_over_itself_changes_nothing_of_it(name, tmp_path):
    document = taken(name).document
    written = files.write(tmp_path / "same.yaml", document.data, over=document)
    assert written.text == document.text


@every_file
def test_a_renamed_copy_keeps_its_comments(name, tmp_path):
    document = taken(name).document
    written = files.write(tmp_path / "copy.yaml", {**document.data, "name": "Somebody else"}, over=document)
    comments = [line.strip() for line in document.text.splitlines() if line.strip().startswith("#")]
    assert [line.strip() for line in written.text.splitlines() if line.strip().startswith("#")] == comments
    assert library.take(tmp_path / "copy.yaml").thing == msgspec.structs.replace(taken(name).thing, name="Somebody else")


@every_file
def test_a_file_with_a_field_too_many_is_refused_with_its_place(name, tmp_path):
    document = taken(name).document
    (tmp_path / "more.yaml").write_text(document.text.rstrip() + "\nnmae: a slip\n")
    with pytest.raises(UserError, match=r"more\.yaml:\d+:1: nmae: .*name"):
        library.take(tmp_path / "more.yaml")


@every_thing
def test_a_ready_made_thing_is_legal(name):
    kept = taken(name)
    audit = kept.system.audit(kept.system.book.ruleset(), kept.thing)
    assert audit.legal, audit.problems
    assert all(budget.spent <= budget.allowed for budget in audit.budgets)


@pytest.mark.slow
@every_thing
def test_an_audit_survives_saving(name, tmp_path):
    """The file itself, and with each number beyond its limits."""
    kept = taken(name)
    rules = kept.system.book.ruleset()
    found = [kept.thing]
    for section in kept.system.sheet(rules, kept.thing).sections:
        for piece in section.pieces:
            if isinstance(piece, Stepper):
                found.append(change(kept.thing, piece.field, piece.high + 1))
    assert any(not kept.system.audit(rules, thing).legal for thing in found[1:]) or len(found) == 1
    for number, thing in enumerate(found[:: max(1, len(found) // 6)]):
        audit = kept.system.audit(rules, thing)
        files.write(tmp_path / f"{number}.yaml", msgspec.to_builtins(thing))
        again = library.take(tmp_path / f"{number}.yaml").thing
        assert again == thing
        assert kept.system.audit(rules, again) == audit


@pytest.mark.slow
@every_thing
def test_repairs_make_a_spoilt_thing_legal_again(name):
    kept = taken(name)
    rules = kept.system.book.ruleset()
    for section in kept.system.sheet(rules, kept.thing).sections:
        for piece in section.pieces:
            if not isinstance(piece, Stepper):
                continue
            thing = change(kept.thing, piece.field, piece.high + 1)
            for _ in range(60):
                problems = [p for p in kept.system.audit(rules, thing).problems if not p.warning]
                ready = [p for p in problems if p.repair is not None and p.repair.field]
                if not ready:
                    break
                repaired = repair(thing, ready[0])
                assert repaired != thing
                thing = repaired
            assert all(problem.repair is not None for problem in problems)
            assert not problems or not ready


@every_thing
def test_a_sheet_draws_with_a_reason_behind_every_value(name):
    kept = taken(name)
    sheet = kept.system.sheet(kept.system.book.ruleset(), kept.thing)
    assert (sheet.system, sheet.kind, sheet.name) == (kept.system.id, kept.kind, kept.thing.name)
    known = {info.id for info in kept.system.book.rules()}
    for value in sheet.values().values():
        assert value.reasons
        for top in value.reasons:
            for _, reason in top.walk():
                assert reason.label
                assert reason.rule is None or reason.rule in known
    assert msgspec.json.encode(sheet)


@every_thing
def test_every_test_on_a_sheet_can_be_rolled(name):
    kept = taken(name)
    rules = kept.system.book.ruleset()
    for test in kept.system.sheet(rules, kept.thing).tests().values():
        assert kept.system.test(rules, test.notation)


@games
def test_every_archetype_is_legal_and_saves(game, tmp_path):
    rules = game.book.ruleset()
    for kind in game.kinds:
        for archetype in (None, *game.archetypes(kind)):
            thing = game.new(rules, kind, archetype)
            assert game.audit(rules, thing).legal
            path = tmp_path / f"{kind}-{archetype}.yaml"
            files.write(path, msgspec.to_builtins(thing))
            assert library.take(path, kind).thing == thing
        with pytest.raises(UserError):
            game.new(rules, kind, "no such archetype")


@games
def test_every_kind_of_file_has_a_schema(game):
    for kind in library.kinds(game).values():
        assert msgspec.json.schema(kind)
