"""Builds a complete blow from the state of the fight: skills, weapons and circumstances of both sides."""

from msgspec import Struct
from msgspec.structs import replace

from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.action.confined_places import defense_against, in_water, level_in_water, narrow
from rulewright.systems.silhouette.action.gravity import footing_in
from rulewright.systems.silhouette.attacks.facing import position_of
from rulewright.systems.silhouette.combat.arms import Weapon
from rulewright.systems.silhouette.combat.close_combat import (
    FACE_TO_FACE,
    GUARDS,
    PLAIN,
    STRIKING,
    Around,
    Blow,
    Guard,
    ShieldUp,
    Technique,
    blow_pool,
    guard_pool,
    lower_of_stealth,
    out_of_reach,
    strikes,
    unwary_threshold,
)
from rulewright.systems.silhouette.combat.command import defense_bonus
from rulewright.systems.silhouette.combat.fighters import Action, Fight, Fighter, Medium, Profile, Trained
from rulewright.systems.silhouette.combat.ranged_attacks import aimed_dice, size_of
from rulewright.systems.silhouette.combat.stances import defends_openly, focus, stance_dice
from rulewright.systems.silhouette.harm.body import Location, Patient
from rulewright.systems.silhouette.harm.damage import stabbing_modifier
from rulewright.systems.silhouette.people.skills import attribute_of
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, Side, complexity_modifier

STRIKE = Action("strike")
"""A normal strike."""
DRUNK = ("", "mildly intoxicated", "moderately intoxicated", "heavily intoxicated")


# --- who has what ---------------------------------------------------------------------------------------------------------------

_STYLES = {
    "fists": ("striking",),
    "rapier": ("fencing",),
    "long bow": ("longbow",),
    "modern compound bow": ("compound bow",),
    "javelin": ("javelins",),
}


def styles(weapon: str) -> tuple[str, ...]:
    """Returns the specializations that fit a weapon; one in the weapon itself fits as well."""
    result = [weapon, *_STYLES.get(weapon, ())]
    for word, style in (
        ("knife", "knives"),
        ("club", "clubs"),
        ("mace", "clubs"),
        ("stick", "clubs"),
        ("staff", "clubs"),
        ("pistol", "pistols"),
        ("revolver", "pistols"),
        ("rifle", "rifles"),
        ("smg", "submachine guns"),
        ("crossbow", "crossbow"),
        ("machine gun", "machineguns"),
        ("grenade", "grenades"),
    ):
        if word in weapon:
            result.append(style)
    return tuple(result)


def special(trained: Trained, *used: str) -> Mod:
    """Returns the bonus of one fitting specialization."""
    fits = next((name for name in trained.specializations if name in used), "")
    return Mod(f"specialization: {fits}", 1 if fits else 0, "sil-2.2.3-specialization")


def as_rolled(pool: Pool, profile: Profile, trained: Trained, weapon: str = "") -> Pool:
    """Returns a pool with the roller's special properties: hero dice and favored item."""
    return Pool(pool.dice, pool.mods, 0, profile.hero, bool(weapon) and trained.favored == weapon)


def defenseless(rules: Ruleset, fight: Fight, target: Fighter) -> bool:
    """Whether a target defends by situation alone: unaware, all-out attack, or a swarm."""
    swarm = target.profile.plan.swarm is not None
    return target.unwary or swarm or not fight.acting_body(target).able or defends_openly(rules, target.stance)


# --- from the fight to a blow -------------------------------------------------------------------------------------------------


def _situations(fight: Fight, fighter: Fighter, cover: bool = False) -> tuple[str, ...]:
    names = [fight.light_on(fighter), DRUNK[fighter.drunk], *([fighter.cover] if cover else [])]
    return tuple([text for text in names if text and text != "good light"])


DRY = Mod("water", 0)
NONE = Mod("", 0)
"""A modifier that does not count; created once for speed."""
BURDENS = ("armor and shield", "badly healed wounds")


def wetness(rules: Ruleset, fight: Fight, fighter: Fighter, agility: bool = True) -> Mod:
    """Returns the modifier of water in a fight: none for a character with Athletics, which includes swimming (ruling), for a body made
    to swim, or for a flier."""
    depth = fight.water_at(fighter)
    if depth == "dry" or fighter.height or "swim" in fighter.profile.plan.ways:
        return DRY
    swims = fighter.profile.level("athletics") > 0
    return in_water(rules, depth, agility, swims, heavy=fighter.body.encumbrance < 0)


