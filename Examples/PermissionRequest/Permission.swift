import LiveStore

/// A request, and its answer, as one object in a file that two programs share.
///
/// Whether it has been answered stands in the file and nowhere else, so that it matters to nobody which of
/// the programs ran when, or was killed.
final class Permission: Object {
  @Persisted(primaryKey: true) var subject = ""
  @Persisted var isGranted: Bool?
}
