#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <term.h>

// Declarations that Swift cannot import: macros with casts, variadic functions, mutable globals.
static inline WINDOW *cncurses_stdscr(void) { return stdscr; }
static inline int cncurses_colors(void) { return COLORS; }
static inline int cncurses_color_pairs(void) { return COLOR_PAIRS; }

static inline attr_t cncurses_bold(void) { return WA_BOLD; }
static inline attr_t cncurses_dim(void) { return WA_DIM; }
static inline attr_t cncurses_underline(void) { return WA_UNDERLINE; }
static inline attr_t cncurses_reverse(void) { return WA_REVERSE; }
static inline attr_t cncurses_italic(void) { return WA_ITALIC; }

/// The standard capabilities' names by their index in a compiled description, or NULL after the last.
static inline const char *cncurses_boolean_name(int i) { return i < BOOLCOUNT ? boolnames[i] : (const char *)0; }
static inline const char *cncurses_number_name(int i) { return i < NUMCOUNT ? numnames[i] : (const char *)0; }
static inline const char *cncurses_string_name(int i) { return i < STRCOUNT ? strnames[i] : (const char *)0; }

/// The string of a standard capability by that index, without the search for its name; NULL if it is absent.
static inline const char *cncurses_string(int i) {
  return CUR Strings[i] == (char *)-1 ? (const char *)0 : CUR Strings[i];
}

/// A capability with its parameters filled in, valid until the next call; NULL on error.
static inline const char *cncurses_parameterized(const char *capability, int first, int second) {
  return tiparm(capability, first, second);
}

/// `newterm` on a stream and standard input, whose stream is a mutable global too.
static inline SCREEN *cncurses_newterm(const char *type, FILE *output) { return newterm(type, output, stdin); }

#endif
