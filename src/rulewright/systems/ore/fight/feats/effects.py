"""Feats in a fight: the circumstances of an action and their effects (book lines 2383-4154)."""

from collections.abc import Sequence

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.play.cache import cached
from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.attacks import Attempt
from rulewright.systems.ore.combat.fighters import Act, Fight, Fighter, Pending, Plan, apart
from rulewright.systems.ore.combat.reach import reach_dice
from rulewright.systems.ore.fight.initiative import score
from rulewright.systems.ore.gear.armoury import ranges_of
from rulewright.systems.ore.gear.missiles import RANGES, Ranges, band_at, hurled
from rulewright.systems.ore.gear.weapons import BARE_HANDS, Weapon
from rulewright.systems.ore.people.feat_effects import (
    ANY_ACTION,
    ANY_ROLL,
    NO_HELP,
    RULE,
    Feats,
    Help,
    Known,
    Relief,
    Try,
    helps,
    known,
    missing,
    names_of,
    relieved,
    with_help,
)
from rulewright.systems.ore.people.pools import rated
from rulewright.systems.ore.resolution.tests import Mod, Pool

BLOWS = frozenset(("attack", "called shot", "slash", "thrust", "throw", "turn", "as told"))
BARE = frozenset(("tackle", "push", "grapple", "strangle", "touch power"))
FREE = frozenset(("move", "take cover", "speak", "fly", "release"))
"""Kinds of attacks with a weapon, of unarmed actions, and of free actions; the registry says the same."""
ONCE = ("sized up", "charged up", "loaded with care", "bitten")
"""Marks used up by the next attack on their subject."""
AGAIN, THIRD = "on the same target again", "on the same target a third time"
COVERED = "in cover"
EASE_PENALTY = "the penalty is eased"
"""Set on an action whose player lets a feat reduce the penalty instead of the Difficulty."""
PASSING = (AGAIN, THIRD, COVERED, "spoiled", "stopped")
"""Marks that last one round."""
_ALSO: dict[str, tuple[str, ...]] = {
    "run": ("running", "athletics", "body"),
    "charge": ("running", "athletics", "body"),
    "treat": ("remedy", "medicine"),
    "trip": ("wrestle",),
    "grapple": ("wrestle",),
    "tackle": ("wrestle",),
    "push": ("wrestle",),
    "hold": ("wrestle",),
    "threaten": ("intimidation", "manipulate"),
}


# --- what holds ---------------------------------------------------------------------------------------------------------------


@cached(1_000)
def weapon_words(weapon: Weapon) -> tuple[str, ...]:
    """Words for a weapon in feats. A weapon of several skills counts for the one its name tells, else for all (ruling)."""
    named = [skill for skill in weapon.skills if skill.split()[0] in weapon.name.lower()]
    words = [*(named or weapon.skills), weapon.broad, "close" if weapon.close else "ranged"]
    if weapon.gun:
        words.append("rifle" if weapon.gun == "assault rifle" else weapon.gun)
    if weapon.name == "staff" or ("hafted" in weapon.traits and weapon.style == "bludgeon"):
        words.append("staff")
    if weapon.kind in ("pull", "push"):
        words.append("with a haft")
    return tuple(dict.fromkeys(words))


def used_weapon(rules: Ruleset, fighter: Fighter, act: Act) -> Weapon:
    """The weapon of an action."""
    if act.kind in BARE:
        return BARE_HANDS
    if act.kind == "throw":
        return hurled(rules, fighter.profile.weapons[act.weapon])
    return fighter.profile.weapons[act.weapon or fighter.in_hand]


def actions_in(acts: tuple[Act, ...]) -> int:
    """The number of actions: a volley is one; free actions and spare sets are none."""
    counted = [act for act in acts if act.kind not in FREE and not act.spare]
    return sum([act.mode == "single" for act in counted]) + any(act.mode != "single" for act in counted)


