"""Special Effects, and Genre Effects outside of rolls in a fight (book lines 6086-6108, 6120-6170).

`fight/luck.py` has the effects of Genre Points and luck on rolls.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from rulewright.grammar import a, count, join
from rulewright.play import Choice, Option, Play, Range
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.combat.effects import Level, special_effect, villain_effect
from rulewright.systems.silhouette.combat.events import happened
from rulewright.systems.silhouette.combat.fighters import Fight, Fighter, Profile, Situation, Trained, UnderWay
from rulewright.systems.silhouette.drama.genre_effects import (
    LOWEST_PSYCHE,
    MOST_LAST_ROUNDS,
    Standing,
    black_out,
    burst_of_angst,
    escape_impending_death,
    inner_well,
    last_hurrah,
    mortal_strike,
    pay,
    scene_ends,
    seize_opportunity,
)
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.people.genre import Priced, mimicked_level


def show_off(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """Offers a Special Effect for the first action and Genre Effects at the start of a turn."""
    fight, turn = yield from _ask_for_effect(rules, fight, turn)
    return (yield from _spend_genre_points(rules, fight, turn))


# --- Special Effects ----------------------------------------------------------------------------------------------------------

Take = Literal["dice", "free actions"]
_STUNTS: tuple[Option[tuple[Level, Take] | None], ...] = (
    Option("no", "No Special Effect", None),
    Option("basic", "Basic, a vivid and new description: 1 die", ("basic", "dice")),
    Option("advanced", "Advanced, uses the surroundings: 2 dice", ("advanced", "dice")),
    Option("advanced action", "Advanced, uses the surroundings: 1 free action", ("advanced", "free actions")),
    Option("complex", "Complex, amazes the whole table: 3 dice", ("complex", "dice")),
    Option("complex actions", "Complex, amazes the whole table: 2 free actions", ("complex", "free actions")),
)


def _ask_for_effect(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """Asks for a Special Effect: for cinematic heroes; for a main villain once, or from the villains' pool."""
    name, profile = turn.name, fight.fighter(turn.name).profile
    if not rules.on("special-effects") or rules.word("reality") != "cinematic" or not profile.hero:
        return fight, turn
    pooled = rules.word("villain-effects") == "pool"
    if profile.villain and (fight.stunts.pool < 1 if pooled else name in fight.stunts.villains):
        return fight, turn
    about = Situation(fight, name, rules, turn)
    hidden = fight.fighter(name).hidden
    told = yield from Choice(name, "How do you describe your action?", _STUNTS, about, "special effect", hidden)
    if told is None:
        return fight, turn
    level, take = told
    stunt = (
        villain_effect(rules, name, True, level, take, fight.stunts)
        if profile.villain
        else special_effect(rules, level, "", take, fight.stunts)
    )
    yield happened(fight, name, f"performs {a(level)} Special Effect", "good")
    fight = replace(fight, stunts=stunt.session).change(name, flourish=fight.fighter(name).flourish + stunt.dice)
    return fight, replace(turn, left=turn.left + stunt.free_actions)


# --- Genre Effects ------------------------------------------------------------------------------------------------------------


def _standing(fighter: Fighter) -> Standing:
    """Returns a fighter as a holder of Genre Points."""
    body = fighter.body
    psyche = fighter.profile.attribute("psyche") + sum([points for _, points in fighter.angst])
    return Standing(fighter.name, body.genre_points, body, psyche, fighter.angst, eased_flesh=fighter.eased[0], eased_deep=fighter.eased[1])


def _affordable_effects(fight: Fight, fighter: Fighter, eased: bool) -> list[Option[tuple[str, int]]]:
    """Returns the Genre Effects a fighter can afford at the start of a turn, with amounts."""
    body, options = fighter.body, list[Option[tuple[str, int]]]()
    points = body.genre_points

    def offer(key: str, label: str, effect: str, price: int) -> None:
        if points >= price:
            options.append(Priced(key, label, (effect, price), price=price))

    if "inner well of strength" in body.genre and not eased:
        if fighter.eased[0] < body.flesh:
            offer("inner well flesh", "Inner Well of Strength: ignore a Flesh Wound", "flesh", 1)
        if fighter.eased[1] < body.deep:
            offer("inner well deep", "Inner Well of Strength: ignore a Deep Wound", "deep", 3)
    if "opportunity seized" in body.genre:
        offer("opportunity seized", "Opportunity Seized: one more action", "opportunity seized", 1)
    if "blessed unconsciousness" in body.genre:
        offer("blessed unconsciousness", "Blessed Unconsciousness: pass out and be left for dead", "blessed unconsciousness", 1)
    if "escape impending death" in body.genre and body.wounded and not body.spared:
        offer("escape impending death", "Escape Impending Death: wounds stop getting worse", "escape impending death", 3)
    if "mortal strike" in body.genre and _may_prove_mortal(fight, fighter):
        offer("mortal strike", f"Mortal Strike: the wound will kill {fighter.dealt[0]}", "mortal strike", 6)
    if "burst of angst" in body.genre and _is_shaken(fight, fighter):
        for price in range(1, min(points, fighter.profile.attribute("psyche") - LOWEST_PSYCHE) + 1):
            offer(
                f"burst of angst {price}",
                f"Burst of Angst: move {count(price, 'point')} from Psyche to another attribute",
                "burst of angst",
                price,
            )
    return options


