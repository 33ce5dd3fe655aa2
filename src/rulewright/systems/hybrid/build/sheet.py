"""Character sheet. Steppers show the choices of creation; values and tests are current."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.build.sheet_parts import (
    AnyPiece,
    Budget,
    Choosable,
    Modifier,
    Pick,
    Pool,
    Rows,
    Section,
    Sheet,
    Stepper,
    Tag,
    Test,
    Value,
    listed,
)
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason
from rulewright.systems.hybrid.build.audit import audit
from rulewright.systems.hybrid.build.steps import checked_steps
from rulewright.systems.hybrid.combat.arms import casting, throwing, wielding
from rulewright.systems.hybrid.combat.attacks import off_hand
from rulewright.systems.hybrid.combat.fighters import body_of, condition_of
from rulewright.systems.hybrid.combat.notation import spell
from rulewright.systems.hybrid.gear.items import ARMOUR, SPELLS, WEAPONS
from rulewright.systems.hybrid.people.advancement import experience_left
from rulewright.systems.hybrid.people.careers import career_gains, career_title
from rulewright.systems.hybrid.people.characters import CULTURES, PACKAGES, Award, Character, Gear, Person, Training, Worn, package_skills
from rulewright.systems.hybrid.people.creation import accounts, given_ranks, package_price, skill_price, sound
from rulewright.systems.hybrid.people.gifts import (
    AMBIDEXTERITY,
    EIDETIC,
    enhanced_value,
    gift_price,
    limitation_gives,
    memory_bonus,
    presence_noticed,
)
from rulewright.systems.hybrid.people.movement import pace
from rulewright.systems.hybrid.people.skills import SKILLS, Ranks, Use, expertise, known, use_check, use_factor
from rulewright.systems.hybrid.people.statistics import CALCULATED, OF_THE_MIND, PRIMARIES, PRIMARY, RACES, Figure, stat_name
from rulewright.systems.hybrid.people.ties import USES, aid, income, tie_price
from rulewright.systems.hybrid.people.traits import CAREERS, DRAWBACKS, GIFTS, STAT_COSTS
from rulewright.systems.hybrid.resolution.modifiers import Kind, condition_modifier, conditions
from rulewright.systems.hybrid.resolution.tests import SUBJECTIVE, Check, Mod

WIDEST = 9999
"""No Difficulty Factor on a sheet is further from zero."""
TRACKS = (("PFT", "pft"), ("PEX", "pex"), ("PBD", "pbd"), ("MFT", "mft"), ("MEX", "mex"), ("MBD", "mbd"))


def sheet(rules: Ruleset, character: Character) -> Sheet:
    """Everything there is to see of a character."""
    page = _Page(rules, character)
    sections = (
        Section("Budgets", page.budgets()),
        Section("Creation", tuple(page.steps())),
        Section("Origin", tuple(page.origin())),
        Section("Primary statistics", tuple(page.primary())),
        Section("Calculated statistics", tuple(page.calculated())),
        Section("Condition", tuple(page.condition())),
        Section("Points", tuple(page.points()), only="screen"),
        Section("Checks", tuple(page.checks())),
        Section("Skills", tuple(page.skills())),
        Section("Packages", tuple(page.packages())),
        Section("Gifts and limitations", tuple(page.traits())),
        Section("Friends, reputation, income", tuple(page.ties())),
        Section("Careers", tuple(page.careers())),
        Section("Attacks", tuple(page.attacks())),
        Section("Gear", tuple(page.gear())),
        Section("Experience", tuple(page.experience())),
    )
    return Sheet("hybrid", "character", character.name, character.concept, tuple(part for part in sections if part.pieces))


def _of(*stats: str) -> Kind:
    """Whether body or mind does what rests on these statistics."""
    return "mental" if stats and all(stat in OF_THE_MIND for stat in stats) else "physical"


class _Page:
    """One character under one set of rules, and what follows from it once for all sections."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.fair = sound(rules, character)
        self.person = Person.of(rules, self.fair)
        self.report = audit(rules, character)
        self.pools = accounts(rules, character)
        self.gifts = tuple(gift.name for gift in character.gifts)
        naked = replace(self.fair, gear=Gear(), worn=Worn(**{field: max(0, getattr(character.worn, field)) for _, field in TRACKS}))
        self.body = body_of(rules, self.person, naked)  # no armour matters here, known or not

    def budgets(self) -> tuple[Budget, ...]:
        """Allowed and spent."""
        return self.report.budgets

    def steps(self) -> Iterator[AnyPiece]:
        """The steps of creation, each with what stands in the file."""
        for stage in checked_steps(self.rules, self.character, self.report.problems):
            effect = "; ".join(stage.problems) or stage.chosen
            yield Tag(name=stage.step, rule="hyb-9-process", note=f"chapter {stage.chapter}", effect=effect, hurt=not stage.sound)

    def origin(self) -> Iterator[AnyPiece]:
        """Race, gender, culture."""
        rules, who = self.rules, self.character
        races = [
            Choosable(row.race, row.race + (f" ({row.also})" if row.also else ""), row.note, source=row.source)
            for row in RACES(rules).values()
        ]
        cultures = [Choosable("", "none yet")]
        cultures += [Choosable(row.culture, row.culture, ", ".join(row.skills), source=row.source) for row in CULTURES(rules).values()]
        yield Pick(name="Race", rule="hyb-12-races", field="race", value=who.race, options=_known(races, who.race))
        genders = (Choosable("", "none given"), Choosable("female", "female"), Choosable("male", "male"))
        yield Pick(name="Gender", rule="hyb-9-gender", field="gender", value=who.gender, options=genders)
        yield Pick(
            name="Culture", rule="hyb-12-culture-packages", field="culture", value=who.culture, options=_known(cultures, who.culture)
        )

    def primary(self) -> Iterator[AnyPiece]:
        """The ten statistics: points given, and what they come to."""
        rules = self.rules
        low, high = rules.number("lowest-allocated"), rules.number("highest-allocated")
        for stat in PRIMARY:
            row, given = PRIMARIES.get(rules, stat), self.character.primary.of(stat)
            yield Stepper(
                name=f"{row.name} ({stat}), given",
                rule="hyb-9-primary-stats",
                note=row.covers,
                field=f"primary.{stat.lower()}",
                value=given,
                low=low,
                high=high,
            )
            yield _value(stat, self.person.statistics[stat], f"{row.name} ({stat})")

    def calculated(self) -> Iterator[AnyPiece]:
        """Everything that follows by formula, with the chapter and the ruling behind it."""
        for stat in (*CALCULATED, "PSE", "MSE", "PSPD", "MSPD", "APP"):
            yield _value(stat, self.person.statistics[stat], _NAMES.get(stat, ""))
        pmv = self.person.statistics["PMV"]
        try:
            for mode in ("crawl", "walk", "jog", "run", "dash"):
                derived = pace(self.rules, float(pmv.value), mode)
                yield _value(f"pace_{mode}", derived, f"{mode.capitalize()}, metres a second")
        except UserError:  # a body that the table of paces does not reach
            return

    def condition(self) -> Iterator[AnyPiece]:
        """Shows what is left of fatigue, exhaustion and body."""
        body = self.body
        left = (body.energy.fatigue, body.energy.exhaustion, body.pbd, body.mind.fatigue, body.mind.exhaustion, body.mbd)
        for (stat, _), value in zip(TRACKS, left, strict=True):
            yield Pool(name=stat, rule="hyb-5-fatigue-exhaustion", value=value, most=max(0, self.person.stat(stat)))
        states = [("dead", body.dead, "hyb-8-damage-application"), ("bleeding", bool(body.bleeding), "hyb-8-bleeding")]
        states += [(name, True, "hyb-2-condition-modifiers") for name in self.hurts()]
        yield from (Tag(name=name, rule=rule, hurt=True) for name, holds, rule in states if holds)

    def hurts(self) -> tuple[str, ...]:
        """How body and mind stand, where there are a body and a mind."""
        body = self.body
        return conditions(self.rules, condition_of(body)) if body.pbd_full > 0 and body.mbd_full > 0 else ()

    def points(self) -> Iterator[AnyPiece]:
        """Shows the points of each pool, and what was paid from it."""
        for pool, account in self.pools.items():
            yield _value(f"{pool}_points", account.given, f"{pool.capitalize()} points")
            rows = tuple((cost.label, str(cost.points), cost.price.reason.rule or "") for cost in account.costs)
            yield Rows(name=f"Paid with {pool} points", rule="hyb-10-pools", field="", heads=("what", "points", "rule"), rows=rows)
        for name, field, pool in (("Money and goods", "wealth", "wealth"), ("Standing", "status", "community")):
            now, left = getattr(self.character, field), self.pools["wealth" if pool == "wealth" else "community"].left
            yield Stepper(name=name, rule="hyb-10-pools", field=field, value=now, low=0, high=max(0, now + left))
        moved = tuple((move.out_of, move.into, str(move.points)) for move in self.character.moved)
        yield listed("Moved between pools", "hyb-10-pools", "moved", ("from", "to", "points"), moved)

    # --- checks

    def checks(self) -> Iterator[AnyPiece]:
        """Direct rolls on statistics, areas and fields that are better, initiative."""
        for stat in PRIMARY:
            rolls = Use((self.person.stat(stat),), Ranks(0))
            yield self.use(stat, f"{stat} roll", rolls, "hyb-2-difficulty-factor", kind=_of(stat))
        memory = memory_bonus(self.rules, self.gifts)
        if memory.value:
            mods = (Mod(memory.label, memory.value, memory.rule),)
            yield self.use(
                "memory", "Memory", Use((self.person.stat("MST"),), Ranks(0), modifiers=mods), "hyb-9-enhancement-list", kind="mental"
            )
        for place, better in enumerate(self.character.enhanced):
            name = stat_name(better.stat)
            if name in self.person.statistics and 0 < better.points < WIDEST:
                derived = enhanced_value(self.rules, self.person.stat(name), better.points, better.area)
                yield _value(f"enhanced.{place}", derived, f"{name} for {better.area}")
                mods = (Mod(f"enhanced for {better.area}", better.points, "hyb-9-enhanced-stats"),)
                use = Use((self.person.stat(name),), Ranks(0), modifiers=mods)
                yield self.use(f"enhanced.{place}", f"{name} for {better.area}", use, "hyb-9-enhanced-stats", kind=_of(name))
        for place, more in enumerate(self.character.heightened):
            if 0 < more.points < WIDEST:
                rule_id = "hyb-9-psi-gift" if more.power == "psi" else "hyb-12-mage-gift"
                mods = (Mod(f"gift for {more.field}", more.points, rule_id),)
                skill = f"{'Psi' if more.power == 'psi' else 'Magic'}: {more.field}"
                base = self.person.use(self.rules, skill, ("NRG",))
                use = Use(base.stats, base.ranks, base.difficulty, base.own_df, base.pool, modifiers=mods)
                yield self.use(f"heightened.{place}", f"{more.field} with the gift", use, rule_id, kind="mental")
        for key, of in (("initiative", "PSPD"), ("mental initiative", "MSPD")):
            speed = max(0, self.person.stat(of))
            yield Test(
                name=key.capitalize(),
                rule="hyb-7-initiative",
                key=key,
                notation=f"init {speed}",
                parts=(Modifier(of, speed, "hyb-9-speed"),),
            )

    def use(self, key: str, name: str, use: Use, rule_id: str, note: str = "", kind: Kind = "physical") -> Test:
        """A check with everything that makes its Difficulty Factor."""
        factor = use_factor(self.rules, use)
        try:
            check = use_check(self.rules, use)
        except UserError:  # numbers that no die can be held against; the audit says so
            check = Check(max(-WIDEST, min(WIDEST, factor.value)))
        parts = tuple(Modifier(reason.label, int(reason.value), reason.rule) for reason in factor.reasons if isinstance(reason.value, int))
        return Test(name=name, rule=rule_id, note=note, key=key, notation=spell(check), parts=parts, modifiers=self.chips(kind))

    def chips(self, kind: Kind = "physical") -> tuple[Modifier, ...]:
        """Lists the modifiers that often change a check: wounds and exhaustion, which are on, the task, the other hand."""
        hand = off_hand(self.rules, AMBIDEXTERITY in self.gifts)
        modifiers = [Modifier(reason.label, int(reason.value), reason.rule, on=True) for reason in self.hindered(kind) if reason.value]
        words = [Modifier(word, df, SUBJECTIVE.rule, group="task") for word, df in SUBJECTIVE.every(self.rules).items() if df]
        return (*modifiers, *words, *([Modifier(hand.label, hand.value, hand.rule)] if hand.value else []))

    def hindered(self, kind: Kind) -> tuple[Reason, ...]:
        """Returns the penalties of wounds and exhaustion for every action of body or mind."""
        return condition_modifier(self.rules, condition_of(self.body), kind).reasons if self.hurts() else ()

    def skills(self) -> Iterator[AnyPiece]:
        """Every skill with a rank: what was bought, where the rank comes from, and its check."""
        rules, given, left = self.rules, given_ranks(self.rules, self.fair), self.pools["skill"].left
        for skill in sorted({*self.person.ranks, *self.character.skills}):
            if skill in self.character.skills and _plain(skill):
                chosen, field = self.character.skill(skill).rank, f"skills.{skill}"
                if not isinstance(self.character.skills[skill], int):
                    field += ".rank"
                price = skill_price(rules, chosen, given.get(skill)).value
                yield Stepper(
                    name=skill,
                    rule="hyb-9-skill-cost",
                    note=expertise(rules, max(0, min(999, chosen))),
                    field=field,
                    value=chosen,
                    low=0,
                    high=max(chosen + max(0, left), given.get(skill, 0), 0),
                    price=f"{price} points",
                )
            rank = self.person.ranks[skill]
            yield _value(f"rank.{skill}", rank, f"{skill}: rank")
            note = expertise(rules, max(0, min(999, rank.value)))
            yield self.use(skill, skill, self.person.use(rules, skill), "hyb-3-skill-format", note, kind=self.kind_of(skill))
        spare = [row for name, row in SKILLS(rules).items() if name not in self.character.skills]
        rows = tuple((skill, str(self.character.skill(skill).rank)) for skill in self.character.skills)
        yield Rows(
            name="Skills bought",
            rule="hyb-9-skill-cost",
            field="skills",
            heads=("skill", "rank"),
            rows=rows,
            keys=tuple(self.character.skills),
            addable=tuple(
                Choosable(row.skill, row.skill, f"{skill_price(rules, 0, given.get(row.skill)).value} points", source=row.source)
                for row in spare
            ),
        )

    def kind_of(self, skill: str) -> Kind:
        """Whether body or mind does it: what rests on statistics of the mind alone is of the mind."""
        row = known(self.rules, skill)
        return _of(*row.stat_base) if row is not None else "physical"

    def packages(self) -> Iterator[AnyPiece]:
        """Packages of skills."""
        rows = tuple(
            (
                candidate.package,
                str(candidate.rank),
                self.price(candidate.package, candidate.rank, candidate.cost),
                ", ".join(package_skills(self.rules, candidate)),
            )
            for candidate in self.character.packages
        )
        more = [
            Choosable(row.package, row.package, f"{row.cost} points a rank", source=row.source) for row in PACKAGES(self.rules).values()
        ]
        yield listed("Packages", "hyb-9-skill-packages", "packages", ("package", "rank", "points", "skills"), rows, addable=more)

    def price(self, package: str, rank: int, cost: int | None) -> str:
        """Returns the price of a package, where the rules know it."""
        try:
            return str(package_price(self.rules, package, rank, cost).value)
        except UserError:
            return "?"

    def traits(self) -> Iterator[AnyPiece]:
        """Shows inborn traits, and what they cost or give."""
        rules, who = self.rules, self.character
        rows = []
        for gift in who.gifts:
            row = GIFTS(rules).get(gift.name)
            rows.append(
                (gift.name, _price(gift_price, rules, gift.name, gift.cost, gift.scope, gift.depth), row.effect if row else gift.story)
            )
        addable = tuple(
            Choosable(row.name, row.name, f"{gift_price(rules, row.name).value} points", source=row.source)
            for row in GIFTS(rules).values()
            if row.name not in self.gifts
        )
        yield listed("Gifts", "hyb-9-enhancement-list", "gifts", ("gift", "points", "effect"), rows, addable=addable)
        limits = tuple(
            (
                limitation.name,
                _price(limitation_gives, rules, limitation.name, limitation.gives, limitation.scope, limitation.depth),
                limitation.paid_to,
            )
            for limitation in who.limitations
        )
        more = [Choosable(row.name, row.name, f"+{row.gives} points", source=row.source) for row in DRAWBACKS(rules).values()]
        yield listed("Limitations", "hyb-9-enhancement-principles", "limitations", ("limitation", "gives", "to"), limits, addable=more)
        bought = tuple((stat, f"{points:+}") for stat, points in who.bought.items())
        prices = tuple(Choosable(row.stat, row.stat, f"{row.cost} a point", source=row.source) for row in STAT_COSTS(rules).values())
        yield Rows(
            name="Statistics bought",
            rule="hyb-9-stat-costs",
            field="bought",
            heads=("statistic", "points"),
            rows=bought,
            keys=tuple(who.bought),
            addable=prices,
        )
        for seen in who.presence:
            effect = presence_noticed(rules, seen.steps)
            yield Tag(
                name=f"{seen.of} presence {seen.steps:+}",
                rule="hyb-9-presence",
                effect=f"{effect.value:+} for others to notice this character",
            )
        if EIDETIC in self.gifts:
            yield Tag(name=EIDETIC, rule="hyb-9-enhancement-list", effect=f"memory {memory_bonus(rules, self.gifts).value:+}")

    def ties(self) -> Iterator[AnyPiece]:
        """Friends, reputation, income."""
        for kind in USES:
            rows, worth = [], []
            for place, tie in enumerate(getattr(self.character, kind)):
                try:
                    price = tie_price(self.rules, tie.people, tie.depth)
                    rows.append((tie.name, str(tie.people), tie.depth, f"{price.value} {tie.paid_from}"))
                    derived: Figure = income(self.rules, tie.people, tie.depth) if kind == "incomes" else aid(self.rules, tie.depth)
                    worth.append(_value(f"{kind}.{place}", derived, f"{tie.name}: {derived.reason.label}"))
                except UserError:  # a scope that the table does not have; the audit says so
                    rows.append((tie.name, str(tie.people), tie.depth, "?"))
            yield listed(kind.capitalize(), "hyb-9-environmental-uses", kind, ("who or what", "scope", "depth", "points"), rows)
            yield from worth

    def careers(self) -> Iterator[AnyPiece]:
        """The past, and what it brought."""
        rows = []
        for career in self.character.careers:
            gained = career_gains(self.rules, career)
            title = career_title(self.rules, career.career, gained["community"].value)
            figures = (str(gained["skill"].value), str(gained["money"].value), str(gained["community"].value))
            rows.append((career.career, str(len(career.years)), *figures, title))
        if rows or self.rules.on("careers"):
            heads = ("career", "years", "development", "money", "status", "rank")
            more = [Choosable(row.career, row.career, source=row.source) for row in CAREERS(self.rules).values()]
            yield listed("Careers", "hyb-11-careers", "careers", heads, rows, addable=more)

    def attacks(self) -> Iterator[AnyPiece]:
        """Every weapon carried and every spell known, with its check; weapons that fly once more as they are thrown."""
        for name in dict.fromkeys(self.character.gear.weapons):
            row = WEAPONS(self.rules).get(name)
            if row is not None:
                note = f"{row.type}, speed {row.speed}"
                thrown = throwing(self.rules, self.person, name)[0]
                plain = thrown if row.use == "thrown" else wielding(self.rules, self.person, name)
                yield self.use(f"attack.{name}", name.capitalize(), plain, "hyb-8-attack-roll", note)
                if row.thrown:
                    yield self.use(f"throw.{name}", f"{name.capitalize()}, thrown", thrown, "hyb-8-attack-roll", note)
        for name in dict.fromkeys(self.character.gear.spells):
            spelled = SPELLS(self.rules).get(name)
            if spelled is not None:
                note = f"{spelled.effect}; speed {spelled.speed}, mental fatigue {spelled.mft}"
                yield self.use(
                    f"cast.{name}", name.capitalize(), casting(self.rules, self.person, name), "hyb-x-spells", note, kind="mental"
                )

    def gear(self) -> Iterator[AnyPiece]:
        """Weapons, armour, spells and everything else."""
        gear, rules = self.character.gear, self.rules
        weapons, armour, spells = WEAPONS(rules), ARMOUR(rules), SPELLS(rules)
        for name, part, owned, heads, rows, rule_id in (
            ("Weapons", "weapons", gear.weapons, ("weapon", "skill"), {key: row.skill for key, row in weapons.items()}, "hyb-x-weapons"),
            (
                "Armour",
                "armour",
                gear.armour,
                ("armour", "covers"),
                {key: ", ".join(row.covers) for key, row in armour.items()},
                "hyb-x-armour",
            ),
            ("Spells", "spells", gear.spells, ("spell", "field"), {key: row.field for key, row in spells.items()}, "hyb-x-spells"),
        ):
            yield Rows(
                name=name,
                rule=rule_id,
                field=f"gear.{part}",
                heads=heads,
                rows=tuple((text, rows.get(text, "?")) for text in owned),
                keys=owned,
                addable=tuple(Choosable(text, text, source="stand-in", group=rows[text], facts=_facts(rules, part, text)) for text in rows),
            )
        other = tuple((item.name, str(item.cost), item.note) for item in gear.other)
        yield listed("Other things", None, "gear.other", ("name", "cost", "note"), other)

    def experience(self) -> Iterator[AnyPiece]:
        """Shows the experience that was earned and what it bought."""
        if not self.character.advancement:
            return
        yield _value("experience_left", experience_left(self.rules, self.character), "Experience points left")
        rows = []
        for entry in self.character.advancement:
            if isinstance(entry, Award):
                rows.append(("award", entry.session, f"{entry.eep:+}"))
            elif isinstance(entry, Training):
                rows.append(("training", entry.skill or entry.method, count(entry.hours, "hour")))
            else:
                rows.append(("raised", entry.what, str(entry.to)))
        yield Rows(name="Log", rule="hyb-3-raising-skills", field="advancement", heads=("entry", "what", "points"), rows=tuple(rows))


