"""Character sheet. Steppers show the choices of creation; tests use current values."""

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.build.sheet_parts import AnyPiece, Budget, Choosable, Ladder, Pick, Rows, Section, Sheet, Stepper, Tag, Test, Value, listed
from rulewright.build.sheet_parts import Modifier as Chip
from rulewright.build.sheet_parts import Pool as Owned
from rulewright.errors import UserError
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, term
from rulewright.rules.reasons import row as case
from rulewright.systems.foresight.build.audit import audit
from rulewright.systems.foresight.build.audit.wealth import gear_cost, worth_of
from rulewright.systems.foresight.combat.fighters import UNJAMMED
from rulewright.systems.foresight.gear.armor import ARMOR, PIECES, armor_weight, hindrance
from rulewright.systems.foresight.gear.items import as_made
from rulewright.systems.foresight.gear.weapons import MELEE_WEAPONS, RANGED_WEAPONS, MeleeRow, RangedRow, blade, gun
from rulewright.systems.foresight.harm.body import Patient, condition
from rulewright.systems.foresight.people.abilities import ability_task, score_of, stamina_of
from rulewright.systems.foresight.people.advancement import bought, standing
from rulewright.systems.foresight.people.attributes import (
    ATTRIBUTES,
    ENVIRONMENTS,
    GRAVITIES,
    MOST_FAMILIAR,
    MOST_STRENGTH,
    attribute_name,
    capacity,
    load,
    unarmed_damage,
)
from rulewright.systems.foresight.people.backgrounds import FACTORS, PACKAGES, RANKS, SPECIES, competence
from rulewright.systems.foresight.people.characters import (
    Award,
    Character,
    Loss,
    Person,
    Purchase,
    Study,
    damage_scale,
    free_gravities,
    free_skills,
    inherent,
    package_of,
    species_of,
    trained,
)
from rulewright.systems.foresight.people.creation import accounts, sound, steps
from rulewright.systems.foresight.people.merit import repute
from rulewright.systems.foresight.people.skills import (
    FIELDS,
    SKILLS,
    attribute_price,
    dearer_above,
    familiarities,
    formula_text,
    highest_level,
    highest_trained,
    skill_price,
    skill_row,
    split_name,
)
from rulewright.systems.foresight.resolution.locations import Location
from rulewright.systems.foresight.resolution.notation import spell
from rulewright.systems.foresight.resolution.tests import Mod, Task, written_score

LEVELS = ("unhurt", "WL1", "WL2", "WL3", "WL4", "WL5", "WL6", "WL7", "WL8")


def sheet(rules: Ruleset, character: Character) -> Sheet:
    """Everything there is to see of a character."""
    page = _Page(rules, character)
    sections = (
        Section("Budgets", page.budgets()),
        Section("Creation", tuple(page.creation())),
        Section("Background", tuple(page.background())),
        Section("Attributes", tuple(page.attributes())),
        Section("Derived", tuple(page.derived())),
        Section("Condition", tuple(page.condition())),
        Section("Tests", tuple(page.tests())),
        Section("Skills", tuple(page.skills(learnt=True))),
        Section("Skills not learnt", tuple(page.skills(learnt=False))),
        Section("Fields of knowledge", tuple(page.fields())),
        Section("Familiarities", tuple(page.places())),
        Section("Gear", tuple(page.gear())),
        Section("Experience", tuple(page.experience())),
    )
    return Sheet("foresight", "character", character.name, character.concept, tuple([part for part in sections if part.pieces]))


