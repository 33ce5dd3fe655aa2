"""Interactive play at the terminal: cards, options with their chances, and the log.

Everything comes from the scene: its view, its options and their chances. It works for every game.
"""

import sys
from typing import TYPE_CHECKING, Any

from rulewright.cli import text
from rulewright.cli.play import cards as drawing
from rulewright.cli.play.ai_players import Thinking, hint_lines
from rulewright.cli.play.chance_text import BAR, best_chance, chances_of, hoped_for, plain
from rulewright.cli.play.log import ending, log_lines
from rulewright.cli.play.option_menu import MANY, Arrangement, Default, Last
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Choice, Dice, Event, Given, Option, Range, Roll, Tactic
from rulewright.scenes.encounter import Decided, Encounter

if TYPE_CHECKING:
    from rich.console import RenderableType

    from rulewright.build.sheet_parts import Card, Turn
    from rulewright.play import Where
    from rulewright.scenes.chances import Weighed
    from rulewright.scenes.scene import Leaving

SECONDS = 2.0, 1.5
"""Time limits for the exact chances of all options of a question, and for playouts of the options that were not finished."""
SIDES = ("cyan", "magenta", "yellow", "green")
HELP = """\
  Type a number, or the words beside it, to choose.
  In a menu of actions: a capital letter selects the action, a number the target or the manner, words search, all lists everything,
  . repeats your last action, and Enter confirms.
  Where a position is asked for, @12.5,3 or run@12.5,3 moves there.
  m  map
  u  undo your last decision     r  redo
  s  status of everybody         l  whole log
  w  why: reasons of the last events
  hint  the best action by playouts, with your win chance
  withdraw, surrender  leave the fight, at the beginning of your turn
  q  quit; a record keeps everything"""


class _Left(Exception):
    """The player quits."""


class _Again(Exception):
    """The open question may have changed: read it again."""


