"""Play between fights that is the same in every game: roll requests. Games add their own tests, difficulties and ways to cooperate."""