class _Page:
    """One character under one set of rules, and what follows from it once for all sections."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.whole = sound(rules, character)
        self.person = Person.of(rules, self.whole)
        self.strength = max(1, min(MOST_STRENGTH, self.person.attribute("ST")))
        known = self.person.environments
        self.here = max(known, key=lambda name: known[name]) if known else "Urban"
        gravities = {row.band: row.from_g for row in GRAVITIES(rules).values()}
        self.gravity = 1.0 if self.whole.native_gravity == "NL" else gravities[self.whole.native_gravity] + 0.005

    def budgets(self) -> tuple[Budget, ...]:
        """Allowed and spent."""
        return audit(self.rules, self.character).budgets

    def creation(self) -> Iterator[AnyPiece]:
        """The steps of creation and the choices that stand before them."""
        rules, own = self.rules, self.character
        for step in steps(rules, own):
            if not step.done:
                yield Tag(name=step.step, rule="fs-creation-process", effect=step.note)
        word = competence(rules, self.whole.factors)
        yield Stepper(
            name="Background factors allowed",
            rule="fs-character-competence",
            note=word,
            field="factors",
            value=own.factors,
            low=1,
            high=100,
        )
        picks = [Choosable(row.species, row.species, "a background factor" if row.factor else "") for row in SPECIES(rules).values()]
        if own.species not in SPECIES(rules):
            picks.append(Choosable(own.species, own.species, source="house"))
        yield Pick(name="Species", rule="fs-species", field="species", value=own.species, options=tuple(picks))
        if rules.on("free-packages"):
            packages = tuple([Choosable(row.setting, row.setting, source=row.source) for row in PACKAGES(rules).values()])
            yield Pick(name="Free package", rule="fs-free-packages", field="package", value=own.package, options=packages)
        bands = tuple([Choosable(row.band, row.name, source=row.source) for row in GRAVITIES(rules).values()])
        yield Pick(name="Native gravity", rule="fs-gravity-familiarity", field="native_gravity", value=own.native_gravity, options=bands)
        hands = (Choosable("right", "right"), Choosable("left", "left"), Choosable("both", "both", "15 points"))
        yield Pick(name="Handedness", rule="fs-spending-cps", field="handed", value=own.handed, options=hands)
        yield Stepper(
            name="Wealth levels", rule="fs-wealth", field="wealth", value=own.wealth, low=-4, high=10, price="20 points", signed=True
        )
        for kind, account in accounts(rules, own).items():
            yield _value(f"{kind.capitalize()} points given", "fs-background-factors", f"{kind}_points", account.given)

    def background(self) -> Iterator[AnyPiece]:
        """Background factors, character modifiers, merit."""
        rules, own = self.rules, self.character
        rows = []
        for candidate in own.background:
            row = FACTORS(rules).get(candidate.factor)
            gives = (row.general, row.education) if row else (candidate.general or 0, candidate.education or 0)
            extra = [
                *[f"{name} {value:+}" for name, value in candidate.inherent.items()],
                *[f"insight: {skill}" for skill in candidate.insights],
            ]
            rows.append((candidate.called or candidate.factor, candidate.factor, str(gives[0]), str(gives[1]), ", ".join(extra)))
        heads = ("name", "factor", "general", "education", "more")
        more = [Choosable(row.factor, row.factor, f"{row.general}/{row.education}") for row in FACTORS(rules).values()]
        yield listed("Background factors", "fs-background-factors", "background", heads, rows, addable=more)
        for trait in own.traits:
            shifts = [f"{name} {value:+}" for name, value in trait.inherent.items()]
            yield Tag(
                name=trait.modifier,
                rule="fs-character-modifiers",
                effect=", ".join([*shifts, trait.skill, *trait.skills, trait.deficit]).strip(", "),
            )
        for number, place in enumerate(repute(rules, own)):
            within = f" ({place.organization})" if number else ""
            key = f":{place.organization}" if number else ""
            yield _value(f"Merit points{within}", "fs-merit-points", f"merit{key}", place.points)
            why = (case("by merit points", place.rank, term("merit points", place.points.value), rule="fs-merit-points"),)
            note = RANKS(rules)[str(place.rank)].bureaucracy
            yield Value(name=f"Rank{within}", rule="fs-merit-points", note=note, key=f"rank{key}", value=place.rank, reasons=why)

    def attributes(self) -> Iterator[AnyPiece]:
        """The points spread, the training bought, and what both come to."""
        rules, own = self.rules, self.character
        ranges, base, now = species_of(rules, self.whole).ranges, inherent(rules, self.whole), trained(rules, self.whole)
        for name in ATTRIBUTES:
            low, high = ranges[name]
            full, value = attribute_name(rules, name), own.attributes.of(name)
            yield Stepper(
                name=f"{full} (spread)",
                rule="fs-attribute-points",
                field=f"attributes.{name}",
                value=value,
                low=low,
                high=high,
            )
            least = base[name].value
            chosen = own.trained.get(name, least)
            most = highest_trained(rules, least).value
            step = min(chosen, most - 1)
            dear = "" if chosen >= most or step < least else f"{attribute_price(rules, least, step + 1, step).value} points"
            yield Stepper(
                name=f"{full} (trained)",
                rule="fs-spending-cps",
                field=f"trained.{name}",
                value=chosen,
                low=least,
                high=most,
                price=dear,
            )
            yield _value(full, "fs-attributes", name, now[name])
        for key, derived in base.items():
            if derived.value != own.attributes.of(key):
                yield _value(f"{attribute_name(rules, key)}, inherent", "fs-attributes", f"inherent:{key}", derived)

    def derived(self) -> Iterator[AnyPiece]:
        """Yields the values derived from attributes, species and wealth."""
        rules = self.rules
        yield _value("Unarmed damage class", "fs-ucdc", "ucdc", unarmed_damage(rules, self.strength))
        scale = damage_scale(rules, self.whole)
        yield Value(name="Damage scale", rule="fs-damage-scale", key="damage_scale", value=round(scale.value, 3), reasons=_why(scale))
        for key, value in stamina_of(rules, self.person).items():
            yield _value(key.replace("_", " ").capitalize(), "fs-stamina-pool", key, value)
        row, by = capacity(rules, self.strength), term("ST", self.strength)
        for key in ("carry", "laden", "burden", "lift", "drag"):
            name, most = f"{key.capitalize()}, up to kg", getattr(row, key)
            why = (case("by strength", most, by, rule="fs-carrying-capacity", source=row.source),)
            yield Value(name=name, rule="fs-carrying-capacity", key=f"{key}_kg", value=most, reasons=why, source=row.source)
        yield _value("Wealth, svu", "fs-wealth", "wealth", worth_of(rules, self.whole))

    def condition(self) -> Iterator[AnyPiece]:
        """Wounds, stamina, the load, and what armor hinders."""
        hurt, rules = self.person.injuries, self.rules
        now, worst = [max(0, min(len(LEVELS) - 1, level)) for level in (hurt.wounds, hurt.deepest)]
        yield Ladder(name="Wound level", rule="fs-wound-levels", levels=LEVELS, now=now, worst=worst)
        most = stamina_of(rules, self.person)["stamina"].value
        yield Owned(name="Stamina", rule="fs-stamina-pool", value=most if hurt.stamina is None else hurt.stamina, most=most)
        carried, worn = self.weights()
        burden = load(rules, self.strength, carried, worn)
        if burden.agility:
            yield Tag(
                name=burden.band,
                rule="fs-carrying-capacity",
                effect=f"{burden.agility:+} to agility tasks, stamina × {burden.stamina}",
                hurt=True,
            )
        for name, value in self.character.condition.items():
            if name.startswith(("ammo.", "jams.")) and (name.startswith("ammo.") or value != UNJAMMED):
                what = count(value, "round") if name.startswith("ammo.") else "jammed"
                yield Tag(name=f"{name.partition('.')[2]}: {what}", rule="fs-weapon-traits")
        for mod in self.hindered():
            yield Tag(name=mod.label, rule=mod.rule, effect=f"{mod.value:+}", hurt=True)
        for candidate in self.character.unfamiliar:
            yield Tag(name=f"unfamiliar: {candidate.subject}", rule="fs-nfm", effect=f"{candidate.modifier:+}", hurt=True)

    def hindered(self) -> tuple[Chip, ...]:
        """The modifiers for hindrance by armor."""
        try:
            mods = hindrance(self.rules, self.person.gear.armor, self.person.level("Armor/Exoskeleton") or 0).mods()
        except UserError:  # armor that the tables do not have; the audit says so
            return ()
        return tuple([Chip(mod.label, mod.value, mod.rule) for mod in mods if mod.value])

    def weights(self) -> tuple[float, float]:
        """Kilograms carried, and worn or well packed."""
        carried = worn = 0.0
        gear = self.person.gear
        for arm, make in (*[(arm, gun) for arm in gear.ranged], *[(arm, blade) for arm in gear.melee]):
            try:
                carried += make(self.rules, arm).kg  # type: ignore[operator]
            except UserError:
                continue
        for piece in gear.armor:
            if piece.armor in ARMOR(self.rules) and piece.piece in PIECES(self.rules):
                worn += armor_weight(self.rules, piece.armor, piece.piece).value
        for thing in gear.things:
            kg = as_made(self.rules, thing.kg, thing.cost, thing.modifications).kg
            if thing.worn:
                worn += kg
            else:
                carried += kg
        return carried, worn

    def tests(self) -> Iterator[AnyPiece]:
        """Attributes put to the test."""
        for name in ATTRIBUTES:
            task = ability_task(self.rules, self.person, name)
            yield self.test(name, attribute_name(self.rules, name), task, "fs-attributes-as-skills", name)

    def test(self, key: str, name: str, task: Task, rule: str, ability: str) -> Test:
        """A test: its score times its ease factor, and the chips that often apply."""
        task = Task(max(0, task.score), task.ease, task.mods).plus(*self.weighs_on(ability))
        parts = tuple([Chip(mod.label, mod.value, mod.rule, on=True) for mod in task.mods])
        chips = [
            Chip(f"long-term familiarity: {own.subject}", familiarities(self.rules).value, "fs-ltf")
            for own in self.person.familiarities
            if own.ability == ability
        ]
        return Test(
            name=name, rule=rule, note=f"in {self.here}", key=key, notation=spell(task), parts=parts, modifiers=(*chips, *self.hindered())
        )

    def weighs_on(self, ability: str) -> tuple[Mod, ...]:
        """The modifiers for wounds and exhaustion on a test: twice where a hurt leg or the better arm is needed for it."""
        hurt, own = self.person.injuries, self.person
        if not hurt.wounds and not hurt.exhausted and hurt.stamina is None:
            return ()
        formula = (ability,) if ability in ATTRIBUTES else skill_row(self.rules, ability).attributes
        most = stamina_of(self.rules, own)["stamina"].value
        stamina = most if hurt.stamina is None else hurt.stamina
        body = Patient(own.name, wounds=hurt.wounds, hurt=hurt.hurt, stamina=stamina, was_exhausted=hurt.exhausted)
        arm: Location = "left arm" if self.character.handed == "left" else "right arm"
        return condition(self.rules, body, (arm,) if "DX" in formula else (), agility="AG" in formula)

    def skills(self, *, learnt: bool) -> Iterator[AnyPiece]:
        """Skills that were learnt, each with its level at creation, its score and its test; or those that were not."""
        rules, own = self.rules, self.character
        free = free_skills(rules, self.whole)
        known = dict.fromkeys([*SKILLS(rules), *[skill for skill in self.person.skills if split_name(skill)[0] in SKILLS(rules)]])
        for skill in known:
            row, level = skill_row(rules, skill), self.person.level(skill)
            if (level is not None) != learnt or (row.generic and not split_name(skill)[1]):
                continue
            start = 0 if skill in free else None
            chosen = own.skills.get(skill, 0)
            most = max(0, highest_level(rules, skill, self.person.attributes).value)
            formula = f"{formula_text(row)}, double above {dearer_above(rules, skill)}"
            cost = skill_price(rules, skill, max(0, min(100, chosen)), start).value if learnt else skill_price(rules, skill, 0).value
            note = formula if level in (None, chosen) else f"level {level} with experience; {formula}"
            yield Stepper(
                name=skill,
                rule="fs-skill-list",
                note=note,
                field=f"skills.{skill}",
                value=chosen,
                low=0,
                high=most,
                price=f"{cost} points",
                grown=level,
            )
            if learnt:
                score = score_of(rules, self.person, skill)
                shown = f"{score.value:g}" if row.reservoir else written_score(rules, score.value)
                yield Value(name=f"{skill} score", rule="fs-skill-score", key=f"score:{skill}", value=shown, reasons=_why(score))
            if row.reservoir:
                continue
            task = ability_task(rules, self.person, skill, self.here, self.gravity)
            yield self.test(skill, skill, task, "fs-skill-list" if learnt else "fs-unskilled-use", skill)

    def fields(self) -> Iterator[AnyPiece]:
        """Yields the fields of knowledge, as a table and tags."""
        rules, own = self.rules, self.character
        heads = ("field", "tier", "specializations", "")
        rows = [(known.title, known.level, ", ".join(known.specializations), "free" if known.free else "") for known in own.fields]
        more = [Choosable(row.field, row.field, _tiers(row.basic, row.standard), source=row.source) for row in FIELDS(rules).values()]
        favored = "; ".join([f"favored: {name}" for name in self.person.favored_fields])
        yield listed("Fields", "fs-fields-levels", "fields", heads, rows, addable=more, note=favored)
        later = [known for known in self.person.fields if known not in own.fields]
        for known in later:
            yield Tag(name=known.title, rule="fs-spending-experience", effect=", ".join([known.level, *known.specializations]))

    def places(self) -> Iterator[AnyPiece]:
        """Environments, gravities, long-term familiarities, favored weapons."""
        rules, own = self.rules, self.character
        package, gravities = package_of(rules, self.whole), free_gravities(rules, self.whole)
        environments = package.environments if package else {}
        named = {row.band: row.name for row in GRAVITIES(rules).values()}
        for part, table, names, chosen, placed, price in (
            ("environments", ENVIRONMENTS, dict.fromkeys(ENVIRONMENTS(rules), ""), own.environments, environments, 2),
            ("gravities", GRAVITIES, named, own.gravities, gravities, 5),
        ):
            for key, name in names.items():
                yield Stepper(
                    name=name or key,
                    rule=table.rule,
                    note=f"{placed[key]} from the package" if key in placed else "",
                    field=f"{part}.{key}",
                    value=chosen.get(key, 0),
                    low=0,
                    high=MOST_FAMILIAR,
                    price=f"{price} points",
                )
        known = [(familiarity.ability, familiarity.subject) for familiarity in own.familiarities]
        yield listed("Long-term familiarities", "fs-ltf", "familiarities", ("ability", "with"), known)
        classes = dict.fromkeys(row.group for row in MELEE_WEAPONS(rules).values())
        yield Rows(
            name="Favored weapons",
            rule="fs-favored-weapon",
            field="favored_weapons",
            heads=("class",),
            rows=tuple([(name,) for name in own.favored_weapons]),
            keys=own.favored_weapons,
            addable=tuple([Choosable(name, name) for name in classes]),
        )

    def gear(self) -> Iterator[AnyPiece]:
        """Weapons, armor and everything else."""
        rules, gear = self.rules, self.character.gear
        cost = gear_cost(rules, gear)
        if cost.reasons:
            yield _value("Gear, svu", "fs-wealth", "gear_cost", cost)
        guns, blades = [_gun(rules, arm.weapon, arm) for arm in gear.ranged], [_blade(rules, arm.weapon, arm) for arm in gear.melee]
        heads = ("weapon", "damage", "range", "ammo", "kg")
        yield listed("Ranged weapons", RANGED_WEAPONS.rule, "gear.ranged", heads, guns, addable=_priced(RANGED_WEAPONS(rules)))
        heads = ("weapon", "close", "normal", "reach", "kg")
        yield listed("Melee weapons", MELEE_WEAPONS.rule, "gear.melee", heads, blades, addable=_priced(MELEE_WEAPONS(rules)))
        pieces = [(worn.armor, worn.piece) for worn in gear.armor]
        yield listed("Armor", "fs-armor-list", "gear.armor", ("armor", "piece"), pieces)
        entries = []
        for thing in gear.things:
            made = as_made(self.rules, thing.kg, thing.cost, thing.modifications)
            entries.append((", ".join([thing.name, *thing.modifications]), f"{made.kg:.4g}", f"{made.cost:.10g}"))
        yield listed("Other things", "fs-item-characteristics", "gear.things", ("name", "kg", "svu"), entries)

    def experience(self) -> Iterator[AnyPiece]:
        """Yields the experience earned and what it bought."""
        if not self.character.experience:
            return
        now = standing(self.rules, self.character)
        reasons = (
            Reason("earned", now.earned, "+", "fs-experience-awards"),
            Reason("spent", -now.spent, "+", "fs-spending-experience"),
            Reason("lost", -now.lost, "+", "fs-spending-experience"),
        )
        yield Value(name="Points unspent", rule="fs-spending-experience", key="unspent", value=now.unspent, reasons=reasons)
        rows = []
        for entry, paid in zip(self.character.experience, now.took, strict=True):
            if isinstance(entry, Award):
                rows.append(("award", entry.session or f"{count(entry.months, 'month')} of down-time", f"{entry.points:+}"))
            elif isinstance(entry, Study):
                rows.append(("study", f"{entry.field}, QR{entry.qr}", str(entry.points)))
            elif isinstance(entry, Purchase):
                rows.append(("bought" if entry.done else "instalment", bought(entry), str(-paid)))
            elif isinstance(entry, Loss):
                rows.append(("loss", f"{entry.attribute} {entry.story}".strip(), f"{-entry.inherent}/{-entry.trained}"))
            else:
                rows.append(("merit", f"{entry.organization} {entry.story}".strip(), f"{entry.points:+}"))
        yield Rows(name="Log", rule="fs-spending-experience", field="experience", heads=("entry", "what", "points"), rows=tuple(rows))


def _value(name: str, rule: str, key: str, derived: Derived[Any]) -> Value:
    """A derived value with its terms."""
    return Value(name=name, rule=rule, key=key, value=derived.value, reasons=_why(derived), source=derived.reason.source)


def _priced(rows: Mapping[str, RangedRow] | Mapping[str, MeleeRow]) -> list[Choosable]:
    """Weapons that can be had, with their prices."""
    return [
        Choosable(row.weapon, row.weapon, f"{row.cost:g} svu", group=row.skill if isinstance(row, RangedRow) else row.group)
        for row in rows.values()
    ]


def _why(value: Derived[Any]) -> tuple[Reason, ...]:
    """The terms of a value, or the value itself where it has none."""
    return value.reasons or (value.reason,)


def _tiers(basic: int | None, standard: int) -> str:
    return f"{standard} points" if basic is None else f"{basic} + {standard} points"


def _gun(rules: Ruleset, name: str, arm: object) -> tuple[str, ...]:
    try:
        result = gun(rules, arm)  # type: ignore[arg-type]
    except UserError:
        return (name, "?", "?", "?", "?")
    return (name, str(result.dc), f"{result.range:g} m", "" if result.ammo is None else str(result.ammo), f"{result.kg:g}")


def _blade(rules: Ruleset, name: str, arm: object) -> tuple[str, ...]:
    try:
        result = blade(rules, arm)  # type: ignore[arg-type]
    except UserError:
        return (name, "?", "?", "?", "?")
    reach = [f"{at[0]:+} {at[1]}" if at else "" for at in (result.close, result.normal, result.reach)]
    return (name, *reach, f"{result.kg:g}")
