#!/bin/sh
# make.sh FOLDER: makes the fixtures in a folder with Debian's taskwarrior, todotxt-cli and calcurse.
set -eu
out=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TZ=UTC HOME="$work"

mkdir "$work/warrior"
printf 'data.location=%s\nconfirmation=off\nverbose=nothing\n' "$work/warrior" >"$work/taskrc"
export TASKRC="$work/taskrc"
task add 'Buy milk' +shop priority:H project:Home due:2026-12-01
task add 'Water "the" plants & \ / ümlaut' project:Home.Garden recur:weekly due:2026-12-03T09:30
task add 'Call mum' wait:2027-01-01
task add 'Write report' +work +next_week priority:M
task add 'Delete me'
task add 'Second' depends:1 priority:L
task 1 annotate 'Oat milk: http://example.org'
task 1 annotate 'Two litres'
task 4 done
task 5 delete
task list >"$work/list" || true
task export >"$out/taskwarrior.json"

mkdir "$work/todo"
printf 'export TODO_DIR=%s\nexport TODO_FILE=$TODO_DIR/todo.txt\nexport DONE_FILE=$TODO_DIR/done.txt\nexport REPORT_FILE=$TODO_DIR/report.txt\nexport TODOTXT_DATE_ON_ADD=1\n' "$work/todo" >"$work/todo.cfg"
todo() { todo-txt -d "$work/todo.cfg" -p -f -n "$@" >"$work/said"; }
touch "$work/todo/todo.txt"
todo add 'Call mum @phone +Family'
todo add 'Pay the rent due:2026-12-01 rec:+1m'
todo add 'Buy milk +Groceries @shop'
todo add 'A task of no project'
todo pri 1 A
todo pri 4 D
TODOTXT_AUTO_ARCHIVE=0 todo -a do 3
cp "$work/todo/todo.txt" "$out/todo.txt"

mkdir "$work/calcurse"
printf '[1] Buy milk\n[0] Any time, or never; \\ ümlaut\n[-5] Done already\n[9]>0123 With a note\n' >"$work/calcurse/todo"
mkdir "$work/calcurse/notes"
printf 'First line\nsecond, line\n' >"$work/calcurse/notes/0123"
printf '12/01/2026 @ 09:00 -> 12/01/2026 @ 10:00 |A meeting\n' >"$work/calcurse/apts"
calcurse -D "$work/calcurse" -C "$work/calcurse" -q --export=ical >"$out/calcurse.ics"
