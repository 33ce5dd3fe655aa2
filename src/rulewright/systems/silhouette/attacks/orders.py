"""Stances and Command Points in a fight (book lines 6014-6045)."""

from msgspec.structs import replace

from rulewright.grammar import a, count, join
from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Together
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.attacks.attack_setup import DRUNK
from rulewright.systems.silhouette.attacks.emergency_dice import spend_emergency_dice
from rulewright.systems.silhouette.attacks.special_effects import mimicked
from rulewright.systems.silhouette.combat.command import Command, give_orders, hand_out, leadership_pool, may_use_tactical, new_round, spend
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter, Situation, UnderWay, reach_of
from rulewright.systems.silhouette.combat.stances import STANCES, Stance, in_stance
from rulewright.systems.silhouette.resolution.modifiers import CLOSE, RANGED
from rulewright.systems.silhouette.resolution.tests import Mod

# --- the beginning of a round -------------------------------------------------------------------------------------------------


def open_round(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Starts a round: everybody able takes a stance, if the campaign has them, and last round's orders expire."""
    for command in fight.commands:
        fight = fight.with_command(new_round(command))
    if not rules.on("stances"):
        return fight
    options = tuple([Option(name, name.capitalize(), row.stance) for name, row in STANCES(rules).items()])
    able = [f for f in fight.fighters if f.body.able and not f.unwary]
    asked = [Choice(f.name, "Which stance do you take?", options, Situation(fight, f.name, rules), "stance", f.hidden) for f in able]
    stances = yield from Together(tuple(asked))
    for fighter, stance in zip(able, stances, strict=True):
        if stance != fighter.stance:
            fight = fight.change(fighter.name, stance=stance)
    return fight


_ORDERS: tuple[Option[int], ...] = (
    Option("no", "No orders", 0),
    Option("only", "Give orders and do nothing else this round", 1),
    *[Option(f"and {n - 1}", f"Give orders and take {count(n - 1, 'more action')}", n) for n in (2, 3)],
)


_WELL: tuple[Option[bool], ...] = (Option("no", "Normally", False), Option("yes", "Well played", True))


def give_command(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Lets a leader spend an action on orders at the start of a round and hand out the points."""
    for command in fight.commands:
        leader = fight.fighter(command.leader)
        acts = any(leader.name in group for group in fight.queue)
        if not acts or leader.confused or not leader.body.able or not _followers(fight, command):
            continue
        about = Situation(fight, leader.name, rules)
        declared = yield from Choice(leader.name, "Do you give orders this round?", _ORDERS, about, "orders", leader.hidden)
        if not declared:
            continue
        fight = fight.change(leader.name, ordered=declared)
        if fight.swayed:
            fight, leader = yield from mimicked(rules, fight, leader.name, "leadership")
        trained = leader.profile.trained("leadership")
        close = any(foe.distance(leader) <= reach_of(rules, foe.profile, foe.weapon) for foe in fight.enemies(leader))
        mods = (
            *trained.mods,
            Mod("multiple actions", 1 - declared, "sil-3.1.1-multiple-actions"),
            Mod("wounds", leader.body.acting_penalty, "sil-3.5.2-action-penalties"),
            *_conditions(rules, fight, leader, close),
        )
        followers = len(_followers(fight, command))
        well = yield from Choice(GAMEMASTER, f"{leader.name} gives orders. Did the player act them out well?", _WELL, about, "well played")
        where = (*(("leader in close combat",) if close else ()), *(("well played",) if well else ()))
        influence = leader.profile.attribute("influence")
        pool = leadership_pool(rules, trained.level, influence, trained.complexity, followers, where, mods)
        pool = in_stance(rules, pool, leader.stance, "task", False)
        fight, pool = yield from spend_emergency_dice(rules, fight, leader.name, pool, "the orders")
        command = yield from give_orders(rules, pool, command, fight.knowing(leader.name))
        fight = yield from _hand_out(rules, fight.with_command(command), command)
    return fight


def _conditions(rules: Ruleset, fight: Fight, leader: Fighter, close: bool) -> tuple[Mod, ...]:
    """Returns the modifiers of light and drink on a leader, from the close or the ranged table."""
    table = CLOSE if close else RANGED
    rows = [table(rules)[text] for text in (fight.light_on(leader), DRUNK[leader.drunk]) if text in table(rules)]
    return tuple([Mod(row.situation, row.attack, table.rule) for row in rows])


def _followers(fight: Fight, command: Command) -> list[str]:
    return [m.name for m in command.members if m.name != command.leader and fight.fighter(m.name).body.able]


def _hand_out(rules: Ruleset, fight: Fight, command: Command) -> Play[Fight]:
    for name in _followers(fight, command):
        most = min(command.leadership, command.leadership_complexity - command.member(name).received)
        if most < 1:
            continue
        about = Situation(fight, command.leader, rules)
        points = yield from Choice[int](command.leader, f"How many Leadership Points does {name} get?", Range(0, most), about, "hand out")
        if points:
            command = hand_out(command, name, points)
            fight = fight.with_command(command)
    return fight


# --- using points -------------------------------------------------------------------------------------------------------------


def _source_of_point(command: Command | None, name: str, enemy_active: bool) -> str:
    """Returns the source of a Command Point: own orders first, then the group's tactics; empty if there is none."""
    if command is None:
        return ""
    if command.member(name).orders > 0:
        return "leadership"
    return "tactical" if may_use_tactical(command, name, not enemy_active, enemy_active) else ""


def _spend_point(rules: Ruleset, fight: Fight, name: str, use: str, enemy_active: bool) -> Fight:
    command = fight.command_of(name)
    assert command is not None
    points = _source_of_point(command, name, enemy_active)
    return fight.with_command(spend(rules, command, name, use, points, enemy_active))  # type: ignore[arg-type]


_OWN: tuple[Option[str], ...] = (
    Option("no", "No Command Point", ""),
    Option("free action", "Free action (1 Command Point)", "free action"),
)
_STANCE: Option[str] = Option("change stance", "Change stance (1 Command Point)", "change stance")


def use_points(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """Offers a free action or a stance change for a Command Point at the start of a turn."""
    name = turn.name
    if not fight.commands or not _source_of_point(fight.command_of(name), name, False):
        return fight, turn
    options = (*_OWN, _STANCE) if rules.on("stances") else _OWN
    about = Situation(fight, name, rules, turn)
    use = yield from Choice(name, "Do you use a Command Point?", options, about, "command")
    if use == "free action":
        yield happened(fight, name, "uses a Command Point for a free action")
        return _spend_point(rules, fight, name, use, False), replace(turn, left=turn.left + 1)
    if use == "change stance":
        stances = tuple([Option(key, key.capitalize(), row.stance) for key, row in STANCES(rules).items()])
        stance: Stance = yield from Choice(name, "Which stance do you take?", stances, about, "stance")
        yield happened(fight, name, f"changes to {a(f'{stance} stance')}")
        return _spend_point(rules, fight, name, use, False).change(name, stance=stance), turn
    return fight, turn


_SOONER: tuple[Option[bool], ...] = (Option("no", "Wait for your turn", False), Option("yes", "Act first (1 Command Point)", True))
_GUARD: tuple[Option[bool], ...] = (Option("no", "Defend normally", False), Option("yes", "+2 on defense (1 Command Point)", True))


def pre_empted(rules: Ruleset, fight: Fight, group: tuple[str, ...]) -> Play[Fight | None]:
    """Lets a fighter spend a Command Point to act before an enemy; None if nobody does."""
    acting = {fight.fighter(name).side for name in group}
    if fight.frozen or len(acting) != 1:
        return None
    for waiting in fight.queue[1:]:
        for name in waiting:
            result = fight.fighter(name)
            if result.side in acting or result.confused or not result.body.able or not _source_of_point(fight.command_of(name), name, True):
                continue
            about = Situation(fight, name, rules)
            if (yield from Choice(name, f"{join(group)} will act. Do you go first?", _SOONER, about, "sooner", result.hidden)):
                yield happened(fight, name, f"spends a Command Point to act before {join(group)}")
                fight = _spend_point(rules, fight, name, "out of sequence", True)
                rest = [tuple([other for other in others if other != name]) for others in fight.queue]
                return replace(fight, queue=((name,), *[others for others in rest if others]))
    return None


def guard_by_point(rules: Ruleset, fight: Fight, target: Fighter, attacker: str) -> Play[Fight]:
    """Lets a target spend a Command Point for +2 on the defense."""
    name = target.name
    if not fight.commands or target.guarded or target.unwary or not _source_of_point(fight.command_of(name), name, True):
        return fight
    about = Situation(fight, name, rules)
    if (yield from Choice(name, f"{attacker} attacks. Do you use a Command Point?", _GUARD, about, "guard point")):
        yield happened(fight, name, "uses a Command Point to defend")
        return _spend_point(rules, fight, name, "defense", True).change(name, guarded=True)
    return fight
