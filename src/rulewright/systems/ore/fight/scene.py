"""A fight as a scene: how it begins, steps, ends, what each person may see of it, and what matters to a question."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright.build.pieces import AnyPiece, Card, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.errors import Wrong
from rulewright.files import set_at
from rulewright.play import Play
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Lasts, Placed, Scenario, by_place
from rulewright.scenes.scene import Focus, Result, Scene
from rulewright.systems.ore.combat.cover import hardness, hidden_heights
from rulewright.systems.ore.combat.fighters import Fight, Fighter, Ground, Group, enter, gather
from rulewright.systems.ore.combat.hazards import MOST_AREA
from rulewright.systems.ore.combat.mooks import mook_dice
from rulewright.systems.ore.drama.determination import Determined, Timed
from rulewright.systems.ore.fight.aftermath import CARRIES, aftermath
from rulewright.systems.ore.fight.gunfire import loaded
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.harm.body import Abstract, AnyBody, Injury, Located, Vital, hindered
from rulewright.systems.ore.harm.locations import anatomy
from rulewright.systems.ore.lab_view.focus import focus
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.resolution.contests import spoiled_at

__all__ = ["TACTICS", "FightScene", "begin"]


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """The fight in which a scenario begins; mooks of one file on one side are one group."""
    ground = scenario.ground(Ground)
    if not 0 <= ground.metres <= 10_000 or not 0 <= ground.room_for_mooks <= 200:
        raise Wrong("place: metres go from 0 to 10000, room_for_mooks from 0 to 200")
    if not 0 <= ground.area <= MOST_AREA:
        raise Wrong(f"place: area goes from 0 to {MOST_AREA}")
    if ground.cover:
        hidden_heights(rules, ground.cover)  # refuses cover that there is not
    if ground.cover_material:
        hardness(rules, ground.cover_material)
    if not 0 <= ground.cover_metres <= 50:
        raise Wrong("place: cover_metres go from 0 to 50")
    fighters: list[Fighter] = []
    mooks: dict[tuple[str, Mook], list[str]] = {}
    first_side = next(iter(scenario.sides))
    for member in members:
        if isinstance(member.character, Mook):
            if member.state:
                raise Wrong(f"{member.name}: mooks have no state of their own; what they wear and carry stands in their file")
            mooks.setdefault((member.side, member.character), []).append(member.name)
        else:
            metres = 0 if member.side == first_side else ground.metres
            fighters.append(_started(enter(rules, member.character, member.name, member.side, metres), member))
    groups = [gather(mook, tuple(names), side, ground.room_for_mooks) for (side, mook), names in mooks.items()]
    groups = _apart(groups, {fighter.name for fighter in fighters})
    if not fighters:
        raise Wrong("a fight needs somebody with a name: mooks alone have nobody to attack")
    return checked(Fight(ground, tuple(fighters), tuple(groups), rounds=scenario.rounds))


def _apart(groups: list[Group], taken: set[str]) -> list[Group]:
    """Groups of which none is called like another, or like somebody."""
    found = []
    for group in groups:
        name, number = group.name, 1
        while name in taken:
            number += 1
            name = f"{group.name}, group {number}"
        taken.add(name)
        found.append(replace(group, mob=replace(group.mob, name=name)))
    return found


def _started(fighter: Fighter, member: Placed) -> Fighter:
    """A fighter with what the scenario says is different; `weapon` names what is in hand, other fields reach into fighter and body."""
    if not member.state:
        return fighter
    data = msgspec.to_builtins(fighter)
    names = [weapon.name for weapon in fighter.profile.weapons]
    lists = {"spent": names, "parts": [part.location for part in getattr(fighter.body, "parts", ())]}
    for written, value in member.state.items():
        field = by_place(written, lists)
        first, _, rest = field.partition(".")
        if field == "weapon":
            if value not in names:
                raise Wrong(f"{member.name}: weapon {value!r} is not carried; there are {', '.join(names)}")
            data = set_at(data, "in_hand", names.index(value))
        elif first == "spent" and rest:
            data["spent"] = [*[one for one in data["spent"] if one[0] != int(rest)], [int(rest), value]]
        elif field == "cover" and isinstance(value, str):
            data = set_at(data, "cover.name", value)
        elif first in data and first != "profile":
            data = set_at(data, field, value)
        elif first in type(fighter.body).__struct_fields__:
            data = set_at(data, f"body.{field}", value)
        else:
            known = ("weapon", *Fighter.__struct_fields__[1:], *type(fighter.body).__struct_fields__)
            raise Wrong(f"{member.name}: state has no field {field!r}{nearest(field, known)}")
    return member.started(data, Fighter)


def checked(fight: Fight) -> Fight:
    """A fight that somebody described by hand, if everything in it fits together."""
    for fighter in fight.fighters:
        places = range(len(fighter.profile.weapons))
        for place in (fighter.in_hand, *fighter.lost, *fighter.taken, *[place for place, _ in fighter.spent]):
            if place not in places:
                raise Wrong(f"{fighter.name}: there are {len(places)} things to fight with, counted from 0, and none at {place}")
        for other in filter(None, (fighter.held_by, fighter.close_to, fighter.against)):
            fight.side_of(other)
    for group in fight.groups:
        if len(group.members) < max(1, group.mob.number):
            raise Wrong(f"{group.name}: every one of {group.mob.number} mooks needs a name")
    for name in (*fight.order, *[plan.who for plan in fight.plans], *[pending.who for pending in fight.pending]):
        fight.side_of(name)
    for who, act in [(plan.who, act) for plan in fight.plans for act in plan.acts] + [(set_.who, set_.act) for set_ in fight.pending]:
        if fight.group(who) is None and not all(0 <= at < len(fight.fighter(who).profile.weapons) for at in (act.weapon, act.off_hand)):
            raise Wrong(f"{who}: an act names a weapon by its place, from 0 to {len(fight.fighter(who).profile.weapons) - 1}")
    if fight.phase == "declare" and not fight.order:
        raise Wrong("nobody is left to declare: the phase is roll, not declare")
    if not {cast.who for cast in fight.casts} <= {plan.who for plan in fight.plans if plan.acts}:
        raise Wrong("whoever rolls has declared something: casts and plans name the same people")
    return fight


class FightScene(Scene[Fight]):
    """The One Roll Engine's rounds: every declaration is a step, the roll is one, and so is every moment in which sets resolve."""

    state_type = Fight

    def step(self, state: Fight) -> Play[Fight]:
        return next_step(self.rules, state)

    def focus(self, state: Fight) -> Focus[Fight] | None:
        return focus(self.rules, state)

    def result(self, state: Fight) -> Result | None:
        standing = {fighter.profile.side for fighter in state.fighters if fighter.body.able}
        people = bool(standing)
        standing |= {group.side for group in state.groups if group.able}
        if not standing:
            return Result(None, "nobody is left standing")
        if len(standing) == 1:
            winner = next(iter(standing))
            return Result(winner, f"only {winner} can still act")
        if not people:
            return Result(None, "only mooks are left, and nobody to tell of it")
        if state.round >= state.rounds and state.phase == "begin":
            return Result(None, f"{state.rounds} rounds have passed")
        return None

    def sides(self, state: Fight) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for fighter in state.fighters:
            found[fighter.side] = (*found.get(fighter.side, ()), fighter.name)
        for group in state.groups:
            found[group.side] = (*found.get(group.side, ()), *group.members)
        return found

    def out(self, state: Fight) -> frozenset[str]:
        people = [fighter.name for fighter in state.fighters if not fighter.able]
        return frozenset([*people, *[name for group in state.groups for name in group.members[group.mob.number :]]])

    def round(self, state: Fight) -> int:
        return state.round

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        if any(newcomer.name == name for names in self.sides(state).values() for name in names):
            raise Wrong(f"there is a {newcomer.name} in this fight already: give the newcomer another name")
        placed = Placed.coming(newcomer, side)
        if isinstance(newcomer, Mook):
            taken = {fighter.name for fighter in state.fighters} | {group.name for group in state.groups}
            (group,) = _apart([gather(newcomer, (newcomer.name,), side, state.ground.room_for_mooks)], taken)
            return replace(state, groups=(*state.groups, group))
        fighter = _started(enter(self.rules, placed.character, placed.name, side), placed)
        return checked(replace(state, fighters=(*state.fighters, fighter)))

    carries = CARRIES

    def lasting(self, state: Fight, who: str) -> Mapping[str, Lasts]:
        """What a person takes along; mooks of one file are all alike, and fresh ones come next time."""
        return next((aftermath(fighter) for fighter in state.fighters if fighter.name == who), {})

    def checked(self, state: Fight) -> Fight:
        return checked(state)

    def lens(self, state: Fight, question: str) -> Fight:
        """Who wins does not depend on the number of the round, on what was done to somebody who is out of it, on which Injury a Down
        belongs to, nor on Initiative once everybody has declared the same whatever the order."""
        if question == "all":
            return state
        fighters = tuple([_levelled(fighter) if not fighter.able else _blurred(fighter) for fighter in state.fighters])
        return replace(state, fighters=fighters, round=min(state.round, 1))

    def level(self, outcome: Any, question: str) -> Any:
        """Sets that only differ in Heights that strike the same part of the body are one, where nobody can answer them; and a set is
        none that a faster blow is certain to spoil."""
        if question == "all" or not isinstance(outcome, Determined) or not outcome.level:
            return outcome
        sets = tuple([tuple([_placed(self.rules, one, outcome.level) for one in each]) for each in outcome.sets])
        return replace(outcome, sets=_unspoiled(self.rules, sets) if outcome.level.endswith("mutual") else sets)

    def view(self, state: Fight, who: str | None) -> SceneView:
        declared = {plan.who for plan in state.plans}
        if state.phase == "resolve":
            waiting = sorted(state.pending, key=lambda each: each.speed, reverse=True)
            turns = [Turn(each.who, f"{each.width}x{each.height} {each.act.kind}") for each in waiting]
        else:
            turns = [Turn(name, "has declared", done=True) for name in declared] + [Turn(name, "to declare") for name in state.order]
        turns = [replace(turn, now=True) if place == 0 and not turn.done else turn for place, turn in enumerate(turns)]
        cards = [_card(self.rules, fighter) for fighter in state.fighters] + [card for group in state.groups for card in _mook_cards(group)]
        phase = {"begin": "", "declare": ": who does what", "roll": ": everybody rolls", "resolve": ": the fastest first"}[state.phase]
        headline = f"Round {state.round}{phase}" if state.round else "Before the first round"
        return SceneView("Fight", headline, tuple(cards), Timeline(tuple(turns), name="Order"))


