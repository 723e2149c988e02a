#include <stddef.h>
#include <unistd.h>

#include "CTerminal.h"

pid_t cterminal_start(
    const char *path, char *const arguments[], const sigset_t *standard, const sigset_t *mask) {
  if (access(path, X_OK) != 0) return -1;
  pid_t child = fork();
  if (child != 0) return child;
  for (int number = 1; number < NSIG; number++) {
    if (sigismember(standard, number) == 1) signal(number, SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, mask, NULL);
  execv(path, arguments);
  _exit(127);
}
