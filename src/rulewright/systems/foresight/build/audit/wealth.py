"""Wealth and the cost of gear."""

from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from rulewright.build.audit import Problem, Repair, near_to, short
from rulewright.errors import UserError
from rulewright.rules import Ruleset, nearest, rule
from rulewright.rules.reasons import Derived, Reason, total
from rulewright.systems.foresight.build.audit.repairs import drop_place
from rulewright.systems.foresight.gear.armor import ARMOR, EXOSKELETONS, armor_cost
from rulewright.systems.foresight.gear.items import HIDING, VARIANTS, as_made
from rulewright.systems.foresight.gear.weapons import MELEE_WEAPONS, RANGED_WEAPONS, Blade, Gun, blade, gun
from rulewright.systems.foresight.people.backgrounds import FACTORS, WEALTH, worth
from rulewright.systems.foresight.people.characters import Character, Gear, Purchase
from rulewright.systems.foresight.people.creation import sound

MOST_WEALTH = 10


def worth_of(rules: Ruleset, whole: Character) -> Derived[int]:
    """The worth of everything a character owns: the campaign's usual level, the background's steps and those bought."""
    steps = _steps(rules, whole)
    return worth(rules, whole.base_wealth, max(-len(WEALTH(rules)), min(20, steps)))


def _steps(rules: Ruleset, whole: Character) -> int:
    born = sum([FACTORS(rules)[own.factor].wealth for own in whole.background if own.factor in FACTORS(rules)])
    later = sum([isinstance(entry, Purchase) and entry.buy == "wealth" and entry.done for entry in whole.experience])
    return born + whole.wealth + later


def wealth(rules: Ruleset, character: Character, whole: Character) -> Iterator[Problem]:
    """Levels of wealth that can be."""
    place = list(WEALTH(rules)).index(whole.base_wealth) if whole.base_wealth in WEALTH(rules) else 0
    lowest = place + _steps(rules, whole)
    if character.wealth < 0 and lowest < 0:
        to = min(0, character.wealth - lowest)
        message = f"wealth {character.wealth:+}: this is below the lowest level"
        yield Problem("fs-wealth", "wealth", message, -lowest, Repair(f"write {to}", "wealth", to))
    elif character.wealth > MOST_WEALTH:
        message = f"wealth {character.wealth:+} is above the highest level"
        yield Problem("fs-wealth", "wealth", message, character.wealth - MOST_WEALTH, Repair(f"write {MOST_WEALTH}", "wealth", MOST_WEALTH))


class _Item(NamedTuple):
    """Something owned: where it stands, its price and technology level, or why it cannot be."""

    part: str
    place: int
    name: str
    cost: float
    tl: float
    rule: str
    wrong: str = ""


def _items(rules: Ruleset, gear: Gear) -> Iterator[_Item]:
    for part, arms, made in (("ranged", gear.ranged, gun), ("melee", gear.melee, blade)):
        for place, arm in enumerate(arms):
            try:
                result: Gun | Blade = made(rules, arm)
                yield _Item(part, place, arm.weapon, result.cost, result.tl, rule=f"fs-{part}-weapons")
            except UserError as error:
                yield _Item(part, place, arm.weapon, 0, 0, rule=f"fs-{part}-weapons", wrong=str(error))
    for place, worn in enumerate(gear.armor):
        try:
            cost = armor_cost(rules, worn.armor, worn.piece).value
            yield _Item("armor", place, f"{worn.armor} {worn.piece}", cost, ARMOR(rules)[worn.armor].tl, rule="fs-armor-list")
        except UserError as error:
            yield _Item("armor", place, worn.armor, 0, 0, rule="fs-armor-list", wrong=str(error))
    for place, thing in enumerate(gear.things):
        wrong = "" if thing.cost >= 0 and thing.kg >= 0 and isfinite(thing.cost) and isfinite(thing.kg) else "below 0"
        strange = [name for name in thing.modifications if name not in VARIANTS(rules)]
        if strange and not wrong:
            wrong = f"there is no modification {short(strange[0])!r}{nearest(strange[0], VARIANTS(rules))}"
            yield _Item("things", place, thing.name, 0, 0, rule="fs-item-modifications", wrong=wrong)
            continue
        cost = 0 if wrong else as_made(rules, thing.kg, thing.cost, thing.modifications).cost
        yield _Item("things", place, thing.name, cost, 0, rule="fs-item-characteristics", wrong=wrong)


