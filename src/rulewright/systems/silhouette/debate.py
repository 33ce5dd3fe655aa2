"""A contest of words as a scene: close combat in society (book lines 2274-2300)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.encounter import Result, Scene
from rulewright.errors import Wrong
from rulewright.pieces import AnyPiece, Card, SceneView, Tag, Timeline, Track, Turn
from rulewright.play import Choice, Given, Option, Play, Prospect, Tactic, Tell, Together, sub
from rulewright.rules import Ruleset, nearest
from rulewright.scenarios import Lasts, Placed, Scenario
from rulewright.systems.silhouette.aftermath import FACE, face_after
from rulewright.systems.silhouette.characters import Person, skill_test
from rulewright.systems.silhouette.close_combat import deceive
from rulewright.systems.silhouette.harm import Changed
from rulewright.systems.silhouette.resolution import Mod, Pool, Side
from rulewright.systems.silhouette.rounds import Order, Sense, initiative
from rulewright.systems.silhouette.social import (
    PLOYS,
    Affront,
    Snubbed,
    Standing,
    ploy_skill,
    snub,
    social_attention,
    social_ratings_of,
    social_side,
)

DEBATE_SCENE = "debate"


class Ploy(Struct, frozen=True):
    """A way to use words: what is rolled to strike with it, to answer with it, and what it does."""

    name: str
    attack: Side
    answer: Side
    damage: int


class Speaker(Struct, frozen=True, cache_hash=True):
    """Somebody in the contest. What never changes stands first, and then what does."""

    name: str
    side: str
    ploys: tuple[Ploy, ...]
    sense: Sense
    standing: Standing
    confused: bool = False
    retorted: bool = False

    @property
    def able(self) -> bool:
        """Still in society."""
        return not self.standing.exiled

    def ploy(self, name: str) -> Ploy:
        """One of the ploys."""
        return next(ploy for ploy in self.ploys if ploy.name == name)


class Word(Struct, frozen=True):
    """What somebody says: a ploy, its target, and dice given up to deceive; none of it is to say nothing."""

    ploy: str = ""
    target: str = ""
    deception: int = 0


class Saying(Struct, frozen=True):
    """A word that was chosen and is still to fall."""

    name: str
    word: Word
    retort: bool = False


class Debate(Struct, frozen=True, cache_hash=True):
    """The whole contest at one moment."""

    speakers: tuple[Speaker, ...]
    round: int = 0
    rounds: int = 50
    queue: tuple[tuple[str, ...], ...] = ()
    sayings: tuple[Saying, ...] = ()
    """What of this moment is still to be said, the first first."""
    moment: tuple[tuple[str, int], ...] = ()
    """What everybody's lost face cost when the moment began: those who speak at the same time feel nothing of it yet."""

    def penalty(self, speaker: Speaker) -> int:
        """What lost face costs somebody now."""
        return dict(self.moment).get(speaker.name, speaker.standing.penalty)

    def speaker(self, name: str) -> Speaker:
        """Somebody by name."""
        return next(speaker for speaker in self.speakers if speaker.name == name)

    def put(self, *changed: Speaker) -> "Debate":
        """The contest with some people changed."""
        new = {speaker.name: speaker for speaker in changed}
        return replace(self, speakers=tuple([new.get(speaker.name, speaker) for speaker in self.speakers]))

    def rivals(self, speaker: Speaker) -> list[Speaker]:
        """Everybody of another side who is still in society."""
        return [other for other in self.speakers if other.side != speaker.side and other.able]


def speaker_of(rules: Ruleset, member: Placed) -> Speaker:
    """A person in a contest of words; Notice takes the place of Combat Sense."""
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
    known = ("embarrassments", "hurts")
    for field, value in member.state.items():
        if field not in known or not isinstance(value, int) or value < 0:
            raise Wrong(f"{member.name}: state takes {' and '.join(known)}, not {field} = {value!r}{nearest(field, known)}")
        standing = replace(standing, **{field: value})
    standing = replace(standing, exiled=standing.reputation_left <= 0)
    return Speaker(member.name, member.side, tuple(ploys), sense, standing)


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Debate:
    """The contest in which a scenario begins."""
    if scenario.place:
        raise Wrong(f"place: a contest of words has no ground, and so no {', '.join(scenario.place)}")
    if len(scenario.sides) < 2:
        raise Wrong("a contest of words needs two sides")
    return Debate(tuple([speaker_of(rules, member) for member in members]), rounds=scenario.rounds)


# --- a round ------------------------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """What a decision in a contest is about."""

    debate: Debate
    name: str
    rules: Ruleset
    target: str = ""


