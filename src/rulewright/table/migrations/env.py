"""Alembic's own way in, for `alembic` on the command line; the server migrates through `rulewright.table.migrating`."""
