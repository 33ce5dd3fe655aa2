"""Probability flow of a fight: the turns of a random walk, with all their outcomes at once."""

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from itertools import product
from math import hypot, prod
from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from rulewright.dice.reading import weights_of
from rulewright.play import Play, Sub
from rulewright.rules import Ruleset
from rulewright.scenes.probability_flow import Change, Meeting, OddsOf, Outcomes
from rulewright.systems.scumm.combat.fighters import Fight, Fighter, Moment, UnderWay
from rulewright.systems.scumm.fight.turns import end_turn, refreshed, rolled_for_initiative
from rulewright.systems.scumm.harm.body import OPEN_ENDED
from rulewright.systems.scumm.lab_view.batch_rounds import bare, came_to, enemies_of, moment_of
from rulewright.systems.scumm.lab_view.state_reduction import blurred, levelled
from rulewright.systems.scumm.lab_view.turn_excerpt import alone, apart, band_of, shown_acting, shown_standing

Order = tuple[tuple[int, ...], ...]
"""A person who acts after whom, those of one moment together."""

Person = tuple[Fighter, Moment | None]
"""A person, and how they were when the moment began in which they have still to act; None where they act as they are."""


class Phase(NamedTuple):
    """All of a state but its people."""

    queue: Order
    together: bool
    """Whether the moment of people who come first has begun, so that they act as they were then."""
    turn: UnderWay | None
    attacked: tuple[int, ...]
    """Of everybody, who attacked them this round: a bit for each."""
    able: int
    """A person who is still in it: a bit for each."""
    lost: bool = False
    """Whether a person has lost what is in hand, which is felt only when the moment is over."""
    stops: bool = False
    """Whether a person has to be asked now who is not in the turn."""


class Label(NamedTuple):
    """What a turn changes in the phase."""

    turn: UnderWay | None
    attacked: bool
    fell: bool
    lost: bool
    stops: bool


class Moved(NamedTuple):
    """A turn that a person has begun: who it is against, and who has still to act when it is over."""

    at: int
    foe: int
    queue: Order
    together: bool


class Rolled(NamedTuple):
    """What initiative can come to: the total, the place among the person's variants, and the chance."""

    total: int
    variant: int
    chance: float


K = TypeVar("K", bound=Hashable)

MOST_ABLE = 5
"""Initiatives of more can compare in too many ways: of six in some 300,000, of eight in a hundred million."""


class _Numbered(Generic[K]):
    """Things by number, each once."""

    def __init__(self) -> None:
        self._things: list[K] = []
        self._numbers: dict[K, int] = {}

    def __getitem__(self, number: int) -> K:
        return self._things[number]

    def number(self, thing: K) -> int:
        """The number of a thing, a new one where it was not seen before."""
        known = self._numbers.get(thing)
        if known is None:
            known = self._numbers[thing] = len(self._things)
            self._things.append(thing)
        return known


