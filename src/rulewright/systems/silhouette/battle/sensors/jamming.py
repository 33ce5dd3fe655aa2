"""ECM, ECCM and searchlights at the beginning of a round (book lines 4788-4800, 5212)."""

from msgspec.structs import replace

from rulewright.grammar import figure
from rulewright.play import Choice, Option, Play, Stands, Tell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Reason
from rulewright.systems.silhouette.battle.actions.base import About
from rulewright.systems.silhouette.battle.events import Announced
from rulewright.systems.silhouette.detection.jamming import (
    COUNTERING,
    Countering,
    Jamming,
    counter,
    jam,
    jammers,
)
from rulewright.systems.silhouette.detection.messages import Electronic
from rulewright.systems.silhouette.detection.sight import UNSEEN, called, kilometres, people_of, tell_of
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, sum_of
from rulewright.systems.silhouette.units.crews import actions_left, pool_of
from rulewright.systems.silhouette.units.state import Battle
from rulewright.systems.silhouette.units.units import Unit
from rulewright.systems.silhouette.units.visible_traits import Jam

_ECM = "sil-5.3.3-ecm"
_LABELS: dict[Jamming, str] = {
    "jam communications": "jam communications",
    "degrade sensors": "degrade sensors",
    "spoof": "spoof missiles and guided weapons",
}


_COUNTERS: dict[Countering, str] = {"counteract": "Lower the Threshold of the ECM of", "shorten": "Shorten the range of the ECM of"}


def _pool(rules: Ruleset, unit: Unit, system: str, rating: int) -> Pool:
    return pool_of(
        rules,
        unit,
        "information warfare",
        Mod(system.upper(), rating, _ECM),
        Mod("damage", unit.auxiliary(system) or 0, "sil-5.5.1-systems-damage"),
    )