def _is_shaken(fight: Fight, fighter: Fighter) -> bool:
    """Whether a fighter has seen something traumatic: a companion dead or dying, or as the gamemaster says (ruling)."""
    companions = [f.body for f in fight.fighters if f.side == fighter.side and f.name != fighter.name]
    return fighter.shocked or any(body.dead or body.trauma is not None for body in companions)


_ENOUGH: Option[tuple[str, int]] = Option("no", "Save your Genre Points", ("", 0))


def _spend_genre_points(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """Spends Genre Points at the start of a turn, one effect after another."""
    name, eased = turn.name, False
    while True:
        fighter = fight.fighter(name)
        options = _affordable_effects(fight, fighter, eased) if fighter.body.genre and fighter.body.able else []
        if not options:
            return fight, turn
        about = Situation(fight, name, rules, turn)
        effect, amount = yield from Choice(name, "Do you spend Genre Points?", (_ENOUGH, *options), about, "genre", fighter.hidden)
        if not effect:
            return fight, turn
        if effect == "mortal strike":
            fight = yield from _strike_mortally(rules, fight, name)
        elif effect == "burst of angst":
            fight = yield from _burst_into_rage(rules, fight, name, amount)
        else:
            fight, turn = _bought(rules, fight, turn, effect)
            eased = eased or effect in ("flesh", "deep")
            called = "inner well of strength" if effect in ("flesh", "deep") else effect
            yield happened(fight, name, f"spends Genre Points on {called}", "good")


def _bought(rules: Ruleset, fight: Fight, turn: UnderWay, effect: str) -> tuple[Fight, UnderWay]:
    fighter = fight.fighter(turn.name)
    standing = _standing(fighter)
    if effect == "opportunity seized":
        paid = seize_opportunity(rules, standing)
        turn = replace(turn, left=turn.left + paid.extra_actions)
    elif effect == "blessed unconsciousness":
        paid = black_out(rules, standing)
        paid = replace(paid, patient=replace(paid.patient, unconscious=1))
    elif effect == "escape impending death":
        paid = escape_impending_death(rules, standing)
    else:
        paid = inner_well(rules, standing, "flesh" if effect == "flesh" else "deep")
    after = replace(fighter, eased=(paid.eased_flesh, paid.eased_deep), left_for_dead=fighter.left_for_dead or paid.left_for_dead)
    return fight.put(after.with_body(rules, _body(paid))), turn


def _body(paid: Standing) -> Patient:
    return replace(paid.patient, genre_points=paid.points)


def _burst_into_rage(rules: Ruleset, fight: Fight, name: str, points: int) -> Play[Fight]:
    """Plays a Burst of Angst: tests with the raised attribute improve until the fight ends. Derived values (Strength, Health,
    thresholds, speed) do not change (ruling)."""
    fighter = fight.fighter(name)
    names = [text for text, _ in fighter.profile.attributes if text not in ("build", "psyche")]
    options = tuple([Option(text, text.capitalize(), text) for text in names])
    about = Situation(fight, name, rules)
    attribute = yield from Choice(name, f"Which attribute do you raise by {points}?", options, about, "angst", fighter.hidden)
    paid = burst_of_angst(rules, _standing(fighter), attribute, points)
    yield happened(fight, name, f"bursts into a rage ({attribute.capitalize()} {points:+})", "good")
    profile = _shift_psyche(fighter.profile, attribute, points)
    return fight.put(replace(fighter, profile=profile, angst=paid.angst, body=_body(paid)))


def _shift_psyche(profile: Profile, attribute: str, points: int) -> Profile:
    """Returns the profile with points moved from Psyche to another attribute, or back."""
    moved = {"psyche": -points, attribute: points}
    return replace(profile, attributes=tuple([(text, value + moved.get(text, 0)) for text, value in profile.attributes]))


# --- at other moments ---------------------------------------------------------------------------------------------------------

_SEIZE: tuple[Option[bool], ...] = (
    Option("no", "Wait", False),
    Priced("yes", "Opportunity Seized: act first (1 Genre Point)", True, price=1),
)


def seize_the_moment(rules: Ruleset, fight: Fight, group: tuple[str, ...]) -> Play[Fight | None]:
    """Offers Opportunity Seized before others act: one action first, without the penalty for several; None if nobody takes it."""
    if fight.frozen:
        return None
    for candidate in fight.fighters:
        body = candidate.body
        acts = body.able and not candidate.unwary and not candidate.confused and candidate.name not in group
        if not acts or "opportunity seized" not in body.genre or body.genre_points < 1:
            continue
        about = Situation(fight, candidate.name, rules)
        asked = f"{join([n for n in group if not fight.fighter(n).hidden]) or 'Somebody'} will act. Do you seize the opportunity?"
        if (yield from Choice(candidate.name, asked, _SEIZE, about, "seize", candidate.hidden)):
            yield happened(fight, candidate.name, "seizes the opportunity", "good")
            paid = seize_opportunity(rules, _standing(candidate))
            return replace(fight.put(replace(candidate, body=_body(paid))), turn=UnderWay(candidate.name, steady=False))
    return None


def mimicked(rules: Ruleset, fight: Fight, name: str, skill: str) -> Play[tuple[Fight, Fighter]]:
    """Offers a missing skill for one roll, at level 1 to 3; returns the fight after payment and the fighter for this roll."""
    fighter = fight.fighter(name)
    body = fighter.body
    if "mimic skill" not in body.genre or body.genre_points < 1 or fighter.profile.level(skill) > 0:
        return fight, fighter
    options = (
        Option("no", "Try it unskilled", 0),
        *[Priced(str(n), f"{skill.capitalize()} {n} for this roll", n, price=n) for n in range(1, min(3, body.genre_points) + 1)],
    )
    points = yield from Choice(
        name, f"Mimic the skill {skill.capitalize()}?", options, Situation(fight, name, rules), "mimic", fighter.hidden
    )
    if not points:
        return fight, fighter
    level = mimicked_level(points)
    yield happened(fight, name, f"mimics {skill.capitalize()} {level}", "good")
    fighter = replace(fighter, body=_body(pay(rules, _standing(fighter), "mimic skill", points)))
    known = replace(fighter.profile.trained(skill), level=level)
    return fight.put(fighter), replace(fighter, profile=with_skill(fighter.profile, known))


def all_mimicked(rules: Ruleset, fight: Fight, names: list[str], skill: str) -> Play[tuple[Fight, dict[str, Fighter]]]:
    """Offers Mimic Skill to several people who roll."""
    fighter_by_name = {}
    for name in names:
        fight, fighter_by_name[name] = yield from mimicked(rules, fight, name, skill)
    return fight, fighter_by_name


def with_skill(profile: Profile, trained: Trained) -> Profile:
    """Returns the profile with this level of one skill."""
    return replace(profile, skills=(*[candidate for candidate in profile.skills if candidate.skill != trained.skill], trained))


def _may_prove_mortal(fight: Fight, fighter: Fighter) -> bool:
    victim = next((f.body for f in fight.fighters if f.name == fighter.dealt[0]), None)
    return victim is not None and victim.wounded and not victim.dead and not victim.doomed


_MORTAL: tuple[Option[bool], ...] = (
    Option("no", "No", False),
    Priced("yes", "Mortal Strike (6 Genre Points)", True, price=6),
)
_WHEN: tuple[Option[bool], ...] = (Option("in time", "Later", False), Option("at once", "At once", True))


def mortal_strikes(rules: Ruleset, before: Fight, fight: Fight) -> Play[Fight]:
    """Offers a Mortal Strike to everybody who has just wounded somebody."""
    for fighter in fight.fighters:
        body, was = fighter.body, next((f.dealt for f in before.fighters if f.name == fighter.name), fighter.dealt)
        if fighter.dealt == was or "mortal strike" not in body.genre or body.genre_points < 6 or not _may_prove_mortal(fight, fighter):
            continue
        asked = f"You have wounded {fighter.dealt[0]}. Do you make it a Mortal Strike?"
        if (yield from Choice(fighter.name, asked, _MORTAL, Situation(fight, fighter.name, rules), "mortal strike")):
            fight = yield from _strike_mortally(rules, fight, fighter.name)
    return fight


def _strike_mortally(rules: Ruleset, fight: Fight, name: str) -> Play[Fight]:
    """Makes the last wound a fighter dealt mortal; the gamemaster says when it kills."""
    fighter = fight.fighter(name)
    victim = fight.fighter(fighter.dealt[0])
    asked = f"{name} has mortally wounded {victim.name}. When does {victim.name} die?"
    at_once = yield from Choice("gamemaster", asked, _WHEN, Situation(fight, victim.name, rules), "mortal strike")
    paid, body = mortal_strike(rules, _standing(fighter), victim.body, at_once)
    yield happened(fight, victim.name, "dies" if at_once else "will not survive this wound", "bad")
    fight = fight.put(replace(fighter, body=_body(paid)))
    return without_fallen(_with_body(rules, fight, victim.name, body))


def _with_body(rules: Ruleset, fight: Fight, name: str, body: Patient) -> Fight:
    fighter = fight.fighter(name)
    shared = any(moment.name == name for moment in fight.frozen)
    return fight.put(replace(fighter, body=body) if shared else fighter.with_body(rules, body))


def without_fallen(fight: Fight) -> Fight:
    """Removes fighters who can no longer act from the queue."""
    able = {f.name for f in fight.fighters if fight.acting_body(f).able}
    queue = tuple([left for group in fight.queue if (left := tuple([name for name in group if name in able]))])
    return replace(fight, queue=queue)


def last_words(rules: Ruleset, before: Fight, fight: Fight, own: Mapping[str, int]) -> Play[Fight]:
    """Offers a fatally wounded fighter to escape death, if still alive, or a Last Hurrah for all own points."""
    for fighter in fight.fighters:
        body = fighter.body
        was = next((f.body for f in before.fighters if f.name == fighter.name), body)
        if not body.genre or not _is_dying(body) or _is_dying(was) or was.last_rounds:
            continue
        options: list[Option[str]] = [Option("no", "Accept it", "")]
        if "escape impending death" in body.genre and not body.dead and body.genre_points >= 3:
            options.append(Priced("escape", "Escape Impending Death (3 Genre Points)", "escape", price=3))
        all_of_them = own.get(fighter.name, 0)
        if "last hurrah" in body.genre and all_of_them >= 1:
            options.append(
                Priced("hurrah", f"A Last Hurrah ({count(all_of_them, 'Genre Point')}, all you have)", "hurrah", price=all_of_them)
            )
        if len(options) < 2:
            continue
        asked = "You are dead. What do you do?" if body.dead else "You are dying. What do you do?"
        chosen = yield from Choice(fighter.name, asked, tuple(options), Situation(fight, fighter.name, rules), "last words")
        if chosen == "escape":
            yield happened(fight, fighter.name, "escapes death for now", "good")
            fight = _with_body(rules, fight, fighter.name, _body(escape_impending_death(rules, _standing(fighter))))
        elif chosen == "hurrah":
            fight = yield from _start_last_hurrah(rules, before, fight, fighter)
    return fight


def _is_dying(body: Patient) -> bool:
    return body.dead or body.trauma is not None


def _start_last_hurrah(rules: Ruleset, before: Fight, fight: Fight, fighter: Fighter) -> Play[Fight]:
    """Starts a Last Hurrah for as many rounds as the gamemaster gives; a fighter still to act keeps the place in the round."""
    asked = f"{fighter.name} has a Last Hurrah. How many rounds does it last?"
    about = Situation(fight, fighter.name, rules)
    rounds = yield from Choice[int]("gamemaster", asked, Range(1, MOST_LAST_ROUNDS), about, "last hurrah")
    yield happened(fight, fighter.name, "fights on in a Last Hurrah", "good")
    fight = _with_body(rules, fight, fighter.name, _body(last_hurrah(rules, _standing(fighter), rounds)))
    waiting = {name for group in fight.queue for name in group} | {fighter.name}
    kept = tuple([left for group in before.queue if (left := tuple([name for name in group if name in waiting]))])
    return replace(fight, queue=kept) if any(fighter.name in group for group in kept) else fight


def hurrahs_end(rules: Ruleset, fight: Fight) -> Fight:
    """Counts down every Last Hurrah at the end of a round; the last round ends in death."""
    for fighter in fight.fighters:
        body = fighter.body
        if body.last_rounds:
            body = replace(body, last_rounds=body.last_rounds - 1, dead=body.last_rounds == 1)
            fight = fight.put(fighter.with_body(rules, body))
    return fight


def pain_to_come(fighter: Fighter) -> bool:
    """Whether the end of the fight changes a fighter: left for dead, ignoring pain, raging, or due to die."""
    return fighter.left_for_dead or fighter.eased != (0, 0) or bool(fighter.angst) or fighter.body.last_rounds > 0


def crisis_over(fighter: Fighter) -> Fighter:
    """Returns a fighter after the fight: those left for dead wake, a Last Hurrah ends in death, rage ends, and ignored pain returns,
    except what drugs dull."""
    if not pain_to_come(fighter):
        return fighter
    body, weighs = fighter.body, fighter.body.weighs
    dulled = body.ignored + fighter.eased[0] * weighs.flesh + fighter.eased[1] * weighs.deep
    standing = Standing(fighter.name, body.genre_points, body, left_for_dead=fighter.left_for_dead)
    after: Patient = replace(scene_ends(standing).patient, ignored=max(0, dulled))
    profile = fighter.profile
    for attribute, points in fighter.angst:
        profile = _shift_psyche(profile, attribute, -points)
    return replace(fighter, profile=profile, body=after, left_for_dead=False, eased=(0, 0), angst=())
