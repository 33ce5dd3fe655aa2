"""Movement actions: going to a place, stances, turning, doors (book lines 3037-3051)."""

from functools import partial

from msgspec.structs import replace

from rulewright.field.destinations import doors_at_hand, what_it_means
from rulewright.field.field import NOTHING
from rulewright.field.places import Anywhere, Going, Pace
from rulewright.field.revealed import known_field
from rulewright.grammar import the
from rulewright.play import Choice, Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.events import Asked, happened
from rulewright.systems.foresight.combat.fighters import Action, Fight, Fighter
from rulewright.systems.foresight.combat.moves import (
    FAR,
    MOVES,
    after_action,
    change_stance,
    goals_of,
    meters_of,
    motion_of,
    moved,
    place_behind,
    turned,
)
from rulewright.systems.foresight.fight.actions.aid import in_need
from rulewright.systems.foresight.fight.actions.base import ActionKind, Moment, Offers
from rulewright.systems.foresight.resolution.situations import ACTIONS


class Go(ActionKind):
    """A movement from one place to another."""

    verb, sees_to_balance = "move", True

    def __init__(self, kind: str, does: str, doing: str) -> None:
        self.kind, self.does, self.doing = kind, does, doing  # type: ignore[misc]
        self.seen = "moves" if kind == "move" else ""  # type: ignore[misc]

    def offers(self, moment: Moment) -> Offers:
        meters = 0 if moment.held or moment.one.pins else meters_of(moment.rules, moment.one, self.kind)
        return (self.option(self.kind, self.kind.capitalize(), Action(self.kind, to="?"), f"{meters} m"),) if meters else ()

    def completed(self, rules: Ruleset, fight: Fight, name: str, action: Action, secret: bool) -> Play[Action]:
        if action.to != "?":
            return action
        places, about = where_options(fight, name, self.kind), Asked(fight, name, rules, action, name)
        return (yield from Choice(name, "Where to?", places, about, "where", secret=secret, where=anywhere(rules, fight, name, self.kind)))

    def possible(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> bool:
        return meters_of(rules, fighter, action.kind) > 0

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        """A movement, as far as it goes; a dive ends on the ground."""
        result, kind = fight.fighter(name), self.kind
        after = moved(fight, result, action.to, meters_of(rules, result, kind), turns=kind not in ("step", "roll"))
        how, _, where = action.to.partition(":")
        words = {
            "to": f"towards {where}",
            "reach": f"within reach of {where}",
            "away": f"away from {where}",
            "close": f"right up to {where}",
            "out": "out of sight",
            "door": f"to the {where}",
        }
        toward = words.get(how, f"to {where}") if "@" not in how else f"to {after.x:g}, {after.y:g}"
        yield from happened(fight, name, f"{self.does} {toward}")
        after = replace(after, motion=motion_of(rules, kind) or after.motion, stance="prone" if kind == "dive" else after.stance)
        fight = fight.put(after_action(rules, after, kind))
        yield from Tell(Stands(fight))
        return fight


GOING = {
    "move": Go("move", "moves", "moving"),
    "dash": Go("dash", "dashes", "dashing"),
    "evade": Go("evade", "weaves", "weaving"),
    "dive": Go("dive", "dives", "diving"),
    "step": Go("step", "steps", "stepping"),
    "roll": Go("roll", "rolls", "rolling"),
}
assert tuple(GOING) == MOVES


def anywhere(rules: Ruleset, fight: Fight, name: str, kind: str) -> Anywhere[Action]:
    """Any place that a movement takes a person to; behind a stroke one may say which way to look there, in degrees."""
    result, bare = fight.fighter(name), fight.bare
    return Anywhere(
        NOTHING if bare else fight.field,
        (result.x, result.y),
        (Pace(kind, GOING[kind].doing, float(meters_of(rules, result, kind))),),
        partial(_gone, kind),
        kind,
        means=partial(_means, fight, result),
        seen=None if bare else known_field(fight.map, fight.changes),
    )


def _gone(kind: str, going: Going) -> Action:
    """A movement to a place of one's own choosing, over the places that were named."""
    bends = ">".join([f"{x:g},{y:g}" for x, y in going.bends[1:]])
    return Action(kind, to=f"@{bends}{f'/{going.facing}' if going.facing is not None else ''}")


def _means(fight: Fight, fighter: Fighter, going: Going) -> tuple[str, ...]:
    """How near the nearest enemy would be, and what would shelter one there."""
    there = replace(fighter, x=going.spot[0], y=going.spot[1], cover="")
    foes = fight.known_enemies(fighter)
    return what_it_means(there, foes, [(foe.name, _hides(fight, foe, there)) for foe in foes])


def _hides(fight: Fight, foe: Fighter, there: Fighter) -> str | None:
    """The cover that would hide a person from an enemy: its name, "" for none, or None where the ground hides the person altogether."""
    if not fight.sees(foe, there):
        return None
    spot = fight.cover_from(foe, there)
    return spot.cover if spot is not None else ""


def where_options(fight: Fight, name: str, kind: str) -> tuple[Option[Action], ...]:
    """Where a movement may go: to people, away from them, behind cover, to a place that has a name, to a friend who needs help."""
    result = fight.fighter(name)

    def to(key: str, label: str) -> Option[Action]:
        return Option(key, label, Action(kind, to=key))

    ways = (("to", "Towards"), ("close", "Right up to"), ("reach", "Within reach of"), ("away", "Away from"))
    options = [to(f"{how}:{foe.name}", f"{words} {foe.name}") for foe in fight.known_enemies(result) for how, words in ways]
    options += [to(f"cover:{spot.name}", f"To {spot.name}") for spot in fight.ground.covers if spot.name != result.cover]
    options += [to(f"area:{area.name}", f"To {area.name}") for area in fight.ground.areas]
    for thing in dict.fromkeys([result.profile.weapons[at].name for at, _, _ in result.lying]):
        options.append(to(f"weapon:{thing}", f"To {the(thing)} on the ground"))
    options += [to(f"to:{friend.name}", f"Towards {friend.name}, who is hurt") for friend in in_need(fight, result)]
    return tuple(options) if fight.bare else (*options, *_places_on_map(fight, result, kind))


def _places_on_map(fight: Fight, fighter: Fighter, kind: str) -> list[Option[Action]]:
    """Behind the covers of the ground, to its doors, out of sight, or nowhere after all."""
    options = []
    for cover in fight.known_map.covers:
        if place_behind(fight, fighter, cover.name) is not None:
            words = f"Behind {cover.name} ({cover.cover})"
            options.append(Option(f"cover:{cover.name}", words, Action(kind, to=f"cover:{cover.name}")))
    keys = {goal.key for goal in goals_of(fight, fighter, FAR)}
    for wall in fight.map.walls:
        if wall.door not in ("", "secret") and f"to {wall.name}" in keys:
            options.append(Option(f"door:{wall.name}", f"To the {wall.name.removeprefix('the ')}", Action(kind, to=f"door:{wall.name}")))
    if "out of sight" in keys:
        options.append(Option("out:sight", "Out of sight", Action(kind, to="out:of sight")))
    return [*options, Option("here", "Stay here", Action(kind, to=f"@{fighter.x:g},{fighter.y:g}"))]


class TurnDoor(ActionKind):
    """A door is opened or shut."""

    kind, verb, counts_as = "door", "move", "concentrate"

    def offers(self, moment: Moment) -> Offers:
        if moment.held or moment.fight.bare:
            return ()
        at_hand = doors_at_hand(moment.fight.field, (moment.one.x, moment.one.y))
        return [self.option(door.key, door.label, Action("door", to=door.name), target=door.name) for door in at_hand]

    def possible(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> bool:
        return any(door.name == action.to for door in doors_at_hand(fight.field, (fighter.x, fighter.y)))

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        result = fight.fighter(name)
        door = next(candidate for candidate in doors_at_hand(fight.field, (result.x, result.y)) if candidate.name == action.to)
        yield from happened(fight, name, door.told)
        return fight.with_door(door)


class Stance(ActionKind):
    """A change of stance, from those in which it can be made."""

    verb = "move"

    def __init__(self, kind: str, label: str, does: str, *stances: str) -> None:
        self.kind, self.label, self.does, self.stances = kind, label, does, stances  # type: ignore[misc]

    def offers(self, moment: Moment) -> Offers:
        return (self.plain(self.label),) if moment.one.stance in self.stances else ()

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return change_stance(rules, fighter, self.kind)


class Rise(Stance):
    """Getting up, where nobody holds one down."""

    def offers(self, moment: Moment) -> Offers:
        return () if moment.held else super().offers(moment)

    def possible(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> bool:
        return fighter.stance != "standing"


class RollOver(Stance):
    """From one side to the other, on the ground."""

    counts_as = "roll"

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, stance="lying" if fighter.stance == "prone" else "prone")


STANCES = (
    Stance("kneel", "Kneel", "kneels", "standing", "squatting"),
    Stance("squat", "Squat", "squats", "standing", "kneeling"),
    RollOver("roll over", "Roll over", "rolls over", "prone", "lying"),
    Stance("drop", "Drop prone", "drops prone", "standing", "squatting", "kneeling"),
    Rise("rise", "Get up", "gets up", "squatting", "kneeling", "prone", "lying"),
)


class Recover(ActionKind):
    """Balance again."""

    kind, verb, does = "recover", "move", "recovers balance"

    def offers(self, moment: Moment) -> Offers:
        return () if moment.one.balanced else (self.plain("Recover balance"),)


class Facing(ActionKind):
    """A person turns to an enemy."""

    verb, seen, aimed = "move", "turns", " to "

    def says(self, fighter: Fighter, action: Action) -> str:
        return f"{self.kind}s to {action.target}"

    def after(self, rules: Ruleset, fight: Fight, item: Fighter, action: Action) -> Fighter:
        other = fight.fighter(action.target)
        return turned(item, other.x, other.y)


class Pivot(Facing):
    """By as much as leaves one's balance."""

    kind = "pivot"


class Turn(Facing):
    """By any angle."""

    kind = "turn"

    def offers(self, moment: Moment) -> Offers:
        fighter = moment.one
        for foe in moment.foes:
            angle = fighter.off_by(foe.x, foe.y)
            if angle and fighter.stance == "standing" and angle <= ACTIONS.get(moment.rules, PIVOT.kind).degrees:
                yield PIVOT.at(foe, "Pivot to")
            if angle:
                yield self.at(foe, "Turn to")


PIVOT = Pivot()
