"""The one exception for what a person can put right: a clear sentence, never a traceback."""


class Wrong(Exception):
    """Something a person gave us cannot be used; the message says what is wrong, where, and what would be right."""