def level_in(rules: Ruleset, level: int, profile: Profile, medium: Medium) -> int:
    """Limits a skill in a fight by Athletics in deep water and by Zero-G in free fall."""
    if medium == "free fall":
        return min(level, profile.level("zero-g"))
    if "swim" in profile.plan.ways:
        return level
    return level_in_water(rules, level, profile.level("athletics"), medium)


def burden(body: Patient) -> tuple[Mod, ...]:
    """Returns the modifiers of armor, shield and badly healed wounds on physical actions, each under its name."""
    if not body.encumbrance and not body.stiffness:
        return ()
    return (
        Mod("armor and shield", body.encumbrance, "sil-3.5.1-armor"),
        Mod("badly healed wounds", body.stiffness, "sil-3.5.6-recovery"),
    )


def around_striker(rules: Ruleset, fight: Fight, striker: Fighter, weapon: Weapon, penalty: int) -> Around:
    """Returns the circumstances of an attacker."""
    ground, body = fight.ground, fight.acting_body(striker)
    off_hand = ("off hand",) if striker.off_hand and not striker.profile.both_hands else ()
    mods = (
        Mod("multiple actions", penalty, "sil-3.1.1-multiple-actions") if penalty else NONE,
        Mod("last act", fight.dying_act(striker), "sil-3.3-advanced-ties-combat") if fight.late else NONE,
        narrow(rules, weapon.long, weapon.unwieldy) if ground.narrow else NONE,
        wetness(rules, fight, striker, STRIKING[weapon.skill] == "agility"),
        focus(rules, striker.stance, weapon.skill == "melee") if rules.on("stances") else NONE,
        *burden(body),
    )
    return Around(
        (*_situations(fight, striker), *off_hand),
        striker.pace,
        striker.covering_ground,
        False,
        body.acting_penalty,
        stance_dice(rules, striker.stance, "attack") + striker.flourish,
        tuple([mod for mod in mods if mod.value]),
    )


def around_target(rules: Ruleset, fight: Fight, target: Fighter, attacker: Fighter, free: bool) -> Around:
    """Returns the circumstances of a target; Free Strikes do not count as further opponents."""
    outnumbered = 0 if free or target.many else defense_against(rules, target.attacked_by, attacker.name)
    place = position_of(rules, fight, attacker, target)
    body = fight.acting_body(target)
    mods = (
        Mod("several opponents", outnumbered, "sil-3.3.2-close-modifiers") if outnumbered else NONE,
        wetness(rules, fight, target),
        Mod("multiple actions", target.hurried, "sil-3.1.1-multiple-actions") if target.hurried else NONE,
        *([defense_bonus(rules)] if target.guarded else []),
        *burden(body),
    )
    return Around(
        (*_situations(fight, target, cover=True), *((place,) if place != "facing" else ())),
        target.pace,
        target.covering_ground,
        body.snared is not None,
        body.acting_penalty,
        stance_dice(rules, target.stance, "defense") - target.many,
        tuple([mod for mod in mods if mod.value]),
    )


def guards(rules: Ruleset, fight: Fight, target: Fighter) -> tuple[Guard, ...]:
    """Returns the possible defenses against a blow: dodge, parry with a weapon or shield (not on a wall), or block; an entangled target
    can only dodge (ruling)."""
    if fight.acting_body(target).snared is not None or target.profile.plan.beast:
        return ("dodge",)
    shield = target.shield_up and target.profile.shield is not None and target.pace != "climbing"
    armed = target.weapon.parry is not None and not target.weapon.too_heavy
    return ("dodge", "parry", "block") if armed or shield else ("dodge", "block")


def make_blow(
    rules: Ruleset,
    fight: Fight,
    attacker: Fighter,
    target: Fighter,
    weapon: Weapon,
    *,
    action: Action = STRIKE,
    guard: Guard = "dodge",
    penalty: int = 0,
    free: bool = False,
) -> Blow:
    """Builds a complete blow; `action` says how it is struck."""
    form = Form(  # made for every blow, by the order of its fields: names would take ten times as long
        attacker.profile,
        weapon,
        target.profile,
        target.weapon,
        around_striker(rules, fight, attacker, weapon, penalty),
        around_target(rules, fight, target, attacker, free),
        None if defenseless(rules, fight, target) else guard,
        target.profile.shield if target.shield_up and target.pace != "climbing" else None,
        action.technique,
        action.bruise,
        action.location,
        fight.medium_at(attacker),
        fight.medium_at(target),
        footing_in(rules, fight.ground.gravity),
        target.name in fight.late,
        target.unwary,
        weapon.entangles if action.snare else None,
        action.stab,
    )
    return _build_blow(rules, form)


