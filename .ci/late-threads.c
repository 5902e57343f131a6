// SPDX-License-Identifier: Apache-2.0
//
// Makes Headpond's own threads late: each sleeps for 5 ms after a call that changes what others see
// in the file system, before it notes that change in memory. A test, or another thread, that takes
// what it sees for what the store knows already then fails every time, and not once in a thousand.
//
//     gcc -O1 -shared -fPIC -o late-threads.so late-threads.c -ldl
//     LD_PRELOAD=$PWD/late-threads.so ./mvnw test ...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

// Java gives a thread's name to the system, cut to 15 bytes.
static const char PREFIX[] = "headpond-";
static const struct timespec LATE = {0, 5000000};

static void late(void) {
  const int error = errno;
  char name[16] = "";
  if (pthread_getname_np(pthread_self(), name, sizeof name) == 0 &&
      strncmp(name, PREFIX, sizeof PREFIX - 1) == 0) {
    nanosleep(&LATE, NULL);
  }
  errno = error;
}

// A function of the C library that does what it does, and is late after that.
#define LATE_CALL(type, name, parameters, arguments)       \
  type name parameters {                                   \
    static type(*real) parameters;                         \
    if (!real) {                                           \
      real = (type(*) parameters)dlsym(RTLD_NEXT, #name);  \
    }                                                      \
    const type result = real arguments;                    \
    late();                                                \
    return result;                                         \
  }

LATE_CALL(int, rename, (const char *from, const char *to), (from, to))
LATE_CALL(int, renameat, (int in, const char *from, int at, const char *to), (in, from, at, to))
LATE_CALL(int, unlink, (const char *path), (path))
LATE_CALL(int, unlinkat, (int in, const char *path, int flags), (in, path, flags))
LATE_CALL(int, symlink, (const char *target, const char *path), (target, path))
LATE_CALL(int, link, (const char *from, const char *to), (from, to))
LATE_CALL(int, ftruncate, (int file, off_t length), (file, length))
LATE_CALL(int, ftruncate64, (int file, off64_t length), (file, length))
LATE_CALL(ssize_t, pwrite64, (int file, const void *from, size_t count, off64_t at), (file, from, count, at))
LATE_CALL(int, fsync, (int file), (file))
LATE_CALL(int, fdatasync, (int file), (file))

// Only a file that may be new is a change.
#define LATE_OPEN(name)                                    \
  int name(const char *path, int flags, ...) {             \
    static int (*real)(const char *, int, ...);            \
    if (!real) {                                           \
      real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    }                                                      \
    va_list more;                                          \
    va_start(more, flags);                                 \
    const mode_t mode = va_arg(more, mode_t);              \
    va_end(more);                                          \
    const int result = real(path, flags, mode);            \
    if (flags & O_CREAT) {                                 \
      late();                                              \
    }                                                      \
    return result;                                         \
  }

LATE_OPEN(open)
LATE_OPEN(open64)
