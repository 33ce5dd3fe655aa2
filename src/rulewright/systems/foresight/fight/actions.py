"""The actions of a turn: what each costs, what is offered, and how it is carried out (book lines 3020-3088)."""

from functools import lru_cache, partial

from msgspec.structs import replace

from rulewright.errors import Wrong
from rulewright.field.field import NOTHING
from rulewright.field.goals import doors_at_hand, what_it_means
from rulewright.field.known import known_field
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.play import GAMEMASTER, Choice, Option, Play, Range, Stands, Tell, came_to
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.blows import AIMS, attack, attack_weapons, in_reach, ways_of, without_hands
from rulewright.systems.foresight.combat.events import TASK, Asked, Tried, happened
from rulewright.systems.foresight.combat.fighters import BARE, UNJAMMED, Action, Fight, Fighter
from rulewright.systems.foresight.combat.firing import aim, clear, discard, draw, fire, fire_options, guess_at, is_ready, reload
from rulewright.systems.foresight.combat.melee import arm_usable, open_arms
from rulewright.systems.foresight.combat.moves import (
    FAR,
    MOVES,
    TURN_BY,
    after_action,
    change_stance,
    goals_of,
    meters_of,
    motion_of,
    moved,
    place_behind,
    restless,
    turned,
)
from rulewright.systems.foresight.combat.pins import cuff, limbs_to_pin, maintain, may_cuff
from rulewright.systems.foresight.combat.shooting import can_fire, in_sight, may_aim
from rulewright.systems.foresight.fight.bonus import covers
from rulewright.systems.foresight.harm.body import condition
from rulewright.systems.foresight.people.skills import skill_row
from rulewright.systems.foresight.resolution.tests import BOTCH, Mod, Task, attempt, weighed

HARDEST = 10
"""How far the gamemaster may make a task harder or easier."""
FREE = ("signal", "style", "release")
"""What takes no action."""
COUNTS_AS = {
    "task": "concentrate",
    "door": "concentrate",
    "cuff": "concentrate",
    "clear": "concentrate",
    "struggle free": "concentrate",
    "roll over": "roll",
    "ready": "fire",
}
"""What some doings count as in the table of actions."""


def cost_kind(kind: str) -> str:
    """The action of the table that something counts as."""
    return COUNTS_AS.get(kind, kind)


def can_spend(fighter: Fighter, action: Action) -> bool:
    """Whether somebody has an action left for this."""
    kind = cost_kind(action.kind)
    return kind in FREE or fighter.acts > 0 or bool(fighter.bonuses and covers(fighter.bonus, kind)) or _by_laser(fighter, action)


def _by_laser(fighter: Fighter, action: Action) -> bool:
    """Whether the laser sight of the gun pays for an aim."""
    return action.kind == "aim" and not fighter.sighted and fighter.profile.weapons[action.weapon].bonus_aim > 0


def spend_action(fighter: Fighter, action: Action) -> Fighter:
    """One action less: a bonus action of that kind first, then the laser sight's own aim, then one of the two that everybody has."""
    kind = cost_kind(action.kind)
    if kind in FREE:
        return fighter
    if fighter.bonuses and covers(fighter.bonus, kind):
        return replace(fighter, bonuses=fighter.bonuses - 1)
    if _by_laser(fighter, action):
        return replace(fighter, sighted=True)
    if fighter.acts <= 0:
        raise Wrong(f"{fighter.name} has no action left to {kind}")
    return replace(fighter, acts=fighter.acts - 1)


# --- doing it -----------------------------------------------------------------------------------------------------------------


