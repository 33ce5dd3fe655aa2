"""The terms behind an attack's chance, each with its rule, computed only when they are read."""

from rulewright.grammar import the
from rulewright.play import Event
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, at_least, less, limited, reckoned, term, total
from rulewright.systems.hybrid.combat.arms import Arm, range_modifier
from rulewright.systems.hybrid.combat.attack_setup import manner
from rulewright.systems.hybrid.combat.attacks import advance, against_defense, defense_value, dodge_from_evasion, retreat
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter, condition_of, guard_of
from rulewright.systems.hybrid.combat.initiative import set_up, setup_bonus
from rulewright.systems.hybrid.combat.maneuvers import grip_bonus
from rulewright.systems.hybrid.harm.damage import shock_modifier
from rulewright.systems.hybrid.people.skills import Use, use_factor
from rulewright.systems.hybrid.resolution.modifiers import Kind, condition_modifier, environment_modifiers, florentine, moving_modifier
from rulewright.systems.hybrid.resolution.tests import Check, Mod, looked_up


def bearing(rules: Ruleset, fight: Fight, fighter: Fighter, offensive: bool | None = True, kind: Kind = "physical") -> list[Reason]:
    """Lists the terms of `situation`: wounds, exhaustion, shock, balance, pace, surroundings, evading, pressing and giving way."""
    mods = [shock_modifier(rules, fighter.body.shock), Mod("off balance", fighter.off_balance, "hyb-8-parry-side-effects")]
    mods += [moving_modifier(rules, fighter.pace, kind)] if fighter.pace != "no move" else []
    mods += environment_modifiers(rules, fight.around(fighter), kind)
    mods += [florentine(rules, "physical", kind).second] if fighter.evading else []
    if offensive is not None:
        mods += [advance(rules, offensive)] if fighter.advancing else []
        mods += [retreat(rules, offensive)] if fighter.retreating else []
    wounds = condition_modifier(rules, condition_of(fighter.body), kind).reasons
    return [*wounds, *(mod.reason() for mod in mods if mod.value)]


def guarded(rules: Ruleset, fighter: Fighter, now: int, mental: bool = False, crouching: bool = False) -> Derived[int]:
    """The defense of a person at a count, with what multiplies it and what is added."""
    mods = [advance(rules, offensive=False)] if fighter.advancing else []
    mods += [retreat(rules, offensive=False)] if fighter.retreating else []
    doing = fighter.doing
    if doing is not None and doing.what == "dodge" and "evading" in doing.ways and not mental:
        mods.append(dodge_from_evasion(rules))
    value, aware = fighter.profile.mdf if mental else fighter.profile.pdf, fighter.aware and fighter.body.awake
    derived = defense_value(rules, value, guard_of(rules, fighter, now, crouching, mental), aware, 0, modifiers=tuple(mods))
    return limited("defense", *derived.reasons, limit=at_least(0, "never below"), rule="hyb-8-normal-defense")


def own_terms(rules: Ruleset, arm: Arm, base: Check, action: str = "") -> list[Reason]:
    """Lists a person's own terms of an attack or another action: statistic, ranks, the skill's own difficulty and its pool."""
    use = next((use for name, use in arm.made_for if name == action), arm.made)
    made = use_factor(rules, use) if use is not None else None
    if made is None or made.value != base.df:
        return [term(f"{arm.name}: statistic, ranks and the skill itself", base.df, rule="hyb-2-difficulty-factor")]
    return list(made.reasons)


class Tries(Event, frozen=True):
    """Something other than a blow before it is rolled: who tries what, and the check with all that bears on it."""

    name: str
    what: str
    rules: Ruleset
    fight: Fight
    me: Fighter
    base: Check
    """What they bring themselves."""
    check: Check
    """What is rolled in the end."""
    mods: tuple[Mod, ...] = ()
    offensive: bool | None = True
    kind: Kind = "physical"
    arm: Arm | None = None
    """The weapon or bare hands with which it is done."""
    action: str = ""
    made: Use | None = None
    """What the base is made of, where no weapon is used."""

    def _own(self) -> list[Reason]:
        """Lists the person's own terms, one by one where they are known."""
        if self.arm is not None:
            return own_terms(self.rules, self.arm, self.base, self.action)
        made = use_factor(self.rules, self.made) if self.made is not None else None
        if made is None:
            return [term("statistic and ranks", self.base.df, rule="hyb-2-difficulty-factor")]
        clumsy = self.base.df - made.value
        return [*made.reasons, *([term("armour", clumsy, rule="hyb-x-armour")] if clumsy else [])]

    @property
    def chance(self) -> Derived[int]:
        """The chance that it succeeds, with every term."""
        rules, check = self.rules, self.check
        terms = self._own()
        terms += bearing(rules, self.fight, self.me, self.offensive, self.kind) + [mod.reason() for mod in self.mods if mod.value]
        percents = (term("after the look-up", check.percent),) if check.percent else ()
        factor = total("Difficulty Factor", *terms, rule="hyb-2-difficulty-factor")
        return looked_up(rules, term("Difficulty Factor", factor), percents, check.share, "chance")

    def headline(self) -> str:
        return f"{self.name} tries {self.what}, at {self.chance.value} %"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.chance.reason,)


class Reckons(Event, frozen=True):
    """An attack before it is rolled: who strikes with what and how, and how the target meets it."""

    rules: Ruleset
    fight: Fight
    me: Fighter
    doing: Doing
    arm: Arm
    now: int
    base: Check
    mods: tuple[Mod, ...] = ()
    crouched: bool = False

    @property
    def chance(self) -> Derived[int]:
        """The chance to hit: the Difficulty Factor with all its terms, then what changes the chance after the look-up."""
        rules, me, arm, doing = self.rules, self.me, self.arm, self.doing
        foe = self.fight.fighter(doing.target)
        mods = [Mod(f"{-range_modifier(arm, me.distance(foe))} stretches beyond the first", range_modifier(arm, me.distance(foe)))]
        mods += [*manner(rules, me, doing, arm), *self.mods]
        mods += [grip_bonus(rules)] if me.holding == foe.name and arm.natural and arm.use == "melee" else []
        terms = own_terms(rules, arm, self.base)
        terms += bearing(rules, self.fight, me, offensive=True, kind=arm.kind) + [mod.reason() for mod in mods if mod.value]
        check = Check(int(reckoned(terms)), self.base.percent)
        percents = [Reason("ranks and pools, in percent", self.base.percent)] if self.base.percent else []
        if "set up" in doing.ways:
            prepared = set_up(rules, check, arm.rank)
            rank = setup_bonus(rules, arm.rank)
            changed = prepared.percent != check.percent
            (percents if changed else terms).append(Reason(rank.label, rank.value if changed else prepared.df - check.df, "+", rank.rule))
            check = prepared
        defense = guarded(rules, foe, self.now, arm.mental, self.crouched)
        met = against_defense(rules, check, defense.value).shared(*doing.share)
        off = less("defense", defense, rule="hyb-8-normal-defense", source=rules.source("defense-counts"))
        (percents if met.df == check.df and defense.value else terms).append(off)
        factor = total("Difficulty Factor", *terms, rule="hyb-8-attack-roll")
        return looked_up(rules, term("Difficulty Factor", factor), tuple(percents), met.share, "chance to hit")

    def headline(self) -> str:
        return f"{self.me.name} has {self.chance.value} % to hit {self.doing.target} with {the(self.arm.name)}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.chance.reason,)
