"""The character sheet. Steppers show levels at creation; tests use current levels."""

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from rulewright.build.audit import signed
from rulewright.build.sheet_parts import AnyPiece, Budget, Choosable, Modifier, Pick, Rows, Section, Sheet, Stepper, Tag, Test, Track, Value
from rulewright.build.sheet_parts import Pool as Owned
from rulewright.errors import UserError
from rulewright.grammar import count, figure, join
from rulewright.highest_die.notation import spell
from rulewright.rules import Ruleset
from rulewright.rules.reasons import Derived, Reason, divided, rounded, term, times, total
from rulewright.rules.reasons import row as looked_up
from rulewright.scenes.scenarios import numbered
from rulewright.systems.silhouette.action.movement import GAITS, move_rate
from rulewright.systems.silhouette.attacks.attack_setup import striking_pool
from rulewright.systems.silhouette.attacks.shots import firing_pool
from rulewright.systems.silhouette.build.audit import budgets
from rulewright.systems.silhouette.build.weapon_offers import weapon_offers
from rulewright.systems.silhouette.combat.arms import weapon_of
from rulewright.systems.silhouette.combat.entrants import profile_of
from rulewright.systems.silhouette.combat.ranged_attacks import PLAINLY
from rulewright.systems.silhouette.gear.items import (
    ARMOR,
    SHIELDS,
    Archaic,
    Grenade,
    Gun,
    Heavy,
    Melee,
    find_weapon,
)
from rulewright.systems.silhouette.harm.body import Patient
from rulewright.systems.silhouette.harm.damage import trauma_minutes
from rulewright.systems.silhouette.people.advancement import bought, standing
from rulewright.systems.silhouette.people.characters import (
    ATTRIBUTES,
    HIGHEST_COMPLEXITY,
    HIGHEST_LEVEL,
    SPECIALIZATION_POINTS,
    Character,
    Injuries,
    Person,
    Purchase,
    attribute_cost,
    character_points,
    known,
    limits_of,
    looks_like,
    names_of,
    number_left,
    skill_test,
)
from rulewright.systems.silhouette.people.conditions import TakenIn
from rulewright.systems.silhouette.people.experience import character_level
from rulewright.systems.silhouette.people.powers import Power
from rulewright.systems.silhouette.people.secondary_attributes import attribute_test, capacity, secondary_of
from rulewright.systems.silhouette.people.skills import SKILLS, USES, named, unfamiliar
from rulewright.systems.silhouette.people.traits import (
    FLAW_PRICES,
    FLAWS,
    PERK_PRICES,
    PERKS,
    EffectRow,
    PriceRow,
    Trait,
    flaw_value,
    offered_modifiers,
    perk_cost,
)
from rulewright.systems.silhouette.resolution.modifiers import CLOSE, RANGED
from rulewright.systems.silhouette.resolution.tests import Mod, Pool, chance_pool, complexity_modifier, most_emergency_dice

MOST_BOXES = 60
SECONDARY = {
    "strength": "Strength",
    "health": "Health",
    "stamina": "Stamina",
    "unarmed_damage": "Unarmed Damage",
    "armed_damage": "Armed Damage",
    "flesh_wound_threshold": "Flesh Wound Threshold",
    "deep_wound_threshold": "Deep Wound Threshold",
    "instant_death_threshold": "Instant Death Threshold",
    "system_shock": "System Shock",
}


def sheet(rules: Ruleset, character: Character) -> Sheet:
    """Returns the sheet of a character."""
    page = _Page(rules, character)
    sections = (
        Section("Budgets", page.budgets()),
        Section("Attributes", tuple(page.attributes())),
        Section("Derived", tuple(page.derived())),
        Section("Condition", tuple(page.condition())),
        Section("Tests", tuple(page.tests())),
        Section("Attacks", tuple(page.attacks())),
        Section("Skills", tuple(page.skills())),
        Section("Skills not learned", tuple(page.other_skills())),
        Section("Specializations", tuple(page.specializations())),
        Section("Perks and Flaws", tuple(page.traits())),
        Section("Gear", tuple(page.gear())),
        Section("Experience", tuple(page.experience())),
    )
    return Sheet("silhouette", "character", character.name, character.concept, tuple(part for part in sections if part.pieces))


