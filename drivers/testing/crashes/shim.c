/* Stands between a program and the C library: notes every change of the files below one folder in a log, and
 * plays a disk that fails or that is slow. Asleep until crash_watch().
 *
 * cc -shared -fPIC -O2 -o shim.so shim.c -ldl -lpthread; LD_PRELOAD=shim.so PROGRAM
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* What is noted; drivers/testing/crashes/ops.py reads it. `inode` names a file, `at` is an offset, a size or,
 * of a sync, up to where in the log everything was written before it began. */
enum { CREATE = 1, WRITE, TRUNCATE, SYNC, SYNC_FOLDER, RENAME, UNLINK, FOLDER, SYNC_FAILED, SAID };
struct op { uint32_t what, length; uint64_t inode, at; };

enum { FILES = 4096 };
static struct { unsigned char kind; uint64_t inode; } known[FILES]; /* kind 1: a file, 2: a folder */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int notes = -1;
static volatile long spared = 0, spoilt = 0, stalled = 0;  /* syncs that work, then fail; ms that each takes */

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static long put(int fd, const void *data, size_t length) { return syscall(SYS_write, fd, data, length); }

static uint64_t here(void) { return (uint64_t)syscall(SYS_lseek, notes, 0, SEEK_END); }

static void note(uint32_t what, uint64_t inode, uint64_t at, const void *data, size_t length) {
    struct op op = {what, (uint32_t)length, inode, at};
    struct iovec parts[2] = {{&op, sizeof op}, {(void *)data, length}};
    if (notes >= 0 && syscall(SYS_writev, notes, parts, length ? 2 : 1) != (long)(sizeof op + length)) abort();
}

