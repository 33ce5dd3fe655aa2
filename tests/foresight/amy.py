"""Amelia Kwan, whom the book builds step by step (lines 440-448, 536-557, 671-1053)."""

from rulewright.systems.foresight.people.attributes import Attributes
from rulewright.systems.foresight.people.characters import Background, Character, Gear, Known, Worn

INHERENT = Attributes(ST=7, EN=7, DX=8, AG=8, IN=11, PC=11, EM=10, WP=9, AP=10)  # 553
TRAINED = Attributes(ST=7, EN=7, DX=10, AG=8, IN=12, PC=12, EM=12, WP=11, AP=12)  # 875

AMY = Character(
    "Amy Kwan",
    concept="a former detective who hunts weapons of mass destruction",
    age=27,  # 679
    tl=6,
    factors=4,
    attributes=INHERENT,
    trained={"DX": 10, "IN": 12, "PC": 12, "EM": 12, "WP": 11, "AP": 12},
    background=(  # 675
        Background("Comfortable Childhood"),
        Background("Full-Time Education", merit=10),
        Background("Field/Specialist Training", merit=10),
        Background("Field Experience", merit=15),
    ),
    package="Near Future",  # 712
    skills={  # 1031-1053
        "Athletics": 3,
        "Charisma": 11,
        "Confidence": 13,
        "Dance": 1,
        "Groundcraft": 4,
        "Hand-to-Hand Combat": 4,
        "Handguns": 4,
        "Initiative": 4,
        "Lockpicking": 4,
        "Search": 9,
        "Stamina": 4,
        "Stealth": 4,
        "Teach": 2,
        "Theory": 6,
    },
    fields=(  # 982-992
        Known("Language", name="English", free=True),
        Known("Literacy", name="Latin script", free=True),
        Known("Physics", "basic", free=True),
        Known("Mathematics", "basic", free=True),
        Known("Computer Science"),
        Known("Law"),
        Known("Psychology"),
        Known("Forensic Science"),
        Known("Photography"),
        Known("Surveillance", "basic"),
        Known("Unarmed Combat Defensive"),
    ),
    gear=Gear(armor=(Worn("Silkweave", "Vest"),)),  # 3952
)
