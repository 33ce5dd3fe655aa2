"""A debate as a scene: social combat (book lines 2274-2300)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, SceneView, Tag, Timeline, Track, Turn
from rulewright.build.sheet_parts import Pool as Points
from rulewright.errors import UserError
from rulewright.grammar import count, join
from rulewright.highest_die.harm import dice_asked
from rulewright.play import Choice, Happened, Option, Play, Tell, Together, sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.scenarios import Lasts, Placed
from rulewright.scenes.scene import Result, Scene
from rulewright.systems.silhouette.action.confined_places import defense_against
from rulewright.systems.silhouette.action.rounds import SECONDS, Order, Sense, initiative, refocused
from rulewright.systems.silhouette.combat.close_combat import Speed, deceive, strikes
from rulewright.systems.silhouette.combat.social import (
    PLOYS,
    Affront,
    Snubbed,
    ploy_skill,
    snub,
    social_attention,
    social_attribute,
)
from rulewright.systems.silhouette.debate.speakers import Debate, Ploy, Saying, Speaker, Word, speaker_of
from rulewright.systems.silhouette.drama.luck_targets import Company, Fate, burst, mimic
from rulewright.systems.silhouette.drama.traits_in_play import ORDINARY, Fortune
from rulewright.systems.silhouette.fight.aftermath import FACE, face_after
from rulewright.systems.silhouette.fight.luck import watched
from rulewright.systems.silhouette.people.genre import Priced
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, most_emergency_dice

DEBATE_SCENE = "debate"
MOST_WORDS = 4
"""The most actions offered for one turn."""


# --- a round ------------------------------------------------------------------------------------------------------------------


class Question(Struct, frozen=True):
    """The subject of a decision in a debate."""

    debate: Debate
    name: str
    rules: Ruleset
    target: str = ""
    penalty: int = 0


def begin_round(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """Starts a round: everybody tests Notice, and the highest speaks first."""
    able = [speaker for speaker in debate.speakers if speaker.able]
    if debate.swayed:
        debate = yield from _offer_angst(rules, debate)
        able = yield from _initiative_rollers(debate, [debate.speaker(speaker.name) for speaker in able], rules)
    attention = social_attention(rules)
    senses = tuple([_sense(s, attention) for s in able])
    order: Order = yield from sub(initiative, rules, senses)
    speakers = [replace(_reset_round(s), confused=s.name in order.confused, refocused=False) for s in debate.speakers]
    return replace(debate, speakers=tuple(speakers), round=debate.round + 1, queue=order.groups)


def _initiative_rollers(debate: Debate, able: list[Speaker], rules: Ruleset) -> Play[list[Speaker]]:
    """Returns those who roll for initiative; a speaker without Notice may mimic it."""
    speakers = []
    for speaker in able:
        if speaker.sense.level <= 0 and not speaker.refocused:
            level = yield from mimic(speaker.name, speaker.genre, "notice", Question(debate, speaker.name, rules))
            sense = speaker.sense
            if level:
                speaker = replace(speaker, sense=replace(sense, pool=sense.pool.with_dice(level), level=level))
        speakers.append(speaker)
    return speakers


def _offer_angst(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """Offers a Burst of Angst to shocked speakers at the start of a round."""
    used = {social_attribute(rules, ploy, answers) for ploy in PLOYS(rules) for answers in (False, True)} | {social_attention(rules)}
    attributes = tuple(sorted(used - {"build", "psyche"}))
    for candidate in [speaker for speaker in debate.speakers if speaker.able]:
        shaken = yield from burst(rules, _fate(candidate), candidate.shaken, attributes, Question(debate, candidate.name, rules))
        debate = debate.put(replace(candidate, shaken=shaken)) if shaken != candidate.shaken else debate
    return debate


def _sense(speaker: Speaker, attention: str) -> Sense:
    pool = _with_penalty(speaker.sense.pool, speaker.standing.penalty).plus(speaker.shaken.shift(attention))
    sense = replace(speaker.sense, pool=pool)
    return replace(sense, fixed=refocused(sense.level).value) if speaker.refocused else sense


def _with_penalty(pool: Pool, penalty: int) -> Pool:
    return pool.plus(Mod("lost face", penalty, "sil-3.3.5-social-game"))


_SPEEDS: dict[Speed, str] = {"plain": "", "fast": ", fast", "lightning": ", lightning"}


@cached(10_000)
def _options(speaker: Speaker, rivals: tuple[str, ...]) -> tuple[Option[Word], ...]:
    options: list[Option[Word]] = []
    for rival in rivals:
        for ploy in speaker.ploys:
            for speed, quickly in _SPEEDS.items():
                for dice in range(max(0, min(2, ploy.attack.pool.dice)) + 1):
                    key = " ".join([ploy.name, *([speed] if quickly else []), *([f"deceive {dice}"] if dice else [])])
                    feint = f", deceive with {count(dice, 'die', 'dice')}" if dice else ""
                    label = f"{ploy.name.capitalize()} on {rival}{quickly}{feint}"
                    options.append(Option(f"{key}:{rival}", label, Word(ploy.name, rival, dice, speed)))
    return (*options, Option("nothing", "Say nothing", Word()))


def best_answer(speaker: Speaker) -> str:
    """Returns a speaker's best ploy for an answer."""
    return max(speaker.ploys, key=lambda ploy: (ploy.answer.pool.dice, ploy.answer.pool.modifier)).name


