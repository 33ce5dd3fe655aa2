"""Database migrations, run by alembic."""
