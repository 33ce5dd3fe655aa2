"""What alembic runs to migrate: on the connection that `rulewright.table.storage.schema` hands it, within its transaction."""

from alembic import context

from rulewright.table.storage.columns import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
