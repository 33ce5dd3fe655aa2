"""Units of a battle: machines, their crews, their damage, and the state of the battle."""
