#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// System calls that Swift's Glibc module lacks: those that need _GNU_SOURCE, <sys/eventfd.h> and
// <sys/timerfd.h>. Also those whose types differ between glibc and musl.

#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// A counter that wakes a polling thread; close-on-exec and non-blocking. -1 with errno set on failure.
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// A timer that a thread can wait for; close-on-exec. -1 with errno set on failure.
static inline int clinux_make_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }

// Sets a timer to fire once, after some nanoseconds; 0 stops it.
static inline void clinux_set_timer(int timer, int64_t nanoseconds) {
  struct itimerspec time = {.it_value = {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  timerfd_settime(timer, 0, &time, NULL);
}

// Waits until a timer has fired.
static inline void clinux_wait_for_timer(int timer) {
  uint64_t count;
  while (read(timer, &count, sizeof count) < 0 && errno == EINTR) {}
}

// A timer of the wall clock that fires at no time, but is readable once that clock was set, or has gone on
// while the machine slept and CLOCK_MONOTONIC stood still; close-on-exec and non-blocking. -1 with errno set
// on failure.
static inline int clinux_watch_clock(void) {
  int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0) return -1;
  const time_t end = sizeof(time_t) > 4 ? (time_t)INT64_MAX : (time_t)INT32_MAX;
  struct itimerspec never = {.it_value = {.tv_sec = end}};
  if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) == 0) return timer;
  close(timer);
  return -1;
}

// poll(2) with a timeout in nanoseconds, -1 for none.
static inline int clinux_poll(struct pollfd *fds, nfds_t count, int64_t nanoseconds) {
  extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
  if (nanoseconds < 0) return ppoll(fds, count, NULL, NULL);
  struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return ppoll(fds, count, &timeout, NULL);
}

enum { clinux_get_lock = 36, clinux_set_lock = 37 };  // F_OFD_GETLK, F_OFD_SETLK

// Sets a lock of the open file description on bytes of a file, all if their count is 0; or returns whether
// another description has one there, 1 or 0. -1 with errno set on failure.
static inline int clinux_apply_lock(int descriptor, int command, int16_t type, int64_t start, int64_t count) {
  // As the kernel reads and writes it, past the C library: its struct flock may have positions of 32 bits.
  struct {
    int16_t type;
    int16_t origin;
    int64_t start;
    int64_t count;
    int32_t process;
  } lock = {.type = type, .origin = SEEK_SET, .start = start, .count = count};
#ifdef SYS_fcntl64
  int result = (int)syscall(SYS_fcntl64, descriptor, command, &lock);
#else
  int result = (int)syscall(SYS_fcntl, descriptor, command, &lock);
#endif
  return result == 0 && command == clinux_get_lock ? lock.type != F_UNLCK : result;
}

// Locks a byte of a file for the open file description, without waiting. The kernel releases the lock when
// that is closed, also when the process is killed. 0, or -1 with errno set; EAGAIN when another description
// has it.
static inline int clinux_lock_byte(int descriptor, int64_t offset) {
  return clinux_apply_lock(descriptor, clinux_set_lock, F_WRLCK, offset, 1);
}

static inline int clinux_unlock_byte(int descriptor, int64_t offset) {
  return clinux_apply_lock(descriptor, clinux_set_lock, F_UNLCK, offset, 1);
}

// Whether another open file description has such a lock: 1 or 0, or -1 with errno set.
static inline int clinux_is_byte_locked(int descriptor, int64_t offset) {
  return clinux_apply_lock(descriptor, clinux_get_lock, F_WRLCK, offset, 1);
}

// Locks a byte of a file as above, but such that other descriptions may share the lock.
static inline int clinux_share_byte(int descriptor, int64_t offset) {
  return clinux_apply_lock(descriptor, clinux_set_lock, F_RDLCK, offset, 1);
}

// Whether another open file description has a lock, shared or not, on any of some bytes of a file, all that
// follow if their count is 0: 1 or 0, or -1 with errno set.
static inline int clinux_are_bytes_locked(int descriptor, int64_t offset, int64_t count) {
  return clinux_apply_lock(descriptor, clinux_get_lock, F_WRLCK, offset, count);
}

// A socket on which the kernel tells that addresses or routes of this machine have changed; close-on-exec and
// non-blocking. -1 with errno set on failure. Without <sys/socket.h>, of which this module would hide parts
// from those that use Glibc as well.
static inline int clinux_watch_network(void) {
  enum { netlink = 16, raw = 3 };  // AF_NETLINK, SOCK_RAW
  int descriptor = (int)syscall(SYS_socket, netlink, raw | O_CLOEXEC | O_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address = {
      .nl_family = netlink,
      .nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
  if (syscall(SYS_bind, descriptor, &address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

// Pauses the processor for a moment in a loop that waits for memory to change.
static inline void clinux_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// Sets the calling thread's name, truncated to 15 bytes.
static inline void clinux_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// The start of the library, or of the program, that contains an address; NULL if none does.
static inline const void *clinux_library(const void *address) {
  struct {
    const char *path;
    void *base;
    const char *symbol;
    void *symbol_address;
  } info;
  extern int dladdr(const void *, void *);
  return dladdr(address, &info) != 0 ? info.base : NULL;
}

// The calling thread, which no other is while it runs.
static inline uintptr_t clinux_current_thread(void) { return (uintptr_t)pthread_self(); }

// Starts a detached thread that runs a function. Its stack has 2 MiB or more: musl's own would have 128 KiB,
// glibc's has 8 MiB. 0, or the number of the error.
static inline int clinux_start_thread(
    void *_Nullable (*_Nonnull run)(void *_Nullable), void *_Nullable argument) {
  pthread_attr_t attributes;
  size_t stack;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < 2 << 20)
    pthread_attr_setstacksize(&attributes, 2 << 20);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  error = pthread_create(&thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

// Lets other threads go first. On Linux this priority is the calling thread's own, not the process's.
static inline void clinux_lower_priority(void) { setpriority(PRIO_PROCESS, 0, 10); }

// Whether the calling thread is the initial thread of the process.
static inline int clinux_is_main_thread(void) {
  extern long syscall(long, ...);
  return syscall(SYS_gettid) == getpid();
}

// Opens the standard descriptors with which the process was started closed, so that no file gets one of their
// numbers and with it what is printed. Using them fails, as before.
static inline void clinux_reserve_standard_descriptors(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  }
}

// A descriptor that only identifies its file, so that closing it drops no lock of this process; -1 with errno
// set.
static inline int clinux_open_path(const char *path) {
  // O_PATH
  return open(path, 010000000 | O_NOFOLLOW | O_CLOEXEC);
}

#endif
