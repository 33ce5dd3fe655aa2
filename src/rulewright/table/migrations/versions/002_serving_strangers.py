"""Drafts of visitors, shared rate limits and simulation jobs, the last use of devices, and an anchor for each table.

The anchor is the number and checksum of a table's last line; it reveals a log that was cut off.

Revision ID: 002
Revises: 001
"""

import sqlalchemy as sa
from alembic import op

revision = "002"
down_revision = "001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "visits",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("place", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("visits_at", "visits", ["at"])
    op.create_index("visits_place", "visits", ["place", "at"])
    op.create_table(
        "rates",
        sa.Column("bucket", sa.String(120), primary_key=True),
        sa.Column("level", sa.Float, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("stop", sa.Boolean, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.add_column("tables", sa.Column("last", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("anchor", sa.String(64), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("about", sa.String(80), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("seats", "about")
    op.drop_column("seats", "seen")
    op.drop_column("tables", "anchor")
    op.drop_column("tables", "last")
    for name in ("jobs", "rates", "visits"):
        op.drop_table(name)