# --- what matters -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _representative(rules: Ruleset) -> dict[int, int]:
    return {height: part.heights[0] for part in anatomy(rules) for height in part.heights}


def _placed(rules: Ruleset, one: Timed, level: str) -> Timed:
    height = _representative(rules).get(one.height, one.height) if level.startswith("places") else 1
    return one if height == one.height else Timed(one.width, height, one.speed)


def _unspoiled(rules: Ruleset, sets: tuple[tuple[Timed, ...], ...]) -> tuple[tuple[Timed, ...], ...]:
    """What two who strike at each other have to strike with: any set will do, if the faster blow takes the die that makes it one.

    It stays a set, since whoever rolled none may be Lucky.
    """
    if not all(sets):
        return sets
    fastest = max([each[0].speed for each in sets])
    spoilt = [each[0].speed < fastest and each[0].width - 1 <= spoiled_at(rules) for each in sets]
    return tuple([(each[0]._replace(height=1),) if lost else each for each, lost in zip(sets, spoilt, strict=True)])


def _levelled(fighter: Fighter) -> Fighter:
    """Somebody out of the fight, with everything forgotten that cannot matter any more: whoever is out counts as dead."""
    body = fighter.body
    dead: AnyBody
    if isinstance(body, Located):
        dead = Located(statistic=body.statistic, parts=tuple([replace(part, kill=part.boxes, shock=0) for part in body.parts]))
    elif isinstance(body, Vital):
        dead = Vital(statistic=body.statistic, vital_boxes=body.vital_boxes, vital_lost=body.vital_boxes)
    else:
        dead = Abstract(statistic=body.statistic, down_boxes=3)
    return Fighter(fighter.profile, dead, fighter.worn)