def begin_round(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """Everybody tests Notice: the most attentive speaks first."""
    able = [speaker for speaker in debate.speakers if speaker.able]
    senses = tuple([replace(s.sense, pool=_worse(s.sense.pool, s.standing.penalty)) for s in able])
    order: Order = yield from sub(initiative, rules, senses)
    speakers = [replace(s, confused=s.name in order.confused, retorted=False) for s in debate.speakers]
    return replace(debate, speakers=tuple(speakers), round=debate.round + 1, queue=order.groups)


def _worse(pool: Pool, penalty: int) -> Pool:
    return pool.plus(Mod("lost face", penalty, "sil-3.3.5-social-game"))


@lru_cache(maxsize=10_000)
def _options(speaker: Speaker, rivals: tuple[str, ...]) -> tuple[Option[Word], ...]:
    found: list[Option[Word]] = []
    for rival in rivals:
        for ploy in speaker.ploys:
            found.append(_word(f"{ploy.name}:{rival}", f"{ploy.name.capitalize()} on {rival}", Word(ploy.name, rival)))
            for dice in range(1, min(2, ploy.attack.pool.dice) + 1):
                key, label = f"{ploy.name} deceive {dice}:{rival}", f"{ploy.name.capitalize()} on {rival}, misleading by {dice}"
                found.append(_word(key, label, Word(ploy.name, rival, dice)))
    return (*found, Option("nothing", "Say nothing", Word()))


def _word(key: str, label: str, word: Word) -> Option[Word]:
    def leads(about: Any) -> Prospect | None:
        target = about.debate.speaker(word.target)
        affront = make(about.debate, about.name, word, best_answer(target))
        names = ("no effect", "shrugged off", "embarrassed", "hurt", "exile")
        before = target.standing
        return Prospect(sub(snub, about.rules, affront, before), lambda came: _outcome(before, came), names, names[2:])

    return Option(key, label, word, leads=leads)


def _outcome(before: Standing, came: Snubbed) -> str:
    after = came.standing
    if after.exiled:
        return "exile"
    if after.hurts > before.hurts:
        return "hurt"
    if after.embarrassments > before.embarrassments:
        return "embarrassed"
    return "shrugged off" if came.margin else "no effect"


def best_answer(speaker: Speaker) -> str:
    """The ploy that somebody answers with best."""
    return max(speaker.ploys, key=lambda ploy: (ploy.answer.pool.dice, ploy.answer.pool.modifier)).name


def best_ploy(speaker: Speaker) -> str:
    """The ploy that somebody strikes with best."""
    return max(speaker.ploys, key=lambda ploy: (ploy.attack.pool.dice, ploy.attack.pool.modifier + ploy.damage)).name


def make(debate: Debate, name: str, word: Word, answer: str) -> Affront:
    """A social attack with everything decided."""
    one, other = debate.speaker(name), debate.speaker(word.target)
    ploy, met = one.ploy(word.ploy), other.ploy(answer)
    attack = _worse(ploy.attack.pool, debate.penalty(one))
    defense = _worse(met.answer.pool, debate.penalty(other))
    if word.deception:
        mine, theirs = deceive(attack.dice, defense.dice, word.deception)
        attack, defense = attack.with_dice(mine), defense.with_dice(theirs)
    return Affront(name, other.name, ploy.name, replace(ploy.attack, pool=attack), replace(met.answer, pool=defense), ploy.damage)


def next_word(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """The next to speak. Those who tied choose their words at once, and what befalls one does not silence the other."""
    group, rest = debate.queue[0], debate.queue[1:]
    speaking = [debate.speaker(name) for name in group if debate.speaker(name).able and not debate.speaker(name).confused]
    asked = [
        Choice(s.name, "What do you say?", _options(s, tuple([r.name for r in debate.rivals(s)])), Question(debate, s.name, rules), "word")
        for s in speaking
    ]
    words = yield from Together(tuple(asked))
    said = tuple([Saying(s.name, word) for s, word in zip(speaking, words, strict=True) if word.ploy])
    moment = tuple([(s.name, s.standing.penalty) for s in debate.speakers]) if len(said) > 1 else ()
    return replace(debate, queue=rest, sayings=said, moment=moment)


def say(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """One social attack: the answer, the rolls, and a retort for whoever's rival made a fool of himself."""
    saying, left = debate.sayings[0], debate.sayings[1:]
    debate = replace(debate, sayings=left)
    name, word = saying.name, saying.word
    target = debate.speaker(word.target)
    answers = tuple([Option(ploy.name, f"Answer with {ploy.name}", ploy.name) for ploy in target.ploys])
    about = Question(debate, target.name, rules, name)
    answer = yield from Choice(target.name, f"{name} tries {word.ploy} on you. How do you answer?", answers, about, "answer")
    came: Snubbed = yield from sub(snub, rules, make(debate, name, word, answer), target.standing)
    debate = debate.put(replace(target, standing=came.standing))
    if came.open != "nobody" and not saying.retort:
        striker, fool = (target.name, name) if came.open == "attacker" else (name, target.name)
        one, other = debate.speaker(striker), debate.speaker(fool)
        if not one.retorted and (debate.moment or (one.able and other.able)):
            yield Tell(Changed(striker, f"has the laugh on {fool}, and goes on"))
            retort = Saying(striker, Word(best_ploy(one), fool), True)
            debate = replace(debate.put(replace(one, retorted=True)), sayings=(retort, *debate.sayings))
    return debate if debate.sayings else replace(debate, moment=())


# --- the scene ----------------------------------------------------------------------------------------------------------------


class DebateScene(Scene[Debate]):
    """A contest of words: Notice is a step, and every speech is one."""

    state_type = Debate
    kind = DEBATE_SCENE

    def step(self, state: Debate) -> Play[Debate]:
        if state.sayings:
            return say(self.rules, state)
        return next_word(self.rules, state) if state.queue else begin_round(self.rules, state)

    def result(self, state: Debate) -> Result | None:
        if state.moment:
            return None
        left = {speaker.side for speaker in state.speakers if speaker.able}
        if not left:
            return Result(None, "everybody is disgraced")
        if len(left) == 1:
            return Result(next(iter(left)), "all others have left society")
        if state.round >= state.rounds and not state.queue and not state.sayings:
            return Result(None, f"{state.rounds} rounds have passed")
        return None

    def sides(self, state: Debate) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for speaker in state.speakers:
            found[speaker.side] = (*found.get(speaker.side, ()), speaker.name)
        return found

    def out(self, state: Debate) -> frozenset[str]:
        return frozenset(speaker.name for speaker in state.speakers if not speaker.able)

    def round(self, state: Debate) -> int:
        return state.round

    def join(self, state: Debate, newcomer: Any, side: str) -> Debate:
        if any(speaker.name == newcomer.name for speaker in state.speakers):
            raise Wrong(f"there is a {newcomer.name} here already: give the newcomer another name")
        speaker = speaker_of(self.rules, Placed.coming(newcomer, side))
        return replace(state, speakers=(*state.speakers, speaker))

    carries = FACE

    def lasting(self, state: Debate, who: str) -> Mapping[str, Lasts]:
        return face_after(state.speaker(who).standing)

    def lens(self, state: Debate, question: str) -> Debate:
        """Who wins depends neither on the number of the round nor on how deep the shame of an exile was."""
        if question == "all":
            return state
        waiting = {name for group in state.queue for name in group}
        waiting |= {saying.name for saying in state.sayings}
        busy = bool(state.queue or state.sayings)
        speakers = [_levelled(s) if not s.able and not state.moment else s if busy else _fresh(s) for s in state.speakers]
        speakers = [s if s.name in waiting or not s.confused else replace(s, confused=False) for s in speakers]
        return replace(state, speakers=tuple(speakers), round=min(state.round, 1))

    def view(self, state: Debate, who: str | None) -> SceneView:
        cards = tuple([_card(speaker) for speaker in state.speakers])
        turns = tuple([Turn(name, str(at)) for at, group in enumerate(state.queue, 1) for name in group])
        headline = f"Round {state.round}" if state.round else "Before the first word"
        return SceneView("Contest of words", headline, cards, Timeline(turns, name="Who speaks"))


def _levelled(speaker: Speaker) -> Speaker:
    standing = replace(speaker.standing, embarrassments=0, hurts=0)
    return replace(speaker, standing=standing, confused=False, retorted=False)


def _fresh(speaker: Speaker) -> Speaker:
    return replace(speaker, confused=False, retorted=False) if speaker.confused or speaker.retorted else speaker


def _card(speaker: Speaker) -> Card:
    standing = speaker.standing
    marks = ("h",) * (2 * standing.hurts) + ("e",) * standing.embarrassments
    pieces: list[AnyPiece] = [Track(standing.reputation, marks, name="Reputation", rule="sil-3.3.5-social-game")]
    if standing.penalty:
        pieces.append(Tag(str(standing.penalty), True, name="lost face", rule="sil-3.3.5-social-game"))
    pieces.extend([Tag(name=name) for name, holds in (("exiled", standing.exiled), ("confused", speaker.confused)) if holds])
    return Card(speaker.name, speaker.side, tuple(pieces), not speaker.able)


# --- tactics ------------------------------------------------------------------------------------------------------------------


def sharp(choice: Choice[Any]) -> Given:
    """The best ploy on the rival with the least reputation left; answers with what one knows best."""
    about = choice.about
    me = about.debate.speaker(choice.who)
    if choice.topic == "answer":
        return best_answer(me)
    rivals = about.debate.rivals(me)
    if choice.topic == "word" and rivals:
        weakest = min(rivals, key=lambda rival: (rival.standing.reputation_left, rival.name))
        return f"{best_ploy(me)}:{weakest.name}"
    return choice.keys()[-1]


def sly(choice: Choice[Any]) -> Given:
    """Like the sharp, but misleading by a die where there are dice to spare."""
    given = sharp(choice)
    if choice.topic == "word" and isinstance(given, str) and ":" in given:
        ploy, _, rival = given.partition(":")
        if choice.about.debate.speaker(choice.who).ploy(ploy).attack.pool.dice > 1:
            return f"{ploy} deceive 1:{rival}"
    return given


DEBATE_TACTICS: Mapping[str, Tactic] = {"sharp": sharp, "sly": sly}
