"""People: who they are, what they can do, and how they grow."""
