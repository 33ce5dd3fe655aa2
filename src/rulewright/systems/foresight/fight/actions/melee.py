"""Close combat actions: attacks, feints, wind-ups, grips (book lines 3023-3027, 3114-3253)."""

from msgspec.structs import replace

from rulewright.play import Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.foresight.combat.attack_exchange import AIMS, attack, attack_weapons, in_reach, ways_of, without_hands
from rulewright.systems.foresight.combat.fighters import BARE, Action, Fight, Fighter
from rulewright.systems.foresight.combat.melee import arm_usable
from rulewright.systems.foresight.combat.pins import cuff, limbs_to_pin, maintain, may_cuff
from rulewright.systems.foresight.fight.actions.base import ActionKind, Moment, Offers, asked_how


class Reaching(ActionKind):
    """What needs an enemy within reach."""

    def possible(self, rules: Ruleset, fight: Fight, item: Fighter, action: Action) -> bool:
        target = fight.fighter(action.target)
        return not target.out and in_reach(fight, item, target, action)


class Attack(Reaching):
    """A blow, or a special attack."""

    kind, verb, seen, hostile, sees_to_balance = "attack", "attack", "strikes", True, True

    def against(self, moment: Moment, foe: Fighter, weapons: list[int]) -> Offers:
        fighter = moment.one
        if weapons:
            first = weapons[0]
            yield self.at(foe, "Attack", Action("attack", foe.name, first), fighter.profile.weapons[first].name)
        if weapons or without_hands(moment.fight, fighter, foe):
            how = Action("attack", foe.name, way="?")
            yield self.option(f"attack how:{foe.name}", f"Attack {foe.name}: choose how", how, target=foe.name)

    def completed(self, rules: Ruleset, fight: Fight, name: str, action: Action, secret: bool) -> Play[Action]:
        if action.way != "?":
            return action
        ways = self.ways(fight, fight.fighter(name), fight.fighter(action.target))
        return (yield from asked_how(rules, fight, name, action, ways=ways, secret=secret))

    def ways(self, fight: Fight, fighter: Fighter, other: Fighter) -> tuple[Option[Action], ...]:
        """How an attack is made: with what, at which part, as what kind."""
        options = []
        for weapon in attack_weapons(fight, fighter, other):
            owned = fighter.profile.weapons[weapon]
            options.append(Option(f"{owned.name}", f"With {owned.name}", Action("attack", other.name, weapon)))
            for place in AIMS:
                at_part = Action("attack", other.name, weapon, aimed=place)  # type: ignore[arg-type]
                options.append(Option(f"{owned.name} at {place}", f"With {owned.name} at the {place}", at_part))
            for way in ways_of(fight, fighter, other, weapon):
                special = Action("attack", other.name, weapon, way)
                options.append(Option(f"{owned.name}: {way}", f"{way.capitalize()}, with {owned.name}", special))
        for way in without_hands(fight, fighter, other):
            options.append(Option(way, way.capitalize(), Action("attack", other.name, BARE, way)))
        return tuple(options)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return attack(rules, fight, name, action)


class Feint(ActionKind):
    """What makes the next defense harder."""

    kind, verb, seen = "feint", "special", "feints"

    def against(self, moment: Moment, foe: Fighter, weapons: list[int]) -> Offers:
        return (self.at(foe, "Feint at", note="-1 to the next defense"),) if weapons else ()

    def possible(self, rules: Ruleset, fight: Fight, item: Fighter, action: Action) -> bool:
        return not fight.fighter(action.target).out

    def says(self, fighter: Fighter, action: Action) -> str:
        return f"feints at {action.target}"

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, feints=fighter.feints + 1)


class Pin(Reaching):
    """An attempt to hold a limb."""

    kind, verb, seen, sees_to_balance = "pin", "special", "grabs", True

    def against(self, moment: Moment, foe: Fighter, weapons: list[int]) -> Offers:
        fight, fighter = moment.fight, moment.one
        if fighter.at(foe) == "close" and arm_usable(fight, fighter, BARE) and limbs_to_pin(fight, fighter, foe):
            yield self.at(foe, "Seize a limb of", Action("pin", foe.name, way="?"))

    def completed(self, rules: Ruleset, fight: Fight, name: str, action: Action, secret: bool) -> Play[Action]:
        if action.way != "?":
            return action
        result, other = fight.fighter(name), fight.fighter(action.target)
        limbs = limbs_to_pin(fight, result, other)
        ways = tuple([Option(limb, f"The {limb}", Action("pin", other.name, BARE, to=limb)) for limb in limbs])
        return (yield from asked_how(rules, fight, name, action, ways=ways, secret=secret))

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return attack(rules, fight, name, action)


class WindUp(ActionKind):
    """What adds to the next blow or throw."""

    kind, verb, does = "wind-up", "special", "winds up"

    def offers(self, moment: Moment) -> Offers:
        return (self.plain("Wind up", "+1 damage class"),) if any(moment.strikes) or moment.one.weapon.thrown else ()

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, windups=fighter.windups + 1)


class Maintain(ActionKind):
    """Keeping hold of a limb; with every grip that has lasted cuffs are offered too."""

    kind, verb = "maintain pin", "special"

    def offers(self, moment: Moment) -> Offers:
        for pin in moment.one.pins:
            if not pin.kept:
                keep = Action("maintain pin", pin.of, to=pin.limb)
                yield self.option(f"maintain:{pin.of}'s {pin.limb}", f"Keep hold of {pin.of}'s {pin.limb}", keep, target=pin.of)
            if may_cuff(moment.rules, pin.turns):
                yield CUFF.option(f"cuff:{pin.of}", f"Cuff {pin.of}", Action("cuff", pin.of), target=pin.of)

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return maintain(rules, fight, name, action.target, action.to)


class Cuff(ActionKind):
    """Cuffs for a person who has been restrained for a while."""

    kind, verb, counts_as = "cuff", "special", "concentrate"

    def do(self, rules: Ruleset, fight: Fight, name: str, action: Action) -> Play[Fight]:
        return cuff(fight, name, action.target)


CUFF = Cuff()


class Release(ActionKind):
    """Letting go."""

    kind, verb, does, free, silent = "release", "special", "lets go", True, True

    def offers(self, moment: Moment) -> Offers:
        return (self.plain("Let go", "no action"),) if moment.one.pins else ()

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, pins=())


class StruggleFree(ActionKind):
    """All that is left to a person who is entangled."""

    kind, verb, counts_as, does = "struggle free", "special", "concentrate", "struggles free"

    def offers(self, moment: Moment) -> Offers:
        return (self.plain("Struggle free", f"{moment.one.entangled} more"),)

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        return replace(fighter, entangled=max(0, fighter.entangled - 1))


class TakeUpStyle(ActionKind):
    """An exotic style of fighting with bare hands."""

    kind, verb, free, silent = "style", "special", True, True

    def offers(self, moment: Moment) -> Offers:
        for at, style in enumerate(moment.one.profile.styles, 1):
            if at != moment.one.style:
                yield self.option(f"style:{style.name}", f"Take up {style.name}", Action("style", to=style.name), "no action")

    def says(self, fighter: Fighter, action: Action) -> str:
        return f"takes up {action.to}" if action.to else "drops the style"

    def after(self, rules: Ruleset, fight: Fight, fighter: Fighter, action: Action) -> Fighter:
        styles = [style.name for style in fighter.profile.styles]
        return replace(fighter, style=styles.index(action.to) + 1 if action.to else 0)
