// SPDX-License-Identifier: GPL-3.0-or-later
/// Plays input from a text file: one command per line, "#" starts a comment. Each command waits until the interface has
/// settled after the one before. WHERE is "X Y" in pixels or the name of a control, which is scrolled into view;
/// MODS is "Ctrl+", "Shift+", "Alt+".
///
///     size W H                  size of the window
///     open PATH                 as if the file had been dropped; waits until it is read
///     move WHERE
///     press MODS BUTTON         left, middle or right, where the mouse is; stays down
///     release BUTTON
///     click WHERE               left button; also "double WHERE" and "context WHERE" (right button)
///     drag MODS BUTTON DX DY N  from where the mouse is, in N frames (4 unless told)
///     wheel N
///     key SHORTCUT              "Ctrl+O", "Numpad 1", "Esc"
///     text WORDS                types the rest of the line
///     action ID                 runs an action of action_list.inl
///     actions                   runs every action but the one that quits, closing what each opens
///     panels                    unfolds every section of the inspector
///     save PATH                 saves the document there
///     note NAME                 remembers the state for "expect NAME noted"
///     wait N                    draws N frames
///     expect NAME VALUE         fails unless the state (see qvuiEditor_Query) has that value; numbers to 0.1 %;
///                               "<VALUE" and ">VALUE" compare, "!VALUE" wants another one
///     hurry, hurry off          the commands that follow do not wait until what is read, solved or written is done
///     monkey N SEED             N random moves, clicks, drags, wheels, keys and texts (never one that quits or writes
///                               a file); opens a shape when nothing is left open
///     until NAME VALUE          goes on as soon as the state has that value
///     verify                    from here on every frame is drawn whole a second time and must come out the same
///     say WORDS                 writes the rest of the line to standard output, for whoever drives the window
///     screenshot PATH           once the picture is at rest
///     pixel X Y RRGGBB          fails unless the picture at rest has that colour there
///     copy FROM TO              copies a file over another, as another program would
///     delete PATH               deletes a file, as another program would
///     focus                     the window gets the keyboard, as after a visit to another program
///     journal                   keeps a journal from the next document on, as without a script
///     leftovers                 offers to restore what a crash left, as at a start
///     crash                     the program dies at once
///     quit
#pragma once

#include "ui/editor/editor.h"
#include "ui/window/input.h"

typedef struct qvuiScript
{
    char* text; ///< the file; NULL: no script
    const char* path;
    const char* next; ///< where to go on
    int line;
    int waitFrames;
    bool hurries;    ///< commands do not wait for rest
    int scrolls;     ///< tries to bring the command's control into view; above 0 the command is played again
    char until[256]; ///< name and value of the state that is waited for; "": none
    int nextAction;  ///< of "actions"; -1: none
    char noted[1024];
    bool verifies;   ///< frames are drawn twice and compared
    int monkeySteps; ///< that are left
    uint64_t monkeyState;
    double waitStart;              ///< when waiting for rest began, seconds of SDL_GetTicks64; or negative
    char screenshot[qvui_maxPath]; ///< taken after the next frame; "" when none
    bool wantsPixel;               ///< looked at after the next frame
    int pixelX, pixelY;
    unsigned int pixelColor; ///< 0xRRGGBB
    qvResult result;
    qvError error;
} qvuiScript;

QV_CHECKED qvResult qvuiScript_Load(qvuiScript* script, const char* path, qvError* error);
void qvuiScript_Free(qvuiScript* script);

/// Whether the frame that comes is looked at, and what is done with its picture.
bool qvuiScript_WantsPicture(const qvuiScript* script);
QV_CHECKED qvResult qvuiScript_TakePicture(qvuiScript* script, const qvImage* image, qvError* error);

/// Plays what is due before a frame. The editor has drawn at least one frame and no events are waiting.
void qvuiScript_Step(qvuiScript* script, qvuiEditor* editor, const qvuiInput* input, SDL_Window* window);
