#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// System calls that Swift's Glibc module leaves out: those behind _GNU_SOURCE, and <sys/eventfd.h>.

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A counter to wake a thread that polls; close-on-exec, never blocking. -1 with errno set on failure.
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// poll(2) with a timeout in nanoseconds, -1 for none.
static inline int clinux_poll(struct pollfd *fds, nfds_t count, int64_t nanoseconds) {
  extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const __sigset_t *);
  if (nanoseconds < 0) return ppoll(fds, count, NULL, NULL);
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(fds, count, &timeout, NULL);
}

// Lets the processor rest for a moment in a loop that waits for memory to change.
static inline void clinux_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// The calling thread's name; cut at 15 bytes.
static inline void clinux_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Whether the calling thread is the one that the process began with.
static inline int clinux_is_main_thread(void) {
  extern long syscall(long, ...);
  return syscall(SYS_gettid) == getpid();
}

#endif
