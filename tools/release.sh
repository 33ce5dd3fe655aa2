#!/usr/bin/env bash
# Tags a release: tools/release.sh 1.2.3
#
# Checks that the working tree is clean, that the package has this version, and that CHANGELOG.md has a section for it.
# Then creates the annotated tag v1.2.3 with that section as its message. Pushes nothing.
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf 'release: %s\n' "$*" >&2
    failed=1
}

version="${1:-}"
if ! [[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    echo 'usage: make release VERSION=x.y.z' >&2
    exit 2
fi

failed=0
if [ -n "$(git status --porcelain)" ]; then
    fail 'the working tree has changes that are not committed'
fi
found="$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' src/rulewright/version.py)"
if [ "$found" != "$version" ]; then
    fail "src/rulewright/version.py has version $found, not $version"
fi
section="$(awk -v heading="## [$version]" '/^## /{inside = index($0, heading) == 1; next} inside' CHANGELOG.md)"
if ! grep -q '[^[:space:]]' <<<"$section"; then
    fail "CHANGELOG.md has no entries under ## [$version]"
fi
if git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null; then
    fail "the tag v$version already exists"
fi
[ "$failed" = 0 ] || exit 1

printf 'Rulewright %s\n\n%s\n' "$version" "$section" | git tag --annotate --cleanup=verbatim --file=- "v$version"
echo "Tagged v$version. Push it with: git push --follow-tags"
