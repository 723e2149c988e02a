import TestSupport

/// Lends the path of a file in a folder of its own, which goes away afterwards.
func withTemporaryFile(_ body: (String) throws -> Void) throws {
  let folder = TemporaryFolder()
  try withExtendedLifetime(folder) { try body(folder("tasks.db")) }
}
