"""Why an attack has the chance it has: every term with its rule, worked out only when somebody reads it."""

from rulewright.play import Event
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, derive, term
from rulewright.systems.hybrid.combat.arms import Arm, range_modifier
from rulewright.systems.hybrid.combat.attacks import advance, against_defense, defense_value, dodge_from_evasion, retreat
from rulewright.systems.hybrid.combat.fighters import Doing, Fight, Fighter, condition_of, guard_of
from rulewright.systems.hybrid.combat.initiative import set_up, setup_bonus
from rulewright.systems.hybrid.combat.maneuvers import grip_bonus
from rulewright.systems.hybrid.combat.strikes import manner
from rulewright.systems.hybrid.harm.damage import shock_modifier
from rulewright.systems.hybrid.resolution.modifiers import Kind, condition_modifier, environment_modifiers, florentine, moving_modifier
from rulewright.systems.hybrid.resolution.tests import Check, Mod, success_chance


def bearing(rules: Ruleset, fight: Fight, one: Fighter, offensive: bool | None = True, kind: Kind = "physical") -> list[Reason]:
    """What `situation` adds up: wounds, exhaustion, shock, balance, pace, surroundings, evading, pressing and giving way."""
    mods = [shock_modifier(rules, one.body.shock), Mod("off balance", one.off_balance, "hyb-8-parry-side-effects")]
    mods += [moving_modifier(rules, one.pace, kind)] if one.pace != "no move" else []
    mods += environment_modifiers(rules, fight.around(one), kind)
    mods += [florentine(rules, "physical", kind).second] if one.evading else []
    if offensive is not None:
        mods += [advance(rules, offensive)] if one.advancing else []
        mods += [retreat(rules, offensive)] if one.retreating else []
    wounds = condition_modifier(rules, condition_of(one.body), kind).reasons
    return [*wounds, *(mod.reason() for mod in mods if mod.value)]


def guarded(rules: Ruleset, one: Fighter, now: int, mental: bool = False, crouching: bool = False) -> Derived[int]:
    """The defense of somebody at a count, with what multiplies it and what is added."""
    mods = [advance(rules, False)] if one.advancing else []
    mods += [retreat(rules, False)] if one.retreating else []
    doing = one.doing
    if doing is not None and doing.what == "dodge" and "evading" in doing.ways and not mental:
        mods.append(dodge_from_evasion(rules))
    value, aware = one.profile.mdf if mental else one.profile.pdf, one.aware and one.body.awake
    found = defense_value(rules, value, guard_of(rules, one, now, crouching, mental), aware, 0, tuple(mods))
    return found if found.value >= 0 else derive(0, "defense", *found.reasons, term("never below", 0, "≥"), rule="hyb-8-normal-defense")


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
        terms = [Reason(f"{arm.name}: statistic, ranks and the skill itself", self.base.df, "+", "hyb-2-difficulty-factor")]
        terms += bearing(rules, self.fight, me, True, arm.kind) + [mod.reason() for mod in mods if mod.value]
        check = Check(sum(int(each.value) for each in terms), self.base.percent)
        percents = [Reason("ranks and pools, in percent", self.base.percent)] if self.base.percent else []
        if "set up" in doing.ways:
            prepared = set_up(rules, check, arm.rank)
            rank = setup_bonus(rules, arm.rank)
            changed = prepared.percent != check.percent
            (percents if changed else terms).append(Reason(rank.label, rank.value if changed else prepared.df - check.df, "+", rank.rule))
            check = prepared
        defense = guarded(rules, foe, self.now, arm.mental, self.crouched)
        met = against_defense(rules, check, defense.value).shared(*doing.share)
        less = Reason("defense", defense.value, "-", "hyb-8-normal-defense", rules.source("defense-counts"), defense.reasons)
        (percents if met.df == check.df and defense.value else terms).append(less)
        looked = success_chance(rules, met.df, met.percent, met.share)
        whole = Reason("Difficulty Factor", met.df, "=", "hyb-8-attack-roll", "book", tuple(terms))
        steps = [whole, looked.reasons[0], *percents]
        steps += [each for each in looked.reasons[1:] if each.label == "kept within"]
        if doing.share != (1, 1):
            steps.append(Reason("in a part of the time", f"{doing.share[0]}/{doing.share[1]}", "×", "hyb-7-rushing"))
        return derive(looked.value, "chance to hit", *steps, rule="hyb-8-attack-roll")

    def headline(self) -> str:
        return f"{self.me.name} has {self.chance.value} % to hit {self.doing.target} with the {self.arm.name}"

    def reasons(self) -> tuple[Reason, ...]:
        return (self.chance.reason,)
