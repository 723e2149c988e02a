/// A scanner of command lines by GNU's conventions: options may be anywhere before `--`, the value of a long
/// option follows it or an equals sign, and a long name may be abbreviated while it is unambiguous. A single
/// `-` is an operand.
///
/// Like `getopt_long`, but without its global variables, which Swift's concurrency checking does not allow.
struct OptionScanner {
  enum Item: Equatable {
    case option(String, value: String?)
    case operand(String)
  }

  /// The arguments that follow.
  private(set) var rest: ArraySlice<String>
  private var onlyOperandsFollow = false

  init(_ arguments: some Sequence<String>) {
    rest = ArraySlice(Array(arguments))
  }

  /// The next option, if it is one of `options`, or operand; nil at the end.
  ///
  /// - Parameter hint: Returns the sentence about an option that is none of them, from it and the arguments
  ///   that follow; nil if there is nothing to say but that.
  mutating func next(
    _ options: [OptionDescription],
    hint: (_ written: String, _ rest: ArraySlice<String>) -> String? = { _, _ in nil }
  ) throws(UsageError) -> Item? {
    guard let argument = rest.popFirst() else { return nil }
    if onlyOperandsFollow || argument == "-" || !argument.hasPrefix("-") { return .operand(argument) }
    if argument == "--" {
      onlyOperandsFollow = true
      return try next(options, hint: hint)
    }

    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let written = String(parts[0])
    guard let option = try find(written, among: options) else {
      throw UsageError(hint(written, rest) ?? "there is no option \(written)")
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if option.value == nil {
      guard attached == nil else { throw UsageError("\(written) takes no value") }
      return .option(option.name, value: nil)
    }
    guard let value = attached ?? rest.popFirst() else { throw UsageError("\(written) needs a value") }
    return .option(option.name, value: value)
  }

  private func find(_ written: String, among options: [OptionDescription]) throws(UsageError)
    -> OptionDescription?
  {
    if written == "-h", let help = options.first(where: { $0.name == "help" }) { return help }
    guard written.hasPrefix("--") else { return nil }
    let name = written.dropFirst(2)
    if let exact = options.first(where: { $0.name == name }) { return exact }
    let candidates = options.filter { $0.name.hasPrefix(name) }
    switch candidates.count {
    case 1: return candidates[0]
    case 0: return nil
    default:
      throw UsageError(
        "\(written) may mean " + candidates.map { "--" + $0.name }.joined(separator: " or "))
    }
  }
}
