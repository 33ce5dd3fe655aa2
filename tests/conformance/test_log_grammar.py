"""Log lines, questions, options and dice read as English: numbers agree with nouns, articles with vowels, verbs with names.

Rule ids, field names and values of Python do not occur in them, and no number has more than three significant digits.
"""

import re

import pytest

from conformance.games import demos, seeds, staged
from conformance.random_play import steps_of
from rulewright.cli.play.log import roll_words
from rulewright.grammar import is_crowd, is_plural
from rulewright.play import Event, Range
from rulewright.play.drivers import Rolled

MOST_STEPS = 50
BOLDNESS = 0.5
MOST_OPTIONS = 60
SINGULAR = "die|hex|metre|meter|round|action|point|wound|shot|bullet|step|level|minute|hour|day|box|mook|count|dose|hit|turn|bonus action"
VERBS = "roll|have|are|do|hit|miss|take|fire|move|attack|walk|run|lose|fall|make|get|draw|surrender|withdraw|suffer"
FAULTS = {
    "1 with a plural": re.compile(r"(?<![-–+×x\d] )(?<![-–.,:/+×x\d])\b1 (?!\w*(?:ss|us|is)\b)[a-z]+s\b"),
    "a number above 1 with a singular": re.compile(rf"(?<![\d./:x-])\b(?:[2-9]|\d\d+) (?:{SINGULAR})\b(?![- ](?:of|levels?)\b)"),
    "a before a vowel": re.compile(r"\ba (?!uni(?!n|m)|use|usu|eu|one\b|once\b|u-)[aeiou]\w", re.IGNORECASE),
    "an before a consonant": re.compile(r"\ban (?!hour|honest|hono|heir)[bcdfghjklmnpqrstvwxyz]\w*[a-z]", re.IGNORECASE),
    "two articles": re.compile(r"\b(?:the|a|an) (?:the|my|your|his|her|its|a|an)\b"),
    "a word twice": re.compile(r"\b([a-z]+) \1\b"),
    "a value of Python": re.compile(r"\b(?:None|True|False|nan|inf)\b|[{}]|\(\)|\['"),
    "a field name": re.compile(r"\b[a-z]+_[a-z_]+\b"),
    "a rule id": re.compile(r"\b(?:scumm|hyb|fs|sil|ore)-[a-z0-9.]+-[a-z]"),
    "more than three significant digits": re.compile(
        r"(?<![\d.])(?:[1-9]\d{0,2}\.\d*[1-9]\d{2}|0\.0*[1-9]\d{3,}|\d{2,}\.\d{2,}|\d{3,}\.\d)\d*(?![\d.])"
    ),
    "stray punctuation": re.compile(r" [,;:.!?](?!\d)|,[,;:.]|;[;:.]|[^.]\.\.(?!\.)|: *$|  "),
}


def faults(text, names, crowds, sides):
    """The faults of a line, in which names are replaced first: "Guard 1 rolls" and "9mm" are no counts."""
    found = [
        f"{name} with the verb of several"
        for name in names
        if name not in crowds and not is_crowd(name) and re.search(rf"(?:^|: ){re.escape(name)} (?:{VERBS})\b", text)
    ]
    found += [
        f"{side} with the verb of one"
        for side in sides
        if is_plural(side) and re.search(rf"^{re.escape(side)} (?:wins|has|sets|plays)\b", text)
    ]
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "N")
    return [*found, *[what for what, pattern in FAULTS.items() if pattern.search(text)]]


def lines(stream):
    """Everything a step shows to people, except sums, which are exact."""
    for item in stream:
        if isinstance(item, tuple):
            choice, _ = item
            yield choice.ask_for
            if not isinstance(choice.options, Range):
                for option in choice.options[:MOST_OPTIONS]:
                    yield from (option.label, option.note)
        elif isinstance(item, Event):
            yield from item.headline().splitlines()
        elif isinstance(item, Rolled):
            yield roll_words(item)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("recoil of 1 shots", "1 with a plural"),
        ("a hit costs 2 point", "a number above 1 with a singular"),
        ("Ana has a Out more", "a before a vowel"),
        ("Toss the my pistol away", "two articles"),
        ("Ana wards wards", "a word twice"),
        ("-2 6.87594 m", "more than three significant digits"),
        ("effect None", "a value of Python"),
        ("loses hit_points", "a field name"),
        ("takes 3, sil-3.4-ambush", "a rule id"),
        ("the gun, which misses,: light damage", "stray punctuation"),
        ("Tobias roll 2 dice", "Tobias with the verb of several"),
        ("raiders sets the range", "raiders with the verb of one"),
    ],
)
def test_a_fault_is_recognised(text, fault):
    assert fault in faults(text, {"Ana", "Tobias"}, (), ("raiders",))


@seeds
@pytest.mark.parametrize("name", demos("scenario"))
def test_lines_read_as_english(name, seed):
    wrong, seen = {}, set()
    scene, names = staged(name).scene, set()
    for before, _, stream in steps_of(name, seed, MOST_STEPS, BOLDNESS):
        sides = scene.sides(before)
        groups = {group.name for group in getattr(before, "groups", ())}
        names |= {card.name for card in scene.view(before, None).cards} | {who for side in sides.values() for who in side} | groups
        for text in lines(stream):
            if text and text not in seen:
                seen.add(text)
                for fault in faults(text, names, groups, sides):
                    wrong.setdefault(fault, text)
    assert wrong == {}
