"""Genres: profiles that a campaign may follow, and what they add (book lines 7042-7397)."""
