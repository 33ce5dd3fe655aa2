"""`fight`: a scenario played out, by tactics alone or with people choosing; recorded, replayed, gone on with."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright import library
from rulewright.cli import completion
from rulewright.cli.options import By, as_json, campaign, emit, pairs, say
from rulewright.cli.play.ai_players import Thinking
from rulewright.cli.play.log import ending, log_lines, public
from rulewright.errors import UserError
from rulewright.play import Entropy, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import RecordFile

if TYPE_CHECKING:
    from rulewright.play import Dice

MOST_STEPS = 100_000


@click.command()
@click.argument("scenario", required=False, shell_complete=completion.scenarios)
@click.option("--seed", type=int, metavar="N", help="Dice that come out the same every time.")
@click.option("--interactive", "-i", is_flag=True, help="People choose, with the exact chances beside each option.")
@click.option("--as", "people", multiple=True, metavar="NAME", help="Who is played by a person; all of the first side unless given.")
@click.option("--play", "minds", multiple=True, metavar="SIDE=LEVEL", help="Who thinks before they act: easy, good or best; repeatable.")
@click.option("--typed-dice", is_flag=True, help="People roll real dice and type the faces.")
@click.option("--record", metavar="OUT", help="Keep a record of every roll and decision.")
@click.option("--replay", metavar="RECORD", help="Play a record again and check that it still fits.")
@click.option("--resume", metavar="RECORD", help="Go on with a record that is not finished.")
@click.option("--why", "with_reasons", is_flag=True, help="Show the sums behind every line.")
@click.option("--rolls", "with_rolls", is_flag=True, help="Show every roll and decision too.")
@campaign
@as_json
def fight(
    scenario: str | None,
    seed: int | None,
    interactive: bool,
    people: tuple[str, ...],
    minds: tuple[str, ...],
    typed_dice: bool,
    record: str | None,
    replay: str | None,
    resume: str | None,
    with_reasons: bool,
    with_rolls: bool,
    by: By,
    json_wanted: bool,
) -> int:
    """Run a scenario: rulewright fight brawl.yaml --seed 7, or --interactive to take part.

    A scenario is a file, or one that ships with a game, as in scumm/brawl.
    """
    _refuse_together(("--replay", replay), ("--resume", resume), ("--record", record))
    if (people or typed_dice) and not interactive:
        raise UserError("--as and --typed-dice go with --interactive")
    if replay is not None:
        if interactive or seed is not None or scenario is not None or minds:
            raise UserError("--replay takes the record alone: everything that happened is in it")
        played = _played_again(replay, library.take_record(replay))
        emit(public(played)) if json_wanted else _print(played, with_reasons, with_rolls)
        return 0
    dice: Dice = Entropy() if seed is None else Seeded(seed)
    staged = None if scenario is None else library.stage(scenario, by.preset, by.chosen, by.house)
    keep: RecordFile | None = None
    if resume is not None:
        if by != By():
            raise UserError("--resume goes on by the rules that the record was begun with")
        encounter, keep = _resumed(resume)
    elif staged is None:
        raise UserError("name a scenario, or a record with --replay or --resume")
    else:
        if record is not None:
            keep = RecordFile(Path(record))
        encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name, keep=keep)
    decide = _tactic(encounter, staged)
    thinking = Thinking(encounter, decide, pairs(minds, "--play"), seed, staged.scenario.rounds if staged is not None else None)
    status = 0
    try:
        if interactive:
            from rulewright.cli.play.terminal_player import Seat

            status = Seat(encounter, people, dice, decide, thinking, typed_dice, quiet=json_wanted).play()
        else:
            thinking.play_out(dice, MOST_STEPS)
    finally:
        if keep is not None:
            keep.close()
    if json_wanted:
        emit(public(encounter))
    elif not interactive:
        _print(encounter, with_reasons, with_rolls)
    kept = record or resume
    if kept is not None:
        many = len(encounter.entries)
        click.echo(f"{kept} holds the record: {many} {'entry' if many == 1 else 'entries'}", err=True)
    return status


def _refuse_together(*given: tuple[str, str | None]) -> None:
    named = [name for name, value in given if value is not None]
    if len(named) > 1:
        raise UserError(f"{' and '.join(named)} cannot be given together")


def _resumed(path: str) -> "tuple[Encounter[Any], RecordFile]":
    """An encounter where its record left it, with the record open to be gone on with."""
    recorded = library.take_record(path)
    _played_again(path, recorded)  # a record that does not fit is not opened for writing
    keep = RecordFile(Path(path), new=False)
    return Encounter(recorded.scene, recorded.entries, keep), keep


def _played_again(path: str, recorded: library.Recorded) -> "Encounter[Any]":
    try:
        return Encounter(recorded.scene, recorded.entries)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _tactic(encounter: "Encounter[Any]", staged: "library.Staged | None") -> Any:
    if staged is not None:
        return staged.decide
    from rulewright.play import first_option
    from rulewright.system import find

    scene = encounter.scene
    return next(iter(find(scene.rules.system).staging(scene.kind).tactics.values()), first_option)


def _print(encounter: "Encounter[Any]", with_reasons: bool, with_rolls: bool) -> None:
    for line in [logged for logged in encounter.log if not logged.hidden_from(None)]:
        say(log_lines(line, with_reasons, with_rolls))
    say(ending(encounter))
