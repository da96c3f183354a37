#!/usr/bin/env bash
# Installs a program for the tests from its Debian package: scripts/debian-package.sh chromium|zsh. Needs root and apt-get if
# the program is missing; exits with 3 if it cannot be installed.
set -euo pipefail

UNAVAILABLE=3
package=${1:?which package}

say() { echo "$package: $*" >&2; }

is_there() {
  command -v "$package" >/dev/null && return
  [ "$package" = chromium ] && { [ -n "${CHROMIUM:-}" ] || command -v google-chrome >/dev/null; }
}

is_there && exit
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  say "not installed, and only root may install it with apt-get"
  exit $UNAVAILABLE
fi
say "installing ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends "$package"; } >"$log" 2>&1 && is_there && exit
say "the package cannot be installed:"
tail -n 3 "$log" >&2
exit $UNAVAILABLE
