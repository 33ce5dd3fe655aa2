"""Batch simulation of counts: who is due, their decisions and blows, looked up by the people involved.

Of a person a walk keeps apart what changes all the time: the body, the count, and what is under way. What is left is the same again
and again, and what a decision or a blow between two such people can come to is put together once. All of it follows from what `focus`
shows; anything else is played.
"""

from collections.abc import Iterable
from math import hypot
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.play import Play, Sub
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Turn
from rulewright.systems.hybrid.combat.fighters import NEXT_TO, REACH, Doing, Fight, Fighter, Ground, speed_of
from rulewright.systems.hybrid.combat.initiative import Entry, Reactor, enter_scene
from rulewright.systems.hybrid.fight.actions.moves import counts_there
from rulewright.systems.hybrid.fight.actions.registry import done
from rulewright.systems.hybrid.fight.defences import after_blow, is_inside
from rulewright.systems.hybrid.fight.log_events import COUNTS_A_SECOND
from rulewright.systems.hybrid.fight.timeline import come_in, happens, reactor_of
from rulewright.systems.hybrid.harm.damage import Body, bleed, bleeding_counts, wound
from rulewright.systems.hybrid.lab_view.moment_excerpt import (
    Came,
    bleeds,
    came_of,
    decided,
    deciding,
    hinders,
    land,
    nameless,
    next_bleeding,
    onset,
    put_back,
)

MOST_TURNS = 100_000
"""Decisions and blows that are remembered; when there are more all are forgotten and put together again where needed."""

NEVER = 1_000_000_000
NO_BODY = Body()
STILL: tuple[float, float, tuple[int, int]] = (0.0, 0.0, (0, 0))
_SHOWN = tuple([field for field in Fighter.__struct_fields__ if field not in ("profile", "body", "x", "y", "at", "doing")])
UNKNOWN: Any = object()


class Decided(NamedTuple):
    """What a person decided: how they stand now, what they do, after how many counts it takes effect, and the shock they are left in."""

    stands: Fighter
    doing: Doing
    takes: int
    shock: tuple[str, int]


class Ready(NamedTuple):
    """A person after an action, and after how many counts they decide again."""

    stands: Fighter
    after: int


def _standing(fighter: Fighter) -> Fighter:
    """A person without what a walk keeps apart."""
    bare = replace(fighter, body=NO_BODY, x=0.0, y=0.0, at=0, doing=None, strain=(0, 0))
    return _same(bare)


@cached(50_000)
def _same(fighter: Fighter) -> Fighter:
    """One and the same object for all who are equal, so that they are found at once."""
    return fighter


@cached(50_000)
def _template(doing: Doing) -> Doing:
    """Returns an action without the count at which it began."""
    return replace(doing, began=0) if doing.began else doing


def ended(rules: Ruleset, ground: Ground, me: Fighter) -> Play[Fighter]:
    """A person by themselves after what they were doing, on a clock that begins with its end."""
    assert me.doing is not None
    after = yield from done(rules, Fight(ground, (me,)), me.name, 0, me.doing)
    return after.fighters[0]


def _ready(stands: Fighter, shown: Fighter, after: Fighter) -> Ready:
    """A person as they stood, with what was changed of what was shown of them."""
    changed = {field: getattr(after, field) for field in _SHOWN if getattr(after, field) != getattr(shown, field)}
    return Ready(_standing(replace(stands, **changed)), after.at)


def _deciding(whole: Fight, me: Fighter, foe: Fighter, after: Fighter) -> Decided:
    now = put_back(whole, me, foe, after).fighter(me.profile.name)
    assert now.doing is not None
    return Decided(_standing(now), _template(now.doing), now.at - whole.count, (now.body.shock, now.body.shock_ends))


