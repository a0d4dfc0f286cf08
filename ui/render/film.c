// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/film.h"

#include "quaver/path.h"
#include "ui/film_entry.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

// --- What can be told before ---------------------------------------------------------------------------------------

bool qvuiHasEncoder(void)
{
    const char* rest = getenv("PATH");
    while (rest != NULL && *rest != 0)
    {
        char path[PATH_MAX];
        struct stat info;
        int length = (int)strcspn(rest, ":");
        snprintf(path, sizeof(path), "%.*s/ffmpeg", length, rest);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0)
            return true;
        rest += length;
        rest += *rest == ':';
    }
    return false;
}

void qvuiFilmSize(const char* path, int size[2])
{
    bool isEven = qvPath_HasExtension(path, "mp4");
    for (int i = 0; isEven && i < 2; i++)
        size[i] -= size[i] % 2;
}

static qvResult FailWithoutEncoder(const char* path, qvError* error)
{
    return qvError_Set(error, qv_unsupported,
                       "%s: an MP4 film needs ffmpeg, which is not here; install the package ffmpeg, or write a .gif",
                       path);
}

static qvResult CheckSize(const char* path, int width, int height, qvError* error)
{
    return width >= 2 && height >= 2 ? qv_ok
                                     : qvError_Set(error, qv_badInput,
                                                   "%s: %d x %d pixels are too few for an MP4 film, whose sides are "
                                                   "even; use 2 x 2 or more",
                                                   path, width, height);
}

qvResult qvuiCheckFilm(const char* path, int width, int height, qvError* error)
{
    if (!qvPath_HasExtension(path, "mp4"))
        return qv_ok;
    qvResult result = CheckSize(path, width, height, error);
    return result != qv_ok || qvuiHasEncoder() ? result : FailWithoutEncoder(path, error);
}

// --- Writing -------------------------------------------------------------------------------------------------------

static qvResult OpenGif(qvuiFilm* film, const char* path, double fps, const qvImage* samples, int sampleCount,
                        qvError* error)
{
    qvGifPalette* palette = malloc(sizeof(*palette));
    if (palette == NULL)
        return qvError_OutOfMemory(error, sizeof(*palette));
    qvGifPalette_Build(palette, samples, sampleCount);
    qvResult result = qvCreateGif(path, film->width, film->height, fps, palette, &film->gif, error);
    free(palette);
    return result;
}

enum
{
    PATIENCE = 50 // ms between questions whether to go on
};

// The encoder's own file 3 is the one that takes its name at the end, whatever becomes of the name it has until then.
#define ENCODED "file:/proc/self/fd/3"

// ffmpeg reads our pixels from a socket and speaks only of errors. H.264 in 4:2:0 needs even sides: an odd last row or
// column is cut. Ctrl-C in a terminal is ours alone: a group of its own keeps it from the encoder.
static qvResult Spawn(qvuiFilm* film, double fps, int in, qvError* error)
{
    char size[32], rate[32];
    snprintf(size, sizeof(size), "%dx%d", film->width, film->height);
    snprintf(rate, sizeof(rate), "%g", fps);
    const char* const arguments[] = { "ffmpeg",
                                      "-v",
                                      "error",
                                      "-y",
                                      "-f",
                                      "rawvideo",
                                      "-pix_fmt",
                                      "rgba",
                                      "-s",
                                      size,
                                      "-r",
                                      rate,
                                      "-i",
                                      "-",
                                      "-an",
                                      "-vf",
                                      "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                                      "-c:v",
                                      "libx264",
                                      "-crf",
                                      "18",
                                      "-pix_fmt",
                                      "yuv420p",
                                      "-movflags",
                                      "+faststart",
                                      "-f",
                                      "mp4",
                                      ENCODED,
                                      NULL };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, film->remarks, 2);
    posix_spawn_file_actions_adddup2(&actions, fileno(film->file.stream), 3);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int failure =
        posix_spawnp(&film->encoder, "ffmpeg", &actions, &attributes, (char* const*)(uintptr_t)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure == 0)
        return qv_ok;
    film->encoder = 0;
    return FailWithoutEncoder(film->file.path, error);
}

