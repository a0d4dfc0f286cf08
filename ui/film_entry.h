// SPDX-License-Identifier: GPL-3.0-or-later
/// Pictures and films of a take, drawn without a window, for the command line and the editor's export.
///
///     qvuiFilmDef def = qvuiDefaultFilmDef();
///     def.look.width = 1280, def.look.height = 720;
///     qvResult result = qvuiDrawTake(take, &def, "walk.gif", &job, &error);
#pragma once

#include "quaver/part.h"
#include "quaver/take.h"
#include "ui/render_entry.h"

typedef struct qvuiFilmDef
{
    qvuiPainterDef look; ///< size and look; camera NULL: the scene's, or one that holds the whole motion
    qvBakeDef moments;   ///< frames per second and range of a film, as of a bake
    double time;         ///< s, of a picture; not a number (default): the start of the scene
    bool isNumbered;     ///< a .png path has a number field: a picture for each of the moments; default false
    const qvPart* part;  ///< what such pictures are sealed as; NULL: not at all
    bool skipExisting;   ///< those that are there and sealed the same are not drawn again; default false
    double blur;         ///< how much of a frame's time a film's pictures show at once, 0 to 1; default 0: a moment
    bool turntable;      ///< one turn of the camera about its target over the film; a picture is a frame of it
    bool ghosts;         ///< the keys before and after, as silhouettes
    bool wavefronts;     ///< coloured by the waves
    const char* channel; ///< where a simulation has it, its points coloured by this instead of the body; NULL: the body
} qvuiFilmDef;

qvuiFilmDef qvuiDefaultFilmDef(void);

/// The moments that a film shows: those of the definition, but of a GIF no more than 50 a second, which is all that it
/// can hold; more would play in slow motion.
QV_CHECKED qvResult qvuiFilmMoments(const qvBakeDef* def, const qvScene* scene, bool isGif, qvMoments* moments,
                                    qvError* error);

/// What to tell of a film that is not drawn as asked, or NULL.
const char* qvuiFilmRemark(const qvBakeDef* def, const qvScene* scene, bool isGif);

/// How many frames a film of these moments has: a loop's last moment is its first, and is not shown twice. Pictures are
/// numbered as the frames of a bake, with that moment.
int qvuiFilmFrames(const qvMoments* moments);

/// The size that a picture or a film has where size is asked for: the sides of an MP4 are even.
void qvuiFilmSize(const char* path, int size[2]);

/// Whether ffmpeg is there, which writes MP4 films.
bool qvuiHasEncoder(void);

/// What can be told of a film before it is drawn: fails for an MP4 without ffmpeg, or of less than 2 x 2 pixels.
QV_CHECKED qvResult qvuiCheckFilm(const char* path, int width, int height, qvError* error);

/// A picture for .png, or several, a film for .gif and .mp4. A file appears when it is complete; one that the mesh
/// is made from is not written over. Any thread may call this, one at
/// a time.
QV_CHECKED qvResult qvuiDrawTake(const qvTake* take, const qvuiFilmDef* def, const char* path, const qvJob* job,
                                 qvError* error);

/// A film (.gif, .mp4) of pictures that were drawn in parts: the one that they were drawn in the place of. size becomes
/// that of the pictures.
QV_CHECKED qvResult qvuiJoinPictures(const qvParts* parts, const char* path, int size[2], const qvJob* job,
                                     qvError* error);
