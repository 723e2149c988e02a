import LibC

/// The status of a file, or of what a link leads to; nil where there is none.
public func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return stat(path, &status) == 0 ? status : nil
}

extension stat {
  /// The rights of the file's owner, its group and the others.
  public var permissions: mode_t { st_mode & 0o777 }
}
