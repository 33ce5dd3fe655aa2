"""The append-only log of a table: entries, stored lines, their text, and who may see them."""
