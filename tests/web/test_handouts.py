"""Notes are Markdown, and nothing else in them is more than text."""

import pytest

from rulewright.web.markdown import render_markdown


def test_simple_formatting_is_drawn():
    assert "<strong>bold</strong>" in render_markdown("**bold**")
    assert "<li>one</li>" in render_markdown("- one\n- two")
    assert render_markdown("# The ford").startswith("<h3>The ford</h3>")
    assert "<td>2</td>" in render_markdown("| a | b |\n|---|---|\n| 1 | 2 |")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](http://elsewhere/x.png)",
        "[x](javascript:alert(1))",
        "<b onclick=x>y</b>",
    ],
)
def test_what_could_do_anything_is_text(text):
    drawn = render_markdown(text)
    for wrong in ("<script", "<img", 'href="javascript', "<b "):
        assert wrong not in drawn


def test_a_picture_of_the_table_is_drawn_and_no_other():
    digest = "0123456789abcdef" * 2
    here = f"![the mill](picture:{digest})"
    assert f'<img src="/tables/t/pictures/{digest}" alt="the mill" loading="lazy">' in render_markdown(here, "/tables/t")
    elsewhere = ["![the mill](picture:../../x)", f"![the mill](/tables/u/pictures/{digest})", f"![the mill](pictures:{digest})"]
    for text, table in [(here, ""), *((other, "/tables/t") for other in elsewhere)]:
        drawn = render_markdown(text, table)
        assert "<img" not in drawn
        assert "the mill" in drawn
