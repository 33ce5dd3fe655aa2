"""Ambushes: hidden people against people who might notice them, before the first round (book lines 45, 330, 448)."""

from msgspec.structs import replace

from rulewright.play import Play, Reckoned, Roll, Tell, Together, sub
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.scumm.combat.attack_setup import emergency_dice_for_all
from rulewright.systems.scumm.combat.attacks import secret_notice, stays_hidden
from rulewright.systems.scumm.combat.fighters import Fight, Fighter
from rulewright.systems.scumm.people.characters import combat_sense_pool
from rulewright.systems.scumm.resolution.tests import Mod, Pool, reading, rolled_total, skill_pool


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
    lowest = yield from sub(hide, rules, tuple([(name, _stealth(rules, fight.fighter(name), dice.get(name, 0))) for name in lurking]))
    betrayed = False
    for target in [f for f in fight.fighters if f.side != side and f.body.able]:
        noticed = yield from sub(notice, rules, target.name, _notice(rules, target, fight.ground.ambush_modifier), lowest)
        knowing = (*lurking, target.name) if noticed else lurking
        yield Tell(Reckoned(target.name, _NOTICED[noticed], known_to=knowing, again=True))
        fight = fight.change(target.name, unwary=not noticed)
        betrayed = betrayed or noticed
    for name in lurking:
        fight = fight.change(name, hidden=not betrayed)
    return replace(fight, ambush_open=False)


_NOTICED = {True: "notices the ambush", False: "notices nothing"}


def hide(rules: Ruleset, lurking: tuple[tuple[str, Pool], ...]) -> Play[int]:
    """Everybody who lies in wait rolls at once; how well the worst hidden of them came off, whom the others find first."""
    totals = yield from Together(tuple([Roll(reading(rules, pool), name, "Stealth", secret=True) for name, pool in lurking]))
    names = tuple([name for name, _ in lurking])
    for (name, pool), rolled in zip(lurking, totals, strict=True):
        why = rolled_total("Stealth", pool, rolled, "scumm-ranged-unwary").reason
        yield Tell(Reckoned(name, f"hides: Stealth {rolled.total}", sums=(why,), known_to=names))
    return min([rolled.total for rolled in totals])


def notice(rules: Ruleset, target: str, pool: Pool, lowest: int) -> Play[bool]:
    """Whether a person finds the worst hidden of people who lie in wait, and so the ambush; only the gamemaster sees the sum."""
    rolled = yield from secret_notice(rules, pool, target)
    noticed = not stays_hidden(rules, lowest, rolled.total)
    what = "Combat Sense" if rules.word("ambush-roll") == "combat sense" else "Notice"
    why = rolled_total(what, pool, rolled, "scumm-ranged-unwary").reason
    yield Tell(
        Reckoned(target, _NOTICED[noticed], sums=(why, Reason("lowest Stealth", lowest, "against", "scumm-ranged-unwary")), known_to=())
    )
    return noticed


def _stealth(rules: Ruleset, lurker: Fighter, emergency: int) -> Pool:
    hurt = Mod("wounds", lurker.body.physical_penalty, "scumm-injuries")
    pool = skill_pool(rules, lurker.profile.stealth, lurker.profile.alertness, "Alertness", (hurt,))
    return replace(pool, emergency=emergency)


def _notice(rules: Ruleset, target: Fighter, conditions: int) -> Pool:
    mods = (
        Mod("wounds", target.body.penalty, "scumm-injuries"),
        Mod("range and conditions", conditions, "scumm-ranged-unwary"),
    )
    if rules.word("ambush-roll") == "combat sense":
        return combat_sense_pool(rules, target.profile.combat_sense, mods)
    return skill_pool(rules, target.profile.notice, target.profile.alertness, "Alertness", mods)
