/// The changes of a cell that another machine has replaced without knowing of them: all those between the one
/// that its own was based on and its own.
///
/// ``SyncedObject/Cell/basis`` says so of the value that is there. The server notes it of the values before,
/// so that people are told whose machines have not asked meanwhile.
struct UnseenSpan: Hashable, Sendable {
  /// The change that the replacement was based on.
  var basis: HybridClock
  /// The change that has replaced those after the basis.
  var replacement: HybridClock
}