def do(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """Carry out an action whose price is paid."""
    kind = action.kind
    fight = fight.put(restless(fight.fighter(name), cost_kind(kind)))
    if kind in ("attack", "pin"):
        return (yield from attack(rules, fight, name, action))
    if kind in ("fire", "throw"):
        return (yield from fire(rules, fight, name, action))
    if kind in MOVES:
        return (yield from go(rules, fight, name, action))
    done = yield from _other(rules, fight, name, action)
    one = done.fighter(name)
    return done if kind in FREE else done.put(after_action(rules, one, cost_kind(kind)))


def _other(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    kind, one = action.kind, fight.fighter(name)
    match kind:
        case "aim":
            return (yield from aim(fight, name, action.target, action.weapon))
        case "draw":
            return (yield from draw(fight, name, action.weapon))
        case "reload":
            return (yield from reload(fight, name, action.weapon))
        case "discard":
            return (yield from discard(fight, name, action.weapon))
        case "clear":
            return (yield from clear(rules, fight, name, action.weapon))
        case "maintain pin":
            return (yield from maintain(rules, fight, name, action.target, action.to))
        case "cuff":
            return (yield from cuff(fight, name, action.target))
        case "door":
            door = next(each for each in doors_at_hand(fight.field, (one.x, one.y)) if each.name == action.to)
            yield from happened(fight, name, door.told)
            return fight.with_door(door)
        case "task":
            return (yield from try_task(rules, fight, name, action))
    yield from happened(fight, name, _said(one, action))
    return fight.put(_done(rules, fight, one, action))


def _said(one: Fighter, action: Action) -> str:
    words = {
        "feint": f"feints at {action.target}",
        "wind-up": "winds up",
        "brace": "braces the gun",
        "shoulder": "shoulders the gun",
        "drop": "drops prone",
        "kneel": "kneels",
        "squat": "squats",
        "rise": "gets up",
        "roll over": "rolls over",
        "recover": "recovers balance",
        "pivot": f"pivots to {action.target}",
        "turn": f"turns to {action.target}",
        "struggle free": "struggles with the ropes",
        "concentrate": f"concentrates ({one.concentrated + 1} in a row)",
        "signal": "gives the word",
        "release": "lets go",
        "style": f"takes up {action.to}" if action.to else "drops the style",
    }
    return words[action.kind]


def _done(rules: Ruleset, fight: Fight, one: Fighter, action: Action) -> Fighter:
    """Somebody after an action that needs no roll."""
    kind = action.kind
    if kind == "feint":
        return replace(one, feints=one.feints + 1)
    if kind == "wind-up":
        return replace(one, windups=one.windups + 1)
    if kind == "brace":
        return replace(one, braced=True)
    if kind == "shoulder":
        return replace(one, shouldered=True)
    if kind == "roll over":
        return replace(one, stance="lying" if one.stance == "prone" else "prone")
    if kind in ("pivot", "turn"):
        other = fight.fighter(action.target)
        return turned(one, other.x, other.y)
    if kind == "struggle free":
        return replace(one, entangled=max(0, one.entangled - 1))
    if kind == "concentrate":
        return replace(one, concentrated=one.concentrated + 1)
    if kind == "release":
        return replace(one, pins=())
    if kind == "style":
        styles = [style.name for style in one.profile.styles]
        return replace(one, style=styles.index(action.to) + 1 if action.to else 0)
    return one if kind in ("recover", "signal") else change_stance(rules, one, kind)


def go(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """A movement, as far as it goes; a dive ends on the ground."""
    one = fight.fighter(name)
    meters = meters_of(rules, one, action.kind)
    after = moved(fight, one, action.to, meters, turns=action.kind not in ("step", "roll"))
    how, _, where = action.to.partition(":")
    words = {"away": f"away from {where}", "close": f"right up to {where}", "out": "out of sight", "door": f"to the {where}"}
    toward = words.get(how, f"to {where}") if "@" not in how else f"to {after.x:g}, {after.y:g}"
    verb = {"move": "moves", "dash": "dashes", "evade": "weaves", "dive": "dives", "step": "steps", "roll": "rolls"}[action.kind]
    yield from happened(fight, name, f"{verb} {toward}")
    motion = motion_of(rules, action.kind)
    after = replace(after, motion=motion or after.motion, stance="prone" if action.kind == "dive" else after.stance)
    fight = fight.put(after_action(rules, after, action.kind))
    yield from Tell(Stands(fight))
    return fight


# --- asking -------------------------------------------------------------------------------------------------------------------


def choose_action(rules: Ruleset, fight: Fight, name: str, question: str, *, reacting: bool = False) -> Play[Action]:
    """What somebody does now, every part of it asked for: the action, then how or where."""
    options = action_options(rules, fight, name, reacting)
    secret = fight.aware_of(name) is not None
    chosen: Action = yield Choice(name, question, options, Asked(fight, name, rules), "act", secret)
    if chosen.way == "?":
        ways = way_options(rules, fight, name, chosen)
        about = Asked(fight, name, rules, chosen, name)
        chosen = yield Choice(name, f"How do you do it to {chosen.target}?", ways, about, "way", secret)
    if chosen.to == "?":
        places = where_options(fight, name, chosen.kind)
        about = Asked(fight, name, rules, chosen, name)
        chosen = yield Choice(name, "Where to?", places, about, "where", secret, anywhere(rules, fight, name, chosen.kind))
    if chosen.kind == "task":
        chosen = yield from _which_task(rules, fight, name, secret)
    if chosen.way.startswith("area") and not chosen.guess:
        chosen = yield from guess_at(rules, fight, name, chosen)
    return chosen


def abilities_of(fighter: Fighter) -> dict[str, Task]:
    """What somebody may try something with: attributes, and every skill that was learnt."""
    return {**{name: fighter.profile.task(name) for name in ("ST", "DX", "AG", "PC", "WP")}, **dict(fighter.profile.skills)}


def _which_task(rules: Ruleset, fight: Fight, name: str, secret: bool) -> Play[Action]:
    """The ability of a task, which is the player's to say, and its modifier, which is the gamemaster's."""
    options = tuple([Option(ability, ability, Action("task", to=ability)) for ability in abilities_of(fight.fighter(name))])
    chosen: Action = yield Choice(name, "With which ability?", options, Asked(fight, name, rules), "ability", secret)
    about = Asked(fight, name, rules, chosen, name)
    asked = f"{name} tries something ({chosen.to}). What is the modifier?"
    modifier: int = yield Choice(GAMEMASTER, asked, Range(-HARDEST, HARDEST), about, "task modifier", secret)
    return replace(chosen, guess=modifier)


def try_task(rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
    """A task of any ability at the gamemaster's modifier, with everything that weighs on the body."""
    one = fight.fighter(name)
    agile = action.to in ("AG", *[skill for skill, _ in one.profile.skills if "AG" in skill_row(rules, skill).attributes])
    worn = condition(rules, one.body, agility=agile, concentration=True)
    task = abilities_of(one)[action.to].plus(*worn, Mod("as the gamemaster says", action.guess, "fs-rule-of-thumb-modifiers"))
    rolled = yield from attempt(rules, task, name, f"a task ({action.to})")
    yield from Tell(Tried(who=name, ability=action.to, qr=rolled.qr, of=weighed(rules, task), known_to=fight.aware_of(name)))
    yield from came_to("success" if rolled.success else "botch" if rolled.qr == BOTCH else "failure", TASK, name)
    return fight


def anywhere(rules: Ruleset, fight: Fight, name: str, kind: str) -> Anywhere[Action]:
    """Any place that a movement takes somebody to; behind a stroke one may say which way to look there, in degrees."""
    one, bare = fight.fighter(name), fight.bare
    doing = {"move": "moving", "dash": "dashing", "evade": "weaving", "dive": "diving", "step": "stepping", "roll": "rolling"}[kind]
    return Anywhere(
        NOTHING if bare else fight.field,
        (one.x, one.y),
        (Pace(kind, doing, float(meters_of(rules, one, kind))),),
        partial(_gone, kind),
        kind,
        partial(_means, fight, one),
        None if bare else known_field(fight.map, fight.changes),
    )


def _gone(kind: str, going: Going) -> Action:
    """A movement to a place of one's own choosing, over the places that were named."""
    bends = ">".join([f"{x:g},{y:g}" for x, y in going.bends[1:]])
    return Action(kind, to=f"@{bends}{f'/{going.facing}' if going.facing is not None else ''}")


def _means(fight: Fight, one: Fighter, going: Going) -> tuple[str, ...]:
    """How near the nearest enemy would be, and what would shelter one there."""
    there = replace(one, x=going.spot[0], y=going.spot[1], cover="")
    foes = fight.known_enemies(one)
    return what_it_means(there, foes, [(foe.name, _hides(fight, foe, there)) for foe in foes])


def _hides(fight: Fight, foe: Fighter, there: Fighter) -> str | None:
    """What would hide somebody from an enemy: a cover, nothing, or (None) the ground altogether."""
    if not fight.sees(foe, there):
        return None
    spot = fight.cover_from(foe, there)
    return spot.cover if spot is not None else ""


def where_options(fight: Fight, name: str, kind: str) -> tuple[Option[Action], ...]:
    """Where a movement may go: to people, away from them, behind cover, to a place that has a name."""
    one, found = fight.fighter(name), []
    for foe in fight.known_enemies(one):
        for how, words in (("to", "To"), ("close", "Right up to"), ("reach", "Within reach of"), ("away", "Away from")):
            found.append(Option(f"{how}:{foe.name}", f"{words} {foe.name}", Action(kind, to=f"{how}:{foe.name}")))
    for spot in fight.ground.covers:
        if spot.name != one.cover:
            found.append(Option(f"cover:{spot.name}", f"To {spot.name}", Action(kind, to=f"cover:{spot.name}")))
    for area in fight.ground.areas:
        found.append(Option(f"area:{area.name}", f"To {area.name}", Action(kind, to=f"area:{area.name}")))
    for name in dict.fromkeys([one.profile.weapons[at].name for at, _, _ in one.lying]):
        found.append(Option(f"weapon:{name}", f"To the {name} that was thrown", Action(kind, to=f"weapon:{name}")))
    return tuple(found) if fight.bare else (*found, *_places_on_map(fight, one, kind))


def _places_on_map(fight: Fight, one: Fighter, kind: str) -> list[Option[Action]]:
    """Behind the covers of the ground, to its doors, out of sight, or nowhere after all."""
    found = []
    for cover in fight.known_map.covers:
        if place_behind(fight, one, cover.name) is not None:
            words = f"Behind {cover.name} ({cover.cover})"
            found.append(Option(f"cover:{cover.name}", words, Action(kind, to=f"cover:{cover.name}")))
    keys = {each.key for each in goals_of(fight, one, FAR)}
    for wall in fight.map.walls:
        if wall.door not in ("", "secret") and f"to {wall.name}" in keys:
            found.append(Option(f"door:{wall.name}", f"To the {wall.name.removeprefix('the ')}", Action(kind, to=f"door:{wall.name}")))
    if "out of sight" in keys:
        found.append(Option("out:sight", "Out of sight", Action(kind, to="out:of sight")))
    return [*found, Option("here", "Nowhere after all", Action(kind, to=f"@{one.x:g},{one.y:g}"))]


def way_options(rules: Ruleset, fight: Fight, name: str, chosen: Action) -> tuple[Option[Action], ...]:
    """How an attack is made: with what, at which part, as what kind; how a gun is fired; which limb is seized."""
    one, other = fight.fighter(name), fight.fighter(chosen.target)
    if chosen.kind in ("fire", "throw"):
        return fire_options(rules, fight, one, other, chosen.weapon)
    found = []
    if chosen.kind == "pin":
        return tuple([Option(limb, f"The {limb}", Action("pin", other.name, BARE, to=limb)) for limb in limbs_to_pin(fight, one, other)])
    for weapon in attack_weapons(fight, one, other):
        owned = one.profile.weapons[weapon]
        found.append(Option(f"{owned.name}", f"With {owned.name}", Action("attack", other.name, weapon)))
        for place in AIMS:
            at_part = Action("attack", other.name, weapon, aimed=place)  # type: ignore[arg-type]
            found.append(Option(f"{owned.name} at {place}", f"With {owned.name} at the {place}", at_part))
        for way in ways_of(fight, one, other, weapon):
            special = Action("attack", other.name, weapon, way)
            found.append(Option(f"{owned.name}: {way}", f"{way.capitalize()}, with {owned.name}", special))
    for way in without_hands(fight, one, other):
        found.append(Option(way, way.capitalize(), Action("attack", other.name, BARE, way)))
    return tuple(found)


@lru_cache(maxsize=20_000)
def action_options(rules: Ruleset, fight: Fight, name: str, reacting: bool = False) -> tuple[Option[Action], ...]:
    """Everything that somebody may do with the next action."""
    one = fight.fighter(name)
    found = [option for option in _all_options(rules, fight, one) if can_spend(one, option.value)]
    if reacting:
        return (*found, Option("hold", "Nothing after all", Action("hold")))
    return (*found, Option("wait", "Wait", Action("wait"), one.focus), Option("done", "End the turn", Action("done")))


def _all_options(rules: Ruleset, fight: Fight, one: Fighter) -> list[Option[Action]]:
    if one.entangled:
        return [Option("struggle free", "Struggle free", Action("struggle free"), f"{one.entangled} more")]
    foes = fight.enemies(one)
    found = _melee_options(rules, fight, one, foes) + _gun_options(rules, fight, one, foes)
    return found + _move_options(rules, fight, one, foes) + _free_options(fight, one)


def _melee_options(rules: Ruleset, fight: Fight, one: Fighter, foes: list[Fighter]) -> list[Option[Action]]:
    found: list[Option[Action]] = []
    near = False
    for foe in foes:
        weapons = attack_weapons(fight, one, foe)
        if not weapons and without_hands(fight, one, foe):
            found.append(Option(f"attack how:{foe.name}", f"Attack {foe.name} in some way", Action("attack", foe.name, way="?")))
        if weapons:
            near = True
            with_it = one.profile.weapons[weapons[0]].name
            found.append(Option(f"attack:{foe.name}", f"Attack {foe.name}", Action("attack", foe.name, weapons[0]), with_it))
            found.append(Option(f"attack how:{foe.name}", f"Attack {foe.name} in some way", Action("attack", foe.name, way="?")))
            found.append(Option(f"feint:{foe.name}", f"Feint at {foe.name}", Action("feint", foe.name), "-1 to the next defense"))
        if one.at(foe) == "close" and arm_usable(fight, one, BARE) and limbs_to_pin(fight, one, foe):
            found.append(Option(f"pin:{foe.name}", f"Seize a limb of {foe.name}", Action("pin", foe.name, way="?")))
    if near or one.weapon.thrown:
        found.append(Option("wind-up", "Wind up", Action("wind-up"), "+1 damage class"))
    for pin in one.pins:
        if not pin.kept:
            keep = Action("maintain pin", pin.of, to=pin.limb)
            found.append(Option(f"maintain:{pin.of}'s {pin.limb}", f"Keep hold of {pin.of}'s {pin.limb}", keep))
        if may_cuff(rules, pin.turns):
            found.append(Option(f"cuff:{pin.of}", f"Cuff {pin.of}", Action("cuff", pin.of)))
    return found


def _gun_options(rules: Ruleset, fight: Fight, one: Fighter, foes: list[Fighter]) -> list[Option[Action]]:
    found: list[Option[Action]] = []
    for at in dict.fromkeys((one.hand, one.off)):
        if at and one.profile.weapons[at].ranged:
            found += _held_gun(rules, fight, one, foes, at)
    arms = open_arms(fight, one)
    for at, owned in enumerate(one.profile.weapons):
        takes = 2 if owned.hands == "2" else 1
        if at and at not in (one.hand, one.off) and one.within_reach(at) and len(arms) >= takes:
            done = one.drawn if one.drawing == at else 0
            words = "Pick up" if one.gone[at] else "Draw"
            found.append(Option(f"draw:{owned.name}", f"{words} the {owned.name}", Action("draw", weapon=at), f"{done} of {owned.draw}"))
        if at and at in (one.hand, one.off):
            found.append(Option(f"discard:{owned.name}", f"Toss the {owned.name} away", Action("discard", weapon=at)))
    return found


def _held_gun(rules: Ruleset, fight: Fight, one: Fighter, foes: list[Fighter], at: int) -> list[Option[Action]]:
    owned, found = one.profile.weapons[at], []
    suffix = "" if at == one.hand else f" with {owned.name}"
    usable, grips = arm_usable(fight, one, at), [pin.grip for pin in fight.pinned(one.name)]
    kind = "throw" if owned.thrown else "fire"
    if can_fire(one, at) and usable:
        if not is_ready(rules, one, at):
            found.append(Option(f"ready{suffix}", f"Ready the {owned.name}", Action(kind, one.name, at)))
        for foe in foes:
            if one.side_of(foe) == "behind":
                continue
            if is_ready(rules, one, at) and in_sight(fight, one, foe):
                words = f"{'Throw' if owned.thrown else 'Fire'} at {foe.name}"
                found.append(Option(f"{kind}:{foe.name}{suffix}", words, Action(kind, foe.name, at)))
            if is_ready(rules, one, at) or owned.burst:
                how = Action(kind, foe.name, at, "?")
                found.append(Option(f"{kind} how:{foe.name}{suffix}", f"{kind.capitalize()} at {foe.name} in some way", how))
            if may_aim(fight, one, at) and in_sight(fight, one, foe):
                held = one.aim if (one.aim_at, one.aim_off) == (foe.name, bool(suffix)) else 0
                found.append(Option(f"aim:{foe.name}{suffix}", f"Aim at {foe.name}{suffix}", Action("aim", foe.name, at), f"+{held + 1}"))
    elif can_fire(one, at) and grips and set(grips) == {"free to fire"}:
        found.append(Option(f"fire wild{suffix}", "Fire in whatever direction", Action("fire", one.name, at, "wild")))
    if one.jams[at] != UNJAMMED and usable:
        found.append(Option(f"clear{suffix}", f"Work on the jammed {owned.name}", Action("clear", weapon=at)))
    if not owned.thrown and one.ammo[at] < owned.ammo and usable:
        found.append(Option(f"reload{suffix}", f"Reload the {owned.name}", Action("reload", weapon=at), f"{one.ammo[at]} of {owned.ammo}"))
    if owned.longarm and not one.shouldered and one.both_hands(at) and usable:
        found.append(Option("shoulder", f"Shoulder the {owned.name}", Action("shoulder")))
    spot = fight.braces_at(one)
    if spot is not None and spot.braces and not one.braced and not owned.thrown:
        found.append(Option("brace", f"Brace the {owned.name} on {spot.name}", Action("brace"), "+1"))
    return found


def _move_options(rules: Ruleset, fight: Fight, one: Fighter, foes: list[Fighter]) -> list[Option[Action]]:
    found: list[Option[Action]] = []
    held = any(pin.grip != "loose" for pin in fight.pinned(one.name))
    if not held and not one.pins:
        for kind in MOVES:
            meters = meters_of(rules, one, kind)
            if meters:
                found.append(Option(kind, kind.capitalize(), Action(kind, to="?"), f"{meters} m"))
    if not held and not fight.bare:
        at_hand = doors_at_hand(fight.field, (one.x, one.y))
        found.extend([Option(door.key, door.label, Action("door", to=door.name)) for door in at_hand])
    if one.stance in ("standing", "squatting"):
        found.append(Option("kneel", "Kneel", Action("kneel")))
    if one.stance in ("standing", "kneeling"):
        found.append(Option("squat", "Squat", Action("squat")))
    if one.flat:
        found.append(Option("roll over", "Roll over", Action("roll over")))
    else:
        found.append(Option("drop", "Drop prone", Action("drop")))
    if one.stance != "standing" and not held:
        found.append(Option("rise", "Get up", Action("rise")))
    if not one.balanced:
        found.append(Option("recover", "Recover balance", Action("recover")))
    for foe in foes:
        turn = one.off_by(foe.x, foe.y)
        if turn:
            if one.stance == "standing" and turn <= TURN_BY:
                found.append(Option(f"pivot:{foe.name}", f"Pivot to {foe.name}", Action("pivot", foe.name)))
            found.append(Option(f"turn:{foe.name}", f"Turn to {foe.name}", Action("turn", foe.name)))
    return found


def _free_options(fight: Fight, one: Fighter) -> list[Option[Action]]:
    found = [Option("concentrate", "Concentrate on something else", Action("concentrate"), f"{one.concentrated} in a row")]
    found.append(Option("task", "Try something else", Action("task"), "a task at the gamemaster's modifier"))
    if any(f.waiting and f.side == one.side and f.name != one.name and f.able for f in fight.fighters):
        found.append(Option("signal", "Give the word to those who wait", Action("signal"), "no action"))
    if one.pins:
        found.append(Option("release", "Let go", Action("release"), "no action"))
    for at, style in enumerate(one.profile.styles, 1):
        if at != one.style:
            found.append(Option(f"style:{style.name}", f"Take up {style.name}", Action("style", to=style.name), "no action"))
    return found


def still_possible(rules: Ruleset, fight: Fight, name: str, action: Action) -> bool:
    """Whether an action that was begun can still be done after others came first."""
    one = fight.fighter(name)
    if not one.able or (one.entangled and action.kind != "struggle free"):
        return False
    if any(pin.grip == "restrained" for pin in fight.pinned(name)):
        return False
    target = fight.fighter(action.target) if action.target else None
    if action.kind in ("attack", "pin", "feint"):
        return target is not None and not target.out and (action.kind == "feint" or in_reach(fight, one, target, action))
    if action.kind in ("fire", "throw"):
        held = action.weapon in (one.hand, one.off) and (target is None or fight.sees(one, target))
        return held and can_fire(one, action.weapon) and target is not None and (target is one or not target.out)
    if action.kind == "door":
        return any(door.name == action.to for door in doors_at_hand(fight.field, (one.x, one.y)))
    if action.kind in ("reload", "clear", "discard"):
        return action.weapon in (one.hand, one.off)
    if action.kind in MOVES:
        return meters_of(rules, one, action.kind) > 0
    return action.kind != "rise" or one.stance != "standing"
