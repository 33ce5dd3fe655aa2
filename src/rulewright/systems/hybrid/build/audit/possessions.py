"""Ties to other people, careers and gear (book chapters 9 to 11)."""

from collections.abc import Iterator
from typing import Any

from rulewright.build.audit import MOST_REPAIRS, Problem, Repair, short
from rulewright.campaign.downtime import CAMPAIGN_FIELDS, campaign_problem
from rulewright.systems.hybrid.build.audit.audited_character import Checked
from rulewright.systems.hybrid.combat.fighters import LASTING, after_scenes
from rulewright.systems.hybrid.gear.items import ARMOUR, SPELLS, WEAPONS
from rulewright.systems.hybrid.harm.damage import SOUND
from rulewright.systems.hybrid.harm.energy import Energy
from rulewright.systems.hybrid.people.advancement import near_to
from rulewright.systems.hybrid.people.gifts import ABILITIES
from rulewright.systems.hybrid.people.ties import USES, most_people
from rulewright.systems.hybrid.people.traits import CAREERS


def ties(file: Checked) -> Iterator[Problem]:
    """Friends, reputation and incomes; wealth and standing."""
    most = most_people(file.rules)
    for kind in USES:
        for place, tie in enumerate(getattr(file.character, kind)):
            field = f"{kind}.{place}.people"
            if tie.people > most:
                message = f"{short(tie.name)}: scope ends at {most} people"
                yield Problem("hyb-9-environmental", field, message, tie.people - most, Repair(f"set it to {most}", field, most))
            elif tie.people < 1:
                message = f"{short(tie.name)}: a scope is at least 1 person, not {tie.people}"
                yield Problem("hyb-9-environmental", field, message, 1 - tie.people, Repair("set it to 1", field, 1))
    for field in ("wealth", "status"):
        value = getattr(file.character, field)
        if value < 0:
            yield Problem("hyb-10-pools", field, f"{field} of {value} points is below 0", -value, Repair("set it to 0", field, 0))


def careers(file: Checked) -> Iterator[Problem]:
    """Years in careers, and what their rolls can have brought."""
    rule_id, played = "hyb-11-careers", file.rules.on("careers")
    for place, career in enumerate(file.character.careers):
        row = CAREERS(file.rules).get(career.career)
        if not played:
            if any((year.development, year.money, year.status) != (0, 0, 0) for year in career.years):
                message = f"{short(career.career)}: years in careers fill no pool unless the setting careers is on"
                yield Problem(rule_id, f"careers.{place}", message, warning=True)
            continue
        if row is None:
            if career.years:
                message = f"{short(career.career)} is not among the careers: the gamemaster must have agreed to what its years bring"
                yield Problem(rule_id, f"careers.{place}", message, warning=True)
            continue
        for at, year in enumerate(career.years):
            fits = (("development", (row.points, 0, -row.points)), ("money", (row.money, 0)), ("status", (1, 0)))
            for field, values in fits:
                got = getattr(year, field)
                if got not in values:
                    where, best = f"careers.{place}.years.{at}.{field}", min(values, key=lambda value: abs(value - got))
                    message = f"{short(career.career)}, year {at + 1}: {field} {got} is not a possible roll"
                    yield Problem(rule_id, where, message, max(0, got - values[0]), Repair(f"set it to {best}", where, best))


def gear(file: Checked) -> Iterator[Problem]:
    """Belongings that exist, and what is worn down."""
    gear = file.character.gear
    parts: tuple[tuple[str, tuple[str, ...], Any], ...] = (
        ("weapons", gear.weapons, WEAPONS),
        ("armour", gear.armour, ARMOUR),
        ("spells", gear.spells, SPELLS),
    )
    for part, owned, table in parts:
        rows = table(file.rules)
        for place, name in enumerate(owned):
            if name not in rows:
                near = near_to(name, tuple(rows)) if file.dropped < MOST_REPAIRS else None
                field = f"gear.{part}.{place}"
                repair = Repair(f"write {near}", field, near) if near else file.drop(f"gear.{part}", place)
                yield Problem(table.rule, field, f"there is no {short(name)!r} among the {part}", repair=repair)
    if gear.spells and ABILITIES["magic"] not in {gift.name for gift in file.character.gifts}:
        message = f"spells without {ABILITIES['magic']}: nobody becomes a mage without it"
        yield Problem("hyb-9-enhancement-list", "gear.spells", message, warning=True)
    for name, learnt in gear.unfamiliar.items():
        if name not in gear.weapons or learnt < 0:
            why = f"{short(name)!r} is not carried" if name not in gear.weapons else f"{learnt} rolls cannot have succeeded"
            message = f"unfamiliar tools: {why}"
            yield Problem("hyb-3-unfamiliar-tools", "gear.unfamiliar", message, repair=file.drop("gear.unfamiliar", name))
    for place, item in enumerate(gear.other):
        if item.cost < 0:
            field = f"gear.other.{place}.cost"
            yield Problem(
                "hyb-10-pools",
                field,
                f"{short(item.name)}: a cost of {item.cost} is below 0",
                -item.cost,
                Repair("set it to 0", field, 0),
            )
    for field in file.character.worn.__struct_fields__:
        missing = getattr(file.character.worn, field)
        if missing < 0:
            where = f"worn.{field}"
            message = f"{field.upper()}: {missing} cannot be missing"
            yield Problem("hyb-5-fatigue-exhaustion", where, message, -missing, Repair("set it to 0", where, 0))
    yield from _condition(file)


def _condition(file: Checked) -> Iterator[Problem]:
    """Reports impossible results of scenes: an unknown field, or a value that nobody can have."""
    condition = file.character.condition
    _, refused = after_scenes(SOUND, condition)
    for field in condition:
        if field in CAMPAIGN_FIELDS:
            if why := campaign_problem(field, condition[field]):
                yield Problem("hyb-x-healing", "condition", f"condition, {why}", repair=file.drop("condition", field))
            continue
        why = refused.get(field, "")
        head, _, part = field.partition(".")
        known = LASTING if head not in LASTING else Energy.__struct_fields__ if head in ("energy", "mind") and part else ()
        if known and (part or field) not in known:
            why = f"there is no such field; there are {', '.join(known)}"
        if why:
            message = f"condition, {short(field)}: {why}"
            yield Problem("hyb-5-fatigue-exhaustion", "condition", message, repair=file.drop("condition", field))
