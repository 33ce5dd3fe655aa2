"""Pictures of the pages that were drawn before they were built: at the desk and on a phone, by day and by night.

`RULEWRIGHT_PICTURES=1 pytest tests/web/test_page_pictures_browser.py` keeps them in docs/pictures.
"""

import os
from pathlib import Path

import pytest
from tests.web.conftest import Visit

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 664}}
RIDER = "/games/silhouette/characters/bounty-rider"
PAGES = {
    "game": "/games/silhouette",
    "builder": f"{RIDER}?step=gear",
    "builder-skills": f"{RIDER}?step=skills",
    "builder-finish": f"{RIDER}?step=finish",
    "designer": "/games/silhouette/vehicles/heron-walker",
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_its_screen_and_is_pictured(visit: Visit, scheme: str, size: str, tmp_path: Path) -> None:
    folder = PICTURES if os.environ.get("RULEWRIGHT_PICTURES") else tmp_path
    page = visit("/", viewport=SIZES[size], color_scheme=scheme)
    for name, address in PAGES.items():
        page.goto(address)
        page.evaluate("document.fonts.ready")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        kept = folder / f"{name}-{size}-{scheme}.jpg"
        page.screenshot(path=kept, animations="disabled", type="jpeg", quality=70)
        assert kept.stat().st_size > 10_000
