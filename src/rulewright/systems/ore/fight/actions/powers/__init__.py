"""Powers as actions of a fight: the actions, what each effect does, the damage, and the log events."""
