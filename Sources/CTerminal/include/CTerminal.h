#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Columns that one Unicode scalar takes: 0, 1 or 2, or -1 when it is not printable. By glibc's table for
/// UTF-8, whatever the locale of the process is. May be called from any thread.
int cterminal_scalar_width(uint32_t scalar);

/// Which way a text runs.
enum {
  CTERMINAL_DIRECTION_OF_TEXT = 0,
  CTERMINAL_LEFT_TO_RIGHT = 1,
  CTERMINAL_RIGHT_TO_LEFT = 2,
};

/// Embedding levels of scalars by the Unicode Bidirectional Algorithm: where one is odd, the text runs from right to left.
///
/// `direction` is that of the whole text, `CTERMINAL_DIRECTION_OF_TEXT` for what its first letter says. Returns the
/// direction that it has then, or 0 when the system has no FriBidi or no memory, and `levels` are left alone.
/// May be called from any thread.
int cterminal_embedding_levels(const uint32_t *scalars, int count, int direction, int8_t *levels);

/// What is drawn for a scalar where text runs from right to left: of a bracket, the other one.
uint32_t cterminal_mirrored(uint32_t scalar);

/// `signalfd` for a set, close-on-exec and non-blocking; -1 with `errno` set on failure.
int cterminal_signal_descriptor(const sigset_t *set);

/// The next signal that waits at such a descriptor, or 0 when none does.
int cterminal_next_signal(int descriptor);

/// Longest sequence that `cterminal_guard` takes.
enum { CTERMINAL_RESTORE_CAPACITY = 1024 };

/// Remembers the settings of the terminal on `descriptor` and the bytes that bring its screen back, and from
/// then on gives both back when the process ends by `exit` or by any signal that can be caught. The signal is then raised
/// again, so that the way the process ended stays visible. One that was ignored before stays ignored. Call it on the main
/// thread, before the settings are changed. Returns false, with `errno` set, when the settings cannot be read or the
/// sequence is too long.
bool cterminal_guard(int descriptor, const char *restore, size_t length);

/// Whether the terminal is the program's now. While false, the guard leaves the terminal alone, as it must
/// when the terminal has been given back already.
void cterminal_guard_set_active(bool active);

/// Gives the terminal back now, if it is the program's: writes the sequence and restores the settings.
/// Async-signal-safe. Only the first of several concurrent calls does it. A terminal that has stopped reading is not waited
/// for: what has been written to it and not been read is dropped then.
void cterminal_give_back(void);

/// Removes the handlers of signals again.
void cterminal_unguard(void);

/// From here to `cterminal_end_writing` SIGTERM, SIGHUP and SIGINT end the process at once, with the status 128 and their
/// number, and with the terminal given back: the write that goes on may wait for a terminal that nobody reads. Returns
/// false, and changes nothing, when one of them waits already: nothing should be written then, but that be dealt with.
bool cterminal_begin_writing(void);
void cterminal_end_writing(void);

#endif