class Turns:
    """The currents of a S.C.U.M.M. fight."""

    def __init__(self, rules: Ruleset, odds: OddsOf, play: Callable[[Fight], Play[Fight]]) -> None:
        self.rules = rules
        self.odds = odds
        self.play = play
        self.fight: Fight | None = None
        self.names: dict[str, int] = {}
        self.sides: tuple[str, ...] = ()
        self.enemies: tuple[tuple[int, ...], ...] = ()
        self.people = _Numbered[Person]()
        self.labels = _Numbered[Label]()
        self.orders = _Numbered[Order]()
        self.rolls = _Numbered[tuple[Rolled, ...]]()
        self._turns: dict[tuple[int, int, int, UnderWay | None, bool, bool], Outcomes | None] = {}
        self._begun_by: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._compared: dict[tuple[int, ...], dict[tuple[tuple[int, ...], tuple[int, ...]], float]] = {}
        self._orders: dict[tuple[tuple[int, ...], tuple[int, ...]], Outcomes] = {}

    def enter(self, state: Fight) -> tuple[Phase, tuple[int, ...]] | None:
        """A fight that goes on by turns of two."""
        if not state.bare or state.ground.covers or state.ambush_open or state.zones or len(state.fighters) > 60:
            return None
        if self.fight is None and sum([fighter.body.able for fighter in state.fighters]) > MOST_ABLE:
            return None
        for fighter in state.fighters:
            if fighter.ready is not None or fighter.hidden or fighter.unwary or fighter.grappling or fighter.body.unconscious == OPEN_ENDED:
                return None
        if self.fight is None:
            self.fight = state
            self.names = {fighter.profile.name: at for at, fighter in enumerate(state.fighters)}
            self.sides = tuple([fighter.profile.side for fighter in state.fighters])
            self.enemies = enemies_of(tuple([(fighter.profile.side, fighter.x, fighter.y) for fighter in state.fighters]))
        names = self.names
        queue = tuple([tuple([names[name] for name in group]) for group in state.queue])
        attacked = tuple([sum([1 << names[name] for name in fighter.attacked_by]) for fighter in state.fighters])
        able = sum([1 << at for at, fighter in enumerate(state.fighters) if fighter.body.able])
        lost = any(fighter.in_hand > 0 and fighter.gone[fighter.in_hand] for fighter in state.fighters)
        moments = {moment.name: moment for moment in state.frozen}
        if moments and not (state.queue and any(name in moments for name in state.queue[0])):
            queue = ((), *queue)
        people = [self._number(bare(fighter), moments.get(fighter.profile.name)) for fighter in state.fighters]
        return Phase(queue, bool(state.frozen), state.turn, attacked, able, lost), tuple(people)

    def whole(self, phase: Phase, people: tuple[int, ...], at: int) -> Fight:
        """The fight that a phase and its people stand for."""
        assert self.fight is not None
        there = [self.people[number] for number in people]
        names = [fighter.profile.name for fighter, _ in there]
        fighters = [
            replace(fighter, attacked_by=tuple([name for other, name in enumerate(names) if by >> other & 1])) if by else fighter
            for (fighter, _), by in zip(there, phase.attacked, strict=True)
        ]
        frozen = tuple([there[candidate][1] or moment_of(there[candidate][0]) for candidate in self._acting(phase)])
        queue = tuple([tuple([names[candidate] for candidate in group]) for group in phase.queue])
        fight = replace(self.fight, fighters=tuple(fighters), round=at, queue=queue, frozen=frozen, turn=phase.turn)
        return end_turn(fight) if phase.turn is None and (queue or frozen) else fight

    def stage(self, phase: Phase) -> int:
        """The fewer have still to act the later it is; a turn under way comes before the next."""
        return -2 * sum([len(group) for group in phase.queue]) - (phase.turn is not None)

    def meeting(self, phase: Phase, at: int) -> Meeting | None:
        """The next turn, or the beginning of the next round."""
        if phase.stops or self._one_left(phase):
            return None
        if phase.queue or phase.turn is not None:
            return self._next_turn(phase)
        assert self.fight is not None
        return None if at >= self.fight.rounds else self._next_round(phase)

    def _acting(self, phase: Phase) -> tuple[int, ...]:
        """A person who has still to act in the moment that has begun."""
        if not phase.together:
            return ()
        return phase.queue[0] if phase.turn is None else (self.names[phase.turn.name], *phase.queue[0])

    def _one_left(self, phase: Phase) -> bool:
        """Whether at most one side stands, and nobody out of the fight acts in this very moment."""
        acting = self._acting(phase)
        standing = {side for at, side in enumerate(self.sides) if phase.able >> at & 1 or at in acting}
        return len(standing) < 2

    def _next_turn(self, phase: Phase) -> Meeting | None:
        moved = self._moved(phase)
        if moved is None:
            return None
        others = (phase.attacked[moved.foe] & ~(1 << moved.at)).bit_count()
        waits = moved.together and moved.foe in moved.queue[0]
        met = partial(self._turn, others=others, turn=phase.turn, together=moved.together, waits=waits)
        return Meeting((moved.at, moved.foe), met, partial(self._after, phase, moved))

    def _moved(self, phase: Phase) -> Moved | None:
        """A person who acts, against whom; None where there is nobody to act against."""
        queue, together = phase.queue, phase.together
        if phase.turn is not None:
            at = self.names[phase.turn.name]
        else:
            (at, *group), *rest = queue
            together = together or bool(group)
            queue = (tuple(group), *rest) if together else tuple(rest)
        foe = next((enemy for enemy in self.enemies[at] if phase.able >> enemy & 1), None)
        return None if foe is None else Moved(at, foe, queue, together)

    def _turn(self, two: tuple[int, ...], others: int, turn: UnderWay | None, together: bool, waits: bool) -> Outcomes | None:
        """Returns the possible outcomes of a turn of the first against the second; None where it may be more than shots."""
        key = (two[0], two[1], others, turn, together, waits)
        if key not in self._turns:
            self._turns[key] = self._solved(*key)
        return self._turns[key]

    def _solved(self, item: int, other: int, others: int, turn: UnderWay | None, together: bool, waits: bool) -> Outcomes | None:
        assert self.fight is not None
        (actor, moment), (target, waiting) = self.people[item], self.people[other]
        band = band_of(actor.profile.weapons[actor.in_hand], hypot(target.x - actor.x, target.y - actor.y))
        if not band or (actor.fumbled and actor.aim) or not (actor.body if moment is None else moment.body).able:
            return None
        standing = shown_standing(target, others, band)
        acting = shown_acting(actor, target.profile.name, standing.profile.name)
        small = alone(self.fight.ground, acting, standing, () if moment is None else apart(actor, acting, moment), turn)
        odds = self.odds(Sub(self.play, (small,)))
        if odds.unsettled:
            return None
        number_by_entry: dict[tuple[int, int, int], int] = {}
        for after, weight in odds:
            done = came_to(actor, target, small, after)
            still = moment or moment_of(actor) if together else None
            acted = self._rested(done.actor) if done.turn is None else self._number(done.actor, still)
            met = self._met(done.target, waiting or moment_of(target) if waits else None)
            label = self.labels.number(Label(done.turn, done.attacked, done.fell, done.lost, done.stops))
            number_by_entry[label, acted, met] = number_by_entry.get((label, acted, met), 0) + weight
        return _outcomes({(label, (acted, met)): weight / odds.total for (label, acted, met), weight in number_by_entry.items()})

    def _number(self, fighter: Fighter, moment: Moment | None) -> int:
        """The number of a person; who acts as they are needs no moment."""
        return self.people.number((fighter, None if moment is None or moment == moment_of(fighter) else moment))

    def _rested(self, fighter: Fighter) -> int:
        """A person who has acted, without what does not matter any more in this round."""
        return self.people.number((bare(blurred(fighter, False, False, _SEVERAL) if fighter.body.able else levelled(fighter)), None))

    def _met(self, fighter: Fighter, moment: Moment | None) -> int:
        """A person who was shot at; a person who is out of the fight, and does not act in this very moment, is out in one way only."""
        if fighter.body.able:
            return self._number(fighter, moment)
        return self._number(bare(levelled(fighter) if moment is None else blurred(fighter, True, False, _SEVERAL)), moment)

    def _after(self, phase: Phase, moved: Moved, label: int) -> tuple[Phase, Change | None]:
        """The phase that a turn leads to."""
        turn, attacked, fell, lost, stops = self.labels[label]
        queue, together, able = moved.queue, moved.together, phase.able
        by = list(phase.attacked)
        if attacked:
            by[moved.foe] |= 1 << moved.at
        if fell:
            able &= ~(1 << moved.foe)
            by[moved.foe] = 0
            if not (together and moved.foe in queue[0]):
                queue = _without(queue, moved.foe, together)
        lost = lost or phase.lost
        change: Change | None = None
        if together and turn is None and not queue[0]:
            together, queue, change, stops = False, queue[1:], self._moment_over, stops or lost
        if turn is None and not queue:
            by, change = [0] * len(by), self._round_over
        elif any(by):
            by = self._that_count(by, queue, turn)
        return Phase(queue, together, turn, tuple(by), able, lost, stops), change

    def _that_count(self, by: list[int], queue: Order, turn: UnderWay | None) -> list[int]:
        """Earlier attackers, where a person may still attack who is not the only one of them."""
        coming = sum([1 << number for group in queue for number in group]) | (0 if turn is None else 1 << self.names[turn.name])
        return [mask if mask and any(coming >> enemy & 1 for enemy in self.enemies[at]) else 0 for at, mask in enumerate(by)]

    def _moment_over(self, number: int) -> int:
        """A person who is out of the fight has acted by now."""
        fighter, _ = self.people[number]
        return number if fighter.body.able else self.people.number((bare(levelled(fighter)), None))

    def _round_over(self, number: int) -> int:
        """A person at the end of a round."""
        fighter, _ = self.people[number]
        return self.people.number((bare(blurred(fighter, False, True, _SEVERAL) if fighter.body.able else levelled(fighter)), None))

    def _next_round(self, phase: Phase) -> Meeting:
        """Initiative for all who are in it."""
        able = tuple([at for at in range(len(self.sides)) if phase.able >> at & 1])
        return Meeting(able, partial(self._order, able), partial(self._begun, phase), self._roll, self._variants, True)

    def _roll(self, number: int) -> int:
        return self._begins(number)[0]

    def _variants(self, number: int) -> tuple[int, ...]:
        return self._begins(number)[1]

    def _begins(self, number: int) -> tuple[int, tuple[int, ...]]:
        """A person's initiative: the number of what it can come to, and the people that go into the round by it."""
        known = self._begun_by.get(number)
        if known is not None:
            return known
        fighter, _ = self.people[number]
        variants: dict[int, int] = {}
        chances: dict[tuple[int, int], int] = {}
        weights = {} if fighter.body.emergency_dice else weights_of(rolled_for_initiative(self.rules, fighter).reading)
        for result, weight in weights.items():
            person = self.people.number((bare(refreshed(fighter, result.total, result.fumble, False)), None))
            place = result.total, variants.setdefault(person, len(variants))
            chances[place] = chances.get(place, 0) + weight
        total = sum(weights.values())
        rolled = tuple([Rolled(*place, weight / total) for place, weight in sorted(chances.items())])
        pair = self._begun_by[number] = (self.rolls.number(rolled), tuple(variants))
        return pair

    def _order(self, able: tuple[int, ...], rolls: tuple[int, ...]) -> Outcomes | None:
        """All orders that these initiatives can give, with the variants that go with them; None where a person may spend dice on it."""
        if not all(self.rolls[roll] for roll in rolls):
            return None
        known = self._orders.get((able, rolls))
        if known is None:
            value_by_pair = {}
            places = sorted(range(len(able)), key=lambda place: rolls[place])
            for (ranks, variants), chance in self._ranked(tuple([rolls[place] for place in places])).items():
                groups: dict[int, list[int]] = {}
                variant = [0] * len(able)
                for place, rank, which in zip(places, ranks, variants, strict=True):
                    groups.setdefault(rank, []).append(able[place])
                    variant[place] = which
                order = tuple([tuple(sorted(groups[rank])) for rank in sorted(groups, reverse=True)])
                value_by_pair[self.orders.number(order), tuple(variant)] = chance
            known = self._orders[able, rolls] = _outcomes(value_by_pair)
        return known

    def _ranked(self, rolls: tuple[int, ...]) -> dict[tuple[tuple[int, ...], tuple[int, ...]], float]:
        """All orders of initiative, as rank and variant of each roll, with their chances."""
        known = self._compared.get(rolls)
        if known is None:
            known = self._compared[rolls] = {}
            for rolled in product(*[self.rolls[roll] for roll in rolls]):
                totals = [roll.total for roll in rolled]
                ranks = {total: rank for rank, total in enumerate(sorted(set(totals)))}
                key = tuple([ranks[total] for total in totals]), tuple([roll.variant for roll in rolled])
                known[key] = known.get(key, 0.0) + prod([roll.chance for roll in rolled])
        return known

    def _begun(self, phase: Phase, order: int) -> tuple[Phase, Change | None]:
        return Phase(self.orders[order], False, None, phase.attacked, phase.able), None


_SEVERAL = ["one", "other"]
"""Nobody in particular who may attack."""


def _outcomes(chances: Mapping[tuple[int, tuple[int, ...]], float]) -> Outcomes:
    return Outcomes(list(chances.values()), [label for label, _ in chances], [become for _, become in chances])


def _without(queue: Order, number: int, together: bool) -> Order:
    """The queue without a person; the moment that has begun keeps its place in it, even if nobody is left there."""
    left = [tuple([other for other in group if other != number]) for group in queue]
    return tuple([group for place, group in enumerate(left) if group or (together and place == 0)])
