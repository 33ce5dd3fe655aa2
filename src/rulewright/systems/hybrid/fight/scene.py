"""The fight scene: start, steps from count to count, ending, visibility, and the state that matters to a question."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Place, Pool, SceneView, Tag, Timeline, Turn
from rulewright.errors import UserError
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.grammar import count, the
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw
from rulewright.scenes.scenarios import Lasts, Placed, Scenario
from rulewright.scenes.scene import Result, state_limits
from rulewright.scenes.skirmish import Skirmish, as_described, as_spent, coming, lined_up, one_side_left, refuse_muddle
from rulewright.systems.hybrid.combat.fighters import (
    FULL_LIGHT,
    Fight,
    Fighter,
    Ground,
    checked,
    condition_of,
    enter,
    may_react,
    refuse_strangers,
    speed_of,
)
from rulewright.systems.hybrid.fight.actions.registry import doing_of
from rulewright.systems.hybrid.fight.aftermath import CARRIES, aftermath
from rulewright.systems.hybrid.fight.ground_effects import ground_effects
from rulewright.systems.hybrid.fight.hidden_state import counts_anew
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND
from rulewright.systems.hybrid.fight.tactics import TACTICS
from rulewright.systems.hybrid.fight.timeline import due_at, enter_fight, move_clock, next_count
from rulewright.systems.hybrid.harm.damage import Body
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.people.skills import SKILLS, known
from rulewright.systems.hybrid.resolution.modifiers import ENVIRONMENT, conditions

__all__ = ["TACTICS", "FightScene", "begin"]


def ground_words(rules: Ruleset) -> GroundWords:
    """Returns the words that a map of this game may use for its ground."""
    return GroundWords(tuple(ENVIRONMENT(rules)), (), (FULL_LIGHT, *[row for row in ENVIRONMENT(rules) if row.startswith("visibility")]))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """The fight in which a scenario begins; sides without places stand five metres apart. Its rounds are seconds."""
    ground = scenario.ground(Ground)
    if ground.unwary and ground.unwary not in scenario.sides:
        raise UserError(f"place.unwary: {ground.unwary!r} is no side; the sides are {', '.join(scenario.sides)}")
    for name in ground.surroundings:
        ENVIRONMENT.get(rules, name)
    if ground.filter and not _filters(rules, ground.filter):
        filters = ", ".join(row.skill for row in SKILLS(rules).values() if row.filter)
        raise UserError(f"place.filter: {ground.filter!r} is no filter skill; there are {filters}")
    area = scenario.map_understood(ground_words(rules))
    fighters: list[Fighter] = []
    for member, at in lined_up(members, scenario.sides, 5.0):
        fighters.append(_started(rules, enter(rules, member.character, member.name, member.side, at=at, filter=ground.filter), member))
    fight = Fight(ground, tuple(fighters), seconds=scenario.rounds, ends=scenario.ends, map=area)
    refuse_muddle(fight)
    return refuse_strangers(fight, fighters)


def _filters(rules: Ruleset, skill: str) -> bool:
    row = known(rules, skill)
    return row is not None and row.filter


def _started(rules: Ruleset, fighter: Fighter, member: Placed) -> Fighter:
    """A fighter with what the scenario says is different; short names reach into the body, `weapon` names what is in hand."""
    return checked(rules, as_described(member, fighter, [arm.name for arm in fighter.profile.arms]))


class FightScene(Skirmish[Fight]):
    """Hybrid's timeline: entering is a step; then the clock moves on, and what is due on that count happens."""

    state_type = Fight
    described = Ground
    overlaps = True

    def under_way(self, state: Fight, who: str) -> bool:
        doing = state.fighter(who).doing
        return doing is not None and doing_of(doing).rolled

    def step(self, state: Fight) -> Play[Fight]:
        if any(not fighter.entered for fighter in state.fighters):
            return enter_fight(self.rules, state)
        if (leaving := self.resolve(state)) is not None:
            return leaving
        return move_clock(self.rules, state) if due_at(self.rules, state) > state.count else next_count(self.rules, state)

    def result(self, state: Fight) -> Result | None:
        standing = {fighter.side for fighter in state.fighters if state.able(self.rules, fighter)}
        if len(standing) < 2:
            return one_side_left(standing, "nobody can act any more")
        if state.count >= state.seconds * COUNTS_A_SECOND:
            return Result(None, f"{count(state.seconds, 'second')} {'has' if state.seconds == 1 else 'have'} passed")
        return None

    def able(self, state: Fight, fighter: Fighter) -> bool:
        return state.able(self.rules, fighter)

    def round(self, state: Fight) -> int:
        """The second; a count is a tenth of it."""
        return state.count // COUNTS_A_SECOND

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        placed, at = coming(state, newcomer, side)
        fighter = _started(self.rules, enter(self.rules, placed.character, placed.name, side, at=at, filter=state.ground.filter), placed)
        return refuse_strangers(replace(state, fighters=(*state.fighters, fighter)), (fighter,))

    carries = CARRIES
    seconds_a_round = 1
    limits = state_limits(at=(0, 100_000), shock_ends=(0, 100_000), ward_ends=(0, 100_000), off_balance=(-100, 0))

    def lasting(self, state: Fight, who: str) -> Mapping[str, Lasts]:
        return aftermath(state.fighter(who))

    def checked(self, state: Fight) -> Fight:
        return refuse_strangers(
            replace(state, fighters=tuple([checked(self.rules, fighter) for fighter in state.fighters])), state.fighters
        )

    looks = (
        ("visibility reduced 50%", "swamp"),
        ("visibility reduced 75%", "jungle"),
        ("gravity 50% off", "sand"),
        ("gravity 100% off", "ice"),
    )

    def ground_words(self) -> GroundWords:
        return ground_words(self.rules)

    def ground_effects(self) -> dict[str, GroundEffect]:
        return ground_effects(self.rules)

    def place_words(self) -> Mapping[str, tuple[str, ...]]:
        filters = tuple([row.skill for row in SKILLS(self.rules).values() if row.filter])
        return {"surroundings": tuple(ENVIRONMENT(self.rules)), "filter": filters}

    lurking: Mapping[str, Any] = MappingProxyType({"pace": "no move", "points": 0, "evading": False})

    def guessed(self, state: Fight, side: str, fighter: Fighter, draw: Draw) -> dict[str, Any]:
        """Enemies see how a person is hurt but no figures, and neither speed points nor the mode of what is under way."""
        doing = fighter.doing
        if doing is not None and doing.what == "attack":
            doing = replace(doing, way="", also=(), called="")
        ours = [candidate.body.energy for candidate in state.fighters if candidate.side == side and candidate.body.awake]
        return {"body": _as_it_looks(self.rules, fighter.body, ours, draw), "points": 0, "all_out": "", "doing": doing}

    def reordered(self, state: Fight, unseen: frozenset[str], draw: Draw) -> Fight:
        return counts_anew(self.rules, state, unseen, draw)

    def view(self, state: Fight, who: str | None) -> SceneView:
        mine = next((fighter.side for fighter in state.fighters if fighter.name == who), None)
        friends = {fighter.name for fighter in state.fighters if who is None or fighter.side == mine}
        seen = self.in_view(state, who)
        people = [candidate for candidate in seen if candidate.entered and state.able(self.rules, candidate)]
        people.sort(key=lambda item: (item.at, -speed_of(state, item)))
        turns = tuple(Turn(person.name, _due(person, person.name in friends), now=person.at <= state.count) for person in people)
        cards = tuple(_card(self.rules, state, candidate, candidate.name in friends) for candidate in seen)
        places = tuple(Place(candidate.x, candidate.y, name=candidate.name) for candidate in seen)
        around = "".join(f", {name}" for name in state.ground.surroundings)
        headline = f"Count {state.count}" if any(fighter.entered for fighter in state.fighters) else "Before the first count"
        timeline = Timeline(turns, name="Counts", rule="hyb-8-combat-sequence")
        return SceneView("Fight", headline + around, cards, timeline, places, field=self.field_shown(state, who))


