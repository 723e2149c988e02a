#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "CTerminal.h"

// Written by `cterminal_guard` only while `active` is false; read by handlers only after `active` was true.
static struct {
  int descriptor;
  struct termios settings;
  char restore[CTERMINAL_RESTORE_CAPACITY];
  size_t length;
} saved;

static atomic_bool active;

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGQUIT};
enum { CRASH_SIGNAL_COUNT = sizeof crash_signals / sizeof crash_signals[0] };
static struct sigaction previous_actions[CRASH_SIGNAL_COUNT];
static bool installed;

void cterminal_give_back(void) {
  if (!atomic_exchange(&active, false)) return;
  int error = errno;
  size_t done = 0;
  while (done < saved.length) {
    ssize_t count = write(saved.descriptor, saved.restore + done, saved.length - done);
    if (count > 0) {
      done += (size_t)count;
    } else if (errno != EINTR) {
      break;
    }
  }
  // From the background this would stop the process with SIGTTOU in the middle of its end.
  sigset_t ttou, mask;
  sigemptyset(&ttou);
  sigaddset(&ttou, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &ttou, &mask);
  // Not TCSADRAIN: a terminal that has stopped reading must not keep the process from ending.
  tcsetattr(saved.descriptor, TCSANOW, &saved.settings);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = error;
}

static void handle_crash(int number) {
  cterminal_give_back();
  // What stood before (usually the default; Swift's backtracer when it is switched on) gets the signal.
  for (int i = 0; i < CRASH_SIGNAL_COUNT; i++) {
    if (crash_signals[i] == number) sigaction(number, &previous_actions[i], NULL);
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void install(void) {
  // A stack of its own, so that the handler runs when the crash is an overflow of the main thread's stack.
  static char stack[64 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  stack_t existing;
  if (sigaltstack(NULL, &existing) == 0 && (existing.ss_flags & SS_DISABLE)) sigaltstack(&alternate, NULL);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle_crash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < CRASH_SIGNAL_COUNT; i++) {
    sigaction(crash_signals[i], &action, &previous_actions[i]);
  }
  installed = true;
}

bool cterminal_guard(int descriptor, const char *restore, size_t length) {
  static bool registered;
  if (length > sizeof saved.restore) {
    errno = E2BIG;
    return false;
  }
  atomic_store(&active, false);
  if (tcgetattr(descriptor, &saved.settings) != 0) return false;
  saved.descriptor = descriptor;
  memcpy(saved.restore, restore, length);
  saved.length = length;
  if (!registered) {
    registered = true;
    atexit(cterminal_give_back);
  }
  if (!installed) install();
  return true;
}

void cterminal_guard_set_active(bool now) { atomic_store(&active, now); }

void cterminal_unguard(void) {
  if (!installed) return;
  for (int i = 0; i < CRASH_SIGNAL_COUNT; i++) {
    sigaction(crash_signals[i], &previous_actions[i], NULL);
  }
  installed = false;
}
