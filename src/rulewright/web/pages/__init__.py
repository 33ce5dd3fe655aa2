"""Pages without a table: home, games, odds, rule book, lab, NPC generator, drafts of visitors, the public API."""
