import LiveStore

/// A table of lines that prints the animations of a graphical one.
struct Table {
  private var lines: [String] = []

  mutating func show(_ repositories: Results<Repository>) {
    lines = repositories.map(\.line)
    draw()
  }

  /// The order in which every view applies a change set: deletions, insertions, modifications.
  mutating func apply(_ changes: ChangeSet, of repositories: Results<Repository>) {
    for index in changes.deletions.reversed() {
      let line = lines.remove(at: index)
      if !changes.moves.contains(where: { $0.from == index }) { print("fade out \(index): \(line)") }
    }
    for index in changes.insertions {
      lines.insert(repositories[index].line, at: index)
      if let move = changes.moves.first(where: { $0.to == index }) {
        print("slide \(move.from) to \(index): \(lines[index])\(move.isModified ? " and flash" : "")")
      } else {
        print("fade in \(index): \(lines[index])")
      }
    }
    for index in changes.modificationsInNew {
      print("flash \(index): \(lines[index]) -> \(repositories[index].stars)")
      lines[index] = repositories[index].line
    }
    draw()
  }

  private func draw() {
    print("[" + lines.joined(separator: ", ") + "]")
  }
}
