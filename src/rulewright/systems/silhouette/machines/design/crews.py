"""Crews: actions, quality, and computers in their place (book lines 2880-2899, 3436-3502, 4271-4290)."""

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, rule
from rulewright.rules.reasons import Derived, term, times, total
from rulewright.systems.silhouette.machines.design.rounding import Figure, whole
from rulewright.systems.silhouette.machines.tables import ACTIONS, COMPUTERS, CREW_QUALITY
from rulewright.systems.silhouette.machines.vehicle import Design, Mind, Vehicle

_QUALITY, _COMPUTER, _CREW = "sil-4.1.13-crew-quality", "sil-4.1.13-computer-crew", "sil-4.1.4-crew"


@cached(64)
def _steps(rules: Ruleset) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(ACTIONS.numbered(rules).items()))


@rule("sil-5.1.1-actions")
def crew_actions(rules: Ruleset, crew: int) -> Derived[int]:
    """Actions a round of a crew: two for one, and one more each time it doubles."""
    if crew < 0:
        raise UserError(f"the crew must be 0 or more, not {crew}")
    needed, actions = 0, 0
    for size, given in _steps(rules):
        if crew >= size:
            needed, actions = size, given
    while needed and crew >= 2 * needed:
        needed, actions = 2 * needed, actions + 1
    return total("Actions", term(f"a crew of {crew}", actions), rule=_CREW)


@rule("sil-4.1.4-crew")
def crew_of(design: Design) -> Derived[int]:
    """The number of people who count for actions: living crew, and the people that computers replace. Passengers do not count."""
    terms = [term("living crew", design.crew)] if design.crew or not design.computers else []
    terms += [term(f"{computer.mind} computer, counts as", computer.crew) for computer in design.computers]
    return total("Crew", *terms, rule=_CREW)


@rule("sil-4.1.4-crew")
def boarding(size: float, large_doors: bool = False) -> Derived[int]:
    """How many passengers enter or leave in a turn without an action, at 12 km/h or less: its Size, twice that with
    large doors. By id only."""
    doors = 2 if large_doors else 1
    return whole("Passengers a turn", term("Size", size), times("doors", doors), rule=_CREW, to="down")


@rule("sil-4.1.13-crew-quality")
def crew_multiplier(rules: Ruleset, level: int) -> Derived[Figure]:
    """The multiplier of Threat Value and cost of a crew's level; a qualified crew (2) comes with the machine."""
    row = CREW_QUALITY(rules).get(str(level))
    if row is None:
        raise UserError(f"a crew's level must be 1 to 8, not {level}")
    return total("Crew quality", term(f"{row.name} ({level})", row.multiplier, source=row.source), rule=_QUALITY)


@rule("sil-4.1.13-computer-crew")
def computer_multiplier(rules: Ruleset, level: int, mind: Mind = "dumb") -> Derived[Figure]:
    """The multiplier of Threat Value and cost of a computer's level, instead of a crew's."""
    row = COMPUTERS(rules).get(str(level))
    if row is None:
        raise UserError(f"a computer's level must be 1 to 8, not {level}")
    figure = row.dumb if mind == "dumb" else row.sentient
    return total("Computer crew", term(f"{mind} computer ({level})", figure, source=row.source), rule=_COMPUTER)


@rule("sil-4.1.13-computer-crew")
def computer_points(rules: Ruleset, level: int, mind: Mind = "dumb") -> Derived[int]:
    """Character Points for a computer's attributes: Creativity, Influence, Perception, Knowledge; Willpower and Psyche if it is
    sentient."""
    row = COMPUTERS(rules).get(str(level))
    if row is None:
        raise UserError(f"a computer's level must be 1 to 8, not {level}")
    points = row.dumb_points if mind == "dumb" else row.sentient_points
    return total("Character Points", term(f"{mind} computer ({level})", points), rule=_COMPUTER)


def quality_multiplier(rules: Ruleset, vehicle: Vehicle) -> Derived[Figure]:
    """The multiplier of the machine's crew or computers; of several kinds the highest (a ruling)."""
    minds = {computer for body in (vehicle, *vehicle.sections) for computer in body.computers}
    multipliers = [computer_multiplier(rules, computer.level, computer.mind) for computer in minds]
    if vehicle.crew or not multipliers:
        multipliers.append(crew_multiplier(rules, vehicle.crew_level))
    return max(multipliers, key=lambda derived: derived.value)


@rule("sil-4.1.13-crew-quality")
def crew_skills(level: int, scout: bool = False) -> dict[str, int]:
    """The levels of a crew's skills: Piloting, Gunnery and Leadership at the level, Information Warfare one below; scouts swap the
    last with Gunnery."""
    result = {"piloting": level, "gunnery": level, "leadership": level, "information warfare": level - 1}
    if scout:
        result["gunnery"], result["information warfare"] = level - 1, level
    return result
