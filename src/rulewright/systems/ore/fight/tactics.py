"""Named tactics for fights. A tactic sees the choice and its situation."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright.field.destinations import doors_to_try
from rulewright.play import Choice, Given, Range, Tactic, local
from rulewright.scenes.allowed_answers import pick
from rulewright.systems.ore.combat.fighters import REACH, Fight, Fighter, Situation, apart
from rulewright.systems.ore.drama.determination import Arranging, Lying
from rulewright.systems.ore.fight.actions.registry import ACTIONS, urgent
from rulewright.systems.ore.fight.declarations import SEVERAL
from rulewright.systems.ore.fight.penalties import attack_dice
from rulewright.systems.ore.resolution.dice_assignment import sensible

URGENT = urgent()
ENOUGH = 3
"""Dice from which a second action or a called shot can show a set; two are the least for a plain attack."""
STEPS = 5
"""Metres that everybody can walk before a blow."""


def _first(choice: Choice[Any], *beginnings: str) -> Given | None:
    """The first key with one of these prefixes."""
    allowed = choice.keys()
    return next((key for key in allowed if key.startswith(beginnings)), None)


def dice_used(choice: Choice[Any]) -> Given | None:
    """The usual choice of set (widest, then fastest and highest) or dice; None for other questions."""
    about = choice.about
    if choice.topic == "set" and isinstance(about, Lying) and isinstance(choice.options, tuple):
        return max(choice.options, key=lambda option: (option.value[0], option.value[2], option.value[1])).key
    if choice.topic == "dice" and isinstance(about, Arranging):
        return sensible(about.dice, about.left, about.ways, about.cast.actions - about.place).key
    return None


def _situation(choice: Choice[Any]) -> tuple[Fight, Fighter]:
    about = choice.about
    assert isinstance(about, Situation)
    return about.fight, about.fight.fighter(about.name)


def _foe(choice: Choice[Any]) -> str:
    """The target: the first enemy left, people before mooks."""
    fight, me = _situation(choice)
    foes = sorted(fight.known_foes(me.name), key=lambda foe: not fight.sees(me.name, foe)) if fight.hiding else fight.foes(me.side)
    return foes[0] if foes else ""


def _sensible(choice: Choice[Any]) -> Given:
    """Answers to minor questions."""
    options = choice.options
    if choice.topic == "counter":
        assert isinstance(options, Range)
        return options.high
    used = dice_used(choice)
    if used is not None:
        return used
    if choice.topic == "mooks":
        return _spread(choice)
    if choice.topic == "shield":
        return pick(choice, "torso", "head") or choice.keys()[0]
    if choice.topic == "limb":
        return pick(choice, "right arm") or choice.keys()[0]
    if choice.topic == "place" and not isinstance(options, Range):
        return _where_to_seek(choice)
    return options.low if isinstance(options, Range) else options[0].key


def _seek(choice: Choice[Any], foe: str) -> Given:
    """With nobody in sight: stand up, go to known enemies, or open doors."""
    fight, me = _situation(choice)
    assert me.at is not None
    doors = [f"open {door}" for door in doors_to_try(fight.field, me.at)]
    return pick(choice, *URGENT, f"approach:{foe}", *doors, "move", "pass") or "pass"


def _where_to_seek(choice: Choice[Any]) -> Given:
    fight, me = _situation(choice)
    assert me.at is not None
    doors = [f"to {door}" for door in doors_to_try(fight.field, me.at)]
    return pick(choice, *[f"to {foe}" for foe in fight.known_foes(me.name)], *doors) or choice.keys()[0]


def _highest(choice: Choice[Any]) -> Given:
    """The highest set, then the widest."""
    assert isinstance(choice.options, tuple)
    return max(choice.options, key=lambda option: (option.value[1], option.value[0])).key


def _spread(choice: Choice[Any]) -> Given:
    """Mooks spread their attacks: the target with the fewest attacks is next."""
    coming = [candidate.act.target for candidate in choice.about.fight.pending]
    return min(choice.keys(), key=coming.count)


def _dice(choice: Choice[Any]) -> int:
    """The dice of a plain attack after injuries; enough where a single Luck die counts."""
    about = choice.about
    return ENOUGH if about.rules.on("getting-lucky") else attack_dice(about.rules, about.fight.fighter(about.name))


def _is_pressed(fight: Fight, me: Fighter) -> bool:
    """Whether an enemy can strike at once: in reach after a few steps, or with a ranged weapon at a fighter in the open."""
    for name in fight.known_foes(me.name):
        foe = fight.one(name)
        weapon = foe.weapon if isinstance(foe, Fighter) else foe.mob.weapon
        if apart(me, foe) <= REACH + STEPS or not (weapon.close or me.cover.any):
            return True
    return False


def _gives_up(choice: Choice[Any]) -> Given:
    """Without dice that could show a set: flee from enemies who are far, else surrender."""
    fight, me = _situation(choice)
    if me.at is not None and not any(fight.sees(me.name, foe) for foe in fight.known_foes(me.name)):
        return pick(choice, *URGENT, "flee", "pass") or choice.keys()[0]
    away = () if _is_pressed(fight, me) else ("flee",)
    return pick(choice, *away, "surrender", "flee", "dodge", "pass") or choice.keys()[0]


@local
def attacker(choice: Choice[Any]) -> Given:
    """Attack the first enemy with the widest set; stand up, close in or put out a fire if needed. Flee or surrender without dice."""
    if choice.topic != "act":
        return _sensible(choice)
    foe = _foe(choice)
    fight, me = _situation(choice)
    if _dice(choice) < 2:
        return _gives_up(choice)
    if me.at is not None and (not foe or not fight.sees(me.name, foe)):
        return _seek(choice, foe)
    return (
        pick(choice, *URGENT, f"attack:{foe}")
        or _first(choice, "attack:")
        or pick(choice, "escape", "reload", "run")
        or _first(choice, "draw:", "strangle:")
        or pick(choice, "dodge")
        or "pass"
    )


def _rather(choice: Choice[Any], *keys: str) -> Given:
    """The first allowed key, else as an attacker; `{foe}` is the target."""
    if choice.topic != "act" or _dice(choice) < ENOUGH:
        return attacker(choice)
    foe = _foe(choice)
    return pick(choice, *URGENT, *[key.replace("{foe}", foe) for key in keys]) or attacker(choice)


def _gathers(choice: Choice[Any], key: str, field: str, most: int) -> Given:
    """Repeats an action until enough is gathered against the target, then attacks."""
    if choice.topic == "act":
        _, me = _situation(choice)
        if getattr(me, field) < most or me.against != _foe(choice):
            return _rather(choice, key)
    return attacker(choice)


@local
def careful(choice: Choice[Any]) -> Given:
    """Attack and parry (or dodge), and use high sets to defend."""
    if choice.topic == "set" and choice.about.cast.what in ACTIONS and ACTIONS[choice.about.cast.what].counters:
        return _highest(choice)
    return _rather(choice, "attack+parry:{foe}", "attack+dodge:{foe}")


@local
def defender(choice: Choice[Any]) -> Given:
    """Only parry or dodge, with the highest set."""
    if choice.topic == "act" and _dice(choice) >= 2:
        return pick(choice, *URGENT, "parry", "dodge", "pass") or attacker(choice)
    return _highest(choice) if choice.topic == "set" else attacker(choice)


@local
def marksman(choice: Choice[Any]) -> Given:
    """Aim for two rounds while no enemy can strike at once, then shoot."""
    if choice.topic == "act" and _is_pressed(*_situation(choice)):
        return attacker(choice)
    return _gathers(choice, "aim:{foe}", "aim", 2)


@local
def headhunter(choice: Choice[Any]) -> Given:
    """Always go for the head."""
    return _rather(choice, "called shot:{foe}:head")


@local
def feinter(choice: Choice[Any]) -> Given:
    """Feint once, then strike."""
    return _gathers(choice, "feint:{foe}", "feints", 1)


@local
def slasher(choice: Choice[Any]) -> Given:
    """Slash where Wounds count, strike where they do not."""
    return _rather(choice, "slash:{foe}")


@local
def mookslayer(choice: Choice[Any]) -> Given:
    """Attack mooks first, then their leaders."""
    if choice.topic == "act":
        fight, me = _situation(choice)
        mooks = [group.name for group in fight.groups if group.side != me.side and group.able]
        return _rather(choice, *[f"attack:{name}" for name in mooks])
    return attacker(choice)


@local
def gunner(choice: Choice[Any]) -> Given:
    """Fire as often as the weapon can: a burst, else three shots or two."""
    return _rather(choice, "burst:{foe}", "3 shots:{foe}", "2 shots:{foe}")


@local
def suppressor(choice: Choice[Any]) -> Given:
    """Use suppressive fire; fire bursts once all are in cover."""
    if choice.topic == "act":
        fight, me = _situation(choice)
        foes = [fighter for fighter in fight.fighters if fighter.side != me.side and fighter.able]
        in_the_open = [foe for foe in foes if not fight.cover_from(me.name, foe).any]
        return (pick(choice, *URGENT, "suppress") if in_the_open else None) or gunner(choice)
    return gunner(choice)


@local
def hero(choice: Choice[Any]) -> Given:
    """Spend Drama Points whenever they help; otherwise attack."""
    if choice.topic.startswith("drama"):
        return pick(choice, "yes", "hell-bent width", "determined", "1 width") or attacker(choice)
    return attacker(choice)


@local
def psychic(choice: Choice[Any]) -> Given:
    """Raise a ward, then use the strongest power on the first enemy; otherwise attack."""
    if choice.topic != "act":
        return _sensible(choice)
    fight, me = _situation(choice)
    foe, allowed = _foe(choice), set(choice.keys())
    if "gather light" in allowed:
        return "gather light"
    rows = {known.effect: known.row(choice.about.rules) for known in me.profile.powers}
    kept = any(power.by == me.name and power.kept for power in fight.powers)
    for effect in () if kept else [name for name, row in rows.items() if row.ward and row.works == "ward"]:
        if f"power:{effect}" in allowed and _needed(fight, me, rows[effect].stops, choice):
            return f"power:{effect}"
    strong = sorted([row for row in rows.values() if row.works in ("harm", "daze", "fire", "force")], key=lambda row: -row.level)
    busy = {power.effect for power in fight.powers if power.on == foe}
    names = [f"power:{row.effect}:{foe}" for row in strong if row.works == "harm" or row.effect not in busy]
    return pick(choice, *URGENT, *names) or attacker(choice)


def _needed(fight: Fight, me: Fighter, stops: tuple[str, ...], choice: Choice[Any]) -> bool:
    """Whether an enemy has a power that the ward stops."""
    foes = [fighter for fighter in fight.fighters if fighter.side != me.side and fighter.able]
    natures = {nature for foe in foes for known in foe.profile.powers for nature in known.row(choice.about.rules).nature}
    return bool(natures & set(stops))


SHOTS = ("attack:", "burst:", "2 shots:", "3 shots:", "called shot:", "aim:")
"""What shooters do besides walking to cover."""


class Sheltered:
    """A tactic whose shooters walk to cover while they shoot, if they stand in the open and an armed enemy can shoot at them."""

    local = True

    def __init__(self, tactic: Tactic) -> None:
        self.tactic = tactic
        self.__doc__ = tactic.__doc__

    def __call__(self, choice: Choice[Any]) -> Given:
        """Declare the shot first and the walk after it: the walk is free (book line 5386)."""
        if choice.topic == "and":
            return self._besides(choice)
        given = self.tactic(choice)
        shoots = choice.topic == "act" and str(given).startswith(SHOTS)
        return SEVERAL if shoots and _in_the_open(choice) and pick(choice, SEVERAL) else given

    def _besides(self, choice: Choice[Any]) -> Given:
        if pick(choice, "done"):
            return pick(choice, "take cover") or "done"
        shot = self.tactic(replace(choice, topic="act"))
        return pick(choice, str(shot)) or _first(choice, *SHOTS) or choice.keys()[0]


def _in_the_open(choice: Choice[Any]) -> bool:
    """Whether a shooter can walk to cover from an armed enemy who can shoot at them."""
    fight, me = _situation(choice)
    if me.weapon.close or me.cover.any or not pick(choice, "take cover"):
        return False
    for name in fight.known_foes(me.name):
        foe = fight.one(name)
        weapon = foe.weapon if isinstance(foe, Fighter) else foe.mob.weapon
        if not weapon.close and fight.sees(foe.name, me.name) and not fight.cover_from(foe.name, me).any:
            return True
    return False


_OWN: Mapping[str, Tactic] = {
    "attacker": attacker,
    "careful": careful,
    "defender": defender,
    "marksman": marksman,
    "headhunter": headhunter,
    "gunner": gunner,
    "suppressor": suppressor,
    "hero": hero,
    "feinter": feinter,
    "slasher": slasher,
    "mookslayer": mookslayer,
    "psychic": psychic,
}
TACTICS: Mapping[str, Tactic] = {name: Sheltered(tactic) for name, tactic in _OWN.items()}
"""The first is the default tactic."""
