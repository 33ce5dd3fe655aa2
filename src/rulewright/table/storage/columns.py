"""The tables and columns of the database."""

import sqlalchemy as sa

METADATA = sa.MetaData()


TABLES = sa.Table(
    "tables",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("system", sa.String(80), nullable=False),
    sa.Column("made_at", sa.BigInteger, nullable=False),
    sa.Column("last", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("anchor", sa.String(64), nullable=False, server_default=""),
)


LINES = sa.Table(
    "lines",
    METADATA,
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


LINKS = sa.Table(
    "links",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("link", sa.String(60), primary_key=True),
    sa.Column("hash", sa.String(64), nullable=False),
    sa.Column("passphrase", sa.String(200), nullable=False, server_default=""),
)


SEATS = sa.Table(
    "seats",
    METADATA,
    sa.Column("device", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("member", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("about", sa.String(80), nullable=False, server_default=""),
    sa.Index("seats_table", "table_id", "member"),
)


PICTURES = sa.Table(
    "pictures",
    METADATA,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("digest", sa.String(32), primary_key=True),
    sa.Column("who", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("width", sa.Integer, nullable=False),
    sa.Column("height", sa.Integer, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)


KEYS = sa.Table(
    "server_keys",
    METADATA,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)


VISITS = sa.Table(
    "visits",
    METADATA,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("place", sa.String(64), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("visits_at", "at"),
    sa.Index("visits_place", "place", "at"),
)


RATES = sa.Table(
    "rates",
    METADATA,
    sa.Column("bucket", sa.String(120), primary_key=True),
    sa.Column("level", sa.Float, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)


JOBS = sa.Table(
    "jobs",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("done", sa.Boolean, nullable=False),
    sa.Column("stop", sa.Boolean, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)


WEBHOOKS = sa.Table(
    "webhooks",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("member", sa.String(32), nullable=False),
    sa.Column("url", sa.String(2000), nullable=False),
    sa.Column("secret", sa.String(80), nullable=False),
    sa.Column("mark", sa.String(32), nullable=False),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column("due", sa.BigInteger, nullable=False),
    sa.Column("note", sa.String(200), nullable=False, server_default=""),
    sa.Index("webhooks_table", "table_id"),
)


PASSING = (RATES, JOBS)
"""Short-lived tables, which no backup contains."""