def _taken_in(carried: TakenIn) -> Iterator[Tag]:
    """Yields rads, habits and illnesses."""
    if carried.rads:
        yield Tag(
            name="rads", rule="sil-6.2.8-rad-tally", effect=f"{figure(carried.rads)} (highest {figure(carried.most_rads)})", hurt=True
        )
    for habit in carried.habits:
        states = [word for word, holds in (("dependent", habit.dependent), ("addicted", habit.addicted)) if holds]
        yield Tag(name=habit.drug, rule="sil-6.2.3-addiction", effect=join(states) or "overcome", hurt=bool(states))
    for infection in carried.infections:
        effect = f"breaks out in {count(infection.days_left, 'day')}" if infection.days_left else f"{infection.penalty:+} on every test"
        yield Tag(name=infection.illness, rule="sil-6.2.4-disease", effect=effect, hurt=True)


class _Page:
    """One character under one ruleset, with derived values shared by all sections."""

    def __init__(self, rules: Ruleset, character: Character) -> None:
        self.rules = rules
        self.character = character
        self.person = Person.of(rules, character)
        self.written = {known(rules, skill) for skill in character.skills}
        self.values = secondary_of(rules, self.person)
        armor, shield = ARMOR(rules).get(self.person.gear.armor or ""), SHIELDS(rules).get(self.person.gear.shield or "")
        known_gear = replace(
            self.person.gear,
            weapons=tuple([name for name in self.person.gear.weapons if find_weapon(rules, name) is not None]),
            armor=self.person.gear.armor if armor else None,
            shield=self.person.gear.shield if shield else None,
        )
        whole = replace(self.person, gear=known_gear, injuries=_counted(self.person.injuries))
        self.fighting = profile_of(rules, whole, character.name, "")
        self.body = Patient.of_person(rules, whole)
        always = (
            Mod("wounds" if self.body.wounded else "bruises", self.body.injury_penalty, "sil-3.5.2-action-penalties"),
            Mod("fatigue", self.body.fatigue_penalty, "sil-3.5.8-fatigue"),
            Mod("badly healed wounds", self.body.stiffness, "sil-3.5.6-recovery"),
            Mod("armor", armor.encumbrance if armor else 0, ARMOR.rule),
            Mod("shield", shield.encumbrance if shield else 0, SHIELDS.rule),
        )
        self.always = tuple(Modifier(mod.label, mod.value, mod.rule, on=True) for mod in always if mod.value)

    # numbers

    def budgets(self) -> tuple[Budget, ...]:
        """Yields the budgets."""
        return budgets(self.rules, self.character)

    def attributes(self) -> Iterator[AnyPiece]:
        """Yields the attributes chosen at creation."""
        rules, chosen = self.rules, self.character.attributes
        for name in names_of(rules, chosen):
            (low, high), value = limits_of(rules, self.character, name), chosen.get(name, 0)
            now = self.person.attribute(name) if name in ATTRIBUTES and rules.word("attributes") == "ten" else value
            note = looks_like(rules, name, value) if name in ATTRIBUTES else ""
            cost, following = attribute_cost(value).value, attribute_cost(value + 1).value
            yield Stepper(
                name=name.capitalize(),
                rule="sil-2.1.2-attribute-costs",
                note=note if now == value else f"{signed(now)} with experience",
                field=f"attributes.{name}",
                value=value,
                low=low,
                high=high,
                price=f"{cost} CP" if value >= high else f"{cost} CP, next {following}",
                signed=True,
                grown=now,
            )

    def derived(self) -> Iterator[AnyPiece]:
        """Yields the derived values."""
        for key, name in SECONDARY.items():
            yield _value(key, self.values[key], name, signed=key in ("strength", "health"))
        for gait in reversed(GAITS):
            rate = move_rate(self.rules, gait, self.person.attribute("fitness"), self.person.level("athletics"))
            why = total(rate.reason.label, *rate.reasons, rounded(0.1), rule=rate.reason.rule, source=rate.reason.source).reason
            title = f"{gait.capitalize()}, m per round"
            yield Value(name=title, rule=why.rule, key=gait, value=why.value, reasons=why.terms, source=why.source)
        try:
            load = capacity(self.rules, self.values["strength"].value)
        except UserError:  # a Strength that the table does not have
            return
        rule, strength = "sil-2.3.1-strength-capacity", term("Strength", self.values["strength"])
        lift = looked_up("lightest body of that Build", load.lift, strength, rule=rule)
        for key, name, terms in (
            ("lift", "Lift, kg", (lift,)),
            ("overhead", "Overhead, kg", (lift, divided("half", 2))),
            ("drag", "Drag, kg", (lift, times("twice", 2))),
        ):
            yield Value(name=name, rule=rule, key=key, value=total(name, *terms).value, reasons=terms)

    def condition(self) -> Iterator[AnyPiece]:
        """Yields Emergency Dice, wounds and penalties."""
        person, shock = self.person, self.values["system_shock"].value
        log = self.character.advancement
        more = sum(entry.to for entry in log if isinstance(entry, Purchase) and entry.buy == "emergency dice")
        chosen = self.character.emergency_dice
        yield Stepper(
            name="Emergency Dice at creation",
            rule="sil-2.1.2-attribute-costs",
            field="emergency_dice",
            value=chosen,
            low=0,
            high=max(0, character_points(self.rules, self.character.role).value - self._spent()),
            price="1 CP",
        )
        yield Owned(
            name="Emergency Dice",
            rule="sil-2.5.2-emergency-dice",
            note=f"at most {most_emergency_dice(self.rules)} on one roll",
            value=person.emergency_dice,
            most=max(person.emergency_dice, chosen + more),
        )
        hurt = self.body
        kinds = (
            ("deep", 2 * hurt.deep),
            ("flesh", hurt.flesh),
            ("deep bruise", 2 * hurt.bruised_deep),
            ("flesh bruise", hurt.bruised_flesh),
        )
        boxes = min(shock, MOST_BOXES)
        marks = [kind for kind, number in kinds for _ in range(max(0, min(number, boxes)))][:boxes]
        yield Track(name="System Shock", rule="sil-2.3.3-system-shock", boxes=boxes, marks=tuple(marks))
        if self.body.injury_penalty:
            name = "wounded" if self.body.wounded else "bruised"
            effect = f"{self.body.injury_penalty:+} on every test"
            yield Tag(name=name, rule="sil-3.5.2-action-penalties", effect=effect, hurt=True)
        if self.body.stable_flesh or self.body.stable_deep:
            counts = [f"{hurt.stable_flesh} Flesh"] * (hurt.stable_flesh > 0) + [f"{hurt.stable_deep} Deep"] * (hurt.stable_deep > 0)
            yield Tag(name="stabilized", rule="sil-3.5.4-stabilizing", effect=join(counts))
        if shock + self.body.open_penalty <= 0:
            minutes = trauma_minutes(shock, self.body.shock_penalty).value
            yield Tag(name="in shock", rule="sil-3.5.5-trauma", effect=f"{count(max(0, minutes), 'minute')} to live", hurt=True)
        yield from self._left_by_scenes()
        yield from _taken_in(self.character.taken_in)

    def _left_by_scenes(self) -> Iterator[AnyPiece]:
        """Yields other effects of scenes: fatigue, coma, death and ammunition."""
        body = self.body
        if body.fatigue_penalty:
            yield Tag(name="tired", rule="sil-3.5.8-fatigue", effect=f"{body.fatigue_penalty:+} on every test", hurt=True)
        if body.stiffness:
            yield Tag(name="badly healed", rule="sil-3.5.6-recovery", effect=f"{body.stiffness:+} on physical tests", hurt=True)
        for name, holds in (("dead", body.dead), ("in a coma", body.coma), ("resuscitated", body.resuscitated)):
            if holds:
                yield Tag(name=name, rule="sil-3.5.5-death", hurt=True)
        for limb in body.limbs:
            state = "severed" if limb.severed else "useless" if limb.useless else "hurt"
            yield Tag(name=f"{limb.limb} {state}", rule="sil-3.5.7-hit-location", hurt=True)
        for weapon, name in zip(self.fighting.weapons, numbered([candidate.name for candidate in self.fighting.weapons]), strict=True):
            if weapon.magazine and f"ammo.{name}" in self.character.condition:
                left = min(weapon.magazine, number_left(self.character.condition, f"ammo.{name}", weapon.magazine))
                jammed = ", jammed" if self.character.condition.get(f"jammed.{name}") is True else ""
                yield Owned(name=f"{name.capitalize()}, shots{jammed}", rule="sil-3.4.3-burst-fire", value=left, most=weapon.magazine)

    def _spent(self) -> int:
        return sum(attribute_cost(self.character.attributes.get(name, 0)).value for name in names_of(self.rules, self.character.attributes))

    # tests

    def tests(self) -> Iterator[AnyPiece]:
        """Yields tests without a skill."""
        rules, person = self.rules, self.person
        for name in (*ATTRIBUTES, "strength", "health"):
            chips = self.trait_chips(name)
            yield self.test(name, name.capitalize(), attribute_test(rules, person, name), "2 dice", "sil-1.2.4-attribute-test", chips)
        pool = chance_pool(rules, person.attribute("psyche"))
        yield self.test("chance", "Chance", Pool(pool.dice, pool.mods, 0, person.hero), "1 die", "sil-1.2.4-chance-test")

    def test(self, key: str, name: str, pool: Pool, dice: str, rule: str, chips: tuple[Modifier, ...] = (), note: str = "") -> Test:
        """Returns a test: dice first, then fixed modifiers; wounds and armor are chips that are on."""
        parts = (Modifier(dice, 0, rule), *(Modifier(mod.label, mod.value, mod.rule) for mod in pool.mods))
        return Test(name=name, rule=rule, note=note, key=key, notation=spell(pool), parts=parts, modifiers=self.always + chips)

    def skill(self, skill: str, key: str, name: str) -> Test:
        """Returns a skill with its usual attribute and its chips."""
        level = self.person.level(self.person.best(skill))
        try:
            pool = skill_test(self.rules, self.person, skill)
        except UserError:  # unknown to the rules
            pool = Pool(level)
        rule = "sil-1.2.4-skill-test" if level > 0 else "sil-1.2.4-unskilled-test"
        dice = f"{skill.capitalize()} {level}d" if level > 0 else f"{skill.capitalize()}: unskilled"
        return self.test(key, name, pool, dice, rule, self.chips(skill))

    def chips(self, skill: str) -> tuple[Modifier, ...]:
        """Returns common modifiers of a skill test."""
        owned = self.person.specializations.get(skill, ())
        modifiers = [Modifier(f"specialization: {name}", 1, "sil-2.2.3-specialization", group="specialization") for name in owned]
        try:
            base, strange = named(self.rules, skill).skill, unfamiliar(self.rules, skill)
        except UserError:
            return tuple(modifiers)
        if strange.value:
            modifiers.append(Modifier(strange.label, strange.value, strange.rule))
        return (*modifiers, *self.trait_chips(base))

    def trait_chips(self, on: str) -> tuple[Modifier, ...]:
        """Returns the situational modifiers of Perks and Flaws."""
        offered = offered_modifiers(self.rules, on, self.person.perks, self.person.flaws)
        return tuple(Modifier(f"{mod.label}: {when}", mod.value, mod.rule) for mod, when in offered if when and mod.value)

    def attacks(self) -> Iterator[AnyPiece]:
        """Yields bare hands and every weapon: the pool against a defending target, and the Damage Multiplier."""
        rules, armed = self.rules, self.values["armed_damage"].value
        close, ranged = _situations(rules, ranged=False), _situations(rules, ranged=True)
        yield self.attack("fists", "attack.unarmed", "Unarmed", f"damage × {self.values['unarmed_damage'].value}", close)
        for name in dict.fromkeys(self.person.gear.weapons):
            weapon = find_weapon(rules, name)
            if weapon is None:
                continue
            key, title = f"attack.{name}", name.capitalize()
            if isinstance(weapon, Melee):
                yield self.attack(name, key, title, f"damage × {armed + weapon.damage}, parry {signed(weapon.parry)}", close)
                if weapon.thrown:
                    yield self.attack(name, f"{key}, thrown", f"{title}, thrown", f"damage × {armed + weapon.damage}", ranged, thrown=True)
            else:
                yield self.attack(name, key, title, _shot(weapon), ranged)
        for power in (*self.person.powers, *self.person.spells):
            if not power.has("shield"):
                key, title = f"attack.{power.name}", power.name.capitalize()
                yield self.attack(power.name, key, title, _power(power), close if power.melee else ranged)

    def attack(self, name: str, key: str, title: str, note: str, situations: tuple[Modifier, ...], *, thrown: bool = False) -> Test:
        """Returns the pool of an attack. Complexity counts only against a target that cannot defend, so it is a chip."""
        rules, profile = self.rules, self.fighting
        weapon = next((candidate for candidate in profile.weapons if candidate.name == name), None) or weapon_of(rules, name, 0, 0)
        flies = thrown or (weapon.fires is None and not weapon.close)
        skill = "throwing" if thrown else weapon.skill
        if flies or weapon.fires is not None:
            pool = firing_pool(rules, profile, weapon, flies and not weapon.lobs, PLAINLY, True, "dry")
        else:
            pool = striking_pool(rules, profile, weapon)
        task = weapon.fires.complexity if weapon.fires is not None else 1
        deeper = complexity_modifier(profile.trained(skill).complexity, task)
        against = (Modifier("Complexity, against a target that cannot defend", deeper.value, deeper.rule),) if deeper.value else ()
        level = profile.level(skill)
        dice = f"{skill.capitalize()} {level}d" if level > 0 else f"{skill.capitalize()}: unskilled"
        rule = "sil-1.2.4-skill-test" if level > 0 else "sil-1.2.4-unskilled-test"
        return self.test(key, title, pool, dice, rule, (*against, *self.trait_chips(skill), *situations), note)

    def skills(self) -> Iterator[AnyPiece]:
        """Yields every learned skill: level, Complexity and test."""
        mine = dict.fromkeys([*self.character.skills, *[name for name in self.person.skills if name not in self.written]])
        learnt = {known(self.rules, entry.what) for entry in self.character.advancement if isinstance(entry, Purchase)}
        for skill in mine:
            chosen, key = self.character.skills.get(skill, 0), known(self.rules, skill)
            now, depth = self.person.level(key), self.person.complexity.get(key, 1)
            if skill in self.character.skills or skill in learnt:
                yield from self._levels(skill, chosen, now, depth)
            yield self.skill(key, skill, skill.capitalize())

    def _levels(self, skill: str, chosen: int, now: int, depth: int) -> Iterator[AnyPiece]:
        """Yields level and Complexity of a skill, at creation and now."""
        cost, value = min(max(chosen, 0), HIGHEST_LEVEL) ** 2, self.character.complexity.get(skill, 1)
        deep = value * value if value > 1 else 0
        yield Stepper(
            name=skill.capitalize(),
            rule="sil-2.2.4-skill-list",
            note=f"{now}/{depth} with experience" if (now, depth) != (max(0, chosen), max(1, value)) else self._use(skill),
            field=f"skills.{skill}",
            value=chosen,
            low=0,
            high=HIGHEST_LEVEL,
            price=f"{cost} SP, next {(max(chosen, 0) + 1) ** 2}" if chosen < HIGHEST_LEVEL else f"{cost} SP",
            grown=now if chosen >= 0 else None,
        )
        yield Stepper(
            name=f"{skill.capitalize()}, Complexity",
            rule="sil-2.2.1-skill-costs",
            field=f"complexity.{skill}",
            value=value,
            low=1,
            high=HIGHEST_COMPLEXITY,
            price=f"{deep} SP, next {(value + 1) ** 2}" if value < HIGHEST_COMPLEXITY else f"{deep} SP",
            grown=depth if value >= 1 else None,
        )

    def _use(self, skill: str) -> str:
        try:
            return USES(self.rules)[named(self.rules, skill).skill].special
        except (UserError, KeyError):
            return "not in the rules"

    def other_skills(self) -> Iterator[AnyPiece]:
        """Yields skills the character could learn; a specific skill with its first field."""
        learnt = {name.partition(" (")[0] for name in (*self.written, *self.person.skills)}
        for row in SKILLS(self.rules).values():
            if row.skill in learnt:
                continue
            name = f"{row.skill} ({row.fields[0] if row.fields else 'one of them'})" if row.specific else row.skill
            yield Stepper(
                name=name.capitalize(),
                rule="sil-2.2.4-skill-list",
                note=self._use(row.skill),
                field=f"skills.{name}",
                value=0,
                low=0,
                high=HIGHEST_LEVEL,
                price="0 SP, next 1",
            )
            yield self.skill(name, name, name.capitalize())

    # lists

    def specializations(self) -> Iterator[AnyPiece]:
        """Yields the specializations of every learned skill, with the book's suggestions."""
        later_on = [skill for skill in self.person.specializations if skill not in self.written]
        for skill in dict.fromkeys([*self.character.skills, *self.character.specializations, *later_on]):
            owned, later = self.character.specializations.get(skill, ()), self.person.specializations.get(known(self.rules, skill), ())
            try:
                suggested = USES(self.rules)[named(self.rules, skill).skill].specializations
            except (UserError, KeyError):
                suggested = ()
            more = tuple([name for name in later if name not in owned])
            yield Rows(
                name=skill.capitalize(),
                rule="sil-2.2.3-specialization",
                note=f"with experience: {', '.join(more)}" if more else "",
                field=f"specializations.{skill}",
                heads=("specialization",),
                rows=tuple((name,) for name in (*owned, *more)),
                keys=owned,
                addable=tuple(Choosable(name, name, f"{SPECIALIZATION_POINTS} SP") for name in suggested if name not in later),
            )

    def traits(self) -> Iterator[AnyPiece]:
        """Yields Perks and Flaws with cost and effect."""
        rules = self.rules
        perks = tuple(_trait(rules, trait, perk_cost, PERKS(rules)) for trait in self.person.perks)
        flaws = tuple(_trait(rules, trait, flaw_value, FLAWS(rules)) for trait in self.person.flaws)
        heads = ("name", "points", "about", "effect")
        keys = tuple(str(place) for place in range(len(self.character.perks)))
        yield Rows(name="Perks", rule="sil-b-perks", field="perks", heads=heads, rows=perks, keys=keys, addable=_offers(PERK_PRICES(rules)))
        keys = tuple(str(place) for place in range(len(self.character.flaws)))
        yield Rows(name="Flaws", rule="sil-c-flaws", field="flaws", heads=heads, rows=flaws, keys=keys, addable=_offers(FLAW_PRICES(rules)))

    def gear(self) -> Iterator[AnyPiece]:
        """Yields weapons, armor and other items."""
        rules, gear = self.rules, self.person.gear
        armed = self.values["armed_damage"].value
        rows = []
        for name in gear.weapons:
            row = find_weapon(rules, name)
            what = "?" if row is None else f"damage × {armed + row.damage}" if isinstance(row, Melee) else _shot(row)
            rows.append((name, what))
        yield Rows(
            name="Weapons",
            rule="sil-a-melee-weapons",
            field="gear.weapons",
            heads=("weapon", "effect"),
            rows=tuple(rows),
            keys=gear.weapons,
            addable=weapon_offers(rules, armed),
        )
        armors = [Choosable(row.armor, f"{row.armor} ({row.points})", source=row.source) for row in ARMOR(rules).values()]
        yield _pick("Armor", ARMOR.rule, "gear.armor", gear.armor, armors)
        shields = [Choosable(row.shield, f"{row.shield} (parry {signed(row.parry)})", source=row.source) for row in SHIELDS(rules).values()]
        yield _pick("Shield", SHIELDS.rule, "gear.shield", gear.shield, shields)
        yield Rows(
            name="Other things",
            field="gear.other",
            heads=("name", "weight", "cost"),
            rows=tuple((item.name, f"{item.weight:g} kg" if item.weight else "", str(item.cost)) for item in gear.other),
            keys=tuple(str(place) for place in range(len(gear.other))),
        )
        yield from self.powers()

    def powers(self) -> Iterator[AnyPiece]:
        """Yields natural powers and spells with their effect on people."""
        powers = self.person.powers
        if powers:
            yield _designs(
                "Powers", "sil-6.2.2-special-powers", "race.designs", powers, keys=tuple([power.name for power in powers]), unit="CP"
            )
        spells = self.person.spells
        if spells:
            places = tuple([str(place) for place in range(len(spells))])
            yield _designs("Spells", "sil-7.5.7-magic-spells", "spells", spells, keys=places, unit="Spell Points")

    def experience(self) -> Iterator[AnyPiece]:
        """Yields experience earned and spent."""
        if not self.character.advancement:
            return
        now = standing(self.rules, self.character)
        words = [bought(entry) if isinstance(entry, Purchase) else "" for entry in self.character.advancement]
        yield from now.told(self.character.advancement, words, now.awards_rule)
        if self.rules.on("character-levels"):
            earned = Reason("earned", now.earned, "+", now.awards_rule)
            level = character_level(self.rules, now.earned)
            yield Value(name="Level", rule="sil-2.5.4-levels", key="level", value=level, reasons=(earned,))


