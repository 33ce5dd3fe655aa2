"""Drama: luck, Genre Points, Perks and Flaws in play."""
