"""What feats do in and with a vehicle: each roll is described to them in their own words, and what they give is taken (book 3752-4107)."""

from rulewright.rules import Ruleset
from rulewright.systems.ore.battle.engaged import Battle, Craft, Post, Wing
from rulewright.systems.ore.people.feat_effects import ANY_ACTION, ANY_ROLL, NO_HELP, Feats, Help, Try, helps, known, missing, names_of
from rulewright.systems.ore.resolution.tests import Mod

CALLED = {"land": ("landing",), "position": ("manoeuvre",)}
"""What feats call an action beside its own name."""
PLATFORM = "from the helicopter of such a pilot"


def feats_at(battle: Battle, post: Post) -> Feats:
    """The feats of whoever is at a post; crews without names have none."""
    person = battle.person(post.who)
    return person.fighter.profile.feats if person is not None else ()


def circumstances(battle: Battle, post: Post, target: str = "") -> tuple[str, ...]:
    """What holds of a roll: the sort of vehicle, rough ground, and whether the target has the worse Position."""
    unit = battle.unit(post.craft)
    mode = unit.machine.mode
    found = {"air": ["aircraft"], "land": ["ground vehicle"], "sea": ["at sea"]}.get(mode, ["spacecraft"])
    found += ["helicopter"] if mode == "air" and unit.machine.hovers else []
    found += ["in difficult terrain", "through terrain"] if battle.field.adverse else []
    found += ["through terrain"] if battle.field.streets and not battle.field.adverse else []
    other = next((each for each in battle.units if each.name == target), None)
    found += ["against a lower position"] if other is not None and other.position < unit.position else []
    return tuple(found)


def help_for(rules: Ruleset, battle: Battle, post: Post, kind: str, skill: str, target: str = "") -> Help:
    """What somebody's feats do for a roll at the controls or the guns."""
    feats = feats_at(battle, post)
    if not feats:
        return NO_HELP
    on = (kind, *CALLED.get(kind, ()), *names_of(rules, skill), ANY_ACTION, ANY_ROLL)
    return helps(rules, feats, Try(on=on, when=circumstances(battle, post, target)))


def steadied(rules: Ruleset, battle: Battle, post: Post) -> tuple[Mod, ...]:
    """Dice that a steady pilot gives to everybody else who does something from the vehicle."""
    pilot = battle.in_seat(post.craft, "pilot") if post.role not in ("pilot", "wing") else None
    if pilot is None or not pilot.fighter.profile.feats:
        return ()
    helicopter = "helicopter" in circumstances(battle, post)
    return helps(rules, pilot.fighter.profile.feats, Try(on=(ANY_ROLL,), when=(PLATFORM,) if helicopter else ())).mods


def handling_of(rules: Ruleset, battle: Battle, post: Post) -> int:
    """How a vehicle handles in the hands of whoever drives it."""
    feats, handling = feats_at(battle, post), battle.unit(post.craft).machine.handling
    return handling + (helps(rules, feats, Try(on=("handling",), when=circumstances(battle, post))).amount("handling") if feats else 0)


def eases_speed(rules: Ruleset, battle: Battle, post: Post) -> str:
    """The skill whose rating is taken off the Difficulty of driving too fast; none where no feat says so."""
    feats = feats_at(battle, post)
    when = (*circumstances(battle, post), "because of speed")
    return helps(rules, feats, Try(on=("handling",), when=when)).difficulty_by if feats else ""


def body_under_pressure(rules: Ruleset, feats: Feats, body: int) -> int:
    """Body as it counts against G-forces."""
    return body + (helps(rules, feats, Try(on=("g-force",))).amount("body") if feats else 0)


def collision_divisor(rules: Ruleset, battle: Battle, craft: Craft) -> int:
    """By what a good driver divides the damage of a collision; 1 for all of it."""
    pilot = battle.in_seat(craft.name, "pilot")
    if pilot is None or not pilot.fighter.profile.feats:
        return 1
    post = Post(pilot.name, craft.name, "pilot")
    given = helps(rules, pilot.fighter.profile.feats, Try(on=("collision",), when=circumstances(battle, post)))
    return max(1, given.amount("damage divided by"))


def rattles(rules: Ruleset, battle: Battle, post: Post) -> bool:
    """Whether whoever is sideswiped by this driver has the Width as Difficulty of the next roll at the wheel, and crashes without a set."""
    feats = feats_at(battle, post)
    return bool(feats) and "failure is a crash" in helps(rules, feats, Try(on=("sideswipe",), when=circumstances(battle, post)))


def by_instinct(rules: Ruleset, battle: Battle, post: Post) -> bool:
    """Whether Insight may stand for Sensors at the guns."""
    return "insight for sensors" in help_for(rules, battle, post, "lock-on", "gunnery")


def hovers_surely(rules: Ruleset, battle: Battle, post: Post) -> bool:
    """Whether hovering needs no roll: in fair weather, by a feat."""
    if battle.field.adverse:
        return False
    tried = Try(on=("hover",), when=circumstances(battle, post))
    return any(each.does.sure and missing(rules, each, tried) == () for each in known(rules, feats_at(battle, post)))


def both_at_once(rules: Ruleset, battle: Battle, post: Post) -> bool:
    """Whether driving and firing in one round cost no die."""
    unit = battle.unit(post.craft)
    if isinstance(unit, Wing):
        return False
    return any(set(each.does.free) == {"pilot", "gunnery"} for each in known(rules, feats_at(battle, post)))
