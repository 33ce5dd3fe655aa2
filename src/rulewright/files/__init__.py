"""YAML files of users: read strictly, validated with helpful errors, and saved without losing comments.

Reading processes the parser's events once and builds plain values with their positions, so that nothing dangerous (aliases, tags, endless
nesting) is ever composed. Saving over an existing file replaces only the parts of its text that changed, so that comments, key order and
layout stay; everything is read back and compared before it is written.
"""

from rulewright.files.documents import MAX_BYTES, MAX_DEPTH, MAX_NODES, Document, FieldPath, Header, did_you_mean, dotted, stamped
from rulewright.files.field_edits import merge, set_at
from rulewright.files.file_writer import put, rewritten, write
from rulewright.files.validation import convert, explain, explain_value
from rulewright.files.yaml_format import ordered, render
from rulewright.files.yaml_reader import Readable, header, parse, parse_value, read, read_data
from rulewright.files.yaml_scalars import MAX_DIGITS

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_NODES",
    "Document",
    "FieldPath",
    "Header",
    "Readable",
    "convert",
    "did_you_mean",
    "dotted",
    "explain",
    "explain_value",
    "header",
    "merge",
    "ordered",
    "parse",
    "parse_value",
    "put",
    "read",
    "read_data",
    "render",
    "rewritten",
    "set_at",
    "stamped",
    "write",
]
