"""The URLs at which people reach the server: on this computer, on the local network, and on the internet if `--public` is given."""

import ipaddress
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from msgspec import Struct

from rulewright.errors import UserError

ALL_INTERFACES = ("0.0.0.0", "::", "")


class Address(Struct, frozen=True):
    """A URL, and from where it works."""

    url: str
    good_for: str


class ServerAddresses(Struct, frozen=True):
    """Where the server listens, and its public URL."""

    host: str = "127.0.0.1"
    port: int = 8000
    public: str = ""
    local_webhooks: bool = False
    """Whether webhooks may have addresses in the server's own network."""

    def __post_init__(self) -> None:
        if self.public:
            parts = urlsplit(self.public)
            if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
                raise UserError(f"--public: {self.public!r} is not the URL of a server; write it as in https://play.example.org")

    @property
    def alone(self) -> bool:
        """Whether only this computer can reach the server."""
        return not self.public and self.host not in ALL_INTERFACES and _is_loopback(self.host)

    def addresses(self, asked_at: str = "") -> tuple[Address, ...]:
        """Every URL of the server, the most widely usable first; `asked_at` is the URL of the current request."""
        good_for_by_url: dict[str, str] = {}
        if self.public:
            good_for_by_url[self.public.rstrip("/")] = "anywhere"
        if asked_at and not _is_loopback(urlsplit(asked_at).hostname or "") and (urlsplit(asked_at).hostname or "") not in ALL_INTERFACES:
            good_for_by_url.setdefault(asked_at.rstrip("/"), "anyone who can open the URL you used")
        for address in _network_addresses(self.host):
            good_for_by_url.setdefault(f"http://{address}:{self.port}", "this network (the same Wi-Fi or cable)")
        here = asked_at.rstrip("/") if asked_at and _is_loopback(urlsplit(asked_at).hostname or "") else f"http://127.0.0.1:{self.port}"
        if self.host in ALL_INTERFACES or _is_loopback(self.host):
            good_for_by_url.setdefault(here, "this computer only")
        return tuple(Address(url, good_for) for url, good_for in good_for_by_url.items())


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _network_addresses(host: str) -> list[str]:
    """This computer's addresses on the local network, if the server listens there."""
    if host not in ALL_INTERFACES:
        return [] if _is_loopback(host) else [host]
    names: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only chooses the network interface
        names.append(probe.getsockname()[0])
    with suppress(OSError):
        names += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(names) if not _is_loopback(address)]


def qr_code(url: str) -> str:
    """A URL as a QR code, in SVG."""
    import segno

    return segno.make(url, micro=False, error="m").svg_inline(omitsize=True, border=4, dark="#22242a", light="#ffffff")