def _facts(rules: Ruleset, part: str, name: str) -> tuple[tuple[str, str], ...]:
    """The statistics of a weapon, of armour or of a spell."""
    if part == "weapons":
        weapon = WEAPONS(rules)[name]
        reach = f"{weapon.range} m" if weapon.range else f"{weapon.length} cm"
        return ("skill", weapon.skill), ("type", weapon.type), ("speed", str(weapon.speed)), ("reach", reach)
    if part == "armour":
        armour = ARMOUR(rules)[name]
        stops = ", ".join(f"{kind} {points}" for kind, points in armour.stops.items())
        return ("covers", ", ".join(armour.covers)), ("stops", stops), ("agility", str(armour.agility))
    spell = SPELLS(rules)[name]
    return ("field", spell.field), ("speed", str(spell.speed)), ("fatigue", str(spell.mft)), ("effect", spell.effect)


_NAMES = {
    "PSE": "Physical strike value",
    "MSE": "Mental strike value",
    "PSPD": "Physical Speed",
    "MSPD": "Mental Speed",
    "APP": "Appearance",
}


def _plain(name: str) -> bool:
    """Whether a name can stand in a dotted field."""
    return bool(name) and "." not in name


def _known(options: list[Choosable], value: str) -> tuple[Choosable, ...]:
    """The options, and what the file has where the rules do not know it."""
    strange = value and value not in {option.key for option in options}
    return (*options, Choosable(value, value, "?", "unknown to the rules")) if strange else tuple(options)


def _price(work: object, *arguments: object) -> str:
    try:
        derived: Derived[int] = work(*arguments)  # type: ignore[operator]
    except UserError:
        return "?"
    return str(derived.value)


def _value(key: str, value: Figure, name: str) -> Value:
    why = value.reason
    label, _, formula = why.label.partition(" = ")
    terms = why.terms or (Reason(label, why.value, "+", why.rule, why.source),)
    return Value(name=name or label, rule=why.rule, note=formula, key=key, value=value.value, reasons=terms, source=why.source)
