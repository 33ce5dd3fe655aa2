"""Powers as actions of a fight: on others, on the user, as counters; sustained, released, shaken off (book lines 6085-6091, 6236-7734)."""

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from rulewright.grammar import the
from rulewright.play import GAMEMASTER, Choice, Happened, Option, Play, Range, Tell
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt, attempt
from rulewright.systems.ore.combat.fighters import REACH, Act, Fight, Fighter, Pending, Plan, Situation, facts_of, where
from rulewright.systems.ore.combat.weapon_use import wielded
from rulewright.systems.ore.fight.actions.attacks import Blow
from rulewright.systems.ore.fight.actions.base import FREE, HELD, HOLDING, Action, Declarable, Foe, Me, Names
from rulewright.systems.ore.fight.actions.moves import Move
from rulewright.systems.ore.fight.actions.powers.effects import DOES, wave
from rulewright.systems.ore.fight.actions.powers.events import UseSpent
from rulewright.systems.ore.fight.actions.powers.harm import Use, opposed, strikes
from rulewright.systems.ore.fight.powers.active import COMMANDED, DAZED, POWER_KINDS, begun_on, bent, bound, ended, nature_of, wards_of
from rulewright.systems.ore.fight.powers.available import ANALGESIC, STATIC
from rulewright.systems.ore.fight.powers.burn import burns_on_return
from rulewright.systems.ore.fight.powers.sustained import let_go
from rulewright.systems.ore.fight.resolution.gunfire import dropped
from rulewright.systems.ore.fight.resolution.movement import walks_up
from rulewright.systems.ore.fight.resolution.strikes import hits
from rulewright.systems.ore.gear.weapons import Blow as Struck
from rulewright.systems.ore.gear.weapons import Weapon
from rulewright.systems.ore.harm.body import damage, shrugs
from rulewright.systems.ore.harm.events import Suffered
from rulewright.systems.ore.people.feat_effects import Try, helps
from rulewright.systems.ore.powers.catalogue import EffectRow
from rulewright.systems.ore.powers.repertoire import Working, rule_for
from rulewright.systems.ore.powers.timed_effects import douse_dice, hurled_damage, puppet
from rulewright.systems.ore.powers.usage import HARDEST_ASKED, Ruled, asked, use_costs
from rulewright.systems.ore.powers.wards import ward_dice
from rulewright.systems.ore.recovery.psychic import again_dice
from rulewright.systems.ore.resolution.outcomes import Outcome
from rulewright.systems.ore.resolution.tests import Mod

_READY: tuple[Option[bool], ...] = (Option("yes", "Yes", value=True), Option("no", "No", value=False))


