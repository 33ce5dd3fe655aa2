"""Pictures that people bring: looked at before they are unpacked, and always written anew, so that nothing but the picture is kept.

Pillow does the work, where it is installed (`pip install 'rulewright[pictures]'`). Exactly three formats are read; whatever was in the
file beside the picture, such as where it was taken, is not in what is written.
"""

import threading
from collections.abc import Iterable
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from rulewright.errors import UserError

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 32 << 20
MOST_PIXELS = 36_000_000
QUALITY, METHOD = 75, 2
EXTRA = "pictures need Pillow: pip install 'rulewright[pictures]'"
_one_at_a_time = threading.Lock()
"""A picture unpacked takes a lot of room, so there is never more than one."""


class Written(Struct, frozen=True):
    """A picture written anew, as WebP, and its size in pixels."""

    body: bytes
    width: int
    height: int


def available() -> bool:
    """Whether pictures can be read here."""
    return find_spec("PIL") is not None


def measured(data: bytes, name: str = "the picture") -> tuple[int, int]:
    """Width and height in pixels, by the file's head alone; refuses what is no picture, and one too large to be unpacked."""
    with _opened(data, name) as image:
        return image.size


def looks_like_one(data: bytes) -> bool:
    """Whether a file begins as the pictures do that can be read."""
    return data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def written_anew(data: bytes, side: int, name: str = "the picture") -> Written:
    """The first frame of a picture as WebP, at most so many pixels a side, upright, without anything that was in the file beside it."""
    with _one_at_a_time, _opened(data, name) as image:
        try:
            return _encoded(_upright(image, side), side)
        except Exception:
            raise UserError(f"{name}: the picture is damaged and cannot be unpacked; save it anew as PNG, JPEG or WebP") from None


def painted_over(body: bytes, areas: Iterable[tuple[tuple[float, float], ...]]) -> bytes:
    """A kept picture with areas (corners in parts of its width and height) painted over."""
    from PIL import ImageDraw

    with _one_at_a_time, _opened(body, "the picture") as image:
        drawn = image.convert("RGB")
        brush = ImageDraw.Draw(drawn)
        for area in areas:
            brush.polygon([(x * drawn.width, y * drawn.height) for x, y in area], fill=(128, 128, 128))
        return _encoded(drawn, max(drawn.size)).body


def refuse_foreign(body: bytes, name: str) -> tuple[int, int]:
    """The size of a picture that claims to have been written here; refuses any other file."""
    whole = body[:4] == b"RIFF" and body[8:12] == b"WEBP" and int.from_bytes(body[4:8], "little") + 8 == len(body)
    if not whole or {b"EXIF", b"XMP ", b"ICCP", b"ANIM"} & _chunks(body):
        raise UserError(f"{name}: this picture was not written by Rulewright")
    if not available():
        raise UserError(EXTRA)
    with _one_at_a_time, _opened(body, name) as image:
        try:
            image.load()
        except Exception:
            raise UserError(f"{name}: the picture is damaged and cannot be unpacked") from None
        return image.size


def _chunks(body: bytes) -> set[bytes]:
    contents, at = set(), 12
    while at + 8 <= len(body):
        contents.add(body[at : at + 4])
        size = int.from_bytes(body[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
    return contents


def _opened(data: bytes, name: str) -> "Image.Image":
    """A picture of which only the head has been read."""
    if len(data) > MOST_BYTES:
        raise UserError(f"{name}: a picture has at most {MOST_BYTES >> 20} MB, not {len(data) / (1 << 20):.1f}: make it smaller first")
    if not available():
        raise UserError(EXTRA)
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # how many there may be is said here, before anything is unpacked
    try:
        image_file = Image.open(BytesIO(data), formats=FORMATS)
        width, height = image_file.size
    except Exception:
        raise UserError(f"{name}: this is no picture that can be read; PNG, JPEG and WebP can") from None
    if width * height > MOST_PIXELS:
        raise UserError(
            f"{name}: a picture has at most {MOST_PIXELS // 1_000_000} million pixels, and this one has"
            f" {width * height / 1e6:,.0f} million ({width} by {height}): make it smaller first"
        )
    return image_file


def _upright(image: "Image.Image", side: int) -> "Image.Image":
    """The picture as it is meant to be seen: turned as the camera was held, with its transparency."""
    from PIL import ImageOps

    if image.format == "JPEG":
        image.draft("RGB", (side, side))
    turned: Any = ImageOps.exif_transpose(image)
    clear = turned.mode in ("RGBA", "LA", "PA") or "transparency" in turned.info
    converted: Image.Image = turned.convert("RGBA" if clear else "RGB")
    return converted


def _encoded(drawn: "Image.Image", side: int) -> Written:
    from PIL import Image

    drawn.thumbnail((side, side), Image.Resampling.LANCZOS)
    drawn.info.clear()
    body = BytesIO()
    drawn.save(body, "WEBP", quality=QUALITY, method=METHOD)
    return Written(body.getvalue(), drawn.width, drawn.height)
