/// The calls of programs to the files of a folder, in the order in which they did it, as `failing-disk.c`
/// records it.
package struct DiskRecording: Sendable {
  package enum Event: Sendable {
    case write(file: String, offset: Int, bytes: [UInt8])
    case setSize(file: String, Int)
    case make(file: String)
    case remove(file: String)
    case rename(file: String, to: String)
    /// All earlier writes to a file are on the disk; those to the folder, where the file is ".".
    case sync(file: String)
    /// Bytes for standard output, by which a program says what it has done.
    case output([UInt8])
  }

  package let events: [Event]

  /// - Returns: `nil` when there is no record, or its end is missing.
  package init?(path: String) {
    guard let bytes = FailingDisk.contents(path) else { return nil }
    var events: [Event] = []
    var position = 0
    while position < bytes.count {
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let words = bytes[position..<end].split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count == 4, let nameLength = Int(words[1]), let offset = Int(words[2]),
        let count = Int(words[3])
      else { return nil }
      let data = end + 1 + nameLength
      position = data + count
      guard position <= bytes.count else { return nil }
      let file = String(decoding: bytes[(end + 1)..<data], as: UTF8.self)
      let content = bytes[data..<position]
      switch words[0] {
      case "w": events.append(.write(file: file, offset: offset, bytes: Array(content)))
      case "t": events.append(.setSize(file: file, offset))
      case "c": events.append(.make(file: file))
      case "u": events.append(.remove(file: file))
      case "r": events.append(.rename(file: file, to: String(decoding: content, as: UTF8.self)))
      case "s": events.append(.sync(file: file))
      case "o": events.append(.output(Array(content)))
      default: return nil
      }
    }
    self.events = events
  }
}

/// A disk on which recorded events happen, and that can lose its power at any time.
///
/// Writes to a file since it was last synced may then be there or not, each sector of each write for
/// itself; so may be which names are in the folder, since the folder was. No order is kept between any of
/// them: a real disk, with its file system, loses less.
package struct SimulatedDisk {
  /// The fate of everything that was not synced.
  package enum Loss: CaseIterable, Sendable {
    case all, none, random
  }

  private struct File {
    /// The bytes that are on the disk for certain.
    var synced: [UInt8] = []
    /// The writes since.
    var pending: [Change] = []
  }

  private enum Change {
    case write(Int, [UInt8])
    case setSize(Int)

    func apply(to bytes: inout [UInt8]) {
      switch self {
      case .setSize(let size):
        if size < bytes.count { bytes.removeLast(bytes.count - size) }
        bytes += repeatElement(0, count: size - bytes.count)
      case .write(let offset, let written):
        let end = offset + written.count
        if bytes.count < end { bytes += repeatElement(0, count: end - bytes.count) }
        bytes.replaceSubrange(offset..<end, with: written)
      }
    }
  }

  private static let sectorSize = 512

  private var files: [File] = []
  /// The files by their names, as programs see them.
  private var names: [String: Int] = [:]
  /// The same, as they are on the disk for certain.
  private var syncedNames: [String: Int] = [:]
  /// The changes of names since; a name without a file is removed.
  private var pendingNames: [(name: String, file: Int?)] = []

  /// An empty folder.
  package init() {}

  package mutating func apply(_ event: DiskRecording.Event) {
    switch event {
    case .write(let name, let offset, let bytes): files[file(name)].pending.append(.write(offset, bytes))
    case .setSize(let name, let size): files[file(name)].pending.append(.setSize(size))
    case .make(let name): _ = file(name)
    case .remove(let name): setName(name, nil)
    case .rename(let name, let other):
      setName(other, file(name))
      setName(name, nil)
    case .sync("."):
      syncedNames = names
      pendingNames = []
    case .sync(let name):
      let file = file(name)
      for change in files[file].pending { change.apply(to: &files[file].synced) }
      files[file].pending = []
    case .output: break
    }
  }

  private mutating func file(_ name: String) -> Int {
    if let file = names[name] { return file }
    files.append(File())
    setName(name, files.count - 1)
    return files.count - 1
  }

  private mutating func setName(_ name: String, _ file: Int?) {
    names[name] = file
    pendingNames.append((name, file))
  }

  /// The contents of the folder when the power comes back, by name.
  package func contents(
    losing loss: Loss, using random: inout some RandomNumberGenerator
  ) -> [String: [UInt8]] {
    var names = syncedNames
    for (name, file) in pendingNames where survives(loss, using: &random) { names[name] = file }
    return names.mapValues { index in
      var bytes = files[index].synced
      for change in files[index].pending {
        switch change {
        case .setSize:
          if survives(loss, using: &random) { change.apply(to: &bytes) }
        case .write(let offset, let written):
          var start = 0
          while start < written.count {
            let sectorEnd = ((offset + start) / Self.sectorSize + 1) * Self.sectorSize
            let end = min(written.count, sectorEnd - offset)
            if survives(loss, using: &random) {
              Change.write(offset + start, Array(written[start..<end])).apply(to: &bytes)
            }
            start = end
          }
        }
      }
      return bytes
    }
  }

  private func survives(_ loss: Loss, using random: inout some RandomNumberGenerator) -> Bool {
    switch loss {
    case .all: false
    case .none: true
    case .random: .random(using: &random)
    }
  }
}
