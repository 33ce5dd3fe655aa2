"""Demonstration tables: a ready-made fight of any game, created on request and playable at once."""

from typing import Literal

from rulewright import files, library
from rulewright.errors import UserError
from rulewright.scenes.record import FIGHT
from rulewright.scenes.scenarios import Scenario
from rulewright.system import System, find, names
from rulewright.table import links
from rulewright.table.commands import messages as a
from rulewright.table.commands.characters import ready_made
from rulewright.table.seats import Hosting
from rulewright.table.service import Tables

HOST = "Rulewright"
"""The name of the gamemaster of a demo that a guest plays. Nobody has this seat; tactics answer for it."""


def scenarios(system_id: str) -> dict[str, Scenario]:
    """The ready-made scenarios of a game, by name: the one marked as first, those with hints, then the smallest fights."""
    return dict(sorted(library.scenarios(system_id).items(), key=lambda item: _rank(item[1])))


def _rank(scenario: Scenario) -> tuple[bool, bool, bool, int]:
    return not scenario.first, not scenario.demo.hints, scenario.scene != FIGHT, scenario.participants


def playable() -> list[System]:
    """The games that have a demonstration."""
    return [system for system in map(find, names()) if system.fights and scenarios(system.id)]


GuestRole = Literal["gamemaster", "player"]


def demonstrate(
    tables: Tables, system_id: str, device: str, scenario: str = "", name: str = "Guest", role: GuestRole = "gamemaster"
) -> Hosting:
    """Opens a table with a fight in progress. The guest controls one side; tactics control the others.

    A guest with the role of a player sees what a player sees: the gamemaster's seat stays empty.
    """
    system = find(system_id)
    known = scenarios(system.id)
    if not system.fights or not known:
        raise UserError(f"{system.name} has no demonstration fight")
    chosen = scenario or next(iter(known))
    if chosen not in known:
        raise UserError(f"{system.name} has no ready-made scenario {chosen[:60]!r}{files.did_you_mean(chosen[:60], known)}")
    demo = known[chosen]
    settings = dict(demo.settings)
    plays = role == "player"
    host, at_table = (HOST, links.token()) if plays else (name, device)
    hosting = tables.host(system.id, demo.name, host, at_table, preset=demo.preset or "", settings=settings, demo=chosen)
    player = tables.join(hosting.table, hosting.invitation, name, device).member if plays else ""
    staged = library.staged(
        ready_made(system, chosen, "scenario"), None, find_member=lambda reference: ready_made(system, reference, *system.kinds).thing
    )
    mine = tuple(placed.name for placed in staged.members if placed.side == demo.seat)
    if plays:
        tables.act(hosting.table, hosting.member, a.AllowHints(True))
    tables.act(hosting.table, hosting.member, a.BeginScene(ready=chosen, npcs="tactics", mine=mine, player=player))
    return hosting