/* The path below the folder, NULL for any other. SQLite's shared memory is no part of what lasts. */
static const char *below(int at, const char *path, char *whole) {
    if (notes < 0) return NULL;
    if (path[0] != '/') {
        char link[64], base[PATH_MAX];
        snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
        ssize_t n = readlink(link, base, sizeof base - 1);
        if (n < 0) return NULL;
        base[n] = 0;
        if (snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return NULL;
    } else if (snprintf(whole, PATH_MAX, "%s", path) >= PATH_MAX) return NULL;
    if (strncmp(whole, root, root_length) || (whole[root_length] && whole[root_length] != '/')) return NULL;
    size_t length = strlen(whole);
    if (length > 4 && !strcmp(whole + length - 4, "-shm")) return NULL;
    return whole[root_length] ? whole + root_length + 1 : "";
}

static int file(int fd) { return notes >= 0 && fd >= 0 && fd < FILES && known[fd].kind == 1; }

void crash_watch(const char *folder, const char *log) {
    snprintf(root, sizeof root, "%s", folder);
    root_length = strlen(root);
    notes = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

void crash_said(const char *text) { note(SAID, 0, 0, text, strlen(text)); }
void crash_syncs(long spare, long spoil, long milliseconds) {
    spared = spare;
    spoilt = spoil;
    stalled = milliseconds;
}

/* -- files -------------------------------------------------------------------------------------------- */

static int opened(int at, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    struct stat found;
    const char *name = below(at, path, whole);
    if (!name) {
        int fd = (int)syscall(SYS_openat, at, path, flags, mode);
        if (fd >= 0 && fd < FILES) known[fd].kind = 0;
        return fd;
    }
    pthread_mutex_lock(&lock);
    int new = (flags & O_CREAT) && syscall(SYS_faccessat, at, path, F_OK) != 0;
    int fd = (int)syscall(SYS_openat, at, path, flags, mode);
    int reason = errno;
    if (fd >= 0 && fd < FILES && fstat(fd, &found) == 0) {
        known[fd].kind = S_ISDIR(found.st_mode) ? 2 : 1;
        known[fd].inode = found.st_ino;
        if (new) note(CREATE, found.st_ino, 0, name, strlen(name));
        else if (flags & O_TRUNC) note(TRUNCATE, found.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = reason;
    return fd;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags | O_LARGEFILE, mode); }

int close(int fd) {
    REAL(close);
    if (fd >= 0 && fd < FILES) known[fd].kind = 0;
    return real(fd);
}

static ssize_t written(int fd, const void *data, size_t length, off64_t at, int moves) {
    struct stat found;
    pthread_mutex_lock(&lock);
    off64_t begin = at;
    fstat(fd, &found);
    if (moves) begin = (syscall(SYS_fcntl, fd, F_GETFL) & O_APPEND) ? found.st_size : syscall(SYS_lseek, fd, 0, SEEK_CUR);
    ssize_t done = moves ? put(fd, data, length) : syscall(SYS_pwrite64, fd, data, length, at);
    int reason = errno;
    if (done > 0) note(WRITE, known[fd].inode, (uint64_t)begin, data, (size_t)done);
    pthread_mutex_unlock(&lock);
    errno = reason;
    return done;
}

ssize_t write(int fd, const void *data, size_t length) {
    return file(fd) ? written(fd, data, length, 0, 1) : put(fd, data, length);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t at) {
    return file(fd) ? written(fd, data, length, at, 0) : syscall(SYS_pwrite64, fd, data, length, at);
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t at) { return pwrite64(fd, data, length, at); }

/* Programs fall back on read and write. */
ssize_t sendfile(int out, int in, off_t *at, size_t length) {
    REAL(sendfile);
    if (file(out)) { errno = EINVAL; return -1; }
    return real(out, in, at, length);
}
ssize_t sendfile64(int out, int in, off64_t *at, size_t length) { return sendfile(out, in, at, length); }
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
    REAL(copy_file_range);
    if (file(out)) { errno = EXDEV; return -1; }
    return real(in, from, out, to, length, flags);
}

int ftruncate64(int fd, off64_t size) {
    if (!file(fd)) return (int)syscall(SYS_ftruncate, fd, size);
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_ftruncate, fd, size);
    if (done == 0) note(TRUNCATE, known[fd].inode, (uint64_t)size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* -- names -------------------------------------------------------------------------------------------- */

static int renamed(int from_at, const char *from, int to_at, const char *to) {
    char one[PATH_MAX], two[PATH_MAX], both[2 * PATH_MAX];
    pthread_mutex_lock(&lock);
    const char *old = below(from_at, from, one), *new = below(to_at, to, two);
    int done = (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
    if (done == 0 && old && new) {
        size_t length = strlen(old) + 1;
        memcpy(both, old, length);
        memcpy(both + length, new, strlen(new));
        note(RENAME, 0, 0, both, length + strlen(new));
    }
    pthread_mutex_unlock(&lock);
    return done;
}
int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return renamed(from_at, from, to_at, to); }

static int unlinked(int at, const char *path, int flags) {
    char whole[PATH_MAX];
    pthread_mutex_lock(&lock);
    const char *name = below(at, path, whole);
    int done = (int)syscall(SYS_unlinkat, at, path, flags);
    if (done == 0 && name) note(UNLINK, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return done;
}
int unlink(const char *path) { return unlinked(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlinked(at, path, flags); }
int remove(const char *path) { return unlinked(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinked(AT_FDCWD, path, AT_REMOVEDIR); }

static int folder(int at, const char *path, mode_t mode) {
    char whole[PATH_MAX];
    pthread_mutex_lock(&lock);
    const char *name = below(at, path, whole);
    int done = (int)syscall(SYS_mkdirat, at, path, mode);
    if (done == 0 && name && *name) note(FOLDER, 0, 0, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return done;
}
int mkdir(const char *path, mode_t mode) { return folder(AT_FDCWD, path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { return folder(at, path, mode); }

/* -- syncs -------------------------------------------------------------------------------------------- */

static int synced(int fd, long call) {
    if (notes < 0 || fd < 0 || fd >= FILES || !known[fd].kind) return (int)syscall(call, fd);
    pthread_mutex_lock(&lock);
    uint64_t inode = known[fd].inode, upto = here();
    int folder = known[fd].kind == 2, fails = 0;
    if (spared > 0) spared--;
    else if (spoilt > 0) { spoilt--; fails = 1; }
    pthread_mutex_unlock(&lock);
    if (stalled) {
        struct timespec pause = {stalled / 1000, stalled % 1000 * 1000000};
        nanosleep(&pause, NULL);
    }
    /* The cut is made from the log: the real disk need not be waited for. */
    char link[64], whole[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, whole, sizeof whole - 1);
    whole[n > 0 ? n : 0] = 0;
    const char *name = (size_t)n > root_length ? whole + root_length + 1 : "";
    pthread_mutex_lock(&lock);
    if (fails) note(SYNC_FAILED, inode, upto, NULL, 0);
    else if (folder) note(SYNC_FOLDER, inode, upto, name, strlen(name));
    else note(SYNC, inode, upto, NULL, 0);
    pthread_mutex_unlock(&lock);
    if (fails) errno = EIO;
    return fails ? -1 : 0;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
