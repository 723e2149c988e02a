#!/bin/bash
# Two people at two machines with one list, side by side in tmux: Scripts/demo-sync.sh TASKS
#
# TASKS is the program, with tasks-sync beside it. The machines are folders, and meet in a PostgreSQL server of the demo's
# own. F9 cuts the network of the machine on the right, and heals it; F10 ends everything, and nothing is left.
set -euo pipefail
own=$(realpath "$0")

# The network of the machine on the right is a process that passes on what comes to one socket to another.
connect() { # FOLDER
  python3 - "$1/network/.s.PGSQL.5432" "$1/server/.s.PGSQL.5432" > /dev/null 2>&1 <<'PYTHON' &
import os, socket, sys, threading

def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

if os.path.exists(sys.argv[1]):
    os.remove(sys.argv[1])
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
listener.listen()
while True:
    client, _ = listener.accept()
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[2])
    for ends in ((client, server), (server, client)):
        threading.Thread(target=copy, args=ends, daemon=True).start()
PYTHON
  echo $! > "$1/network.pid"
}

if [ "${1:-}" = --switch ]; then
  folder=$2
  if [ -s "$folder/network.pid" ]; then
    kill "$(cat "$folder/network.pid")" || true
    : > "$folder/network.pid"
    echo cut > "$folder/state"
  else
    connect "$folder"
    echo whole > "$folder/state"
  fi
  exit
fi

if [ "${1:-}" = --legend ]; then
  printf '\033[?25l'
  state=whole
  while :; do
    printf '\033[2J\033[H a adds a task, Space completes it, J and K move it, u undoes; ? shows all keys.'
    if [ "$state" = whole ]; then
      printf "\r\n \033[1mF9\033[0m cuts the network of Ben's machine."
    else
      printf "\r\n Ben's machine has \033[1;31mno network\033[0m: \033[1mF9\033[0m heals it."
    fi
    printf ' \033[1mF8\033[0m goes to the other machine, \033[1mF10\033[0m ends it all.'
    read -r state < "$2/state" || state=whole
  done
fi

fail() {
  echo "demo-sync: $1" >&2
  exit 1
}

tasks=$(realpath -m "$1")
command -v tmux > /dev/null || fail "tmux is not installed, which shows the two machines side by side (apt install tmux)."
command -v psql > /dev/null || fail "psql is not installed (apt install postgresql-client)."
command -v python3 > /dev/null || fail "python3 is not installed, which plays the network (apt install python3)."
[ -x "$(dirname "$tasks")/tasks-sync" ] || fail "there is no tasks-sync beside $tasks: run make sync."
[ -t 1 ] || fail "this needs a terminal."
postgres=
for candidate in /usr/bin /usr/local/bin /usr/pgsql-*/bin /usr/lib/postgresql/*/bin; do
  [ ! -x "$candidate/initdb" ] || postgres=$candidate
done
[ -n "$postgres" ] || fail "PostgreSQL is not installed, in which the machines meet (apt install postgresql)."

folder=$(mktemp -d /tmp/tasks-demo-XXXXXX)
as=()
# The server does not run as root.
[ "$(id -u)" != 0 ] || as=(setpriv --reuid postgres --regid postgres --clear-groups)
screen=(tmux -L "$(basename "$folder")")

end() {
  trap '' INT TERM HUP
  "${screen[@]}" kill-server 2> /dev/null || true
  [ ! -s "$folder/network.pid" ] || kill "$(cat "$folder/network.pid")" 2> /dev/null || true
  "${as[@]}" "$postgres/pg_ctl" -D "$folder/server/data" -m immediate stop > /dev/null 2>&1 || true
  # The agents end with their windows, as soon as they notice.
  for _ in $(seq 20); do
    agents=$(grep -lsz -- "$folder/" /proc/[0-9]*/cmdline | tr -dc '0-9\n' | grep -vx $$ || true)
    [ -n "$agents" ] || break
    sleep 0.05
  done
  [ -z "$agents" ] || kill $agents 2> /dev/null || true
  cd /
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

chmod 755 "$folder"
mkdir "$folder/server" "$folder/network" "$folder/anna" "$folder/ben"
[ "$(id -u)" != 0 ] || chown postgres "$folder/server"
cd "$folder"
echo "Starting a PostgreSQL server in $folder …"
"${as[@]}" "$postgres/initdb" -D server/data -U postgres -A trust -E UTF8 --locale=C -N > initdb.log 2>&1 \
  || fail "PostgreSQL has not made its files: $(tail -n 1 initdb.log)"
"${as[@]}" "$postgres/pg_ctl" -D "$folder/server/data" -w -l "$folder/server/log" \
  -o "-k $folder/server -c listen_addresses= -c fsync=off" start > start.log 2>&1 \
  || fail "PostgreSQL has not started: $(tail -n 1 start.log)"
connect "$folder"
psql -Xqh "$folder/server" -U postgres postgres -c 'CREATE DATABASE tasks' -c 'CREATE ROLE anna LOGIN' \
  -c 'CREATE ROLE ben LOGIN'

on() { # PERSON ARGUMENT…
  local person=$1
  shift
  HOME=$folder/$person XDG_CONFIG_HOME= XDG_DATA_HOME= XDG_STATE_HOME= TASKS_FILE= \
    "$tasks" "$@" > command.log 2>&1 || fail "tasks $*: $(tail -n 1 command.log)"
}
on anna sync init "postgresql://postgres@/tasks?host=$folder/server"
for text in 'Book the train to Kyoto' 'Water the plants' 'Buy milk' 'Call the dentist'; do on anna add "$text"; done
on anna sync join "postgresql://anna@/tasks?host=$folder/server"
on anna sync share ben --write
on ben sync join "postgresql://ben@/tasks?host=$folder/network"

mkfifo state
window() { # PERSON
  echo "env -u TMUX -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_STATE_HOME -u TASKS_FILE HOME=$folder/$1 '$tasks'"
}
unset TMUX
cat > tmux.conf <<'TMUX'
set -g status off
set -g mouse on
set -g focus-events on
set -s escape-time 10
set -g default-terminal screen-256color
set -ga terminal-overrides ',*:Tc'
set -g pane-border-status top
set -g pane-border-format ' #{@name} '
bind -n F8 if -F '#{==:#{pane_index},0}' 'select-pane -t 1' 'select-pane -t 0'
bind -n F10 kill-server
TMUX
"${screen[@]}" -f tmux.conf new-session -d -x "$(tput cols)" -y "$(tput lines)" "$(window anna)" \; \
  set -p @name "Anna's machine" \; bind -n F9 run-shell -b "'$own' --switch '$folder'"
"${screen[@]}" split-window -v -l 3 "'$own' --legend '$folder'" \; set -p @name 'Two machines, one list' \; \
  select-pane -t 0 \; split-window -h "$(window ben)" \; set -p @name "Ben's machine" \; select-pane -t 0
"${screen[@]}" attach || true
