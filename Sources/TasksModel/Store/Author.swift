import Glibc

/// The person who uses this program, whose actions can be undone here.
public enum Author {
  /// The name of the user that the process runs as, or their number where they have no name.
  public static var current: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "\(getuid())" }
    return String(cString: name)
  }
}
