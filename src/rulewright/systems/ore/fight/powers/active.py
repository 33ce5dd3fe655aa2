"""Active powers in a fight: penalties, wards, states and invisibility (book lines 6236-7734)."""

from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.rules import Ruleset
from rulewright.systems.ore.combat.fighters import Act, Fight
from rulewright.systems.ore.gear.armour import Protection
from rulewright.systems.ore.gear.weapons import Blow, Weapon
from rulewright.systems.ore.powers.catalogue import effects
from rulewright.systems.ore.powers.repertoire import Working, rule_for
from rulewright.systems.ore.powers.wards import Ward, bent_away, hindered_senses, ward_armour
from rulewright.systems.ore.resolution.tests import Mod

DAZED, CALM, COMMANDED, PASSION, SPOILED = "dazed", "calm", "commanded", "passion", "spoiled"
SENSES = "Sense Mastery"
LIGHT = "Control Illumination"
REFRACTION = "Refraction"
POWER_KINDS = ("power", "touch power", "invoke", "counter power", "turn back", "innate")


# --- what they do to rolls ----------------------------------------------------------------------------------------------------


def mods_on(rules: Ruleset, fight: Fight, name: str) -> tuple[Mod, ...]:
    """Dice from powers on all rolls of a fighter: active ones, and concentration."""
    mods = []
    for power in fight.powers:
        if power.on == name and power.dice:
            dice = power.dice if power.effect != LIGHT else -hindered_senses(-power.dice, _mastery(fight, name)).value
            mods.append(Mod(power.effect, dice, rule_for(rules, power.effect)))
        if power.by == name and power.kept:
            mods.append(Mod(f"concentrating on {power.effect}", -power.kept, rule_for(rules, power.effect)))
    return tuple([mod for mod in mods if mod.dice])


def _mastery(fight: Fight, name: str) -> int:
    """The Psi of an active Sense Mastery; 0 without it."""
    if not any(working.effect == SENSES and working.on == name for working in fight.powers):
        return 0
    return fight.fighter(name).profile.power(SENSES).psi


def wards_of(rules: Ruleset, fight: Fight, name: str) -> tuple[Ward, ...]:
    """Active wards of a fighter."""
    table = effects(rules)
    workings = [power for power in fight.powers if power.on == name and power.effect in table and table[power.effect].ward]
    return tuple([Ward(working.effect, working.width, working.word) for working in workings])


def warded(rules: Ruleset, fight: Fight, name: str, worn: Protection, *, code: str, against: str) -> Protection:
    """Armour with wards against a damage class."""
    more = ward_armour(rules, wards_of(rules, fight, name), against).value
    if not more:
        return worn
    natural = dict(worn.natural)
    natural[code] = natural.get(code, 0) + more
    return replace(worn, natural=tuple(sorted(natural.items())))


def nature_of(weapon: Weapon, dealt: Blow) -> str:
    """The nature of a weapon's damage for wards: bullets, impacts, light or fire; none for edges and points."""
    if weapon.burns:
        return "heat"
    return {"B": "bullet", "I": "impact", "E": "light"}.get(dealt.damage_class, "")


def aimed_difficulty(rules: Ruleset, fight: Fight, name: str, acts: Iterable[Act]) -> int:
    """The Difficulty to hit a fighter with bent light; powers of the mind ignore it."""
    bent = {power.on: power.height for power in fight.powers if power.effect == REFRACTION and power.by != name}
    return max([bent_away(bent[act.target]) for act in acts if act.target in bent and act.kind not in POWER_KINDS], default=1)


def bent(fight: Fight, name: str) -> bool:
    """Whether light bends around a fighter."""
    return any(power.effect == REFRACTION and power.on == name for power in fight.powers)


# --- what they do to people ---------------------------------------------------------------------------------------------------


def bound(fight: Fight, name: str, word: str) -> Working | None:
    """The power that causes a state."""
    return next((power for power in fight.powers if power.on == name and power.word.partition(":")[0] == word), None)


def is_dazed(fight: Fight, name: str) -> bool:
    """Whether a fighter cannot act at all."""
    return any(power.on == name and power.word == DAZED for power in fight.powers)


def unseen_by(fight: Fight, name: str) -> frozenset[str]:
    """The names of those who are invisible to a fighter."""
    return frozenset([power.by for power in fight.powers if power.on == name and power.word == "unseen"])


def may_do(fight: Fight, name: str, acts: Iterable[Act], aggressive: bool) -> bool:
    """Whether powers allow an act: calm fighters harm nobody, and hidden targets cannot be attacked."""
    if aggressive and bound(fight, name, CALM) is not None:
        return False
    hidden = unseen_by(fight, name)
    return not any(act.target in hidden for act in acts)


def walled(rules: Ruleset, fight: Fight, name: str) -> bool:
    """Whether a fighter is behind a wall of force that stops shots."""
    table = effects(rules)
    return any(power.on == name and power.effect in table and table[power.effect].wall for power in fight.powers)


# --- beginning and ending -----------------------------------------------------------------------------------------------------


def begun_on(fight: Fight, working: Working) -> Fight:
    """The fight with one more active power; the same power of the same user on the same target is replaced."""
    others = [power for power in fight.powers if (power.effect, power.by, power.on) != (working.effect, working.by, working.on)]
    return replace(fight, powers=(*others, working))


def ended(fight: Fight, gone: Iterable[Working]) -> Fight:
    """The fight without these."""
    out = set(gone)
    return replace(fight, powers=tuple([power for power in fight.powers if power not in out])) if out else fight
