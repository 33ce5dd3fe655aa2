"""The live table in the browser: board, questions, log, updates, notes, API."""