def _as_it_looks(rules: Ruleset, body: Body, ours: list[Energy], draw: Draw) -> Body:
    """A body with other figures that looks the same: the same conditions, and as exhausted or not."""
    if not body.awake:
        return body
    looks = conditions(rules, condition_of(body))
    fits = [pbd for pbd in range(1, body.pbd_full + 1) if conditions(rules, condition_of(replace(body, pbd=pbd))) == looks]
    minds = [mbd for mbd in range(1, body.mbd_full + 1) if conditions(rules, condition_of(replace(body, mbd=mbd))) == looks]
    return replace(
        body,
        pbd=fits[int(draw() * len(fits))] if fits else body.pbd,
        mbd=minds[int(draw() * len(minds))] if minds else body.mbd,
        energy=_as_spent(body.energy, ours, draw),
        mind=_drawn(body.mind, draw),
    )


def _as_spent(energy: Energy, ours: list[Energy], draw: Draw) -> Energy:
    """A enemy's fatigue and reserve, spent as far as those of their enemies; the reserve is empty only where that is to be seen."""
    fatigue = as_spent(energy.most_fatigue, [(candidate.fatigue, candidate.most_fatigue) for candidate in ours], draw)
    reserve = as_spent(energy.most_exhaustion, [(candidate.exhaustion, candidate.most_exhaustion) for candidate in ours], draw)
    return replace(energy, fatigue=fatigue, exhaustion=energy.exhaustion if energy.exhausted else max(1, reserve), worn=0)


