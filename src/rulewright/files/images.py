"""Uploaded pictures: checked before they are decoded, and always re-encoded, so that no metadata is kept.

This needs Pillow (`pip install 'rulewright[pictures]'`). Exactly three formats are read. Metadata in the file, such as the place where it
was taken, is dropped.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from rulewright.errors import UserError
from rulewright.files.picture_process import run_apart

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 32 << 20
MOST_PIXELS = 36_000_000
QUALITY, METHOD = 75, 2
EXTRA = "pictures need Pillow: pip install 'rulewright[pictures]'"
_apart = False
"""Whether pictures are decoded in a process of their own."""
_lock = threading.Lock()
"""Decoded pictures take much memory, so only one is decoded at a time."""


class Written(Struct, frozen=True):
    """A re-encoded picture as WebP, and its size in pixels."""

    body: bytes
    width: int
    height: int


def available() -> bool:
    """Whether pictures can be read here."""
    return find_spec("PIL") is not None


def measured(data: bytes, name: str = "the picture") -> tuple[int, int]:
    """Width and height in pixels, from the file's header alone; raises an error if it is not a picture, or too large."""
    with _opened(data, name) as image:
        return image.size


def looks_like_one(data: bytes) -> bool:
    """Whether a file begins like a supported picture."""
    return data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def written_anew(data: bytes, side: int, name: str = "the picture") -> Written:
    """The first frame of a picture as WebP, at most `side` pixels wide and high, upright, without metadata."""
    measured(data, name)  # refuses most files without another process
    return msgspec.convert(_run("write anew", data, side, name), Written)


def _write_anew(data: bytes, side: int, name: str) -> "Written":
    with _opened(data, name) as image:
        try:
            return _encoded(_upright(image, side), side)
        except MemoryError:
            raise
        except Exception:
            raise UserError(f"{name}: the picture is damaged and cannot be decoded; save it again as PNG, JPEG or WebP") from None


def painted_over(body: bytes, areas: Iterable[tuple[tuple[float, float], ...]]) -> bytes:
    """A stored picture with areas (corners as fractions of its width and height) painted over."""
    return bytes(_run("paint over", body, [list(area) for area in areas]))


def _paint_over(body: bytes, areas: Sequence[Sequence[tuple[float, float]]]) -> bytes:
    from PIL import ImageDraw

    with _opened(body, "the picture") as image:
        drawn = _converted(image, "RGB")
        brush = ImageDraw.Draw(drawn)
        for area in areas:
            brush.polygon([(x * drawn.width, y * drawn.height) for x, y in area], fill=(128, 128, 128))
        return _encoded(drawn, max(drawn.size)).body


def refuse_foreign(body: bytes, name: str) -> tuple[int, int]:
    """The size of a picture that was written here; raises an error for any other file."""
    is_webp = body[:4] == b"RIFF" and body[8:12] == b"WEBP" and int.from_bytes(body[4:8], "little") + 8 == len(body)
    if not is_webp or {b"EXIF", b"XMP ", b"ICCP", b"ANIM"} & _chunks(body):
        raise UserError(f"{name}: this picture was not written by Rulewright")
    if not available():
        raise UserError(EXTRA)
    width, height = _run("load", body, name)
    return width, height


def _load(body: bytes, name: str) -> tuple[int, int]:
    with _opened(body, name) as image:
        try:
            image.load()
        except MemoryError:
            raise
        except Exception:
            raise UserError(f"{name}: the picture is damaged and cannot be decoded") from None
        return image.size


TASKS: dict[str, Callable[..., Any]] = {"write anew": _write_anew, "paint over": _paint_over, "load": _load}
"""The tasks that decode a picture."""


def decode_apart() -> None:
    """Decode pictures in a process of their own from now on."""
    global _apart
    _apart = True


def _run(task: str, *arguments: Any) -> Any:
    """Run a task, one at a time; in a server in a process of its own, which keeps no memory."""
    with _lock:
        return msgspec.to_builtins(TASKS[task](*arguments), builtin_types=(bytes,)) if not _apart else run_apart(task, *arguments)


def _chunks(body: bytes) -> set[bytes]:
    names, at = set(), 12
    while at + 8 <= len(body):
        names.add(body[at : at + 4])
        size = int.from_bytes(body[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
    return names


def _opened(data: bytes, name: str) -> "Image.Image":
    """A picture of which only the header has been read."""
    if len(data) > MOST_BYTES:
        raise UserError(f"{name}: the picture has {len(data) / (1 << 20):.1f} MB; at most {MOST_BYTES >> 20} MB are allowed")
    if not available():
        raise UserError(EXTRA)
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # this module checks the number of pixels itself, before decoding
    try:
        image_file = Image.open(BytesIO(data), formats=FORMATS)
        width, height = image_file.size
    except Exception:
        raise UserError(f"{name}: this is not a PNG, JPEG or WebP picture") from None
    if width * height > MOST_PIXELS:
        raise UserError(
            f"{name}: the picture has {width * height / 1e6:,.0f} million pixels ({width} by {height});"
            f" at most {MOST_PIXELS // 1_000_000} million are allowed"
        )
    return image_file


def _upright(image: "Image.Image", side: int) -> "Image.Image":
    """The picture as it is meant to be seen: rotated as the camera was held, with its transparency."""
    from PIL import ImageOps

    if image.format == "JPEG":
        image.draft("RGB", (side, side))
    image.load()
    _drop_decoder(image)
    ImageOps.exif_transpose(image, in_place=True)
    transparent = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    return _converted(image, "RGBA" if transparent else "RGB")


def _drop_decoder(image: Any) -> None:
    """Free the decoder of WebP, which holds several copies of the picture."""
    if hasattr(image, "_decoder"):
        image._decoder = image.fp = None


def _converted(image: Any, mode: str) -> "Image.Image":
    """The picture in this mode; itself, if it has it already, because a copy takes as much memory again."""
    image.load()
    _drop_decoder(image)
    converted: Image.Image = image if image.mode == mode and "transparency" not in image.info else image.convert(mode)
    return converted


def _encoded(drawn: "Image.Image", side: int) -> Written:
    from PIL import Image

    drawn.thumbnail((side, side), Image.Resampling.LANCZOS)
    drawn.info.clear()
    body = BytesIO()
    drawn.save(body, "WEBP", quality=QUALITY, method=METHOD)
    return Written(body.getvalue(), drawn.width, drawn.height)
