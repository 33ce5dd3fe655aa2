"""Abbreviations of the One Roll Engine with short explanations."""

GLOSSARY = {
    "AR": "Armour Rating: the damage that armour stops",
    "PEN": "Penetration: the Armour Rating that a weapon ignores",
    "VR": "visual range: close enough to see and to fire guns",
    "BVR": "beyond visual range: only for weapons that lock on",
    "ER": "escape range: far enough to break off the engagement",
    "ECM": "electronic countermeasures: they jam sensors and locks",
    "ECCM": "electronic counter-countermeasures: they see through jamming",
    "AU": "astronomical unit: the distance from the Earth to the Sun",
    "GM": "the gamemaster",
    "XP": "experience points: earned in play, spent on advancement",
}
