"""Character sheet. Steppers show the levels of creation; tests use the current ones."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from rulewright.build.audit import signed
from rulewright.build.sheet_parts import AnyPiece, Budget, Choosable, Modifier, Pick, Rows, Section, Sheet, Stepper, Tag, Test, Track, Value
from rulewright.build.sheet_parts import Pool as Owned
from rulewright.errors import UserError
from rulewright.grammar import count, join, plural
from rulewright.highest_die.notation import spell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, row, term
from rulewright.systems.scumm.action.movement import rates_of
from rulewright.systems.scumm.build.audit import audit, gear_cost
from rulewright.systems.scumm.gear.encumbrance import burden, capacity, weight_carried
from rulewright.systems.scumm.gear.items import ARMOR, GUNS, MELEE, as_listed, thrown_ranges
from rulewright.systems.scumm.harm.body import Patient
from rulewright.systems.scumm.harm.damage import action_penalty
from rulewright.systems.scumm.people.advancement import bought, standing
from rulewright.systems.scumm.people.characters import (
    ATTRIBUTE_LIMITS,
    ATTRIBUTES,
    SKILLS,
    SPECIALIZATION_POINTS,
    Character,
    Gear,
    Person,
    Purchase,
    SkillRow,
    attribute_test,
    combat_sense_pool,
    creation_cost,
    defense_pool,
    derived_of,
    skill_test,
    starting_limit,
)
from rulewright.systems.scumm.people.skills import UNFAMILIAR
from rulewright.systems.scumm.resolution.tests import Mod, Pool, health_pool, most_emergency_dice

MOST_BOXES = 60
CLOSE = ("brawl", "melee")
RANGED = ("pistols", "rifles", "throw")
STRANGE = {"forgery": ("unfamiliar field", "scumm-forgery-unfamiliar"), "etiquette": ("unfamiliar milieu", "scumm-etiquette-unfamiliar")}


def sheet(rules: Ruleset, character: Character) -> Sheet:
    """Everything there is to see of a character."""
    page = _Page(rules, character)
    sections = (
        Section("Budgets", page.budgets()),
        Section("Attributes", tuple(page.attributes())),
        Section("Derived", tuple(page.derived())),
        Section("Condition", tuple(page.condition())),
        Section("Tests", tuple(page.tests())),
        Section("Attacks", tuple(page.attacks())),
        Section("Skills", tuple(page.skills(learnt=True))),
        Section("Skills not learnt", tuple(page.skills(learnt=False))),
        Section("Specializations", tuple(page.specializations())),
        Section("Gear", tuple(page.gear())),
        Section("Experience", tuple(page.experience())),
    )
    return Sheet("scumm", "character", character.name, character.concept, tuple(part for part in sections if part.pieces))


class _Page:
    """One character under one set of rules, and what follows from it once for all sections."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        character = replace(character, gear=as_listed(rules, character.gear))
        self.rules = rules
        self.character = character
        self.person = Person.of(rules, character)
        self.values = derived_of(rules, self.person)
        known = SKILLS(rules)
        strange = {skill for skill in (*character.skills, *self.person.skills) if skill not in known}
        self.known: Mapping[str, SkillRow] = known
        self.all_skills = (*known, *sorted(strange))
        self.body = Patient.of_person(rules, replace(self.person, gear=Gear()))  # no armor matters here, known or not
        self.wounds = Mod("wounds", action_penalty(rules, self.body).value, "scumm-injuries")
        self.always = tuple(
            Modifier(mod.label, mod.value, mod.rule, on=True) for mod in (self.wounds, _load(rules, self.person)) if mod.value
        )

    # numbers

    def budgets(self) -> tuple[Budget, ...]:
        """Allowed and spent."""
        return audit(self.rules, self.character).budgets

    def attributes(self) -> Iterator[AnyPiece]:
        """The four attributes as chosen at creation."""
        for name in ATTRIBUTES:
            limits, value = ATTRIBUTE_LIMITS.get(self.rules, name), getattr(self.character.attributes, name)
            now = self.person.attribute(name)
            yield Stepper(
                name=name.capitalize(),
                rule="scumm-attributes",
                note=limits.covers if now == value else f"{signed(now)} with experience",
                field=f"attributes.{name}",
                value=value,
                low=limits.lowest,
                high=limits.highest,
                signed=True,
                grown=now,
            )

    def derived(self) -> Iterator[AnyPiece]:
        """Everything that follows by formula."""
        for key, value in self.values.items():
            yield _value(key, value, key.replace("_", " ").title(), signed=key == "health")
        yield from _movement(self.rules, self.person)
        yield from _carrying(self.rules, self.person)

    def condition(self) -> Iterator[AnyPiece]:
        """Emergency Dice, wounds and what they cost."""
        shock = self.values["system_shock"].value
        log = self.character.advancement
        more = sum(entry.to for entry in log if isinstance(entry, Purchase) and entry.buy == "emergency dice")
        yield Owned(
            name="Emergency Dice",
            rule="scumm-emergency-dice",
            note=f"at most {most_emergency_dice(self.rules)} on one roll",
            value=self.body.emergency_dice,
            most=max(self.body.emergency_dice, self.character.emergency_dice + more),
        )
        hurt = self.body
        kinds = (
            ("Deep wound", hurt.deep, hurt.weighs.deep_boxes),
            ("Flesh wound", hurt.flesh, hurt.weighs.flesh_boxes),
            ("Deep bruise", hurt.bruised_deep, hurt.weighs.deep_boxes),
            ("Flesh bruise", hurt.bruised_flesh, hurt.weighs.flesh_boxes),
        )
        boxes = min(shock, MOST_BOXES)
        marks = [f"for {plural(kind)}" for kind, number, cost in kinds for _ in range(max(0, min(number * cost, boxes)))][:boxes]
        yield Track(name="System Shock", rule="scumm-system-shock", boxes=boxes, marks=tuple(marks))
        if self.wounds.value:
            carried = join([count(number, kind) for kind, number, _ in kinds if number > 0])
            effect = f"{self.wounds.value:+} on every test"
            yield Tag(name="wounded", rule="scumm-injuries", effect=f"{carried}: {effect}" if carried else effect, hurt=True)
        yield from _left(self.body)
        for key, name, rule in (("defense", "Defense", "scumm-defense-roll"), ("combat_sense", "Combat Sense", "scumm-combat-sense-roll")):
            if self.values[key].value <= 0:
                yield Tag(name=f"no {name}", rule=rule, effect="rolled unskilled", hurt=True)

    # tests

    def tests(self) -> Iterator[AnyPiece]:
        """Shows the tests that are rolled without a skill."""
        rules, person = self.rules, self.person
        for name in ATTRIBUTES:
            yield self.test(name, name.capitalize(), attribute_test(rules, person, name), "2 dice", "scumm-attribute-test")  # type: ignore[arg-type]
        health = self.values["health"].value
        yield self.test("health", "Health", health_pool(rules, health), f"{rules.number('health-test-dice')} dice", "scumm-health-test")
        defense, sense = self.values["defense"].value, self.values["combat_sense"].value
        pool = defense_pool(rules, defense)
        yield self.test("defense", "Defense", pool, _dice("Defense", defense), "scumm-defense-roll", _situations(rules, "defense"))
        pool = combat_sense_pool(rules, sense)
        yield self.test("combat_sense", "Combat Sense", pool, _dice("Combat Sense", sense), "scumm-combat-sense-roll")

    def test(self, key: str, name: str, pool: Pool, dice: str, rule: str, chips: tuple[Modifier, ...] = (), note: str = "") -> Test:
        """A test: its dice first, then what is always added; wounds and loads are chips that are on."""
        parts = (Modifier(dice, 0, rule), *(Modifier(mod.label, mod.value, mod.rule) for mod in pool.mods))
        return Test(name=name, rule=rule, note=note, key=key, notation=spell(pool), parts=parts, modifiers=self.always + chips)

    def skill(self, skill: str, key: str, name: str, note: str = "") -> Test:
        """A skill with its own attribute, and the chips that belong to it."""
        level = self.person.level(skill)
        if skill in self.known:
            pool = skill_test(self.rules, self.person, skill)
        else:
            pool = Pool(level)
        rule = "scumm-skill-test" if level > 0 else "scumm-unskilled-test"
        return self.test(key, name, pool, _dice(skill.capitalize(), level), rule, self.chips(skill), note)

    def chips(self, skill: str) -> tuple[Modifier, ...]:
        """Lists the modifiers that often change a test of this skill."""
        owned = self.person.specializations.get(skill, ())
        modifiers = [Modifier(f"specialization: {name}", 1, "scumm-specialization", group="specialization") for name in owned]
        if skill in STRANGE:
            label, rule = STRANGE[skill]
            modifiers.append(Modifier(label, UNFAMILIAR, rule))
        if skill in CLOSE + RANGED:
            modifiers.extend(chip for chip in _situations(self.rules, "attack") if skill in RANGED or chip.group != "range")
        return tuple(modifiers)

    def attacks(self) -> Iterator[AnyPiece]:
        """Bare hands and every weapon carried, with its Damage Multiplier."""
        unarmed, armed = self.values["unarmed_damage"].value, self.values["armed_damage"].value
        yield self.skill("brawl", "attack.unarmed", "Unarmed", f"damage × {unarmed}")
        for name in dict.fromkeys(self.person.gear.melee):
            row = MELEE(self.rules).get(name)
            if row is not None:
                yield self.skill("melee", f"attack.{name}", name.capitalize(), f"damage × {armed + row.bonus}")
                if row.thrown:
                    reach = "/".join(map(str, thrown_ranges(self.person.attributes.body)))
                    note = f"damage × {armed + row.bonus}, {reach} m"
                    yield self.skill("throw", f"throw.{name}", f"{name.capitalize()}, thrown", note)
        for name in dict.fromkeys(self.person.gear.guns):
            gun = GUNS(self.rules).get(name)
            if gun is not None:
                left, jam = self.character.condition.get(f"ammo.{name}", gun.ammo), self.character.condition.get(f"jammed.{name}")
                shots = count(gun.ammo, "shot") if left == gun.ammo else f"{left} of {count(gun.ammo, 'shot')}"
                note = f"damage × {gun.damage}, {'/'.join(map(str, gun.range))} m, {shots}{', jammed' if jam else ''}"
                yield self.skill(gun.skill, f"attack.{name}", name.capitalize(), note)

    def skills(self, *, learnt: bool) -> Iterator[AnyPiece]:
        """Every skill with its stepper and its test."""
        limit = starting_limit(self.rules)
        for skill in self.all_skills:
            now, chosen = self.person.level(skill), self.character.skills.get(skill, 0)
            if (now > 0 or chosen != 0) is not learnt:
                continue
            row = self.known.get(skill)
            yield Stepper(
                name=skill.capitalize(),
                rule="scumm-skill-list",
                note=f"level {now} with experience" if now != max(0, chosen) else row.scope if row else "unknown to the rules",
                field=f"skills.{skill}",
                value=chosen,
                low=0,
                high=limit,
                price=self.price(chosen, limit),
                grown=now if chosen >= 0 else None,
            )
            yield self.skill(skill, skill, skill.capitalize())

    def price(self, level: int, limit: int) -> str:
        """Returns the cost of a level, and that of the next one."""
        costs = [creation_cost(self.rules, number).value for number in (min(max(level, 0), limit), min(max(level, 0) + 1, limit))]
        points = f"{costs[0]} {'point' if costs[0] == 1 else 'points'}"
        return points if level >= limit else f"{points}, next {costs[1]}"

    # lists

    def specializations(self) -> Iterator[AnyPiece]:
        """The narrow fields of every skill learnt, with what the book suggests."""
        for skill in self.all_skills:
            owned, bought_later = self.character.specializations.get(skill, ()), self.person.specializations.get(skill, ())
            if not self.person.level(skill) and not owned:
                continue
            row = self.known.get(skill)
            offered = [name for name in (row.specializations if row else ()) if name not in bought_later]
            more = [name for name in bought_later if name not in owned]
            yield Rows(
                name=skill.capitalize(),
                rule="scumm-specialization",
                note=f"with experience: {', '.join(more)}" if more else "",
                field=f"specializations.{skill}",
                heads=("specialization",),
                rows=tuple((name,) for name in owned),
                keys=owned,
                addable=tuple(Choosable(name, name, f"{SPECIALIZATION_POINTS} points") for name in offered),
            )

    def gear(self) -> Iterator[AnyPiece]:
        """Weapons, armor and everything else."""
        gear, melee, guns, armor = self.person.gear, MELEE(self.rules), GUNS(self.rules), ARMOR(self.rules)
        armed = self.values["armed_damage"].value
        cost = gear_cost(self.rules, gear)
        yield Value(name="Wealth Points spent", rule="scumm-wealth", key="wealth_spent", value=cost.value, reasons=cost.reasons)
        yield Rows(
            name="Melee weapons",
            rule="scumm-melee-weapons",
            field="gear.melee",
            heads=("weapon", "damage", "cost"),
            rows=tuple(_blade(self.rules, name, armed) for name in gear.melee),
            keys=gear.melee,
            addable=tuple(Choosable(row.weapon, row.weapon, f"{row.cost} WP", source=row.source) for row in melee.values()),
        )
        yield Rows(
            name="Guns",
            rule="scumm-guns",
            field="gear.guns",
            heads=("weapon", "damage", "range", "ammo", "cost"),
            rows=tuple(_gun(self.rules, name) for name in gear.guns),
            keys=gear.guns,
            addable=tuple(
                Choosable(row.weapon, row.weapon, f"{row.cost} WP", self.leave(row.restricted), row.source, row.skill)
                for row in guns.values()
            ),
        )
        options = [Choosable("", "none", "0 WP")]
        options += [
            Choosable(row.armor, f"{row.armor} ({row.points})", f"{row.cost} WP", self.leave(row.restricted), row.source)
            for row in armor.values()
        ]
        if gear.armor and gear.armor not in armor:
            options.append(Choosable(gear.armor, gear.armor, "?", "unknown to the rules"))
        yield Pick(name="Armor", rule="scumm-armor-list", field="gear.armor", value=gear.armor or "", options=tuple(options))
        yield Rows(
            name="Other things",
            field="gear.other",
            heads=("name", "weight", "cost"),
            rows=tuple((item.name, f"{item.weight:g} kg" if item.weight else "", str(item.cost)) for item in gear.other),
            keys=tuple(str(place) for place in range(len(gear.other))),
        )

    def leave(self, restricted: bool) -> str:
        """Why something cannot simply be had."""
        return "needs the gamemaster's permission" if restricted and self.rules.on("restricted-needs-leave") else ""

    def experience(self) -> Iterator[AnyPiece]:
        """Shows the experience that was earned and what it bought."""
        if not self.character.advancement:
            return
        now = standing(self.rules, self.character)
        words = [bought(entry) if isinstance(entry, Purchase) else "" for entry in self.character.advancement]
        yield from now.told(self.character.advancement, words, "scumm-skill-improvement")


