#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "BusError.h"
#include "CTerminal.h"

// Written by `cterminal_guard` only while `active` is false; read by handlers only after `active` was true.
static struct {
  int descriptor;
  // The thread that writes to the terminal.
  pthread_t thread;
  struct termios settings;
  char restore[CTERMINAL_RESTORE_CAPACITY];
  size_t length;
} saved;

static atomic_bool active;

// The signals that `SignalSource` reads from a descriptor, except during writes to the terminal.
static const int ending_signals[] = {SIGTERM, SIGHUP, SIGINT};
enum { ENDING_SIGNAL_COUNT = sizeof ending_signals / sizeof ending_signals[0] };

// The other signals that end a process; the realtime signals do too.
static const int fatal_signals[] = {SIGILL,  SIGTRAP, SIGSEGV,   SIGBUS,  SIGABRT,   SIGFPE,    SIGQUIT, SIGSYS, SIGUSR1,
                                    SIGUSR2, SIGALRM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR};
enum { FATAL_SIGNAL_COUNT = sizeof fatal_signals / sizeof fatal_signals[0] };

static struct sigaction previous_actions[_NSIG];
static bool installed;

// The milliseconds within which the terminal has to accept each byte.
enum { PATIENCE = 100 };

// Writes the bytes one by one, each when the terminal accepts it: a terminal that has stopped reading must
// not keep the process from ending. Returns whether it accepted all of them.
static bool write_restore_sequence(void) {
  for (size_t done = 0; done < saved.length;) {
    struct pollfd output = {.fd = saved.descriptor, .events = POLLOUT};
    int ready = poll(&output, 1, PATIENCE);
    if (ready < 0 && errno == EINTR) continue;
    if (ready != 1 || !(output.revents & POLLOUT)) return false;
    ssize_t count = write(saved.descriptor, saved.restore + done, 1);
    if (count == 1) {
      done++;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void cterminal_give_back(void) {
  if (!atomic_exchange(&active, false)) return;
  int error = errno;
  // In the background, the next call would stop the process with SIGTTOU while it ends.
  sigset_t ttou, mask;
  sigemptyset(&ttou);
  sigaddset(&ttou, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &ttou, &mask);
  // If the terminal does not read, dropping a frame that was not shown makes space.
  if (!write_restore_sequence() && tcflush(saved.descriptor, TCOFLUSH) == 0) write_restore_sequence();
  // Not TCSADRAIN, for the same reason.
  tcsetattr(saved.descriptor, TCSANOW, &saved.settings);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = error;
}

// Hands a signal that another process has sent to the thread that writes to the terminal, whose writes would
// otherwise go between those of the handler. Returns whether this is another thread.
static bool hand_over(int number, const siginfo_t *info) {
  if (info->si_code != SI_USER && info->si_code != SI_QUEUE) return false;
  if (pthread_equal(pthread_self(), saved.thread)) return false;
  return pthread_kill(saved.thread, number) == 0;
}

// The thread that ends the process; 0 while none does.
static _Atomic(pthread_t) ending_thread;

// Whether the thread that writes to the terminal waits for the end.
static atomic_bool writer_waits;

// Makes the calling thread the only one that goes on with ending the process: a file that was cut short stops
// several threads at once, and none may end the process, or write to the terminal, while another gives that
// back. Any other thread waits here for the end. `number` is a signal with this file's handler.
static void end_alone(int number) {
  pthread_t none = 0;
  if (!atomic_compare_exchange_strong(&ending_thread, &none, pthread_self())) {
    // A second signal while the first is handled.
    if (pthread_equal(none, pthread_self())) return;
    if (pthread_equal(saved.thread, pthread_self())) atomic_store(&writer_waits, true);
    for (;;) pause();
  }
  if (pthread_equal(saved.thread, pthread_self()) || pthread_kill(saved.thread, number) != 0) return;
  const struct timespec millisecond = {.tv_nsec = 1000000};
  for (int i = 0; i < PATIENCE && !atomic_load(&writer_waits); i++) nanosleep(&millisecond, NULL);
}

static void handle_ending(int number, siginfo_t *info, void *context) {
  (void)context;
  if (hand_over(number, info)) return;
  end_alone(number);
  cterminal_give_back();
  _exit(128 + number);
}

static void handle_fatal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (hand_over(number, info)) return;
  end_alone(number);
  cterminal_give_back();
  end_by_bus_error(number, info);
  // The previous handler (usually the default; Swift's backtracer if it is enabled) gets the signal.
  sigaction(number, &previous_actions[number], NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void guard(int number, const struct sigaction *action) {
  sigaction(number, action, &previous_actions[number]);
  // The parent process had the signal ignored.
  if (previous_actions[number].sa_handler == SIG_IGN) sigaction(number, &previous_actions[number], NULL);
}

static void install(void) {
  // A separate stack, so that the handler also runs after an overflow of the main thread's stack.
  static char stack[64 * 1024];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  stack_t existing;
  if (sigaltstack(NULL, &existing) == 0 && (existing.ss_flags & SS_DISABLE)) sigaltstack(&alternate, NULL);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle_fatal;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < FATAL_SIGNAL_COUNT; i++) guard(fatal_signals[i], &action);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) guard(number, &action);
  action.sa_sigaction = handle_ending;
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) guard(ending_signals[i], &action);
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
  saved.thread = pthread_self();
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
  for (int i = 0; i < FATAL_SIGNAL_COUNT; i++) sigaction(fatal_signals[i], &previous_actions[fatal_signals[i]], NULL);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaction(number, &previous_actions[number], NULL);
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) sigaction(ending_signals[i], &previous_actions[ending_signals[i]], NULL);
  installed = false;
}

static sigset_t mask_outside_writing;

bool cterminal_begin_writing(void) {
  sigset_t ending, waiting;
  sigemptyset(&ending);
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) sigaddset(&ending, ending_signals[i]);
  sigpending(&waiting);
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) {
    if (sigismember(&waiting, ending_signals[i])) return false;
  }
  pthread_sigmask(SIG_UNBLOCK, &ending, &mask_outside_writing);
  return true;
}

void cterminal_end_writing(void) { pthread_sigmask(SIG_SETMASK, &mask_outside_writing, NULL); }
