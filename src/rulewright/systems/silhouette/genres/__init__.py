"""Genre profiles and their special rules (book lines 7042-7397)."""
