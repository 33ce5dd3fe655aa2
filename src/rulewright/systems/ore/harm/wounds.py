"""Bleeding Wounds and slashes (book lines 4512-4537)."""

from typing import NamedTuple

from msgspec.structs import replace

from rulewright.rules import Column, Ruleset, instead_of, rule
from rulewright.systems.ore.harm.body import AnyBody, Dealt, Wound, wounded
from rulewright.systems.ore.harm.locations import Location

THRESHOLDS = Column("ore-4.07-opt09-wounds", "body", int, threshold=int)
"""A Body statistic and its Wound Threshold."""


@rule("ore-4.07-opt09-wounds")
def wound_threshold(rules: Ruleset, body: int = 3) -> int:
    """The Wound Threshold; beyond the table 2 plus half of Body (ruling)."""
    return THRESHOLDS.of(rules, str(body)) if str(body) in THRESHOLDS(rules) else 2 + body // 2


@rule("ore-4.07-opt09-wounds")
@instead_of(wounded, "wounds")
def takes_a_wound(rules: Ruleset, body: AnyBody, location: Location = "torso", shock: int = 0, kill: int = 0, slash: int = 0) -> AnyBody:
    """Shock or Kill above the Wound Threshold from one attack (after armour; ruling: at most one Wound) causes a bleeding Wound. A slash
    adds its Kill to Shock for this."""
    if max(kill, shock + slash) <= wound_threshold(rules, body.statistic) + body.threshold:
        return body
    return replace(body, wounds=(*body.wounds, Wound(location)))


class Slashed(NamedTuple):
    """A slash after armour: its damage, and what counts towards a Wound."""

    kill: int
    shock: int
    slash: int


@rule("ore-4.07-opt09-slash")
def slash(kill: int = 3, shock: int = 1, slashing: bool = False) -> Slashed:
    """A slash deals no Kill, but adds it to Shock towards a Wound; a slashing weapon adds 1. It needs no Shock (ruling)."""
    return Slashed(0, shock, kill + slashing if kill or shock else 0)


def after_slash(through: Dealt, slashing: bool) -> Slashed:
    """A slash after armour."""
    return slash(through.kill, through.shock, slashing)


@rule("ore-4.07-opt09-wounds")
def staunched(body: AnyBody) -> AnyBody:
    """The Wounds no longer bleed, but still cost dice until healed. A view of treating wounds in fights."""
    return replace(body, wounds=tuple([replace(wound, bleeding=False) for wound in body.wounds]))


@rule("ore-4.07-opt09-wounds")
def staunched_one(body: AnyBody) -> AnyBody:
    """The first bleeding Wound stops; one roll treats one Wound (ruling)."""
    place = next((place for place, wound in enumerate(body.wounds) if wound.bleeding), None)
    if place is None:
        return body
    wound = Wound(body.wounds[place].location, bleeding=False)
    return replace(body, wounds=(*body.wounds[:place], wound, *body.wounds[place + 1 :]))
