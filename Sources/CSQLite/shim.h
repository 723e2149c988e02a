#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

// Debian's library contains the hook, but its header declares it only with this macro.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#include <stdint.h>

// Variadic in C, so Swift cannot call it.
static inline int csqlite_db_config_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

// Copies the header of a wal-index (https://sqlite.org/walformat.html, "The WAL-Index Header"), which other
// processes write at the same time. It is stored twice, and the second copy is written first: 0 when the
// copies differ, because a writer is between them.
static inline int csqlite_wal_index_header(const void *index, uint64_t header[6]) {
  const uint64_t *words = (const uint64_t *)index;
  for (int i = 0; i < 6; i++) header[i] = __atomic_load_n(words + i, __ATOMIC_ACQUIRE);
  for (int i = 0; i < 6; i++)
    if (__atomic_load_n(words + 6 + i, __ATOMIC_ACQUIRE) != header[i]) return 0;
  return 1;
}

// The number of frames of the log that have been written back into the database; it follows both copies of
// the header.
static inline uint32_t csqlite_wal_index_written_back(const void *index) {
  return __atomic_load_n((const uint32_t *)index + 24, __ATOMIC_ACQUIRE);
}

// That number at the end of the checkpoint that is in progress, or was interrupted.
static inline uint32_t csqlite_wal_index_to_be_written_back(const void *index) {
  return __atomic_load_n((const uint32_t *)index + 32, __ATOMIC_ACQUIRE);
}

#endif