// A socket instead of a pipe: an encoder that dies is an error of send, not a signal for the whole program.
static qvResult StartEncoder(qvuiFilm* film, double fps, qvError* error)
{
    int ends[2];
    film->remarks = memfd_create("ffmpeg", MFD_CLOEXEC);
    if (film->remarks < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot start ffmpeg: %s", film->file.path, strerror(errno));
    film->pixels = ends[1];
    qvResult result = Spawn(film, fps, ends[0], error);
    close(ends[0]);
    return result;
}

// ffmpeg writes into the file that is there under its temporary name.
static qvResult OpenMp4(qvuiFilm* film, const char* path, double fps, qvError* error)
{
    qvResult result = CheckSize(path, film->width, film->height, error);
    if (result == qv_ok)
        result = qvFileWriter_Open(&film->file, path, error);
    return result == qv_ok ? StartEncoder(film, fps, error) : result;
}

qvResult qvuiOpenFilm(qvuiFilm* film, const char* path, int width, int height, double fps, const qvImage* samples,
                      int sampleCount, qvError* error)
{
    *film = (qvuiFilm){ .width = width, .height = height, .pixels = -1, .remarks = -1 };
    if (qvPath_HasExtension(path, "gif"))
        return OpenGif(film, path, fps, samples, sampleCount, error);
    return OpenMp4(film, path, fps, error);
}

static void CloseFile(int* file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

// Lets the encoder finish, if the job goes on for so long; *isContent is whether it was.
static qvResult EndEncoder(qvuiFilm* film, const qvJob* job, bool* isContent, qvError* error)
{
    CloseFile(&film->pixels);
    int status = -1;
    qvResult result = qv_ok;
    for (long pause = 1; film->encoder > 0 && result == qv_ok; pause = pause < PATIENCE ? 2 * pause : PATIENCE)
    {
        if (waitpid(film->encoder, &status, WNOHANG) != 0)
            film->encoder = 0;
        else
        {
            nanosleep(&(struct timespec){ .tv_nsec = pause * 1000000 }, NULL);
            result = qvJob_Ask(job, error);
        }
    }
    *isContent = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return result;
}

// The first line of what ffmpeg has said, unless it was stopped together with us.
static qvResult FailWithRemark(qvuiFilm* film, const qvJob* job, qvError* error)
{
    char remark[200] = "";
    bool isContent;
    qvResult result = EndEncoder(film, job, &isContent, error);
    if (result == qv_ok)
        result = qvJob_Ask(job, error);
    if (result != qv_ok)
        return result;
    ssize_t length = pread(film->remarks, remark, sizeof(remark) - 1, 0);
    remark[length > 0 ? strcspn(remark, "\r\n") : 0] = 0;
    return qvError_Set(error, qv_ioFailed, "%s: ffmpeg failed%s%s", film->file.path, remark[0] != 0 ? ": " : "",
                       remark);
}

qvResult qvuiFilm_Add(qvuiFilm* film, const qvImage* image, const qvJob* job, qvError* error)
{
    if (film->gif != NULL)
        return qvGif_AddFrame(film->gif, image, error);
    const uint8_t* rest = image->pixels;
    size_t left = (size_t)film->width * (size_t)film->height * 4;
    while (left > 0)
    {
        ssize_t sent = send(film->pixels, rest, left, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return FailWithRemark(film, job, error);
        if (sent < 0)
        {
            struct pollfd room = { film->pixels, POLLOUT, 0 };
            poll(&room, 1, PATIENCE);
            qvResult result = qvJob_Ask(job, error);
            if (result != qv_ok)
                return result;
            continue;
        }
        rest += sent;
        left -= (size_t)sent;
    }
    return qv_ok;
}

qvResult qvuiFilm_Finish(qvuiFilm* film, const qvJob* job, qvError* error)
{
    if (film->gif != NULL)
    {
        qvGif* gif = film->gif;
        film->gif = NULL;
        return qvGif_Close(gif, error);
    }
    bool isContent;
    qvResult result = EndEncoder(film, job, &isContent, error);
    if (result == qv_ok && !isContent)
        result = FailWithRemark(film, job, error);
    if (result == qv_ok)
        result = qvJob_Progress(job, "film", 1.0, error);
    return result == qv_ok ? qvFileWriter_Commit(&film->file, error) : result;
}

void qvuiFilm_Discard(qvuiFilm* film)
{
    qvGif_Discard(film->gif);
    film->gif = NULL;
    if (film->encoder > 0)
    {
        kill(film->encoder, SIGKILL);
        waitpid(film->encoder, NULL, 0);
        film->encoder = 0;
    }
    CloseFile(&film->pixels);
    CloseFile(&film->remarks);
    qvFileWriter_Discard(&film->file);
}

// --- A whole film --------------------------------------------------------------------------------------------------

enum
{
    PALETTE_SAMPLES = 5 // pictures that a GIF's colours come from
};

static qvResult DrawSamples(const qvuiFrames* frames, const qvJob* job, qvImage samples[PALETTE_SAMPLES],
                            qvError* error)
{
    qvResult result = qv_ok;
    for (int i = 0; result == qv_ok && i < PALETTE_SAMPLES; i++)
    {
        result = qvJob_Progress(job, "film", 0.0, error);
        if (result == qv_ok)
            result = qvCreateImage(frames->image->width, frames->image->height, &samples[i], error);
        if (result == qv_ok)
            result = frames->draw(frames->context, (frames->count - 1) * i / (PALETTE_SAMPLES - 1), &samples[i], error);
    }
    return result;
}

qvResult qvuiWriteFilm(const qvuiFrames* frames, const char* path, const qvJob* job, qvError* error)
{
    int sampleCount = qvPath_HasExtension(path, "gif") ? PALETTE_SAMPLES : 0;
    qvImage samples[PALETTE_SAMPLES] = { { 0 } };
    qvuiFilm film = { .pixels = -1, .remarks = -1 };
    qvResult result = sampleCount > 0 ? DrawSamples(frames, job, samples, error) : qv_ok;
    if (result == qv_ok)
        result = qvuiOpenFilm(&film, path, frames->image->width, frames->image->height, frames->fps, samples,
                              sampleCount, error);
    for (int i = 0; i < PALETTE_SAMPLES; i++)
        qvDestroyImage(&samples[i]);
    for (int frame = 0; result == qv_ok && frame < frames->count; frame++)
    {
        result = qvJob_Progress(job, "film", (double)frame / frames->count, error);
        if (result == qv_ok)
            result = frames->draw(frames->context, frame, frames->image, error);
        if (result == qv_ok)
            result = qvuiFilm_Add(&film, frames->image, job, error);
    }
    if (result == qv_ok)
        result = qvuiFilm_Finish(&film, job, error);
    qvuiFilm_Discard(&film);
    return result;
}
