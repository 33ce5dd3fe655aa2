"""The character sheet. Steppers show ratings at creation; tests use current ratings."""

from collections.abc import Iterator

from rulewright.build.sheet_parts import AnyPiece, Budget, Choosable, Modifier, PickMany, Rows, Section, Sheet, Stepper, Tag, Test, Value
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, at_most
from rulewright.systems.ore.build import combat_sheet
from rulewright.systems.ore.build.advancement import standing
from rulewright.systems.ore.build.audit import audit
from rulewright.systems.ore.build.audit.points import points_spent
from rulewright.systems.ore.build.audit.statistics import as_created, limits
from rulewright.systems.ore.build.feat_sheet import feats_at_work
from rulewright.systems.ore.build.power_sheet import power_pieces
from rulewright.systems.ore.fight.entry_state import as_left
from rulewright.systems.ore.fight.penalties import hindering
from rulewright.systems.ore.people.advantages import (
    ADVANTAGES,
    CALLS,
    TWO_PARTS,
    advantage_cost,
    drama_points,
    monthly_income,
    parts_of,
    starting_money,
)
from rulewright.systems.ore.people.characters import STATISTIC_LIST, STATISTICS, Award, Character, Owned, Person
from rulewright.systems.ore.people.companies import COMPANY_QUALITIES, TIERS, quality_level, treasure_rating
from rulewright.systems.ore.people.feats import HIGHEST_LEVEL, MOST_OF_A_KIND, Path, feat_cost, highest_open, levels_known, opened_by, paths
from rulewright.systems.ore.people.packages import PACKAGES, package_cost
from rulewright.systems.ore.people.pools import advantage_pool, openers, rated, skill_pool, statistic_pool, usable_pool
from rulewright.systems.ore.people.skills import NARROW, Skill, known_skill, run_distance, selection, skill_cost, starting_limit
from rulewright.systems.ore.resolution.notation import spell
from rulewright.systems.ore.resolution.tests import PENALTIES, Pool, without_a_roll


def sheet(rules: Ruleset, character: Character) -> Sheet:
    """The sheet of a character."""
    page = _Page(rules, character)
    sections = (
        Section("Budgets", page.budgets()),
        Section("Statistics", tuple(page.statistics())),
        Section("Derived", tuple(page.derived())),
        *combat_sheet.sections(rules, character, page.person),
        Section("Skills", tuple(page.skills(learnt=True))),
        Section("Skills, untrained", tuple(page.skills(learnt=False))),
        Section("Concentrations", tuple(page.concentrations())),
        Section("Advantages", tuple(page.advantages())),
        Section("Powers", tuple(power_pieces(rules, page.person, character, page.test))),
        Section("Feats", tuple(page.feats())),
        Section("Effects of feats", tuple(feats_at_work(rules, page.person, page.hindrance))),
        Section("Packages", tuple(page.packages())),
        Section("Experience", tuple(page.experience())),
    )
    return Sheet("ore", "character", character.name, character.concept, tuple(part for part in sections if part.pieces))


