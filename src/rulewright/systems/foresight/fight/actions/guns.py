"""Gun and item actions: firing, aiming, drawing, reloading (book lines 3028-3036)."""

from msgspec.structs import replace

from rulewright.grammar import count, the
from rulewright.play import Play
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.fighters import UNJAMMED, Action, Fight, Fighter
from rulewright.systems.foresight.combat.gun_actions import aim, clear, discard, draw, fire, fire_options, guess_at, is_ready, reload
from rulewright.systems.foresight.combat.melee import arm_usable, open_arms
from rulewright.systems.foresight.combat.shots import can_fire, in_sight, may_aim
from rulewright.systems.foresight.fight.actions.base import ActionKind, Moment, Offers, asked_how


def suffix(fighter: Fighter, at: int) -> str:
    """A suffix that tells the keys of a gun in the off hand from those of the other."""
    return "" if at == fighter.hand else f" with {fighter.profile.weapons[at].name}"


class Fire(ActionKind):
    """A shot, or the action that makes the weapon ready for one."""

    kind, verb, seen, hostile, sees_to_balance = "fire", "attack", "fires", True, True

    def with_gun(self, moment: Moment, at: int) -> Offers:
        rules, fight, fighter = moment.rules, moment.fight, moment.one
        if not can_fire(fighter, at):
            return
        owned, which = fighter.profile.weapons[at], suffix(fighter, at)
        if arm_usable(fight, fighter, at):
            ready = is_ready(rules, fighter, at)
            if not ready:
                yield self.option(f"ready{which}", f"Ready {the(owned.name)}", Action(self.kind, fighter.name, at))
            for foe in moment.foes:
                if fighter.side_of(foe) != "behind":
                    yield from self._at_foe(fight, fighter, foe, at, ready)
                    yield from AIM.with_gun_at(fight, fighter, foe, at, which)
        elif {pin.grip for pin in fight.pinned(fighter.name)} == {"free to fire"}:
            yield self.option(f"fire wild{which}", "Fire in any direction", Action("fire", fighter.name, at, "wild"))

    def _at_foe(self, fight: Fight, fighter: Fighter, foe: Fighter, at: int, ready: bool) -> Offers:
        kind, name, which = self.kind, foe.name, suffix(fighter, at)
        if ready and in_sight(fight, fighter, foe):
            yield self.option(f"{kind}:{name}{which}", f"{kind.capitalize()} at {name}", Action(kind, name, at), target=name)
        if ready or fighter.profile.weapons[at].burst:
            how = Action(kind, name, at, "?")
            yield self.option(f"{kind} how:{name}{which}", f"{kind.capitalize()} at {name}: choose how", how, target=name)

    def completed(self, rules: Ruleset, fight: Fight, name: str, action: Action, secret: bool) -> Play[Action]:
        if action.way == "?":
            ways = fire_options(rules, fight, fight.fighter(name), fight.fighter(action.target), action.weapon)
            action = yield from asked_how(rules, fight, name, action, ways=ways, secret=secret)
        if action.way.startswith("area") and not action.guess:
            action = yield from guess_at(rules, fight, name, action)
        return action

    def possible(self, rules: Ruleset, fight: Fight, item: Fighter, action: Action) -> bool:
        target = fight.fighter(action.target)
        flag = action.weapon in (item.hand, item.off) and fight.sees(item, target)
        return flag and can_fire(item, action.weapon) and (target is item or not target.out)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return fire(rules, fight, name, action)


class Throw(Fire):
    """The same with something that is thrown."""

    kind, seen = "throw", "throws"


