"""Combat: who fights, with what, and what an attack is made of."""
