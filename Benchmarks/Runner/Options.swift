/// The options of the program.
package struct Options {
  /// Smaller sizes and fewer samples.
  package var isQuick = false
  var isListing = false
  var only: [String] = []
  /// The destination of the charts and the results; `nil` for none.
  var folder: String?
  /// Sizes to measure instead of each benchmark's own.
  package var sizes: [Int]?
  /// Samples to take instead of each benchmark's own number.
  package var samples: Int?

  struct UsageError: Error {
    let description: String
  }

  /// Without the program's name.
  static let usage = """
    [--quick] [--only NAME,...] [--list] [--svg FOLDER] [--rows N,...] [--samples N]
    """

  init(_ arguments: [String], known: [String]) throws(UsageError) {
    var rest = arguments[...]
    func value(of option: String) throws(UsageError) -> String {
      guard let value = rest.popFirst() else {
        throw UsageError(description: "\(option) needs a value")
      }
      return value
    }
    func numbers(of option: String) throws(UsageError) -> [Int] {
      try value(of: option).split(separator: ",").map { (word) throws(UsageError) in
        guard let number = Int(word), number > 0 else {
          throw UsageError(description: "\(option) needs numbers above 0, not “\(word)”")
        }
        return number
      }
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--list": isListing = true
      case "--only": only += try value(of: argument).split(separator: ",").map(String.init)
      case "--svg": folder = try value(of: argument)
      case "--rows": sizes = try numbers(of: argument)
      case "--samples": samples = try numbers(of: argument).first
      default: throw UsageError(description: "unknown argument “\(argument)”")
      }
    }
    for name in only where !known.contains(name) {
      throw UsageError(description: "no benchmark is called “\(name)”; --list names them")
    }
  }

  func includes(_ name: String) -> Bool {
    only.isEmpty || only.contains(name)
  }
}
