"""The command `fight`: play a scenario, automatically or by hand; record, replay or resume it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright import library
from rulewright.cli import completion
from rulewright.cli.options import By, as_json, campaign, emit, pairs, say
from rulewright.cli.play.ai_players import Thinking
from rulewright.cli.play.log import ending, log_lines, public
from rulewright.errors import UserError
from rulewright.grammar import count, join
from rulewright.play import Entropy, Seeded
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import RecordFile

if TYPE_CHECKING:
    from rulewright.play import Dice

MOST_STEPS = 100_000


@click.command()
@click.argument("scenario", required=False, shell_complete=completion.scenarios)
@click.option("--seed", type=int, metavar="N", help="Repeat the same random dice.")
@click.option("--interactive", "-i", is_flag=True, help="Choose actions yourself, with the chances of each option.")
@click.option("--as", "people", multiple=True, metavar="NAME", help="Play this character; default: the first side; repeatable.")
@click.option("--play", "minds", multiple=True, metavar="SIDE=LEVEL", help="Use an AI opponent: easy, good or best; repeatable.")
@click.option("--typed-dice", is_flag=True, help="Roll real dice and type the faces.")
@click.option("--record", metavar="OUT", help="Save a record of every roll and decision.")
@click.option("--replay", metavar="RECORD", help="Replay a record and check it against the rules.")
@click.option("--resume", metavar="RECORD", help="Continue an unfinished record.")
@click.option("--why", "with_reasons", is_flag=True, help="Show the reasons of every line.")
@click.option("--rolls", "with_rolls", is_flag=True, help="Show every roll and decision.")
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
    """Play a scenario automatically, or take part with --interactive.

    rulewright fight scumm/brawl --seed 7

    A SCENARIO is a file or the name of a ready-made one, such as scumm/brawl.
    """
    _refuse_together(("--replay", replay), ("--resume", resume), ("--record", record))
    if (people or typed_dice) and not interactive:
        raise UserError("--as and --typed-dice need --interactive")
    if replay is not None:
        if interactive or seed is not None or scenario is not None or minds:
            raise UserError("--replay takes only a record: leave out the scenario, --interactive, --seed and --play")
        played = _replay(replay, library.take_record(replay))
        emit(public(played)) if json_wanted else _print(played, with_reasons, with_rolls)
        return 0
    dice: Dice = Entropy() if seed is None else Seeded(seed)
    staged = None if scenario is None else library.stage(scenario, by.preset, by.chosen, by.house)
    encounter, keep = _begun(staged, record, resume, by)
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
        click.echo(f"Saved the record {kept}: {count(len(encounter.entries), 'entry')}", err=True)
    return status


def _begun(staged: library.Staged | None, record: str | None, resume: str | None, by: By) -> tuple[Encounter[Any], RecordFile | None]:
    """The fight of a scenario, or of the record to continue, with the file that records it."""
    if resume is not None:
        if by != By():
            raise UserError("--resume uses the rules of the record: leave out --preset, --set and --house")
        return _resumed(resume)
    if staged is None:
        raise UserError("give a scenario, or a record with --replay or --resume")
    keep = None if record is None else RecordFile(Path(record))
    return Encounter.begin(staged.scene, staged.state, staged.scenario.name, keep=keep), keep


def _refuse_together(*given: tuple[str, str | None]) -> None:
    named = [name for name, value in given if value is not None]
    if len(named) > 1:
        raise UserError(f"give only one of {join(named)}")


def _resumed(path: str) -> "tuple[Encounter[Any], RecordFile]":
    """Open a record to continue it."""
    recorded = library.take_record(path)
    _replay(path, recorded)  # check the record before it is opened for writing
    keep = RecordFile(Path(path), new=False)
    return Encounter(recorded.scene, recorded.entries, keep), keep


def _replay(path: str, recorded: library.Recorded) -> "Encounter[Any]":
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
