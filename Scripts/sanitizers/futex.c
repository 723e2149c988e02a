// Tells ThreadSanitizer of the locks of Swift's Mutex where two threads meet: it sees the atomic operations
// of the one that finds the lock free, but not what Swift's library and the kernel do for the one that waits.
// Loaded before the program (LD_PRELOAD). To be compiled by Swift's clang, which knows its calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>

static void tell(const char *name, void *address) {
  void (*function)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, name);
  if (function) function(address);
}

long syscall(long number, ...) {
  static long (*original)(long, ...);
  if (!original) original = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  long operation = number == SYS_futex ? a[1] & FUTEX_CMD_MASK : -1;
  if (operation == FUTEX_UNLOCK_PI) tell("__tsan_release", (void *)a[0]);
  long result = original(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (operation == FUTEX_LOCK_PI && result == 0) tell("__tsan_acquire", (void *)a[0]);
  return result;
}

// Waits for a lock that is not free: some turns by itself, then in the kernel.
#define WAIT_FOR_LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
typedef __attribute__((swiftcall)) void wait_function(
  uint32_t thread, __attribute__((swift_context)) void *lock);
wait_function wait_for_lock __asm__(WAIT_FOR_LOCK);

__attribute__((swiftcall)) void wait_for_lock(uint32_t thread, __attribute__((swift_context)) void *lock) {
  static wait_function *original;
  if (!original) original = (wait_function *)dlsym(RTLD_NEXT, WAIT_FOR_LOCK);
  original(thread, lock);
  tell("__tsan_acquire", lock);
}
