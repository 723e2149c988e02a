#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

// Where Debian's package has it, so that building takes no pkg-config.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#endif
