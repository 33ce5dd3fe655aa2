"""Characters: statistics, skills, advantages, feats and packages."""
