import LibC

/// Written at once, so that a process that is killed has said what it has done.
func announce(_ text: String) {
  let line = text + "\n"
  _ = write(STDOUT_FILENO, line, line.utf8.count)
}

func fail(_ text: String) -> Never {
  announce("wrong: " + text)
  exit(1)
}
