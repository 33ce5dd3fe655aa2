"""An adventure that is played without a gamemaster: the same scene, with its requests rolled and its fights staged for the party."""

from collections.abc import Sequence
from typing import Any

from rulewright import library
from rulewright.adventure.format import Fight, Request
from rulewright.adventure.scene import AdventureScene, outcomes, request_of
from rulewright.adventure.story import Story, begin_story
from rulewright.adventure.view import StoryShown, show_story
from rulewright.campaign.roll_request import RollRequest, Verdict, joined_verdict
from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play import Choice, Dice, Given, Option
from rulewright.playthrough.loader import Opened
from rulewright.playthrough.scenes import Companion, after_fight, outcome_of, party_of, roll_request, stage_fight
from rulewright.scenes.encounter import Encounter


class Playthrough:
    """One party in one adventure. Every choice can be undone."""

    def __init__(self, opened: Opened, party: Sequence[Companion]) -> None:
        self.opened, self.party = opened, tuple(party)
        scene = AdventureScene(opened.rules, opened.adventure)
        self.encounter: Encounter[Story] = Encounter.begin(scene, begin_story(opened.adventure), opened.adventure.name)
        self._before: list[tuple[int, tuple[Companion, ...]]] = []
        """The entries of the record and the party before each choice, for undo."""

    @property
    def story(self) -> Story:
        """The state of the story."""
        return self.encounter.state

    @property
    def over(self) -> bool:
        """Whether the story has come to an ending."""
        return self.encounter.result is not None

    def shown(self) -> StoryShown:
        """The story as the player sees it."""
        return show_story(self.opened.adventure, self.story)

    def choose(self, key: str) -> None:
        """Take one of the things that can be done now."""
        self._before.append((len(self.encounter.entries), self.party))
        try:
            self.encounter.give(key)
        except UserError:
            self._before.pop()
            raise

    def undo(self) -> None:
        """Take the last choice back, with everything that followed from it."""
        if not self._before:
            raise UserError("there is nothing to undo")
        entries, self.party = self._before.pop()
        self.encounter.undo(to=entries)

    # --- what is played before the story goes on

    @property
    def request(self) -> Request | None:
        """The request that is to be rolled now."""
        return request_of(self.opened.adventure, self.story)

    @property
    def fight(self) -> Fight | None:
        """The fight that is to be played now."""
        return self.opened.adventure.nodes[self.story.node].fight if self.story.pending == "fight" else None

    def roll(self, who: Sequence[str], dice: Dice, ways: "dict[str, str] | None" = None) -> Encounter[RollRequest]:
        """Roll the request for these people, each with a way (the best one if none is named), and go on with the verdict."""
        request = self.request
        assert request is not None
        chosen = [companion for companion in self.party if companion.name in who]
        built = roll_request(self.opened, request, chosen)
        staging = self.opened.system.staging(ROLL_REQUEST)
        encounter = Encounter.begin(staging.scene(self.opened.rules), built, request.request)
        wanted = ways or {}

        def decide(choice: Choice[Any]) -> Given:
            options: tuple[Option[Any], ...] = choice.options  # type: ignore[assignment]  # a request offers options
            return wanted.get(choice.who, options[0].key)

        encounter.play_out(dice, decide)
        self.encounter.give(verdict_of(encounter.state, outcomes(self.opened.adventure, self.story)))
        return encounter

    def staged(self) -> library.Staged:
        """The fight that is to be played now, with the party in its places."""
        fight = self.fight
        assert fight is not None
        return stage_fight(self.opened, fight.scenario, self.party)

    def fought(self, encounter: Encounter[Any]) -> str:
        """Go on after a fight: its result follows, and wounds stay."""
        fight = self.fight
        assert fight is not None
        outcome = outcome_of(encounter, list(fight.then))
        self.party = after_fight(encounter, self.party)
        self.encounter.give(outcome)
        return outcome

    def waited(self) -> None:
        """Go on after a stretch of time."""
        self.encounter.give("passed")

    def called_off(self) -> None:
        """Take back a request or fight before it is played."""
        self.undo()


def verdict_of(request: RollRequest, known: Sequence[str]) -> Verdict:
    """The verdict of a request on the story: the joint one, or that of the only roller; failure, if the story does not know it."""
    verdict = joined_verdict(request.joined, request.done) or (request.done[0].verdict if len(request.done) == 1 else None)
    return verdict if verdict is not None and verdict in known else "failure"


def choose_party(opened: Opened, names: Sequence[str]) -> tuple[Companion, ...]:
    """The ready-made characters with these names (or the beginnings of names); all of them if none is named."""
    party = party_of(opened.party)
    if not names:
        return party
    chosen = []
    for name in names:
        meant = [companion for companion in party if companion.name.casefold().startswith(name.strip().casefold())]
        if len(meant) != 1:
            raise UserError(f"{name[:60]!r} is none of the ready-made characters: {join([companion.name for companion in party])}")
        chosen += [companion for companion in meant if companion not in chosen]
    return tuple(chosen)
