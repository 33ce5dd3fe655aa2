"""Database migrations, one per revision."""
