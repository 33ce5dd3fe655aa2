"""Pages and an HTTP interface, drawn from what each game describes of itself; no page knows a game."""