def words_for(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act, acts: tuple[Act, ...]) -> tuple[str, ...]:
    """All known circumstances of an action; `acts` are all of the round."""
    weapon, many = used_weapon(rules, fighter, act), actions_in(acts)
    names = [
        *weapon_words(weapon),
        *(["only action"] if many <= 1 else ["two actions"] if many == 2 else []),
        *([] if fighter.worn.pieces else ["unarmoured"]),
        *(["fleeing"] if act.away else []),
        *(["in cover"] if fighter.cover.any else []),
        *([] if any(candidate.kind in ("run", "charge") for candidate in acts) else ["not running"]),
        *(["two weapons"] if act.off_hand else []),
        *(["spray"] if act.mode in ("burst", "suppressive") else []),
        *(["just drawn"] if any(candidate.kind == "draw" for candidate in acts) else ["in hand"]),
        *(["mounted"] if fighter.mounted else []),
        *(["first round"] if fight.round == 1 else []),
        *(["out of ammunition"] if any(_is_empty(fighter, candidate) for candidate in acts) else []),
        *(["holding a heavy weapon"] if "heavy weapons" in fighter.weapon.skills else []),
        *(["body"] if act.kind in ("run", "charge") else []),
        *(["in formation"] if in_formation(rules, fight, fighter) else []),
        *[word for word, about in fighter.marks if about in ("", act.target)],
    ]
    return tuple(dict.fromkeys((*names, *_about_foes(rules, fight, fighter, act, weapon))))


def _is_empty(fighter: Fighter, act: Act) -> bool:
    """Whether a weapon is drawn because another is empty."""
    if act.kind != "draw":
        return False
    empty = [weapon for place, weapon in enumerate(fighter.profile.weapons) if weapon.magazine and place != act.weapon]
    gone = dict(fighter.spent)
    return any(gone.get(fighter.profile.weapons.index(weapon), 0) >= weapon.magazine for weapon in empty)


def _about_foes(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act, weapon: Weapon) -> list[str]:
    """Circumstances about the target, or about the attackers."""
    result = []
    group = fight.group(act.target) if act.target else None
    if group is not None:
        result += ["against mooks", "slower foe"]
    elif act.target:
        other = fight.fighter(act.target)
        result += ["slower foe"] if score(rules, other) < score(rules, fighter) else []
        result += ["aimed"] if fighter.aim and fighter.against == act.target else []
    else:
        coming = [plan.who for plan in fight.plans if any(candidate.target == fighter.name for candidate in plan.acts)]
        people = [fight.fighter(name) for name in coming if fight.group(name) is None]
        if coming and all(score(rules, other) < score(rules, fighter) for other in people):
            result.append("slower foe")
    if group is not None and fighter.aim and fighter.against == act.target:
        result.append("aimed")
    ranges = _carries(rules, weapon, fighter) if act.target and not weapon.close else None
    if ranges is not None:
        band = band_at(fight.distance(fighter.name, act.target), ranges)
        result += ["close range"] if band == "short" else [f"{band} range"] if band else []
    return result


def _carries(rules: Ruleset, weapon: Weapon, fighter: Fighter) -> Ranges | None:
    """The range of a weapon for a fighter; None if they cannot use it."""
    try:
        return ranges_of(rules, weapon, fighter.profile.body)
    except UserError:
        return None


def in_formation(rules: Ruleset, fight: Fight, fighter: Fighter) -> bool:
    """Whether a fighter is in a squad: within five metres of another, or anywhere without need of formation."""
    for other in fight.fighters:
        if not _led(other.profile.feats) or other.side != fighter.side or not other.able:
            continue
        mates = [
            candidate for candidate in fight.fighters if candidate.side == other.side and candidate.able and candidate.name != other.name
        ]
        near = [mate for mate in mates if apart(mate, other) <= FORMATION or _anywhere(rules, other)]
        if near and (fighter.name == other.name or fighter in near):
            return True
    return False


FORMATION = 5
TACTICS = "Group Tactics"


def _anywhere(rules: Ruleset, fighter: Fighter) -> bool:
    return "no formation needed" in helps(rules, fighter.profile.feats, Try(on=("squad",)))


def squad_feats(fight: Fight, fighter: Fighter) -> tuple[tuple[str, int], ...]:
    """The feats of a fighter and of the squad's leader."""
    own, side = fighter.profile.feats, fighter.profile.side
    for other in fight.fighters:
        profile = other.profile
        if profile.feats and profile.side == side and other is not fighter:
            led = _led(profile.feats)
            if led and other.able:
                own = (*own, *[pair for pair in led if pair not in own])
    return own


