"""The gamemaster's tables, and people made from them (book lines 6406-6890)."""