class Counts:
    """Plays fights count by count: the walk of a Hybrid fight."""

    def __init__(self, rules: Ruleset, luck: Luck) -> None:
        self.rules = rules
        self.luck = luck
        self.decisions: dict[tuple[object, ...], Turn[Fighter, Decided]] = {}
        self.blows: dict[tuple[object, ...], Turn[Came, Came] | None] = {}
        self.ends: dict[tuple[Fighter, Doing], Turn[Fighter, Ready]] = {}
        self.entries: dict[Reactor, Turn[Entry, Entry]] = {}
        self.together = rules.word("initiative-ties") == "together"
        self.bleeding = bleeding_counts(rules)
        self.timed_shock = rules.word("shock-ends") == "2d6+45 counts"

    def __call__(self, fight: Fight, until: int) -> Fight:
        """The fight until a person is out of the fight, or as far as it goes."""
        if fight.ground.filter or not fight.bare or self.timed_shock:
            return fight
        if any(candidate.holding or (candidate.waiting and candidate.entered) for candidate in fight.fighters):
            return fight
        for fighter in fight.fighters:
            if not fighter.entered:
                fight = fight.put(come_in(fight, fighter, self._entry(reactor_of(self.rules, fight, fighter))))
        return _Walk(self, fight).run(min((until + 1) * COUNTS_A_SECOND - 1, fight.seconds * COUNTS_A_SECOND - 1))

    def _entry(self, reactor: Reactor) -> Entry:
        """How a person comes into a fight."""
        turn = self.entries.get(reactor)
        if turn is None:
            turn = self.entries[reactor] = Turn(Sub(enter_scene, (self.rules, reactor)), lambda entry: entry)
        return turn.draw(self.luck)

    def end(self, ground: Ground, stands: Fighter, doing: Doing) -> Turn[Fighter, Ready]:
        """Returns the turn that follows an action for the person who did it."""
        profile = nameless(stands.profile)
        alone = {"lies": (), "inside": (), "fooled_by": "", "ward": 0, "ward_ends": 0}
        me = replace(stands, profile=profile, body=Body(profile.name), doing=replace(doing, target="", called=""), **alone)
        if len(self.ends) >= MOST_TURNS:
            self.ends.clear()
        turn = self.ends[stands, doing] = Turn(Sub(ended, (self.rules, ground, me)), _ready, stands, me)
        return turn


