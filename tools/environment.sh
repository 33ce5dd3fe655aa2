#!/usr/bin/env bash
# Installs the system packages that a task needs and that are missing on this machine.
#
#   tools/environment.sh python    Python with support for virtual environments
#   tools/environment.sh test      chromium, nginx, caddy and PostgreSQL, for the tests
#
# Does nothing and needs no network if all of them are installed.
set -eu

python="${PYTHON:-python3}"

say() { printf '%s\n' "$*" >&2; }

missing=()
need() { # need PACKAGE CHECK...: the package is missing when the check fails
    local package="$1"
    shift
    "$@" >/dev/null 2>&1 || missing+=("$package")
}

has_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb' || command -v initdb; }

has_nginx() { command -v nginx || test -x /usr/sbin/nginx; }

case "${1:-}" in
    python)
        need python3 command -v "$python"
        need python3-venv "$python" -c 'import ensurepip, venv'
        ;;
    test)
        need chromium command -v chromium
        need postgresql has_postgresql
        need nginx has_nginx
        need caddy command -v caddy
        ;;
    *)
        say "usage: tools/environment.sh python|test"
        exit 2
        ;;
esac

if [ "${#missing[@]}" -gt 0 ]; then
    if ! command -v apt-get >/dev/null; then
        say "Missing: ${missing[*]}. This script only supports apt-get (Debian). Please install them with your package manager."
        exit 1
    fi
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "Missing: ${missing[*]}. Please install them as root (sudo is not available)."
            exit 1
        fi
        as_root=(sudo)
    fi
    say "Installing system packages: ${missing[*]}"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
fi

if [ "$1" = python ] && ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    say "Rulewright needs Python 3.11 or newer; $python is $("$python" -V 2>&1). Choose another one with: make PYTHON=python3.12"
    exit 1
fi