class Power(Action):
    """A rolled power: its dice, obstacles and cost."""

    verb, begins, exposes = "power", True, True
    when = frozenset((FREE, HELD, HOLDING))
    prefix: ClassVar[str] = "power"

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for gift in me.gifts:
            if gift.kind == self.kind:
                yield from self.ways(gift.effect, gift.targets)

    def ways(self, effect: str, targets: tuple[str, ...]) -> Iterable[Declarable]:
        """All options for this power."""
        for target in targets:
            key, act = f"{self.prefix}:{effect}:{target}", Act(self.kind, target, skill=effect)
            yield Declarable(key, f"Use {effect} on {target}", (act,))

    def completed(self, rules: Ruleset, fight: Fight, name: str, act: Act) -> Play[Act]:
        known = fight.fighter(name).profile.power(act.skill)
        row, about = known.row(rules), Situation(fight, name, rules)
        if use_costs(rules, known.level, known.limit).asks:
            ready = yield from Choice(GAMEMASTER, f"Did {name} prepare {row.effect} today?", _READY, about, "power answer")
            yield Tell(Ruled(name, row.effect, "Was it prepared?", "yes" if ready else "no"))
            if not ready:
                return Act("pass")
        if row.hard:
            ask = f"{name} uses {row.effect}. {row.hard}"
            act = replace(act, less=(yield from Choice[int](GAMEMASTER, ask, Range(0, HARDEST_ASKED), about, "power in the way")))
        if row.steps and row.works == "ask":
            options = tuple([Option(words, f"{words.capitalize()}: Difficulty {need}", need) for words, need in row.steps.items()])
            act = replace(act, difficulty=(yield from Choice(name, f"What do you use {row.effect} on?", options, about, "power")))
        return act

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        known = fighter.profile.power(act.skill)
        row = known.row(rules)
        pool = known.pool.plus(*_taken(rules, fight, fighter, act, row))
        return Attempt(pool, act.difficulty if act.difficulty > 1 else row.intensity)

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        return (yield from spent(rules, fight, fighter, act))

    def used(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        """Applies a successful power: the target resists, and the rest takes effect."""
        known = fight.fighter(pending.who).profile.power(pending.act.skill)
        row = known.row(rules)
        use = Use(pending, known, row, width)
        if "light" in row.nature and bent(fight, use.on):
            yield use.came("nothing", "the beam is deflected")
            return fight, 0
        hurled = row.works == "force" and bool(pending.act.steps)  # which nobody can struggle against
        fight, left = (fight, width) if hurled else (yield from opposed(rules, fight, use))
        if not left:
            yield use.came("resisted", f"{use.on} resists")
            return fight, 0
        use = use._replace(width=left)
        if row.works == "force":
            return (yield from self.forced(rules, fight, use))
        return (yield from DOES[row.works](rules, fight, use))

    def forced(self, rules: Ruleset, fight: Fight, use: Use) -> Play[tuple[Fight, int]]:
        """Special uses of Force."""
        return (yield from DOES["force"](rules, fight, use))


def _taken(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act, row: EffectRow) -> list[Mod]:
    """Dice that the target, its wards and the situation take from a power."""
    rule = rule_for(rules, row.effect)
    mods = [Mod("an obstacle", -act.less, rule)]
    if act.target and fight.group(act.target) is None and act.target != fighter.name:
        other = fight.fighter(act.target).profile
        mods += [Mod(f"{row.less.capitalize()} of {act.target}", -getattr(other, row.less), rule)] if row.less else []
        mods += ward_dice(rules, wards_of(rules, fight, act.target), row.effect) if row.nature and fight.powers else []
    if row.works == "command" and row.steps and act.target:
        mods.append(puppet(rules).dice)
    if row.heals == "kill":
        mods.append(again_dice(fighter.reserve.treated.count(act.target)))
    if row.works == "douse":
        mods.append(douse_dice(max([power.width for power in fight.powers if power.word == "alight"], default=0)))
    return [mod for mod in mods if mod.dice]


def spent(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
    """Pays for a use, whether or not it succeeds."""
    known = fighter.profile.power(act.skill)
    cost = use_costs(rules, known.level, known.limit)
    reserve = fighter.reserve.drawn(known, cost)
    if cost.once:
        yield Tell(UseSpent(fighter.name, known.effect, known.level, once=True))
    if cost.energy:
        yield Tell(UseSpent(fighter.name, known.effect, known.level, energy=cost.energy))
    if cost.pounds:
        yield Tell(UseSpent(fighter.name, known.effect, known.level, each=rules.number("materials-pounds")))
    if known.row(rules).charge:
        reserve = replace(reserve, light=0)
    return fight if reserve is fighter.reserve else fight.change(fighter.name, reserve=reserve)


class PowerAt(Power):
    """A power on a distant target."""

    kind, label, did = "power", "Use a power on", "uses a power on"

    def ways(self, effect: str, targets: tuple[str, ...]) -> Iterable[Declarable]:
        yield from super().ways(effect, targets)
        for target in targets if effect == "Force" else ():
            yield Declarable(f"hurl:{target}", f"Hurl something at {target}", (Act(self.kind, target, skill=effect, steps=1),))

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        return (yield from self.used(rules, fight, pending, width))

    def forced(self, rules: Ruleset, fight: Fight, use: Use) -> Play[tuple[Fight, int]]:
        if not use.each.act.steps:
            return (yield from DOES["force"](rules, fight, use))
        ask = f"{use.who} hurls something at {use.on}. What strength does it need, from 0 to {use.each.height}?"
        about = Situation(fight, use.who, rules)
        strength = yield from Choice[int](GAMEMASTER, ask, Range(0, use.each.height), about, "power in the way")
        yield Tell(Ruled(use.who, use.row.effect, "What strength does it need?", str(strength)))
        armoured = use._replace(row=replace(use.row, armour=True))
        return (yield from strikes(rules, fight, armoured, hurled_damage(use.width, strength).value - use.width, None))


class TouchPower(PowerAt):
    """A touch power: it can be dodged and parried like an unarmed attack."""

    kind, label, did = "touch power", "Touch", "touches"
    bare = True


class Invoke(Power):
    """A power on the user, a friend or the surroundings."""

    kind, label = "invoke", "Use"
    targeted, exposes = False, False

    def ways(self, effect: str, targets: tuple[str, ...]) -> Iterable[Declarable]:
        if not targets:
            yield Declarable(f"{self.prefix}:{effect}", f"Use {effect}", (Act(self.kind, skill=effect),))
        for target in targets:
            if target.isdigit():  # what lies on the floor, by its place
                yield Declarable(
                    f"{self.prefix}:{effect}:{target}",
                    f"Use {effect} on an item on the floor",
                    (Act(self.kind, skill=effect, steps=int(target)),),
                )
            else:
                yield Declarable(f"{self.prefix}:{effect}:{target}", f"Use {effect} on {target}", (Act(self.kind, target, skill=effect),))

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        fight = yield from super().at_once(rules, fight, fighter, act)
        if act.target and act.target != fighter.name:
            fight = yield from walks_up(rules, fight, fighter.name, act.target)
        return fight

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        fight, _ = yield from self.used(rules, fight, pending, pending.width)
        return fight, ()

    def forced(self, rules: Ruleset, fight: Fight, use: Use) -> Play[tuple[Fight, int]]:
        return (yield from wave(rules, fight, use))


class CounterPower(Power):
    """A power as counter dice against attacks of its kind: heat against fire, cold against cold, force against everything that is not a
    power."""

    kind, label, did = "counter power", "Counter with", "counters"
    verb = "guard"
    counters, exposes = True, False
    prefix = "counter"

    def ways(self, effect: str, targets: tuple[str, ...]) -> Iterable[Declarable]:
        yield Declarable(f"counter:{effect}", f"Counter attacks with {effect}", (Act(self.kind, skill=effect),))

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        if own.who != attack.act.target or attack.act.kind == "close in":
            return False
        row = fight.fighter(own.who).profile.power(own.act.skill).row(rules)
        if attack.act.kind in POWER_KINDS:
            natures = fight.fighter(attack.who).profile.power(attack.act.skill).row(rules).nature
            return bool(set(natures) & set(row.stops))
        if row.works == "force":
            return True
        return nature_of(weapon, Struck(2, 0, 0, damage_class=weapon.classes[0])) in row.stops


class TurnBack(PowerAt):
    """Turns an attack stopped by Force back on the attacker with a second set of the roll."""

    kind, label, did = "turn back", "Turn the attack back on", "turns the attack back on"
    begins = False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return ()

    def lands(self, rules: Ruleset, fight: Fight, pending: Pending, width: int) -> Play[tuple[Fight, int]]:
        yield Tell(Happened(pending.who, f"{self.did} {pending.act.target}", "good"))
        own = Pending(pending.act.target, Act("attack", pending.act.target), width, pending.height, pending.speed)
        return (yield from hits(rules, fight, own, width))


def with_turning_back(rules: Ruleset, fight: Fight, plan: Plan) -> Plan:
    """A plan with the spare set of Force against the first attacker."""
    counters = [act for act in plan.acts if act.kind == "counter power"]
    if not counters or all(fight.fighter(plan.who).profile.power(act.skill).row(rules).works != "force" for act in counters):
        return plan
    coming = [
        candidate.who for candidate in fight.plans if any(act.target == plan.who and act.kind not in POWER_KINDS for act in candidate.acts)
    ]
    coming += [group.name for group in fight.groups if group.able and group.side != fight.side_of(plan.who)]
    if not coming or any(act.spare for act in plan.acts):
        return plan
    return replace(plan, acts=(*plan.acts, Act("turn back", coming[0], skill=counters[0].skill, spare="riposte")))


class Innate(Action):
    """An inherent power without a roll; the Game Master decides the result."""

    kind, label, did = "innate", "Use", "uses"
    verb = "power"
    rolled = False
    when = frozenset((FREE, HELD, HOLDING))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for gift in me.gifts:
            if gift.kind == self.kind:
                yield Declarable(f"power:{gift.effect}", f"Use {gift.effect}", (Act(self.kind, skill=gift.effect),))

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        known = fighter.profile.power(act.skill)
        fight = yield from spent(rules, fight, fighter, act)
        yield Tell(Happened(fighter.name, f"{self.did} {known.effect}: {known.does or known.effect}"))
        yield from asked(known.row(rules), fighter.name, Outcome(2, 1), "")
        return fight


class Steel(Action):
    """Psyche and Focus as counter dice against powers that confuse the mind."""

    kind, label, did = "steel", "Steel your mind", "steels their mind"
    verb, pool = "guard", "nerve"
    counters = True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.minds else ()

    def answers(self, rules: Ruleset, fight: Fight, attack: Pending, own: Pending, weapon: Weapon) -> bool:
        if own.who != attack.act.target or attack.act.kind != "power":
            return False
        return fight.fighter(attack.who).profile.power(attack.act.skill).row(rules).works == "daze"


class ShakeOff(Action):
    """Psyche and Focus besides other actions: with a set the confused fighter can do them this round."""

    kind, label = "shake off", "Shake off the confusion"
    verb, pool = "guard", "nerve"
    targeted = False
    when = frozenset((DAZED,))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (replace(self.one(), part=True),) if me.shakes else ()

    def imagined(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return ended(fight, [power for power in fight.powers if power.on == fighter.name and power.word == DAZED])

    def enables(self, fight: Fight, fighter: Fighter, act: Act, later: Act) -> bool:
        return True

    def happens(self, rules: Ruleset, before: Fight, fight: Fight, pending: Pending) -> Play[tuple[Fight, Names]]:
        yield Tell(Happened(pending.who, "shakes off the confusion for a round", "good"))
        return fight, ()


class StaticTouch(Action):
    """The Secret Feat Static Touch: Shock by touch without a roll."""

    kind, label, did = "static touch", "Shock with a touch", "shocks"
    verb = "power"
    rolled, bare = False, False

    def possible(self, rules: Ruleset, me: Me, foe: Foe) -> bool:
        return STATIC in me.touches and foe.near and foe.person

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        fight = yield from walks_up(rules, fight, fighter.name, act.target)
        if fight.distance(fighter.name, act.target) > REACH:
            yield Tell(Happened(fighter.name, f"cannot reach {act.target}"))
            return fight
        points = dict(helps(rules, fighter.profile.feats, Try(on=(STATIC,))).amounts)["shock"]
        body, shock, _ = yield from shrugs(fight.fighter(act.target).body, points, by=act.target)
        yield Tell(Suffered(act.target, f"is shocked by {fighter.name}", "the spark", shock, rule="ore-5.04-feats-electrokinesis"))
        return fight.change(act.target, body=(yield from damage(rules, body, "torso", shock, 0, act.target)) if shock else body)


class AnalgesicTouch(Action):
    """The Secret Feat Analgesic Touch: reduces the injury penalty of a friend by a die while concentrating."""

    kind, label, did = "analgesic touch", "Ease the pain of", "eases the pain of"
    verb, mood = "help", "good"
    rolled, walks = False, True

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return [self.at(name) for name in me.pained] if ANALGESIC in me.touches else []

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return begun_on(fight, Working("Analgesic Touch", fighter.name, act.target, dice=1, kept=1))


class Release(Action):
    """Releases a sustained power at no cost."""

    kind, label = "release", "Release"
    verb = "power"
    rolled, free = False, True
    when = frozenset((FREE, HELD, HOLDING))

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        for effect in me.keeps:
            yield Declarable(f"release:{effect}", f"{self.label} {effect}", (Act(self.kind, skill=effect),))

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        for working in [power for power in fight.powers if power.by == fighter.name and power.effect == act.skill and power.kept][:1]:
            fight = yield from let_go(fight, working)
        return (yield from burns_on_return(rules, fight, fighter.name))


class Gather(Action):
    """Gathers light for a laser: one round indoors, two in dim light."""

    kind, label, did = "gather light", "Gather light", "gathers light, and it grows dim"
    verb = "power"
    rolled = False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return (self.one(),) if me.gathers else ()

    def done(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Fight:
        return fight.change(fighter.name, reserve=replace(fighter.reserve, light=fighter.reserve.light + 1))


class Fly(Move):
    """Flies as far as the power carries, besides other actions."""

    kind, label, did = "fly", "Fly", "flies"
    plain, back = False, "away"

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        if not me.flies:
            return
        for foe in foes:
            yield Declarable(f"fly:{foe.name}", f"Fly up to {foe.name}", (Act(self.kind, foe.name, steps=me.flies),))
        yield Declarable("fly away", "Fly out of reach", (Act(self.kind, away=True, steps=me.flies),))

    def far(self, rules: Ruleset, fighter: Fighter, act: Act) -> int:
        return act.steps


class LetFall(Action):
    """Drops the weapon in hand on another's command."""

    kind, label, did = "let fall", "Drop what you hold", "drops"
    verb = "gear"
    rolled = False

    def at_once(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Play[Fight]:
        if not fighter.in_hand:
            return fight
        yield Tell(Happened(fighter.name, f"{self.did} {the(fighter.weapon.name)}", "bad"))
        return dropped(fight, fighter.name, fighter.in_hand, where(fighter))


class AsTold(Blow):
    """Strikes on another's command: a puppet with the skills of its controller, a commanded mind with its own."""

    kind, label, did = "as told", "Strike on command at", "strikes on command at"
    plain = False

    def offers(self, rules: Ruleset, me: Me, foes: tuple[Foe, ...]) -> Iterable[Declarable]:
        return ()

    def attempt(self, rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
        order = bound(fight, fighter.name, COMMANDED)
        pool = fighter.profile.attacks[fighter.in_hand]
        if order is not None and order.kept:
            pool = wielded(rules, fight.fighter(order.by).profile.training.person(), fighter.weapon).attack
        return attempt(rules, pool, fighter.weapon, facts_of(rules, fight, fighter, act))
