"""The fight as a scene: start, steps, end, views and relevance for questions."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from rulewright.build.sheet_parts import AnyPiece, Card, Place, Pool, SceneView, Tag, Timeline, Track, Turn
from rulewright.errors import UserError
from rulewright.field import ground as field_ground
from rulewright.field.field import Spot
from rulewright.field.map_strokes import GroundEffect, GroundWords
from rulewright.field.placement import Standing
from rulewright.field.places import free
from rulewright.grammar import count
from rulewright.play import Choice, Play, Verdict
from rulewright.play.odds import Odds
from rulewright.rules import Ruleset
from rulewright.scenes.hidden_state import Draw, Imagine, out_of_sight, unseen_by
from rulewright.scenes.scenarios import Lasts, Placed, Scenario
from rulewright.scenes.scene import Followed, Leaving, Result, Solve, state_limits
from rulewright.scenes.skirmish import Parting, lined_up
from rulewright.systems.ore.combat.cover import cover_words, hardness, hidden_heights, materials
from rulewright.systems.ore.combat.fighters import EDITION, Fight, Fighter, Ground, Group
from rulewright.systems.ore.combat.hazards import MOST_AREA
from rulewright.systems.ore.combat.mooks import mook_dice
from rulewright.systems.ore.combat.profiles import carried_by, enter, gather
from rulewright.systems.ore.fight.actions.base import named
from rulewright.systems.ore.fight.actions.registry import action_of, rolled
from rulewright.systems.ore.fight.actions.tasks import SURRENDERED
from rulewright.systems.ore.fight.aftermath import CARRIES, aftermath
from rulewright.systems.ore.fight.entry_state import started
from rulewright.systems.ore.fight.forecast.forecast import foretold
from rulewright.systems.ore.fight.ground_effects import ground_effects
from rulewright.systems.ore.fight.map_positions import area_words
from rulewright.systems.ore.fight.resolution.gunfire import loaded
from rulewright.systems.ore.fight.rounds import next_step
from rulewright.systems.ore.fight.tactics import TACTICS
from rulewright.systems.ore.harm.body import AnyBody, Located, Vital, hindered
from rulewright.systems.ore.harm.over_time import SECONDS_A_ROUND
from rulewright.systems.ore.people.mook_file import Mook
from rulewright.systems.ore.powers.repertoire import rule_for

__all__ = ["TACTICS", "FightScene", "begin"]


def ground_words(rules: Ruleset) -> GroundWords:
    """The words for terrain on maps of this game."""
    return GroundWords(tuple(area_words()), tuple(cover_words(rules)))


def begin(rules: Ruleset, scenario: Scenario, members: Iterable[Placed]) -> Fight:
    """The fight at the start of a scenario; mooks of one file and side are a group."""
    ground = scenario.ground(Ground)
    if not 0 <= ground.metres <= 10_000 or not 0 <= ground.room_for_mooks <= 200:
        raise UserError("place: metres must be from 0 to 10,000 and room_for_mooks from 0 to 200")
    if not 0 <= ground.area <= MOST_AREA:
        raise UserError(f"place: area must be from 0 to {MOST_AREA}")
    if ground.cover:
        hidden_heights(rules, ground.cover)  # refuses cover that there is not
    if ground.cover_material:
        hardness(rules, ground.cover_material)
    if not 1 <= ground.escape <= 10_000:
        raise UserError("place: escape must be from 1 to 10,000 metres")
    if not 0 <= ground.cover_metres <= 50:
        raise UserError("place: cover_metres must be from 0 to 50")
    area = scenario.map_understood(ground_words(rules))
    fighters: list[Fighter] = []
    mooks: dict[tuple[str, Mook, Spot | None], list[str]] = {}
    places = {side: 0 if place == 0 else ground.metres for place, side in enumerate(scenario.sides)}
    for member, spot in lined_up(members, scenario.sides):
        at = None if area.bare else (float(spot[0]), float(spot[1]))
        if isinstance(member.character, Mook):
            if member.state:
                raise UserError(f"{member.name}: mooks have no state of their own; edit their file instead")
            mooks.setdefault((member.side, member.character, at if member.at else None), []).append(member.name)
        else:
            fighter = replace(enter(rules, member.character, member.name, member.side, places[member.side]), at=at)
            fighters.append(started(fighter, member))
    groups = [
        replace(gather(mook, tuple(names), side, ground.room_for_mooks, metres=places[side], weapon=carried_by(rules, mook)), at=at)
        for (side, mook, at), names in mooks.items()
    ]
    groups = _apart(groups, {fighter.name for fighter in fighters})
    if not fighters:
        raise UserError("a fight needs at least one character: mooks alone have nobody to attack")
    fight = Fight(ground, tuple(fighters), tuple(groups), rounds=scenario.rounds, ends=scenario.ends, map=area, edition=EDITION)
    return checked(fight if fight.bare else _on_its_ground(fight))


def _on_its_ground(fight: Fight) -> Fight:
    """A fight on a map: places for mooks, and checks of all places."""
    for group in [candidate for candidate in fight.groups if candidate.at is None]:
        mates = [fighter.at for fighter in fight.fighters if fighter.side == group.side and fighter.at is not None]
        fight = fight.put_group(replace(group, at=free(fight.field, mates[0] if mates else (0.0, 0.0))))
    for fighter in fight.fighters:
        _refuse_place(fight, fighter)
    for group in fight.groups:
        _refuse_place(fight, group)
    return fight


def _refuse_place(fight: Fight, fighter: Fighter | Group) -> None:
    if fighter.at is not None:
        try:
            fight.field.refuse_standing(fighter.at)
        except UserError as error:
            raise UserError(f"{fighter.name}: at: {error}") from None


def _apart(groups: list[Group], taken: set[str]) -> list[Group]:
    """Groups with unique names."""
    result = []
    for group in groups:
        name, number = group.name, 1
        while name in taken:
            number += 1
            name = f"{group.name}, group {number}"
        taken.add(name)
        result.append(replace(group, mob=replace(group.mob, name=name)))
    return result


def checked(fight: Fight) -> Fight:
    """Checks that a fight is consistent."""
    for fighter in fight.fighters:
        places = range(len(fighter.profile.weapons))
        for place in (fighter.in_hand, fighter.off_hand, *fighter.lost, *fighter.taken, *[place for place, _ in fighter.spent]):
            if place not in places:
                raise UserError(f"{fighter.name}: there is no weapon {place}; weapons are numbered from 0 to {len(places) - 1}")
        for other in filter(None, (fighter.held_by, fighter.close_to, fighter.against)):
            fight.side_of(other)
    for group in fight.groups:
        if len(group.members) < max(1, group.mob.number):
            raise UserError(f"{group.name}: each of the {count(group.mob.number, 'mook')} needs a name")
    for name in (*fight.order, *[plan.who for plan in fight.plans], *[pending.who for pending in fight.pending]):
        fight.side_of(name)
    for lies in fight.floor:
        if not 0 <= lies.place < len(fight.fighter(lies.owner).profile.weapons):
            raise UserError(f"{lies.owner}: there is no weapon {lies.place} to lie on the floor")
    for who, act in [(plan.who, act) for plan in fight.plans for act in plan.acts] + [(set_.who, set_.act) for set_ in fight.pending]:
        action_of(act)
        if (
            fight.group(who) is None
            and act.kind != "pick up"
            and not all(0 <= at < len(fight.fighter(who).profile.weapons) for at in (act.weapon, act.off_hand))
        ):
            raise UserError(f"{who}: an act refers to a weapon by its number, from 0 to {len(fight.fighter(who).profile.weapons) - 1}")
    for work in fight.powers:
        fight.side_of(work.by), fight.side_of(work.on)
        if work.effect != "Analgesic Touch":  # which is a Secret Feat
            fight.fighter(work.by).profile.power(work.effect)
    if fight.phase == "declare" and not fight.order:
        raise UserError("nobody is left to declare; the phase must be roll, not declare")
    if not {cast.who for cast in fight.casts} <= {plan.who for plan in fight.plans if plan.acts}:
        raise UserError("everyone who rolls must have declared an action: casts and plans must name the same people")
    return fight


def _place_for(fight: Fight, side: str) -> int:
    """The place of a newcomer: beside the own side, or where a new side starts."""
    own = [fighter.metres for fighter in fight.fighters if fighter.side == side] + [
        group.metres for group in fight.groups if group.side == side
    ]
    return own[0] if own else fight.ground.metres


class FightScene(Parting[Fight]):
    """Fights: every declaration, the roll, and every Speed with results is a step."""

    state_type = Fight
    described = Ground
    overlaps = declares = True
    followed = 40

    def weighs(self, state: Fight, choice: Choice[Any]) -> bool:
        """Whether chances are computed: only for actions, not for questions before a round."""
        return state.phase != "begin" or choice.topic == "act"

    def threatened(self, state: Fight, who: str) -> bool:
        """Whether a set may still hit somebody this round."""
        if state.phase != "resolve":
            return state.phase != "begin"
        return any(not candidate.counters and candidate.act.target in (who, "") for candidate in state.pending)

    def under_way(self, state: Fight, who: str) -> bool:
        """Whether a fighter still has to roll, or has a waiting set."""
        if state.phase in ("declare", "roll"):
            return any(plan.who == who and rolled(plan) for plan in state.plans)
        return any(candidate.who == who and not candidate.counters for candidate in state.pending)

    def foretold(self, state: Fight, question: Followed, so_far: Verdict | None, solve: Solve) -> Odds[Any] | None:
        return foretold(self, state, question, so_far, solve)

    def step(self, state: Fight) -> Play[Fight]:
        leaving = self.resolve(state) if state.phase == "begin" else None
        return leaving if leaving is not None else next_step(self.rules, state)

    def able(self, state: Fight, fighter: Fighter) -> bool:
        return fighter.able

    def departed(self, state: Fight, fighter: Fighter, how: Leaving) -> Fight:
        return state.change(fighter.name, fled=True)

    def distance(self, state: Fight, fighter: Fighter, other: Fighter) -> float:
        return state.distance(fighter.name, other.name)

    def result(self, state: Fight) -> Result | None:
        standing = set()
        for fighter in state.fighters:
            if fighter.profile.side not in standing and fighter.able:
                standing.add(fighter.profile.side)
        people = bool(standing)
        for group in state.groups:
            if group.able:
                standing.add(group.side)
        if not standing:
            return Result(None, "nobody can still act")
        if len(standing) == 1:
            winner = next(iter(standing))
            return Result(winner, f"only {winner} can still act")
        if not people:
            return Result(None, "only mooks are left")
        if state.round >= state.rounds and state.phase == "begin":
            return Result(None, f"{count(state.rounds, 'round')} {'has' if state.rounds == 1 else 'have'} passed")
        return None

    def sides(self, state: Fight) -> Mapping[str, tuple[str, ...]]:
        result: dict[str, tuple[str, ...]] = {}
        for fighter in state.fighters:
            result[fighter.side] = (*result.get(fighter.side, ()), fighter.name)
        for group in state.groups:
            result[group.side] = (*result.get(group.side, ()), *group.members)
        return result

    def out(self, state: Fight) -> frozenset[str]:
        people = [fighter.name for fighter in state.fighters if not fighter.able]
        return frozenset([*people, *[name for group in state.groups for name in group.members[group.mob.number :]]])

    def round(self, state: Fight) -> int:
        return state.round

    def join(self, state: Fight, newcomer: Any, side: str) -> Fight:
        if any(newcomer.name == name for names in self.sides(state).values() for name in names):
            raise UserError(f"there is already a {newcomer.name} in this fight; give the newcomer another name")
        placed = Placed.coming(newcomer, side)
        if isinstance(newcomer, Mook):
            taken = {fighter.name for fighter in state.fighters} | {group.name for group in state.groups}
            room, weapon = state.ground.room_for_mooks, carried_by(self.rules, newcomer)
            (group,) = _apart([gather(newcomer, (newcomer.name,), side, room, metres=_place_for(state, side), weapon=weapon)], taken)
            group = group if state.bare else replace(group, at=free(state.field))
            return replace(state, groups=(*state.groups, group))
        fighter = enter(self.rules, placed.character, placed.name, side, _place_for(state, side))
        fighter = started(fighter if state.bare else replace(fighter, at=placed.at or free(state.field)), placed)
        return checked(replace(state, fighters=(*state.fighters, fighter)))

    carries = CARRIES
    seconds_a_round = SECONDS_A_ROUND
    limits = state_limits(metres=(-100_000, 100_000))

    def lasting(self, state: Fight, who: str) -> Mapping[str, Lasts]:
        """Lasting results of a person; mooks have none."""
        return next((aftermath(fighter) for fighter in state.fighters if fighter.name == who), {})

    def checked(self, state: Fight) -> Fight:
        return checked(state)

    takes_maps = True
    looks = tuple([(word, "debris") for word in area_words()])

    def move(self, state: Fight, who: str, x: float, y: float) -> Fight:
        if state.bare:
            return super().move(state, who, x, y)
        group = next((candidate for candidate in state.groups if who in candidate.members), None)
        moved = state.put_group(replace(group, at=(x, y))) if group is not None else state.change(who, at=(x, y))
        _refuse_place(moved, moved.one(group.name if group is not None else who))
        return moved

    def ground(self, state: Fight) -> tuple[field_ground.Ground, field_ground.Changes] | None:
        """The map, if there is one."""
        return None if state.bare else (state.map, state.changes)

    def standing(self, state: Fight) -> Mapping[str, Standing]:
        """Everybody with a place on the map; mooks of a group stand side by side."""
        standing_by_name = {fighter.name: Standing(*fighter.at, fighter.side) for fighter in state.fighters if fighter.at is not None}
        for group in state.groups:
            if group.at is not None:
                x, y = group.at
                standing_by_name[group.name] = Standing(x, y, group.side)
                standing_by_name |= {name: Standing(round(x + ABREAST * row, 2), y, group.side) for row, name in enumerate(group.members)}
        return standing_by_name

    def sees(self, state: Fight, who: str, other: str) -> bool:
        """Visibility by terrain; mooks see from the place of their group."""
        return state.sees(_speaker(state, who), _speaker(state, other))

    def ground_words(self) -> GroundWords:
        return ground_words(self.rules)

    def ground_effects(self) -> dict[str, GroundEffect]:
        return ground_effects(self.rules)

    def place_words(self) -> Mapping[str, tuple[str, ...]]:
        return {"cover": tuple(cover_words(self.rules)), "cover_material": materials(self.rules)}

    def imagining(self, state: Fight, side: str) -> "Imagine[Fight] | None":
        """Hidden information: only the places of unseen people; a group stands together."""
        unseen = unseen_by(self, state, side)
        movers = [name for name in unseen if _first(state, _speaker(state, name)) == name]
        return partial(self._hidden_anew, state, side, movers) if movers else None

    def _hidden_anew(self, state: Fight, side: str, unseen: list[str], draw: Draw) -> Fight:
        for name in unseen:
            state = out_of_sight(self, state, side, name, draw)
        return _undeclared(state, frozenset([name for name in unseen if state.group(_speaker(state, name)) is None]))

    def view(self, state: Fight, who: str | None) -> SceneView:
        if state.bare:
            return self._shown(state, None)
        mine = next((side for side, names in self.sides(state).items() if who in names), "")
        return replace(self._shown(state, self.in_sight(state, mine) if who is not None else None), field=self.field_shown(state, who))

    def _shown(self, state: Fight, seen: frozenset[str] | None) -> SceneView:
        """The part of the fight that a side sees."""
        declared = dict.fromkeys(plan.who for plan in state.plans)
        if state.phase == "resolve":
            waiting = sorted(state.pending, key=lambda item: item.speed, reverse=True)
            turns = [Turn(candidate.who, f"{candidate.width}x{candidate.height} {named(candidate.act)}") for candidate in waiting]
        else:
            turns = [Turn(name, "has declared", done=True) for name in declared] + [Turn(name, "to declare") for name in state.order]
        turns = [replace(turn, now=True) if place == 0 and not turn.done else turn for place, turn in enumerate(turns)]
        cards = [_card(self.rules, state, fighter) for fighter in state.fighters] + [
            card for group in state.groups for card in _mook_cards(group)
        ]
        people = {name for names in self.sides(state).values() for name in names}
        places = [Place(spot.x, spot.y, name=name) for name, spot in self.standing(state).items() if name in people]
        if seen is not None:
            cards, places = [card for card in cards if card.name in seen], [place for place in places if place.name in seen]
            turns = [turn for turn in turns if _first(state, turn.who) in seen]
        phase = {"begin": "", "declare": ": declarations", "roll": ": rolls", "resolve": ": results, fastest first"}[state.phase]
        headline = f"Round {state.round}{phase}" if state.round else "Before the first round"
        return SceneView("Fight", headline, tuple(cards), Timeline(tuple(turns), name="Order"), tuple(places))


def _undeclared(state: Fight, unseen: frozenset[str]) -> Fight:
    """Unseen people count as undeclared and unrolled, except the acting one."""
    now = max(state.pending, key=lambda item: item.speed, default=None)
    acting = {now.who} if now is not None else set(state.order[:1])
    hidden = unseen - acting
    plans = tuple([plan for plan in state.plans if plan.who not in hidden])
    order = (*[name for name in state.order if name not in hidden], *[f.name for f in state.fighters if f.name in hidden and f.able])
    return replace(
        state,
        plans=plans,
        order=order if state.phase == "declare" else state.order,
        casts=tuple([cast for cast in state.casts if cast.who not in hidden]),
        pending=tuple([candidate for candidate in state.pending if candidate.who not in hidden]),
    )


ABREAST = 0.7
"""Metres between mooks side by side."""


def _speaker(state: Fight, name: str) -> str:
    """The group of a mook, else the person."""
    return next((group.name for group in state.groups if name in group.members), name)


def _first(state: Fight, name: str) -> str:
    """The first mook of a group, else the person."""
    group = state.group(name)
    return group.members[0] if group is not None else name


# --- what can be seen ---------------------------------------------------------------------------------------------------------


def _card(rules: Ruleset, fight: Fight, fighter: Fighter) -> Card:
    """The card of a fighter. Declarations, rolls and wounds are public in this game."""
    second = fighter.profile.weapons[fighter.off_hand].name if fighter.off_hand else ""
    pieces: list[AnyPiece] = [*_tracks(fighter.body), Tag(name=fighter.weapon.name + (f" and {second}" if second else ""))]
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
        pieces.append(Tag(", ".join([text for text, holds in lost if holds]), hurt=True, name="hurt"))
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
        ("fled", fighter.fled and (SURRENDERED, "") not in fighter.marks),
        (SURRENDERED, (SURRENDERED, "") in fighter.marks),
        ("mounted", fighter.mounted),
        (f"tripped -{fighter.tripped}d", fighter.tripped > 0),
        (f"held by {fighter.held_by}", bool(fighter.held_by)),
        (f"close in on {fighter.close_to}", bool(fighter.close_to)),
        (_whereabouts(fight, fighter), fighter.at is None and (bool(fight.ground.metres) or fighter.metres != 0)),
    ]
    pieces.extend([Tag(name=name) for name, holds in states if holds])
    if fight.powers or fighter.profile.powers:
        pieces.extend(_powers(rules, fight, fighter))
    return Card(fighter.name, fighter.side, tuple(pieces), not fighter.able)


def _powers(rules: Ruleset, fight: Fight, fighter: Fighter) -> list[AnyPiece]:
    """Effects of powers, sustained powers and limits."""
    steppers: list[AnyPiece] = []
    for power in fight.powers:
        if power.on == fighter.name:
            words = [
                f"by {power.by}" if power.by != power.on else "",
                f"{power.dice:+d}d" if power.dice else "",
                power.word.replace(":", ": "),
            ]
            words.append(count(power.rounds, "round") if power.rounds > 0 else "")
            steppers.append(
                Tag(", ".join(filter(None, words)), power.by != power.on, name=power.effect, rule=rule_for(rules, power.effect))
            )
        elif power.by == fighter.name and power.kept:
            steppers.append(Tag(f"on {power.on}, -{power.kept}d", name=f"sustains {power.effect}", rule=rule_for(rules, power.effect)))
    for power_set, most in {known.set: known.energy for known in fighter.profile.powers if known.energy}.items():
        steppers.append(Pool(most - fighter.reserve.spent(power_set), most, name="Energy Points", rule="ore-5.02-limit-rating"))
    if fighter.reserve.light:
        steppers.append(Tag(count(fighter.reserve.light, "round"), name="light gathered"))
    return steppers


def _whereabouts(fight: Fight, fighter: Fighter) -> str:
    """The position on the line and the distance to the nearest enemy."""
    foe = fight.nearest_foe(fighter.name)
    return f"at {fighter.metres} m" + (f", {fight.distance(fighter.name, foe)} m from {foe}" if foe else "")


def _tracks(body: AnyBody) -> list[AnyPiece]:
    """The boxes of a body by damage system."""
    if isinstance(body, Located):
        return [_track(part.location.capitalize(), part.boxes, part.kill, part.shock, "ore-4.07-health-boxes") for part in body.parts]
    if isinstance(body, Vital):
        rule = "ore-4.07-opt06-vital"
        return [
            _track("Kill Boxes", body.kill_boxes, body.kill_lost, 0, rule),
            _track("Vital Boxes", body.vital_boxes, body.vital_lost, 0, rule),
            _track("Shock Boxes", body.vital_boxes, 0, body.shock_lost, rule),
        ]
    rule = "ore-4.07-opt07-boxes"
    boxes = [_track("Down Boxes", 3, body.down_boxes, 0, rule), _track("Out Boxes", 3, body.out_boxes, 0, rule)]
    return [*boxes, Tag(body.record(), bool(body.injuries), name="injuries", rule="ore-4.07-opt07-recording")]


def _track(name: str, boxes: int, kill: int, shock: int, rule: str) -> Track:
    return Track(boxes, ("x",) * kill + ("/",) * shock, name=name, rule=rule)


def _mook_cards(group: Group) -> list[Card]:
    """A card for every mook with remaining Threat Rating, strongest first, and the dice of the group."""
    mob = group.mob
    dice = f"{mook_dice(mob)} dice of {sum(mob.ratings)}"
    cards = []
    for place, name in enumerate(group.members):
        left = mob.ratings[place] if place < mob.number else 0
        pieces = (Pool(left, mob.threat, name="Threat Rating", rule="ore-4.19-mooks"), Tag(dice, name=group.name, rule="ore-4.19-mooks"))
        cards.append(Card(name, group.side, pieces, not left))
    return cards