class _Page:
    """One character under one set of rules."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.person = Person.of(rules, character)
        left = as_left(rules, character)
        self.hindrance = hindering(rules, left) if left is not None else ()
        self.chips = tuple(
            Modifier(row.rating.lower(), row.penalty, "ore-1.09-penalty", group="penalty") for row in PENALTIES(rules).values()
        )
        self.chips += tuple(
            Modifier(name, dice, "ore-1.11-extra-time", group="time") for name, dice in (("Extra Time", 1), ("Double Extra Time", 2))
        )

    def budgets(self) -> tuple[Budget, ...]:
        """Allowed and spent."""
        return audit(self.rules, self.character).budgets

    # numbers

    def statistics(self) -> Iterator[AnyPiece]:
        """The six statistics, each with its test."""
        born = as_created(self.rules, self.character)
        for name in STATISTICS:
            row, (low, high) = STATISTIC_LIST.get(self.rules, name), limits(self.rules, self.character, name, born)
            value, now = int(getattr(self.character.statistics, name)), self.person.statistic(name)
            yield Stepper(
                name=name.capitalize(),
                rule="ore-2.03-statistics",
                note=row.covers if now == value else f"{now} with experience",
                field=f"statistics.{name}",
                value=value,
                low=low,
                high=high,
                price="5 points each",
                grown=now,
            )
            pool = statistic_pool(self.rules, self.person, name)
            yield self.test(name, name.capitalize(), pool, f"{name.capitalize()} {now}", "ore-2.03-statistics", self.focus(name))

    def focus(self, statistic: str) -> tuple[Modifier, ...]:
        """The Focus of a statistic as a modifier."""
        focus = self.person.focuses.get(statistic)
        return (Modifier(f"focus: {focus}", 1, "ore-2.13-opt-statistic-focus"),) if focus else ()

    def derived(self) -> Iterator[AnyPiece]:
        """Derived values."""
        spent = points_spent(self.rules, self.character)
        yield Value(name="Points spent", rule="ore-2.01-point-cost", key="points_spent", value=spent.value, reasons=spent.reasons)
        run = run_distance(self.rules, 0)
        yield Value(
            name="Metres per round", rule="ore-3.05-running", key="metres", value=run.value, reasons=run.reasons, source=run.reason.source
        )
        heroic = self.person.has("action hero")
        if heroic:
            reasons = (Reason("Action Hero", heroic, "+", "ore-2.17-action-hero"),)
            yield Value(name="Drama Points", rule="ore-2.17-action-hero", key="drama_points", value=drama_points(heroic), reasons=reasons)
        for kind, number in levels_known(self.rules, self.person.feats).items():
            if number:
                counted = (Reason("levels known", number, "+", "ore-2.06-feats-general"), at_most(MOST_OF_A_KIND))
                yield Value(
                    name=f"{kind.capitalize()} feats", rule="ore-2.06-feats-general", key=f"{kind}_feats", value=number, reasons=counted
                )
        yield from self.money()
        if self.rules.word("companies") != "none":
            yield from self.company()

    def money(self) -> Iterator[AnyPiece]:
        """Money from advantages."""
        for key, name, of in (("money", "wealth", starting_money), ("income", "income", monthly_income)):
            rating = min(10, self.person.has(name))
            if rating > 0:
                yield _value(key, of(self.rules, rating), name.capitalize())

    def company(self) -> Iterator[AnyPiece]:
        """Company qualities from advantages."""
        for row in COMPANY_QUALITIES(self.rules).values():
            points = sum(self.worth(own) for own in self.person.advantages if own.name == row.advantage)
            quality, level = quality_level(self.rules, row.advantage, points)
            if level:
                reasons = (Reason(row.advantage.capitalize(), points), Reason("per level", 3, "÷", "ore-2.42-company-qualities"))
                yield Value(
                    name=f"Company: {quality}", rule="ore-2.42-company-qualities", key=f"company_{quality}", value=level, reasons=reasons
                )
        if self.rules.word("companies") == "tiers" and self.person.has("wealth") > 0:
            yield from self.tiers(starting_money(self.rules, min(10, self.person.has("wealth"))).value)

    def tiers(self, pounds: int) -> Iterator[AnyPiece]:
        """The Treasure of the character in companies of higher tiers."""
        for tier, row in TIERS(self.rules).items():
            level = treasure_rating(self.rules, pounds, tier)
            if row.money > 1 and level:
                reasons = (Reason("pounds", pounds), Reason("cost factor of the tier", row.money, "÷", "ore-2.42-opt-company-tiers"))
                key = f"company_treasure_{tier.replace(' ', '_')}"
                yield Value(name=f"Treasure of a {tier}", rule="ore-2.42-opt-company-tiers", key=key, value=level, reasons=reasons)

    def worth(self, own: Owned) -> int:
        """The cost of an advantage."""
        if own.points is not None or own.name not in ADVANTAGES(self.rules):
            return own.points or 0
        return advantage_cost(self.rules, own.name, own.rating, own.first, own.second).value

    # skills

    def test(self, key: str, name: str, pool: Pool, made_of: str, rule: str, chips: tuple[Modifier, ...] = (), note: str = "") -> Test:
        """A test: dice, permanent modifiers, and penalties from injuries and tiredness."""
        pool = pool.plus(*self.hindrance)
        parts = (Modifier(made_of, 0, rule), *(Modifier(mod.label, mod.dice, mod.rule) for mod in pool.mods))
        return Test(
            name=name,
            rule=rule,
            note=note,
            key=key,
            notation=spell(usable_pool(self.rules, pool)),
            parts=parts,
            modifiers=chips + self.chips,
        )

    def skills(self, *, learnt: bool) -> Iterator[AnyPiece]:
        """Every skill with its stepper, and known skills with tests."""
        owned = {name.lower() for name in self.character.skills} | set(self.person.skills)
        plain = [name for name, skill in selection(self.rules).items() if not skill.subject]
        for name in dict.fromkeys((*plain, *sorted(owned))):
            chosen, now = self.character.skills.get(name, 0), self.person.skills.get(name, 0)
            if (now > 0 or chosen != 0) is not learnt:
                continue
            skill = known_skill(self.rules, name)
            yield Stepper(
                name=name.capitalize(),
                rule="ore-3.03-skill-list",
                note=f"{now} with experience" if now != max(0, chosen) else self.about(name, skill),
                field=f"skills.{name}",
                value=chosen,
                low=0,
                high=starting_limit(self.rules),
                price=f"{count(skill_cost(self.rules, skill.kind, 1).value, 'point')} each" if skill else "",
                grown=now if chosen >= 0 else None,
            )
            if learnt and skill is not None:
                yield self.skill_test(name, skill)

    def skill_test(self, name: str, skill: Skill) -> Test:
        """A skill with its usual statistic."""
        has = rated(self.rules, self.person, name)
        special = has.special
        promoted = f", {special.master} Master" if special.master else f", {special.expert} Expert" if special.expert else ""
        made_of = f"{skill.statistic.capitalize()} {self.person.statistic(skill.statistic)}, {has.skill} {has.rating}{promoted}"
        pool = skill_pool(self.rules, self.person, name)
        done = without_a_roll(self.rules, has.rating)
        note = f"Auto Complete: {done.outcome}" if done else ""
        return self.test(name, name.capitalize(), pool, made_of, "ore-1.01-dice-pool", self.focus(skill.statistic), note)

    def about(self, name: str, skill: Skill | None) -> str:
        """The use of a skill, or its kind, in words."""
        if skill is None:
            return "not in the rules"
        row = NARROW(self.rules).get(name.partition(":")[0])
        return row.use if row else skill.kind

    def concentrations(self) -> Iterator[AnyPiece]:
        """Concentrations with their tests."""
        for discipline, levels in self.person.concentrations.items():
            skill = known_skill(self.rules, discipline)
            for name, level in levels.items():
                if skill is not None and self.person.skills.get(discipline):
                    pool = skill_pool(self.rules, self.person, discipline, concentration=name)
                    made_of = f"{skill.statistic.capitalize()}, {discipline}, concentration {level}"
                    yield self.test(f"{discipline}.{name}", f"{name.capitalize()} {level}", pool, made_of, "ore-3.02-opt-disciplines")

    # lists

    def advantages(self) -> Iterator[AnyPiece]:
        """Advantages, with tests for those that can be called on."""
        rows = tuple((_title(own), self.meaning(own), str(self.worth(own))) for own in self.person.advantages)
        yield Rows(
            name="Advantages",
            rule="ore-2.14-advantage-list",
            field="advantages",
            heads=("advantage", "effect", "points"),
            rows=rows,
            keys=tuple(str(place) for place in range(len(self.character.advantages))),
            addable=tuple(
                Choosable(name, name.capitalize(), self.price(name), source=row.source) for name, row in ADVANTAGES(self.rules).items()
            ),
        )
        for own in self.person.advantages:
            call = CALLS(self.rules).get(own.name)
            if call is not None:
                pool = advantage_pool(self.rules, self.person, own, call.statistic)
                made_of = f"{call.statistic.capitalize()} {self.person.statistic(call.statistic)}, {call.first}"
                key = f"call.{own.name}" + (f".{own.choice}" if own.choice else "")
                yield self.test(key, f"Call on {own.name}", pool, made_of, "ore-2.17-two-part-advantage-test")
        for name, rating in self.person.disadvantages.items():
            yield Tag(name=name, rule="ore-2.44-disadvantages", effect=f"disadvantage, rating {rating}", hurt=True)

    def price(self, advantage: str) -> str:
        """The price of an advantage in a few words."""
        row, number = ADVANTAGES.get(self.rules, advantage), advantage_cost(self.rules, advantage, 1, 1).value
        return count(number, "point") if row.high <= 1 else f"{count(number, 'point')} per {'level' if row.levels else 'rating'}"

    def meaning(self, own: Owned) -> str:
        """An advantage in words."""
        table = TWO_PARTS.get(own.name)
        if table is None:
            return ", ".join(filter(None, (own.choice, own.when)))
        first, second = parts_of(self.rules, own.name, own.rating, own.first, own.second)
        rows = table(self.rules)
        words = [row.first for key, row in rows.items() if key == str(first)] + [
            row.second for key, row in rows.items() if key == str(second)
        ]
        return ", ".join(filter(None, (own.choice, *words)))

    def feats(self) -> Iterator[AnyPiece]:
        """The open paths of feats, with known levels."""
        opened = openers(self.rules, self.person)
        for name, path in paths(self.rules).items():
            most, level = highest_open(self.rules, opened, name), self.person.feats.get(name, 0)
            if not most and not level:
                continue
            chosen = self.character.feats.get(name, 0)
            known = "; ".join(f"{row.name}: {row.effect}" for row in path.levels[:level])
            price = (
                f"next level: {count(chosen + 1, 'point')}" if chosen < most else count(feat_cost(min(5, max(0, chosen))).value, "point")
            )
            yield Stepper(
                name=name,
                rule=_feat_rule(path),
                note=known or f"{path.levels[0].name}: {path.levels[0].effect}",
                field=f"feats.{name}",
                value=chosen,
                low=0,
                high=min(most, 3) if most else 0,
                price=price,
                grown=level,
            )
        yield self.more_feats()

    def more_feats(self) -> Rows:
        """Every path with its next level, price and requirement."""
        opened = openers(self.rules, self.person)
        offered = []
        for name, path in paths(self.rules).items():
            chosen = self.character.feats.get(name, 0)
            if chosen < HIGHEST_LEVEL:
                row = path.levels[max(0, chosen)]
                needs = f"needs {' or '.join(opened_by(self.rules, name))} {row.level}"
                barred = "" if highest_open(self.rules, opened, name) >= row.level else needs
                label = f"{name} {row.level}: {row.name}"
                group = f"{path.kind} feat, {' or '.join(opened_by(self.rules, name))}"
                price = count(row.level, "point")
                offered.append(Choosable(name, label, price, barred, row.source, group, row.effect))
        known = [(name, level) for name, level in self.character.feats.items() if name in paths(self.rules)]
        rows = tuple([(name, str(level), str(feat_cost(min(HIGHEST_LEVEL, max(0, level))).value)) for name, level in known])
        return Rows(
            name="All paths",
            rule="ore-3.08-feat-purchase",
            field="feats",
            heads=("path", "level", "points"),
            rows=rows,
            keys=tuple([str(place) for place in range(len(self.character.feats))]) if len(known) == len(self.character.feats) else (),
            addable=tuple(offered),
        )

    def packages(self) -> Iterator[AnyPiece]:
        """Packages, with their prices."""
        options = tuple(
            Choosable(name, name.capitalize(), count(package_cost(self.rules, name).value, "point"), source=row.source)
            for name, row in PACKAGES(self.rules).items()
        )
        yield PickMany(name="Packages", rule="ore-2.44-packages", field="packages", values=self.character.packages, options=options)

    def experience(self) -> Iterator[AnyPiece]:
        """Experience earned and spent."""
        if not self.character.advancement:
            return
        now = standing(self.rules, self.character)
        reasons = (Reason("earned", now.earned), Reason("spent", -now.spent))
        yield Value(name="Experience left", rule="ore-3.02-advancement-discipline", key="experience_left", value=now.left, reasons=reasons)
        rows = tuple(
            (f"award {entry.session}".strip(), f"+{entry.xp}")
            if isinstance(entry, Award)
            else (f"{entry.buy}: {entry.what} {entry.to}", str(-paid))
            for entry, paid in zip(self.character.advancement, now.took, strict=True)
        )
        yield Rows(name="Log", field="advancement", heads=("what", "experience"), rows=rows)


def _feat_rule(path: Path) -> str:
    if path.kind == "secret":
        return f"ore-5.04-feats-{path.skill}"
    return "ore-3.09-broad-feat-list" if path.broad else "ore-3.29-specialist-feat-list"


def _title(own: Owned) -> str:
    parts = f"{own.first}/{own.second}" if own.first or own.second else str(own.rating)
    return f"{own.name.capitalize()} {parts}"


def _value(key: str, value: Derived[int], name: str) -> Value:
    return Value(name=name, rule=value.reason.rule, key=key, value=value.value, reasons=value.reasons, source=value.reason.source)
