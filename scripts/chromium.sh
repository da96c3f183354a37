#!/usr/bin/env bash
# A browser for the tests: Debian's chromium. Installs it where it is missing and may be (as root, with apt-get); ends with 3
# where it cannot be had.
set -euo pipefail

UNAVAILABLE=3

say() { echo "chromium: $*" >&2; }

is_there() { [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null; }

is_there && exit
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  say "not installed, and only root may install it with apt-get"
  exit $UNAVAILABLE
fi
say "installing ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >"$log" 2>&1 && is_there && exit
say "the package cannot be installed:"
tail -n 3 "$log" >&2
exit $UNAVAILABLE