class Seat:
    """Plays a scene with a person at the terminal, until it ends or the person quits."""

    def __init__(
        self,
        encounter: "Encounter[Any]",
        people: tuple[str, ...],
        dice: Dice,
        decide: Tactic,
        thinking: "Thinking | None" = None,
        typed_dice: bool = False,
        quiet: bool = False,
    ) -> None:
        from rich.console import Console

        self.encounter = encounter
        self.dice = dice
        self.decide = decide
        self.thinking = thinking if thinking is not None else Thinking(encounter, decide, {}, None, None)
        self.typed_dice = typed_dice
        self.people = self._seated(people)
        self.console: Console = Console(stderr=quiet, highlight=False)
        self._told = 0
        self._shown: object = None
        self._last: dict[tuple[str, str], Last] = {}
        """The last choice of each character, by topic."""

    def _seated(self, people: tuple[str, ...]) -> frozenset[str]:
        from rulewright.files import did_you_mean

        sides = self.encounter.scene.sides(self.encounter.state)
        known = [name for members in sides.values() for name in members]
        for name in people:
            if name not in known:
                raise UserError(f"--as {name}: there is no character of this name{did_you_mean(name, known)}")
        return frozenset(people or next(iter(sides.values()), ()))

    def play(self) -> int:
        """Play until the scene ends. Returns the exit status."""
        self.console.print(f"You play {join(sorted(self.people))}. Type ? for help.", style="dim")
        try:
            while True:
                try:
                    self._tell()
                    if self.encounter.open:
                        self._go_on()
                    elif self._over():
                        return 0
                except _Again:
                    continue
                except UserError as error:
                    self.console.print(str(error), style="red")
        except _Left:
            self.console.print("You left the fight.", style="dim")
            return 0
        except KeyboardInterrupt:
            self.console.print("\nStopped.", style="dim")
            return 130

    def _go_on(self) -> None:
        """Answer the first open question that can be answered."""
        for at, request in self.encounter.open:
            given: Given
            if isinstance(request, Roll):
                given = self._typed(request) if self.typed_dice and request.hand in self.people else self.dice.faces(request)
            elif request.who in self.people:
                given = self._ask(request)
            else:
                given = self.thinking.answer(at, request)
            self.encounter.give(given, at)
            return

    def _over(self) -> bool:
        for line in ending(self.encounter):
            self.console.print(_ansi(line))
        if not sys.stdin.isatty():
            return True
        try:
            return self._command(self._read("Enter to quit, u to undo your last decision: ")) is not True
        except _Again:
            return False

    # log

    def _tell(self) -> None:
        """Print the new lines of the log."""
        log = self.encounter.log
        for line in log[self._told :]:
            if not all(line.hidden_from(who) for who in self.people):
                for shown in log_lines(line, with_reasons=True, with_rolls=True):
                    self.console.print(_ansi(shown))
        self._told = len(log)

    # questions

    def _ask(self, choice: Choice[Any]) -> Given:
        self._show_everybody(choice.who)
        self.console.print(f"\n[bold]{plain(choice.who)}[/bold]: {plain(choice.ask_for)}")
        options = choice.options
        if isinstance(options, Range):
            return self._number(options, self.decide(choice))
        if len(options) > MANY:
            return self._arranged(choice, options)
        weighed = self._weighed(choice)
        default = self._arrangement(choice, options, weighed).option
        self.console.print(self._options(options, weighed))
        self.console.print(f"  [dim]Enter: {plain(default.label)}[/]")
        if choice.where is not None:
            self.console.print(self._places(choice.where), style="dim")
        while True:
            said = self._read("> ")
            if said == "":
                return default.key
            if self._command(said):
                continue
            if said.isdecimal() and 1 <= int(said) <= len(options):
                return options[int(said) - 1].key
            for option in options:
                if said.lower() in (option.key.lower(), option.label.lower()):
                    return option.key
            if choice.where is not None and "@" in said:
                if self._place(choice, said):
                    return said
                continue
            self.console.print(f"Choose a number from 1 to {len(options)}; ? for help.", style="red")

    def _place(self, choice: Choice[Any], said: str) -> bool:
        """Whether a typed position can be reached; prints why not."""
        try:
            choice.take(said)
        except UserError as error:
            self.console.print(str(error), style="red")
            return False
        return True

    def _arranged(self, choice: Choice[Any], options: "tuple[Option[Any], ...]") -> Given:
        """Ask for one of many options with a menu."""
        weighed = self._weighed(choice)
        bar = self._arrangement(choice, options, weighed)
        shown = False
        while True:
            if not shown:
                self._bar(bar, weighed)
                if choice.where is not None:
                    self.console.print(self._places(choice.where), style="dim")
                shown = True
            said = self._read("> ")
            if said and not bar.is_letter(said) and self._command(said):
                continue
            if choice.where is not None and "@" in said:
                if self._place(choice, said):
                    return said
                continue
            given = bar.chosen(said)
            if given is not None:
                self._last[choice.who, choice.topic] = bar.remembered()
                return given
            shown = not bar.taken(said)
            if shown:
                self.console.print("No option matches. Type a capital letter, a number, or words; ? for help.", style="red")

    def _arrangement(self, choice: Choice[Any], options: "tuple[Option[Any], ...]", weighed: "dict[str, Weighed]") -> Arrangement:
        """The options in groups, with the default answer selected."""
        from rulewright.system import find

        people = [name for names in self.encounter.scene.sides(self.encounter.state).values() for name in names]
        verbs, last = find(self.encounter.scene.rules.system).verbs, self._last.get((choice.who, choice.topic))
        return Arrangement(options, people, choice.topic, verbs, last, self._default(choice, weighed))

    def _default(self, choice: Choice[Any], weighed: "dict[str, Weighed]") -> Default:
        """Gathers what the default answer is chosen by."""
        sides = self.encounter.scene.sides(self.encounter.state)
        friends = next((names for names in sides.values() if choice.who in names), ())
        chances = {key: best_chance(known) for key, known in weighed.items() if known.outcomes and not known.why_not}
        return Default(self.decide(choice), chances, tuple([name for name in friends if name != choice.who]))

    def _bar(self, bar: Arrangement, weighed: "dict[str, Weighed]") -> None:
        """Print the menu, and the chances of the selected option."""
        for line in bar.lines(lambda key: hoped_for(weighed.get(key))):
            self.console.print(f"  {line}", markup=False)
        option = bar.option
        _, comes = chances_of(weighed.get(option.key))
        note = f" [dim]({plain(option.note)})[/]" if option.note else ""
        self.console.print(f"  [bold]Enter: {plain(option.label)}[/]{note}" + (f"  {comes}" if comes else ""))

    def _number(self, allowed: Range, default: Given) -> Given:
        """Ask for a number; Enter gives the default answer."""
        self.console.print(f"  [dim]Enter: {default}[/]")
        while True:
            said = self._read(f"{allowed.low} to {allowed.high} > ")
            if said == "":
                return default
            if self._command(said):
                continue
            if said.lstrip("-").isdecimal() and len(said) < 10 and int(said) in allowed:
                return int(said)
            steps = f" in steps of {allowed.step}" if allowed.step != 1 else ""
            self.console.print(f"Type a whole number from {allowed.low} to {allowed.high}{steps}; ? for help.", style="red")

    def _typed(self, roll: Roll[Any]) -> tuple[int, ...]:
        """Ask for the faces of real dice until they are valid."""
        while True:
            said = self._read(f"{roll.by} rolls {roll.reading!s} for {roll.what or 'a test'}; the faces? ")
            if self._command(said):
                continue
            parts = said.replace(",", " ").split()
            if all(part.isdecimal() and len(part) < 5 for part in parts):
                faces = tuple(int(part) for part in parts)
                try:
                    roll.reading.check(faces)
                except UserError as error:
                    self.console.print(str(error), style="red")
                    continue
                return faces
            self.console.print("Type the faces as numbers, as in 2 6 4.", style="red")

    def _read(self, prompt: str) -> str:
        self.console.print(prompt, end="", style="bold")
        self.console.file.flush()
        try:
            return input().strip()
        except EOFError:
            self.console.print()
            raise _Left from None

    def _command(self, said: str) -> bool:
        """Run a command; false if the text is not a command."""
        match said.lower():
            case "q" | "quit":
                raise _Left
            case "u" | "undo":
                self._undo()
                raise _Again
            case "r" | "redo":
                self.encounter.redo()
                self.console.print("Redone.", style="dim")
                self._shown = None
                raise _Again
            case "?" | "h" | "help":
                self.console.print(HELP, markup=False)
            case "s":
                self._shown = None
                self._show_everybody(None if not self.people else min(self.people))
            case "m" | "map":
                self._show_map(None if not self.people else min(self.people))
            case "l":
                for line in self.encounter.log:
                    for shown in log_lines(line, with_reasons=False, with_rolls=True):
                        self.console.print(_ansi(shown))
            case "w" | "why":
                self._why()
            case "hint":
                self._hint()
            case "withdraw" | "surrender":
                self._leave("withdraw" if said.lower() == "withdraw" else "surrender")
                raise _Again
            case _:
                return False
        return True

    def _leave(self, how: "Leaving") -> None:
        """Take the character who is asked out of the fight."""
        who = next((request.who for _, request in self.encounter.open if isinstance(request, Choice) and request.who in self.people), "")
        if not who or not self.encounter.between_steps:
            raise UserError(f"you can {how} when you are asked for your next turn")
        self.encounter.leave(who, how)
        self._shown = None

    def _undo(self) -> None:
        """Undo the last decision of the player's characters."""
        mine = [
            line.entry for line in self.encounter.log if isinstance(line.what, Decided) and not line.undone and line.what.who in self.people
        ]
        if not mine:
            raise UserError("you have no decision to undo")
        self.encounter.undo(to=mine[-1])
        self._told = len(self.encounter.log)
        self._shown = None
        self.console.print("Undone; the log keeps it.", style="dim")

    def _why(self) -> None:
        told = [line for line in self.encounter.log if isinstance(line.what, Event) and line.what.reasons() and not line.undone]
        if not told:
            self.console.print("There are no reasons to show yet.", style="dim")
        for line in told[-3:]:
            for shown in log_lines(line, with_reasons=True, with_rolls=False):
                self.console.print(_ansi(shown))

    def _hint(self) -> None:
        """Print a hint from what this player's characters know."""
        mine = [at for at, request in self.encounter.open if isinstance(request, Choice) and request.who in self.people]
        if not mine:
            self.console.print("No question is open for you.", style="dim")
            return
        for line in hint_lines(self.thinking.hint(mine[0])):
            self.console.print(line)

    # drawing

    def _show_everybody(self, who: str | None) -> None:
        """Print the cards that this character sees, once a step."""
        if self._shown is self.encounter.now:
            return
        from rich.columns import Columns
        from rich.rule import Rule

        view = self.encounter.scene.view(self.encounter.now, who)
        self._shown = self.encounter.now
        self.console.print(Rule(f"{plain(view.title)}: {plain(view.headline)}", style="dim"))
        sides = list(dict.fromkeys(card.side for card in view.cards))
        cards = [self._card(card, SIDES[sides.index(card.side) % len(SIDES)]) for card in view.cards]
        self.console.print(Columns(cards, equal=True, padding=(0, 1)))
        if view.timeline is not None and view.timeline.turns:
            turns = " › ".join(_turn(turn) for turn in view.timeline.turns)
            self.console.print(f"[dim]{plain(view.timeline.name)}:[/] {turns}")

    def _places(self, where: "Where[Any]") -> str:
        """How to answer with a position, and the distance of each pace."""
        bands = where.bands()
        paces = ", ".join(f"{band.pace} {text.value(round(band.most, 1))} {band.unit}".strip() for band in bands)
        example = "@12.5,3" if not bands or bands[0].unit == "m" else "@7,12"
        return f"or a position, as in {bands[0].pace if bands else ''}{example} ({paces})"

    def _show_map(self, who: str | None) -> None:
        """Print the map that this character sees."""
        from rulewright.cli.play.text_map import letters

        lines = letters(self.encounter.scene.view(self.encounter.now, who))
        for line in lines or ["This scene has no map."]:
            self.console.print(line, markup=False, no_wrap=True, crop=False, overflow="ignore")

    def _card(self, card: "Card", colour: str) -> "RenderableType":
        from rich.panel import Panel
        from rich.text import Text

        lines = text.columns([drawing.row(piece) for piece in card.pieces])
        name = f"{plain(card.name)} [dim]({plain(card.side)})[/]"
        style = "dim" if card.out else ""
        return Panel(Text("\n".join(lines) or "-", style=style), title=name, title_align="left", border_style="dim" if card.out else colour)

    def _weighed(self, choice: Choice[Any]) -> "dict[str, Weighed]":
        """The chances of the options, within the time limits, as far as those who play here can know them."""
        from rulewright.scenes.chances import Asked
        from rulewright.scenes.estimates import weigh

        at = next(at for at, request in self.encounter.open if request is choice)
        asked = Asked(self.encounter.moment(at), tuple(sorted(self.people)) or (None,), self.decide, self.people)
        return {weighed.key: weighed for weighed in weigh(asked, *SECONDS)}

    def _options(self, options: "tuple[Option[Any], ...]", weighed: "dict[str, Weighed]") -> "RenderableType":
        from rich.table import Table

        table = Table(box=None, padding=(0, 1), show_header=False, expand=bool(weighed))
        table.add_column(justify="right")
        if weighed:  # label and chances get equal widths
            table.add_column(ratio=1)
            table.add_column(width=BAR)
            table.add_column(ratio=1)
        for number, option in enumerate(options, 1):
            label = f"{plain(option.label)}" + (f" [dim]({plain(option.note)})[/]" if option.note else "")
            table.add_row(f"[bold]{number}[/]", label, *chances_of(weighed.get(option.key)))
        return table


def _turn(turn: "Turn") -> str:
    """An entry of the timeline: the character, and the time in the game's terms."""
    who = plain(turn.who)
    shown = f"[bold reverse] {who} [/]" if turn.now else f"[dim]{who}[/]" if turn.done else who
    return f"{shown} [dim]{plain(turn.at)}[/]" if turn.at else shown


def _ansi(line: str) -> Any:
    from rich.text import Text

    return Text.from_ansi(line)