@cached(1_000)
def _led(feats: Feats) -> Feats:
    """Feats that work for a whole squad."""
    return tuple([feat for feat in feats if feat[0] == TACTICS])


# --- what follows -------------------------------------------------------------------------------------------------------------


def on_of(rules: Ruleset, act: Act) -> tuple[str, ...]:
    """The name of an action in feats."""
    names = [
        act.kind,
        *(["attack"] if act.kind in BLOWS else []),
        *_ALSO.get(act.kind, ()),
        *(names_of(rules, act.skill) if act.skill else ()),
    ]
    return (*names, ANY_ACTION, ANY_ROLL)


def help_for(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> Help:
    """The help of feats for a declared action; `act.when` has its circumstances."""
    feats = squad_feats(fight, fighter)
    return _help_for(rules, feats, act) if feats else NO_HELP


@cached(20_000)
def _help_for(rules: Ruleset, feats: Feats, act: Act) -> Help:
    return helps(rules, feats, Try(on=on_of(rules, act), when=act.when, manner=act.manner, times=max(1, act.times)))


def attack_help(rules: Ruleset, fight: Fight, attack: Pending) -> Help:
    """The same for a waiting set; mooks have none."""
    if not fight.with_feats or fight.group(attack.who) is not None:
        return NO_HELP
    return help_for(rules, fight, fight.fighter(attack.who), attack.act)


def trait(rules: Ruleset, fighter: Fighter, on: str, *when: str) -> Help:
    """The help of feats outside of actions: when hurt, afraid, for Initiative."""
    if not fighter.profile.feats:
        return NO_HELP
    words = (*weapon_words(fighter.weapon), *([] if fighter.worn.pieces else ["unarmoured"]), *when)
    own = [word for word, about in fighter.marks if not about]
    return helps(rules, fighter.profile.feats, Try(on=(on, ANY_ROLL), when=(*words, *own)))


def with_words(rules: Ruleset, fight: Fight, plan: Plan) -> Plan:
    """A plan with the circumstances of each action, if anybody has feats."""
    fighter = fight.fighter(plan.who)
    if not squad_feats(fight, fighter):
        return plan
    acts = tuple([replace(act, when=(*act.when, *words_for(rules, fight, fighter, act, plan.acts))) for act in plan.acts])
    return replace(plan, acts=acts)


def tried_with_feats(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act, tried: Attempt) -> tuple[Attempt, Help]:
    """The roll of an action with feats of the fighter and of the target."""
    given = help_for(rules, fight, fighter, act)
    pool, need = with_help(tried.pool, given), tried.difficulty
    if given is not NO_HELP:
        pool = pool.plus(*_ranges(rules, act, given), *_aims(fighter, act, given))
        if "no aim bonus" in given:
            pool = replace(pool, mods=tuple([mod for mod in pool.mods if mod.label != "aim"]))
        eases = given.eases if EASE_PENALTY not in act.when else 0
        need = max(1, need + given.difficulty - eases) if need > 1 else need
    mods, harder = _by_foe(rules, fight, fighter, act)
    if given is NO_HELP and not mods and not harder:
        return tried, given
    return Attempt(pool.plus(*mods), min(10, need + harder), tried.number), given


def _ranges(rules: Ruleset, act: Act, given: Help) -> tuple[Mod, ...]:
    """Dice for targets that count as nearer."""
    nearer = {"medium range": "short", "long range": "medium"}
    mods = []
    for word, flag in (("medium range", "medium is short"), ("long range", "long is medium")):
        if word in act.when and flag in given:
            gained = RANGES.of(rules, nearer[word]) - RANGES.of(rules, word.split()[0])
            mods.append(Mod(f"{word} counts as {nearer[word]}", gained, RULE))
    return tuple(mods)


def _aims(fighter: Fighter, act: Act, given: Help) -> tuple[Mod, ...]:
    """Extra dice from aiming with feats."""
    if "aimed" not in act.when:
        return ()
    more = given.amount("first aim") + (max(0, fighter.aim - 2) if "aims as often as insight" in given else 0)
    return (Mod("aim by feats", more, RULE),)


def most_aims(rules: Ruleset, fighter: Fighter, usual: int) -> int:
    """How many rounds of aiming count; One Shot, One Kill adds Insight."""
    given = trait(rules, fighter, "attack", "aimed")
    if "aims as often as insight" in given:
        return 1 + fighter.profile.insight
    return given.amount("most aims") or usual


def _by_foe(rules: Ruleset, fight: Fight, fighter: Fighter, act: Act) -> tuple[tuple[Mod, ...], int]:
    """Penalties from the feats of a target."""
    if not act.target or fight.group(act.target) is not None or act.target == fighter.name:
        return (), 0
    other = fight.fighter(act.target)
    if not other.profile.feats or other.side == fighter.side:
        return (), 0
    weapon = used_weapon(rules, fighter, act)
    lower = ("of lower reach",) if weapon.close and weapon.reach < other.weapon.reach and rules.on("weapon-reach") else ()
    against = helps(rules, other.profile.feats, Try(on=on_of(rules, act), when=(*weapon_words(other.weapon), *lower)), foes=True)
    mods, harder = against.mods, against.difficulty
    if against.amount("reach") and weapon.close:
        held_off = reach_dice(rules, weapon.reach, against.amount("reach"), fight.close_in(fighter, other))
        mods = (*mods, Mod(against.by[0], held_off.dice, RULE))
    if act.kind == "called shot" and weapon.close and _wards(rules, fight, other):
        harder += 1
    return mods, harder


def _wards(rules: Ruleset, fight: Fight, other: Fighter) -> bool:
    """Whether the target makes called shots harder this round."""
    plan = next((plan for plan in fight.plans if plan.who == other.name), None)
    acts = plan.acts if plan is not None else ()
    return any("harder called shots" in help_for(rules, fight, other, act) for act in acts)


def relieving(rules: Ruleset, pool: Pool, given: Sequence[Help], on_penalty: Sequence[bool]) -> Pool:
    """A pool with penalties reduced by feats, each once; `on_penalty` says for which actions a feat that eases either does so."""
    reliefs = dict.fromkeys([relief for candidate in given for relief in candidate.reliefs])
    easing = [candidate for candidate, chosen in zip(given, on_penalty, strict=True) if candidate.eases and chosen]
    eases = dict.fromkeys([Relief(candidate.by[-1], candidate.eases_dice) for candidate in easing])
    return relieved(pool, (*reliefs, *eases))


def spared_dice(rules: Ruleset, fight: Fight, fighter: Fighter, acts: tuple[Act, ...]) -> tuple[int, bool]:
    """How many extra actions cost no die, and whether the largest pool is rolled."""
    free = [item for item in known(rules, fighter.profile.feats) if item.does.free]
    taken: list[Act] = []
    largest, spared = False, 0
    for candidate in free:
        pair = _pair(rules, candidate, [act for act in acts if act not in taken or acts.count(act) > 1])
        if pair:
            taken.append(pair[0])
            spared += 1
            largest = largest or "larger pool" in candidate.does.flags
    return min(spared, max(0, actions_in(acts) - 1)), largest


def _pair(rules: Ruleset, item: Known, acts: list[Act]) -> tuple[Act, ...]:
    """The two actions that a feat combines; none if one is missing."""
    first, second = item.does.free
    for candidate in [act for act in acts if _is(rules, act, first)]:
        for other in [act for act in acts if act is not candidate and _is(rules, act, second)]:
            lacks = missing(rules, item, Try(on=on_of(rules, candidate), when=(*candidate.when, *other.when)))
            if lacks == ():
                return candidate, other
    return ()


def _is(rules: Ruleset, act: Act, name: str) -> bool:
    """Whether an action matches a name in a feat."""
    if name == ANY_ACTION:
        return act.kind not in FREE
    if name == "unarmed":
        return act.kind in BARE or act.kind == "dodge"
    if act.skill and act.kind == "skill" and name in names_of(rules, act.skill):
        return True
    return act.kind == name or (name == "attack" and act.kind in BLOWS)


def manners(rules: Ruleset, fighter: Fighter) -> tuple[tuple[str, str, bool], ...]:
    """Attacks that feats teach with the weapon in hand: level, name, and whether they fill the round."""
    return _manners(rules, fighter.profile.feats, fighter.weapon, bool(fighter.worn.pieces))


@cached(4_000)
def _manners(rules: Ruleset, feats: Feats, weapon: Weapon, armoured: bool) -> tuple[tuple[str, str, bool], ...]:
    words = (*weapon_words(weapon), *([] if armoured else ["unarmoured"]), "close range", "only action")
    entries = []
    for candidate in known(rules, feats):
        tried = Try(on=("attack",), when=words, manner=(candidate.row.feat,))
        if candidate.does.manner and not candidate.does.foes and missing(rules, candidate, tried) == ():
            entries.append((candidate.row.feat, candidate.row.name, "only action" in candidate.does.when))
    return tuple(dict.fromkeys(entries))


def abilities(rules: Ruleset, fighter: Fighter) -> frozenset[str]:
    """Special abilities from feats, by flag."""
    own = ("unarmoured",) if not fighter.worn.pieces else ()
    return _abilities(rules, fighter.profile.feats, fighter.weapon, (*own, "mounted") if fighter.mounted else own)


@cached(4_000)
def _abilities(rules: Ruleset, feats: Feats, weapon: Weapon, own: tuple[str, ...]) -> frozenset[str]:
    words = {*weapon_words(weapon), *own}
    open_to = {"close", "ranged", "unarmoured", "mounted", "staff", "shotgun", "with a haft", "energy", "missiles", "rifle"}
    names: set[str] = set()
    for candidate in known(rules, feats):
        needs = [word for word in candidate.does.when if word in open_to or word in ("laser weapons", "long arms", "missile weapons")]
        if not candidate.does.foes and all(word in words for word in needs):
            names |= set(candidate.does.flags)
    return frozenset(names)


def knacks(rules: Ruleset, fighter: Fighter) -> tuple[tuple[str, str], ...]:
    """Feats that can be used on their own: a test, an automatic success, or a question to the Game Master; without those that have their
    own action."""
    pairs = []
    for candidate in known(rules, fighter.profile.feats):
        does = candidate.does
        if not does.flags and not does.foes and (does.test or does.sure or does.asks) and not does.dice and not does.amounts:
            pairs.append((candidate.row.feat, candidate.row.name))
    return tuple(dict.fromkeys(pairs))


def rating_of(rules: Ruleset, fighter: Fighter, skill: str) -> int:
    """The rating of a skill; the best of its subjects."""
    subjects = [rating for name, rating in fighter.profile.training.skills if name.startswith(f"{skill}:")]
    return max([rated(rules, fighter.profile.training.person(), skill).rating, *subjects])


def marks_left(fighter: Fighter, acts: tuple[Act, ...]) -> tuple[tuple[str, str], ...]:
    """The marks left after the roll of a round: attacks use some up, and repeated shots at a target are counted."""
    struck = [act.target for act in acts if act.kind in BLOWS]
    gone = ("", *struck) if struck else ()
    kept = [(word, about) for word, about in fighter.marks if word not in PASSING and not (word in ONCE and about in gone)]
    for target in dict.fromkeys(struck):
        before = (AGAIN, target) in fighter.marks
        kept += [(AGAIN, target), *([(THIRD, target)] if before else [])]
    return tuple([(word, about) for word, about in kept if not word.startswith("repeat ")])


def feats_matter(rules: Ruleset, fight: Fight) -> bool:
    """Whether feats affect sets or blows this round, so that all dice must be read."""
    for fighter in fight.fighters:
        plan = next((plan for plan in fight.plans if plan.who == fighter.name), None)
        if not fighter.profile.feats or plan is None:
            continue
        moment = trait(rules, fighter, "hurt")
        given = [moment, *[help_for(rules, fight, fighter, act) for act in plan.acts]]
        if any(
            candidate.flags or candidate.amounts or candidate.twin or candidate.spare or candidate.speed or candidate.edge.gains
            for candidate in given
        ):
            return True
    return False
