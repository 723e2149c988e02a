// A disk that fails, for a program that is started with this library preloaded (LD_PRELOAD).
//
// It stands between the program and the C library, counts the calls that concern files of one folder, and has some of them
// fail, or notes what they do. It is told by variables of the environment:
//
//   FAILING_DISK_FOLDER   The folder whose files are concerned, as an absolute path; without it nothing is done.
//   FAILING_DISK_REPORT   A file of 4,096 bytes or more, outside of the folder: how many calls there were (8 bytes, in
//                         the machine's order), how many of them have failed (8 bytes), and then, as text, the first that did.
//   FAILING_DISK_CALLS    Which calls are counted: names, separated by commas, of write, read, sync, open, truncate, map,
//                         unlink and lock; all but lock when it is missing.
//   FAILING_DISK_FIRST    The number of the first call that fails, from 1 on; none when it is missing.
//   FAILING_DISK_LAST     The number of the last; the first when it is missing, 0 for all that follow.
//   FAILING_DISK_ERROR    ENOSPC, EIO, or PART: a write, or a read, that does only half of what it should, and with the rest,
//                         which the program has to ask for again, fails for lack of space, or with EIO.
//   FAILING_DISK_RECORD   A file, outside of the folder, to which everything that changes the folder is appended; see below.
//
// Writes to a mapping of a file cannot be seen here. SQLite maps only its shared memory, which is of no use after
// the power has failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum call { WRITE, READ, SYNC, OPEN, TRUNCATE, MAP, UNLINK, LOCK, CALLS };
static const char *const names[CALLS] = {"write", "read", "sync", "open", "truncate", "map", "unlink", "lock"};

// The report, which several processes may share.
struct report {
  _Atomic uint64_t count;
  _Atomic uint64_t failures;
  char first[4080];
};

static char folder[PATH_MAX];
static size_t folder_length;
static struct report *report;
static unsigned counted;
static uint64_t first_failure, last_failure;
static int error_code = EIO;
static int fails_in_part;
static int record = -1;
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real_##name())
#define FIND(name)                                                      \
  static void *real_##name(void) {                                      \
    static _Atomic(void *) found;                                       \
    void *function = atomic_load_explicit(&found, memory_order_relaxed); \
    if (!function) {                                                    \
      function = dlsym(RTLD_NEXT, #name);                               \
      atomic_store_explicit(&found, function, memory_order_relaxed);    \
    }                                                                   \
    return function;                                                    \
  }

FIND(openat)
FIND(openat64)
FIND(write)
FIND(pwrite)
FIND(pwrite64)
FIND(read)
FIND(pread)
FIND(pread64)
FIND(fsync)
FIND(fdatasync)
FIND(ftruncate)
FIND(ftruncate64)
FIND(mmap)
FIND(mmap64)
FIND(unlink)
FIND(rename)
FIND(fcntl)
FIND(fcntl64)

