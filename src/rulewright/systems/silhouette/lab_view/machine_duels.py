"""Fast duels of machines: decisions, shots and moves are cached by what they depend on.

Damage makes nearly every state of a duel unique, but not its shots: an attacker has a certain Accuracy left, a target a certain Armor.
So not whole states are cached but the queries, each by its own key, and what a hit breaks is played by the rules. Everything
unusual is left to the scene, step by step.
"""

from bisect import bisect
from collections.abc import Hashable
from typing import Any, NamedTuple

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.dice.sums import Sum
from rulewright.field.geometry import hexes
from rulewright.play import Play, Roll
from rulewright.play.cache import Memory
from rulewright.rules import Ruleset
from rulewright.scenes.batch_play import Luck, Table
from rulewright.scenes.scene import Scene
from rulewright.systems.silhouette.battle.actions.attacks.shots import used
from rulewright.systems.silhouette.battle.actions.registry import action_of, offered
from rulewright.systems.silhouette.battle.command import succeed
from rulewright.systems.silhouette.battle.damage.section_loss import come_apart
from rulewright.systems.silhouette.battle.fire.modes import in_manner
from rulewright.systems.silhouette.battle.movement.declared_speed import announce
from rulewright.systems.silhouette.battle.stalemate import PATIENCE
from rulewright.systems.silhouette.battle.tactics.evaluation import moved_to, shot_worth
from rulewright.systems.silhouette.battle.tactics.styles import FIRES_FROM, Style
from rulewright.systems.silhouette.battle.tactics.tactics import fitted, keeps_place, moves_of, place_value, style_of
from rulewright.systems.silhouette.breakage.damage import Severity, hull_after
from rulewright.systems.silhouette.breakage.systems import MOST_TWICE, TWICE, Blow, systems_damage
from rulewright.systems.silhouette.detection.sight import sees
from rulewright.systems.silhouette.gunnery.attacks import (
    Exchange,
    attack_pool,
    comes_in,
    defense_pool,
    pointed,
    shot,
    spend_on_defense,
    weighed,
)
from rulewright.systems.silhouette.gunnery.shields import Shot, dealt_by
from rulewright.systems.silhouette.lab_view.plain_machines import Facts, plain_battle
from rulewright.systems.silhouette.lab_view.step_cache import KnownSteps, with_its_parts
from rulewright.systems.silhouette.machines.sheet.record_sheet import DAMAGE
from rulewright.systems.silhouette.maneuver.terrain import distance
from rulewright.systems.silhouette.resolution.tests import Pool, roll_of, settled
from rulewright.systems.silhouette.units.state import Battle, Command
from rulewright.systems.silhouette.units.units import Pace, Unit

MOST_KEPT, MOST_UNITS = 50_000, 20_000
"""The number of cached answers of each kind, and of units; beyond it the cache is cleared."""
RESET = (
    "speed", "last", "hexes", "spent", "points", "pace", "shifting", "switched", "jumped", "transformed", "turned", "turns", "backed",
    "moved", "done", "extra", "evading", "ordered", "received", "used", "stunned", "owed", "hit_by",
)  # fmt: skip
"""Fields that the end of a round resets."""
MOST_WORTH = 8.0
"""The highest worth of a shot: a unit that waits for a better one never interrupts."""


class Stance(NamedTuple):
    """Where a unit would be, and how it would have moved there."""

    x: float
    y: float
    facing: int
    pace: str
    hexes: int
    far: float
    """Hexes from the enemy."""
    turned: int
    """The facing with which the enemy would face it."""


class Offers(NamedTuple):
    """A unit's options besides fighting: its stances (the present one first, then one for each move), whether it may
    leave the field, and whether its turn may end."""

    stances: tuple[Stance, ...]
    leaves: bool
    ends: bool


class Aim(NamedTuple):
    """An attack before its dice: what the attacker has used, whether the target's side spends a point, and both pools."""

    shot: Shot
    pace: Pace
    uses: int
    left: tuple[int, ...]
    bearing: int
    commands: tuple[Command, ...]
    received: int
    attack: Table
    defense: Table
    graves: dict[int, Severity]
    """The severity of a hit, by its margin."""


