// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/render/film.h"

#include "quaver/path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

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

// ffmpeg reads our pixels from a socket and speaks only of errors. H.264 in 4:2:0 needs even sides: an odd last row or
// column is cut.
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
                                      film->temporary,
                                      NULL };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, film->remarks, 2);
    int failure = posix_spawnp(&film->encoder, "ffmpeg", &actions, NULL, (char* const*)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure == 0)
        return qv_ok;
    film->encoder = 0;
    return qvError_Set(error, qv_unsupported,
                       "%s: an MP4 film needs ffmpeg, which is not here; install the package ffmpeg, or write a .gif",
                       film->path);
}

// A socket instead of a pipe: an encoder that dies is an error of send, not a signal for the whole program.
static qvResult StartEncoder(qvuiFilm* film, double fps, qvError* error)
{
    int ends[2];
    film->remarks = memfd_create("ffmpeg", MFD_CLOEXEC);
    if (film->remarks < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot start ffmpeg: %s", film->path, strerror(errno));
    film->pixels = ends[1];
    qvResult result = Spawn(film, fps, ends[0], error);
    close(ends[0]);
    return result;
}

static qvResult OpenMp4(qvuiFilm* film, const char* path, double fps, qvError* error)
{
    size_t length = strlen(path) + 32;
    film->path = strdup(path);
    film->temporary = malloc(length);
    if (film->path == NULL || film->temporary == NULL)
        return qvError_OutOfMemory(error, (double)length);
    snprintf(film->temporary, length, "%s.%ld.part", path, (long)getpid());
    int probe = open(film->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (probe < 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot write: %s; choose another folder", path, strerror(errno));
    close(probe);
    return StartEncoder(film, fps, error);
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

// Lets the encoder finish. Returns whether it was content.
static bool EndEncoder(qvuiFilm* film)
{
    CloseFile(&film->pixels);
    int status = -1;
    if (film->encoder > 0)
        waitpid(film->encoder, &status, 0);
    film->encoder = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The first line of what ffmpeg has said.
static qvResult FailWithRemark(qvuiFilm* film, qvError* error)
{
    char remark[200] = "";
    EndEncoder(film);
    ssize_t length = pread(film->remarks, remark, sizeof(remark) - 1, 0);
    remark[length > 0 ? strcspn(remark, "\r\n") : 0] = 0;
    return qvError_Set(error, qv_ioFailed, "%s: ffmpeg failed%s%s", film->path, remark[0] != 0 ? ": " : "", remark);
}

qvResult qvuiFilm_Add(qvuiFilm* film, const qvImage* image, qvError* error)
{
    if (film->gif != NULL)
        return qvGif_AddFrame(film->gif, image, error);
    const uint8_t* rest = image->pixels;
    size_t left = (size_t)film->width * (size_t)film->height * 4;
    while (left > 0)
    {
        ssize_t sent = send(film->pixels, rest, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return FailWithRemark(film, error);
        rest += sent;
        left -= (size_t)sent;
    }
    return qv_ok;
}

static void Forget(qvuiFilm* film)
{
    CloseFile(&film->remarks);
    free(film->path);
    free(film->temporary);
    film->path = film->temporary = NULL;
}

qvResult qvuiFilm_Finish(qvuiFilm* film, qvError* error)
{
    if (film->gif != NULL)
    {
        qvGif* gif = film->gif;
        film->gif = NULL;
        return qvGif_Close(gif, error);
    }
    if (!EndEncoder(film))
        return FailWithRemark(film, error);
    if (rename(film->temporary, film->path) != 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot write: %s", film->path, strerror(errno));
    Forget(film);
    return qv_ok;
}

void qvuiFilm_Discard(qvuiFilm* film)
{
    qvGif_Discard(film->gif);
    film->gif = NULL;
    if (film->encoder > 0)
        kill(film->encoder, SIGKILL);
    EndEncoder(film);
    if (film->temporary != NULL)
        unlink(film->temporary);
    Forget(film);
}
