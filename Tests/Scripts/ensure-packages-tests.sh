#!/bin/sh
# Runs Scripts/ensure-packages.sh on made-up machines: an empty root folder, a PATH of our own, and programs
# `apt-get`, `sudo` and `id` that write down what they were asked to do.
set -eu

script=$(cd "$(dirname "$0")/../.." && pwd)/Scripts/ensure-packages.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

new_machine() { # UID
  rm -rf "$work/root" "$work/bin" "$work/log"
  mkdir -p "$work/root/var/lib/apt/lists" "$work/root/usr/include" "$work/root/usr/lib/any" "$work/bin"
  for program in ls env cat sh mkdir; do ln -s "$(command -v $program)" "$work/bin/$program"; done
  program id "echo $1"
}

program() { # NAME BODY
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  /bin/chmod +x "$work/bin/$1"
}

working_apt_get() {
  program apt-get "
    echo \"apt-get \$*\" >>$work/log
    case \$1 in install)
      : >$work/root/usr/include/curses.h; : >$work/root/usr/include/sqlite3.h
      : >$work/root/usr/lib/any/libncursesw.so; : >$work/root/usr/lib/any/libfribidi.so.0
      : >$work/root/usr/lib/any/libical.so.3
      mkdir -p $work/root/usr/include/postgresql $work/root/usr/include/openssl $work/root/usr/lib/postgresql/15/bin
      : >$work/root/usr/include/postgresql/libpq-fe.h; : >$work/root/usr/include/openssl/sha.h
      : >$work/root/usr/lib/postgresql/15/bin/initdb
      for p in tmux sqlite3 python3 strace zsh fish task todo-txt calcurse; do : >$work/bin/\$p; /bin/chmod +x $work/bin/\$p; done
    esac"
}

have_lists() { : >"$work/root/var/lib/apt/lists/deb.debian.org_main_binary-amd64_Packages"; }

ensure() {
  status=0
  PATH=$work/bin TASKS_SETUP_ROOT=$work/root /bin/sh "$script" "$@" >"$work/out" 2>&1 </dev/null || status=$?
  output=$(cat "$work/out")
  log=$(cat "$work/log" 2>/dev/null || true)
}

expect() { # NAME ACTUAL EXPECTED
  if [ "$2" != "$3" ]; then
    printf 'FAILED: %s\n  expected: %s\n  got:      %s\n' "$1" "$3" "$2"
    failures=$((failures + 1))
  fi
}

new_machine 0
working_apt_get
ensure build
expect "no lists: they are fetched first, then everything is installed" "$log" "apt-get update
apt-get install -y --no-install-recommends libncursesw5-dev libsqlite3-dev libfribidi0 libical3"
expect "no lists: it ends well" "$status" 0
ensure build
expect "a second run asks for nothing" "$output" ""
/bin/rm "$work/root/usr/include/sqlite3.h" "$work/log"
have_lists
ensure build
expect "a package that vanished is installed again, and it alone" "$log" \
  "apt-get install -y --no-install-recommends libsqlite3-dev"

new_machine 0
working_apt_get
have_lists
ensure build test
expect "the tests' programs are installed in the same go" "$log" \
  "apt-get install -y --no-install-recommends libncursesw5-dev libsqlite3-dev libfribidi0 libical3 tmux sqlite3 python3 strace zsh fish taskwarrior todotxt-cli calcurse"

new_machine 0
working_apt_get
have_lists
ensure sync
expect "PostgreSQL is asked for where LiveStoreSync is built and tested, and only there" "$log" \
  "apt-get install -y --no-install-recommends libpq-dev libssl-dev postgresql"
ensure sync
expect "and once" "$output" ""

new_machine 0
have_lists
program apt-get "echo \"apt-get \$1\" >>$work/log; [ \$1 = update ] || exit 100"
ensure build
expect "old lists are fetched anew before giving up" "$log" "apt-get install
apt-get update
apt-get install"
expect "a failing apt-get is a failure" "$status" 1
expect "which names the packages" "$output" "Installing Debian packages: libncursesw5-dev libsqlite3-dev libfribidi0 libical3
Please install these Debian packages, then try again: libncursesw5-dev libsqlite3-dev libfribidi0 libical3 (apt-get install failed, see above)."

new_machine 1000
working_apt_get
have_lists
program sudo "echo \"sudo \$1\" >>$work/log; shift; exec \"\$@\""
ensure build
expect "not root: by sudo, without asking where nobody can answer" "$log" "sudo -n
apt-get install -y --no-install-recommends libncursesw5-dev libsqlite3-dev libfribidi0 libical3"

new_machine 1000
working_apt_get
ensure build
expect "not root and no sudo: says so" "$output" \
  "Please install these Debian packages, then try again: libncursesw5-dev libsqlite3-dev libfribidi0 libical3 (installing takes root, and there is no sudo)."
expect "not root and no sudo: fails" "$status" 1

new_machine 0
ensure build
expect "another distribution: says what is needed" "$output" \
  "Please install these Debian packages, then try again: libncursesw5-dev libsqlite3-dev libfribidi0 libical3 (there is no apt-get here to do it with)."

if [ "$failures" -ne 0 ]; then
  echo "$failures expectations about Scripts/ensure-packages.sh failed." >&2
  exit 1
fi
