#include "CCalendar.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

// libical is loaded when the first calendar is read or written, and not linked: most people never have one, and
// the program also runs without the library. These are its declarations, which are stable within its version 3.
typedef struct ccalendar_todo component;
typedef struct property property;
typedef struct zone zone;
struct calendar_time {
  int year, month, day, hour, minute, second, is_date, is_daylight;
  const zone *zone;
};

static component *(*parse)(const char *);
static component *(*new_component)(int);
static void (*free_component)(component *);
static int (*kind_of_component)(const component *);
static int (*component_kind)(const char *);
static int (*count_errors)(component *);
static int (*property_kind)(const char *);
static property *(*first_property)(component *, int);
static property *(*next_property)(component *, int);
static const char *(*x_name)(property *);
static char *(*property_value)(const property *);
static char *(*property_parameter)(property *, const char *);
static property *(*new_property)(const char *);
static void (*add_property)(component *, property *);
static char *(*component_text)(component *);
static zone *(*builtin_zone)(const char *);
static int (*utc_offset)(zone *, struct calendar_time *, int *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static int todo_kind;
static int x_kind;

static void load(void) {
  if (!ccalendar_loads_libraries()) return;
  void *library = dlopen("libical.so.3", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  bool has_all = true;
#define FIND(function, name) has_all = (function = dlsym(library, name)) != NULL && has_all
  FIND(parse, "icalparser_parse_string");
  FIND(new_component, "icalcomponent_new");
  FIND(free_component, "icalcomponent_free");
  FIND(kind_of_component, "icalcomponent_isa");
  FIND(component_kind, "icalcomponent_string_to_kind");
  FIND(count_errors, "icalcomponent_count_errors");
  FIND(property_kind, "icalproperty_string_to_kind");
  FIND(first_property, "icalcomponent_get_first_property");
  FIND(next_property, "icalcomponent_get_next_property");
  FIND(x_name, "icalproperty_get_x_name");
  FIND(property_value, "icalproperty_get_value_as_string_r");
  FIND(property_parameter, "icalproperty_get_parameter_as_string_r");
  FIND(new_property, "icalproperty_new_from_string");
  FIND(add_property, "icalcomponent_add_property");
  FIND(component_text, "icalcomponent_as_ical_string_r");
  FIND(builtin_zone, "icaltimezone_get_builtin_timezone");
  FIND(utc_offset, "icaltimezone_get_utc_offset");
#undef FIND
  if (!has_all) return;
  // An error is a result, not the end of the process.
  int *errors_are_fatal = dlsym(library, "icalerror_errors_are_fatal");
  if (errors_are_fatal != NULL) *errors_are_fatal = 0;
  todo_kind = component_kind("VTODO");
  x_kind = property_kind("X-NAME");
  is_loaded = true;
}

bool ccalendar_loads_libraries(void) { return getauxval(AT_BASE) != 0; }

bool ccalendar_is_available(void) {
  pthread_once(&once, load);
  return is_loaded;
}

ccalendar_todo *ccalendar_parse(const char *text) {
  if (!ccalendar_is_available()) return NULL;
  component *todo = parse(text);
  if (todo == NULL) return NULL;
  if (kind_of_component(todo) == todo_kind) return todo;
  free_component(todo);
  return NULL;
}

ccalendar_todo *ccalendar_new(void) {
  return ccalendar_is_available() ? new_component(todo_kind) : NULL;
}

void ccalendar_free(ccalendar_todo *todo) { free_component(todo); }

bool ccalendar_has_errors(ccalendar_todo *todo) { return count_errors(todo) > 0; }

static property *find(component *todo, const char *name, int32_t number) {
  int kind = strncmp(name, "X-", 2) == 0 ? x_kind : property_kind(name);
  for (property *found = first_property(todo, kind); found != NULL; found = next_property(todo, kind)) {
    if (kind == x_kind) {
      const char *own = x_name(found);
      if (own == NULL || strcmp(own, name) != 0) continue;
    }
    if (number-- == 0) return found;
  }
  return NULL;
}

char *ccalendar_value(ccalendar_todo *todo, const char *name, int32_t number) {
  property *found = find(todo, name, number);
  return found == NULL ? NULL : property_value(found);
}

char *ccalendar_parameter(
    ccalendar_todo *todo, const char *name, int32_t number, const char *parameter) {
  property *found = find(todo, name, number);
  return found == NULL ? NULL : property_parameter(found, parameter);
}

bool ccalendar_add(ccalendar_todo *todo, const char *line) {
  property *added = new_property(line);
  if (added == NULL) return false;
  add_property(todo, added);
  return true;
}

char *ccalendar_text(ccalendar_todo *todo) { return component_text(todo); }

bool ccalendar_offset(
    const char *name, int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute,
    int32_t *seconds) {
  zone *found = ccalendar_is_available() ? builtin_zone(name) : NULL;
  if (found == NULL) return false;
  struct calendar_time time = {year, month, day, hour, minute, 0, 0, 0, NULL};
  *seconds = utc_offset(found, &time, NULL);
  return true;
}
