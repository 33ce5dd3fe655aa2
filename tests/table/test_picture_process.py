"""Pictures are decoded in a process of their own: the same result, one sentence if it fails, and memory as docs/hosting.md states it."""

import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from rulewright.errors import UserError
from rulewright.files import images, picture_process
from table.test_pictures import drawn, huge

DECODED_MB = 700
"""What docs/hosting.md says one picture takes."""


@pytest.fixture
def apart(monkeypatch):
    monkeypatch.setattr(images, "_apart", True)


def test_a_picture_that_is_decoded_apart_is_the_same(monkeypatch):
    sent, areas = drawn(size=(400, 200)), [((0.0, 0.0), (0.5, 0.0), (0.5, 1.0))]
    here = images.written_anew(sent, 100)
    results = [here, images.painted_over(here.body, areas), images.refuse_foreign(here.body, "x")]
    monkeypatch.setattr(images, "_apart", True)
    again = images.written_anew(sent, 100)
    assert [again, images.painted_over(again.body, areas), images.refuse_foreign(again.body, "x")] == results


def test_what_cannot_be_decoded_apart_is_refused_with_one_sentence(apart, monkeypatch):
    for data in (huge(), b"GIF89a", drawn()[:60]):
        with pytest.raises(UserError, match=r"^map\.png: "):
            images.written_anew(data, 100, "map.png")
    monkeypatch.setattr(picture_process, "SECONDS", 0.001)
    with pytest.raises(UserError, match="seconds to decode"):
        images.written_anew(drawn(), 100)
    monkeypatch.setattr(picture_process, "SECONDS", 60.0)
    monkeypatch.setattr(picture_process.sys, "executable", "/bin/false")
    with pytest.raises(UserError, match="within the memory"):
        images.written_anew(drawn(), 100)


def test_transparent_and_turned_pictures_stay_as_they_are_meant():
    exif = Image.Exif()
    exif[0x0112] = 6
    made = BytesIO()
    Image.new("RGBA", (40, 20), (200, 0, 0, 90)).save(made, "WEBP", exif=exif, lossless=True)
    written = images.written_anew(made.getvalue(), 100)
    assert (written.width, written.height) == (20, 40)
    assert Image.open(BytesIO(written.body)).convert("RGBA").getpixel((5, 5))[3] == pytest.approx(90, abs=2)


def white(side: int) -> bytes:
    """A large white PNG with transparency, made without decoding it."""
    row = b"\0" + b"\xff" * (4 * side)
    packer = zlib.compressobj(1)
    rows = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()

    def chunk(name: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + name + body + zlib.crc32(name + body).to_bytes(4, "big")

    head = side.to_bytes(4, "big") * 2 + bytes((8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


MEASURED = """
import re, resource, sys
from pathlib import Path
from rulewright.files import images
images.decode_apart()
data = Path(sys.argv[1]).read_bytes()
for _ in range(2):
    images.written_anew(data, 6000)
own = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]  # ru_maxrss would count the parent before exec
print(int(own) // 1024, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


@pytest.mark.slow
def test_the_largest_pictures_take_no_more_memory_than_stated(tmp_path):
    (tmp_path / "white.png").write_bytes(white(6000))
    command = [sys.executable, "-c", MEASURED, str(tmp_path / "white.png")]
    own, decoding = map(int, subprocess.run(command, capture_output=True, check=True, timeout=300).stdout.split())
    assert own < 120, "the server itself decodes nothing"
    assert decoding < DECODED_MB
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()
    assert f"{DECODED_MB / 1000:g} GB" in page
