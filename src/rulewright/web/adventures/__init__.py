"""Adventures on pages: the list of adventures, starting one, playing it at a table, and the editor."""
