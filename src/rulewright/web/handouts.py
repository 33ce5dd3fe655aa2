"""Notes with simple formatting: Markdown, cleaned of everything that is not text, lists, tables and links."""

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "blockquote", "code", "pre", "ul", "ol", "li", "a", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])


@lru_cache(maxsize=512)
def formatted(text: str) -> Markup:
    """A note as it is drawn; whatever else stands in it is text. Headings begin below those of the page."""
    drawn = _markdown.render(text)
    for level in (4, 3, 2, 1):
        drawn = drawn.replace(f"<h{level}>", f"<h{level + 2}>").replace(f"</h{level}>", f"</h{level + 2}>")
    clean = nh3.clean(drawn, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https"}, link_rel="noopener noreferrer nofollow")
    return Markup(clean)
