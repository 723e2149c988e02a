import FoundationEssentials
import Glibc
import LiveStoreFixtures
import Programs
import Testing

/// The real program on small file systems of their own, which only it sees.
@Suite("tasks on a full disk", .enabled(if: Program.canMount, "no file system may be mounted here"))
struct FullDiskTests {
  let folder = TemporaryFolder()
  let disk = TemporaryFolder()

  /// Runs a script of the shell on a file system of 12 MB, where `tasks` is the program and `say` leaves what
  /// a command says and its status in files beside it: `say NAME COMMAND…`.
  private func run(_ script: String) throws {
    let whole = """
      set -u
      mount -t tmpfs -o size=12m none "$DISK" || exit 99
      tasks() { "$TASKS" "$@"; }
      say() { name=$1; shift; "$@" > "$KEPT/$name.out" 2> "$KEPT/$name.err"; echo $? > "$KEPT/$name.status"; echo "$name"; }
      check() { sqlite3 -batch "$TASKS_FILE" 'pragma integrity_check; pragma foreign_key_check; select count(*) from TaskItem'; }
      \(script)
      """
    let outcome = try ChildProcess.run(
      ["unshare", "-m", "sh", "-c", whole],
      environment: [
        "DISK": disk.path, "KEPT": folder.path, "TASKS": ChildProcess.tasks,
        "TASKS_FILE": disk("tasks.db"), "HOME": folder.path, "SWIFT_BACKTRACE": "enable=no",
      ])
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func said(_ name: String) throws -> ChildProcess.Outcome {
    func contents(_ suffix: String) throws -> String {
      String(decoding: try #require(FailingDisk.contents(folder(name + suffix))), as: UTF8.self)
    }
    return .init(
      status: try #require(Int32(contents(".status").dropLast())), output: try contents(".out"),
      errors: try contents(".err"))
  }

  @Test("More than the disk has room for is one sentence, and the file is as it was; with room it works")
  func full() throws {
    // More than SQLite keeps in memory, so that it writes, and reads again, in the middle of the transaction.
    let lines = (0..<2_500).map { "Task \($0)\n" }
    try Data(lines.joined().utf8).write(to: URL(filePath: folder("lines")))
    try run(
      """
      notes=$(head -c 6000 /dev/zero | tr '\\0' x)
      say first tasks add first
      say many tasks add --notes "$notes" - < "$KEPT/lines"
      say check check
      say list tasks list
      say second tasks add second
      mount -o remount,size=200m "$DISK"
      say again tasks add --notes "$notes" - < "$KEPT/lines"
      say whole check
      """)
    #expect(try said("first").status == 0)
    let many = try said("many")
    #expect(many.status == 1 && many.output == "" && many.errors.isSentence, "\(many)")
    #expect(many.errors.contains("disk is full") && many.errors.contains("make room"), "\(many)")
    #expect(try said("check").output == "ok\n1\n")
    #expect(try said("list").output == "[ ] first\n")
    #expect(try said("second").status == 0)
    let again = try said("again")
    #expect(again.status == 0 && again.output.split(separator: "\n").count == 2_500, "\(again.errors)")
    #expect(try said("whole").output == "ok\n2502\n")
  }

  @Test("A disk without any room, and one that may not be written, are sentences; nothing is changed")
  func noRoom() throws {
    try run(
      """
      say first tasks add first
      cat /dev/zero > "$DISK/rest" 2> /dev/null
      say full tasks add second
      say script tasks --script - <<END
      keys a
      type second
      keys Enter
      END
      rm "$DISK/rest"
      mount -o remount,ro "$DISK"
      say locked tasks add second
      mount -o remount,rw "$DISK"
      say last tasks add second
      say check check
      """)
    for name in ["full", "script", "locked"] {
      let outcome = try said(name)
      #expect(outcome.status == 1 && outcome.output == "" && outcome.errors.isSentence, "\(name): \(outcome)")
    }
    #expect(try said("full").errors.contains("disk is full"))
    #expect(try said("script").errors.contains("disk is full"))
    #expect(try said("locked").errors.contains("may not be"))
    #expect(try said("last").status == 0)
    #expect(try said("check").output == "ok\n2\n")
  }

  @Test("On a disk without any room everything is still read, and saved on another disk")
  func reading() throws {
    // The log of a program that was killed holds the last task.
    try run(
      """
      tasks add first > /dev/null
      tasks add --due today second > /dev/null
      sqlite3 -cmd "update TaskItem set notes = 'kept' where text = 'second'" "$TASKS_FILE" '.shell kill -9 $PPID'
      rm -f "$TASKS_FILE-shm"
      cat /dev/zero > "$DISK/rest" 2> /dev/null
      ls -l "$TASKS_FILE" "$TASKS_FILE-wal" > "$KEPT/before"
      say list tasks list
      say json tasks list --json
      say show tasks show second
      say search tasks search sec
      say due tasks due
      say lists tasks lists
      say doctor tasks doctor
      say backup tasks backup "$KEPT/copy.db"
      say export tasks export "$KEPT/copy.jsonl"
      say add tasks add third
      printf 'rows\nadd third\nx\nquit\n' > "$KEPT/keys"
      say plain tasks --plain < "$KEPT/keys"
      say watch tasks watch
      ls -l "$TASKS_FILE" "$TASKS_FILE-wal" > "$KEPT/after"
      rm "$DISK/rest"
      say last tasks show second
      say check check
      """)
    #expect(try said("list") == .init(status: 0, output: "[ ] first\n[ ] second\n", errors: ""))
    #expect(try said("json").output.contains(#""notes":"kept""#))
    #expect(try said("show").output.contains("kept"))
    for name in ["search", "due", "lists", "doctor", "backup", "export"] {
      let outcome = try said(name)
      #expect(outcome.status == 0 && outcome.errors == "", "\(name): \(outcome)")
    }
    let add = try said("add")
    #expect(add.status == 1 && add.errors.contains("disk is full"), "\(add)")
    let plain = try said("plain")
    #expect(plain.status == 0 && plain.errors == "", "\(plain)")
    for words in ["disk is full", "a copy, to be read only", "first", "second", "This window is read-only."] {
      #expect(plain.output.contains(words), "\(words): \(plain)")
    }
    // Following a copy, it would never say anything.
    let watch = try said("watch")
    #expect(watch.status == 1 && watch.errors.isSentence && watch.errors.contains("disk is full"), "\(watch)")
    func kept(_ name: String) throws -> String {
      String(decoding: try #require(FailingDisk.contents(folder(name))), as: UTF8.self)
    }
    #expect(try kept("before") == kept("after"))
    #expect(try kept("copy.jsonl").contains("kept"))
    let copy = try ChildProcess.run([ChildProcess.tasks, "--file", folder("copy.db"), "show", "second"])
    #expect(copy.output.contains("kept"), "\(copy)")
    #expect(try said("last").output.contains("kept"))
    #expect(try said("check").output == "ok\n2\n")
  }

  @Test("On a disk that can only be read everything is read, a window shows it, and nothing can be added")
  func readOnlyDisk() throws {
    try run(
      """
      tasks add --due today first > /dev/null
      TASKS_FILE="$DISK/100% é?#.db" tasks add other > /dev/null
      cp "$TASKS_FILE" "$DISK/logged.db"
      sqlite3 "$DISK/logged.db" '.dbconfig no_ckpt_on_close on' "update TaskItem set text = 'in the log'" > /dev/null
      rm -f "$DISK/logged.db-shm"
      mount -o remount,ro "$DISK"
      for command in list due lists doctor "search first" "show first" "backup $KEPT/copy.db"; do
        say "${command%% *}" tasks $command
      done
      printf 'rows\nadd third\nquit\n' > "$KEPT/keys"
      say plain tasks --plain < "$KEPT/keys"
      say reader tasks --plain --read-only < "$KEPT/keys"
      say add tasks add second
      TASKS_FILE="$DISK/100% é?#.db" say odd tasks list
      TASKS_FILE="$DISK/logged.db" say logged tasks list
      mount -o remount,rw "$DISK"
      say later tasks add second
      """)
    for name in ["list", "due", "lists", "doctor", "search", "show", "backup"] {
      let outcome = try said(name)
      #expect(outcome.status == 0 && outcome.errors == "", "\(name): \(outcome)")
    }
    #expect(try said("list").output.contains("first"))
    #expect(try said("odd").output == "[ ] other\n")
    #expect(try said("logged").output == "[ ] in the log\n")
    for name in ["plain", "reader"] {
      let window = try said(name)
      #expect(window.status == 0 && window.errors == "", "\(window)")
      for words in ["a copy, to be read only", "first", "This window is read-only."] {
        #expect(window.output.contains(words), "\(words): \(window)")
      }
    }
    let add = try said("add")
    #expect(add.status == 1 && add.errors.contains("its file system can only be read"), "\(add)")
    #expect(try said("later").status == 0)
  }

  @Test("A window opens on a disk without any room, says that it shows a copy, and changes nothing")
  func window() throws {
    let script = """
      mount -t tmpfs -o size=1m none "$DISK" || exit 99
      printf 'first\nsecond\n' | "$TASKS" add - > /dev/null
      cat /dev/zero > "$DISK/rest" 2> /dev/null
      "$TASKS" --no-animation
      echo "status=$?"
      rm "$DISK/rest"
      sqlite3 "$TASKS_FILE" "select group_concat(text || completed) from TaskItem"
      """
    let window = try PseudoWindow(
      "unshare", ["-m", "sh", "-c", script],
      environment: [
        "DISK": disk.path, "TASKS": ChildProcess.tasks, "TASKS_FILE": disk("tasks.db"),
        "HOME": folder.path, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
      ], in: folder.path)
    try window.wait(forText: "This window shows a copy, to be read only.")
    #expect(window.screen.text.contains("The disk is full"))
    #expect(window.screen.text.contains("first") && window.screen.text.contains("second"))
    window.send("x")
    try window.wait(forText: "This window is read-only.")
    window.send("q")
    try window.wait(forText: "status=0")
    try window.wait(forText: "first0,second0")
    #expect(try window.waitForEnd() == 0)
  }

  @Test("A file of an older version stays what it is where there is no room to migrate it, and says so")
  func migration() throws {
    // Full before anything is copied, in the middle of the copy, and behind it.
    try run(
      """
      notes=$(head -c 6000 /dev/zero | tr '\\0' x)
      seq 200 | tasks add --notes "$notes" - > /dev/null
      sqlite3 "$TASKS_FILE" 'pragma user_version = 3; pragma wal_checkpoint(truncate)' > /dev/null
      version() { sqlite3 "$TASKS_FILE" 'pragma user_version'; check; ls "$DISK"; }
      size=$(stat -c %s "$TASKS_FILE")
      for room in 0 $((size / 2)) $((size + 65536)); do
        head -c $room /dev/zero > "$DISK/room"
        cat /dev/zero > "$DISK/rest" 2> /dev/null
        rm "$DISK/room"
        say add-$room tasks add Milk
        rm "$DISK/rest"
        echo $room >> "$KEPT/rooms"
        rm -f "$TASKS_FILE-live"
        say version-$room version
      done
      say last tasks add Milk
      say list tasks list
      say version version
      """)
    let rooms = String(decoding: try #require(FailingDisk.contents(folder("rooms"))), as: UTF8.self)
    for room in rooms.split(separator: "\n") {
      let outcome = try said("add-\(room)")
      #expect(outcome.status == 1 && outcome.output == "" && outcome.errors.isSentence, "\(room): \(outcome)")
      #expect(outcome.errors.contains("disk is full"), "\(room): \(outcome)")
      // Nothing is left behind either.
      #expect(try said("version-\(room)").output == "3\nok\n200\ntasks.db\n", "\(room)")
    }
    #expect(try said("last").status == 0)
    #expect(try said("list").output.split(separator: "\n").count == 201)
    let version = try said("version").output
    #expect(version.hasPrefix("6\nok\n201\n") && version.contains("tasks.db.version-3\n"), "\(version)")
  }
}
