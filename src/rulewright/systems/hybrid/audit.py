"""Is a character legal? Every breach with its rule, the amount over and the smallest repair (book chapters 9 to 12).

The order matters to whoever repairs from the top: first what is unknown or out of bounds, then what costs too much. Carrying out
the repairs one after another ends with a legal character.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from rulewright.build import Audit, Problem, Repair
from rulewright.pieces import Budget
from rulewright.rules import Ruleset, rule
from rulewright.build import short
from rulewright.systems.hybrid.advancement import Standing, near_to
from rulewright.systems.hybrid.characters import ALLOWANCES, CULTURES, PACKAGES, Character, PointPool, Skill, starting_points
from rulewright.systems.hybrid.creation import (
    MOST,
    Account,
    accounts,
    fair_multiplier,
    given_ranks,
    known_race,
    package_known,
    plain_field,
    points_moved,
    skill_price,
    sound,
    unlimited,
)
from rulewright.systems.hybrid.gear import ARMOUR, SPELLS, WEAPONS
from rulewright.systems.hybrid.gifts import ABILITIES
from rulewright.systems.hybrid.skills import HIGHEST_RANK, SKILLS, known
from rulewright.systems.hybrid.statistics import PRIMARY, RACES, STATISTICS, Primary, appearance, race, stat_name
from rulewright.systems.hybrid.ties import USES, most_people
from rulewright.systems.hybrid.traits import CAREERS, DRAWBACKS, GIFTS, STAT_COSTS

MOST_REPAIRS = 100
"""Of problems whose repair takes one entry out of a list, so many bring the shortened list along; absurd files stay quick."""
LOOKS = 5
BLANK = Character("Somebody", culture="Merovan")


def audit(rules: Ruleset, character: Character) -> Audit:
    """Every breach of the rules in a character's file, and what was spent of every budget."""
    return _Audit(rules, character).report()