def best_ploy(speaker: Speaker) -> str:
    """Returns a speaker's best ploy for an attack."""
    return max(speaker.ploys, key=lambda ploy: (ploy.attack.pool.dice, ploy.attack.pool.modifier + ploy.damage)).name


def make(rules: Ruleset, debate: Debate, name: str, word: Word, *, answer: str, penalty: int = 0, free: bool = False) -> Affront:
    """Builds a complete social attack. Several and fast actions penalize the attacker, every further rival the defender; a retort, like
    a Free Strike, does not count as a further rival."""
    result, other = debate.speaker(name), debate.speaker(word.target)
    ploy, met = result.ploy(word.ploy), other.ploy(answer)
    thrusts, hurry = strikes(rules, word.speed)
    attack = _with_penalty(ploy.attack.pool, debate.penalty(result)).plus(
        result.shaken.shift(social_attribute(rules, ploy.name)),
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions"),
        Mod(f"{word.speed} attack", hurry, "sil-3.3.4-fast-attacks"),
    )
    rivals = 0 if free or other.many else defense_against(rules, other.pressed_by, name)
    defense = _with_penalty(met.answer.pool, debate.penalty(other)).plus(
        Mod("several opponents", rivals, "sil-3.3.2-close-modifiers"), other.shaken.shift(social_attribute(rules, answer, True))
    )
    if other.many:
        defense = defense.with_dice(max(0, defense.dice - other.many))
    if word.deception:
        mine, theirs = deceive(attack.dice, defense.dice, word.deception)
        attack, defense = attack.with_dice(mine), defense.with_dice(theirs)
    sides = replace(ploy.attack, pool=attack), replace(met.answer, pool=defense)
    return Affront(name, other.name, ploy.name, *sides, ploy.damage, thrusts)


REFOCUS = 0
_PLANS: tuple[Option[int], ...] = (
    Option("1", "One attempt", 1),
    *[Option(str(n), f"{n} attempts, each at {1 - n}", n) for n in range(2, MOST_WORDS + 1)],
    Option("refocus", "Listen: do nothing this round, act early in the next", REFOCUS),
)


