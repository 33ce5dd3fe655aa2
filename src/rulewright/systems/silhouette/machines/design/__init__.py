"""The design rules: size, speed, systems, traits, crews, constructions, Threat Value, cost."""
