#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "BusError.h"
#include "CTerminal.h"

static char sentence[CTERMINAL_SENTENCE_CAPACITY];

void end_by_bus_error(int number, const siginfo_t *info) {
  // A signal that another process sent, or one of another cause, is none of ours.
  if (number != SIGBUS || info->si_code != BUS_ADRERR || sentence[0] == 0) return;
  // Nothing can be done about a standard error that does not take it.
  ssize_t written = write(STDERR_FILENO, sentence, strlen(sentence));
  (void)written;
  _exit(1);
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  end_by_bus_error(number, info);
  // It ends the process when this returns.
  signal(number, SIG_DFL);
  raise(number);
}

void cterminal_explain_bus_errors(const char *text) {
  strncpy(sentence, text, sizeof sentence - 1);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}
