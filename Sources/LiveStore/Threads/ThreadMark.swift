import CLinux

/// The thread that created the instance, by which code can tell whether it runs there.
package struct ThreadMark: Sendable {
  // Not a pthread_t, which is a number in glibc and a pointer in musl.
  private let number = clinux_current_thread()

  package init() {}

  package var isCurrent: Bool { number == clinux_current_thread() }
}