def _dice(name: str, number: int) -> str:
    return f"{name} {number}d" if number > 0 else f"{name} {number}: unskilled" if number < 0 else f"{name}: unskilled"


def _value(key: str, value: Derived[int], name: str, *, signed: bool = False) -> Value:
    why = value.reason
    formula = why.label.partition(" = ")[2]
    return Value(name=name, rule=why.rule, note=formula, key=key, value=value.value, reasons=why.terms, source=why.source, signed=signed)


def _blade(rules: Ruleset, name: str, armed: int) -> tuple[str, ...]:
    row = MELEE(rules).get(name)
    return (name, f"× {armed + row.bonus}", str(row.cost)) if row is not None else (name, "?", "?")


def _gun(rules: Ruleset, name: str) -> tuple[str, ...]:
    gun = GUNS(rules).get(name)
    if gun is None:
        return (name, "?", "?", "?", "?")
    return (name, f"× {gun.damage}", "/".join(map(str, gun.range)), str(gun.ammo), str(gun.cost))


def _left(body: Patient) -> Iterator[Tag]:
    """Shows the results of scenes beside wounds."""
    states = [
        ("dead", body.dead, "scumm-injuries"),
        ("dying", body.trauma is not None, "scumm-trauma"),
        ("in a coma", body.coma, "scumm-knockout"),
        ("brought back, needs rest", body.resuscitated, "scumm-resuscitation"),
        ("collapsed from fatigue", body.collapsed, "scumm-fatigue"),
    ]
    limbs = [(f"{hurt.limb} {'severed' if hurt.severed else 'useless' if hurt.useless else 'hurt'}", True) for hurt in body.limbs]
    states += [(name, holds, "scumm-limb-hits") for name, holds in limbs]
    for name, holds, rule in states:
        if holds:
            yield Tag(name=name, rule=rule, hurt=True)
    if body.stiffness:
        yield Tag(name="badly healed", rule="scumm-recovery", effect=f"{body.stiffness:+} on physical actions", hurt=True)


