"""A ready-made all-rounder that fits the rules of any campaign."""

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.systems.hybrid.people.characters import Character, Gear, starting_points
from rulewright.systems.hybrid.people.creation import accounts, given_ranks, skill_price
from rulewright.systems.hybrid.people.statistics import PRIMARY, Primary

_WISHES = (
    *(("Sword", 9), ("Dodge", 8), ("General Perception", 8), ("Stealth", 7), ("First Aid", 7), ("Unarmed Combat", 6)),
    *(("Climbing", 6), ("Running", 6), ("Tracking", 5), ("Streetwise", 5), ("Throw Object", 4)),
    *(("Archery", 6), ("Haggling", 9), ("Spoken Language: Kothan", 5), ("Mounted Combat", 2)),
)
"""What an all-rounder learns, the dearest wish first; what cannot be paid is learnt less well, or not at all."""


def shared_out(rules: Ruleset) -> Primary:
    """The points for statistics, shared as evenly as the limits allow."""
    low, high = rules.number("lowest-allocated"), rules.number("highest-allocated")
    result, more = divmod(starting_points(rules, "stat").value, len(PRIMARY))
    values = [max(low, min(high, result + (place < more))) for place in range(len(PRIMARY))]
    return Primary(*values)


def all_rounder(rules: Ruleset) -> Character:
    """A plain beginner, legal under any rules: skills are bought while points last, the other pools become goods and standing."""
    begun = Character(
        "All-Rounder",
        concept="an all-rounder",
        culture="Merovan",
        primary=shared_out(rules),
        gear=Gear(weapons=("short sword",), armour=("leather coat",)),
    )
    pools, given = accounts(rules, begun), given_ranks(rules, begun)
    left, skills = pools["skill"].left, {}
    for skill, rank in _WISHES:
        while rank >= 0 and skill_price(rules, rank, given.get(skill)).value > left:
            rank -= 1
        if rank > given.get(skill, -1):
            skills[skill] = rank
            left -= skill_price(rules, rank, given.get(skill)).value
    return replace(begun, skills=skills, wealth=max(0, pools["wealth"].left), status=max(0, pools["community"].left))