def electronic_warfare(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """Ask every unit with ECM, then every unit with ECCM, for its use this round; each use is an action."""
    battle = replace(battle, scars=replace(battle.scars, jammers=())) if battle.scars.jammers else battle
    for unit in battle.units:
        for rating, reach in jammers(unit.machine, "ecm"):
            battle = yield from _ask_ecm(rules, battle, unit.name, rating, reach)
    if battle.scars.jammers:
        for unit in battle.units:
            for rating, reach in jammers(unit.machine, "eccm"):
                battle = yield from _ask_eccm(rules, battle, unit.name, rating, reach)
    return battle


def _ready_unit(rules: Ruleset, battle: Battle, name: str, system: str) -> Unit | None:
    """The unit, if it can use a system of a kind now."""
    unit = battle.unit(name)
    able = unit.able and actions_left(rules, unit) > 0 and unit.has(system)
    return unit if able and unit.signs.ready == 0 else None


def _ask_ecm(rules: Ruleset, battle: Battle, name: str, rating: int, reach: int | float) -> Play[Battle]:
    unit = _ready_unit(rules, battle, name, "ecm")
    if unit is None:
        return battle
    options: list[Option[Jamming | None]] = [Option("no", "Nothing", None)]
    for result, label in _LABELS.items():
        options.append(Option(result, f"{label.capitalize()} within {figure(reach)} km", result, verb="special"))
    wanted = yield from Choice(unit.voice, f"How does {name} use its ECM this round?", tuple(options), About(rules, battle, name), "ecm")
    if wanted is None:
        return battle
    effect: Jamming = wanted
    pool = _pool(rules, unit, "ecm", rating)
    outcome = yield from jam(rules, pool, reach, effect, name, unit.voice)
    battle = battle.put(replace(unit, used=unit.used + 1, signs=replace(unit.signs, loud=True)))
    battle = replace(battle, scars=replace(battle.scars, jammers=(*battle.scars.jammers, outcome)))
    words = f"switches on its ECM to {_LABELS[effect]}: Threshold {outcome.threshold} within {figure(reach)} km"
    event = Electronic(name, words, (Reason("ECM", outcome.threshold, "=", _ECM),))
    yield from tell_of(rules, battle, event, unit, None, name=UNSEEN)
    return battle


def _ask_eccm(rules: Ruleset, battle: Battle, name: str, rating: int, reach: int | float) -> Play[Battle]:
    unit = _ready_unit(rules, battle, name, "eccm")
    if unit is None:
        return battle
    active = [
        jammer
        for jammer in battle.scars.jammers
        if battle.unit(jammer.by).side != unit.side
        and kilometres(battle, unit.spot, battle.unit(jammer.by).spot) <= max(reach, jammer.reach)
    ]
    if not active:
        return battle
    options: list[Option[tuple[Countering, Jam] | None]] = [Option("no", "Nothing", None)]
    for at, result in enumerate(active, 1):
        whose = called(rules, battle, unit.side, battle.unit(result.by))
        for effect, words in _COUNTERS.items():
            options.append(Option(f"{effect} {at}", f"{words} {whose} ({result.effect})", (effect, result), verb="special"))
    chosen = yield from Choice(unit.voice, f"How does {name} use its ECCM this round?", tuple(options), About(rules, battle, name), "eccm")
    if chosen is None:
        return battle
    effect, active_jam = chosen
    foe = battle.unit(active_jam.by)
    theirs = max((rate for rate, _ in jammers(foe.machine, "ecm")), default=0)
    own, other = _pool(rules, unit, "eccm", rating), _pool(rules, foe, "ecm", theirs)
    countered = yield from counter(rules, own, other, active_jam, effect, unit.voice, foe.voice)
    battle = battle.put(replace(unit, used=unit.used + 1, signs=replace(unit.signs, loud=True)))
    left = tuple([countered.jam if jammer == active_jam else jammer for jammer in battle.scars.jammers])
    battle = replace(battle, scars=replace(battle.scars, jammers=left))
    contest = countered.came
    sums = (sum_of("ECCM", own, contest.actor, rule=_ECM), sum_of("ECM", other, contest.resister, "against", _ECM))
    now = (
        f"its Threshold is now {countered.jam.threshold}" if effect == "counteract" else f"it now reaches {figure(countered.jam.reach)} km"
    )
    words = f"turns its ECCM on the ECM of {called(rules, battle, unit.side, foe)}: {now if countered.won else 'no effect'}"
    event = Electronic(name, words, sums, "weaker" if countered.won else "no effect", COUNTERING, unit.voice, foe.voice)
    yield from Tell(replace(event, known_to=people_of(battle, [unit.side])))
    unnamed = called(rules, battle, foe.side, unit)
    yield from Tell(replace(event, known_to=people_of(battle, [foe.side]), name=unnamed, by=unit.voice if unnamed == name else ""))
    return battle


# --- searchlights --------------------------------------------------------------------------------------------------------------------


def searchlights(rules: Ruleset, battle: Battle) -> Play[Battle]:
    """By night, ask every unit with a searchlight whether to switch it."""
    if not battle.place.night:
        return battle
    for unit in battle.units:
        if not unit.able or not unit.has("searchlight"):
            continue
        on = unit.signs.searchlight
        options = (
            Option("leave", f"Leave it {'on' if on else 'off'}", on),
            Option(
                "off" if on else "on",
                f"Switch it {'off' if on else 'on'}: {'dark again' if on else 'daylight ahead, but enemies see it too'}",
                not on,
            ),
        )
        wanted = yield from Choice(unit.voice, f"{unit.name}'s searchlight?", options, About(rules, battle, unit.name), "searchlight")
        if wanted != on:
            yield from Tell(Announced(unit.name, f"switches its searchlight {'on' if wanted else 'off'}"))
            battle = battle.change(unit.name, signs=replace(unit.signs, searchlight=wanted))
            yield from Tell(Stands(battle))
    return battle
