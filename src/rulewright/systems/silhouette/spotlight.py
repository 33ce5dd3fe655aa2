"""Special Effects and Genre Effects where a fight offers them (book lines 6086-6108, 6120-6170)."""

from typing import Literal

from msgspec.structs import replace

from rulewright.play import Choice, Option, Play
from rulewright.rules import Ruleset
from rulewright.systems.silhouette.characters import Person
from rulewright.systems.silhouette.effects import Level, special_effect, villain_effect
from rulewright.systems.silhouette.fighters import Fight, Fighter, Situation, UnderWay
from rulewright.systems.silhouette.genre import starting_points, villain_points
from rulewright.systems.silhouette.genre_in_play import Standing, black_out, buy_insight, inner_well, scene_ends, seize_opportunity
from rulewright.systems.silhouette.injury import Patient
from rulewright.systems.silhouette.telling import happened
from rulewright.systems.silhouette.traits import flaw_value

MOST_INSIGHT = 5
"""How many dice of Insight are offered at once."""


def genre_points_of(rules: Ruleset, person: Person, characters: int) -> int:
    """What somebody begins with: a player character by attributes and Flaws, a main villain the least that is due, others nothing."""
    if person.role == "joe average":
        return 0
    if person.role == "major npc":
        return villain_points(rules, "main villain", characters)[0]
    flaws = sum([flaw_value(rules, flaw).value for flaw in person.flaws])
    return starting_points(rules, min(person.attributes.values()), flaws).value


