// SPDX-License-Identifier: GPL-3.0-or-later
#include "film.h"

#include "quaver/path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static qvResult OpenGif(Film* film, const char* path, double fps, const qvImage* samples, int sampleCount,
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

// ffmpeg reads our pixels from a pipe and is silent. H.264 in 4:2:0 needs even sides: an odd last row or column is cut.
static qvResult Spawn(Film* film, double fps, int in, qvError* error)
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
    int failure = posix_spawnp(&film->encoder, "ffmpeg", &actions, NULL, (char* const*)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure == 0)
        return qv_ok;
    film->encoder = 0;
    return qvError_Set(error, qv_unsupported,
                       "%s: an MP4 film needs ffmpeg, which is not here; install the package ffmpeg, or write a .gif",
                       film->path);
}

static qvResult OpenMp4(Film* film, const char* path, double fps, qvError* error)
{
    size_t length = strlen(path) + 32;
    film->path = strdup(path);
    film->temporary = malloc(length);
    int ends[2];
    if (film->path == NULL || film->temporary == NULL)
        return qvError_OutOfMemory(error, (double)length);
    snprintf(film->temporary, length, "%s.%ld.part", path, (long)getpid());
    int probe = open(film->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (probe < 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot write: %s; choose another folder", path, strerror(errno));
    close(probe);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return qvError_Set(error, qv_ioFailed, "%s: cannot start ffmpeg: %s", path, strerror(errno));
    signal(SIGPIPE, SIG_IGN); // an encoder that dies is an error below, not the end of this program
    qvResult result = Spawn(film, fps, ends[0], error);
    close(ends[0]);
    if (result == qv_ok)
        film->pipe = fdopen(ends[1], "wb");
    else
        close(ends[1]);
    return result;
}

qvResult OpenFilm(Film* film, const char* path, int width, int height, double fps, const qvImage* samples,
                  int sampleCount, qvError* error)
{
    *film = (Film){ .width = width, .height = height };
    if (qvPath_HasExtension(path, "gif"))
        return OpenGif(film, path, fps, samples, sampleCount, error);
    return OpenMp4(film, path, fps, error);
}

qvResult AddToFilm(Film* film, const qvImage* image, qvError* error)
{
    if (film->gif != NULL)
        return qvGif_AddFrame(film->gif, image, error);
    size_t count = (size_t)film->width * (size_t)film->height;
    if (film->pipe != NULL && fwrite(image->pixels, 4, count, film->pipe) == count)
        return qv_ok;
    return qvError_Set(error, qv_ioFailed, "%s: ffmpeg stopped; its message is above", film->path);
}

static void FreePaths(Film* film)
{
    free(film->path);
    free(film->temporary);
    film->path = film->temporary = NULL;
}

// Closes the pipe and waits. Returns whether ffmpeg was content.
static bool EndEncoder(Film* film)
{
    bool flushed = film->pipe == NULL || fclose(film->pipe) == 0;
    film->pipe = NULL;
    int status = 0;
    if (film->encoder > 0)
        waitpid(film->encoder, &status, 0);
    film->encoder = 0;
    return flushed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

qvResult FinishFilm(Film* film, qvError* error)
{
    if (film->gif != NULL)
    {
        qvGif* gif = film->gif;
        film->gif = NULL;
        return qvGif_Close(gif, error);
    }
    qvResult result = qv_ok;
    if (!EndEncoder(film))
        result = qvError_Set(error, qv_ioFailed, "%s: ffmpeg failed; its message is above", film->path);
    else if (rename(film->temporary, film->path) != 0)
        result = qvError_Set(error, qv_ioFailed, "%s: cannot write: %s", film->path, strerror(errno));
    if (result == qv_ok)
        FreePaths(film);
    return result;
}

void DiscardFilm(Film* film)
{
    qvGif_Discard(film->gif);
    film->gif = NULL;
    if (film->encoder > 0 || film->pipe != NULL)
        EndEncoder(film);
    if (film->temporary != NULL)
        unlink(film->temporary);
    FreePaths(film);
}
