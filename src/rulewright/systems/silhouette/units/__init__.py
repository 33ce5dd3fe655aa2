"""Who fights in a battle of machines: units, their crews, what harm has left of them, and the battle they are in."""
