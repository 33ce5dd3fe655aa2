"""Command Points: tactics and orders in a fight (book lines 6026-6082)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.play import Play, Scale, Tell, came_to
from rulewright.rules import Ruleset, Table, TableRow, rule
from rulewright.systems.silhouette.harm.events import Managed
from rulewright.systems.silhouette.resolution.modifiers import LEADERSHIP, group_modifier
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, action_test, skill_pool

Points = Literal["tactical", "leadership"]


class UseRow(TableRow, frozen=True):
    """Price and effect of a use of Command Points."""

    use: str
    cost: int
    defense: int = 0


USES = Table("sil-6.4.3-command-point-uses", UseRow)


class Member(Struct, frozen=True, cache_hash=True):
    """A member of a combat group: level of Combat Sense, Tactical Points used and Leadership Points received this round, and those left."""

    name: str
    combat_sense: int = 0
    used: int = 0
    received: int = 0
    orders: int = 0


class Command(Struct, frozen=True, cache_hash=True):
    """A combat group: its leader, Tactical Points left for the fight, Leadership Points to hand out this round."""

    leader: str
    leadership_complexity: int
    members: tuple[Member, ...]
    tactical: int = 0
    leadership: int = 0

    def member(self, name: str) -> Member:
        """Returns a member by name."""
        result = next((member for member in self.members if member.name == name), None)
        if result is None:
            raise UserError(f"{name} is not in {self.leader}'s group")
        return result

    def put(self, member: Member) -> "Command":
        """Returns the group with one member changed."""
        return replace(self, members=tuple([member if candidate.name == member.name else candidate for candidate in self.members]))


@rule("sil-6.4.3-tactical-command-points")
def tactical_points(complexity: int = 1, people: int = 2) -> int:
    """Returns the Tactical Points of a group of two or more: the leader's Complexity in Combat Sense."""
    return complexity if people >= 2 else 0


@rule("sil-6.4.3-tactical-command-points")
def form_group(
    rules: Ruleset, leader: str, members: tuple[Member, ...], combat_sense_complexity: int = 1, leadership_complexity: int = 1
) -> Command:
    """Forms a group. Its points last for the whole fight and do not come back; a lone fighter has none."""
    if leader not in [member.name for member in members]:
        raise UserError(f"the leader {leader} must be a member of the group")
    points = tactical_points(combat_sense_complexity, len(members)) if rules.on("command-points") else 0
    return Command(leader, leadership_complexity, members, points)


@rule("sil-6.4.3-tactical-command-points")
def may_use_tactical(command: Command, name: str, active: bool = True, enemy_active: bool = False) -> bool:
    """Whether a member may use Tactical Points: on their own action or in reply to an enemy's, up to the level of Combat Sense per
    round."""
    member = command.member(name)
    return command.tactical > 0 and (active or enemy_active) and member.used < member.combat_sense


@rule("sil-6.4.3-leadership-command-points")
def leadership_pool(
    rules: Ruleset,
    level: int,
    influence: int = 0,
    complexity: int = 1,
    followers: int = 3,
    situations: tuple[str, ...] = (),
    modifiers: tuple[Mod, ...] = (),
) -> Pool:
    """Returns the leader's pool: Leadership and Influence, group size, situation and the penalty for several actions. Complexity does
    not count: the book's example leaves it out, and it limits what a member may receive (ruling)."""
    mods = [Mod(name, LEADERSHIP.get(rules, name).modifier, "sil-6.4.3-leadership-modifiers") for name in situations]
    size = Mod("size of the group", group_modifier(rules, followers), "sil-6.4.3-leadership-modifiers")
    return skill_pool(rules, level, influence, complexity, complexity, False, "Influence", (size, *mods, *modifiers))


NOBODY = Command("", 1, ())
MOST_POINTS = 8
_POINTS = tuple([f"{n} points" for n in range(MOST_POINTS + 1)])
ORDERING = Scale(_POINTS, _POINTS[1:], "orders given")
"""Possible numbers of Leadership Points; more count as the last."""


@rule("sil-6.4.3-leadership-command-points")
def give_orders(rules: Ruleset, pool: Pool, command: Command = NOBODY, known_to: tuple[str, ...] | None = None) -> Play[Command]:
    """Plays a standard action at the start of a round: Leadership against 1; the margin is the number of Leadership Points."""
    if not rules.on("command-points"):
        raise UserError("this campaign has no Command Points (setting command-points)")
    if len(command.members) == 1:
        raise UserError("a leader needs at least one follower")
    test = yield from action_test(rules, pool, 1, command.leader, "giving orders")
    given = replace(command, leadership=max(0, test.margin))
    said, rule_id = f"gives orders ({count(given.leadership, 'Leadership Point')})", "sil-6.4.3-leadership-command-points"
    yield from Tell(Managed(command.leader, said, test, rule_id, label="Leadership test", known_to=known_to))
    yield came_to(f"{min(given.leadership, MOST_POINTS)} points", ORDERING, command.leader)
    return given


@rule("sil-6.4.3-leadership-command-points")
def hand_out(command: Command, name: str, points: int = 1) -> Command:
    """Gives Leadership Points to a member other than the leader, at most the Complexity of Leadership per round."""
    member = command.member(name)
    if name == command.leader:
        raise UserError("a leader cannot take their own Leadership Points")
    if not 1 <= points <= command.leadership:
        raise UserError(f"{points} Leadership Points requested, but {count(command.leadership, 'point')} left")
    if member.received + points > command.leadership_complexity:
        raise UserError(
            f"{name} can get at most {count(command.leadership_complexity, 'Leadership Point')} per round, not {member.received + points}"
        )
    given = replace(member, received=member.received + points, orders=member.orders + points)
    return replace(command.put(given), leadership=command.leadership - points)


@rule("sil-6.4.3-command-point-uses")
def spend(
    rules: Ruleset, command: Command, name: str, use: str = "free action", points: Points = "tactical", enemy_active: bool = False
) -> Command:
    """Spends a point on a free action, +2 on the next defense roll, acting before an opponent, or a stance change."""
    cost, member = USES.get(rules, use).cost, command.member(name)
    if points == "leadership":
        if member.orders < cost:
            raise UserError(f"{use} costs {count(cost, 'Leadership Point')}; {name} has {member.orders}")
        return command.put(replace(member, orders=member.orders - cost))
    if (
        not may_use_tactical(command, name, not enemy_active, enemy_active)
        or command.tactical < cost
        or member.used + cost > member.combat_sense
    ):
        raise UserError(
            f"{name} may use {count(member.combat_sense, 'Tactical Point')} per round and has used {member.used}; "
            f"the group has {command.tactical}"
        )
    return replace(command.put(replace(member, used=member.used + cost)), tactical=command.tactical - cost)


@rule("sil-6.4.3-command-point-uses")
def defense_bonus(rules: Ruleset) -> Mod:
    """Returns the bonus of a Command Point on the next defense roll."""
    return Mod("Command Point", USES.get(rules, "defense").defense, "sil-6.4.3-command-point-uses")


@rule("sil-6.4.3-leadership-command-points")
def new_round(command: Command) -> Command:
    """Starts a new round: Leadership Points expire, used Tactical Points stay used, and every member may use some again."""
    members = tuple([replace(member, used=0, received=0, orders=0) for member in command.members])
    return replace(command, members=members, leadership=0)
