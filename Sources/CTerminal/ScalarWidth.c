#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <wchar.h>

#include "CTerminal.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t utf8;

static void make_locale(void) {
  utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

int cterminal_scalar_width(uint32_t scalar) {
  pthread_once(&once, make_locale);
  if (utf8 == (locale_t)0) return wcwidth((wchar_t)scalar);
  locale_t previous = uselocale(utf8);
  int width = wcwidth((wchar_t)scalar);
  uselocale(previous);
  return width;
}
