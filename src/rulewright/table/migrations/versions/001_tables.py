"""Tables, their lines, links, seats, and the server's own keys.

Revision ID: 001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("system", sa.String(80), nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lines",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String(32), nullable=False),
        sa.Column("key", sa.String(80), nullable=True),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.UniqueConstraint("table_id", "who", "key", name="lines_key"),
    )
    op.create_table(
        "links",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("link", sa.String(60), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("passphrase", sa.String(200), nullable=False, server_default=""),
    )
    op.create_table(
        "seats",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("member", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("seats_table", "seats", ["table_id", "member"])
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for name in ("server_keys", "seats", "links", "lines", "tables"):
        op.drop_table(name)