class _Audit:
    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.fair = sound(rules, character)
        self.plain: dict[str, Any] = msgspec.to_builtins(character)
        self.dropped = 0

    def report(self) -> Audit:
        """Everything, in the order of repair."""
        pools = accounts(self.rules, self.character)
        log = Standing(self.rules, self.character)
        problems = [
            *self.primary(),
            *self.people(),
            *self.skills(),
            *self.packages(),
            *self.allowances(),
            *self.bought(),
            *self.gifts(),
            *self.limitations(),
            *self.ties(),
            *self.careers(),
            *self.gear(),
            *self.moves(),
            *self.pools(pools),
            *self.log(log),
        ]
        given = starting_points(self.rules, "stat", self.fair.race).value
        names = {"skill": "Skill points", "wealth": "Wealth points", "community": "Community points"}
        budgets = [Budget(name="Points for statistics", rule="hyb-9-primary-stats", allowed=given, spent=self.character.primary.total)]
        budgets += [Budget(name=names[pool], rule="hyb-10-pools", allowed=one.given.value, spent=one.spent) for pool, one in pools.items()]
        budgets += [Budget(name=f"Allowance: {field}", rule="hyb-9-cultural-points", allowed=a, spent=s) for field, a, s in self.fields()]
        budgets.append(Budget(name="Experience points", rule="hyb-3-raising-skills", allowed=log.earned, spent=log.spent))
        return Audit(tuple(problems), tuple(budgets))

    # --- changes

    def drop(self, part: str, key: str | int, text: str = "leave it out") -> Repair:
        """Take one entry out of a list or a mapping."""
        self.dropped += 1
        return self.without(part, key, text) if self.dropped <= MOST_REPAIRS else Repair(text)

    def without(self, part: str, key: str | int, text: str) -> Repair:
        """The same, however many there were before."""
        held: Any = self.plain
        for step in part.split("."):
            held = held[step]
        if isinstance(held, dict):
            return Repair(text, part, {name: value for name, value in held.items() if name != key})
        place = int(key)
        return Repair(text, part, [*held[:place], *held[place + 1 :]])

    def put(self, part: str, key: str, value: Any, text: str) -> Repair:
        """Give one named entry another value, whatever its name."""
        field = plain_field(part, key)
        if field != part:
            return Repair(text, field, value)
        held = self.plain[part]
        return Repair(text, part, {**held, key: value})

    def rename(self, part: str, key: str, name: str) -> Repair:
        """Give one named entry another name."""
        held = self.plain[part]
        return Repair(f"write {name}", part, {name if each == key else each: value for each, value in held.items()})

    # --- statistics

    def primary(self) -> Iterator[Problem]:
        rules, points, rule_id = self.rules, self.character.primary, "hyb-9-primary-stats"
        low, high = rules.number("lowest-allocated"), rules.number("highest-allocated")
        for stat in PRIMARY:
            value, field = points.of(stat), f"primary.{stat.lower()}"
            if value > high:
                message = f"{stat} {value}: at most {high} points go into a statistic"
                yield Problem(rule_id, field, message, value - high, Repair(f"lower it to {high}", field, high))
            elif value < low:
                message = f"{stat} {value}: at least {low} points go into a statistic"
                yield Problem(rule_id, field, message, low - value, Repair(f"raise it to {low}", field, low))
        given = starting_points(rules, "stat", self.fair.race).value
        if points.total > given:
            message = f"{points.total} of {given} points for statistics spent"
            yield Problem(rule_id, "primary", message, points.total - given, _lowered(points, points.total - given, low))
        elif points.total < given:
            message = f"{given - points.total} of {given} points for statistics are left to spend"
            yield Problem(rule_id, "primary", message, 0, _raised(points, given - points.total, high), warning=True)

    def bought(self) -> Iterator[Problem]:
        rule_id, prices = "hyb-9-stat-costs", STAT_COSTS(self.rules)
        for stat, points in self.character.bought.items():
            name, field = stat_name(stat), plain_field("bought", stat)
            if name not in prices:
                why = "has no price and cannot be bought" if name in STATISTICS else "is no statistic"
                yield Problem(rule_id, field, f"{short(stat)} {why}", repair=self.drop("bought", stat))
            elif points < 0 and name != "APP":
                message = f"{name} {points}: statistics are bought, not sold"
                yield Problem(rule_id, field, message, -points, self.put("bought", stat, 0, "set it to 0"))
        bought = sum(points for stat, points in self.fair.bought.items() if stat_name(stat) == "APP")
        looks = appearance(self.rules, bought, self.fair.race, self.fair.gender).value
        if abs(looks) > LOOKS:
            yield Problem("hyb-9-appearance", "bought", f"APP {looks:+} is beyond the usual {-LOOKS} to {LOOKS:+}", warning=True)

    # --- race and culture

    def people(self) -> Iterator[Problem]:
        rules, who = self.rules, self.character
        if not known_race(rules, who.race):
            near = near_to(who.race, tuple(RACES(rules))) or self.fair.race
            yield Problem("hyb-12-races", "race", f"there is no race {short(who.race)!r}", repair=Repair(f"write {near}", "race", near))
        if who.culture and who.culture not in CULTURES(rules):
            near = near_to(who.culture, tuple(CULTURES(rules))) or ""
            repair = Repair(f"write {near}" if near else "leave it open", "culture", near)
            yield Problem("hyb-12-culture-packages", "culture", f"there is no culture {short(who.culture)!r}", repair=repair)
        elif not who.culture:
            home = next((row.culture for row in CULTURES(rules).values() if row.race == self.fair.race), None)
            repair_to = Repair(f"choose {home}", "culture", home) if home else None
            yield Problem("hyb-9-process", "culture", "no culture is chosen yet", repair=repair_to, warning=True)
        yield from self.heritage()
        for field in ("height", "weight"):
            size = getattr(who, field)
            if size is not None and size < 1:
                message = f"a {field} of {size} is no {field}"
                yield Problem("hyb-9-height-weight", field, message, 1 - size, Repair("leave it open", field, None))

    def heritage(self) -> Iterator[Problem]:
        rules, given = self.rules, self.character.heritage
        row, culture = race(rules, self.fair.race), CULTURES(rules).get(self.fair.culture)
        for stat in given.mods:
            if stat_name(stat) not in STATISTICS:
                yield Problem("hyb-9-race", "heritage.mods", f"{short(stat)!r} is no statistic", repair=self.drop("heritage.mods", stat))
        for stat, value in given.times.items():
            if not fair_multiplier(stat, value):
                message = f"a race cannot multiply {short(stat)} by {value:g}"
                yield Problem("hyb-9-race", "heritage.times", message, repair=self.drop("heritage.times", stat))
        if given.cost < 0:
            message = f"a race or culture cannot cost {given.cost} points"
            yield Problem("hyb-9-race", "heritage.cost", message, -given.cost, Repair("set it to 0", "heritage.cost", 0))
        if row.by_gamemaster and not given.mods:
            message = f"the figures of {row.race} are the gamemaster's: none are in the file yet"
            yield Problem("hyb-9-race", "heritage", message, warning=True)
        elif not row.by_gamemaster and (given.mods or given.times):
            message = f"{row.race} has figures in the book: what else is in the file the gamemaster must have granted"
            yield Problem("hyb-9-race", "heritage", message, warning=True)
        if culture is not None and culture.by_gamemaster and not given.skills:
            message = f"the skills of the {culture.culture} culture are the gamemaster's: none are in the file yet"
            yield Problem("hyb-12-culture-packages", "heritage.skills", message, warning=True)

    # --- skills

    def skills(self) -> Iterator[Problem]:
        rules, who = self.rules, self.character
        given = given_ranks(rules, self.fair)
        names = tuple(SKILLS(rules))
        for skill, entry in who.skills.items():
            field, rank = plain_field("skills", skill), who.skill(skill).rank
            if rank < 0:
                value: Any = 0 if not isinstance(entry, Skill) else {**self.plain["skills"][skill], "rank": 0}
                message = f"{short(skill)}: there is no rank {rank}"
                yield Problem("hyb-9-skill-cost", field, message, -rank, self.put("skills", skill, value, "raise it to 0"))
            elif rank > HIGHEST_RANK:
                lower: Any = HIGHEST_RANK if not isinstance(entry, Skill) else {**self.plain["skills"][skill], "rank": HIGHEST_RANK}
                message = f"{short(skill)} {rank}: ranks end at {HIGHEST_RANK}"
                repair = self.put("skills", skill, lower, f"lower it to {HIGHEST_RANK}")
                yield Problem("hyb-3-ranks", field, message, rank - HIGHEST_RANK, repair)
            elif rank <= given.get(skill, -1):
                price = skill_price(rules, rank, given[skill]).value
                message = f"{short(skill)} {rank} is no better than the rank {given[skill]} that was given, and costs {price}"
                yield Problem("hyb-9-skill-cost", field, message, repair=self.drop("skills", skill), warning=True)
            if isinstance(entry, Skill):
                yield from self.described(skill, entry, field)
            if known(rules, skill) is None and not (isinstance(entry, Skill) and entry.type is not None):
                near = near_to(skill, names) if self.dropped < MOST_REPAIRS else None
                self.dropped += 1
                message = f"{short(skill)!r} is not among the skills of the book: say its type, so that it has a base cost"
                rename = self.rename("skills", skill, near) if near and near not in who.skills else None
                yield Problem("hyb-3-skill-format", field, message, repair=rename, warning=True)
        for pool, members in who.skill_pools.items():
            missing = [name for name in members if name not in given and name not in who.skills]
            if missing:
                message = f"skill pool {short(pool)}: {short(', '.join(missing))} without a rank does not count"
                yield Problem("hyb-3-skill-pools", plain_field("skill_pools", pool), message, warning=True)

    def described(self, skill: str, entry: Skill, field: str) -> Iterator[Problem]:
        plain = self.plain["skills"][skill]
        strange = [stat for stat in entry.stat_base if stat_name(stat) not in STATISTICS]
        if strange:
            kept = {**plain, "stat_base": [stat for stat in entry.stat_base if stat not in strange]}
            message = f"{short(skill)} rests on {short(', '.join(strange))}, which is no statistic"
            yield Problem("hyb-3-skill-format", field, message, repair=self.put("skills", skill, kept, "leave that out"))
        if entry.kind == "support" and not entry.of:
            message = f"{short(skill)} is a support skill, but of no skill"
            repair = self.put("skills", skill, {**plain, "kind": "specific"}, "make it a skill of its own")
            yield Problem("hyb-3-general-support-skills", field, message, repair=repair)

    def packages(self) -> Iterator[Problem]:
        rule_id, seen = "hyb-9-skill-packages", set()
        for place, package in enumerate(self.character.packages):
            field = f"packages.{place}"
            if not package_known(self.rules, package):
                near = near_to(package.package, tuple(PACKAGES(self.rules)))
                message = f"package {short(package.package)!r} is not the book's: it needs skills and a price that the gamemaster agreed to"
                repair = Repair(f"write {near}", f"{field}.package", near) if near else self.drop("packages", place)
                yield Problem(rule_id, field, message, repair=repair)
                continue
            if package.rank < 0:
                message = f"{short(package.package)}: there is no rank {package.rank}"
                yield Problem(rule_id, f"{field}.rank", message, -package.rank, Repair("raise it to 0", f"{field}.rank", 0))
            if package.rank > HIGHEST_RANK:
                message = f"{short(package.package)} {package.rank}: ranks end at {HIGHEST_RANK}"
                lower = Repair(f"lower it to {HIGHEST_RANK}", f"{field}.rank", HIGHEST_RANK)
                yield Problem("hyb-3-ranks", f"{field}.rank", message, package.rank - HIGHEST_RANK, lower)
            if package.cost is not None and package.cost < 0:
                message = f"{short(package.package)}: a price of {package.cost} would give points back"
                value = None if package.package in PACKAGES(self.rules) else 0
                yield Problem(rule_id, f"{field}.cost", message, -package.cost, Repair("pay its price", f"{field}.cost", value))
            if package.package in seen:
                message = f"package {short(package.package)} was bought twice"
                yield Problem(rule_id, field, message, repair=self.drop("packages", place))
            seen.add(package.package)

    def takes_allowances(self) -> bool:
        """Whether the character's culture gives allowances of points: by chapter 9, and by chapter 10 to all but Theneans."""
        chapter = self.rules.word("culture-skills")
        return chapter == "chapter 9" or (chapter == "chapter 10" and self.character.culture != "Thenean")

    def fields(self) -> Iterator[tuple[str, int, int]]:
        """Every allowance, what it holds and what was taken."""
        if self.takes_allowances():
            for field, row in ALLOWANCES(self.rules).items():
                yield field, row.points, sum(1 + max(0, rank) for rank in self.character.cultural.get(field, {}).values())

    def allowances(self) -> Iterator[Problem]:
        rule_id, rows, cultural = "hyb-9-cultural-points", ALLOWANCES(self.rules), self.character.cultural
        if not self.takes_allowances():
            if cultural:
                message = "allowances of points count only where a campaign follows chapter 9; the culture gives fixed ranks"
                yield Problem(rule_id, "cultural", message, repair=Repair("leave them out", "cultural", {}), warning=True)
            return
        for field, skills in cultural.items():
            where, plain = plain_field("cultural", field), dict(skills)
            row = rows.get(field)
            if row is None:
                message = f"there is no allowance for {short(field)!r}, only for {', '.join(rows)}"
                yield Problem(rule_id, where, message, repair=self.drop("cultural", field))
                continue
            for skill, rank in skills.items():
                if rank < 0:
                    repair = self.put("cultural", field, {**plain, skill: 0}, "raise it to 0")
                    yield Problem(rule_id, where, f"{short(skill)}: there is no rank {rank}", -rank, repair)
                elif row.kinds and skill.partition(":")[0].strip() not in row.kinds:
                    kept = {name: each for name, each in plain.items() if name != skill}
                    message = f"{short(skill)} is not what the allowance for {field} is for: {row.covers}"
                    yield Problem(rule_id, where, message, repair=self.put("cultural", field, kept, "leave it out"))
        for field, allowed, spent in self.fields():
            if spent > allowed:
                repair = self.trimmed(field, spent - allowed)
                message = f"{spent} of {allowed} points for {field} taken"
                yield Problem(rule_id, plain_field("cultural", field), message, spent - allowed, repair)

    def trimmed(self, field: str, over: int) -> Repair:
        """Lower the highest rank of an allowance by what is over, or leave it out."""
        held = dict(self.character.cultural[field])
        skill = max(held, key=lambda name: held[name])
        if held[skill] >= over:
            return self.put("cultural", field, {**held, skill: held[skill] - over}, f"lower {short(skill)} to {held[skill] - over}")
        return self.put("cultural", field, {name: rank for name, rank in held.items() if name != skill}, f"leave {short(skill)} out")

    # --- traits

    def gifts(self) -> Iterator[Problem]:
        rules, who, listed = self.rules, self.character, GIFTS(self.rules)
        rule_id, seen = "hyb-9-enhancement-list", set()
        for place, gift in enumerate(who.gifts):
            field, name = f"gifts.{place}", short(gift.name)
            if gift.name not in listed and gift.cost is None:
                near = near_to(gift.name, tuple(listed))
                repair = Repair(f"write {near}", f"{field}.name", near) if near else self.drop("gifts", place)
                yield Problem(
                    rule_id, field, f"{name!r} is not among the gifts of the book: it needs a price that was agreed on", repair=repair
                )
                continue
            if gift.cost is not None and gift.cost < 0:
                message = f"{name}: a price of {gift.cost} would give points back"
                value = None if gift.name in listed else 0
                yield Problem(rule_id, f"{field}.cost", message, -gift.cost, Repair("pay its price", f"{field}.cost", value))
            elif gift.cost is not None and gift.name in listed:
                message = f"{name}: the gamemaster must have agreed to a price of {gift.cost}"
                yield Problem(rule_id, f"{field}.cost", message, repair=Repair("pay the book's price", f"{field}.cost", None), warning=True)
            yield from self.reach(f"{field}.", name, gift.scope, gift.depth)
            if gift.name in seen:
                yield Problem(rule_id, field, f"{name} is in the file twice", repair=self.drop("gifts", place))
            seen.add(gift.name)
        for place, better in enumerate(who.enhanced):
            field = f"enhanced.{place}"
            if stat_name(better.stat) not in STAT_COSTS(rules):
                message = f"{short(better.stat)!r} has no price and cannot be enhanced"
                yield Problem("hyb-9-enhanced-stats", field, message, repair=self.drop("enhanced", place))
                continue
            yield from self.at_least_one("hyb-9-enhanced-stats", f"{field}.points", f"enhanced {better.stat}", better.points)
            if not better.area.strip():
                message = f"{better.stat} is enhanced for no area: one narrow area must be named"
                yield Problem("hyb-9-enhanced-stats", field, message, repair=self.drop("enhanced", place))
        for place, more in enumerate(who.heightened):
            rule_of = "hyb-9-psi-gift" if more.power == "psi" else "hyb-12-mage-gift"
            yield from self.at_least_one(rule_of, f"heightened.{place}.points", f"gift for {short(more.field)}", more.points)
            if ABILITIES[more.power] not in {gift.name for gift in who.gifts}:
                message = f"a gift for {short(more.field)} without {ABILITIES[more.power]}: it lies idle"
                yield Problem(rule_of, f"heightened.{place}", message, warning=True)
        for place, seen_as in enumerate(who.presence):
            if seen_as.steps == 0:
                message = f"a {seen_as.of} presence of 0 is none"
                yield Problem("hyb-9-presence", f"presence.{place}", message, repair=self.drop("presence", place))
        if rules.word("traits-from") == "skill pool":
            for part in ("gifts", "enhanced", "heightened", "presence"):
                for place, trait in enumerate(getattr(who, part)):
                    if trait.paid_from != "skill":
                        where = f"{part}.{place}.paid_from"
                        message = f"{part.removesuffix('s')} {place + 1} is paid from {trait.paid_from}: only the skill pool pays for it"
                        repair = Repair("pay from the skill pool", where, "skill")
                        yield Problem("hyb-9-enhancement-principles", where, message, repair=repair)

    def at_least_one(self, rule_id: str, field: str, name: str, points: int) -> Iterator[Problem]:
        if points < 1:
            yield Problem(rule_id, field, f"{name}: {points} points are less than one", 1 - points, Repair("set it to 1", field, 1))

    def reach(self, field: str, name: str, scope: int, depth: int) -> Iterator[Problem]:
        if scope < 1:
            message = f"{name}: a scope of {scope} applies to nothing"
            yield Problem("hyb-9-enhancement-principles", f"{field}scope", message, 1 - scope, Repair("set it to 1", f"{field}scope", 1))
        if depth < 0:
            message = f"{name}: a depth of {depth} is less than none"
            yield Problem("hyb-9-enhancement-principles", f"{field}depth", message, -depth, Repair("set it to 0", f"{field}depth", 0))

    def limitations(self) -> Iterator[Problem]:
        rule_id, listed, seen = "hyb-9-enhancement-principles", DRAWBACKS(self.rules), set()
        for place, limit in enumerate(self.character.limitations):
            field, name = f"limitations.{place}", short(limit.name)
            if limit.name not in listed and limit.gives is None:
                near = near_to(limit.name, tuple(listed))
                repair = Repair(f"write {near}", f"{field}.name", near) if near else self.drop("limitations", place)
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
            yield from self.reach(f"{field}.", name, limit.scope, limit.depth)
            if limit.name in seen:
                yield Problem(rule_id, field, f"{name} is in the file twice", repair=self.drop("limitations", place))
            seen.add(limit.name)

    def ties(self) -> Iterator[Problem]:
        most = most_people(self.rules)
        for kind in USES:
            for place, tie in enumerate(getattr(self.character, kind)):
                field = f"{kind}.{place}.people"
                if tie.people > most:
                    message = f"{short(tie.name)}: scope ends at {most} people"
                    yield Problem("hyb-9-environmental", field, message, tie.people - most, Repair(f"set it to {most}", field, most))
                elif tie.people < 1:
                    message = f"{short(tie.name)}: a scope of {tie.people} people is nobody"
                    yield Problem("hyb-9-environmental", field, message, 1 - tie.people, Repair("set it to 1", field, 1))
        for field in ("wealth", "status"):
            value = getattr(self.character, field)
            if value < 0:
                yield Problem(
                    "hyb-10-pools", field, f"{field} of {value} points is less than nothing", -value, Repair("set it to 0", field, 0)
                )

    def careers(self) -> Iterator[Problem]:
        rule_id, played = "hyb-11-careers", self.rules.on("careers")
        for place, career in enumerate(self.character.careers):
            row = CAREERS(self.rules).get(career.career)
            if not played:
                if any((year.development, year.money, year.status) != (0, 0, 0) for year in career.years):
                    message = f"{short(career.career)}: years in careers fill no pool unless the campaign plays with career rolls"
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
                        message = f"{short(career.career)}, year {at + 1}: {field} {got} cannot come of its roll"
                        yield Problem(rule_id, where, message, max(0, got - values[0]), Repair(f"set it to {best}", where, best))

    def gear(self) -> Iterator[Problem]:
        gear = self.character.gear
        parts: tuple[tuple[str, tuple[str, ...], Any], ...] = (
            ("weapons", gear.weapons, WEAPONS),
            ("armour", gear.armour, ARMOUR),
            ("spells", gear.spells, SPELLS),
        )
        for part, owned, table in parts:
            rows = table(self.rules)
            for place, name in enumerate(owned):
                if name not in rows:
                    near = near_to(name, tuple(rows)) if self.dropped < MOST_REPAIRS else None
                    field = f"gear.{part}.{place}"
                    repair = Repair(f"write {near}", field, near) if near else self.drop(f"gear.{part}", place)
                    yield Problem(table.rule, field, f"there is no {short(name)!r} among the {part}", repair=repair)
        if gear.spells and ABILITIES["magic"] not in {gift.name for gift in self.character.gifts}:
            message = f"spells without {ABILITIES['magic']}: nobody becomes a mage without it"
            yield Problem("hyb-9-enhancement-list", "gear.spells", message, warning=True)
        for place, item in enumerate(gear.other):
            if item.cost < 0:
                field = f"gear.other.{place}.cost"
                yield Problem(
                    "hyb-10-pools",
                    field,
                    f"{short(item.name)}: a cost of {item.cost} is less than nothing",
                    -item.cost,
                    Repair("set it to 0", field, 0),
                )
        for field in self.character.worn.__struct_fields__:
            missing = getattr(self.character.worn, field)
            if missing < 0:
                where = f"worn.{field}"
                message = f"{field.upper()}: {missing} cannot be missing"
                yield Problem("hyb-5-fatigue-exhaustion", where, message, -missing, Repair("set it to 0", where, 0))

    # --- points

    def moves(self) -> Iterator[Problem]:
        rule_id, moved = "hyb-10-pools", self.character.moved
        for place, move in enumerate(moved):
            if move.points < 1:
                yield Problem(
                    rule_id, f"moved.{place}", f"{move.points} points cannot be moved", 1 - move.points, self.drop("moved", place)
                )
            elif move.out_of == move.into:
                yield Problem(
                    rule_id, f"moved.{place}", f"points of {move.into} are moved to where they are", repair=self.drop("moved", place)
                )
        total, most = points_moved(self.rules, moved).value, self.rules.number("most-points-moved")
        if total > most and not unlimited(self.rules):
            over = total - most
            place = max(range(len(moved)), key=lambda each: moved[each].points if moved[each].out_of != moved[each].into else 0)
            left = min(moved[place].points, MOST) - over
            fewer = Repair(f"move {left}", f"moved.{place}.points", left) if left > 0 else self.drop("moved", place)
            yield Problem(rule_id, "moved", f"{total} points are moved between pools where at most {most} may be", over, fewer)

    def pools(self, pools: dict[PointPool, Account]) -> Iterator[Problem]:
        for pool, one in pools.items():
            if one.left < 0:
                message = f"{one.spent} of {one.given.value} {pool} points spent"
                yield Problem("hyb-10-pools", one.costs[0].field if one.costs else "moved", message, -one.left, self.cheaper(pools, one))
            elif one.left > 0:
                message = f"{one.left} of {one.given.value} {pool} points are left to spend"
                yield Problem("hyb-10-pools", "skills" if pool == "skill" else _PLAIN[pool], message, warning=True)

    def cheaper(self, pools: dict[PointPool, Account], one: Account) -> Repair:
        """The change that saves what is over and as little more as possible, or else the one that saves the most."""
        over = -one.left
        ways = [*self.fewer_moved(pools, one, over), *self.savings(one, over), *self.help(pools, one, over)]
        enough = [way for way in ways if way.points >= over]
        if enough:
            return min(enough, key=lambda way: (way.points, way.hurts)).make()
        if ways:
            return max(ways, key=lambda way: (way.points, -way.hurts)).make()
        for place, move in enumerate(self.character.moved):
            if move.out_of == one.pool != move.into and move.points > 0:
                # The pool that got them lacks them then; the whole move goes, so that repairs never run in a circle.
                return self.without("moved", place, f"move nothing to {move.into}")
        return Repair("ask the gamemaster for more points")

    def fewer_moved(self, pools: dict[PointPool, Account], one: Account, over: int) -> "Iterator[_Saving]":
        """Points that were moved away and that the pool they went to can spare."""
        for place, move in enumerate(self.character.moved):
            if move.out_of != one.pool or move.into == one.pool or move.points < 1:
                continue
            points = min(move.points, MOST)
            if points <= over and pools[move.into].left >= points:
                yield _Saving(points, -2, partial(self.without, "moved", place, f"move nothing to {move.into}"))
            elif points > over and pools[move.into].left >= over:
                text = f"move {points - over} points to {move.into} instead of {move.points}"
                yield _Saving(over, -2, partial(Repair, text, f"moved.{place}.points", points - over))

    def savings(self, one: Account, over: int) -> "Iterator[_Saving]":
        for cost in one.costs:
            steps = min(cost.now - cost.least, -(-over // cost.step)) if cost.step and cost.field not in ("skills", "bought") else 0
            if steps > 0:
                saved = min(cost.points, steps * cost.step)
                text = f"lower {short(cost.label)} to {cost.now - steps} ({saved} points)"
                yield _Saving(saved, cost.hurts, partial(Repair, text, cost.field, cost.now - steps))
            if cost.drop[0] and steps * cost.step < over:
                text = f"do without {short(cost.label)} ({cost.points} points)"
                yield _Saving(cost.points, cost.hurts + 5, partial(self.without, cost.drop[0], cost.drop[1], text))

    def help(self, pools: dict[PointPool, Account], one: Account, over: int) -> "Iterator[_Saving]":
        """Points left in another pool, where moving them is allowed."""
        so_far, most = points_moved(self.rules, self.character.moved).value, self.rules.number("most-points-moved")
        for pool, other in pools.items():
            if pool != one.pool and over <= min(other.left, MOST) and (unlimited(self.rules) or so_far + over <= most):
                entry = {"out_of": pool, "into": one.pool, "points": over}
                yield _Saving(over, -1, partial(Repair, f"move {over} points from {pool}", "moved", [*self.plain["moved"], entry]))

    # --- the log

    def log(self, log: Standing) -> Iterator[Problem]:
        for place, entry in enumerate(self.character.advancement):
            for fault in log.take(entry):
                field = f"advancement.{place}"
                if fault.field:
                    where = f"{field}.{fault.field}"
                    yield Problem(fault.rule, where, fault.message, fault.over, Repair(fault.repair, where, fault.value), fault.warning)
                else:
                    yield Problem(
                        fault.rule, field, fault.message, fault.over, self.drop("advancement", place, fault.repair), fault.warning
                    )


_PLAIN = {"wealth": "wealth", "community": "status"}


class _Saving(NamedTuple):
    """A way to save points: fewest surplus points first, then what hurts least."""

    points: int
    hurts: int
    make: Callable[[], Repair]


def _lowered(points: Primary, over: int, low: int) -> Repair:
    """Lower the highest statistic by what is over, as far as it goes."""
    stat = max(PRIMARY, key=points.of)
    to = max(low, points.of(stat) - over)
    if to >= points.of(stat):
        return Repair("ask the gamemaster for more points")
    return Repair(f"lower {stat} to {to}", f"primary.{stat.lower()}", to)


def _raised(points: Primary, left: int, high: int) -> Repair | None:
    """Raise the lowest statistic by what is left, as far as it goes."""
    stat = min(PRIMARY, key=points.of)
    to = min(high, points.of(stat) + left)
    return Repair(f"raise {stat} to {to}", f"primary.{stat.lower()}", to) if to > points.of(stat) else None


# --- creation step by step (lines 1236-1266, 2024-2046) -----------------------------------------------------------------------


class Stage(Struct, frozen=True):
    """One step of creation: whose chapter has it, what stands in the file, and what is wrong with it."""

    step: str
    chapter: int
    chosen: str
    problems: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problems


_STAGES = (
    ("primary statistics", 12, ("primary",)),
    ("race and gender", 12, ("race", "gender", "heritage")),
    ("culture", 12, ("culture", "cultural", "language")),
    ("trade-offs", 12, ("gifts", "enhanced", "heightened", "presence", "limitations")),
    ("calculated statistics", 12, ("height", "weight", "bought")),
    ("history", 9, ("careers",)),
    ("packages and skills", 12, ("skills", "packages", "skill_pools")),
    ("friends, reputation, income", 12, ("friends", "reputation", "incomes")),
    ("points", 12, ("wealth", "status", "moved")),
    ("story and belongings", 9, ("concept", "notes", "gear", "worn", "advancement")),
)


def _traits(character: Character) -> Iterator[str]:
    """Everything inborn, in words."""
    yield from (gift.name for gift in character.gifts)
    yield from (f"{better.stat} {better.points:+} for {better.area}" for better in character.enhanced)
    yield from (f"{more.power} gift for {more.field} {more.points:+}" for more in character.heightened)
    yield from (f"{seen.of} presence {seen.steps:+}" for seen in character.presence)
    yield from (limit.name for limit in character.limitations)


@rule("hyb-9-process")
def creation_steps(rules: Ruleset, character: Character = BLANK) -> tuple[Stage, ...]:
    """The steps of creation in the one order ruled for all chapters, each checked: primary statistics with race and gender come before
    everything that is worked out from them; what was bought comes after that."""
    found: dict[str, list[str]] = {}
    for problem in audit(rules, character).problems:
        if not problem.warning:
            found.setdefault(problem.field.partition(".")[0], []).append(problem.message)
    fair = sound(rules, character)
    chosen = {
        "primary statistics": f"{character.primary.total} points",
        "race and gender": " ".join(filter(None, (character.gender, character.race))),
        "culture": character.culture,
        "calculated statistics": ", ".join(f"{stat} {points:+}" for stat, points in fair.bought.items()),
        "trade-offs": ", ".join(_traits(character)),
        "history": ", ".join(career.career for career in character.careers),
        "packages and skills": f"{len(character.packages)} packages, {len(character.skills)} skills",
        "friends, reputation, income": ", ".join(tie.name for kind in USES for tie in getattr(character, kind)),
        "points": f"wealth {character.wealth}, standing {character.status}",
        "story and belongings": character.concept,
    }
    return tuple(
        Stage(step, chapter, chosen[step], tuple(message for field in fields for message in found.get(field, ())))
        for step, chapter, fields in _STAGES
    )
