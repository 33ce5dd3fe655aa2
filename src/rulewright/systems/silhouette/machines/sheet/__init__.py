"""The sheet of a machine: its parts, price previews, and the printed record sheet."""
