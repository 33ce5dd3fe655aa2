#!/usr/bin/env bash
# Rewrites requirements/ci.txt with the package versions that a clean environment with all extras resolves to today.
set -eu
cd "$(dirname "$0")/.."

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

"${PYTHON:-python3}" -m venv "$scratch/env"
"$scratch/env/bin/python" -m pip install --quiet --upgrade pip
"$scratch/env/bin/python" -m pip install --quiet -e '.[all,test]'
{
    echo '# Every package of the test environment; `make pins` writes this file.'
    "$scratch/env/bin/python" -m pip freeze --exclude-editable --exclude rulewright
} > "$scratch/ci.txt"

if grep -vE '^(#.*|[A-Za-z0-9._-]+==[A-Za-z0-9._+!-]+)$' "$scratch/ci.txt" >&2; then
    echo 'The lines above are not plain pins. requirements/ci.txt is unchanged.' >&2
    exit 1
fi
cat "$scratch/ci.txt" > requirements/ci.txt
