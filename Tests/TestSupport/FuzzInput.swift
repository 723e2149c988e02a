import LibC

/// Bytes that say what a fuzz target does, read one after the other.
public struct FuzzInput: RandomNumberGenerator {
  private var bytes: ArraySlice<UInt8>
  /// The number that follows the bytes where more are asked for: one that is always the same would be asked
  /// for again for ever.
  private var further = SeededGenerator(seed: 0)

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  public var isAtEnd: Bool { bytes.isEmpty }

  /// The bytes that have not been read.
  public var rest: [UInt8] { Array(bytes) }

  /// The next byte; 0 when there are no more.
  public mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number below a limit of at most 256.
  public mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  public mutating func next() -> UInt64 {
    bytes.isEmpty
      ? further.next()
      : (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
  }
}

/// The finding of a fuzz target, in a sentence.
public struct FuzzFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// Throws when something does not hold.
public func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
  if !condition { throw FuzzFailure(sentence()) }
}

/// The inputs that libFuzzer, or a person, has found worth keeping: `Fuzzing/Corpora/TARGET/`.
public enum FuzzCorpus {
  /// - Parameter file: A file in a folder of a test target.
  /// - Returns: The names of the inputs, and what they are.
  public static func inputs(of target: String, below file: String = #filePath) -> [(
    name: String, bytes: [UInt8]
  )] {
    let package = file.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    let folder = "\(package)/Fuzzing/Corpora/\(target)"
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var inputs: [(name: String, bytes: [UInt8])] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), let file = fopen("\(folder)/\(name)", "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
      inputs.append((name, bytes))
    }
    return inputs.sorted { $0.name < $1.name }
  }
}
