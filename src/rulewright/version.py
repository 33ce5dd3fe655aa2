"""The version of the library and its file formats' stamps."""

__version__ = "0.9.5"
