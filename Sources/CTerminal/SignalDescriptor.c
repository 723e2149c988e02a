#include <sys/signalfd.h>
#include <unistd.h>

#include "CTerminal.h"

int cterminal_signal_descriptor(const sigset_t *set) {
  return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int cterminal_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}
