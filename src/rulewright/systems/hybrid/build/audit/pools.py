"""Pools of points: transfers, overspending and its smallest repair (book chapter 10)."""

from collections.abc import Callable, Iterator
from functools import partial

from rulewright.build.audit import Problem, Repair, Saving, cheapest, short
from rulewright.systems.hybrid.build.audit.audited_character import Checked
from rulewright.systems.hybrid.people.characters import PointPool
from rulewright.systems.hybrid.people.creation import MOST, Account, points_moved, unlimited

Way = Saving[Callable[[], Repair]]
_PLAIN = {"wealth": "wealth", "community": "status"}


def moves(file: Checked) -> Iterator[Problem]:
    """Points moved between the pools."""
    rule_id, moved = "hyb-10-pools", file.character.moved
    for place, move in enumerate(moved):
        if move.points < 1:
            yield Problem(rule_id, f"moved.{place}", f"{move.points} points cannot be moved", 1 - move.points, file.drop("moved", place))
        elif move.out_of == move.into:
            yield Problem(rule_id, f"moved.{place}", f"points of {move.into} are moved to where they are", repair=file.drop("moved", place))
    total, most = points_moved(file.rules, moved).value, file.rules.number("most-points-moved")
    if total > most and not unlimited(file.rules):
        over = total - most
        place = max(range(len(moved)), key=lambda item: moved[item].points if moved[item].out_of != moved[item].into else 0)
        left = min(moved[place].points, MOST) - over
        fewer = Repair(f"move {left}", f"moved.{place}.points", left) if left > 0 else file.drop("moved", place)
        yield Problem(rule_id, "moved", f"{total} points are moved between pools where at most {most} may be", over, fewer)


def pools(file: Checked, pools: dict[PointPool, Account]) -> Iterator[Problem]:
    """Reports the points that are overspent or unspent in every pool."""
    for pool, account in pools.items():
        if account.left < 0:
            message = f"{account.spent} of {account.given.value} {pool} points spent"
            yield Problem(
                "hyb-10-pools", account.costs[0].field if account.costs else "moved", message, -account.left, _cheaper(file, pools, account)
            )
        elif account.left > 0:
            message = f"{account.left} of {account.given.value} {pool} points unspent"
            yield Problem("hyb-10-pools", "skills" if pool == "skill" else _PLAIN[pool], message, warning=True)


def _cheaper(file: Checked, pools: dict[PointPool, Account], account: Account) -> Repair:
    """The cheapest change; where there is none, a whole move goes."""
    over = -account.left
    ways = [*_fewer_moved(file, pools, account, over), *_savings(file, account, over), *_help(file, pools, account, over)]
    saving = cheapest(ways, over)
    if saving is not None:
        return saving()
    for place, move in enumerate(file.character.moved):
        if move.out_of == account.pool != move.into and move.points > 0:
            # The pool that got them lacks them then; the whole move goes, so that repairs never run in a circle.
            return file.without("moved", place, f"move nothing to {move.into}")
    return Repair("ask the gamemaster for more points")


def _fewer_moved(file: Checked, pools: dict[PointPool, Account], account: Account, over: int) -> Iterator[Way]:
    """Points that were moved away and that the pool they went to can spare."""
    for place, move in enumerate(file.character.moved):
        if move.out_of != account.pool or move.into == account.pool or move.points < 1:
            continue
        points = min(move.points, MOST)
        if points <= over and pools[move.into].left >= points:
            yield Saving(points, -2, partial(file.without, "moved", place, f"move nothing to {move.into}"))
        elif points > over and pools[move.into].left >= over:
            text = f"move {points - over} points to {move.into} instead of {move.points}"
            yield Saving(over, -2, partial(Repair, text, f"moved.{place}.points", points - over))


def _savings(file: Checked, account: Account, over: int) -> Iterator[Way]:
    for cost in account.costs:
        steps = min(cost.now - cost.least, -(-over // cost.step)) if cost.step and cost.field not in ("skills", "bought") else 0
        if steps > 0:
            saved = min(cost.points, steps * cost.step)
            text = f"lower {short(cost.label)} to {cost.now - steps} ({saved} points)"
            yield Saving(saved, cost.hurts, partial(Repair, text, cost.field, cost.now - steps))
        if cost.drop[0] and steps * cost.step < over:
            text = f"do without {short(cost.label)} ({cost.points} points)"
            yield Saving(cost.points, cost.hurts + 5, partial(file.without, cost.drop[0], cost.drop[1], text))


def _help(file: Checked, pools: dict[PointPool, Account], account: Account, over: int) -> Iterator[Way]:
    """Points left in another pool, where moving them is allowed."""
    so_far, most = points_moved(file.rules, file.character.moved).value, file.rules.number("most-points-moved")
    for pool, other in pools.items():
        if pool != account.pool and over <= min(other.left, MOST) and (unlimited(file.rules) or so_far + over <= most):
            entry = {"out_of": pool, "into": account.pool, "points": over}
            yield Saving(over, -1, partial(Repair, f"move {over} points from {pool}", "moved", [*file.plain["moved"], entry]))