def show_off(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """At the beginning of a turn: a Special Effect for its first action, and Genre Points spent."""
    fight, turn = yield from _describe(rules, fight, turn)
    return (yield from _spend(rules, fight, turn))


# --- Special Effects ----------------------------------------------------------------------------------------------------------

Take = Literal["dice", "free actions"]
_STUNTS: tuple[Option[tuple[Level, Take] | None], ...] = (
    Option("no", "Nothing out of the ordinary", None),
    Option("basic", "Told vividly, and as nobody told it before: a die", ("basic", "dice")),
    Option("advanced", "With the surroundings in it: two dice", ("advanced", "dice")),
    Option("advanced action", "With the surroundings in it: a free action", ("advanced", "free actions")),
    Option("complex", "The whole table is amazed: three dice", ("complex", "dice")),
    Option("complex actions", "The whole table is amazed: two free actions", ("complex", "free actions")),
)


def _describe(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """Heroes of the cinema may tell their action so that it counts for more; a main villain once, or out of the villains' pool."""
    name, profile = turn.name, fight.fighter(turn.name).profile
    if not rules.on("special-effects") or rules.word("reality") != "cinematic" or not profile.hero:
        return fight, turn
    pooled = rules.word("villain-effects") == "pool"
    if profile.villain and (fight.stunts.pool < 1 if pooled else name in fight.stunts.villains):
        return fight, turn
    about = Situation(fight, name, rules, turn)
    hidden = fight.fighter(name).hidden
    told = yield from Choice(name, "How do you tell it?", _STUNTS, about, "special effect", hidden)
    if told is None:
        return fight, turn
    level, take = told
    came = (
        villain_effect(rules, name, True, level, take, fight.stunts)
        if profile.villain
        else special_effect(rules, level, "", take, fight.stunts)
    )
    yield happened(fight, name, f"makes a {level} Special Effect of it", "good")
    fight = replace(fight, stunts=came.session).change(name, flourish=fight.fighter(name).flourish + came.dice)
    return fight, replace(turn, left=turn.left + came.free_actions)


# --- Genre Effects ------------------------------------------------------------------------------------------------------------


def _affordable(fighter: Fighter, eased: bool) -> list[Option[tuple[str, int]]]:
    """What Genre Points can buy at the beginning of a turn: the effect, and how much of it."""
    body, found = fighter.body, list[Option[tuple[str, int]]]()
    points = body.genre_points
    if "insight" in body.genre:
        for dice in range(1, min(MOST_INSIGHT, points) + 1):
            found.append(Option(f"insight {dice}", f"Insight: {dice} more {'die' if dice == 1 else 'dice'}", ("insight", dice)))
    if "inner well of strength" in body.genre and not eased:
        if points >= 1 and fighter.eased[0] < body.flesh:
            found.append(Option("inner well flesh", "Inner Well of Strength: a Flesh Wound costs nothing", ("flesh", 1)))
        if points >= 3 and fighter.eased[1] < body.deep:
            found.append(Option("inner well deep", "Inner Well of Strength: a Deep Wound costs nothing", ("deep", 3)))
    if "opportunity seized" in body.genre and points >= 1:
        found.append(Option("opportunity seized", "Opportunity Seized: one more action", ("opportunity seized", 1)))
    if "blessed unconsciousness" in body.genre and points >= 1:
        found.append(Option("blessed unconsciousness", "Blessed Unconsciousness: left for dead", ("blessed unconsciousness", 1)))
    return found


_ENOUGH: Option[tuple[str, int]] = Option("no", "Save your Genre Points", ("", 0))


def _spend(rules: Ruleset, fight: Fight, turn: UnderWay) -> Play[tuple[Fight, UnderWay]]:
    """Genre Points for what begins with a turn, one effect after the other."""
    name, eased = turn.name, False
    while True:
        fighter = fight.fighter(name)
        options = _affordable(fighter, eased) if fighter.body.genre and fighter.body.able else []
        if not options:
            return fight, turn
        about = Situation(fight, name, rules, turn)
        effect, amount = yield from Choice(name, "Do you spend Genre Points?", (_ENOUGH, *options), about, "genre", fighter.hidden)
        if not effect:
            return fight, turn
        fight, turn = _bought(rules, fight, turn, effect, amount)
        eased = eased or effect in ("flesh", "deep")
        yield happened(fight, name, f"spends Genre Points: {'inner well of strength' if effect in ('flesh', 'deep') else effect}", "good")


def _bought(rules: Ruleset, fight: Fight, turn: UnderWay, effect: str, amount: int) -> tuple[Fight, UnderWay]:
    fighter = fight.fighter(turn.name)
    standing = Standing(fighter.name, fighter.body.genre_points, fighter.body, eased_flesh=fighter.eased[0], eased_deep=fighter.eased[1])
    if effect == "insight":
        paid = buy_insight(rules, standing, amount)
        fighter = replace(fighter, flourish=fighter.flourish + paid.insight)
    elif effect == "opportunity seized":
        paid = seize_opportunity(rules, standing)
        turn = replace(turn, left=turn.left + paid.extra_actions)
    elif effect == "blessed unconsciousness":
        paid = black_out(rules, standing)
        paid = replace(paid, patient=replace(paid.patient, unconscious=1))
    else:
        paid = inner_well(rules, standing, "flesh" if effect == "flesh" else "deep")
    body = replace(paid.patient, genre_points=paid.points)
    after = replace(fighter, eased=(paid.eased_flesh, paid.eased_deep), left_for_dead=fighter.left_for_dead or paid.left_for_dead)
    return fight.put(after.with_body(rules, body)), turn


def crisis_over(fighter: Fighter) -> Fighter:
    """Somebody when the fight is over: who was left for dead wakes, and pain kept away is felt again, though not what drugs dull."""
    if not fighter.left_for_dead and fighter.eased == (0, 0):
        return fighter
    body, weighs = fighter.body, fighter.body.weighs
    dulled = body.ignored + fighter.eased[0] * weighs.flesh + fighter.eased[1] * weighs.deep
    standing = Standing(fighter.name, body.genre_points, body, left_for_dead=fighter.left_for_dead)
    after: Patient = replace(scene_ends(standing).patient, ignored=max(0, dulled))
    return replace(fighter, body=after, left_for_dead=False, eased=(0, 0))
