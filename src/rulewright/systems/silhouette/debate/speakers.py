"""Speakers of a debate and its start (book lines 2274-2300)."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.files import set_at
from rulewright.grammar import join
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Placed, Scenario
from rulewright.systems.silhouette.action.rounds import Sense
from rulewright.systems.silhouette.combat.close_combat import Speed
from rulewright.systems.silhouette.combat.social import PLOYS, Standing, ploy_skill, social_attention, social_ratings_of, social_side
from rulewright.systems.silhouette.drama.luck_targets import Shaken, genre_points_of
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.fight.aftermath import FACE
from rulewright.systems.silhouette.people.characters import Person, skill_test
from rulewright.systems.silhouette.people.genre import effects_in_play
from rulewright.systems.silhouette.resolution.tests import Side

COUNTED = tuple([field for field in FACE if field != "fortune"])


class Ploy(Struct, frozen=True):
    """A ploy of a speaker: the pools to attack and answer, and its damage."""

    name: str
    attack: Side
    answer: Side
    damage: int


class Speaker(Struct, frozen=True, cache_hash=True):
    """A speaker: fixed facts first, then the changing state."""

    name: str
    side: str
    ploys: tuple[Ploy, ...]
    sense: Sense
    standing: Standing
    confused: bool = False
    retorted: bool = False
    refocused: bool = False
    """Whether the speaker only listened this round and acts early in the next."""
    pressed_by: tuple[str, ...] = ()
    """Rivals who attacked this round, in order: each further one is harder to answer."""
    many: int = 0
    """Dice given up this round to answer all rivals alike."""
    emergency_dice: int = 0
    genre_points: int = 0
    genre: tuple[str, ...] = ()
    """Genre Effects of the campaign."""
    genre_start: int = 0
    villain: bool = False
    fortune: Fortune = ORDINARY
    shaken: Shaken = Shaken()

    @property
    def able(self) -> bool:
        """Whether the speaker is still in society."""
        return not self.standing.exiled

    def ploy(self, name: str) -> Ploy:
        """Returns a ploy by name."""
        return next(ploy for ploy in self.ploys if ploy.name == name)


class Word(Struct, frozen=True):
    """An attempt: a ploy, its target, dice given up to deceive, and its speed; empty to say nothing."""

    ploy: str = ""
    target: str = ""
    deception: int = 0
    speed: Speed = "plain"


class Saying(Struct, frozen=True):
    """A chosen attempt before it is resolved."""

    name: str
    word: Word
    retort: bool = False
    penalty: int = 0
    """Penalty for several actions in one round."""


class Debate(Struct, frozen=True, cache_hash=True):
    """The state of a debate."""

    speakers: tuple[Speaker, ...]
    round: int = 0
    rounds: int = 50
    queue: tuple[tuple[str, ...], ...] = ()
    sayings: tuple[Saying, ...] = ()
    """Pending attempts of this moment, in order."""
    moment: tuple[tuple[str, int], ...] = ()
    """Everybody's penalty at the start of the moment: those who speak at the same time do not feel it yet."""
    swayed: bool = False
    """Whether anybody is lucky or unlucky, or the campaign has Genre Points; otherwise nobody is asked."""

    def penalty(self, speaker: Speaker) -> int:
        """Returns a speaker's current penalty."""
        return dict(self.moment).get(speaker.name, speaker.standing.penalty)

    def speaker(self, name: str) -> Speaker:
        """Returns a speaker by name."""
        for speaker in self.speakers:
            if speaker.name == name:
                return speaker
        raise UserError(f"there is no {name!r} in this debate; the speakers are {', '.join(speaker.name for speaker in self.speakers)}")

    def put(self, *changed: Speaker) -> "Debate":
        """Returns the debate with some speakers changed."""
        new = {speaker.name: speaker for speaker in changed}
        return replace(self, speakers=tuple([new.get(speaker.name, speaker) for speaker in self.speakers]))

    def rivals(self, speaker: Speaker) -> list[Speaker]:
        """Returns the rivals still in society."""
        return [other for other in self.speakers if other.side != speaker.side and other.able]


class Described(Struct, frozen=True, forbid_unknown_fields=True):
    """The `place` of a scenario file: a debate has no map."""

    genre: tuple[str, ...] = ()
    """The Genre Effects of the campaign: three to five, or none without Genre Points."""


def speaker_of(rules: Ruleset, member: Placed, genre: tuple[str, ...] = (), characters: int = 1) -> Speaker:
    """Returns a person as a speaker; Notice replaces Combat Sense."""
    person = replace(Person.of(rules, member.character), name=member.name)
    ploys = []
    for name, row in PLOYS(rules).items():
        skill = ploy_skill(rules, name)
        hurts = social_ratings_of(rules, person, skill)["social_damage"].value + row.damage
        ploys.append(Ploy(name, social_side(rules, person, name), social_side(rules, person, name, answers=True), hurts))
    used = ("human perception", "reading people")
    attribute = social_attention(rules)
    pool = skill_test(rules, person, "notice", attribute, task=None, used=used)
    best = person.best("notice")
    sense = Sense(member.name, pool, person.complexity.get(best, 1), person.level(best), person.attribute(attribute))
    standing = Standing.of(rules, person)
    effects = effects_in_play(rules, genre) if genre else ()
    points = genre_points_of(rules, person, characters) if genre else 0
    dice, villain = person.emergency_dice, person.role == "major npc"
    speaker = Speaker(
        member.name,
        member.side,
        tuple(ploys),
        sense,
        standing,
        emergency_dice=dice,
        genre_points=points,
        genre=effects,
        genre_start=points,
        villain=villain,
        fortune=Fortune.of(person),
        shaken=Shaken(person.attribute("psyche")),
    )
    return _apply_state(speaker, member) if member.state else speaker


def _apply_state(speaker: Speaker, member: Placed) -> Speaker:
    """Applies the `state` of a scenario member, which may reach into the standing."""
    data: dict[str, Any] = msgspec.to_builtins(speaker)
    for field, value in member.state.items():
        head = field.partition(".")[0]
        if head not in (*FACE, "shocked"):
            known = nearest(head, FACE) or f"; it has {join([*FACE, 'shocked'])}"
            raise UserError(f"{member.name}: state has no field {field!r}{known}")
        if head in COUNTED and (not isinstance(value, int) or value < 0):
            raise UserError(f"{member.name}: state accepts only whole numbers from 0 for {field}, not {value!r}")
        inside = "standing." if head in ("embarrassments", "hurts") else "shaken." if head == "shocked" else ""
        data = set_at(data, f"{inside}{field}", value)
    started = member.started(data, Speaker)
    return replace(started, standing=replace(started.standing, exiled=started.standing.reputation_left <= 0))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Debate:
    """Starts the debate of a scenario."""
    try:
        described = msgspec.convert(scenario.place, Described)
    except msgspec.ValidationError as error:
        raise UserError(f"place: a debate has no map: {error}") from None
    if len(scenario.sides) < 2:
        raise UserError("a debate needs at least two sides")
    placed = list(members)
    characters = sum([member.character.role == "pc" for member in placed])
    speakers = tuple([speaker_of(rules, member, described.genre, characters) for member in placed])
    luck = bool(described.genre) or any(speaker.fortune != ORDINARY for speaker in speakers)
    return Debate(speakers, rounds=scenario.rounds, swayed=luck)
