"""Batch simulation of rounds: whose turn is next, its outcomes for two people, and the end of the round.

People stand in it by their number, and what a turn between two of them can come to is looked up by the two. All of it follows from
the turns that `focus` shows; a walk only remembers what it has put together before.
"""

from bisect import bisect
from collections.abc import Callable
from math import hypot
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Turn
from rulewright.systems.scumm.combat.fighters import Fight, Fighter, Moment, Surroundings, UnderWay, one_of
from rulewright.systems.scumm.fight.turns import end_turn, moments_of, refreshed, rolled_for_initiative
from rulewright.systems.scumm.harm.body import OPEN_ENDED
from rulewright.systems.scumm.lab_view.turn_excerpt import acted_in, alone, apart, band_of, met_in, shown_acting, shown_standing

MOST_TURNS = 100_000
"""Turns that are remembered; when there are more all are forgotten and put together again where needed."""


class Done(NamedTuple):
    """What a turn made of the two: how they are now, what is left of the turn, and whether others have to be asked now."""

    actor: Fighter
    target: Fighter
    turn: UnderWay | None
    attacked: bool
    fell: bool
    lost: bool
    """Whether one of them has lost what is in hand, which is felt only when the moment is over."""
    stops: bool


def came_to(actor: Fighter, target: Fighter, small: Fight, after: Fight) -> Done:
    """Returns the results of an isolated turn for the two people in the whole fight."""
    (acting, standing), (acted, met) = small.fighters, after.fighters
    foe, name = target.profile.name, actor.profile.name
    fighter = actor if acted is acting else acted_in(actor, acting, acted, foe, standing.profile.name)
    other = target if met is standing else met_in(target, standing, met, name)
    attacked = bool(other.attacked_by)
    fell = other.body is not target.body and not other.body.able
    stops = fighter.ready is not None or (fighter.body is not actor.body and not fighter.body.able) or other.body.unconscious == OPEN_ENDED
    turn = None if after.turn is None else replace(after.turn, name=name)
    return Done(bare(fighter), bare(other), turn, attacked, fell, _lost(fighter) or _lost(other), stops)


UNKNOWN: Any = object()


class Rounds:
    """Plays rounds of fights that nobody disturbs who is not one of two: the walk of a S.C.U.M.M. fight."""

    def __init__(self, rules: Ruleset, luck: Luck, play: Callable[[Fight], Play[Fight]]) -> None:
        self.rules = rules
        self.luck = luck
        self.play = play
        self.turns: dict[tuple[Fighter, Fighter, int, Moment | None, UnderWay | None], Turn[Fight, Done] | None] = {}
        self.initiative: dict[Fighter, tuple[list[float], list[tuple[int, Fighter]]]] = {}

    def __call__(self, fight: Fight, until: int) -> Fight:
        """The fight as far as it goes by turns of two."""
        if not fight.bare or fight.ground.covers or fight.ambush_open or fight.zones:
            return fight
        for fighter in fight.fighters:
            if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.grappling or fighter.body.unconscious == OPEN_ENDED:
                return fight
        return _Walk(self, fight).run(until)

    def turn(
        self, ground: Surroundings, actor: Fighter, target: Fighter, others: int, moment: Moment | None, turn: UnderWay | None
    ) -> Turn[Fight, Done] | None:
        """The turn of one person against another; None where it may be more than shots."""
        band = band_of(actor.profile.weapons[actor.in_hand], hypot(target.x - actor.x, target.y - actor.y))
        result: Turn[Fight, Done] | None = None
        if band and not (actor.fumbled and actor.aim) and (actor.body if moment is None else moment.body).able:
            standing = shown_standing(target, others, band)
            acting = shown_acting(actor, target.profile.name, standing.profile.name)
            small = alone(ground, acting, standing, () if moment is None else apart(actor, acting, moment), turn)
            result = Turn(Sub(self.play, (small,)), came_to, actor, target, small)
        if len(self.turns) >= MOST_TURNS:
            self.turns.clear()
        self.turns[actor, target, others, moment, turn] = result
        return result

    def begins(self, fighter: Fighter) -> tuple[list[float], list[tuple[int, Fighter]]]:
        """A person's initiative: what it can come to, and the person that goes into the round with it."""
        results, sums = self.luck.roll_table(rolled_for_initiative(self.rules, fighter))
        if len(self.initiative) >= MOST_TURNS:
            self.initiative.clear()
        result = self.initiative[fighter] = (
            sums,
            [(candidate.total, bare(refreshed(fighter, candidate.total, candidate.fumble, False))) for candidate in results],
        )
        return result


def _lost(fighter: Fighter) -> bool:
    return fighter.in_hand > 0 and bool(fighter.gone[fighter.in_hand])


@cached(50_000)
def bare(fighter: Fighter) -> Fighter:
    """A person without what a walk keeps apart, so that more of them are the same: who attacked them, and their place in the round."""
    if not fighter.initiative and not fighter.attacked_by:
        return one_of(fighter)
    return one_of(replace(fighter, initiative=0, attacked_by=()))


@cached(50_000)
def moment_of(fighter: Fighter) -> Moment:
    """Returns the state that a person acts with who acts at the same time as others."""
    return moments_of([fighter])[0]


@cached(1_000)
def enemies_of(places: tuple[tuple[str, float, float], ...]) -> tuple[tuple[int, ...], ...]:
    """For each of them all enemies, the nearest first."""
    return tuple(
        [
            tuple(
                sorted(
                    [at for at, other in enumerate(places) if other[0] != side],
                    key=lambda at, x=x, y=y: hypot(places[at][1] - x, places[at][2] - y),  # type: ignore[misc]
                )
            )
            for side, x, y in places
        ]
    )


