#include <malloc.h>

#include "CTerminal.h"

void cterminal_keep_memory(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
}
