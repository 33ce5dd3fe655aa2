"""Output for people and programs: serialization, prose, charts, PDF sheets, and answers of commands and the HTTP API."""
