"""What everybody rolls for what they declared, with all that helps and hinders (book lines 4210-4226)."""

from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.abilities import action_dice
from rulewright.systems.ore.combat.attacks import Attempt, attempt
from rulewright.systems.ore.combat.close_actions import TRIP_DIFFICULTY, grapple_dice, unbalanced_dice
from rulewright.systems.ore.combat.cover import dive_dice
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, facts_of
from rulewright.systems.ore.combat.reach import closing_difficulty, parry_reach_dice
from rulewright.systems.ore.combat.two_weapons import hand_dice
from rulewright.systems.ore.drama.determination import Cast
from rulewright.systems.ore.fight.gunfire import is_volley
from rulewright.systems.ore.gear.weapons import BARE_HANDS
from rulewright.systems.ore.harm.body import hindered
from rulewright.systems.ore.harm.endurance import tired_dice
from rulewright.systems.ore.harm.locations import uses_locations
from rulewright.systems.ore.resolution.contests import shared_pool
from rulewright.systems.ore.resolution.tests import Mod

NO_MOD = Mod("", 0)


def cast_of(rules: Ruleset, fight: Fight, fighter: Fighter, acts: tuple[Act, ...]) -> Cast:
    """What somebody rolls for what he declared: one pool for all of it, with everything that helps and hinders.

    Of several Difficulties the highest counts for the whole roll (ruling).
    """
    tried = [tries(rules, fight, fighter, act) for act in acts]
    hindrance = hindered(rules, fighter.body)
    mods = (
        Mod("hurt", -hindrance.dice, "ore-4.07-kill-and-shock"),
        Mod("tripped", -fighter.tripped, "ore-4.18-act-trip"),
        Mod("afraid", -fighter.afraid, "ore-4.20-morale-characters"),
        tired_dice(rules, fighter.stamina.boxes),
        _drawing(fight, fighter),
    )
    volley = is_volley(acts)
    pool = (tried[0].pool if volley else shared_pool(rules, tuple([each.pool for each in tried]))).plus(*mods)
    what = " and ".join(dict.fromkeys([f"{act.kind} {act.target}".strip() for act in acts]))
    number = max([each.number for each in tried])
    difficulty = max([each.difficulty for each in tried])
    waste = volley and rules.on("waste-ammunition")
    return Cast(fighter.name, pool, len(acts), difficulty, hindrance.height, number, what, waste, _any_height(rules, fight, acts))


def _drawing(fight: Fight, fighter: Fighter) -> Mod:
    """A weapon that is drawn and used in the same round makes a multiple action of it, though drawing itself needs no set."""
    plan = next((plan for plan in fight.plans if plan.who == fighter.name), None)
    draws = plan is not None and len(plan.acts) > 1 and any(act.kind == "draw" for act in plan.acts)
    return Mod("drawn in the same round", -int(draws), "ore-4.18-act-draw")


def _any_height(rules: Ruleset, fight: Fight, acts: tuple[Act, ...]) -> bool:
    """Whether the Height of a blow says where it strikes, so that the highest set is not always the one that is wanted."""
    if len(acts) > 1 or acts[0].kind not in ("attack", "slash", "thrust") or fight.group(acts[0].target) is not None:
        return False
    return uses_locations(rules) and rules.word("hit-location") == "height"


def tries(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Attempt:
    """What one action is rolled with: attacks with all that weapon, hand and situation give, the rest with the pool of the action."""
    profile, kind = fighter.profile, act.kind
    if kind == "dive":
        return Attempt(profile.dodge.plus(dive_dice(fight.ground.cover_metres)), profile.athletic_difficulty)
    if kind == "kip up":
        return Attempt(profile.acrobatics, profile.athletic_difficulty)
    if kind in ("dodge", "run", "charge"):  # armour weighs on everything athletic
        return Attempt(profile.dodge if kind == "dodge" else profile.run, profile.athletic_difficulty)
    hand = hand_dice("off" if fighter.hand == "off" else "primary", profile.ambidextrous)
    if kind == "parry":
        place = fighter.in_hand if fighter.weapon.close else 0  # with a shield or a forearm beside a weapon that is none for it
        return Attempt(profile.parries[place].plus(hand, _parry_reach(rules, fight, fighter)))
    if kind == "close in":
        reach = fight.fighter(act.target).weapon.reach
        return Attempt(profile.dodge, max(profile.athletic_difficulty, closing_difficulty(rules, reach)))
    if kind == "fend off":
        return Attempt(profile.attacks[fighter.in_hand].plus(hand))
    if kind in ("tackle", "push", "grapple", "hold", "escape"):
        off_balance = unbalanced_dice(**_balance(fight, act), trip=False) if kind == "tackle" else NO_MOD
        pool = profile.wrestle.plus(action_dice(rules, kind) if kind != "escape" else NO_MOD, off_balance, grapple_dice(act.upright))
        return Attempt(pool)
    weapon, pool = (BARE_HANDS, profile.attacks[0]) if kind == "strangle" else (fighter.weapon, profile.attacks[fighter.in_hand])
    facts = facts_of(rules, fight, fighter, act)
    if kind == "trip":
        return attempt(rules, pool.plus(unbalanced_dice(**_balance(fight, act))), weapon, facts, TRIP_DIFFICULTY)
    return attempt(rules, pool, weapon, facts)


def _balance(fight: Fight, act: Act) -> dict[str, bool]:
    """Whether the one who is attacked pushes or tackles somebody in this round, or is pushed or tackled."""
    acts = [(plan.who, each) for plan in fight.plans for each in plan.acts]
    return {
        "pushing": any(who == act.target and each.kind == "push" for who, each in acts),
        "pushed": any(each.target == act.target and each.kind == "push" for _, each in acts),
        "tackling": any(who == act.target and each.kind == "tackle" for who, each in acts),
        "tackled": any(each.target == act.target and each.kind == "tackle" for _, each in acts),
    }


def _parry_reach(rules: Ruleset, fight: Fight, fighter: Fighter) -> Mod:
    """What Reach gives a parry: against the longest weapon that was declared against him (ruling)."""
    against = [plan.who for plan in fight.plans if any(act.target == fighter.name for act in plan.acts) and fight.group(plan.who) is None]
    reaches = [weapon.reach for weapon in [fight.fighter(name).weapon for name in against] if weapon.close]
    return parry_reach_dice(rules, fighter.weapon.reach, max(reaches)) if reaches else NO_MOD
