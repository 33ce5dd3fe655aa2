"""The `fight` command: a person at the terminal, the option menu, the log, cards and the text map."""