LAST = 65_535
"""Places in the queue are numbers: the total of the initiative above, and below them the first of the people highest."""


class _Walk:
    """One fight on its way through its rounds."""

    __slots__ = (
        "able",
        "attacked",
        "enemies",
        "fight",
        "lost",
        "over",
        "people",
        "queue",
        "round",
        "rounds",
        "shared",
        "spends",
        "turn",
        "walked",
    )

    def __init__(self, rounds: Rounds, fight: Fight) -> None:
        self.rounds = rounds
        self.fight = fight
        fighters = fight.fighters
        number = {fighter.profile.name: at for at, fighter in enumerate(fighters)}
        self.people = [bare(fighter) for fighter in fighters]
        self.enemies = enemies_of(tuple([(fighter.profile.side, fighter.x, fighter.y) for fighter in fighters]))
        self.able = [fighter.body.able for fighter in fighters]
        self.attacked = [[number[name] for name in fighter.attacked_by] for fighter in fighters]
        last = len(fight.queue)
        self.queue = [((last - rank) << 16) + LAST - number[name] for rank, group in enumerate(fight.queue) for name in group]
        self.queue.sort()
        self.shared = {number[moment.name]: moment for moment in fight.frozen}
        self.turn = fight.turn
        self.round = fight.round
        self.lost = any(_lost(fighter) for fighter in fighters)
        self.spends = any(fighter.body.emergency_dice for fighter in fighters)
        self.over = False
        self.walked = False

    def run(self, until: int) -> Fight:
        """Round after round."""
        until = min(until, self.fight.rounds)
        while self._turns() and self.round < until and not self.over and self._begin():
            pass
        return self._put_back() if self.walked else self.fight

    def _turns(self) -> bool:
        """The turns of a round; whether it came to its end."""
        rounds, people, able, enemies, attacked = self.rounds, self.people, self.able, self.enemies, self.attacked
        known, luck, ground = rounds.turns, rounds.luck, self.fight.ground
        queue, shared, turn = self.queue, self.shared, self.turn
        through = True
        while queue or turn is not None:
            code = queue[-1] if turn is None else 0
            at = LAST - (code & LAST) if turn is None else self._number(turn.name)
            for foe in enemies[at]:
                if able[foe]:
                    break
            else:
                through = False
                break
            actor, target = people[at], people[foe]
            moment = shared.get(at) if shared else None
            if moment is not None and moment.body is actor.body and moment.in_hand == actor.in_hand and not moment.grappling:
                moment = None
            by = attacked[foe]
            others = len(by) - (at in by)
            step = known.get((actor, target, others, moment, turn), UNKNOWN)
            if step is UNKNOWN:
                step = rounds.turn(ground, actor, target, others, moment, turn)
            if step is None:
                through = False
                break
            if turn is None:
                queue.pop()
                if queue and not shared and queue[-1] >> 16 == code >> 16:
                    shared = self.shared = self._moments(at, code >> 16)
            self.walked = True
            people[at], people[foe], turn, hit, fell, lost, stops = step.draw(luck)
            if hit and at not in by:
                by.append(at)
            if lost:
                self.lost = True
            if fell:
                able[foe] = False
                self.over = not any(able[other] for other in enemies[at])
                if foe not in shared:
                    self.queue = queue = [code for code in queue if LAST - (code & LAST) != foe]
            if stops:
                through = False
                break
            if shared and turn is None and not (queue and LAST - (queue[-1] & LAST) in shared):
                if self.lost:
                    through = False
                    break
                shared = self.shared = {}
        self.turn = turn
        return through

    def _number(self, name: str) -> int:
        return next(at for at, fighter in enumerate(self.people) if fighter.profile.name == name)

    def _moments(self, first: int, total: int) -> dict[int, Moment]:
        """Returns the states that those act with who act at the same time."""
        people, moment_by_number = self.people, {first: moment_of(self.people[first])}
        for code in reversed(self.queue):
            if code >> 16 != total:
                break
            at = LAST - (code & LAST)
            moment_by_number[at] = moment_of(people[at])
        return moment_by_number

    def _begin(self) -> bool:
        """The next round, unless a person has to be asked first."""
        rounds, people = self.rounds, self.people
        known, random = rounds.initiative, rounds.luck.random
        if self.spends and any(able and fighter.body.emergency_dice for fighter, able in zip(people, self.able, strict=True)):
            return False
        queue = []
        for at, able in enumerate(self.able):
            if able:
                fighter = people[at]
                sums, results = known.get(fighter) or rounds.begins(fighter)
                total, people[at] = results[bisect(sums, random())]
                queue.append((total << 16) + LAST - at)
        self.attacked = [[] for _ in people]
        queue.sort()
        self.queue = queue
        self.round += 1
        self.walked = True
        return True

    def _put_back(self) -> Fight:
        """The whole fight as it stands."""
        people, names = self.people, [fighter.profile.name for fighter in self.people]
        fighters = [
            replace(fighter, attacked_by=tuple([names[other] for other in by])) if by else fighter
            for fighter, by in zip(people, self.attacked, strict=True)
        ]
        groups: dict[int, list[str]] = {}
        for code in reversed(self.queue):
            groups.setdefault(code >> 16, []).append(names[LAST - (code & LAST)])
        fight = replace(
            self.fight,
            fighters=tuple(fighters),
            round=self.round,
            queue=tuple([tuple(group) for group in groups.values()]),
            frozen=tuple(self.shared.values()),
            turn=self.turn,
        )
        return end_turn(fight) if self.turn is None and (fight.queue or fight.frozen) else fight
