"""What a campaign decides about rounds, movement, close combat and the social game."""

from rulewright.rules import Setting
from rulewright.systems.silhouette.declaring import number, word

ACTION_OPTIONS: tuple[Setting, ...] = ()

ACTION_RULINGS = (
    number(
        "sprint-base",
        "sil-3.2.2-move-rates",
        "2027, 2032, 5792",
        20,
        5,
        50,
        "Metres of an average sprint",
        "The text says 25 and the table 20; an average person who jogs 10 metres a round, as in the chapter on gravity, sprints 20.",
    ),
    word(
        "pace-with-flesh-wounds",
        "sil-3.2.5-injury-movement",
        "2075, 2483",
        ("jogging", "running"),
        "Fastest pace with a Flesh Wound",
        "One passage bars only sprinting, another running as well.",
    ),
    word(
        "climbing-attribute",
        "sil-3.2.7-climbing",
        "897, 8181",
        ("fitness", "agility"),
        "Attribute of climbing",
        "No attribute is named with the rule: the skill suggests Fitness, an example of the first chapter uses Agility.",
    ),
    word(
        "grip-penalty",
        "sil-3.2.7-climbing",
        "2109, 2651",
        ("at once", "from the next failure"),
        "What a lost grip costs",
        "The example counts 1 as soon as the grip begins to go, the text only for further failures.",
    ),
    word(
        "last-hold",
        "sil-3.2.7-climbing",
        "2109",
        ("own dice", "with Emergency Dice"),
        "The last hold",
        "Whether Emergency Dice still in hand count when it is asked if any roll could pass.",
    ),
    word(
        "fall-order",
        "sil-3.2.8-softening-and-surfaces",
        "2145, 2151",
        ("softening first", "surface first"),
        "A softened fall and the ground",
        "Whether the ground multiplies what an Athletics roll left of a fall, or the roll is taken off what the ground made of it.",
    ),
    word(
        "speed-in-a-chase",
        "sil-3.2.6-chase",
        "2081, 2645",
        ("added", "left out"),
        "Speed in a chase",
        "The rule adds each runner's metres a round to the roll; the example gives none.",
    ),
)