class _Walk:
    """One fight on its way."""

    __slots__ = (
        "at",
        "began",
        "bleeds_at",
        "bodies",
        "count",
        "counts",
        "doing",
        "enemies",
        "everybody",
        "fell",
        "fight",
        "hindered",
        "kept",
        "near",
        "number",
        "people",
        "speeds",
        "spots",
        "walked",
    )

    def __init__(self, counts: Counts, fight: Fight) -> None:
        self.counts = counts
        self.number = {fighter.profile.name: at for at, fighter in enumerate(fight.fighters)}
        self.speeds = [speed_of(fight, fighter) for fighter in fight.fighters]
        self.everybody = range(len(fight.fighters))
        self.walked = False
        self.fell = False
        """Whether a person is out of the fight who was not when the count began."""
        self.bleeds_at = 0
        """The count on which a person bleeds next, or 0 where that is to be seen."""
        self._take(fight)

    def _take(self, fight: Fight) -> None:
        """Everybody as they are in a whole fight."""
        many = len(fight.fighters)
        self.fight, self.count = fight, fight.count
        self.people, self.bodies = list(fight.fighters), [NO_BODY] * many
        self.kept: list[Fighter | None] = [None] * many
        """Those as whole people who are as they were when they were last seen so."""
        self.doing: list[Doing | None] = [None] * many
        self.at, self.began, self.hindered, self.spots = [0] * many, [0] * many, [0] * many, [STILL] * many
        for place, fighter in enumerate(fight.fighters):
            self._split(place, fighter)
        self._look_around()
        self.fell = False

    def _split(self, place: int, fighter: Fighter) -> None:
        was, body = self.bodies[place], fighter.body
        if body is not was:
            self.fell = self.fell or (was.awake and not body.awake)
            self._hurt(place, body)
        self.kept[place] = fighter
        self.people[place] = _standing(fighter)
        self.at[place] = fighter.at
        self.doing[place] = None if fighter.doing is None else _template(fighter.doing)
        self.began[place] = 0 if fighter.doing is None else fighter.doing.began
        self.hindered[place] = hinders(self.counts.rules, body, fighter.pace)
        self.spots[place] = (fighter.x, fighter.y, fighter.strain)

    def _hurt(self, place: int, body: Body) -> None:
        """A person with another body, which may bleed at other times."""
        if body.bleeding != self.bodies[place].bleeding:
            self.bleeds_at = 0
        self.bodies[place] = body

    def _look_around(self) -> None:
        spots = zip(self.people, self.spots, strict=True)
        places = tuple([(fighter.profile.side, x, y) for fighter, (x, y, _) in spots])
        self.enemies, self.near = [list(enemy) for enemy in _enemies(places)]

    def _moved(self, place: int) -> None:
        """The same once one of them stands elsewhere."""
        spots, enemies, near = self.spots, self.enemies, self.near
        for number in (place, *enemies[place]):
            x, y, _ = spots[number]
            away = {foe: hypot(x - spots[foe][0], y - spots[foe][1]) for foe in sorted(enemies[number])}
            enemies[number] = sorted(away, key=away.__getitem__)
            near[number] = {foe for foe, metres in away.items() if metres <= REACH}

    def _put(self, places: Iterable[int], before: Fight, after: Fight) -> None:
        """People who were changed in a fight of some of them."""
        for place, fighter, now in zip(places, before.fighters, after.fighters, strict=True):
            if now is not fighter:
                self._split(place, now)
                if now.x != fighter.x or now.y != fighter.y:
                    self._moved(place)

    def _one(self, at: int) -> Fighter:
        """A person as they stand in the whole fight."""
        kept = self.kept[at]
        if kept is not None:
            return kept
        doing = self.doing[at]
        if doing is not None and self.began[at]:
            doing = replace(doing, began=self.began[at])
        x, y, strain = self.spots[at]
        fighter = replace(self.people[at], body=self.bodies[at], x=x, y=y, at=self.at[at], doing=doing, strain=strain)
        self.kept[at] = fighter
        return fighter

    def _whole(self) -> Fight:
        return replace(self.fight, fighters=tuple([self._one(at) for at in range(len(self.people))]), count=self.count)

    def run(self, last: int) -> Fight:
        """Count after count, none after the last."""
        at = self.at
        standing = [place for place, body in enumerate(self.bodies) if body.awake]
        while standing:
            now = max(self.count, min([at[place] for place in standing]))
            if now > self.count and (now > last or not self._passes(now)):
                break
            due = [place for place in standing if at[place] <= now]
            if len(due) > 1:
                due.sort(key=lambda place: -self.speeds[place])
            if self._count(due, now) or self.fell:
                break
        return self._whole() if self.walked else self.fight

    def _passes(self, now: int) -> bool:
        """The clock moves on and wounds bleed; whether everybody is still there after it."""
        bodies, count, rules = self.bodies, self.count, self.counts.rules
        self.count, self.walked = now, True
        if now < (self.bleeds_at or self._bleeding(count)):
            return True
        here, self.bleeds_at, number = True, 0, self.counts.bleeding
        for place, body in enumerate(bodies):
            if body.bleeding and bleeds(number, body, count, now):
                bled = bleed(rules, body, count, now)
                bodies[place], self.kept[place] = bled, None
                self.hindered[place] = hinders(rules, bled, self.people[place].pace)
                here = here and bled.awake == body.awake
        return here

    def _bleeding(self, count: int) -> int:
        """The count after this on which a person bleeds next."""
        number = self.counts.bleeding
        since = [wound for body in self.bodies if body.bleeding for wound in body.bleeding]
        self.bleeds_at = min([next_bleeding(number, candidate, count) for candidate in since], default=NEVER)
        return self.bleeds_at

    def _count(self, due: list[int], now: int) -> bool:
        """Plays a count; returns whether a person is held now or waits."""
        then = None if len(due) == 1 else (self.people[:], self.bodies[:], self.doing[:], self.hindered[:])
        start = None if then is None else (self.at[:], self.began[:], self.spots[:])
        self.walked = True
        for place in due:
            if self.at[place] > now:
                continue
            doing = self.doing[place]
            if doing is None:
                known = self._decides(place, now)
            elif then is None or not self.counts.together:
                known = self._strikes(place, doing, self.people[place], self.bodies[place], self.hindered[place])
            else:
                people, bodies, doings, hindered = then
                known = doings[place] == doing and self._strikes(place, doing, people[place], bodies[place], hindered[place])
            if known:
                continue
            few = self._concerned(place, doing) if doing is not None else ()
            if few and (then is None or not self.counts.together or then[2][place] == doing):
                self._by_themselves(few, now)
                continue
            fight = self._whole()
            before = fight if then is None or start is None else self._as_it_was(then, start)
            after = self.counts.luck.run(happens(self.counts.rules, before, fight, self.people[place].profile.name, now))
            self.fight = after
            self._put(self.everybody, fight, after)
            if any(person.holding or person.waiting for person in self.people):
                self._play_on(before, due[due.index(place) + 1 :], now)
                return True
        return False

    def _concerned(self, place: int, doing: Doing) -> tuple[int, ...]:
        """The two people in an approach or in freeing a weapon, which nobody else affects. None where it
        is something else."""
        me = self.people[place]
        other = doing.target if doing.what == "approach" else me.bound_with if doing.what == "free" else ""
        return (place, self.number[other]) if other and self.bodies[place].awake else ()

    def _few(self, places: tuple[int, ...]) -> Fight:
        return replace(self.fight, fighters=tuple([self._one(place) for place in places]), count=self.count)

    def _by_themselves(self, places: tuple[int, ...], now: int) -> None:
        """Plays the action of the first of them, in a fight of these alone."""
        few = self._few(places)
        self._put(places, few, self.counts.luck.run(happens(self.counts.rules, few, few, few.fighters[0].profile.name, now)))

    def _as_it_was(self, then: Any, start: Any) -> Fight:
        """The whole fight as it was when the count began."""
        people, bodies, doings, _ = then
        at, began, spots = start
        fighters = []
        for place, stands in enumerate(people):
            doing = doings[place]
            if doing is not None and began[place]:
                doing = replace(doing, began=began[place])
            x, y, strain = spots[place]
            fighters.append(replace(stands, body=bodies[place], x=x, y=y, at=at[place], doing=doing, strain=strain))
        return replace(self.fight, fighters=tuple(fighters), count=self.count)

    def _play_on(self, before: Fight, due: list[int], now: int) -> None:
        """The rest of a count, step by step."""
        for place in due:
            name = self.people[place].profile.name
            fight = self._whole()
            self.fight = self.counts.luck.run(happens(self.counts.rules, before, fight, name, now))
            self._put(self.everybody, fight, self.fight)

    def _decides(self, place: int, now: int) -> bool:
        """A decision with a weapon in hand."""
        me, body = self.people[place], self.bodies[place]
        arm = me.profile.arms[me.in_hand]
        if not body.awake or arm.use != "melee" or arm.name == "fist":
            return False
        foe = self._nearest(place)
        if foe < 0:
            return False
        other = self.people[foe]
        away = None if foe in self.near[place] else self.hindered[place]
        hurt = 2 * body.pbd < body.pbd_full
        key = (me, body.shock, body.shock_mental, body.prone, hurt, body.mind, away, other.profile, other.in_hand)
        turn = self.counts.decisions.get(key)
        if turn is None:
            turn = self._decision(key, place, foe)
        stands, doing, takes, (shock, ends) = turn.draw(self.counts.luck)
        if doing.what == "approach":
            takes = self._on_the_way(place, foe, stands, takes)
        self.people[place], self.doing[place], self.began[place], self.at[place] = stands, doing, now, now + takes
        self.kept[place] = None
        if shock != body.shock:
            self.bodies[place] = replace(body, shock=shock, shock_ends=ends)
            self.hindered[place] = hinders(self.counts.rules, self.bodies[place], stands.pace)
        elif stands.pace != me.pace:
            self.hindered[place] = hinders(self.counts.rules, body, stands.pace)
        return True

    def _decision(self, key: tuple[object, ...], place: int, foe: int) -> Turn[Fighter, Decided]:
        """A decision that was not met before."""
        counts, me, other = self.counts, self._one(place), self._one(foe)
        both = replace(self.fight, fighters=(me, other), count=self.count)
        if len(counts.decisions) >= MOST_TURNS:
            counts.decisions.clear()
        part = Sub(decided, (counts.rules, deciding(counts.rules, both.ground, me, other, foe in self.near[place])))
        turn = counts.decisions[key] = Turn(part, _deciding, both, me, other)
        return turn

    def _on_the_way(self, place: int, foe: int, runs: Fighter, ready: int) -> int:
        """The counts that a person runs: until they are there, or until their next initiative."""
        x, y, _ = self.spots[place]
        metres = hypot(x - self.spots[foe][0], y - self.spots[foe][1]) - NEXT_TO
        return counts_there(self.counts.rules, runs, max(0.0, metres), ready)

    def _nearest(self, place: int) -> int:
        """The nearest enemy who can act; below 0 where there is none."""
        bodies = self.bodies
        for foe in self.enemies[place]:
            if bodies[foe].awake:
                return foe
        return -1

    def _strikes(self, place: int, doing: Doing, stands: Fighter, body: Body, hindered: int) -> bool:
        """A blow that can be looked up, with the attacker as they were when the count began."""
        if doing.what != "attack" or not body.awake:
            return False
        foe = self.number[doing.target]
        target, met, busy = self.people[foe], self.bodies[foe], self.doing[foe]
        if not met.awake or target.ward or foe not in self.near[place] or (busy is not None and busy.what in ("dodge", "drop prone")):
            return False
        me = self.people[place]
        key = (stands, me, doing, hindered, target, self.hindered[foe], met.prone)
        turn = self.counts.blows.get(key, UNKNOWN)
        if turn is UNKNOWN:
            turn = self._blow(key, me, replace(stands, body=body, doing=doing), foe)
        if turn is None:
            return False
        self._lands(place, foe, doing, stands, body, exchange=turn.draw(self.counts.luck))
        return True

    def _blow(self, key: tuple[object, ...], me: Fighter, then: Fighter, foe: int) -> Turn[Came, Came] | None:
        """A blow that was not met before; None where it is another one than `focus` shows by itself."""
        counts, doing, target = self.counts, then.doing, self._one(foe)
        assert doing is not None
        arm, turn = then.profile.arms[doing.arm], None
        plain = not doing.hurled and "both hands" not in doing.ways and arm.use == "melee" and target.aware
        if plain and is_inside(counts.rules, me, target, arm.length):
            small = onset(counts.rules, replace(self.fight, count=self.count), then, target)
            turn = Turn(Sub(came_of, (counts.rules, small)), lambda item: item)
        if len(counts.blows) >= MOST_TURNS:
            counts.blows.clear()
        counts.blows[key] = turn
        return turn

    def _lands(self, place: int, foe: int, doing: Doing, then: Fighter, body: Body, exchange: Came) -> None:
        """The outcome of a blow for both."""
        counts, now = self.counts, self.count
        stands = self.people[foe]
        parried = exchange.parried is not None and exchange.parried.success
        name = then.profile.name
        if exchange.moved or parried or stands.fooled_by == name or (exchange.blow is not None and exchange.way == "defend"):
            both = self._few((place, foe))
            me = replace(then, body=body, at=self.at[place], doing=replace(doing, began=self.began[place]))
            self._put((place, foe), both, counts.luck.run(land(counts.rules, both, me, both.fighters[1], exchange)))
            return
        self.at[foe] += exchange.took
        self.kept[foe] = self.kept[place] = None
        if exchange.blow is not None:
            sound = self.bodies[foe]
            hurt = counts.luck.run(wound(counts.rules, sound, exchange.blow, now, name))
            if hurt.awake and hurt.prone == sound.prone:
                self._hurt(foe, hurt)
                self.hindered[foe] = hinders(counts.rules, hurt, stands.pace)
            else:
                arm = then.profile.arms[doing.arm]
                both = self._few((place, foe))
                fell = after_blow(counts.rules, both, name, doing.target, now=now, arm=arm, way=exchange.way, body=hurt, parried=None)
                self._put((place, foe), both, counts.luck.run(fell))
        if self.doing[place] != doing or not self.bodies[place].awake:
            self.doing[place] = None if self.doing[place] == doing else self.doing[place]
            self.kept[place] = None
            return
        me = self.people[place]
        turn = counts.ends.get((me, doing)) or counts.end(self.fight.ground, me, doing)
        ready, after = turn.draw(counts.luck)
        self.people[place], self.doing[place], self.began[place], self.at[place] = ready, None, 0, now + after
        self.kept[place] = None
        if ready.pace != me.pace:
            self.hindered[place] = hinders(counts.rules, self.bodies[place], ready.pace)


@cached(5_000)
def _enemies(places: tuple[tuple[str, float, float], ...]) -> tuple[list[list[int]], list[set[int]]]:
    """For each of them all enemies, the nearest first; and those within reach."""
    ordered, near = [], []
    for side, x, y in places:
        away = [(at, hypot(x - a, y - b)) for at, (other, a, b) in enumerate(places) if other != side]
        away.sort(key=lambda pair: pair[1])
        ordered.append([at for at, _ in away])
        near.append({at for at, metres in away if metres <= REACH})
    return ordered, near
