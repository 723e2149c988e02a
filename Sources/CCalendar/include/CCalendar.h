// Tasks of iCalendar, read and written by libical, which is loaded when the first is needed.
#ifndef CCALENDAR_H
#define CCALENDAR_H

#include <stdbool.h>
#include <stdint.h>

// A VTODO.
typedef struct ccalendar_todo ccalendar_todo;

// Whether libical is there.
bool ccalendar_is_available(void);

// Whether the program can load libraries: one that was linked without shared ones has a C library of its own,
// which is of another version than that for which the system's libraries are made.
bool ccalendar_loads_libraries(void);

// The VTODO in a text, from BEGIN:VTODO to END:VTODO; NULL if there is none.
ccalendar_todo *_Nullable ccalendar_parse(const char *_Nonnull text);
ccalendar_todo *_Nullable ccalendar_new(void);
void ccalendar_free(ccalendar_todo *_Nonnull todo);

// Whether a part of it could not be understood.
bool ccalendar_has_errors(ccalendar_todo *_Nonnull todo);

// The value of a property in iCalendar's form, by its name and its number among those of the name; NULL if
// there is none. The caller frees it.
char *_Nullable ccalendar_value(ccalendar_todo *_Nonnull todo, const char *_Nonnull name, int32_t number);
// A parameter of a property, such as TZID. The caller frees it.
char *_Nullable ccalendar_parameter(
    ccalendar_todo *_Nonnull todo, const char *_Nonnull name, int32_t number, const char *_Nonnull parameter);
// Adds a property, given as an unfolded line.
bool ccalendar_add(ccalendar_todo *_Nonnull todo, const char *_Nonnull line);
// All of it as lines. The caller frees it.
char *_Nullable ccalendar_text(ccalendar_todo *_Nonnull todo);

// The seconds that the clocks of a zone such as Europe/Berlin are ahead of Greenwich at a local time; false
// if there is no such zone.
bool ccalendar_offset(
    const char *_Nonnull zone, int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute,
    int32_t *_Nonnull seconds);

#endif