def _load(rules: Ruleset, person: Person) -> Mod:
    """The penalty of everything carried, where the campaign counts it and the table has an answer."""
    try:
        return burden(rules, weight_carried(person), person.attributes.body)
    except UserError:  # a Body or a weight that the table does not have; the audit says so
        return Mod("load", 0)


def _movement(rules: Ruleset, person: Person) -> Iterator[Value]:
    pace = rates_of(rules, person)
    terms = (
        term("Body", person.attributes.body, rule="scumm-movement-rates"),
        term("Athletics", person.level("athletics"), rule="scumm-movement-rates"),
    )
    for mode in ("sprinting", "running", "normal", "crawling"):
        yield Value(
            name=f"{mode.capitalize()}, metres a round",
            rule="scumm-movement-rates",
            key=f"{mode}_rate",
            value=getattr(pace, mode),
            reasons=(row(f"row {pace.n} of the table", getattr(pace, mode), *terms, rule="scumm-movement-rates", source=pace.source),),
            source=pace.source,
        )


def _carrying(rules: Ruleset, person: Person) -> Iterator[Value]:
    if not rules.on("carrying-capacity"):
        return
    try:
        most = capacity(rules, person.attributes.body)
    except UserError:  # a Body that the table does not have; the audit says so
        return
    for key, name in (("none", "Unburdened"), ("light", "Light load"), ("heavy", "Heavy load"), ("deadlift", "Deadlift")):
        reasons = (row("row of the table", getattr(most, key), term("Body", person.attributes.body), rule="scumm-carrying-capacity"),)
        yield Value(
            name=f"{name}, up to kg",
            rule="scumm-carrying-capacity",
            key=f"{key}_load",
            value=getattr(most, key),
            reasons=reasons,
            source=most.source,
        )


def _situations(rules: Ruleset, side: Literal["attack", "defense"]) -> tuple[Modifier, ...]:
    """The situations that change an attack or a defense. Chips of one group exclude each other; conditions go together."""
    from rulewright.systems.scumm.combat.attacks import COMBAT

    modifiers = []
    for listed in COMBAT(rules).values():
        low, high = listed.attack if side == "attack" else listed.defense
        values = [value for value in range(high, low - 1, -1) if value]
        exclusive = listed.group if listed.group != "condition" else listed.situation if len(values) > 1 else ""
        modifiers += [Modifier(listed.situation, value, COMBAT.rule, group=exclusive) for value in values]
    return tuple(modifiers)
