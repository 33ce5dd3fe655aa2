"""Advancement: the log of experience, and what may be bought (book lines 1061-1103)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulewright.build.audit import Fault, short
from rulewright.build.experience import Standing as Log
from rulewright.grammar import count
from rulewright.rules import Ruleset
from rulewright.systems.foresight.people.attributes import (
    ATTRIBUTES,
    ENVIRONMENTS,
    GRAVITIES,
    MOST_FAMILIAR,
)
from rulewright.systems.foresight.people.characters import (
    HTH,
    Award,
    Character,
    Familiarity,
    Loss,
    MeritGained,
    Person,
    Purchase,
    Study,
    having_bought,
    insights_of,
)
from rulewright.systems.foresight.people.creation import is_language, sound
from rulewright.systems.foresight.people.skills import (
    ALIKE,
    FAVORED,
    FIELDS,
    INSIGHT_SCORE,
    MOST_LEVEL,
    SKILLS,
    attribute_price,
    familiarity_price,
    favored_classes,
    favored_fields,
    field_price,
    head_start,
    highest_level,
    highest_trained,
    price,
    skill_price,
    skill_score,
    split_name,
)
from rulewright.systems.foresight.people.study import downtime, studied, unspent_lost
from rulewright.systems.foresight.resolution.tests import RATINGS, half_up

# --- the log ------------------------------------------------------------------------------------------------------------------


RULE = "fs-spending-experience"


Entry = Award | Study | Purchase | Loss | MeritGained


class Standing(Log[Entry]):
    """Where a character stands in the log: points in hand, and the person as it has become."""

    awards_rule = RULE
    points = "points"
    field = "points"

    def __init__(self, rules: Ruleset, character: Character) -> None:
        super().__init__(rules)
        self.person = Person.of(rules, replace(sound(rules, character), experience=()))
        self.general = 0
        self.education: dict[str, int] = {}
        self.lost = self.last = 0
        """What of the last award was not studied yet."""
        self.insights = set(insights_of(character))
        """Skills with a unique insight; what a unique gift adds to others is none."""
        self.raised: set[tuple[str, str, str]] = set()
        self.paid: dict[tuple[str, str], int] = {}
        self.losses: dict[str, tuple[int, int]] = {}
        """Inherent and trained points that grave wounds took of an attribute and that were not won back."""

    @property
    def unspent(self) -> int:
        """All points in hand."""
        return self.general + sum(self.education.values())

    def carry_out(self, entry: Entry) -> Iterator[Fault]:
        if isinstance(entry, Award):
            yield from self._award(entry)
        elif isinstance(entry, Study):
            yield from self._study(entry)
        elif isinstance(entry, Purchase):
            yield from self._purchase(entry)
        elif isinstance(entry, Loss):
            yield from self._lose(entry)

    def _award(self, entry: Award) -> Iterator[Fault]:
        if entry.points < 0:
            yield Fault("fs-experience-awards", f"an award of {entry.points} points", "set it to 0", "points", 0, over=-entry.points)
        if entry.months:
            yield from self._downtime(entry)
        over = unspent_lost(self.rules, self.unspent).value
        if over:
            self._forfeit(over)
            kept = self.rules.number("unspent-points")
            yield Fault(RULE, f"{over} points were lost: no more than {kept} stay unspent", over=over, warning=True)
        self.awards += 1
        self.earned += max(0, entry.points)
        self.general += max(0, entry.points)
        self.last = max(0, entry.points)

    def _downtime(self, entry: Award) -> Iterator[Fault]:
        if not self.rules.on("downtime"):
            yield Fault("fs-downtime", "this campaign gives nothing for down-time (setting downtime)")
            return
        months = max(0, min(1200, entry.months))
        most = downtime(self.rules, months).value
        if months != entry.months:
            yield Fault("fs-downtime", f"{count(entry.months, 'month')} of down-time", f"write {months}", "months", months)
        elif entry.points > most:
            message = f"{count(entry.months, 'month')} of down-time give {most} points, not {entry.points}"
            yield Fault("fs-downtime", message, f"write {most}", "points", most, over=entry.points - most)

    def _forfeit(self, points: int) -> None:
        self.lost += points
        taken = min(points, max(0, self.general))
        self.general -= taken
        for field in self.education:
            more = min(points - taken, self.education[field])
            self.education[field] -= more
            taken += more

    def _study(self, entry: Study) -> Iterator[Fault]:
        if entry.qr not in RATINGS:
            yield Fault("fs-quality-rating", f"there is no QR{entry.qr}", "write 7", "qr", 7)
            return
        if split_name(entry.field)[0] not in FIELDS(self.rules):
            yield Fault("fs-field-list", f"there is no field {short(entry.field)!r} to study")
            return
        room = max(0, min(self.last, self.general))
        if not 0 <= entry.points <= room:
            over = max(0, entry.points - room)
            yield Fault(
                RULE, f"{entry.points} points cannot be studied: {room} of the award are left", f"write {room}", "points", room, over=over
            )
        points = max(0, min(entry.points, room))
        gained = studied(self.rules, points, entry.qr).value
        self.last -= points
        self.general -= gained
        self.education[entry.field] = self.education.get(entry.field, 0) + gained

    def _lose(self, entry: Loss) -> Iterator[Fault]:
        before = self.losses.get(entry.attribute, (0, 0))
        now = (before[0] + entry.inherent, before[1] + entry.trained)
        self.losses[entry.attribute] = now
        for field, rule_id, gained, had in (
            ("inherent", "fs-physiotherapy", -now[0], before[0]),
            ("trained", "fs-major-injury", -now[1], before[1]),
        ):
            if gained > 0:
                message = f"{entry.attribute}: more {field} points are won back than were lost"
                yield Fault(rule_id, message, f"write {-max(0, had)}", field, -max(0, had), over=gained)
        value, low = self.person.attribute(entry.attribute), self.person.inherent.of(entry.attribute)
        self.person = replace(
            self.person,
            inherent=replace(self.person.inherent, **{entry.attribute: low - entry.inherent}),
            attributes=replace(self.person.attributes, **{entry.attribute: value - entry.trained}),
        )

    def _purchase(self, entry: Purchase) -> Iterator[Fault]:
        key, what = (entry.buy, entry.what), bought(entry)
        if not entry.done:
            paid = max(0, entry.points or 0)
            if not paid:
                yield Fault(RULE, f"{what}: an instalment must say how many points were paid")
            self.paid[key] = self.paid.get(key, 0) + paid
            yield from self._pay(entry, paid)
            return
        faults = list(self._allowed(entry))
        if any(not fault.warning for fault in faults):
            yield from faults
            return
        yield from faults
        cost, before = self._price(entry), self.paid.pop(key, 0)
        due = max(0, cost - before)
        if before > cost:
            yield Fault(
                RULE, f"{what}: {before} points were paid in instalments where the book asks {cost}", over=before - cost, warning=True
            )
        if entry.points is not None and entry.points != due:
            fewer = max(0, due - entry.points)
            yield replace(self.other_price(what, due, entry.points), over=fewer)
            due = max(0, entry.points)
        yield from self._pay(entry, due)
        self.raised.add((*key, entry.adventure or f"after award {self.awards}"))
        if entry.buy == "insight":
            self.insights.add(entry.what)
        if entry.buy == "attribute":
            self.person = replace(self.person, attributes=replace(self.person.attributes, **{entry.what: entry.to}))
        else:
            self.person = having_bought(self.person, entry)

    def _pay(self, entry: Purchase, points: int) -> Iterator[Fault]:
        self.spent += points
        if entry.buy in ("field", "specialization"):
            have = self.education.get(entry.what, 0)
            self.education[entry.what] = max(0, have - points)
            if points > have:
                over = points - have
                yield Fault(RULE, f"{bought(entry)}: {points} education points of {have} studied", over=over)
        else:
            have = self.general
            self.general = max(0, have - points)
            if points > have:
                yield Fault(RULE, f"{bought(entry)}: {points} points of {have} in hand", over=points - have)

    # what may be bought

    def _allowed(self, entry: Purchase) -> Iterator[Fault]:
        what = bought(entry)
        if (entry.buy, entry.what, entry.adventure or f"after award {self.awards}") in self.raised and entry.buy not in _FREELY:
            yield Fault(RULE, f"{what}: no ability rises twice at a time")
            return
        if entry.immersed and not (entry.buy == "field" and is_language(split_name(entry.what)[0])):
            yield Fault(
                "fs-language-immersion",
                f"{short(entry.what)} is not a language, so it has no immersion",
                "write false",
                "immersed",
                value=False,
            )
            return
        match entry.buy:
            case "attribute":
                yield from self._attribute(entry)
            case "skill":
                yield from self._skill(entry)
            case "field" | "specialization":
                yield from self._field(entry)
            case "environment" | "gravity":
                yield from self._place(entry)
            case "familiarity":
                known = split_name(entry.what)[0]
                if known not in SKILLS(self.rules) and known not in FIELDS(self.rules) and known not in ATTRIBUTES:
                    yield Fault("fs-ltf", f"there is no ability {short(entry.what)!r} to be familiar with")
                elif Familiarity(entry.what, entry.name) in self.person.familiarities:
                    yield Fault("fs-ltf", f"there is one long-term familiarity with {short(entry.name)} and no second")
            case "favor":
                if not self._free_favor() and (self.person.level(HTH) or 0) < (later := FAVORED.of(self.rules, "second from level")):
                    message = f"further weapons are favored from level {later} of {HTH} on"
                    yield Fault("fs-favored-weapon", message)
                elif self.person.favored_weapons.count(entry.what) >= FAVORED.of(self.rules, "most for one class"):
                    yield Fault("fs-favored-weapon", f"{short(entry.what)} is favored twice already")
            case "favored field":
                yield from self._favored_field(entry)
            case "insight":
                yield from self._insight(entry)
            case "ambidexterity":
                if self.person.ambidextrous:
                    yield Fault("fs-spending-cps", "ambidexterity is bought once")
            case "wealth":
                return

    def _free_favor(self) -> bool:
        """Whether the level of Hand-to-Hand Combat has brought a favored class that was not chosen yet."""
        level = self.person.level(HTH)
        return level is not None and len(self.person.favored_weapons) < favored_classes(self.rules, level).value

    def _favored_field(self, entry: Purchase) -> Iterator[Fault]:
        had, most = self.person.favored_fields, favored_fields(self.rules, max(0, self.person.level("Theory") or 0)).value
        fault = unfavorable(self.person, entry.what, had)
        if len(had) >= most:
            fault = f"{short(entry.what)}: Theory favors {most} fields, and they are chosen"
        if fault:
            yield Fault("fs-favored-field", fault)

    def _step(self, entry: Purchase, now: int, most: int, rule_id: str) -> Iterator[Fault]:
        what = f"{entry.what} to {entry.to}"
        if now >= most:
            yield Fault(rule_id, f"{what}: {most} is the most there can be", over=max(0, entry.to - most))
        elif entry.to != now + 1:
            message = f"{what}: one step at a time, and it is now {now}"
            yield Fault(RULE, message, f"write {now + 1}", "to", now + 1, over=max(0, entry.to - now - 1))

    def _attribute(self, entry: Purchase) -> Iterator[Fault]:
        if entry.what not in ATTRIBUTES:
            yield Fault("fs-attributes", f"there is no attribute {short(entry.what)!r}")
            return
        most = highest_trained(self.rules, self.person.inherent.of(entry.what)).value
        yield from self._step(entry, self.person.attribute(entry.what), most, "fs-attributes")

    def _skill(self, entry: Purchase) -> Iterator[Fault]:
        if split_name(entry.what)[0] not in SKILLS(self.rules):
            yield Fault("fs-skill-list", f"there is no skill {short(entry.what)!r}")
            return
        now = self.person.level(entry.what)
        most = min(MOST_LEVEL, highest_level(self.rules, entry.what, self.person.attributes).value)
        if entry.like:
            yield from self._head_start(entry, most)
            return
        yield from self._step(entry, -1 if now is None else now, most, "fs-skill-score")

    def _head_start(self, entry: Purchase, most: int) -> Iterator[Fault]:
        rule_id, known = "fs-generic-skills", self.person.level(entry.like)
        if known is None:
            yield Fault(rule_id, f"{short(entry.like)} is not known, so {short(entry.what)} has no head start from it")
            return
        if self.person.level(entry.what) is not None:
            yield Fault(rule_id, f"{short(entry.what)} is known already, and only a new skill has a head start")
            return
        low, high = (min(most, head_start(self.rules, known, percent).value) for percent in ALIKE)
        if not low <= entry.to <= high:
            to = max(low, min(high, entry.to))
            message = f"{short(entry.what)} like {short(entry.like)} begins at level {low} to {high}, not {entry.to}"
            yield Fault(rule_id, message, f"write {to}", "to", to, over=max(0, entry.to - high))

    def _field(self, entry: Purchase) -> Iterator[Fault]:
        field, own = split_name(entry.what)
        row = FIELDS(self.rules).get(field)
        if row is None:
            yield Fault("fs-field-list", f"there is no field {short(entry.what)!r}")
            return
        tier = self._tier(field, own)
        if entry.buy == "field":
            if entry.level == "basic" and row.basic is None:
                yield Fault("fs-fields-levels", f"{field} has no basic tier", "write standard", "level", "standard")
            elif tier == "standard" or tier == entry.level:
                yield Fault("fs-fields-levels", f"{short(entry.what)} is known at {tier} already")
        elif row.specialization is None:
            yield Fault("fs-fields-levels", f"{field} has no specializations")
        elif tier != "standard" and not (tier == "basic" and self.rules.on("specialize-from-basic")):
            yield Fault("fs-fields-levels", f"a specialization of {field} needs standard knowledge")
        elif not entry.name.strip():
            yield Fault("fs-fields-levels", f"a specialization of {field} has no name")

    def _tier(self, field: str, own: str) -> str:
        return next((known.level for known in self.person.fields if known.field == field and known.name == own), "")

    def _place(self, entry: Purchase) -> Iterator[Fault]:
        table = ENVIRONMENTS if entry.buy == "environment" else GRAVITIES
        known = self.person.environments if entry.buy == "environment" else self.person.gravities
        if entry.what not in table(self.rules):
            yield Fault(table.rule, f"there is no {entry.buy} {short(entry.what)!r}")
            return
        yield from self._step(entry, known.get(entry.what, 0), MOST_FAMILIAR, table.rule)

    def _insight(self, entry: Purchase) -> Iterator[Fault]:
        rule_id = "fs-character-modifiers"
        if split_name(entry.what)[0] not in SKILLS(self.rules):
            yield Fault(rule_id, f"there is no skill {short(entry.what)!r}")
            return
        level = self.person.level(entry.what)
        if entry.what in self.insights:
            yield Fault(rule_id, f"there is one unique insight into {entry.what}, and it is had already")
        elif level is None or level < highest_level(self.rules, entry.what, self.person.attributes).value:
            yield Fault(rule_id, f"a unique insight needs {entry.what} at its highest level")
        elif skill_score(self.rules, entry.what, level, self.person.attributes).value < INSIGHT_SCORE:
            yield Fault(rule_id, f"a unique insight needs a score of {INSIGHT_SCORE} in {entry.what}")

    def _price(self, entry: Purchase) -> int:
        """The price of an allowed purchase."""
        rules, person = self.rules, self.person
        match entry.buy:
            case "attribute":
                now = person.attribute(entry.what)
                return attribute_price(rules, person.inherent.of(entry.what), now + 1, now).value
            case "skill":
                level = person.level(entry.what)
                if entry.like:  # the level of a head start costs nothing beyond the skill itself
                    return skill_price(rules, entry.what).value
                return skill_price(rules, entry.what, 0 if level is None else level + 1, level).value
            case "field":
                field, own = split_name(entry.what)
                whole = field_price(rules, field, entry.level, 0, self._tier(field, own)).value
                return half_up(whole / 2) if entry.immersed else whole
            case "specialization":
                field, own = split_name(entry.what)
                tier = self._tier(field, own)
                return field_price(rules, field, "basic" if tier == "basic" else "standard", 1, tier).value
            case "environment" | "gravity":
                return price(rules, f"{entry.buy} familiarity")
            case "familiarity":
                return familiarity_price(rules, entry.what).value
            case "favor":
                return 0 if self._free_favor() else price(rules, "favored weapon class")
            case "favored field":
                return 0
            case "insight":
                return price(rules, "unique insight") * SKILLS(rules)[split_name(entry.what)[0]].cost
            case "ambidexterity":
                return price(rules, "ambidexterity")
            case _:
                return price(rules, "wealth up")


_FREELY = ("specialization", "familiarity", "favor", "favored field", "wealth")


def unfavorable(person: Person, favored: str, before: tuple[str, ...]) -> str:
    """Why a field or specialization cannot be favored besides those before; nothing where it can.

    It has to be known, a field beyond the basics, a specialization with its field favored too, and neither twice.
    """
    pair = person.of_favor(favored)
    if pair is None:
        return f"{short(favored)} is favored, but not known"
    known, special = pair
    earlier = [person.of_favor(name) for name in before]
    if any(pair is not None and pair[0].title == known.title and pair[1] == special for pair in earlier):
        return f"{short(favored)} is already favored"
    if not special and known.level == "basic":
        return f"{short(favored)} is known at basic, and only what is known beyond the basics is favored"
    if special and not any(pair is not None and pair[0].title == known.title and not pair[1] for pair in earlier):
        return f"{short(favored)} is a specialization: {known.title} has to be favored before it"
    return ""


def standing(rules: Ruleset, character: Character) -> Standing:
    """Where a character stands at the end of the log."""
    return Standing(rules, character).after(character.experience)


def bought(entry: Purchase) -> str:
    """A purchase in words."""
    what = short(entry.what)
    if entry.buy in ("attribute", "skill", "environment", "gravity"):
        return f"{what} {entry.to}"
    if entry.buy == "field":
        return f"{what}, {entry.level}"
    return f"{entry.buy}: {what}{f', {short(entry.name)}' if entry.name else ''}"
