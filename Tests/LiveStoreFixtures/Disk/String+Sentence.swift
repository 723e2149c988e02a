extension String {
  /// Whether it is one line for a person on what happened to a file: neither SQL nor codes, nor how a program
  /// dies.
  package var isSentence: Bool {
    let words = ["SQL", "SELECT", "INSERT", "BEGIN", "COMMIT", "PRAGMA", " code ", "Fatal", "Swift"]
    return hasSuffix(".\n") && !dropLast().contains("\n") && !words.contains { contains($0) }
  }

  /// Whether it tells of something that went wrong with a file.
  package var isComplaint: Bool {
    let words = ["cannot be", "disk is full", "is damaged", "may not be", "is locked", "no longer"]
    return words.contains { contains($0) }
  }
}
