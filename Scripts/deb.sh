#!/bin/sh
# deb.sh PROGRAM: makes .build/tasks_VERSION_ARCHITECTURE.deb of the release program, its manual page and
# completions, and .build/tasks-VERSION-ARCHITECTURE.tar.gz, which is unpacked into /usr/local.
# What it depends on is read from the program. DEBFULLNAME and DEBEMAIL name the maintainer; else the last commit does.
set -eu
cd "$(dirname "$0")/.."
program=$1
version=$("$program" --version | sed 's/^tasks //')
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-$(git log -1 --format=%an)} <${DEBEMAIL:-$(git log -1 --format=%ae)}>"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Readable for everybody, whatever the umask of who calls it.
umask 022
root=$work/root
share=$root/usr/share
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$share/man/man1" "$share/doc/tasks" "$share/bash-completion/completions" \
  "$share/fish/vendor_completions.d" "$share/zsh/vendor-completions" "$share/lintian/overrides" "$work/debian" \
  "$root/usr/lib/systemd/user"
chmod -R go=rX "$root"

install -m 755 "$program" "$root/usr/bin/tasks"
strip --strip-all --remove-section=.comment --remove-section=.note "$root/usr/bin/tasks"
"$program" --man | gzip -9n >"$share/man/man1/tasks.1.gz"
"$program" --completion bash >"$share/bash-completion/completions/tasks"
"$program" --completion fish >"$share/fish/vendor_completions.d/tasks.fish"
"$program" --completion zsh >"$share/zsh/vendor-completions/_tasks"

sed 's|@BIN@|/usr/bin|' Scripts/tasks-due.service >"$root/usr/lib/systemd/user/tasks-due.service"
install -m 644 Scripts/tasks-due.timer "$root/usr/lib/systemd/user/tasks-due.timer"

cat >"$share/doc/tasks/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tasks

Files: *
Copyright: 2026 the authors of tasks
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
END

# Debian's form of the newest section of CHANGELOG.md, whose lines are shorter.
{
  printf 'tasks (%s) unstable; urgency=medium\n\n' "$version"
  awk 'function flush(  words, count, line, i) {
      count = split(item, words, " ")
      line = "  *"
      for (i = 1; i <= count; i++) {
        if (length(line) + 1 + length(words[i]) > 78) { print line; line = "   " }
        line = line " " words[i]
      }
      if (count) print line
      item = ""
    }
    /^## / { section++ }
    section == 1 && /^- / { flush(); item = substr($0, 3); next }
    section == 1 && /^  [^ ]/ { item = item " " $0 }
    END { flush() }' CHANGELOG.md
  printf '\n -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$share/doc/tasks/changelog.gz"

# The Swift runtime is linked in, which lets the program start sooner and run where there is no Swift.
cat >"$share/lintian/overrides/tasks" <<END
# The first package closes no request for one.
tasks: initial-upload-closes-no-bugs
END

printf 'Source: tasks\n\nPackage: tasks\nArchitecture: %s\n' "$architecture" >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info "$root/usr/bin/tasks" 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')

cat >"$root/DEBIAN/control" <<END
Package: tasks
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Depends: $depends
Recommends: libfribidi0, libical3
Suggests: libnotify-bin
Section: utils
Priority: optional
Description: to-do list for the terminal whose windows follow each other
 A list of lists, each an animated list of tasks, driven by the keyboard, with
 undo, due dates, repetition, subtasks, notes, tags and search. Any number of
 windows and programs may have the same file open: each shows what the others
 change as it happens. On the command line it adds, finds, changes and prints
 tasks for scripts. The file is an SQLite database.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
package=.build/tasks_${version}_$architecture.deb
dpkg-deb --build --root-owner-group -Zxz "$root" "$package" >/dev/null
echo "$package"

# The same for other systems. What only Debian reads stays out, and the program is elsewhere.
rm -r "$share/lintian" "$share/doc/tasks/changelog.gz"
install -m 644 CHANGELOG.md "$share/doc/tasks/CHANGELOG.md"
mkdir "$share/zsh/site-functions"
mv "$share/zsh/vendor-completions/_tasks" "$share/zsh/site-functions/_tasks"
rmdir "$share/zsh/vendor-completions"
sed 's|@BIN@|/usr/local/bin|' Scripts/tasks-due.service >"$root/usr/lib/systemd/user/tasks-due.service"
archive=.build/tasks-$version-$architecture.tar.gz
tar --create --gzip --file "$archive" --directory "$root/usr" --sort=name \
  --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" bin lib share
echo "$archive"
