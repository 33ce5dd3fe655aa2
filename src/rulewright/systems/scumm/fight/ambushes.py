"""Ambushes: hidden people against people who might notice them, before the first round (book lines 45, 330, 448)."""

from msgspec.structs import replace

from rulewright.dice.highest import Total
from rulewright.play import Happened, Play, Roll, Tell, Together, sub
from rulewright.rules import Ruleset
from rulewright.systems.scumm.combat.attack_setup import emergency_dice_for_all
from rulewright.systems.scumm.combat.attacks import secret_notice, stays_hidden
from rulewright.systems.scumm.combat.fighters import Fight, Fighter
from rulewright.systems.scumm.people.characters import combat_sense_pool
from rulewright.systems.scumm.resolution.tests import Mod, reading, skill_pool


def spring_ambush(rules: Ruleset, fight: Fight) -> Play[Fight]:
    """Before the first round: does each target notice people who lie in wait? Who does not is unwary.

    It is an opposed test of many: everybody rolls once, and anyone who finds one of the hidden people notices the ambush. These may put
    Emergency Dice into it; nobody is asked about noticing, and the gamemaster rolls for it, since that would give the ambush away.
    Once one has noticed, nobody lies hidden any more, though the others are still unwary in the first round.
    """
    side = fight.ground.ambush
    lurking = tuple([f.name for f in fight.fighters if f.side == side and f.body.able])
    if not lurking:
        return replace(fight, ambush_open=False)
    levels = {name: fight.fighter(name).profile.stealth for name in lurking}
    fight, dice = yield from emergency_dice_for_all(rules, fight, levels, "hiding")
    lowest = yield from sub(hide, tuple([_stealth(rules, fight.fighter(name), dice.get(name, 0)) for name in lurking]))
    betrayed = False
    for target in [f for f in fight.fighters if f.side != side and f.body.able]:
        noticed = yield from sub(notice, rules, _notice(rules, target, fight.ground.ambush_modifier), lowest)
        if noticed:
            yield Tell(Happened(target.name, "notices the ambush", known_to=(*lurking, target.name)))
        else:
            yield Tell(Happened(target.name, "notices nothing", known_to=lurking))
        fight = fight.change(target.name, unwary=not noticed)
        betrayed = betrayed or noticed
    for name in lurking:
        fight = fight.change(name, hidden=not betrayed)
    return replace(fight, ambush_open=False)


def hide(rolls: tuple[Roll[Total], ...]) -> Play[int]:
    """Everybody who lies in wait rolls at once; how well the worst hidden of them came off, whom the others find first."""
    return min([candidate.total for candidate in (yield from Together(rolls))])


def notice(rules: Ruleset, roll: Roll[Total], lowest: int) -> Play[bool]:
    """Whether a person finds the worst hidden of people who lie in wait, and so the ambush."""
    return not stays_hidden(rules, lowest, (yield from roll).total)


def _stealth(rules: Ruleset, lurker: Fighter, emergency: int) -> Roll[Total]:
    hurt = Mod("wounds", lurker.body.physical_penalty, "scumm-injuries")
    pool = skill_pool(rules, lurker.profile.stealth, lurker.profile.alertness, "Alertness", (hurt,))
    return Roll(reading(rules, replace(pool, emergency=emergency)), lurker.name, "Stealth", secret=True)


def _notice(rules: Ruleset, target: Fighter, conditions: int) -> Roll[Total]:
    mods = (
        Mod("wounds", target.body.penalty, "scumm-injuries"),
        Mod("range and conditions", conditions, "scumm-ranged-unwary"),
    )
    if rules.word("ambush-roll") == "combat sense":
        pool = combat_sense_pool(rules, target.profile.combat_sense, mods)
    else:
        pool = skill_pool(rules, target.profile.notice, target.profile.alertness, "Alertness", mods)
    return secret_notice(rules, pool, target.name)
