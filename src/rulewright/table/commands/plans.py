"""Handlers for plans and ongoing effects: what characters do while time passes, and what the gamemaster begins and ends."""

from typing import Any

from msgspec.structs import replace

from rulewright.campaign.activities.plan_text import read_assignment, read_effect
from rulewright.campaign.downtime import OngoingEffect, read_runs
from rulewright.errors import UserError
from rulewright.scenes.scenarios import CONDITION
from rulewright.table import permissions
from rulewright.table.campaign_state import Plan
from rulewright.table.commands import campaign_messages as a
from rulewright.table.commands.handlers import Context, Done, handles, known_character
from rulewright.table.log import campaign_entries as c
from rulewright.table.scenes.downtime import around, rules_of, scene_of
from rulewright.table.state import Character, Table

MOST_ASSIGNMENTS = 12
"""How many activities a plan holds."""
MOST_EFFECTS = 40
"""How many ongoing effects the gamemaster may begin for a character."""


def _plan_made(character_id: str, plan: Plan) -> c.PlanMade:
    return c.PlanMade(character_id, plan.exertion, plan.location, plan.doing)


@handles(a.PlanActivity)
def plan_activity(context: Context, action: a.PlanActivity) -> Done:
    table = context.table
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    activities = scene_of(table).activities
    line = read_assignment(table.rules, activities, action.activity, action.given, action.hours, around(table, character))
    plan = table.campaign.plan(character.id)
    others = tuple(other for other in plan.doing if other.key != line.key)
    if len(others) >= MOST_ASSIGNMENTS:
        raise UserError(f"a plan holds at most {MOST_ASSIGNMENTS} activities; drop one first")
    changed = any(other.key == line.key for other in plan.doing)
    doing = tuple(line if other.key == line.key else other for other in plan.doing) if changed else (*plan.doing, line)
    return Done([_plan_made(character.id, replace(plan, doing=doing))])


@handles(a.DropActivity)
def drop_activity(context: Context, action: a.DropActivity) -> Done:
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    plan = context.table.campaign.plan(character.id)
    left = tuple(line for line in plan.doing if line.key != (action.activity, action.aim))
    if len(left) == len(plan.doing):
        raise UserError(f"the plan of {character.name} has no activity {f'{action.activity} {action.aim}'.strip()[:60]!r}")
    return Done([_plan_made(character.id, replace(plan, doing=left))])


# --- ongoing effects ----------------------------------------------------------------------------------------------------------


@handles(a.BeginEffect)
def begin_effect(context: Context, action: a.BeginEffect) -> Done:
    table = context.table
    character = table.character(action.character)
    effect = read_effect(table.rules, rules_of(table), action.effect, action.given, action.hidden)
    if effect.known is not None:
        runs = (*_without(table.campaign.secrets.get(character.id, ()), effect.of, effect.about), effect)
        return Done([c.SecretEffects(character.id, _few(runs))])
    runs = (*_without(known_runs(table, character), effect.of, effect.about), effect)
    return Done([c.EffectsKept(character.id, _few(runs), f"{effect.of} {effect.about}".strip())])


@handles(a.EndEffect)
def end_effect(context: Context, action: a.EndEffect) -> Done:
    table = context.table
    character = table.character(action.character)
    secret, known = table.campaign.secrets.get(character.id, ()), known_runs(table, character)
    if len(_without(secret, action.effect, action.about)) < len(secret):
        return Done([c.SecretEffects(character.id, _without(secret, action.effect, action.about))])
    left = _without(known, action.effect, action.about)
    if len(left) == len(known):
        raise UserError(f"{character.name} has no effect {f'{action.effect} {action.about}'.strip()[:60]!r}")
    return Done([c.EffectsKept(character.id, left, f"end of {action.effect} {action.about}".strip())])


def known_runs(table: Table, character: Character) -> tuple[OngoingEffect, ...]:
    """The ongoing effects in a character's file."""
    condition: Any = getattr(character.thing(table.system), CONDITION, None)
    if condition is None:
        raise UserError(f"{character.name} keeps no condition, so nothing can run on")
    return read_runs(condition)


def _without(runs: tuple[OngoingEffect, ...], of: str, about: str) -> tuple[OngoingEffect, ...]:
    return tuple(run for run in runs if (run.of, run.about) != (of, about))


def _few(runs: tuple[OngoingEffect, ...]) -> tuple[OngoingEffect, ...]:
    if len(runs) > MOST_EFFECTS:
        raise UserError(f"a character has at most {MOST_EFFECTS} ongoing effects that were begun; end one first")
    return runs
