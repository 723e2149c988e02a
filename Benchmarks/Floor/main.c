// The least that a program in C does for what `tasks` does: each command opens the file, does it with SQLite's
// own calls and ends. The benchmarks of `tasks` start it.
//
//   TasksFloor show PATH LIST ROWS     fill the terminal with the first rows of a list, until a key
//   TasksFloor add PATH LIST TEXT      add a task at the end of a list, and a row to the change log
//   TasksFloor done PATH TASK          complete a task, and add a row to the change log
//   TasksFloor list PATH LIST          print the tasks of a list with the columns that `tasks list` prints
#define _XOPEN_SOURCE_EXTENDED 1
#include <curses.h>
#include <locale.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *database;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, database == NULL ? "no memory" : sqlite3_errmsg(database));
  exit(1);
}

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

// With the settings of the connections of `tasks`, so that only their use differs.
static void open_file(const char *path) {
  if (sqlite3_open(path, &database) != SQLITE_OK) fail(path);
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8192");
  sqlite3_busy_timeout(database, 10000);
}

static sqlite3_stmt *prepare(const char *sql, int count, char **values) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
  for (int i = 0; i < count; i++) sqlite3_bind_text(statement, i + 1, values[i], -1, SQLITE_STATIC);
  return statement;
}

static void run_with(const char *sql, int count, char **values) {
  sqlite3_stmt *statement = prepare(sql, count, values);
  while (sqlite3_step(statement) == SQLITE_ROW) {}
  if (sqlite3_finalize(statement) != SQLITE_OK) fail(sql);
}

static const char *text(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text == NULL ? "" : (const char *)text;
}

// The id of the list is the first value, and the greatest number of rows the second.
static const char first_rows[] =
    "SELECT t.text, t.completed, t.date, t.notes, t.priority, t.repetition, "
    "(SELECT count(*) FROM TaskItem_subtasks s WHERE s.owner = t.id) "
    "FROM TaskList_items e CROSS JOIN TaskItem t ON t.id = e.target WHERE e.owner = ?1 "
    "ORDER BY e.position, e.target LIMIT CAST(?2 AS INTEGER)";

static void show(char **values) {
  setlocale(LC_ALL, "");
  initscr();
  cbreak();
  noecho();
  start_color();
  for (short color = 1; color <= 24; color++) init_pair(color, 16, (short)(190 + color));
  int line = 1;
  sqlite3_stmt *statement = prepare(first_rows, 2, values);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    attrset(COLOR_PAIR(line % 24 + 1));
    mvhline(line, 0, ' ', COLS);
    mvaddstr(line++, 2, text(statement, 0));
  }
  sqlite3_finalize(statement);
  attrset(A_NORMAL);
  statement = prepare("SELECT text FROM TaskList WHERE id = ?1", 1, values);
  if (sqlite3_step(statement) == SQLITE_ROW) mvaddstr(0, 2, text(statement, 0));
  sqlite3_finalize(statement);
  mvaddstr(LINES - 1, 2, "q quit");
  refresh();
  getch();
  endwin();
}

static void list(char **values) {
  char *all[] = {values[0], "-1"};
  sqlite3_stmt *statement = prepare(first_rows, 2, all);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    printf(
        "%s %s %s %s\n", sqlite3_column_int(statement, 1) ? "[x]" : "[ ]", text(statement, 0), text(statement, 2),
        text(statement, 4));
  }
  sqlite3_finalize(statement);
}

int main(int count, char **words) {
  if (count < 4) return 2;
  const char *command = words[1];
  open_file(words[2]);
  if (strcmp(command, "show") == 0 && count == 5) {
    show(words + 3);
  } else if (strcmp(command, "add") == 0 && count == 5) {
    run("BEGIN IMMEDIATE");
    run_with("INSERT INTO TaskItem (text, readText) VALUES (?1, ?1)", 1, words + 4);
    run_with(
        "INSERT INTO TaskList_items (owner, position, target) VALUES (?1, "
        "(SELECT max(position) || '1' FROM TaskList_items WHERE owner = ?1), "
        "(SELECT key FROM _livestore_log ORDER BY seq DESC LIMIT 1))",
        1, words + 3);
    run("COMMIT");
  } else if (strcmp(command, "done") == 0 && count == 4) {
    run("BEGIN IMMEDIATE");
    run_with("UPDATE TaskItem SET completed = 1, completedAt = '2024-01-01' WHERE id = ?1", 1, words + 3);
    run_with(
        "UPDATE TaskList_items SET position = (SELECT max(position) || '1' FROM TaskList_items e "
        "WHERE e.owner = TaskList_items.owner) WHERE target = ?1",
        1, words + 3);
    run("COMMIT");
  } else if (strcmp(command, "list") == 0 && count == 4) {
    list(words + 3);
  } else {
    return 2;
  }
  sqlite3_close(database);
  return 0;
}