class Aim(ActionKind):
    """One more aim."""

    kind, verb, seen = "aim", "guard", "aims"

    def with_gun_at(self, fight: Fight, fighter: Fighter, foe: Fighter, at: int, which: str) -> Offers:
        """The options offered of it with a gun that can be fired at a person."""
        if may_aim(fight, fighter, at) and in_sight(fight, fighter, foe):
            number = fighter.aim if (fighter.aim_at, fighter.aim_off) == (foe.name, bool(which)) else 0
            trained = Action("aim", foe.name, at)
            yield self.option(f"aim:{foe.name}{which}", f"Aim at {foe.name}{which}", trained, f"+{number + 1}", foe.name)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return aim(fight, name, action.target, action.weapon)


AIM = Aim()


class InHand(ActionKind):
    """What is done to a weapon in hand."""

    verb = "gear"

    def possible(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> bool:
        return action.weapon in (fighter.hand, fighter.off)


class Clear(InHand):
    """Work on a jam."""

    kind, counts_as = "clear", "concentrate"

    def with_gun(self, moment: Moment, at: int) -> Offers:
        fighter = moment.one
        if fighter.jams[at] != UNJAMMED and arm_usable(moment.fight, fighter, at):
            words = f"Work on the jammed {fighter.profile.weapons[at].name}"
            yield self.option(f"clear{suffix(fighter, at)}", words, Action("clear", weapon=at))

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return clear(rules, fight, name, action.weapon)


class Reload(InHand):
    """One of the actions that load a weapon."""

    kind = "reload"

    def with_gun(self, moment: Moment, at: int) -> Offers:
        fighter = moment.one
        owned, left = fighter.profile.weapons[at], fighter.ammo[at]
        if not owned.thrown and left < owned.ammo and arm_usable(moment.fight, fighter, at):
            note = f"{left} of {owned.ammo} rounds"
            yield self.option(f"reload{suffix(fighter, at)}", f"Reload {the(owned.name)}", Action("reload", weapon=at), note)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return reload(fight, name, action.weapon)


class Shoulder(ActionKind):
    """A longarm is brought to the shoulder."""

    kind, verb, does = "shoulder", "gear", "shoulders the gun"

    def with_gun(self, moment: Moment, at: int) -> Offers:
        fighter = moment.one
        owned = fighter.profile.weapons[at]
        if owned.longarm and not fighter.shouldered and fighter.both_hands(at) and arm_usable(moment.fight, fighter, at):
            yield self.plain(f"Shoulder {the(owned.name)}")

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, shouldered=True)


class Brace(ActionKind):
    """A gun is braced on what one shelters behind."""

    kind, verb, does = "brace", "guard", "braces the gun"

    def with_gun(self, moment: Moment, at: int) -> Offers:
        fighter, spot = moment.one, moment.fight.braces_at(moment.one)
        owned = fighter.profile.weapons[at]
        if spot is not None and spot.braces and not fighter.braced and not owned.thrown:
            yield self.plain(f"Brace {the(owned.name)} on {spot.name}", "+1")

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, braced=True)


class Draw(ActionKind):
    """One of the actions that bring a weapon to hand, or pick it up; what is in hand can be tossed away."""

    kind, verb, seen = "draw", "gear", "draws"

    def offers(self, moment: Moment) -> Offers:
        fighter, arms = moment.one, len(open_arms(moment.fight, moment.one))
        for at, owned in enumerate(fighter.profile.weapons):
            if not at:
                continue
            if at in (fighter.hand, fighter.off):
                yield self.option(f"discard:{owned.name}", f"Toss {the(owned.name)} away", Action("discard", weapon=at))
            elif fighter.within_reach(at) and arms >= (2 if owned.hands == "2" else 1):
                done = fighter.drawn if fighter.drawing == at else 0
                words = "Pick up" if fighter.gone[at] else "Draw"
                note = f"{done} of {count(owned.draw, 'action')} done"
                yield self.option(f"draw:{owned.name}", f"{words} {the(owned.name)}", Action("draw", weapon=at), note)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return draw(fight, name, action.weapon)


class Discard(InHand):
    """A weapon is tossed away; it is offered together with drawing others."""

    kind = "discard"

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return discard(fight, name, action.weapon)
