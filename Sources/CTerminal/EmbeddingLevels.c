#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "CTerminal.h"

// FriBidi is loaded when the first text needs it, and not linked: most people never have such a text, and the
// program also runs without the library. These are its declarations, which are stable within its version 0.
typedef uint32_t character_type;
typedef uint32_t bracket_type;
static void (*get_types)(const uint32_t *, int, character_type *);
static void (*get_brackets)(const uint32_t *, int, const character_type *, bracket_type *);
static int8_t (*get_levels)(const character_type *, const bracket_type *, int, uint32_t *, int8_t *);
static int (*get_mirrored)(uint32_t, uint32_t *);

enum { type_neutral = 0x40, type_left_to_right = 0x110, type_right_to_left = 0x111 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;

static void load(void) {
  // A program without an interpreter has a C library of its own, of another version than that of the system.
  if (getauxval(AT_BASE) == 0) return;
  void *library = dlopen("libfribidi.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  get_types = dlsym(library, "fribidi_get_bidi_types");
  get_brackets = dlsym(library, "fribidi_get_bracket_types");
  get_levels = dlsym(library, "fribidi_get_par_embedding_levels_ex");
  get_mirrored = dlsym(library, "fribidi_get_mirror_char");
  is_loaded = get_types && get_brackets && get_levels && get_mirrored;
}

int cterminal_embedding_levels(const uint32_t *scalars, int count, int direction, int8_t *levels) {
  pthread_once(&once, load);
  if (!is_loaded || count <= 0) return 0;
  character_type *types = calloc((size_t)count, sizeof *types);
  bracket_type *brackets = calloc((size_t)count, sizeof *brackets);
  int result = 0;
  if (types != NULL && brackets != NULL) {
    uint32_t base = direction == CTERMINAL_LEFT_TO_RIGHT   ? type_left_to_right
                    : direction == CTERMINAL_RIGHT_TO_LEFT ? type_right_to_left
                                                           : type_neutral;
    get_types(scalars, count, types);
    get_brackets(scalars, count, types, brackets);
    if (get_levels(types, brackets, count, &base, levels) != 0)
      result = (base & 1) != 0 ? CTERMINAL_RIGHT_TO_LEFT : CTERMINAL_LEFT_TO_RIGHT;
  }
  free(types);
  free(brackets);
  return result;
}

uint32_t cterminal_mirrored(uint32_t scalar) {
  pthread_once(&once, load);
  uint32_t other = scalar;
  return is_loaded && get_mirrored(scalar, &other) ? other : scalar;
}
