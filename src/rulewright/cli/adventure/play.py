"""The command `adventure play`: an adventure in the terminal, without a gamemaster."""

import re
from typing import TYPE_CHECKING

import click

from rulewright.adventure.view import StoryShown
from rulewright.campaign.roll_request import RollRequest
from rulewright.cli import text
from rulewright.cli.options import as_json, emit, say
from rulewright.cli.play.log import log_lines
from rulewright.errors import UserError
from rulewright.play import Entropy, Seeded
from rulewright.playthrough.loader import open_adventure
from rulewright.playthrough.scenes import chances_of
from rulewright.playthrough.solo import Playthrough, choose_party
from rulewright.scenes.encounter import Encounter
from rulewright.show.serialize import plain

if TYPE_CHECKING:
    from rulewright.play import Dice

HELP = "a number chooses; u takes the last choice back; s shows what you know; q leaves"


@click.command()
@click.argument("path", metavar="ADVENTURE")
@click.option("--as", "names", multiple=True, metavar="NAME", help="Play this ready-made character; by default all; repeatable.")
@click.option("--fights", type=click.Choice(("tactics", "yourself")), default="yourself", help="Fight yourself, or let tactics fight.")
@click.option("--opponents", type=click.Choice(("tactics", "easy", "good", "best")), default="good", help="How well opponents play.")
@click.option("--seed", type=int, metavar="N", help="Repeat the same random dice.")
@as_json
def play(path: str, names: tuple[str, ...], fights: str, opponents: str, seed: int | None, json_wanted: bool) -> None:
    """Play an adventure. You choose the ways; requests are rolled, and opponents decide for themselves."""
    opened = open_adventure(path)
    playthrough = Playthrough(opened, choose_party(opened, names))
    table = _Terminal(playthrough, Entropy() if seed is None else Seeded(seed), fights, opponents, seed)
    if not json_wanted:
        say([click.style(opened.adventure.name, bold=True), text.paragraph(opened.adventure.about, ""), ""])
        say([f"You play {companion.name}, {getattr(companion.thing, 'concept', '')}" for companion in playthrough.party])
    try:
        table.play(quiet=json_wanted)
    except (EOFError, click.Abort):
        if not json_wanted:
            click.echo("\nYou leave the story here.")
    if json_wanted:
        emit({"ending": playthrough.shown().ending, "story": plain(playthrough.story), "shown": plain(playthrough.shown())})


class _Terminal:
    """Somebody at a terminal who plays an adventure alone."""

    def __init__(self, playthrough: Playthrough, dice: "Dice", fights: str, opponents: str, seed: int | None) -> None:
        self.playthrough, self.dice, self.fights, self.opponents, self.seed = playthrough, dice, fights, opponents, seed
        self._shown = ""

    def play(self, quiet: bool = False) -> None:
        self.quiet = quiet
        while not self.playthrough.over:
            shown = self.playthrough.shown()
            self._show(shown)
            said = self._read("What do you do? ")
            try:
                self._act(shown, said)
            except UserError as error:
                self._say([str(error)])
        self._show(self.playthrough.shown())

    def _act(self, shown: StoryShown, said: str) -> None:
        if said == "q":
            raise EOFError
        if said == "u":
            self.playthrough.undo()
        elif said == "s":
            self._know(shown)
        elif said.isdecimal() and 1 <= int(said) <= len(shown.offers):
            self.playthrough.choose(shown.offers[int(said) - 1].key)
            self._follow()
        else:
            raise UserError(HELP)

    def _follow(self) -> None:
        """Play what the choice leads to: a request, a fight, or a stretch of time."""
        if self.playthrough.request is not None:
            self._roll()
        elif self.playthrough.fight is not None:
            self._fight()
        elif self.playthrough.story.pending:
            self.playthrough.waited()

    def _roll(self) -> None:
        request = self.playthrough.request
        assert request is not None
        party = self.playthrough.party
        chances = chances_of(self.playthrough.opened, request, party)
        if request.text:
            self._say(["", text.paragraph(request.text, "")])
        who = [person.name for person in chances.people]
        if request.of == "one" and len(who) > 1:
            rows = []
            for number, person in enumerate(chances.people, 1):
                best = "" if request.manner != "open" or person.best is None else text.percent(person.best)
                rows.append((f"{number}.", person.name, best))
            self._say(text.columns(rows, indent="  "))
            said = self._read("Who tries it? ")
            if not (said.isdecimal() and 1 <= int(said) <= len(who)):
                self.playthrough.called_off()
                return
            who = [who[int(said) - 1]]
        ways = {}
        for person in chances.people:
            known = [way for way in person.ways if way.chance is not None]
            if known:
                ways[person.name] = max(known, key=lambda way: way.chance or 0).key
        encounter = self.playthrough.roll(who, self.dice, ways)
        self._log(encounter)

    def _log(self, encounter: Encounter[RollRequest]) -> None:
        for line in [logged for logged in encounter.log if not logged.hidden_from(encounter.state.attempts[0].name)]:
            self._say(log_lines(line, with_reasons=False, with_rolls=True))

    def _fight(self) -> None:
        from rulewright.cli.play.ai_players import Thinking
        from rulewright.cli.play.terminal_player import Seat

        staged = self.playthrough.staged()
        encounter = Encounter.begin(staged.scene, staged.state, staged.scenario.name)
        others = [side for side in staged.scenario.sides if side != "party"]
        minds = {} if self.opponents == "tactics" else dict.fromkeys(others, self.opponents)
        thinking = Thinking(encounter, staged.decide, minds, self.seed, staged.scenario.rounds)
        if self.fights == "tactics":
            thinking.play_out(self.dice, 100_000)
        else:
            people = tuple(companion.name for companion in self.playthrough.party)
            Seat(encounter, people, self.dice, staged.decide, thinking, quiet=self.quiet).play()
            if encounter.result is None:
                self.playthrough.called_off()
                return
        outcome = self.playthrough.fought(encounter)
        self._say([f"The fight is {outcome}."])

    # --- printing

    def _show(self, shown: StoryShown) -> None:
        self._say(["", *[text.paragraph(_bare(words), "") for words in shown.news]] if shown.news else [])
        if self._shown != shown.node:
            self._shown = shown.node
            self._say(["", click.style(f"{shown.title}  ·  {shown.now}", bold=True), ""])
            self._say([text.paragraph(_bare(part), "") + "\n" for part in shown.read.split("\n\n")])
        else:
            self._say(["", click.style(shown.now, dim=True)])
        if shown.ending:
            self._say([click.style(f"The end: {shown.ending}", bold=True)])
        self._say([f"  {number}. {offer.label}" for number, offer in enumerate(shown.offers, 1)])

    def _know(self, shown: StoryShown) -> None:
        lines = [f"  - {_bare(clue)}" for clue in shown.clues] or ["  nothing yet"]
        for handout in shown.handouts:
            lines += ["", click.style(f"  {handout.title}", bold=True), text.paragraph(_bare(handout.text), "  ")]
        lines += [f"  {tally.name}: {'?' if tally.count is None else tally.count} of {tally.of}" for tally in shown.tallies]
        self._say(lines)

    def _say(self, lines: list[str]) -> None:
        if not self.quiet:
            say(lines)

    def _read(self, prompt: str) -> str:
        answer: str = click.prompt(prompt.strip(), prompt_suffix=" ", default="", show_default=False, err=self.quiet)
        return answer.strip()


def _bare(words: str) -> str:
    """Text without the marks of Markdown."""
    return re.sub(r"\*\*|~~|^#+ |(?<!\w)\*|\*(?!\w)", "", " ".join(words.split()))
