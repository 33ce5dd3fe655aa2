"""Skill Applications and acting tough in a fight (book lines 5994-6012, 6947-6957)."""

from msgspec.structs import replace

from rulewright.grammar import count, join
from rulewright.highest_die.harm import dice_asked
from rulewright.play import Choice, Option, Play, sub
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.close_combat import Blow
from rulewright.systems.silhouette.combat.effects import act_tough
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Fight, Situation
from rulewright.systems.silhouette.combat.ranged_attacks import Band, Shot, attack_attribute, snipes
from rulewright.systems.silhouette.resolution.applications import Use, applied, apply, deceived, may_apply
from rulewright.systems.silhouette.resolution.modifiers import CLOSE, RANGED
from rulewright.systems.silhouette.resolution.tests import Pool, most_emergency_dice

CANCELS = {"light": "acting blind", "position": "acting while disadvantaged"}


def offers(rules: Ruleset, pool: Pool, deceives: bool = False, encumbrance: int = 0) -> tuple[Use, ...]:
    """Returns the applications useful for this roll: one die per point of a penalty, up to all of it, and deceptions."""
    groups: dict[str, int] = {}
    for mod in pool.mods:
        row = RANGED(rules).get(mod.label) or CLOSE(rules).get(mod.label)
        if row is not None and row.group in CANCELS and mod.value < 0:
            groups[row.group] = groups.get(row.group, 0) + mod.value
    maluses = [*[(CANCELS[group], malus) for group, malus in groups.items()], ("acting while burdened", min(0, encumbrance))]
    uses = [Use(name, dice, malus) for name, malus in maluses for dice in range(1, -malus + 1)]
    uses += [Use("deception attack", dice) for dice in range(1, max(0, pool.dice) + 1)] if deceives else []
    return tuple(uses)


def _option(use: Use) -> Option[Use | None]:
    return Option(f"{use.application} {use.dice}", f"{use.application.capitalize()} ({count(use.dice, 'die', 'dice')})", use)


def give_up_dice(
    rules: Ruleset, fight: Fight, name: str, pool: Pool, *, complexity: int, what: str, deceives: bool = False, encumbrance: int = 0
) -> Play[tuple[Fight, Pool, int]]:
    """Asks for applications as long as the skill's Complexity allows; returns the pool and the dice that the other side loses."""
    before = fight.fighter(name).applied
    taken: tuple[Use, ...] = ()
    while True:
        names = tuple([use.application for use in taken])
        open_to = [use for use in offers(rules, pool, deceives, encumbrance) if use.application not in names]
        open_to = [use for use in open_to if may_apply(rules, complexity, tuple(dict.fromkeys((*before, *names, use.application))))]
        if not open_to:
            break
        no: Option[Use | None] = Option("no", "No more" if taken else "Roll all dice", None)
        options = (no, *[_option(use) for use in open_to])
        use = yield from Choice(name, f"Give up dice for {what}?", options, Situation(fight, name, rules), "applications")
        if use is None:
            break
        taken = (*taken, use)
    if not taken:
        return fight, pool, 0
    result = apply(rules, taken, complexity, before)
    yield happened(fight, name, f"gives up {count(result.dice, 'die', 'dice')} for {join([use.application for use in taken])}")
    after = tuple(dict.fromkeys((*before, *[use.application for use in taken])))
    return fight.change(name, applied=after), applied(rules, pool, taken, complexity, before), result.others_dice


def shot_with_applications(rules: Ruleset, fight: Fight, shot: Shot, skill: str) -> Play[tuple[Fight, Shot]]:
    """Lets both sides of a shot give up dice, if the campaign has Skill Applications."""
    if not rules.on("skill-applications"):
        return fight, shot
    complexity = fight.fighter(shot.attacker).profile.trained(skill).complexity
    wary = shot.defense is not None
    shooter, what = fight.fighter(shot.attacker), f"the shot at {shot.target}"
    labels = {mod.label for mod in shot.attack.mods}
    band: Band = "extreme range" if "extreme range" in labels else "long range" if "long range" in labels else "short range"
    aim = shooter.aim if shooter.aim_at == shot.target else 0
    burden = shooter.body.encumbrance if attack_attribute(rules, skill, band, snipes(rules, aim, band)) == "agility" else 0
    fight, attack, lost = yield from give_up_dice(
        rules, fight, shooter.name, shot.attack, complexity=complexity, what=what, deceives=wary, encumbrance=burden
    )
    defense = shot.defense
    if defense is not None:
        target = fight.fighter(shot.target)
        trained, burden = target.profile.trained("defense"), target.body.encumbrance
        fight, defense, _ = yield from give_up_dice(
            rules, fight, target.name, defense, complexity=trained.complexity, what="the defense", deceives=False, encumbrance=burden
        )
        defense = deceived(defense, lost)
    return fight, replace(shot, attack=attack, defense=defense)


def blow_with_applications(rules: Ruleset, fight: Fight, blow: Blow) -> Play[tuple[Fight, Blow]]:
    """Lets both sides of a blow give up dice; deception is already a close combat technique."""
    if not rules.on("skill-applications"):
        return fight, blow
    sides = {blow.attacker: blow.attack, blow.target: blow.defense}
    for name, side in sides.items():
        if side is not None:
            burden, what = fight.fighter(name).body.encumbrance, "the attack" if name == blow.attacker else "the defense"
            fight, pool, _ = yield from give_up_dice(
                rules, fight, name, side.pool, complexity=side.complexity, what=what, deceives=False, encumbrance=burden
            )
            sides[name] = replace(side, pool=pool)
    attack = sides[blow.attacker]
    assert attack is not None
    return fight, replace(blow, attack=attack, defense=sides[blow.target])


_TOUGH: tuple[Option[bool], ...] = (Option("no", "Bear the pain", False), Option("yes", "Act tough (Willpower against 5)", True))


def toughen(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Offers a wounded fighter to act tough, once per cinematic fight and at the start of a turn."""
    fighter = fight.fighter(name)
    body = fighter.body
    allowed = rules.word("reality") == "cinematic" or rules.on("acting-tough-anywhere")
    if not allowed or body.acted_tough or body.injury_penalty >= 0 or not body.able:
        return fight
    about = Situation(fight, name, rules)
    if not (yield from Choice(name, "Do you act tough?", _TOUGH, about, "tough", fighter.hidden)):
        return fight
    dice = 0
    if body.emergency_dice > 0:
        dice = yield from dice_asked(name, "acting tough", body.emergency_dice, most_emergency_dice(rules), about, fighter.hidden)
    after = yield from sub(act_tough, rules, replace(body, emergency_dice=body.emergency_dice - dice), dice)
    return fight.put(fight.fighter(name).with_body(rules, after))
