"""Pools of a battle: statistic of the vehicle and skill, with bonuses and penalties (book lines 5698, 5867-5909)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import the
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, at_least, at_most, limited, term, total
from rulewright.systems.ore.battle.combatants import Battle, Craft, Order, Post, Wing
from rulewright.systems.ore.combat.weapon_use import Training
from rulewright.systems.ore.fight.penalties import height_lost, hindering
from rulewright.systems.ore.machines.driving_tests import g_force
from rulewright.systems.ore.machines.speeds import handling_difficulty
from rulewright.systems.ore.machines.structure import level_dice, out_of_order, system_dice
from rulewright.systems.ore.machines.tables import ACTION_LIST
from rulewright.systems.ore.people.characters import Statistics
from rulewright.systems.ore.people.feat_effects import Feats, Try, helps
from rulewright.systems.ore.people.pools import rated, skill_pool, usable_pool
from rulewright.systems.ore.resolution.tests import Mod, Pool, dice_in

HARDEST = 10
NAMELESS = {"gunnery": "gunnery", "computers": "computers"}
"""Other skills of an unnamed crew."""


class Tried(Struct, frozen=True):
    """The roll of an action: parts of the pool, the pool with modifiers, and the terms of its Difficulty."""

    parts: tuple[tuple[str, int], ...]
    pool: Pool
    against: tuple[Reason, ...] = ()

    @property
    def difficulty(self) -> int:
        """The Difficulty; 1 for none."""
        return max(1, min(HARDEST, int(sum([int(reason.value) for reason in self.against]))))

    def sum_of_dice(self, rules: Ruleset, pool: Pool | None = None) -> Reason:
        """The dice as a sum."""
        whole = pool or self.pool
        dice = dice_in(rules, whole)
        terms = [term(label, points) for label, points in self.parts] + [mod.reason() for mod in whole.mods]
        free = sum([points for _, points in self.parts]) + sum([mod.dice for mod in whole.mods])
        limit = at_most(dice) if free > dice else at_least(dice)
        return Reason("dice", dice, "=", "ore-1.01-dice-pool", terms=(*terms, limit) if free != dice else tuple(terms))

    def sum_of_difficulty(self) -> Reason | None:
        """The Difficulty as a sum; None without one."""
        if not self.against:
            return None
        return limited("Difficulty", *self.against, limit=at_most(HARDEST, rule="ore-1.09-difficulty")).reason


@cached(20_000)
def with_skill(rules: Ruleset, training: Training, rating: int, skill: str) -> tuple[Pool, int]:
    """A statistic of the vehicle with a skill and its promoted dice; also the rating of the skill."""
    person = training.person()
    own = tuple([advantage for advantage in person.advantages if advantage.name != "preternatural statistic"])
    seated = replace(person, statistics=Statistics(body=rating), advantages=own)
    return usable_pool(rules, skill_pool(rules, seated, skill, "body")), rated(rules, seated, skill).rating


@cached(20_000)
def by_oneself(rules: Ruleset, training: Training, statistic: str, skill: str) -> tuple[Pool, int, int]:
    """A personal statistic and skill with their ratings."""
    person = training.person()
    pool = usable_pool(rules, skill_pool(rules, person, skill, statistic))
    return pool, person.statistic(statistic), rated(rules, person, skill).rating


def skill_of(rules: Ruleset, battle: Battle, post: Post, skill: str) -> int:
    """The rating of a post in a skill; `skill` means the driving skill."""
    machine = battle.unit(post.craft).machine
    person = battle.person(post.who)
    if person is not None:
        return with_skill(rules, person.fighter.profile.training, 0, machine.skill if skill == "skill" else skill)[1]
    hands = machine.hands
    return 0 if hands is None else getattr(hands, NAMELESS.get(skill, "pilot"))


def tried(
    rules: Ruleset,
    battle: Battle,
    post: Post,
    label: str,
    *,
    rating: int,
    skill: str,
    uses: tuple[str, ...] = (),
    target: str = "",
    mods: tuple[Mod, ...] = (),
) -> Tried:
    """A statistic of the vehicle (`label`, `rating`) with a skill, minus damage, damaged systems (`uses`), wounds and G-forces; with the
    Difficulty of Speed, roads and erratic manoeuvres."""
    unit = battle.unit(post.craft)
    broken = out_of_order(rules, unit.hull, uses) if isinstance(unit, Craft) else ""
    if broken:
        raise UserError(f"{the(broken)} is destroyed")
    person = battle.person(post.who)
    name = unit.machine.skill if skill == "skill" else skill
    if person is not None:
        pool, knows = with_skill(rules, person.fighter.profile.training, rating, name)
    else:
        knows = skill_of(rules, battle, post, skill)
        pool = Pool(rating + knows)
    whole = pool.plus(*hindered_aboard(rules, battle, post, uses), *mods)
    return Tried(_parts(pool, (label, rating), (name, knows)), whole, against(rules, battle, post, target))


def _parts(pool: Pool, *known: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """The parts of a pool: statistic, skill and other dice."""
    beside = pool.size - sum([points for _, points in known])
    return (*known, ("special dice", beside)) if beside else known


def tried_alone(
    rules: Ruleset, battle: Battle, post: Post, statistic: str, skill: str, *, uses: tuple[str, ...] = (), hard: tuple[Reason, ...] = ()
) -> Tried:
    """A personal statistic and skill, minus damaged systems (`uses`), wounds and G-forces."""
    broken = out_of_order(rules, battle.craft(post.craft).hull, uses)
    if broken:
        raise UserError(f"{the(broken)} is destroyed")
    pool, rating, knows = by_oneself(rules, battle.somebody(post.who).fighter.profile.training, statistic, skill)
    return Tried(_parts(pool, (statistic, rating), (skill, knows)), pool.plus(*hindered_aboard(rules, battle, post, uses)), hard)


def hindered_aboard(rules: Ruleset, battle: Battle, post: Post, uses: tuple[str, ...]) -> tuple[Mod, ...]:
    """Penalties from damage, wounds and G-forces."""
    unit, person = battle.unit(post.craft), battle.person(post.who)
    mods: list[Mod] = []
    if isinstance(unit, Craft):
        mods += [level_dice(rules, unit.hull), *system_dice(rules, unit.hull, uses)]
    if person is not None:
        mods += hindering(rules, person.fighter)
    mods.append(Mod("G-force", -pressed(rules, battle, post).value, "ore-4.22-g-force"))
    return tuple([mod for mod in mods if mod.dice])


def pressed(rules: Ruleset, battle: Battle, post: Post) -> Derived[int]:
    """Dice lost to G-forces this round; none in a wing or without manoeuvres."""
    unit, person = battle.unit(post.craft), battle.person(post.who)
    hands = unit.machine.hands
    body = person.fighter.profile.body if person is not None else hands.body if hands is not None else 2
    if person is not None and person.fighter.profile.feats:
        body += _steadier(rules, person.fighter.profile.feats)
    if isinstance(unit, Wing) or not thrown_about(rules, battle, unit):
        return total("Dice lost", term("no manoeuvre", 0), rule="ore-4.22-g-force")
    return g_force(rules, unit.speed, body, unit.machine.size, unit.machine.mode)


def _steadier(rules: Ruleset, feats: Feats) -> int:
    """Body bonus against G-forces from feats; the best counts (ruling)."""
    return max([number for name, number in helps(rules, feats, Try(on=("g-force",))).amounts if name == "body"], default=0)


def thrown_about(rules: Ruleset, battle: Battle, craft: Craft) -> bool:
    """Whether a vehicle makes violent manoeuvres this round."""
    listed = ACTION_LIST(rules)
    kinds = {order.kind for plan in battle.plans if plan.post.craft == craft.name for order in plan.orders}
    kinds |= {"erratic manoeuvres"} if craft.erratic else set()
    return any(kind in listed and listed[kind].manoeuvre for kind in kinds)


def against(rules: Ruleset, battle: Battle, post: Post, target: str = "") -> tuple[Reason, ...]:
    """Terms of the Difficulty: Speed above Handling, the road, own erratic manoeuvres (for drivers), and those of the target."""
    unit = battle.unit(post.craft)
    reasons: list[Reason] = []
    if post.role in ("pilot", "crew") and isinstance(unit, Craft):
        speeding = handling_difficulty(unit.machine.handling, unit.speed)
        street = street_of(battle)
        reasons += [term("Speed above Handling", speeding)] if speeding.value else []
        reasons += [term(street[0], street[1])] if street[1] else []
        reasons += [term("erratic manoeuvres", unit.erratic, rule="ore-4.22-vact-erratic")] if unit.erratic else []
        reasons += [term("sideswiped", unit.harried, rule="ore-3.10-feat-reading-rules")] if unit.harried else []
    other = next((candidate for candidate in battle.crafts if candidate.name == target), None)
    if other is not None and other.erratic:
        reasons.append(term(f"erratic manoeuvres of {target}", other.erratic, rule="ore-4.22-vact-erratic"))
    return tuple(reasons)


def street_of(battle: Battle) -> tuple[str, int]:
    """The stretch of road of this round and its Difficulty."""
    streets = battle.field.streets
    if not streets:
        return "", 0
    street = streets[(max(1, battle.round) - 1) % len(streets)]
    return street.name, street.difficulty


def height_less(rules: Ruleset, battle: Battle, post: Post) -> int:
    """Height lost to wounds."""
    person = battle.person(post.who)
    return height_lost(rules, person.fighter) if person is not None else 0


def words(order: Order) -> str:
    """The label of the roll for an order, which states save; `action_phrase` turns it into a phrase."""
    return f"{order.kind} {order.target or order.skill}".strip()