def next_word(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """Plays the next speaker. Tied speakers choose at once, and the result for one does not silence the other."""
    if debate.swayed and (seized := (yield from _offer_opportunity(rules, debate))) is not None:
        return seized
    group, rest = debate.queue[0], debate.queue[1:]
    speaking = [debate.speaker(name) for name in group if debate.speaker(name).able and not debate.speaker(name).confused]
    about = [Question(debate, s.name, rules) for s in speaking]
    plans = yield from Together(
        tuple(
            [Choice(s.name, "How many attempts do you make this round?", _PLANS, q, "plan") for s, q in zip(speaking, about, strict=True)]
        )
    )
    listening = [replace(s, refocused=True) for s, plan in zip(speaking, plans, strict=True) if plan == REFOCUS]
    debate = debate.put(*listening) if listening else debate
    said: tuple[Saying, ...] = ()
    for turn in range(max((0, *plans))):
        talking = [(s, 1 - plan) for s, plan in zip(speaking, plans, strict=True) if plan > turn]
        words = yield from Together(tuple([_ask_for_a_word(rules, debate, s, penalty) for s, penalty in talking]))
        said += tuple([Saying(s.name, word, False, penalty) for (s, penalty), word in zip(talking, words, strict=True) if word.ploy])
    moment = tuple([(s.name, s.standing.penalty) for s in debate.speakers]) if len({saying.name for saying in said}) > 1 else ()
    return replace(debate, queue=rest, sayings=said, moment=moment)


_SEIZE: tuple[Option[bool], ...] = (
    Option("no", "Wait", False),
    Priced("yes", "Opportunity Seized: speak now (1 Genre Point)", True, price=1),
)


def _offer_opportunity(rules: Ruleset, debate: Debate) -> Play[Debate | None]:
    """Offers Opportunity Seized before the next speaker: one more attempt first, without the penalty for several; None if nobody takes
    it."""
    for speaker in debate.speakers:
        if not speaker.able or speaker.confused or "opportunity seized" not in speaker.genre or not debate.rivals(speaker):
            continue
        asked = f"{join(debate.queue[0])} will speak. Do you seize the opportunity?"
        if (yield from Choice(speaker.name, asked, _SEIZE, Question(debate, speaker.name, rules), "seize")):
            yield Tell(Happened(speaker.name, "seizes the opportunity", "good"))
            word = yield from _ask_for_a_word(rules, debate, speaker, 0)
            return replace(debate, sayings=(Saying(speaker.name, word),)) if word.ploy else debate
    return None


def _ask_for_a_word(rules: Ruleset, debate: Debate, speaker: Speaker, penalty: int) -> Choice[Word]:
    options = _options(speaker, tuple([rival.name for rival in debate.rivals(speaker)]))
    return Choice(speaker.name, "What do you say?", options, Question(debate, speaker.name, rules, penalty=penalty), "word")


def _ask_for_a_retort(rules: Ruleset, debate: Debate, speaker: Speaker, fool: str) -> Choice[str]:
    """Asks for a retort after a rival's fumble, once per round and free, like a Free Strike."""
    ploys = [Option(ploy.name, f"{ploy.name.capitalize()} on {fool}", ploy.name) for ploy in speaker.ploys]
    options = (*ploys, Option("hold", "Do not retort", ""))
    asked = f"{fool} has fumbled. Do you retort?"
    return Choice(speaker.name, asked, options, Question(debate, speaker.name, rules, fool), "retort")


_MANY: tuple[Option[bool], ...] = (
    Option("no", "Answer normally", False),
    Option("yes", "Give up dice to answer all of them", True),
)


def say(rules: Ruleset, debate: Debate) -> Play[Debate]:
    """Plays one social attack: the answer, the rolls, and a retort after a fumble."""
    saying, left = debate.sayings[0], debate.sayings[1:]
    debate = replace(debate, sayings=left)
    name, word = saying.name, saying.word
    target = debate.speaker(word.target)
    if not debate.moment and not (target.able and debate.speaker(name).able):  # earlier words have made this one idle
        return debate
    others = len(debate.rivals(target)) - 1
    if others > 0 and not saying.retort and not target.many and not target.pressed_by:
        asked = f"{others + 1} rivals attack you. Do you give up dice to answer all of them?"
        if (yield from Choice(target.name, asked, _MANY, Question(debate, target.name, rules, name), "many")):
            target = replace(target, many=others)
            debate = debate.put(target)
    answers = tuple([Option(ploy.name, f"Answer with {ploy.name}", ploy.name) for ploy in target.ploys])
    about = Question(debate, target.name, rules, name)
    answer = yield from Choice(target.name, f"{name} tries {word.ploy} on you. How do you answer?", answers, about, "answer")
    knowing = debate
    if debate.swayed:
        knowing = yield from _offer_mimicry(rules, knowing, name, word.ploy)
        knowing = yield from _offer_mimicry(rules, knowing, target.name, answer)
    affront = make(rules, knowing, name, word, answer=answer, penalty=saying.penalty, free=saying.retort)
    debate, affront = yield from _add_emergency_dice(rules, debate, affront)
    target = debate.speaker(word.target)
    snubbed: Snubbed = yield from sub(snub, rules, affront, target.standing)
    counts = others > 0 and not saying.retort and name not in target.pressed_by
    pressed = (*target.pressed_by, name) if counts else target.pressed_by
    debate = debate.put(replace(target, standing=snubbed.standing, pressed_by=pressed))
    if snubbed.open != "nobody" and not saying.retort:
        striker, fool = (target.name, name) if snubbed.open == "attacker" else (name, target.name)
        result, other = debate.speaker(striker), debate.speaker(fool)
        if not result.retorted and (debate.moment or (result.able and other.able)):
            ploy = yield from _ask_for_a_retort(rules, debate, result, fool)
            if ploy:
                yield Tell(Happened(striker, f"retorts to {fool}"))
                retort = Saying(striker, Word(ploy, fool), True)
                debate = replace(debate.put(replace(result, retorted=True)), sayings=(retort, *debate.sayings))
    return debate if debate.sayings else replace(debate, moment=())


def _offer_mimicry(rules: Ruleset, debate: Debate, name: str, ploy: str) -> Play[Debate]:
    """Offers a missing skill for this one ploy; returns the debate for its dice."""
    speaker = debate.speaker(name)
    known = speaker.ploy(ploy)
    if known.attack.level > 0:
        return debate
    level = yield from mimic(name, speaker.genre, ploy_skill(rules, ploy), Question(debate, name, rules))
    if not level:
        return debate
    attack, answer = [replace(side, pool=side.pool.with_dice(level), level=level) for side in (known.attack, known.answer)]
    learnt = Ploy(ploy, attack, answer, known.damage + level)
    return debate.put(replace(speaker, ploys=tuple([learnt if candidate.name == ploy else candidate for candidate in speaker.ploys])))


def _add_emergency_dice(rules: Ruleset, debate: Debate, affront: Affront) -> Play[tuple[Debate, Affront]]:
    """Lets both sides add Emergency Dice."""
    debate, attack = yield from _with_emergency_dice(rules, debate, affront.attacker, affront.attack, affront.ploy)
    debate, defense = yield from _with_emergency_dice(rules, debate, affront.target, affront.defense, "the answer")
    return debate, replace(affront, attack=attack, defense=defense)


def _with_emergency_dice(rules: Ruleset, debate: Debate, name: str, side: Side, what: str) -> Play[tuple[Debate, Side]]:
    speaker = debate.speaker(name)
    if speaker.emergency_dice < 1 or (side.pool.dice <= 0 and rules.word("unskilled-emergency-dice") == "none"):
        return debate, side
    about = Question(debate, name, rules)
    spent = yield from dice_asked(name, what, speaker.emergency_dice, most_emergency_dice(rules), about)
    if not spent:
        return debate, side
    yield Tell(Happened(name, f"spends {count(spent, 'Emergency Die', 'Emergency Dice')} on {what}"))
    left = replace(speaker, emergency_dice=speaker.emergency_dice - spent)
    return debate.put(left), replace(side, pool=side.pool.with_emergency(spent))


# --- luck and Genre Points ----------------------------------------------------------------------------------------------------


class Society(Company[Debate]):
    """The people of a debate as holders of luck and Genre Points."""

    def all_fates(self) -> tuple[Fate, ...]:
        return tuple([_fate(speaker) for speaker in self.state.speakers])

    def with_points(self, state: Debate, points: Mapping[str, int]) -> Debate:
        changed = [s for s in state.speakers if points.get(s.name, s.genre_points) != s.genre_points]
        return state.put(*[replace(s, genre_points=points[s.name]) for s in changed]) if changed else state

    def with_fortune(self, state: Debate, name: str, fortune: Fortune) -> Debate:
        return state.put(replace(state.speaker(name), fortune=fortune))

    def about(self, name: str) -> Question:
        return Question(self.state, name, self.rules)


def _fate(s: Speaker) -> Fate:
    return Fate(s.name, s.side, s.able, s.genre_points, s.genre, s.genre_start, s.villain, False, s.fortune)


# --- the scene ----------------------------------------------------------------------------------------------------------------


class DebateScene(Scene[Debate]):
    """A debate: initiative is a step, and so is every attempt."""

    state_type = Debate
    kind = DEBATE_SCENE
    seconds_a_round = SECONDS

    def step(self, state: Debate) -> Play[Debate]:
        return watched(Society(self.rules, state), self._step) if state.swayed else self._step(state)

    def _step(self, state: Debate) -> Play[Debate]:
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
        result: dict[str, tuple[str, ...]] = {}
        for speaker in state.speakers:
            result[speaker.side] = (*result.get(speaker.side, ()), speaker.name)
        return result

    def out(self, state: Debate) -> frozenset[str]:
        return frozenset(speaker.name for speaker in state.speakers if not speaker.able)

    def join(self, state: Debate, newcomer: Any, side: str) -> Debate:
        if any(speaker.name == newcomer.name for speaker in state.speakers):
            raise UserError(f"there is already a {newcomer.name} here: choose another name")
        genre = next((speaker.genre for speaker in state.speakers if speaker.genre), ())
        placed = Placed.coming(newcomer, side)
        speaker = speaker_of(self.rules, placed, genre, len([s for s in state.speakers if s.genre_start and not s.villain]))
        return replace(state, speakers=(*state.speakers, speaker), swayed=state.swayed or speaker.fortune != ORDINARY)

    carries = FACE

    def lasting(self, state: Debate, who: str) -> Mapping[str, Lasts]:
        speaker = state.speaker(who)
        return face_after(speaker.standing, speaker.emergency_dice, speaker.genre_points, speaker.fortune)

    def lens(self, state: Debate, question: str) -> Debate:
        """Drops the round number and the depth of an exile's shame, which do not affect the winner."""
        if question == "all":
            return state
        waiting = {name for group in state.queue for name in group}
        waiting |= {saying.name for saying in state.sayings}
        busy = bool(state.queue or state.sayings)
        speakers = [_levelled(s) if not s.able and not state.moment else s if busy else _reset_round(s) for s in state.speakers]
        speakers = [s if s.name in waiting or not s.confused else replace(s, confused=False) for s in speakers]
        return replace(state, speakers=tuple(speakers), round=min(state.round, 1))

    def view(self, state: Debate, who: str | None) -> SceneView:
        mine = next((speaker.side for speaker in state.speakers if speaker.name == who), None)
        cards = tuple([_card(speaker, who is None or speaker.side == mine) for speaker in state.speakers])
        turns = tuple([Turn(name, str(at)) for at, group in enumerate(state.queue, 1) for name in group])
        headline = f"Round {state.round}" if state.round else "Before the first round"
        return SceneView("Debate", headline, cards, Timeline(turns, name="Speaking order"))


def _levelled(speaker: Speaker) -> Speaker:
    standing = replace(speaker.standing, embarrassments=0, hurts=0)
    return replace(_reset_round(speaker), standing=standing, refocused=False, emergency_dice=0)


def _reset_round(speaker: Speaker) -> Speaker:
    """Returns a speaker without what a new round resets."""
    worn = speaker.confused or speaker.retorted or speaker.pressed_by or speaker.many
    return replace(speaker, confused=False, retorted=False, pressed_by=(), many=0) if worn else speaker


def _card(speaker: Speaker, friend: bool) -> Card:
    standing = speaker.standing
    marks = ("h",) * (2 * standing.hurts) + ("e",) * standing.embarrassments
    pieces: list[AnyPiece] = [Track(standing.reputation, marks, name="Reputation", rule="sil-3.3.5-social-game")]
    if standing.penalty:
        pieces.append(Tag(str(standing.penalty), True, name="lost face", rule="sil-3.3.5-social-game"))
    if friend and speaker.genre_points:
        pieces.append(Points(speaker.genre_points, speaker.genre_points, name="Genre Points"))
    pieces.extend([Tag(name=name) for name, holds in (("exiled", standing.exiled), ("confused", speaker.confused)) if holds])
    return Card(speaker.name, speaker.side, tuple(pieces), not speaker.able)
