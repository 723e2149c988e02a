#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

// Debian's library is built with the hook, but its header declares it only on request.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// Variadic in C, so Swift cannot call it.
static inline int csqlite_db_config_flag(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

#endif
