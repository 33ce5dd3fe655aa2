"""Renders Markdown to safe HTML: notes with lists, tables, links and pictures of the table, and chat messages."""

import re
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

from rulewright.table.picture_rights import DIGEST

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "blockquote", "code", "pre", "ul", "ol", "li", "a", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td", "img"),
}
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
_line = MarkdownIt("zero", {"html": False, "breaks": True}).enable(["emphasis", "strikethrough", "backticks", "newline", "escape"])
_IMAGE = re.compile(r'<img src="(?P<of>[^"]*)" alt="(?P<words>[^"]*)"[^>]*>')


@lru_cache(maxsize=512)
def render_markdown(text: str, table: str = "") -> Markup:
    """Render a note to HTML; anything that is not allowed stays text.

    Headings start at level 3. `![alt](picture:DIGEST)` shows a picture of the table; `table` is the URL of the table.
    """
    drawn = _IMAGE.sub(lambda match: _image_tag(match, table), _markdown.render(text))
    for level in (4, 3, 2, 1):
        drawn = drawn.replace(f"<h{level}>", f"<h{level + 2}>").replace(f"</h{level}>", f"</h{level + 2}>")
    clean = nh3.clean(
        drawn,
        tags=TAGS,
        attributes={"a": {"href"}, "img": {"src", "alt", "loading"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(clean)


LINE_TAGS = {"br", "em", "strong", "s", "code"}


@lru_cache(maxsize=512)
def render_line(text: str) -> Markup:
    """Render a chat message to HTML: bold, italic, struck and code; everything else stays text."""
    return Markup(nh3.clean(_line.renderInline(text), tags=LINE_TAGS, attributes={}))


def _image_tag(match: re.Match[str], table: str) -> str:
    """An image tag for a picture of the table; the alt text alone for any other picture."""
    scheme, _, digest = match["of"].partition(":")
    if scheme != "picture" or DIGEST.fullmatch(digest) is None or not table:
        return match["words"]
    return f'<img src="{table}/pictures/{digest}" alt="{match["words"]}" loading="lazy">'
