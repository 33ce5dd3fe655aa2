"""The web application: pages, live updates and an HTTP API. Everything is drawn from what a game describes; no page knows a game."""
