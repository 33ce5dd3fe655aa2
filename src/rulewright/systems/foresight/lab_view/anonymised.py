"""Anonymised people in an excerpt of a fight: renamed, reduced to what the step reads, and restored afterwards."""

from math import hypot
from typing import Any

from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.systems.foresight.combat.fighters import FRONT, SIDEWAYS, UNJAMMED, Fighter, Pin, Profile, direction, put_away
from rulewright.systems.foresight.harm.body import Patient
from rulewright.systems.foresight.resolution.locations import LEGS

OTHER = "somebody else"
"""The placeholder for people who are not in the excerpt but are referred to in it."""
ANY_RANGE, CLOSE_RANGE, REACH = 10.0, 3.0, 2.5
Spot = tuple[float, float, int]
AWAY: Spot = (1_000.0, 0.0, 0)
"""Where those are put whose place does not matter."""


@cached(10_000)
def _profile(profile: Profile, name: str) -> Profile:
    return replace(profile, name=name)


@cached(50_000)
def fallen(fighter: Fighter, name: str) -> Fighter:
    """A person who is out of the fight but has begun an action."""
    fighter = put_out(fighter)
    return replace(fighter, profile=_profile(fighter.profile, name), body=replace(fighter.body, name=name))


@cached(50_000)
def acting(me: Fighter, name: str, focus: str, engaged: str, aim_at: str, just_hit: str, rank: int, anywhere: bool) -> Fighter:
    """The acting person; with a rank, in a turn of their own that has begun, in which nothing is done to them.

    Of rounds in a magazine there are as many as one action can use, unless it is full.
    """
    changes: dict[str, Any] = {"rolled": 0, "tried": False, "roused": False, "sudden": False, "dodges": 0, "parries": 0, "qr": rank}
    if not rank:
        changes.clear()
    if not me.bonuses:
        changes["bonus"] = ""
    if anywhere:
        loaded = zip(me.ammo, me.profile.weapons, strict=True)
        changes["ammo"] = tuple([left if left == weapon.ammo else min(left, max(1, weapon.burst)) for left, weapon in loaded])
        changes.update(x=0.0, y=0.0, facing=0)
    named = {"focus": focus, "engaged": engaged, "aim_at": aim_at, "just_hit": just_hit, "awareness": 0}
    return replace(me, profile=_profile(me.profile, name), body=replace(felt(me), name=name), **named, **changes)


@cached(50_000)
def met(fighter: Fighter, name: str, focus: str, engaged: str, acts: int, rank: int, spot: Spot | None) -> Fighter:
    """A possible target: only what a step reads of a target, and the arms only where they may be struck with or
    wrested away.

    What a rule may take away is there: once it is gone it comes to the same whether it was.
    """
    named = {"focus": focus, "engaged": engaged, "aim": 1, "aim_at": OTHER, "just_hit": OTHER, "awareness": 0}
    changes: dict[str, Any] = {"acts": acts, "qr": rank, "rolled": 0, "drawing": 0, "drawn": min(fighter.drawn, 1)}
    changes.update(tried=False, roused=False, sighted=False, reloaded=0, concentrated=0)
    if fighter.bonus not in ("dodge", "parry") or not fighter.bonuses:
        changes.update(bonus="", bonuses=0)
    if spot is not None:
        count = len(fighter.ammo)
        changes.update(ammo=(0,) * count, jams=(UNJAMMED,) * count, attacks=(0,) * count, shots=0)
        changes.update(x=spot[0], y=spot[1], facing=spot[2], lying=())
        changes["ready"] = tuple([at for at in fighter.ready if fighter.profile.weapons[at].thrown or fighter.profile.weapons[at].bow])
    return replace(fighter, profile=_profile(fighter.profile, name), body=replace(felt(fighter), name=name), **named, **changes)


@cached(50_000)
def waiting(fighter: Fighter, name: str, focus: str, engaged: str, acts: int, rank: int) -> Fighter:
    """A person who is not affected, but may respond."""
    return Fighter(
        _profile(fighter.profile, name),
        Patient(name, stunned=fighter.body.stunned),
        x=AWAY[0],
        **put_away(len(fighter.ammo)),
        qr=rank,
        focus=focus,
        waiting=fighter.waiting,
        engaged=engaged,
        acts=acts,
        entangled=min(fighter.entangled, 1),
        power=fighter.profile.power,
        acted=fighter.acted,
    )


@cached(50_000)
def standing(fighter: Fighter) -> Fighter:
    """A person of whom nothing is shown but who they are, where they stand and whom they watch."""
    body, kept = Patient(fighter.profile.name), put_away(len(fighter.ammo))
    return Fighter(
        fighter.profile, body, x=fighter.x, y=fighter.y, facing=fighter.facing, focus=fighter.focus, power=fighter.profile.power, **kept
    )


