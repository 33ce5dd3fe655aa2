"""Inborn traits: gifts, enhanced statistics, presence, limitations (book chapters 9 and 12)."""

from collections.abc import Iterator

from rulewright.build.audit import Problem, Repair, short
from rulewright.systems.hybrid.build.audit.audited_character import Checked
from rulewright.systems.hybrid.people.advancement import near_to
from rulewright.systems.hybrid.people.gifts import ABILITIES
from rulewright.systems.hybrid.people.statistics import stat_name
from rulewright.systems.hybrid.people.traits import DRAWBACKS, GIFTS, STAT_COSTS


def gifts(file: Checked) -> Iterator[Problem]:
    """Gifts, enhanced statistics, heightened powers and presence."""
    rules, who, listed = file.rules, file.character, GIFTS(file.rules)
    rule_id, seen = "hyb-9-enhancement-list", set()
    for place, gift in enumerate(who.gifts):
        field, name = f"gifts.{place}", short(gift.name)
        if gift.name not in listed and gift.cost is None:
            near = near_to(gift.name, tuple(listed))
            repair = Repair(f"write {near}", f"{field}.name", near) if near else file.drop("gifts", place)
            yield Problem(rule_id, field, f"{name!r} is not a gift of the book: it needs an agreed price", repair=repair)
            continue
        if gift.cost is not None and gift.cost < 0:
            message = f"{name}: a price of {gift.cost} would give points back"
            value = None if gift.name in listed else 0
            yield Problem(rule_id, f"{field}.cost", message, -gift.cost, Repair("pay its price", f"{field}.cost", value))
        elif gift.cost is not None and gift.name in listed:
            message = f"{name}: the gamemaster must have agreed to a price of {gift.cost}"
            yield Problem(rule_id, f"{field}.cost", message, repair=Repair("pay the book's price", f"{field}.cost", None), warning=True)
        yield from _reach(f"{field}.", name, gift.scope, gift.depth)
        if gift.name in seen:
            yield Problem(rule_id, field, f"{name} is in the file twice", repair=file.drop("gifts", place))
        seen.add(gift.name)
    for place, better in enumerate(who.enhanced):
        field = f"enhanced.{place}"
        if stat_name(better.stat) not in STAT_COSTS(rules):
            message = f"{short(better.stat)!r} has no price and cannot be enhanced"
            yield Problem("hyb-9-enhanced-stats", field, message, repair=file.drop("enhanced", place))
            continue
        yield from _at_least_one("hyb-9-enhanced-stats", f"{field}.points", f"enhanced {better.stat}", better.points)
        if not better.area.strip():
            message = f"{better.stat} is enhanced for no area: one narrow area must be named"
            yield Problem("hyb-9-enhanced-stats", field, message, repair=file.drop("enhanced", place))
    for place, more in enumerate(who.heightened):
        rule_of = "hyb-9-psi-gift" if more.power == "psi" else "hyb-12-mage-gift"
        yield from _at_least_one(rule_of, f"heightened.{place}.points", f"gift for {short(more.field)}", more.points)
        if ABILITIES[more.power] not in {gift.name for gift in who.gifts}:
            message = f"a gift for {short(more.field)} without {ABILITIES[more.power]}: it has no effect"
            yield Problem(rule_of, f"heightened.{place}", message, warning=True)
    for place, seen_as in enumerate(who.presence):
        if seen_as.steps == 0:
            message = f"a {seen_as.of} presence of 0 has no effect"
            yield Problem("hyb-9-presence", f"presence.{place}", message, repair=file.drop("presence", place))
    if rules.word("traits-from") == "skill pool":
        for part in ("gifts", "enhanced", "heightened", "presence"):
            for place, trait in enumerate(getattr(who, part)):
                if trait.paid_from != "skill":
                    where = f"{part}.{place}.paid_from"
                    message = f"{part.removesuffix('s')} {place + 1} is paid from {trait.paid_from}: only the skill pool pays for it"
                    repair = Repair("pay from the skill pool", where, "skill")
                    yield Problem("hyb-9-enhancement-principles", where, message, repair=repair)


def _at_least_one(rule_id: str, field: str, name: str, points: int) -> Iterator[Problem]:
    if points < 1:
        yield Problem(rule_id, field, f"{name}: {points} points are below 1", 1 - points, Repair("set it to 1", field, 1))


def _reach(field: str, name: str, scope: int, depth: int) -> Iterator[Problem]:
    if scope < 1:
        message = f"{name}: a scope of {scope} is below 1"
        yield Problem("hyb-9-enhancement-principles", f"{field}scope", message, 1 - scope, Repair("set it to 1", f"{field}scope", 1))
    if depth < 0:
        message = f"{name}: a depth of {depth} is below 0"
        yield Problem("hyb-9-enhancement-principles", f"{field}depth", message, -depth, Repair("set it to 0", f"{field}depth", 0))


def limitations(file: Checked) -> Iterator[Problem]:
    """Limitations and what they give."""
    rule_id, listed, seen = "hyb-9-enhancement-principles", DRAWBACKS(file.rules), set()
    for place, limit in enumerate(file.character.limitations):
        field, name = f"limitations.{place}", short(limit.name)
        if limit.name not in listed and limit.gives is None:
            near = near_to(limit.name, tuple(listed))
            repair = Repair(f"write {near}", f"{field}.name", near) if near else file.drop("limitations", place)
            message = f"what {name!r} gives must be agreed with the gamemaster"
            yield Problem(rule_id, field, message, repair=repair)
            continue
        if limit.gives is not None and limit.gives < 0:
            message = f"{name}: a limitation that gives {limit.gives} takes away"
            value = None if limit.name in listed else 0
            yield Problem(rule_id, f"{field}.gives", message, -limit.gives, Repair("take what it gives", f"{field}.gives", value))
        elif limit.gives is not None and limit.name in listed and limit.gives != listed[limit.name].gives:
            message = f"{name}: the gamemaster must have agreed to {limit.gives} points"
            yield Problem(rule_id, f"{field}.gives", message, repair=Repair("take the book's", f"{field}.gives", None), warning=True)
        yield from _reach(f"{field}.", name, limit.scope, limit.depth)
        if limit.name in seen:
            yield Problem(rule_id, field, f"{name} is in the file twice", repair=file.drop("limitations", place))
        seen.add(limit.name)