__attribute__((constructor)) static void start(void) {
  const char *name = getenv("FAILING_DISK_FOLDER");
  if (!name || strlen(name) >= sizeof folder) return;
  const char *path = getenv("FAILING_DISK_REPORT");
  if (path) {
    int descriptor = REAL(openat)(AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0 && REAL(ftruncate)(descriptor, 4096) == 0) {
      void *memory = REAL(mmap)(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
      if (memory != MAP_FAILED) report = memory;
    }
    if (descriptor >= 0) close(descriptor);
  }
  const char *calls = getenv("FAILING_DISK_CALLS");
  for (int call = 0; call < CALLS; call++) {
    const char *found = calls ? strstr(calls, names[call]) : NULL;
    if (calls ? found != NULL : call != LOCK) counted |= 1u << call;
  }
  const char *number = getenv("FAILING_DISK_FIRST");
  if (number) first_failure = strtoull(number, NULL, 10);
  number = getenv("FAILING_DISK_LAST");
  last_failure = number ? strtoull(number, NULL, 10) : first_failure;
  if (last_failure == 0) last_failure = UINT64_MAX;
  const char *error = getenv("FAILING_DISK_ERROR");
  if (error && strcmp(error, "ENOSPC") == 0) error_code = ENOSPC;
  if (error && strcmp(error, "PART") == 0) {
    fails_in_part = 1;
    error_code = ENOSPC;
  }
  path = getenv("FAILING_DISK_RECORD");
  // Out of the way of descriptors that a program expects to get, or to find closed.
  int descriptor = path ? REAL(openat)(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (descriptor >= 0) {
    record = REAL(fcntl)(descriptor, F_DUPFD_CLOEXEC, 700);
    close(descriptor);
  }
  // Last: from here on calls are concerned.
  strcpy(folder, name);
  folder_length = strlen(folder);
}

// The name within the folder, or NULL for what is no concern of this library's. The folder itself is ".".
static const char *name_in_folder(const char *path) {
  if (folder_length == 0 || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == 0) return ".";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *name_of_path(int directory, const char *path, char *buffer) {
  if (folder_length == 0) return NULL;
  if (path[0] == '/') return name_in_folder(path);
  char link[64];
  if (directory == AT_FDCWD) strcpy(link, "/proc/self/cwd");
  else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length < 0 || length + 1 + strlen(path) >= PATH_MAX) return NULL;
  buffer[length] = '/';
  strcpy(buffer + length + 1, path);
  return name_in_folder(buffer);
}

static const char *name_of_descriptor(int descriptor, char *buffer) {
  if (folder_length == 0 || descriptor < 0) return NULL;
  int code = errno;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  errno = code;
  if (length < 0) return NULL;
  buffer[length] = 0;
  return name_in_folder(buffer);
}

// Counts a call. Whether it is to fail.
static int is_to_fail(enum call call, const char *name) {
  if (!report || !(counted & 1u << call)) return 0;
  uint64_t number = atomic_fetch_add(&report->count, 1) + 1;
  if (first_failure == 0 || number < first_failure || number > last_failure) return 0;
  // Half a call is the last thing that works.
  if (atomic_fetch_add(&report->failures, 1) == 0)
    snprintf(report->first, sizeof report->first, "%s of %s", names[call], name);
  return 1;
}

// Whether a call that is to fail is to be done in part: the first of those that fail, if it moves bytes.
static int is_partial(size_t count) {
  return fails_in_part && count > 1 && atomic_load(&report->failures) == 1;
}

// A record is a line of its kind, the length of the name, the offset and the count of bytes that follow, as numbers; then
// the name and the bytes:
//
//   w  bytes were written to a file at an offset        t  a file was cut, or lengthened, to the offset
//   c  a file was made                                  s  what was written to a file, or a folder, is on the disk
//   u  a file was removed                               r  a file was renamed, to the bytes
//   o  bytes were written to standard output, by which the program says that something has been done
static void note(char kind, const char *name, uint64_t offset, const void *bytes, uint64_t count) {
  char line[PATH_MAX + 64];
  int length = snprintf(
      line, sizeof line, "%c %zu %llu %llu\n%s", kind, strlen(name), (unsigned long long)offset,
      (unsigned long long)count, name);
  (void)!REAL(write)(record, line, (size_t)length);
  for (uint64_t done = 0; done < count;) {
    ssize_t part = REAL(write)(record, (const char *)bytes + done, count - done);
    if (part <= 0) abort();
    done += (uint64_t)part;
  }
}

// Something that is noted once it has been done, in the order in which it was done.
#define RECORDED(type, result, expression, condition, noting) \
  type result;                                                \
  if (record >= 0) {                                          \
    pthread_mutex_lock(&recording);                           \
    result = expression;                                      \
    int code = errno;                                         \
    if (condition) noting;                                    \
    errno = code;                                             \
    pthread_mutex_unlock(&recording);                         \
  } else {                                                    \
    result = expression;                                      \
  }

static int open_file(void *function, int directory, const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = name_of_path(directory, path, buffer);
  if (name && is_to_fail(OPEN, name)) {
    errno = fails_in_part ? EMFILE : error_code;
    return -1;
  }
  int (*real)(int, const char *, int, ...) = function;
  struct stat status;
  int is_new = record >= 0 && name && (flags & O_CREAT) && fstatat(directory, path, &status, 0) != 0;
  RECORDED(
      int, result, real(directory, path, flags, mode), result >= 0 && name, {
        if (is_new) note('c', name, 0, NULL, 0);
        else if (flags & O_TRUNC) note('t', name, 0, NULL, 0);
      })
  return result;
}

#define MODE(flags)                              \
  mode_t mode = 0;                               \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {       \
    va_list list;                                \
    va_start(list, flags);                       \
    mode = va_arg(list, mode_t);                 \
    va_end(list);                                \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return open_file(real_openat(), AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return open_file(real_openat64(), AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return open_file(real_openat(), directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags)
  return open_file(real_openat64(), directory, path, flags, mode);
}

// The bytes that a failing call moves: half of them, or none.
#define FAIL_IN_PART(call, count)                                    \
  if (name && is_to_fail(call, name)) {                              \
    if (!is_partial(count)) {                                        \
      errno = call == READ && fails_in_part ? EIO : error_code;      \
      return -1;                                                     \
    }                                                                \
    count /= 2;                                                      \
  }

ssize_t write(int descriptor, const void *bytes, size_t count) {
  char buffer[PATH_MAX];
  const char *name = name_of_descriptor(descriptor, buffer);
  FAIL_IN_PART(WRITE, count)
  RECORDED(
      ssize_t, result, REAL(write)(descriptor, bytes, count),
      result > 0 && (name || descriptor == STDOUT_FILENO), {
        if (name) note('w', name, (uint64_t)(lseek(descriptor, 0, SEEK_CUR) - result), bytes, (uint64_t)result);
        else note('o', "", 0, bytes, (uint64_t)result);
      })
  return result;
}

#define PWRITE(function, offset_type)                                                             \
  ssize_t function(int descriptor, const void *bytes, size_t count, offset_type offset) {         \
    char buffer[PATH_MAX];                                                                        \
    const char *name = name_of_descriptor(descriptor, buffer);                                    \
    FAIL_IN_PART(WRITE, count)                                                                    \
    RECORDED(                                                                                     \
        ssize_t, result, REAL(function)(descriptor, bytes, count, offset), result > 0 && name,    \
        note('w', name, (uint64_t)offset, bytes, (uint64_t)result))                               \
    return result;                                                                                \
  }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t read(int descriptor, void *bytes, size_t count) {
  char buffer[PATH_MAX];
  const char *name = name_of_descriptor(descriptor, buffer);
  FAIL_IN_PART(READ, count)
  return REAL(read)(descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  char buffer[PATH_MAX];
  const char *name = name_of_descriptor(descriptor, buffer);
  FAIL_IN_PART(READ, count)
  return REAL(pread)(descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  char buffer[PATH_MAX];
  const char *name = name_of_descriptor(descriptor, buffer);
  FAIL_IN_PART(READ, count)
  return REAL(pread64)(descriptor, bytes, count, offset);
}

// Only what moves bytes can do half of it.
#define FAIL(call, failure)             \
  if (name && is_to_fail(call, name)) { \
    errno = error_code;                 \
    return failure;                     \
  }

#define SYNC_CALL(function)                                                             \
  int function(int descriptor) {                                                        \
    char buffer[PATH_MAX];                                                              \
    const char *name = name_of_descriptor(descriptor, buffer);                          \
    FAIL(SYNC, -1)                                                                      \
    RECORDED(                                                                           \
        int, result, REAL(function)(descriptor), result == 0 && name, note('s', name, 0, NULL, 0)) \
    return result;                                                                      \
  }

SYNC_CALL(fsync)
SYNC_CALL(fdatasync)

#define TRUNCATE_CALL(function, offset_type)                                             \
  int function(int descriptor, offset_type length) {                                     \
    char buffer[PATH_MAX];                                                               \
    const char *name = name_of_descriptor(descriptor, buffer);                           \
    FAIL(TRUNCATE, -1)                                                                   \
    RECORDED(                                                                            \
        int, result, REAL(function)(descriptor, length), result == 0 && name,            \
        note('t', name, (uint64_t)length, NULL, 0))                                      \
    return result;                                                                       \
  }

TRUNCATE_CALL(ftruncate, off_t)
TRUNCATE_CALL(ftruncate64, off64_t)

#define MAP_CALL(function, offset_type)                                                             \
  void *function(                                                                                   \
      void *address, size_t length, int protection, int flags, int descriptor, offset_type offset) { \
    char buffer[PATH_MAX];                                                                          \
    const char *name = flags & MAP_ANONYMOUS ? NULL : name_of_descriptor(descriptor, buffer);       \
    FAIL(MAP, MAP_FAILED)                                                                           \
    return REAL(function)(address, length, protection, flags, descriptor, offset);                  \
  }

MAP_CALL(mmap, off_t)
MAP_CALL(mmap64, off64_t)

int unlink(const char *path) {
  char buffer[PATH_MAX];
  const char *name = name_of_path(AT_FDCWD, path, buffer);
  FAIL(UNLINK, -1)
  RECORDED(int, result, REAL(unlink)(path), result == 0 && name, note('u', name, 0, NULL, 0))
  return result;
}

int rename(const char *from, const char *to) {
  char buffer[PATH_MAX], other[PATH_MAX];
  const char *name = name_of_path(AT_FDCWD, from, buffer);
  const char *target = name_of_path(AT_FDCWD, to, other);
  FAIL(UNLINK, -1)
  RECORDED(
      int, result, REAL(rename)(from, to), result == 0 && name && target,
      note('r', name, 0, target, strlen(target)))
  return result;
}

// Locks fail with what a file system answers that has none left.
#define FCNTL_CALL(function)                                                                \
  int function(int descriptor, int command, ...) {                                          \
    va_list list;                                                                           \
    va_start(list, command);                                                                \
    void *argument = va_arg(list, void *);                                                  \
    va_end(list);                                                                           \
    if (command == F_SETLK || command == F_SETLKW) {                                        \
      char buffer[PATH_MAX];                                                                \
      const char *name = name_of_descriptor(descriptor, buffer);                            \
      if (name && is_to_fail(LOCK, name)) {                                                 \
        errno = ENOLCK;                                                                     \
        return -1;                                                                          \
      }                                                                                     \
    }                                                                                       \
    return REAL(function)(descriptor, command, argument);                                   \
  }

FCNTL_CALL(fcntl)
FCNTL_CALL(fcntl64)
