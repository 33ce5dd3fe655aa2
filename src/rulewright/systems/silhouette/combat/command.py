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
    """What a Command Point buys."""

    use: str
    cost: int
    defense: int = 0


USES = Table("sil-6.4.3-command-point-uses", UseRow)


class Member(Struct, frozen=True, cache_hash=True):
    """Somebody of a combat group: the level of Combat Sense, Tactical Points used and Leadership Points received this round, and those
    still in hand."""

    name: str
    combat_sense: int = 0
    used: int = 0
    received: int = 0
    orders: int = 0


class Command(Struct, frozen=True, cache_hash=True):
    """A combat group: its leader, Tactical Points left for the encounter, Leadership Points to be handed out this round."""

    leader: str
    leadership_complexity: int
    members: tuple[Member, ...]
    tactical: int = 0
    leadership: int = 0

    def member(self, name: str) -> Member:
        """One of the group."""
        result = next((member for member in self.members if member.name == name), None)
        if result is None:
            raise UserError(f"{name} is not in {self.leader}'s group")
        return result

    def put(self, member: Member) -> "Command":
        """The group with another state of one member."""
        return replace(self, members=tuple([member if candidate.name == member.name else candidate for candidate in self.members]))


@rule("sil-6.4.3-tactical-command-points")
def tactical_points(complexity: int = 1, people: int = 2) -> int:
    """A group of two or more begins an encounter with as many Tactical Points as its leader's Complexity in Combat Sense."""
    return complexity if people >= 2 else 0


@rule("sil-6.4.3-tactical-command-points")
def form_group(
    rules: Ruleset, leader: str, members: tuple[Member, ...], combat_sense_complexity: int = 1, leadership_complexity: int = 1
) -> Command:
    """Points are there for the whole encounter and do not come back; a lone fighter has none."""
    if leader not in [member.name for member in members]:
        raise UserError(f"the leader {leader} must be a member of the group")
    points = tactical_points(combat_sense_complexity, len(members)) if rules.on("command-points") else 0
    return Command(leader, leadership_complexity, members, points)


@rule("sil-6.4.3-tactical-command-points")
def may_use_tactical(command: Command, name: str, active: bool = True, enemy_active: bool = False) -> bool:
    """A member may use Tactical Points when acting, or in answer to an enemy who acts; a round no more than the Combat Sense level."""
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
    """What a leader rolls: Leadership and Influence, the size of the group and the situation; many actions cost as always. Complexity
    does not count: the book's example leaves it out, and it caps what one may be given instead (ruling)."""
    mods = [Mod(name, LEADERSHIP.get(rules, name).modifier, "sil-6.4.3-leadership-modifiers") for name in situations]
    size = Mod("size of the group", group_modifier(rules, followers), "sil-6.4.3-leadership-modifiers")
    return skill_pool(rules, level, influence, complexity, complexity, False, "Influence", (size, *mods, *modifiers))


NOBODY = Command("", 1, ())
MOST_POINTS = 8
_POINTS = tuple([f"{n} points" for n in range(MOST_POINTS + 1)])
ORDERING = Scale(_POINTS, _POINTS[1:], "orders given")
"""How many Leadership Points orders can come to; more are as good as the last."""


@rule("sil-6.4.3-leadership-command-points")
def give_orders(rules: Ruleset, pool: Pool, command: Command = NOBODY, known_to: tuple[str, ...] | None = None) -> Play[Command]:
    """A standard action at the start of a round: Leadership against 1; the margin is the Leadership Points of this round."""
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
    """The leader hands Leadership Points to others, never to himself; to one of them no more in a round than the Complexity of
    Leadership."""
    member = command.member(name)
    if name == command.leader:
        raise UserError("a leader cannot take their own Leadership Points")
    if not 1 <= points <= command.leadership:
        raise UserError(f"{points} Leadership Points requested, but {count(command.leadership, 'point')} left")
    if member.received + points > command.leadership_complexity:
        raise UserError(
            f"{name} can receive at most {count(command.leadership_complexity, 'Leadership Point')} per round, not {member.received + points}"
        )
    given = replace(member, received=member.received + points, orders=member.orders + points)
    return replace(command.put(given), leadership=command.leadership - points)


@rule("sil-6.4.3-command-point-uses")
def spend(
    rules: Ruleset, command: Command, name: str, use: str = "free action", points: Points = "tactical", enemy_active: bool = False
) -> Command:
    """A point buys a free action, 2 more on the next defense roll, acting before an opponent, or another stance in mid-round."""
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
    """What a point adds to the next defense roll."""
    return Mod("Command Point", USES.get(rules, "defense").defense, "sil-6.4.3-command-point-uses")


@rule("sil-6.4.3-leadership-command-points")
def new_round(command: Command) -> Command:
    """Leadership Points last for their round; what was used of Tactical Points stays used, though everybody may use some again."""
    members = tuple([replace(member, used=0, received=0, orders=0) for member in command.members])
    return replace(command, members=members, leadership=0)