class Form(Struct, frozen=True, cache_hash=True, gc=False):
    """Everything that determines a blow: attacker, weapon, defender, defense and circumstances."""

    attacker: Profile
    weapon: Weapon
    target: Profile
    parrying: Weapon
    around: Around = FACE_TO_FACE
    against: Around = FACE_TO_FACE
    guard: Guard | None = "dodge"
    shield: ShieldUp | None = None
    technique: Technique = PLAIN
    bruise: bool = False
    location: Location | None = None
    medium: Medium = "dry"
    target_medium: Medium = "dry"
    footing: Mod = DRY
    waits: bool = False
    sneaks: bool = False
    snare: int | None = None
    stab: bool = False


def striking_pool(rules: Ruleset, attacker: Profile, weapon: Weapon) -> Pool:
    """Returns the pool of a normal strike at a facing defender without further circumstances."""
    return _build_blow(rules, Form(attacker=attacker, weapon=weapon, target=attacker, parrying=weapon)).attack.pool


@cached(50_000)
def _build_blow(rules: Ruleset, form: Form) -> Blow:
    attacker, weapon, around = form.attacker, form.weapon, form.around
    mine = attacker.trained(weapon.skill)
    level, skill, attribute = level_in(rules, mine.level, attacker, form.medium), weapon.skill, STRIKING[weapon.skill]
    plus = special(mine, *styles(weapon.name))
    defense, threshold, up = None, 1, None
    if form.guard is None:
        lower = lower_of_stealth(skill, level, attacker.level("stealth"))
        if lower.skill == "stealth" and form.sneaks:
            mine, level, skill, attribute = attacker.trained("stealth"), lower.level, "stealth", attribute_of(rules, "stealth")
            plus = Mod("specialization", 0)
        worn = sum([mod.value for mod in form.against.mods if mod.label in BURDENS])
        threshold = unwary_threshold(rules, form.against.pace, form.against.situations, form.against.penalty + worn)
        plus_complexity = complexity_modifier(mine.complexity)
    else:
        plus_complexity = Mod("Complexity", 0)
        defense, up = _build_defense(rules, form, form.guard)
    smaller = aimed_dice(rules, level, 0, size_of(rules, form.location)) - level if form.location is not None else 0
    point = stabbing_modifier(rules, weapon.parry or 0) if form.stab else DRY
    mods = (*around.mods, *[mod for mod in (plus, plus_complexity, point, *mine.mods) if mod.value])
    around = replace(around, mods=mods, dice=around.dice + smaller)
    pool = blow_pool(rules, level, attacker.attribute(attribute), weapon.accuracy, around, form.technique, attribute.capitalize())
    return Blow(
        attacker=attacker.name,
        target=form.target.name,
        weapon=weapon.name,
        attack=Side(as_rolled(pool, attacker, mine, weapon.name), skill, mine.level, mine.complexity, attacker.attribute(attribute)),
        defense=defense,
        threshold=threshold,
        multiplier=weapon.damage,
        strikes=strikes(rules, form.technique.speed)[0],
        bruise=form.bruise,
        nature="stabbing" if form.stab else weapon.nature,
        location=form.location,
        shield=up,
        safe=out_of_reach(rules, form.against.situations),
        waits=form.waits,
        snare=form.snare,
    )


def _build_defense(rules: Ruleset, form: Form, guard: Guard) -> tuple[Side, ShieldUp | None]:
    """Returns the defender's side, and the shield used to parry if that is better."""
    target, weapon, parrying, shield = form.target, form.weapon, form.parrying, form.shield
    skill, attribute = GUARDS[guard]
    trained = target.trained(skill)
    parry = 0
    up: ShieldUp | None = None
    used: tuple[str, ...] = ("melee attacks" if weapon.skill == "melee" else "unarmed",)
    if guard == "parry":
        own = parrying.parry if parrying.parry is not None else -99
        bonus = shield.parry if shield is not None else -99
        parry, up = (bonus, shield) if bonus >= own else (own, None)
        used = styles(parrying.name) if up is None else ("shields",)
    elif guard == "block":
        used = ()
    level = level_in(rules, trained.level, target, form.target_medium)
    footing = (form.footing,) if attribute == "agility" else ()
    mods = [mod for mod in (special(trained, *used), *trained.mods, *footing) if mod.value]
    around = replace(form.against, mods=(*form.against.mods, *mods))
    pool = guard_pool(rules, level, target.attribute(attribute), parry, around, form.technique.deception, attribute.capitalize())
    return Side(as_rolled(pool, target, trained), skill, trained.level, trained.complexity, target.attribute(attribute)), up
