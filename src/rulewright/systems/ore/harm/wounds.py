"""Wounds that bleed, and the slash that is meant to cause one (book lines 4512-4537)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.rules import Column, Ruleset, instead_of, rule
from rulewright.systems.ore.harm.body import AnyBody, Dealt, Wound, wounded
from rulewright.systems.ore.harm.locations import Location

THRESHOLDS = Column("ore-4.07-opt09-wounds", "body", int, threshold=int)
"""A Body statistic and its Wound Threshold."""


@rule("ore-4.07-opt09-wounds")
def wound_threshold(rules: Ruleset, body: int = 3) -> int:
    """What one attack must exceed to leave a Wound; beyond the table it goes on as it began, with 2 and half of Body (ruling)."""
    return THRESHOLDS.of(rules, str(body)) if str(body) in THRESHOLDS(rules) else 2 + body // 2


@rule("ore-4.07-opt09-wounds")
@instead_of(wounded, "wounds")
def takes_a_wound(rules: Ruleset, body: AnyBody, location: Location = "torso", shock: int = 0, kill: int = 0, slash: int = 0) -> AnyBody:
    """More Shock or more Kill than the Wound Threshold from a single attack (after armour; ruling: one Wound even if both are) leaves a
    Wound there, which bleeds. A slash adds the Kill it gave up to its Shock."""
    if max(kill, shock + slash) <= wound_threshold(rules, body.statistic) + body.threshold:
        return body
    return replace(body, wounds=(*body.wounds, Wound(location)))


class Slashed(NamedTuple):
    """A slash after armour: the damage it deals, and what counts towards a Wound besides its Shock."""

    kill: int
    shock: int
    slash: int


@rule("ore-4.07-opt09-slash")
def slash(kill: int = 3, shock: int = 1, slashing: bool = False) -> Slashed:
    """A slash deals no Kill, but what would have come through counts with the Shock towards a Wound; a slashing weapon adds 1 to that.

    No Shock need come through for it (ruling).
    """
    return Slashed(0, shock, kill + slashing if kill or shock else 0)


def after_slash(through: Dealt, slashing: bool) -> Slashed:
    """A slash of what armour let through."""
    return slash(through.kill, through.shock, slashing)


@rule("ore-4.07-opt09-wounds")
def staunched(body: AnyBody) -> AnyBody:
    """Somebody's Wounds no longer bleed; they cost their dice until they heal. A view of treating wounds in fights."""
    return replace(body, wounds=tuple([replace(wound, bleeding=False) for wound in body.wounds]))


@rule("ore-4.07-opt09-wounds")
def staunched_one(body: AnyBody) -> AnyBody:
    """The first Wound that bleeds no longer does; one roll of medicine is for one Wound (ruling)."""
    place = next((place for place, wound in enumerate(body.wounds) if wound.bleeding), None)
    if place is None:
        return body
    wound = Wound(body.wounds[place].location, bleeding=False)
    return replace(body, wounds=(*body.wounds[:place], wound, *body.wounds[place + 1 :]))