def _drawn(energy: Energy, draw: Draw) -> Energy:
    """A pool of which a person has spent an unknown part, at most half; its reserve only where it is empty to see."""
    fatigue = energy.most_fatigue - int(draw() * (energy.most_fatigue // 2 + 1))
    spent = energy.most_exhaustion - int(draw() * (energy.most_exhaustion // 4 + 1))
    return replace(energy, fatigue=fatigue, exhaustion=energy.exhaustion if energy.exhausted else spent, worn=0)


def _due(fighter: Fighter, friend: bool) -> str:
    """A place on the timeline: the count, and what will take effect on it. Enemies do not see who only waits, nor until when."""
    doing = fighter.doing
    if doing is None:
        return f"{fighter.at}: decides"
    if doing.what == "wait":
        for_what = "for a weapon to be drawn" if doing.called == "draw" else "to be attacked"
        return f"{fighter.at}: waits {for_what}" if friend else "decides"
    if doing.what == "attack":
        how = " ".join(part for part in (*doing.ways, doing.called) if part) if friend else ""
        used = fighter.profile.arms[doing.arm].name
        says = f"throws {the(used)} at {doing.target}" if doing.hurled else f"attacks {doing.target} with {the(used)}"
        return f"{fighter.at}: {says}{f' ({how})' if how else ''}"
    if doing.what == "cast":
        return f"{fighter.at}: casts {fighter.profile.arms[doing.arm].name} on {doing.target}"
    return f"{fighter.at}: {doing.says()}"


def _card(rules: Ruleset, fight: Fight, fighter: Fighter, friend: bool) -> Card:
    """The state of a person, as far as the viewer may know it: friends see figures, enemies what can be seen."""
    body = fighter.body
    pieces: list[AnyPiece] = []
    if friend:
        pieces += [
            Pool(body.pbd, body.pbd_full, name="PBD", rule="hyb-8-damage-application"),
            Pool(body.energy.fatigue, body.energy.most_fatigue, name="PFT", rule="hyb-5-fatigue-exhaustion"),
            Pool(body.energy.exhaustion, body.energy.most_exhaustion, name="PEX", rule="hyb-5-fatigue-exhaustion"),
            Pool(body.mbd, body.mbd_full, name="MBD", rule="hyb-8-damage-application"),
            Pool(body.mind.fatigue, body.mind.most_fatigue, name="MFT", rule="hyb-5-fatigue-exhaustion"),
        ]
    pieces += [Tag(name=name, hurt=True, rule="hyb-2-condition-modifiers") for name in conditions(rules, condition_of(body))]
    pieces.append(Tag(name=fighter.arm.name))
    states = [
        ("dead", body.dead),
        (body.shock, bool(body.shock) and not body.dead),
        ("bleeding", bool(body.bleeding)),
        ("prone", body.prone),
        (f"at a {fighter.pace}", fighter.pace != "no move"),
        ("evading", fighter.evading),
        ("all out", bool(fighter.all_out) and friend),
        ("pressing", fighter.advancing),
        ("giving way", fighter.retreating),
        (f"off balance {fighter.off_balance}", fighter.off_balance < 0),
        (f"holds {fighter.holding} ({fighter.hold})", bool(fighter.holding)),
        (f"weapon bound with {fighter.bound_with}", bool(fighter.bound_with)),
        ("waiting", fighter.waiting and friend),
        (f"warded {fighter.ward} until {fighter.ward_ends}", fighter.ward > 0 and fight.count < fighter.ward_ends),
        (f"speed points {fighter.points}", fighter.points > 0 and friend),
        ("unaware", not fighter.aware and fighter.entered and friend),
        ("can react", friend and may_react(rules, fight, fighter)),
    ]
    pieces.extend(Tag(name=name) for name, holds in states if holds)
    return Card(fighter.name, fighter.side, tuple(pieces), not fight.able(rules, fighter))