class Bouts:
    """The walk of a battle between two plain machines."""

    def __init__(self, scene: Scene[Battle], luck: Luck) -> None:
        self.scene = scene
        self.rules = scene.rules
        self.luck = luck
        self._forget()
        self._die = luck.roll_table(Roll(Sum((6,))))
        self.cost = action_of("fire").costs(self.rules)
        self._ground: tuple[Hashable, ...] = ()
        self._plain = False
        self._by_margin = False
        """Whether more than the severity matters to a hit."""
        self._styles: dict[str, Style | None] = {}
        self._numbers: dict[Hashable, int] = {}
        self._facts: Memory[Unit, Facts] = Memory(MOST_UNITS)
        self._worths: Memory[Hashable, float] = Memory(MOST_KEPT)
        self._shots: Memory[Hashable, Shot | None] = Memory(MOST_KEPT)
        self._offers: Memory[Hashable, Offers] = Memory(MOST_KEPT)
        self._aims: Memory[Hashable, Aim | None] = Memory(MOST_KEPT)
        self._seen: Memory[Hashable, bool] = Memory(MOST_KEPT)
        self._goings: Memory[Hashable, int] = Memory(MOST_KEPT)

    def __call__(self, battle: Battle, until: int) -> Battle:
        """Play the battle as far as it is plain."""
        if not self._is_walkable(battle):
            return battle
        while battle.phase not in ("set-up", "over") and battle.quiet < PATIENCE:
            if battle.phase == "declaration" and battle.round > until:
                break
            result, other = [self.facts(battle, unit) for unit in battle.units]
            if not (result.able and other.able):
                key = (result.able, other.able, result.unit.crew, other.unit.crew)
                return self.over(key, battle, self.scene.step)
            if not (result.still and other.still):
                break
            after = self._step(battle, result, other)
            if after is None:
                break
            battle = after
        return battle

    def _is_walkable(self, battle: Battle) -> bool:
        """Whether it is a duel that can be walked; the cache is for one map and two machines."""
        result, other = battle.units[0], battle.units[-1]
        ground = (battle.map, battle.changes, battle.letters, battle.place, result.name, result.machine, other.name, other.machine)
        if ground != self._ground:
            remembered = (self._facts, self._worths, self._shots, self._offers, self._aims, self._seen, self._goings)
            for kept in (self._styles, self._numbers, *remembered):
                kept.clear()
            self._forget()
            self._by_margin = self.rules.on("walker-knockdown") or any(unit.machine.has("ablative armor") for unit in battle.units)
            self._ground = ground
            self._plain = plain_battle(battle) and not self.rules.on("hull-down")
            self._styles.update({unit.name: style_of(self.luck.tactic(unit.voice)) for unit in battle.units})
        return self._plain and None not in self._styles.values()

    def _forget(self) -> None:
        luck = self.luck
        self.steps, self.hits, self.over = KnownSteps(luck), KnownSteps(luck, harm=True), KnownSteps(luck, harm=True)
        self.ends = KnownSteps(luck, sets=RESET, sets_arms=("fired",))

    def facts(self, battle: Battle, unit: Unit) -> Facts:
        """The facts of a unit at present."""
        result = self._facts.get(unit)
        if result is None:
            result = self._facts[unit] = Facts(self.rules, battle.place, unit, self._numbers)
        return result

    def _step(self, battle: Battle, facts: Facts, other: Facts) -> Battle | None:
        """The battle after the next step; None if it is not plain."""
        if battle.phase != "activation" or not battle.active:
            return self._quiet_step(battle, facts, other)
        actor, foe = (facts, other) if facts.unit.name == battle.active else (other, facts)
        return self._act(battle, actor, foe) if not actor.unit.done else None

    def _quiet_step(self, battle: Battle, facts: Facts, other: Facts) -> Battle:
        """A step in which nobody moves or fires."""
        if battle.phase != "activation":
            return self.steps((battle.phase, battle.turn, battle.commands, facts.ready, other.ready), battle, self.scene.step)
        if facts.unit.done and other.unit.done and not battle.waiting:
            return self.ends((battle.turn, battle.quiet, battle.commands, facts.spent, other.spent), battle, self.scene.step)
        key = (battle.turn, battle.waiting, battle.activated, battle.commands, facts.waits, other.waits)
        return self.steps(key, battle, self.scene.step)

    # --- decisions ----------------------------------------------------------------------------------------------------------------

    def _act(self, battle: Battle, actor: Facts, foe: Facts) -> Battle | None:
        """A unit's turn, as its tactic decides."""
        unit, style = actor.unit, self._styles[actor.unit.name]
        assert style is not None
        if style.runs:
            return None
        style = fitted(style, unit) if style.band >= 0 else style
        fresh = not unit.hexes and not unit.pace
        if not self._sees(battle, actor, foe):
            looks = fresh and style.moves and (actor.actions < 2 or not battle.quiet)
            looks = looks and len(self.offers(style, battle, actor, foe).stances) > 1
            return self._go(battle, actor, foe, -1) if looks or not actor.actions else None
        if fresh or not actor.slow or not actor.armed:
            offers = self.offers(style, battle, actor, foe)
            if not style.moves or (offers.leaves and not actor.armed):
                return None
            fresh = fresh or not offers.ends
        if fresh and not (style.halts < MOST_WORTH and keeps_place(style, offered(self.rules, battle, unit.name), unit, [foe.unit])):
            going = self.where(style, battle, actor, foe, offers.stances)
            if going:
                return self._go(battle, actor, foe, going, *([actor.aims] if style.band >= 0 else []))
        arm = self.best_arm(battle, actor, foe)
        if arm is not None:
            return self._fire(battle, actor, foe, arm)
        return None if actor.actions else self._go(battle, actor, foe, 0)

    def _sees(self, battle: Battle, actor: Facts, foe: Facts) -> bool:
        """Whether a unit sees its enemy."""
        result, two = actor.unit, foe.unit
        key = (result.name, result.x, result.y, two.x, two.y, result.wear.auxiliaries, result.crew)
        is_seen = self._seen.get(key)
        if is_seen is None:
            is_seen = self._seen[key] = sees(self.rules, battle, result, two)
        return is_seen

    def where(self, style: Style, battle: Battle, actor: Facts, foe: Facts, stances: tuple[Stance, ...]) -> int:
        """The index of the best move, from 1; 0: none. The first stance is the present one."""
        if len(stances) == 1:
            return 0
        unit, two = actor.unit, foe.unit
        both = (actor.actions, actor.aims, actor.hurt, foe.aims, foe.hurt, foe.dodge)
        key = (unit.name, actor.goes, unit.x, unit.y, unit.facing, two.x, two.y, two.facing, both)
        result = self._goings.get(key)
        if result is None:
            result = self._goings[key] = self._where(style, battle, actor, foe, stances)
        return result

    def _where(self, style: Style, battle: Battle, actor: Facts, foe: Facts, stances: tuple[Stance, ...]) -> int:
        best, going = float("-inf"), 0
        if actor.unit.speed != "top":
            best = self._value(style, battle, actor, foe, stances[0], best)
        for at in range(1, len(stances)):
            value = self._value(style, battle, actor, foe, stances[at], best + 1e-9)
            if value > best + 1e-9:
                best, going = value, at
        return going

    def _value(self, style: Style, battle: Battle, actor: Facts, foe: Facts, there: Stance, least: float) -> float:
        two = foe.unit
        promise = self._promise(battle, actor, there[:4], foe, (two.x, two.y, two.facing, foe.dodge))

        def threat() -> float:
            turned = (two.x, two.y, there.turned, "combat")
            return self._promise(battle, foe, turned, actor, (there.x, there.y, there.facing, there.hexes))

        return place_value(style, promise, actor.actions, there.far, least=least, threat=threat)

    def _promise(self, battle: Battle, by: Facts, at: tuple[Any, ...], to: Facts, there: tuple[Any, ...]) -> float:
        """The worth of the best attack of one unit on another from there."""
        best = 0.0
        for arm, aim in by.aims:
            worth = self._worth(battle, by, arm, aim, at, to, there)
            if worth > best:
                best = worth
        return best

    def _worth(self, battle: Battle, by: Facts, arm: int, aim: int, at: tuple[Any, ...], to: Facts, there: tuple[Any, ...]) -> float:
        """The worth of an attack."""
        key = (aim, at, to.hurt, there)
        result = self._worths.get(key)
        if result is None:
            outcome = replace(by.unit, x=at[0], y=at[1], facing=at[2], pace=at[3], hit_by=())
            two = replace(to.unit, x=there[0], y=there[1], facing=there[2], hexes=there[3], moved=True)
            then = replace(battle, units=(outcome, two))
            sight = (aim, at[:3], there[:3])
            if sight not in self._shots:
                self._shots[sight] = shot(self.rules, then, outcome, two, arm)
            aimed = self._shots[sight]
            result = self._worths[key] = 0.0 if aimed is None else shot_worth(self.rules, then, aimed)
        return result

    def offers(self, style: Style, battle: Battle, actor: Facts, foe: Facts) -> Offers:
        """A unit's options besides fighting; a style that prefers a range has more of them, by the unit's weapons."""
        unit, two = actor.unit, foe.unit
        aims = actor.aims if style.band >= 0 else ()
        key = (actor.goes, unit.x, unit.y, unit.facing, two.x, two.y, two.facing, aims)
        result = self._offers.get(key)
        if result is None:
            result = self._offers[key] = self._offered(style, battle, actor, two)
        return result

    def _offered(self, style: Style, battle: Battle, actor: Facts, foe: Unit) -> Offers:
        unit = actor.unit
        stances = [self._stance(battle, unit, actor.stays, foe)]
        offer = offered(self.rules, battle, unit.name)
        for option in moves_of(style, offer):
            after = moved_to(self.rules, battle, unit, option.value)
            there = after.unit(unit.name) if after is not None else unit
            stances.append(self._stance(battle, there, there.pace, foe))
        return Offers(tuple(stances), bool(offer.of("leave")), bool(offer.of("done")))

    def _stance(self, battle: Battle, unit: Unit, pace: str, foe: Unit) -> Stance:
        here, there = (int(unit.x), int(unit.y)), (int(foe.x), int(foe.y))
        turned = foe.facing if here == there else hexes.towards(there, here)
        return Stance(unit.x, unit.y, unit.facing, pace, unit.hexes, distance(battle.field, unit.spot, foe.spot), turned)

    def best_arm(self, battle: Battle, actor: Facts, foe: Facts) -> int | None:
        """The best system, if it is worth firing and there is an action for it."""
        if actor.actions < self.cost:
            return None
        unit, two = actor.unit, foe.unit
        best, result = FIRES_FROM, None
        at, there = (unit.x, unit.y, unit.facing, actor.pace), (two.x, two.y, two.facing, foe.dodge)
        for arm, aim in actor.aims:
            worth = self._worth(battle, actor, arm, aim, at, foe, there)
            if worth > best:
                best, result = worth, arm
        return result

    # --- results ------------------------------------------------------------------------------------------------------------------

    def _go(self, battle: Battle, actor: Facts, foe: Facts, going: int, *more: Hashable) -> Battle | None:
        """A move that nobody interrupts, or (0) the end of a turn; below 0 the action of a unit that can only run."""
        unit, two = actor.unit, foe.unit
        style = self._styles[two.name]
        assert style is not None
        if going and foe.actions and (two.done or style.waits < MOST_WORTH):
            return None
        turn = (battle.turn, battle.waiting, battle.active, battle.activated, going, bool(actor.actions))
        key = (*turn, actor.goes, unit.done, unit.x, unit.y, unit.facing, two.x, two.y, two.facing, *more)
        return self.steps(key, battle, self.scene.step)

    def _fire(self, battle: Battle, actor: Facts, foe: Facts, arm: int) -> Battle | None:
        """Fire a system."""
        unit, two = actor.unit, foe.unit
        aim = self._aim(battle, actor, foe, arm)
        if aim is None:
            return None
        was = unit.arms[arm]
        unit = unit.with_arm(arm, replace(was, left=aim.left, bearing=aim.bearing, fired=was.fired + 1))
        unit = replace(unit, pace=aim.pace, used=unit.used + self.cost)
        if aim.received:
            two = replace(two, received=two.received + aim.received)
        random = self.luck.random
        attack, defense = aim.attack[0][bisect(aim.attack[1], random())], aim.defense[0][bisect(aim.defense[1], random())]
        margin = attack.total - defense.total
        if margin > 0 and not two.hit_by:
            two = replace(two, hit_by=(unit.name,))
        units = (unit, two) if battle.units[0].name == unit.name else (two, unit)
        battle = replace(battle, units=units, commands=aim.commands)
        return battle if margin <= 0 else self._hit(battle, foe, aim, Exchange(attack, defense))

    def _hit(self, battle: Battle, foe: Facts, aim: Aim, exchange: Exchange) -> Battle:
        """A hit, by its severity and what is left of the machine."""
        grave = aim.graves.get(exchange.margin)
        if grave is None:
            dealt = dealt_by(exchange.margin, aim.shot).value
            grave = aim.graves[exchange.margin] = weighed(self.rules, battle, foe.unit, aim.shot, dealt)[0]
        if self._by_margin or aim.shot.nature.crushing:
            return self._struck((grave, foe.harm, exchange.margin, aim.shot), battle, aim.shot, exchange)
        if grave == "none":
            return battle
        name = foe.unit.name
        if grave == "overkill":
            return self._struck((grave, foe.of_part(grave), battle.commands), battle, aim.shot, exchange)
        battle = battle.put(hull_after(self.rules, battle.unit(name), grave, aim.shot.nature))
        attacker = battle.unit(aim.shot.attacker)
        battle = self._break_systems(
            battle, name, Blow(heavy=grave == "heavy", margin=exchange.margin, by=attacker.voice, to=foe.unit.voice), 0
        )
        return battle if battle.unit(name).able else succeed(battle)

    def _struck(self, key: Hashable, battle: Battle, aimed: Shot, exchange: Exchange) -> Battle:
        """A hit of which everything matters, or that destroys a machine."""
        return self.hits(key, battle, lambda now: with_its_parts(_struck(self.rules, now, aimed, exchange)))

    def _break_systems(self, battle: Battle, name: str, blow: Blow, depth: int) -> Battle:
        """Systems damage of a hit: the location is rolled normally, and its effect depends on what is left there."""
        unit = battle.unit(name)
        if unit.destroyed:
            return battle
        dice, sums = self._die
        row = DAMAGE.get(self.rules, str(dice[bisect(sums, self.luck.random())]))
        if row.die == TWICE:
            for _ in range(2 if depth < MOST_TWICE else 0):
                battle = self._break_systems(battle, name, blow, depth + 1)
            return battle
        at = replace(blow, location=row.system)

        def play(now: Battle) -> Play[Battle]:
            return with_its_parts(_break_location(self.rules, now, name, at))

        return self.hits((blow.heavy, self.facts(battle, unit).of_part(row.system)), battle, play)

    def _aim(self, battle: Battle, actor: Facts, foe: Facts, arm: int) -> Aim | None:
        unit, two = actor.unit, foe.unit
        at = (unit.x, unit.y, unit.facing, unit.pace, unit.points, unit.spent, unit.moved, unit.wear.slowed, unit.wear.failed)
        there = (two.x, two.y, two.facing, foe.dodge, foe.heard, two.received)
        sign = next(number for place, number in actor.aims if place == arm)
        key = (sign, unit.arms[arm].left, at, foe.hurt, there, battle.commands, battle.active)
        if key in self._aims:
            return self._aims[key]
        aim = self._aims[key] = self.luck.run(self._aimed(battle, unit, two, arm))
        return aim

    def _aimed(self, battle: Battle, unit: Unit, foe: Unit, arm: int) -> Play[Aim | None]:
        """An attack before its dice, by the rules."""
        rules, name = self.rules, unit.name
        battle = yield from announce(rules, battle, unit)
        result = shot(rules, battle, battle.unit(name), foe, arm)
        if result is None:
            return None
        result, uses = yield from in_manner(rules, battle, battle.unit(name), result)
        battle = battle.put(used(battle.unit(name), arm, self.cost, uses))
        battle = battle.put(pointed(battle, battle.unit(name), arm, foe.spot))
        battle, more = yield from spend_on_defense(rules, battle, result)
        attack, defense = attack_pool(rules, battle, result), defense_pool(rules, battle, result, *more)
        if defense is None:
            return None
        after = battle.unit(name)
        state = after.arms[arm]
        return Aim(
            shot=result,
            pace=after.pace,
            uses=uses,
            left=state.left,
            bearing=state.bearing,
            commands=battle.commands,
            received=battle.unit(foe.name).received - foe.received,
            attack=self._table(attack, "attack"),
            defense=self._table(defense, "defense"),
            graves={},
        )

    def _table(self, pool: Pool, what: str) -> Table:
        """The possible totals of a pool."""
        roll: Roll[Any] = roll_of(self.rules, pool, "", what)
        results, sums = self.luck.roll_table(roll)
        totals: list[Total] = [settled(self.rules, pool, result) for result in results]
        return totals, sums


def _struck(rules: Ruleset, battle: Battle, aimed: Shot, exchange: Exchange) -> Play[Battle]:
    """The effect of an attack that would hit, as far as the step of a turn goes."""
    battle = yield from comes_in(rules, battle, aimed, exchange)
    return succeed((yield from come_apart(rules, battle)))


def _break_location(rules: Ruleset, battle: Battle, name: str, blow: Blow) -> Play[Battle]:
    """The systems damage of a hit on a location."""
    return battle.put((yield from systems_damage(rules, battle.unit(name), blow)))
