"""Run by alembic to migrate, on the connection and in the transaction of `rulewright.table.storage.schema`."""

from alembic import context

from rulewright.table.storage.columns import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