def _blurred(fighter: Fighter) -> Fighter:
    """Somebody in the fight, with all Injuries as one."""
    body = fighter.body
    if not isinstance(body, Abstract) or len(body.injuries) < 2:
        return fighter
    whole = Injury(sum([one.downs for one in body.injuries]), sum([one.outs for one in body.injuries]), body.penalty)
    return replace(fighter, body=replace(body, injuries=(whole,)))


# --- what can be seen ---------------------------------------------------------------------------------------------------------


def _card(rules: Ruleset, fighter: Fighter) -> Card:
    """How somebody fares. In this game everybody declares in the open and rolls in the open, and wounds can be seen."""
    pieces: list[AnyPiece] = [*_tracks(fighter.body), Tag(name=fighter.weapon.name)]
    if fighter.weapon.magazine:
        pieces.append(Pool(loaded(fighter), fighter.weapon.magazine, name="Bullets" if fighter.weapon.gun else "Loaded"))
    if fighter.drama:
        pieces.append(Pool(fighter.drama, fighter.drama, name="Drama Points", rule="ore-4.21-drama-points"))
    if fighter.luck:
        pieces.append(Tag("may roll again", name="lucky", rule="ore-2.31-lucky"))
    if fighter.body.ignores:
        pieces.append(Tag(f"ignores {fighter.body.ignores} more", name="hard to kill", rule="ore-2.27-hard-to-kill"))
    hindrance = hindered(rules, fighter.body)
    if hindrance.dice or hindrance.height:
        lost = ((f"-{hindrance.dice}d", hindrance.dice), (f"Height -{hindrance.height}", hindrance.height))
        pieces.append(Tag(", ".join([text for text, holds in lost if holds]), True, name="hurt"))
    states = [
        ("dead", fighter.body.dead),
        ("unconscious", fighter.body.unconscious),
        ("down", fighter.body.down),
        ("bleeding", any(wound.bleeding for wound in fighter.body.wounds)),
        ("burning", bool(fighter.body.burning)),
        ("downed", fighter.downed),
        (f"aim +{fighter.aim}", fighter.aim > 0),
        (f"feints +{fighter.feints}", fighter.feints > 0),
        (f"afraid -{fighter.afraid}d", fighter.afraid > 0),
        (fighter.stamina.state, fighter.stamina.boxes > 0),
        ("impressive", fighter.impresses),
        (f"behind {fighter.cover.name} cover", fighter.cover.any),
        (f"{fighter.metres} m away", fighter.metres > 0),
    ]
    pieces.extend([Tag(name=name) for name, holds in states if holds])
    return Card(fighter.name, fighter.side, tuple(pieces), not fighter.able)


