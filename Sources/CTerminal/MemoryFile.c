#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CTerminal.h"

bool cterminal_redirect_to_memory(int descriptor) {
  int file = memfd_create("screen", MFD_CLOEXEC);
  if (file < 0) return false;
  bool is_redirected = dup3(file, descriptor, O_CLOEXEC) >= 0;
  close(file);
  return is_redirected;
}
