#!/bin/sh
# Installs the Debian packages that building, or testing, needs and that this machine lacks.
#
#   ensure-packages.sh build          what `make run` and `make install` need
#   ensure-packages.sh build test     and what the tests use besides
#   ensure-packages.sh sync           what building and testing LiveStoreSync needs
#   ensure-packages.sh browser        the browser in which the page of an example is tested
#
# What counts is whether the header, library or program is there, whoever put it there: no package database and no
# stamp is asked, so the check is right on any distribution and costs a few milliseconds each time.
set -eu

# The root of the file system that is looked at; the tests point it elsewhere.
root=${TASKS_SETUP_ROOT:-}

missing=

need() { # PACKAGE, then patterns of which one has to match a file
  package=$1
  shift
  for pattern in "$@"; do
    for file in $root$pattern; do
      [ ! -e "$file" ] || return 0
    done
  done
  missing="$missing $package"
}

need_program() { # PACKAGE PROGRAM
  command -v "$2" >/dev/null 2>&1 || missing="$missing $1"
}

find_missing() {
  missing=
  for purpose in "$@"; do
    case $purpose in
    build)
      need libncursesw5-dev /usr/include/curses.h /usr/local/include/curses.h
      # The headers are shared with the narrow library: look for the wide one as well.
      case $missing in
      *libncursesw5-dev*) ;;
      *) need libncursesw5-dev '/usr/lib/*/libncursesw.so' '/usr/lib*/libncursesw.so' '/usr/local/lib/libncursesw.so' ;;
      esac
      need libsqlite3-dev /usr/include/sqlite3.h /usr/local/include/sqlite3.h
      # Loaded when a text is written from right to left.
      need libfribidi0 '/usr/lib/*/libfribidi.so.0' '/usr/lib*/libfribidi.so.0' '/usr/local/lib/libfribidi.so.0'
      # Loaded when tasks of iCalendar are imported or exported.
      need libical3 '/usr/lib/*/libical.so.3' '/usr/lib*/libical.so.3' '/usr/local/lib/libical.so.3'
      ;;
    test)
      need_program tmux tmux
      need_program sqlite3 sqlite3
      need_program python3 python3
      need_program strace strace
      # They read what tasks prints to complete its command lines.
      need_program zsh zsh
      need_program fish fish
      # They read what tasks exports.
      need_program taskwarrior task
      need_program todotxt-cli todo-txt
      need_program calcurse calcurse
      ;;
    sync)
      need libpq-dev /usr/include/postgresql/libpq-fe.h /usr/include/libpq-fe.h /usr/local/include/libpq-fe.h
      need libssl-dev /usr/include/openssl/sha.h /usr/local/include/openssl/sha.h
      need postgresql '/usr/lib/postgresql/*/bin/initdb' '/usr/pgsql-*/bin/initdb' /usr/bin/initdb \
        /usr/local/bin/initdb
      ;;
    browser)
      need chromium-headless-shell /usr/bin/chromium-headless-shell /usr/bin/chromium
      ;;
    *)
      echo "ensure-packages.sh: no such purpose: $purpose" >&2
      exit 2
      ;;
    esac
  done
  missing=${missing# }
}

cannot() { # REASON
  echo "Please install these Debian packages, then try again: $missing ($1)." >&2
  exit 1
}

find_missing "$@"
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null 2>&1 || cannot "there is no apt-get here to do it with"
as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || cannot "installing takes root, and there is no sudo"
  as_root=sudo
  # Without a terminal nobody can type a password.
  [ -t 0 ] || as_root="sudo -n"
fi

echo "Installing Debian packages: $missing" >&2

update_lists() {
  $as_root apt-get update >&2 || cannot "apt-get update failed, see above"
}

install_missing() {
  # shellcheck disable=SC2086 # words on purpose: the prefix and the list
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >&2
}

# A fresh machine has no package lists, one that has been up for long may have old ones that name files long gone.
if ! ls "$root"/var/lib/apt/lists/*Packages* >/dev/null 2>&1; then
  update_lists
  install_missing || cannot "apt-get install failed, see above"
elif ! install_missing; then
  update_lists
  install_missing || cannot "apt-get install failed, see above"
fi

find_missing "$@"
[ -z "$missing" ] || cannot "apt-get installed them, yet their files are not found"
