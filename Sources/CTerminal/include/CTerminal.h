#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The columns of a Unicode scalar: 0, 1 or 2, or -1 when it is not printable. Uses glibc's table for UTF-8
/// in any locale of the process. May be called from any thread.
int cterminal_scalar_width(uint32_t scalar);

/// The direction of a text.
enum {
  CTERMINAL_DIRECTION_OF_TEXT = 0,
  CTERMINAL_LEFT_TO_RIGHT = 1,
  CTERMINAL_RIGHT_TO_LEFT = 2,
};

/// Computes embedding levels of scalars by the Unicode Bidirectional Algorithm: odd levels are right-to-left
/// text.
///
/// `direction` is that of the whole text; `CTERMINAL_DIRECTION_OF_TEXT` uses that of its first letter.
/// Returns the resulting direction, or 0 when the system has no FriBidi or no memory; `levels` are not
/// changed then. May be called from any thread.
int cterminal_embedding_levels(const uint32_t *scalars, int count, int direction, int8_t *levels);

/// The scalar drawn for another one in right-to-left text: for a bracket, its mirror image.
uint32_t cterminal_mirrored(uint32_t scalar);

/// Starts a program, with the signals of one set as they are by default and those of another blocked; returns
/// its number, or -1 and an error in errno.
///
/// posix_spawn would wait until the program has begun, and for ever where Ctrl-Z stops it before.
pid_t cterminal_start(
    const char *path, char *const arguments[], const sigset_t *standard, const sigset_t *mask);

/// Keeps up to so many bytes of freed memory in the process, and larger blocks only outside of it.
void cterminal_keep_memory(int bytes);

/// Makes a descriptor lead to a new file in memory; returns whether there is one.
bool cterminal_redirect_to_memory(int descriptor);

/// `signalfd` for a set, close-on-exec and non-blocking; -1 with `errno` set on failure.
int cterminal_signal_descriptor(const sigset_t *set);

/// The next pending signal of such a descriptor, or 0 if there is none.
int cterminal_next_signal(int descriptor);

/// The greatest length of the sequence for `cterminal_guard`.
enum { CTERMINAL_RESTORE_CAPACITY = 1024 };

/// Saves the settings of the terminal on `descriptor` and the bytes that restore its screen, and restores
/// both when the process ends by `exit` or by any signal that can be caught. The signal is then raised again,
/// so that the exit status shows it. A signal that was ignored before stays ignored. Call it on the main
/// thread, before the settings are changed. Returns false, with `errno` set, when the settings cannot be read
/// or the sequence is too long.
bool cterminal_guard(int descriptor, const char *restore, size_t length);

/// Sets whether the program owns the terminal now. While it does not, the guard leaves the terminal alone, as
/// it must after the terminal was restored.
void cterminal_guard_set_active(bool active);

/// Restores the terminal now, if the program owns it: writes the sequence and restores the settings.
/// Async-signal-safe. Only the first of several concurrent calls does it. It does not wait for a terminal
/// that has stopped reading: output that the terminal has not read is dropped then.
void cterminal_give_back(void);

/// The greatest length of the sentence for `cterminal_explain_bus_errors`, with the zero at its end.
enum { CTERMINAL_SENTENCE_CAPACITY = 256 };

/// Has the process end with exit status 1 and a sentence on standard error when a file that is mapped into
/// memory is cut short by another process, or its disk cannot be read. Both are a SIGBUS at the next access,
/// anywhere in the program, after which nothing can go on.
void cterminal_explain_bus_errors(const char *sentence);

/// Removes the signal handlers.
void cterminal_unguard(void);

/// Until `cterminal_end_writing`, SIGTERM, SIGHUP and SIGINT end the process at once, with the status 128
/// plus their number, and restore the terminal: a write may block on a terminal that is not being read.
/// Returns false, and changes nothing, when one of them is pending already, which the caller has to handle
/// instead of writing.
bool cterminal_begin_writing(void);
void cterminal_end_writing(void);

#endif
