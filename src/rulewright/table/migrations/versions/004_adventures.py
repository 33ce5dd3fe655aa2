"""Adventures that a visitor imported or wrote.

Revision ID: 004
Revises: 003
"""

import sqlalchemy as sa
from alembic import op

revision = "004"
down_revision = "003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "adventures",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("place", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("adventures_device", "adventures", ["device", "at"])
    op.create_index("adventures_place", "adventures", ["place"])


def downgrade() -> None:
    op.drop_table("adventures")