@rule("fs-wealth")
def gear_cost(rules: Ruleset, gear: Gear) -> Derived[float]:
    """The cost of everything owned in svu, modifications worked in."""
    terms = [Reason(item.name, item.cost, "+", item.rule) for item in _items(rules, gear) if item.cost]
    if gear.exoskeleton and gear.exoskeleton in EXOSKELETONS(rules):
        terms.append(Reason(gear.exoskeleton, EXOSKELETONS(rules)[gear.exoskeleton].cost, "+", "fs-exoskeletons"))
    return total("svu", *terms, rule="fs-wealth")


def _holsters(rules: Ruleset, gear: Gear) -> Iterator[Problem]:
    """Places to carry a weapon in that the table does not have."""
    known = [row.where for row in HIDING(rules).values() if row.kind == "holster"]
    for part, arms in (("ranged", gear.ranged), ("melee", gear.melee)):
        for place, arm in enumerate(arms):
            if arm.carried and arm.carried not in known:
                field = f"gear.{part}.{place}.carried"
                near = near_to(arm.carried, tuple(known))
                repair = Repair(f"write {near}", field, near) if near else Repair("carry it openly", field, "")
                yield Problem("fs-concealment", field, f"{short(arm.weapon)} cannot be carried in {short(arm.carried)!r}", repair=repair)


def gear(rules: Ruleset, character: Character) -> Iterator[Problem]:
    """Things that exist, fit the technology level, and can be paid for."""
    gear, items = character.gear, list(_items(rules, character.gear))
    for item in items:
        field = f"gear.{item.part}.{item.place}"
        entries = getattr(gear, item.part)
        if item.wrong:
            repair = drop_place(f"gear.{item.part}", entries, item.place)
            known = RANGED_WEAPONS(rules) if item.part == "ranged" else MELEE_WEAPONS(rules) if item.part == "melee" else None
            near = near_to(item.name, tuple(known)) if known is not None and item.name not in known else None
            if near:
                repair = Repair(f"write {near}", f"{field}.weapon", near)
            elif known is not None and item.name in known:
                plain = replace(entries[item.place], modifications=(), improved=(), worsened=(), ammunition="", grip="", metal=False)
                repair = Repair("leave it as it is listed", field, msgspec.to_builtins(plain))
            elif item.rule == "fs-item-modifications":
                known_ones = [name for name in entries[item.place].modifications if name in VARIANTS(rules)]
                repair = Repair("leave it out", f"{field}.modifications", known_ones)
            yield Problem(item.rule, field, f"{short(item.name)}: {short(item.wrong, 120)}", repair=repair)
        elif character.tl is not None and item.tl > character.tl:
            message = f"{item.name} belongs to TL{item.tl:g} and the setting to TL{character.tl:g}"
            yield Problem("fs-technology-levels", field, message, warning=True)
    yield from _holsters(rules, gear)
    if gear.exoskeleton and gear.exoskeleton not in EXOSKELETONS(rules):
        message = f"there is no exoskeleton {short(gear.exoskeleton)!r}"
        yield Problem("fs-exoskeletons", "gear.exoskeleton", message, repair=Repair("leave it out", "gear.exoskeleton", None))
    allowed, cost = worth_of(rules, sound(rules, character)).value, gear_cost(rules, gear).value
    if cost > allowed:
        dear = max(items, key=lambda item: item.cost, default=None)
        worn = EXOSKELETONS(rules).get(gear.exoskeleton or "")
        frame = worn.cost if worn else 0
        if dear is None or frame >= dear.cost:
            repair = Repair(f"do without the {gear.exoskeleton}", "gear.exoskeleton", None)
        else:
            enough = [item for item in items if item.cost >= cost - allowed]
            result = min(enough, key=lambda item: item.cost) if enough else dear
            text = f"do without the {short(result.name)} ({result.cost:g} svu)"
            repair = drop_place(f"gear.{result.part}", getattr(gear, result.part), result.place, text)
        message = f"everything owned costs {min(cost, 1e15):.0f} svu, but wealth is {allowed}"
        yield Problem("fs-wealth", "gear", message, int(min(cost - allowed, 1e15)), repair)
