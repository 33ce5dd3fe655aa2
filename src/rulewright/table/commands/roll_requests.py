"""Handlers for roll requests: the gamemaster asks for a roll, a player proposes one."""

import msgspec

from rulewright.campaign.roll_scene import ROLL_REQUEST
from rulewright.errors import UserError
from rulewright.roll_requests import find_test
from rulewright.scenes.encounter import Encounter
from rulewright.scenes.record import Begun
from rulewright.table import limits, permissions
from rulewright.table.commands import messages as a
from rulewright.table.commands.campaign_messages import ForgetRequest, KeepRequest
from rulewright.table.commands.handlers import Context, Done, handles, known_character
from rulewright.table.commands.scenes import run_on
from rulewright.table.log import entries as e
from rulewright.table.log import told
from rulewright.table.log.campaign_entries import RequestForgotten, RequestKept
from rulewright.table.log.lines import Line
from rulewright.table.scenes.live_scene import Stage
from rulewright.table.scenes.roll_requests import build_request

MOST_KEPT = 100


@handles(a.AskForRoll)
def ask_for_roll(context: Context, action: a.AskForRoll) -> Done:
    table = context.table
    if len(table.open_scenes()) >= limits.OPEN_SCENES:
        raise UserError(f"at most {limits.OPEN_SCENES} scenes and roll requests can be open at once; end one first")
    built = build_request(table, action)
    staging = table.system.staging(ROLL_REQUEST)
    encounter = Encounter.begin(staging.scene(table.rules), built.request, built.request.title)
    begun = encounter.entries[0]
    assert isinstance(begun, Begun)
    limits.small(begun, "roll request", limits.LINE_BYTES)
    tactic = next(iter(staging.tactics))
    tactics = dict.fromkeys(built.request.people(), tactic)
    change = e.SceneBegun(max(table.scenes, default=0) + 1, begun, built.characters, {}, tactics, about=built.request.why)
    stage = Stage(table.system, Line(table.seq + 1, 0, context.member.id, change), change)
    return Done([told.beginning(change, stage.encounter), *run_on(context, stage)], str(change.scene))


@handles(KeepRequest)
def keep_request(context: Context, action: KeepRequest) -> Done:
    kept = context.table.campaign.requests
    name = limits.name(action.name, "name of the request", 120)
    if name not in kept and len(kept) >= MOST_KEPT:
        raise UserError(f"a table keeps at most {MOST_KEPT} roll requests; remove one first")
    build_request(context.table, action.request)  # refuses what could not be asked
    request = msgspec.to_builtins(action.request)
    limits.small(request, "roll request", 20_000)
    return Done([RequestKept(name, request)])


@handles(ForgetRequest)
def forget_request(context: Context, action: ForgetRequest) -> Done:
    if action.name not in context.table.campaign.requests:
        raise UserError(f"there is no kept roll request {action.name[:40]!r}")
    return Done([RequestForgotten(action.name)])


@handles(a.ProposeRoll)
def propose_roll(context: Context, action: a.ProposeRoll) -> Done:
    table = context.table
    character = known_character(context, action.character)
    permissions.check_owner(context.member, character)
    test = find_test(table.system.sheet(table.rules, character.thing(table.system)), action.test)
    if test is None:
        raise UserError(f"{character.name} has no test {action.test[:60]!r}")
    why = limits.prose(action.why, "reason", 300) if action.why.strip() else ""
    return Done([e.RollProposed(character.id, test.key, test.name, why)])