def _counted(hurt: Injuries) -> Injuries:
    """Returns wound counts clamped to possible values."""
    return Injuries(*[max(0, getattr(hurt, name)) for name in hurt.__struct_fields__])


def _value(key: str, value: Derived[int], name: str, *, signed: bool = False) -> Value:
    why = value.reason
    formula = why.label.partition(" = ")[2]
    return Value(name=name, rule=why.rule, note=formula, key=key, value=value.value, reasons=why.terms, source=why.source, signed=signed)


def _pick(name: str, rule: str, field: str, value: str | None, options: list[Choosable]) -> Pick:
    choices = [Choosable("", "none"), *options]
    if value and value not in {option.key for option in options}:
        choices.append(Choosable(value, value, "?", "not in the rules"))
    return Pick(name=name, rule=rule, field=field, value=value or "", options=tuple(choices))


def _designs(name: str, rule: str, field: str, known: tuple[Power, ...], *, keys: tuple[str, ...], unit: str) -> Rows:
    """Returns the rows of powers or spells with effect and cost."""
    rows = tuple([(power.name, _power(power), f"{power.cost} {unit}") for power in known])
    return Rows(name=name, rule=rule, field=field, heads=("name", "effect", "cost"), rows=rows, keys=keys)


def _power(power: Power) -> str:
    """Describes a power or spell in a few words."""
    if power.has("shield"):
        return f"armor {round(power.multiplier / 3)}"
    reach = "" if power.melee else f", {power.metres} m"
    extra = f" ({', '.join((*power.perks, *power.flaws))})" if power.perks or power.flaws else ""
    return f"damage × {power.multiplier}{reach}, Accuracy {power.accuracy:+d}{extra}"


