import LibC

extension Store {
  /// Removes the file, and those beside it, if no other process has it open and it holds nothing of use: for
  /// a program that has made it for something that failed then. The store can only be closed afterwards.
  ///
  /// - Parameter isUseless: Whether nothing in the file would be missed. Called in a write transaction: no
  ///   other process can change that before the file is gone.
  package func removeFile(if isUseless: () -> Bool) {
    guard (try? beginWrite()) != nil else { return }
    if isUseless(), failure == nil, FileUser.all(of: file.files).allSatisfy({ $0.processID == getpid() }) {
      for name in [file.files.wal, file.files.memory, file.files.signal, file.files.path] { unlink(name) }
    }
    cancelWrite()
  }
}
