"""The starting state of a fighter, from the scenario or the character file."""

import msgspec
from msgspec.structs import replace

from rulewright.campaign.downtime import CAMPAIGN_FIELDS, campaign_problem
from rulewright.errors import UserError
from rulewright.files import set_at
from rulewright.grammar import join
from rulewright.rules import Ruleset, nearest
from rulewright.scenes.scenarios import Placed, by_place
from rulewright.systems.ore.combat.fighters import Fighter
from rulewright.systems.ore.combat.profiles import enter
from rulewright.systems.ore.fight.aftermath import CARRIES
from rulewright.systems.ore.people.characters import Character


def started(fighter: Fighter, member: Placed) -> Fighter:
    """A fighter with state from the scenario; `weapon` is the weapon in hand, other fields belong to fighter and body."""
    if not member.state:
        return fighter
    data = msgspec.to_builtins(fighter)
    names = [weapon.name for weapon in fighter.profile.weapons]
    lists = {"spent": names, "parts": [part.location for part in getattr(fighter.body, "parts", ())]}
    for written, value in member.state.items():
        field = by_place(written, lists)
        first, _, rest = field.partition(".")
        if field == "weapon" or (field == "off_hand" and isinstance(value, str)):
            if value not in names:
                raise UserError(f"{member.name}: weapon {value!r} is not carried; choose {join(names, 'or')}")
            data = set_at(data, "in_hand" if field == "weapon" else "off_hand", names.index(value))
        elif first == "spent" and rest:
            data["spent"] = [*[candidate for candidate in data["spent"] if candidate[0] != int(rest)], [int(rest), value]]
        elif field == "cover" and isinstance(value, str):
            data = set_at(data, "cover.name", value)
        elif first in data and first != "profile":
            data = set_at(data, field, value)
        elif first in type(fighter.body).__struct_fields__:
            data = set_at(data, f"body.{field}", value)
        else:
            known = ("weapon", *Fighter.__struct_fields__[1:], *type(fighter.body).__struct_fields__)
            raise UserError(f"{member.name}: state has no field {field!r}{nearest(field, known)}")
    return member.started(data, Fighter)


def as_left(rules: Ruleset, character: Character) -> Fighter | None:
    """A character with lasting results that fit this campaign; None without any, or with unknown weapons."""
    if not character.condition:
        return None
    try:
        fighter = enter(rules, character, character.name, "")
    except UserError:
        return None
    return _with_condition(fighter, character)


def between_scenes(rules: Ruleset, character: Character) -> Fighter:
    """A character between scenes, without weapons and armour, with the lasting results that fit this campaign."""
    bare = replace(character, weapons=(), armour={}, shield="")
    return _with_condition(enter(rules, bare, character.name, ""), bare)


def _with_condition(fighter: Fighter, character: Character) -> Fighter:
    for field, value in character.condition.items():
        try:
            fighter = started(fighter, Placed(character, character.name, "", None, {field: value}))
        except UserError:
            continue
    return fighter


def nonsense(rules: Ruleset, character: Character) -> dict[str, str]:
    """Invalid condition fields of a file, each with its problem."""
    result = {}
    for field, value in character.condition.items():
        first = field.partition(".")[0]
        if field in CAMPAIGN_FIELDS:
            if why := campaign_problem(field, value):
                result[field] = why
            continue
        if first not in CARRIES:
            result[field] = f"there is no condition {field!r}{nearest(first, CARRIES)}"
            continue
        try:
            fighter = enter(rules, character, character.name, "")
            if first in (*type(fighter.body).__struct_fields__, "stamina", "spent"):
                started(fighter, Placed(character, character.name, "", None, {field: value}))
        except UserError as error:
            result[field] = str(error)
    return result
