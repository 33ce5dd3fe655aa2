"""Every weapon by its name or from a short description, and what is worth knowing of it in somebody's hands.

A weapon is written as a name from the book's lists (`broadsword`, `uzi 9mm`), or as a name of one's own with what it is built from:

    glaive: broad blade 3 hafted              a style, a Power and traits; a category where it is not plain (`hatchet: broad blade 1 axe`)
    longbow: pull 3, crossbow: push 4 winder  a pull or push weapon and its Power
    javelin: trajectory 2, brick: hurled 1    something to throw and its Power
    revolver: pistol .44 single action magazine 6, machine pistol: submachine gun 9mm automatic rpm 600 magazine 30
    blaster: energy pistol 3                  a firearm's type with its calibre or Power; `energy` before it for beams
    grenade: hurled 1 area 3 kill             what bursts where it lands, with its Area Rating (and Kill, where it is not Shock)
    flamethrower: shotgun 3 burning           what goes on hurting whom it hit
"""

import re
from collections.abc import Iterable

from msgspec.structs import replace

from rulewright.errors import UserError
from rulewright.grammar import join
from rulewright.play.cache import cached
from rulewright.rules import Ruleset, nearest
from rulewright.systems.ore.gear.firearms import CALIBRES, FIREARMS, GUNS, example_firearm, firearm, firearm_ranges, spray_rating
from rulewright.systems.ore.gear.missiles import Ranges, missile_weapon, pull_ranges, push_ranges, thrown_ranges
from rulewright.systems.ore.gear.weapons import (
    BARE_HANDS,
    CATEGORIES,
    MELEE,
    STYLES,
    TRAITS,
    Fire,
    Trait,
    Weapon,
    melee_weapon,
    sample_melee_weapon,
)

MOST_AREA = 20
_FIRES: tuple[Fire, ...] = ("single action", "semi-automatic", "automatic")


@cached(4_000)
def weapon_named(rules: Ruleset, written: str) -> Weapon:
    """The weapon of a sheet or scenario."""
    name, colon, built = (part.strip() for part in written.lower().partition(":"))
    if colon and built:
        return _built(rules, name, built)
    if name == BARE_HANDS.name:
        return BARE_HANDS
    if name in MELEE(rules):
        return sample_melee_weapon(rules, name)
    if name in FIREARMS(rules):
        return example_firearm(rules, name)
    known = [*MELEE(rules), *FIREARMS(rules), BARE_HANDS.name]
    own = "describe your own weapon by its parts, as in `glaive: broad blade 3 hafted`"
    raise UserError(f"there is no weapon {name!r}{nearest(name, known)}; {own}")


def _built(rules: Ruleset, name: str, built: str) -> Weapon:
    words = _Words(built)
    area, form, burns = words.after("area"), words.first(("kill", "shock")) if " area " in f" {built} " else "", words.take("burning")
    if not 0 <= area <= MOST_AREA:
        raise UserError(f"{name}: an Area Rating goes from 0 to {MOST_AREA}, not {area}")
    weapon = _plainly_built(rules, name, words)
    return replace(weapon, area=area, area_form="kill" if form == "kill" else "shock", burns=burns) if area or burns else weapon


def _plainly_built(rules: Ruleset, name: str, words: "_Words") -> Weapon:
    """A weapon from its description, without area and fire."""
    energy = words.take("energy")
    if gun := words.first(GUNS(rules)):
        return _firearm(rules, name, gun, energy, words)
    if style := words.first(STYLES(rules)):
        return _close(rules, name, style, words)
    if (kind := words.first(("pull", "push"))) and not energy:
        winder = words.take("winder")
        weapon = missile_weapon(rules, name, "pull" if kind == "pull" else "push", words.number("Power"), winder=winder)
    elif flight := words.first(("trajectory", "hurled")):
        weapon = missile_weapon(rules, name, "thrown", words.number("Power"), "trajectory" if flight == "trajectory" else "hurled")
    else:
        kinds = [*STYLES(rules), "pull", "push", "trajectory", "hurled", *GUNS(rules)]
        raise UserError(f"{name}: name its kind, one of {join(tuple(kinds), 'or')}")
    words.finish(name)
    return weapon


def _close(rules: Ruleset, name: str, style: str, words: "_Words") -> Weapon:
    traits: tuple[Trait, ...] = tuple([trait for trait in TRAITS if words.take(trait)])
    usual = "hafted" if "hafted" in traits else "bludgeon" if style == "bludgeon" else "sword"
    category = words.first(CATEGORIES(rules)) or usual
    power = words.number("Power")
    words.finish(name)
    return melee_weapon(rules, name, category, STYLES.get(rules, style).style, power, traits)


def _firearm(rules: Ruleset, name: str, gun: str, energy: bool, words: "_Words") -> Weapon:
    fire: Fire = next((FIRE for FIRE in _FIRES if words.take(FIRE)), "single action")
    magazine, spray, rpm = words.after("magazine"), words.after("spray"), words.after("rpm")
    heavy = words.take("heavy")
    calibre = words.first(CALIBRES(rules))
    power = CALIBRES(rules)[calibre].power if calibre else words.number("Power or calibre")
    words.finish(name)
    rating = spray_rating(rules, rpm) if rpm else spray
    return firearm(rules, name, gun, power, fire, rating, magazine, energy, heavy)


class _Words:
    """The rest of a description; understood words are removed."""

    def __init__(self, text: str) -> None:
        self.text = f" {' '.join(text.split())} "

    def take(self, word: str) -> bool:
        """Whether a word occurs; removes it."""
        before = self.text
        self.text = self.text.replace(f" {word} ", " ", 1)
        return self.text != before

    def first(self, known: Iterable[str]) -> str:
        """The longest of these words that occurs, or none."""
        return next((word for word in sorted(known, key=len, reverse=True) if self.take(word)), "")

    def after(self, word: str) -> int:
        """The number after a word; 0 without it."""
        match = re.search(rf" {word} (\d+) ", self.text)
        if match is None:
            return 0
        self.text = self.text.replace(match[0], " ", 1)
        return int(match[1])

    def number(self, what: str) -> int:
        """The only number left."""
        match = re.search(r" (\d+) ", self.text)
        if match is None:
            raise UserError(f"a weapon needs a number for its {what}; {self.text.strip() or 'the text'} has none")
        self.text = self.text.replace(match[0], " ", 1)
        return int(match[1])

    def finish(self, name: str) -> None:
        """Refuses words that were not understood."""
        if self.text.strip():
            raise UserError(f"{name}: {self.text.strip()!r} is not understood")


def ranges_of(rules: Ruleset, weapon: Weapon, body: int = 3) -> Ranges | None:
    """The ranges of a weapon for a fighter; None for close combat weapons."""
    if weapon.kind == "thrown" and weapon.flight:
        return thrown_ranges(rules, body, weapon.flight)
    if weapon.kind == "pull":
        return pull_ranges(rules, body, weapon.power)
    if weapon.kind == "push":
        return push_ranges(rules, weapon.power)
    return firearm_ranges(rules, weapon.gun, weapon.power) if weapon.gun else None
