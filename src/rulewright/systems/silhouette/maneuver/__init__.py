"""How machines move: speeds, terrain, turning, jumping, towing, room in a hex (book lines 4360-4460)."""
