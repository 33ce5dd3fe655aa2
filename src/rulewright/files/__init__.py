"""The YAML people keep: read strictly, checked against a type with errors a person can act on, and saved without losing a comment.

Reading walks the parser's events once and builds plain values and their places itself, so that nothing dangerous (aliases, tags,
endless nesting) is ever composed. Saving over an existing file replaces only the pieces of its text that changed, so that comments,
key order and layout stay as the person left them; whatever is about to be written is read back first and must give the same data.
"""

from rulewright.files.documents import MAX_BYTES, MAX_DEPTH, MAX_NODES, Document, FieldPath, Header, did_you_mean, dotted, stamped
from rulewright.files.field_edits import merge, set_at
from rulewright.files.file_writer import put, write
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
    "set_at",
    "stamped",
    "write",
]
