import LiveStore

/// A request, and its answer, as one object in a file that two programs share.
///
/// Only the file records whether it has been answered, so that either program may start, end or be killed at
/// any time.
final class Permission: Object {
  @Persisted(primaryKey: true) var subject = ""
  @Persisted var isGranted: Bool?
}
