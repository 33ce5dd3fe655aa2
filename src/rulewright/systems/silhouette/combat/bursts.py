"""Bursts, walking fire and saturation fire (book lines 2372-2403)."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.errors import UserError
from rulewright.grammar import figure
from rulewright.play import Event, Play, Tell, came_to, sub
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, Reason, divided, rounded_up, term, total
from rulewright.systems.silhouette.combat.ranged_attacks import Shot, Struck, exchange, one_of_many, shot_outcome
from rulewright.systems.silhouette.combat.ranged_attacks import burst_margin as burst_margin
from rulewright.systems.silhouette.gear.ammunition import Burst as Burst
from rulewright.systems.silhouette.gear.ammunition import burst as burst
from rulewright.systems.silhouette.gear.ammunition import saturation_burst as saturation_burst
from rulewright.systems.silhouette.harm.body import AVERAGE, Patient
from rulewright.systems.silhouette.harm.damage import HURTING, Hit, damage, take_hit
from rulewright.systems.silhouette.resolution.dice_options import converted
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Test, action_test, attribute_pool, rolled, sum_of

TWO_DICE = Pool(2)
"""Default pool."""

# --- walking fire -------------------------------------------------------------------------------------------------------------


class Walk(Struct, frozen=True):
    """A burst spread over targets: the places it covers, and the rate of fire left for damage."""

    places: int
    damage_rof: int


@rule("sil-3.4.3-walking-fire")
def spread(rules: Ruleset, rof: int = 2, gaps: tuple[float, ...] = (1,)) -> Walk:
    """Spreads a burst: it covers one more target than its rate of fire. Targets stand a metre apart; each further metre takes up a
    place. Every place after the first, gaps included (ruling), lowers the rate for damage by 1, but not for ammunition."""
    if rof < 1:
        raise UserError("walking fire needs a burst of at least +1")
    between = sum([max(0, int(-(-gap // 1)) - 1) for gap in gaps])
    targets = len(gaps) + 1
    if targets + between > rof + 1:
        raise UserError(f"a burst of +{rof} covers {rof + 1} metres in a row, but these targets take up {targets + between}")
    lost = targets - 1 + (between if rules.word("walking-fire-gaps") == "cost damage" else 0)
    return Walk(targets + between, rof - lost)


class Bystander(Struct, frozen=True, cache_hash=True):
    """A person within a metre of the line of fire: the defense pool, or the Threshold if unaware."""

    name: str
    defense: Pool | None
    victim: Patient
    threshold: int = 1


class Walked(Struct, frozen=True):
    """Result of walking fire for bystanders and targets, in the given order."""

    bystanders: tuple[Struck, ...]
    targets: tuple[Struck, ...]

    @property
    def hits(self) -> int:
        """Returns how many were hit."""
        return sum([struck.hit for struck in (*self.bystanders, *self.targets)])


@rule("sil-3.4.3-walking-fire")
def walking_fire(
    rules: Ruleset,
    shots: tuple[Shot, ...],
    victims: tuple[Patient, ...],
    rof: int,
    fired: int,
    gaps: tuple[float, ...] = (),
    bystanders: tuple[Bystander, ...] = (),
) -> Play[Walked]:
    """Plays walking fire: bystanders defend first, against one die more than the rate of fire; then each target is attacked separately,
    with the rate left for damage. There are no more hits than shots, and nobody is attacked twice."""
    names = [shot.target for shot in shots]
    if len(set(names)) < len(names):
        raise UserError("walking fire cannot attack the same target twice in a round")
    if not shots or len(shots) != len(victims):
        raise UserError("walking fire needs at least one target, and a body for each target")
    walk = spread(rules, rof, gaps or (1,) * (len(shots) - 1))
    left, passed, struck = fired, [], []
    for bystander in bystanders:
        result = yield from stray(rules, shots[0], rof, bystander, left)
        left -= result.hit
        passed.append(result)
    for shot, victim in zip(shots, victims, strict=True):
        if left <= 0:
            struck.append(Struck(victim, 0))
            continue
        result = yield from one_of_many(rules, replace(shot, burst=rof, walked=rof - walk.damage_rof), victim)
        left -= result.hit
        struck.append(result)
    outcomes = [shot_outcome(victim, outcome) for victim, outcome in zip(victims, struck, strict=True)]
    yield came_to(max(outcomes, key=HURTING.names.index), HURTING, shots[0].attacker, shots[0].target)
    return Walked(tuple(passed), tuple(struck))


@rule("sil-3.4.3-walking-fire")
def stray(rules: Ruleset, shot: Shot, rof: int, bystander: Bystander, left: int = 1) -> Play[Struck]:
    """Plays a bystander's defense against one die more than the rate of fire; damage is the multiplier times the margin (ruling)."""
    if left <= 0:
        return Struck(bystander.victim, 0)
    strays = Shot(
        attacker="stray shots",
        target=bystander.name,
        weapon=shot.weapon,
        attack=Pool(1 + rof, hero=False),
        defense=bystander.defense,
        threshold=bystander.threshold,
        multiplier=shot.multiplier,
    )
    result = yield from sub(exchange, rules, strays)
    if not result.margin:
        return Struck(bystander.victim, 0, False, result.off_balance)
    after = yield from sub(take_hit, rules, bystander.victim, Hit(damage(rules, shot.multiplier, result.margin).value, by="firearms"))
    return Struck(after, result.margin, False, result.off_balance)