def _tracks(body: AnyBody) -> list[AnyPiece]:
    """A body's boxes, as its damage system has them."""
    if isinstance(body, Located):
        return [_track(part.location.capitalize(), part.boxes, part.kill, part.shock, "ore-4.07-health-boxes") for part in body.parts]
    if isinstance(body, Vital):
        rule = "ore-4.07-opt06-vital"
        return [
            _track("Kill Boxes", body.statistic, body.kill_lost, 0, rule),
            _track("Vital Boxes", body.vital_boxes, body.vital_lost, 0, rule),
            _track("Shock Boxes", body.vital_boxes, 0, body.shock_lost, rule),
        ]
    rule = "ore-4.07-opt07-boxes"
    boxes = [_track("Down Boxes", 3, body.down_boxes, 0, rule), _track("Out Boxes", 3, body.out_boxes, 0, rule)]
    return [*boxes, Tag(body.record(), bool(body.injuries), name="injuries", rule="ore-4.07-opt07-recording")]


def _track(name: str, boxes: int, kill: int, shock: int, rule: str) -> Track:
    return Track(boxes, ("x",) * kill + ("/",) * shock, name=name, rule=rule)


def _mook_cards(group: Group) -> list[Card]:
    """A card for every mook: what is left of the Threat Rating, the strongest first, and what the whole group rolls."""
    mob = group.mob
    dice = f"{mook_dice(mob)} dice of {sum(mob.ratings)}"
    cards = []
    for place, name in enumerate(group.members):
        left = mob.ratings[place] if place < mob.number else 0
        pieces = (Pool(left, mob.threat, name="Threat Rating", rule="ore-4.19-mooks"), Tag(dice, name=group.name, rule="ore-4.19-mooks"))
        cards.append(Card(name, group.side, pieces, not left))
    return cards
