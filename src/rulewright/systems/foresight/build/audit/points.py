"""General and education points: spent, unspent, and the smallest repair of overspending."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.build.audit import Problem, Repair, Saving, cheapest, short, with_key
from rulewright.rules import Ruleset
from rulewright.systems.foresight.build.audit.repairs import drop_entry, drop_place
from rulewright.systems.foresight.build.audit.wealth import MOST_WEALTH
from rulewright.systems.foresight.people.attributes import ENVIRONMENTS, GRAVITIES, MOST_FAMILIAR
from rulewright.systems.foresight.people.characters import Character, free_gravities, free_skills, inherent, package_of
from rulewright.systems.foresight.people.creation import KEPT, Account, extra_favors, general_bill, known_price
from rulewright.systems.foresight.people.skills import FIELDS, attribute_price, highest_trained, price, skill_price


def points(rules: Ruleset, character: Character, whole: Character, books: dict[str, Account]) -> Iterator[Problem]:
    """Points spent and points left, by kind."""
    for kind, account in books.items():
        if account.left < 0:
            ways = _general_ways(rules, character, whole) if kind == "general" else _education_ways(rules, character, whole)
            message = f"{account.spent} of {account.given.value} {kind} points spent{_kept(account)}"
            where = "skills" if kind == "general" else "fields"
            repair = cheapest(ways, -account.left) or Repair("first repair what takes points away")
            yield Problem("fs-spending-cps", where, message, -account.left, repair)
        elif account.left > 0 and character.player:
            message = f"{account.left} of {account.given.value} {kind} points unspent"
            yield Problem("fs-spending-cps", "skills" if kind == "general" else "fields", message, warning=True)


def _kept(account: Account) -> str:
    """That some points are for one purpose alone and cannot be spent on anything else, where it is so."""
    kept = [term for term in account.given.reasons if term.label.startswith(KEPT)]
    return "".join([f"; {-int(term.value)} more are {term.label}" for term in kept])


def _general_ways(rules: Ruleset, character: Character, whole: Character) -> Iterator[Saving[Repair]]:
    free = set(free_skills(rules, whole))
    for skill, level in whole.skills.items():
        start = 0 if skill in free else None
        now = skill_price(rules, skill, level, start).value
        for lower in range(level - 1, -1, -1):
            saved = now - skill_price(rules, skill, lower, start).value
            put = with_key("skills", character.skills, skill, lower)
            yield Saving(saved, 1, Repair(f"lower {skill} from {level} to {lower} ({saved} points)", *put))
        if now:
            yield Saving(now, 3, drop_entry("skills", character.skills, skill, f"give up {skill} ({now} points)"))
    base = inherent(rules, replace(whole, experience=()))
    for name, value in whole.trained.items():
        low = base[name].value
        high = min(value, highest_trained(rules, low).value)
        for lower in range(high - 1, low - 1, -1):
            saved = attribute_price(rules, low, high, lower).value
            yield Saving(saved, 2, Repair(f"train {name} to {lower} only ({saved} points)", f"trained.{name}", lower))
    yield from _place_ways(rules, character, whole)
    for place, _ in enumerate(character.familiarities):
        saved = _item(rules, whole, f"familiarities.{place}")
        yield Saving(saved, 2, drop_place("familiarities", character.familiarities, place, f"drop a familiarity ({saved} points)"))
    if extra_favors(rules, whole):
        saved = price(rules, "favored weapon class")
        repair = drop_place(
            "favored_weapons", character.favored_weapons, len(character.favored_weapons) - 1, f"favor one less ({saved} points)"
        )
        yield Saving(saved, 2, repair)
    for place, trait in enumerate(character.traits):
        saved = _item(rules, whole, f"traits.{place}")
        if saved:
            yield Saving(saved, 2, drop_place("traits", character.traits, place, f"do without {trait.modifier} ({saved} points)"))
    if character.handed == "both":
        yield Saving(price(rules, "ambidexterity"), 2, Repair("be right-handed", "handed", "right"))
    if character.wealth > 0:
        number = price(rules, "wealth up")
        for less in range(1, min(character.wealth, MOST_WEALTH) + 1):
            to = character.wealth - less
            yield Saving(number * less, 2, Repair(f"buy {to} levels of wealth", "wealth", to))
    if character.exchanged > 0:
        yield Saving(character.exchanged, 4, Repair("exchange nothing", "exchanged", 0))
    for place, known in enumerate(whole.fields):
        saved = _item(rules, whole, f"fields.{place}")
        if saved and known.travels:
            where = character.fields.index(known)
            yield Saving(saved, 2, drop_place("fields", character.fields, where, f"do without {short(known.title)}"))


def _item(rules: Ruleset, whole: Character, field: str) -> int:
    """The general points that a field's entries cost."""
    return sum([item.points for item in general_bill(rules, whole) if item.field == field])


def _place_ways(rules: Ruleset, character: Character, whole: Character) -> Iterator[Saving[Repair]]:
    package = package_of(rules, whole)
    placed = package.environments if package else {}
    for part, given, number in (
        ("environments", placed, price(rules, "environment familiarity")),
        ("gravities", free_gravities(rules, whole), price(rules, "gravity familiarity")),
    ):
        values: dict[str, int] = getattr(character, part)
        table = ENVIRONMENTS(rules) if part == "environments" else GRAVITIES(rules)
        for name, value in values.items():
            if name not in table:
                continue
            for lower in range(min(value, MOST_FAMILIAR) - 1, max(0, given.get(name, 0)) - 1, -1):
                saved = number * (min(value, MOST_FAMILIAR) - lower)
                yield Saving(saved, 1, Repair(f"lower {name} to {lower} ({saved} points)", *with_key(part, values, name, lower)))


def _education_ways(rules: Ruleset, character: Character, whole: Character) -> Iterator[Saving[Repair]]:
    for place, known in enumerate(character.fields):
        row = FIELDS(rules).get(known.field)
        if row is None or known.travels:
            continue
        if known.specializations and row.specialization:
            keep, saved = list(known.specializations[:-1]), row.specialization
            text = f"drop {short(known.specializations[-1])} ({saved} points)"
            yield Saving(saved, 1, Repair(text, f"fields.{place}.specializations", keep))
        if known.free:
            continue
        whole_price = known_price(rules, whole, replace(known, specializations=()))
        if known.level == "standard" and row.basic is not None and not known.specializations:
            saved = whole_price - known_price(rules, whole, replace(known, level="basic", specializations=()))
            text = f"know {short(known.title)} at basic ({saved} points)"
            yield Saving(saved, 2, Repair(text, f"fields.{place}.level", "basic"))
        number = len(known.specializations) * (row.specialization or 0)
        text = f"do without {short(known.title)} ({whole_price + number} points)"
        yield Saving(whole_price + number, 3, drop_place("fields", character.fields, place, text))
    if character.exchanged < 0:
        yield Saving(-character.exchanged, 4, Repair("exchange nothing", "exchanged", 0))
