"""Sheets in the browser: blocks, editing, nested forms, tests, experience, files."""