def spot_of(me: Fighter, fighter: Fighter) -> Spot:
    """Where a person may as well stand and look, if I stand in the middle and look east: as far by all guns I have, on the same
    side of me, and with the same side turned toward me."""
    return _spot(fighter.x - me.x, fighter.y - me.y, me.facing, fighter.facing, _guns(me.profile))


@cached(10_000)
def _guns(profile: Profile) -> tuple[float, ...]:
    return tuple({weapon.increment for weapon in profile.weapons if weapon.ranged})


@cached(50_000)
def _spot(x: float, y: float, looks: int, faces: int, guns: tuple[float, ...]) -> Spot:
    there, back = direction(0.0, 0.0, x, y), direction(x, y, 0.0, 0.0)
    meters = ANY_RANGE if not guns else _as_far(hypot(x, y), guns[0]) if len(guns) == 1 else hypot(x, y)
    on = _quarter((there - looks) % 360)
    turned = _quarter((back - faces) % 360)
    east, north = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[on]
    return meters * east, meters * north, (on + 180 - turned) % 360


def _quarter(turn: int) -> int:
    """In front, to the left, behind, to the right: 0, 90, 180, 270."""
    off = min(turn, 360 - turn)
    return 0 if off <= FRONT else 180 if off > SIDEWAYS else 90 if turn < 180 else 270


def _as_far(meters: float, increment: float) -> float:
    """A distance that is the same to a gun: in the middle of its range increment, if that is within three meters where this one is."""
    middle = (meters // increment + 0.5) * increment
    same = middle // increment == meters // increment and (middle <= CLOSE_RANGE) == (meters <= CLOSE_RANGE) and middle > REACH
    return middle if same else meters


# --- and back -----------------------------------------------------------------------------------------------------------------

_BY_NAME = ("focus", "aim_at", "just_hit", "engaged")
_REST = tuple([field for field in Fighter.__struct_fields__ if field not in ("profile", "body", "ammo", "pins", *_BY_NAME)])


@cached(50_000)
def restored(
    before: Fighter, shown: Fighter, now: Fighter, focus: str, aim_at: str, just_hit: str, engaged: str, pins: tuple[Pin, ...]
) -> Fighter:
    """A person as they were, with what the step changed of what was shown of them."""
    if now.out and not now.senseless:
        return put_out(before)
    changes = dict(_difference(shown, now))
    named = zip(_BY_NAME, (focus, aim_at, just_hit, engaged), strict=True)
    changes.update({field: name for field, name in named if getattr(now, field) != getattr(shown, field)})
    if "aim" in changes or "aim_at" in changes:
        changes.update(aim=now.aim, aim_at=aim_at)
    if now.pins != shown.pins:
        changes["pins"] = pins
    if now.ammo != shown.ammo:
        changes["ammo"] = _spent(before, shown, now)
    if now.body != shown.body:
        changes["body"] = replace(now.body, name=before.body.name)
    if now.profile != shown.profile:
        changes["profile"] = replace(now.profile, name=before.profile.name)
    return replace(before, **changes)


@cached(50_000)
def _difference(shown: Fighter, now: Fighter) -> dict[str, Any]:
    """The fields of a shown person that a step changed, except for those that hold names or parts of the body."""
    return {field: getattr(now, field) for field in _REST if getattr(now, field) != getattr(shown, field)}


def _spent(before: Fighter, shown: Fighter, now: Fighter) -> tuple[int, ...]:
    """The rounds left in magazines that were perhaps not shown whole; filled ones are full."""
    numbers = list(now.ammo)
    for at, (had, saw) in enumerate(zip(before.ammo, shown.ammo, strict=True)):
        if numbers[at] < saw or numbers[at] < before.profile.weapons[at].ammo:
            numbers[at] += had - saw
    return tuple(numbers)


# --- what matters of a person -------------------------------------------------------------------------------------------------


@cached(50_000)
def put_out(fighter: Fighter) -> Fighter:
    """A person out of the fight, with everything forgotten that cannot matter any more."""
    return Fighter(fighter.profile, Patient(fighter.name, unconscious=True), stance="prone", **put_away(len(fighter.ammo)))


def felt(fighter: Fighter) -> Patient:
    """A body with the wounds that weigh on something: arms, either leg, the abdomen; and without what only healing asks about."""
    body = fighter.body
    hurt = {"left leg" if place in LEGS else place for place in body.hurt if place not in ("head", "chest")}
    wounds = tuple(sorted(hurt))
    if (wounds, body.worst, body.clock, body.bandaged, body.operated) == (body.hurt, body.wounds, 0, 0, False):
        return body
    return replace(body, hurt=wounds, worst=body.wounds, clock=0, bandaged=0, operated=False)
