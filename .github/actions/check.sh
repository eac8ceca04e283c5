#!/usr/bin/env bash
# The check of the action: annotations for GitHub, against the base of the pull request where there is one.
set -euo pipefail

base=${OPLOCK_BASE:-}
if [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
    base="origin/$GITHUB_BASE_REF"
fi
arguments=()
if [ -n "${OPLOCK_ARGUMENTS:-}" ]; then
    read -r -a arguments <<<"$OPLOCK_ARGUMENTS"
fi
exec cargo oplock check --message-format github ${base:+"--base=$base"} ${arguments[@]+"${arguments[@]}"}