def _shot(row: Gun | Heavy | Grenade | Archaic) -> str:
    if isinstance(row, Grenade):
        outer = (
            f" and × {row.outer_damage} to {row.outer_radius} m"
            if row.outer_damage
            else f", {row.fills} to {row.outer_radius} m"
            if row.fills
            else ""
        )
        return f"damage × {row.damage} to {row.radius} m{outer}"
    damage = "damage by grenade" if isinstance(row, Heavy) and row.grenade else f"damage × {row.damage}"
    reach = f"{row.range}/{2 * row.range}/{4 * row.range}/{8 * row.range} m" if row.range else "thrown"
    return f"{damage}, {reach}"


def _trait(rules: Ruleset, trait: Trait, price: Callable[[Ruleset, Trait], Derived[int]], rows: Mapping[str, EffectRow]) -> tuple[str, ...]:
    try:
        worth = str(price(rules, trait).value)
    except UserError:  # the audit says why
        worth = "?"
    row = rows.get(trait.name)
    return trait.label(), worth, trait.about, row.effect if row is not None else "not in the rules"


def _offers(rows: Mapping[str, PriceRow]) -> tuple[Choosable, ...]:
    return tuple(Choosable(name, name, _range(row), source=row.source) for name, row in rows.items())


def _range(row: PriceRow) -> str:
    if row.cost is not None:
        return f"{row.cost} SP"
    if row.divide:
        return f"1 SP per {row.divide} points"
    if row.rates:
        return ", ".join(f"{price} SP per rating point{f' ({name})' if name else ''}" for name, price in row.rates.items())
    ends = [*row.variants.values(), *[end for pair in row.ranges.values() for end in pair]] or [row.low, row.high]
    return f"{min(ends)} to {max(ends)} SP"


def _situations(rules: Ruleset, *, ranged: bool) -> tuple[Modifier, ...]:
    """Returns the situational modifiers of an attack; chips of one group exclude each other."""
    table = RANGED if ranged else CLOSE
    return tuple(Modifier(row.situation, row.attack, table.rule, group=row.group) for row in table(rules).values() if row.attack)