# --- saturation fire ----------------------------------------------------------------------------------------------------------


_SATURATION = "sil-3.4.3-saturation-fire"


class Saturation(Struct, frozen=True):
    """A zone under fire for a round: the total to beat, its width in metres, and whether the weapon jammed."""

    threshold: int
    width: int
    jammed: bool = False


@rule(_SATURATION)
def saturation_threshold(attack: int, rof: int = 1, spread_out: bool = False) -> Derived[int]:
    """Returns the total to beat in the zone: attack roll + rate of fire; halved and rounded up if spread out."""
    terms = (term("attack", attack), term("rate of fire", rof))
    if not spread_out:
        return total("Threshold", *terms, rule=_SATURATION)
    return total("Threshold", *terms, divided("spread out", 2), rounded_up(), rule=_SATURATION)


class Swept(Event, frozen=True):
    """A zone comes under fire."""

    shooter: str
    width: int
    pool: Pool
    came: Total
    threshold: Derived[int]

    def headline(self) -> str:
        return f"{self.shooter} keeps {self.width} m under fire (Threshold {self.threshold.value})"

    def reasons(self) -> tuple[Reason, ...]:
        return sum_of("attack", self.pool, self.came, "=", _SATURATION), self.threshold.reason


@rule(_SATURATION)
def saturate(
    rules: Ruleset, attack: Pool = TWO_DICE, rof: int = 1, spread_out: bool = False, metres: float = 5, medium: float = 12, by: str = ""
) -> Play[Saturation]:
    """Plays saturation fire: attack roll + rate of fire is the total to beat in a zone five metres wide, up to medium range. Spread out,
    it is twice as wide and half as hard, rounded up."""
    if metres > medium:
        raise UserError(f"saturation fire reaches medium range, {figure(medium)} m; the zone is {figure(metres)} m away")
    result = yield from rolled(rules, attack, by, "saturation fire")
    threshold, width = saturation_threshold(result.total, rof, spread_out), 10 if spread_out else 5
    yield from Tell(Swept(by or "the shooter", width, attack, result, threshold))
    return Saturation(threshold.value, width, result.fumble)


class Braved(Event, frozen=True, kw_only=True):
    """A fighter in a zone under fire: the defense, and the damage if it failed."""

    name: str
    threshold: int
    guard: Pool | None = None
    defense: Total | None = None
    held: int = 1
    damage: Derived[int] | None = None

    def headline(self) -> str:
        hit = self.damage is not None
        slip = " and loses their footing" if self.defense is not None and self.defense.fumble else ""  # 2317
        return f"{self.name} {'is hit by the fire' if hit else 'gets through the fire unhurt'}{slip}"

    def reasons(self) -> tuple[Reason, ...]:
        met = Reason("unwary target", self.held, "=", _SATURATION)
        if self.guard is not None and self.defense is not None:
            met = sum_of("defense", self.guard, self.defense, "=", _SATURATION)
        done = (self.damage.reason,) if self.damage is not None else ()
        return (met, Reason("Saturation Fire Threshold", self.threshold, "against", _SATURATION), *done)

    def tone(self) -> str:
        return "bad" if self.damage is not None else "good"


@rule(_SATURATION)
def enter_zone(
    rules: Ruleset, threshold: int, multiplier: int, defense: Pool | None = TWO_DICE, victim: Patient = AVERAGE, held: int = 1
) -> Play[Struck]:
    """A fighter who enters a zone, or is there without cover (ruling), defends: on a failure the damage is the multiplier times the
    difference; a tie is safe. Without a defense roll the situation, `held`, counts, as for any unwary target."""
    met, result = converted(rules, held), None
    if defense is not None:
        result = yield from rolled(rules, defense, victim.name, "getting through the fire")
        met = result.total
    slipped, missing = result is not None and result.fumble, max(0, threshold - met)  # 2317
    done = damage(rules, multiplier, missing) if missing else None
    yield from Tell(Braved(name=victim.name, threshold=threshold, guard=defense, defense=result, held=met, damage=done))
    if done is None:
        return Struck(victim, 0, False, slipped)
    after = yield from sub(take_hit, rules, victim, Hit(done.value, by="firearms"))
    return Struck(after, missing, False, slipped)


@rule(_SATURATION)
def dare_to_move(rules: Ruleset, willpower: int = 0, rof: int = 1, penalty: int = 0, by: str = "", emergency: int = 0) -> Play[Test]:
    """Tests Willpower against 2 + rate of fire for a fighter in cover who wants to move."""
    mod = Mod("action penalty", penalty, "sil-3.5.2-action-penalties")
    pool = attribute_pool(rules, willpower, "Willpower", (mod,)).with_emergency(emergency)
    return (yield from action_test(rules, pool, 2 + rof, by, "moving under fire"))
