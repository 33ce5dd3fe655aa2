"""The database: tables and lines, schema, pictures, backup, rescue, export and administration."""
