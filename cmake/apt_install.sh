#!/bin/sh
# apt_install.sh PACKAGE...   Installs those of the Debian packages that are missing.
set -eu

if ! command -v apt-get >/dev/null 2>&1; then
  echo "No apt-get here; needed, under the names of Debian: $*"
  exit 0
fi

missing=
for package in "$@"; do
  case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    *"install ok installed"*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
export DEBIAN_FRONTEND=noninteractive
echo "Installing:$missing"
$as_root apt-get update -qq
# Unquoted on purpose: a list of words.
$as_root apt-get install -y -qq --no-install-recommends $missing
