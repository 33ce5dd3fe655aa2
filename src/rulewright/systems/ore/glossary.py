"""The short words of the One Roll Engine that stand on sheets, cards and in logs, each explained in a few words of our own."""

GLOSSARY = {
    "AR": "Armour Rating: what armour takes off the damage of a hit",
    "PEN": "Penetration: how much of the armour a weapon passes over",
    "VR": "visual range: near enough to see, and for guns",
    "BVR": "beyond visual range: for weapons that are locked on",
    "ER": "escape range: far enough to break off",
    "ECM": "electronic countermeasures, which jam sensors and locks",
    "ECCM": "what sees through jamming",
    "AU": "astronomical unit: from the Earth to the Sun",
    "GM": "the gamemaster",
    "XP": "experience points, earned in play and spent on what is learnt",
}
