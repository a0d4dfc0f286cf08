// SPDX-License-Identifier: GPL-3.0-or-later
// What a desktop sends to a window, for run_window:
//   quaver_x11 drop WINDOW FILE…  drags files over the middle of the window and drops them (XDND, version 5)
//   quaver_x11 close WINDOW       the close button of its frame
// Ends with 0 once the window has taken the files, or the message is sent.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int PATIENCE = 20000; // ms

typedef struct Client
{
    Display* display;
    Window own, target;
    char* list; // of URIs
    bool accepted, finished;
} Client;

static Atom Name(const Client* client, const char* name)
{
    return XInternAtom(client->display, name, False);
}

static void Send(const Client* client, const char* type, const long data[5])
{
    XEvent event = { .xclient = { .type = ClientMessage, .window = client->target, .format = 32 } };
    event.xclient.message_type = Name(client, type);
    memcpy(event.xclient.data.l, data, sizeof(event.xclient.data.l));
    XSendEvent(client->display, client->target, False, NoEventMask, &event);
    XFlush(client->display);
}

// file:///… with everything but letters, digits and a few signs as %xx. The caller frees.
static char* MakeList(char** paths, int count)
{
    size_t capacity = 1, used = 0;
    for (int i = 0; i < count; i++)
        capacity += 3 * strlen(paths[i]) + 16;
    char* list = malloc(capacity);
    for (int i = 0; list != NULL && i < count; i++)
    {
        used += (size_t)sprintf(list + used, "file://");
        for (const unsigned char* c = (const unsigned char*)paths[i]; *c != 0; c++)
        {
            bool plain = (*c | 32) >= 'a' ? (*c | 32) <= 'z' : strchr("/.-_0123456789", *c) != NULL;
            used += (size_t)sprintf(list + used, plain ? "%c" : "%%%02X", *c);
        }
        used += (size_t)sprintf(list + used, "\r\n");
    }
    return list;
}

// The window asks for the list of files.
static void Answer(const Client* client, const XSelectionRequestEvent* request)
{
    XEvent event = { .xselection = { .type = SelectionNotify,
                                     .requestor = request->requestor,
                                     .selection = request->selection,
                                     .target = request->target,
                                     .property = request->property,
                                     .time = request->time } };
    XChangeProperty(client->display, request->requestor, request->property, request->target, 8, PropModeReplace,
                    (const unsigned char*)client->list, (int)strlen(client->list));
    XSendEvent(client->display, request->requestor, False, NoEventMask, &event);
    XFlush(client->display);
}

static void Handle(Client* client, const XEvent* event)
{
    if (event->type == SelectionRequest)
        Answer(client, &event->xselectionrequest);
    else if (event->type == ClientMessage && event->xclient.message_type == Name(client, "XdndStatus"))
        client->accepted = (event->xclient.data.l[1] & 1) != 0;
    else if (event->type == ClientMessage && event->xclient.message_type == Name(client, "XdndFinished"))
        client->finished = true;
}

// Until *done. False when the window says nothing for too long.
static bool WaitFor(Client* client, const bool* done)
{
    struct pollfd input = { .fd = ConnectionNumber(client->display), .events = POLLIN };
    while (!*done)
    {
        if (XPending(client->display) == 0 && poll(&input, 1, PATIENCE) <= 0)
            return false;
        XEvent event;
        XNextEvent(client->display, &event);
        Handle(client, &event);
    }
    return true;
}

static const char* Drop(Client* client)
{
    XWindowAttributes attributes;
    Window child;
    int x, y;
    XGetWindowAttributes(client->display, client->target, &attributes);
    XTranslateCoordinates(client->display, client->target, DefaultRootWindow(client->display), attributes.width / 2,
                          attributes.height / 2, &x, &y, &child);
    XSetSelectionOwner(client->display, Name(client, "XdndSelection"), client->own, CurrentTime);
    long own = (long)client->own, list = (long)Name(client, "text/uri-list");
    Send(client, "XdndEnter", (long[]){ own, 5L << 24, list, 0, 0 });
    Send(client, "XdndPosition",
         (long[]){ own, 0, (long)x << 16 | y, CurrentTime, (long)Name(client, "XdndActionCopy") });
    if (!WaitFor(client, &client->accepted))
        return "the window does not take files";
    Send(client, "XdndDrop", (long[]){ own, 0, CurrentTime, 0, 0 });
    return WaitFor(client, &client->finished) ? NULL : "the window has not taken the files";
}

static const char* Run(Client* client, const char* command, char** paths, int count)
{
    if (strcmp(command, "close") == 0 && count == 0)
    {
        Send(client, "WM_PROTOCOLS", (long[]){ (long)Name(client, "WM_DELETE_WINDOW"), CurrentTime, 0, 0, 0 });
        XSync(client->display, False);
        return NULL;
    }
    if (strcmp(command, "drop") != 0 || count == 0)
        return "usage: quaver_x11 drop WINDOW FILE… | close WINDOW";
    client->list = MakeList(paths, count);
    return client->list != NULL ? Drop(client) : "out of memory";
}

int main(int argc, char** argv)
{
    Client client = { .display = XOpenDisplay(NULL) };
    const char* problem = "no display";
    if (client.display != NULL && argc >= 3)
    {
        client.target = (Window)strtoul(argv[2], NULL, 0);
        client.own = XCreateSimpleWindow(client.display, DefaultRootWindow(client.display), 0, 0, 1, 1, 0, 0, 0);
        problem = Run(&client, argv[1], argv + 3, argc - 3);
    }
    if (client.display != NULL)
        XCloseDisplay(client.display);
    free(client.list);
    if (problem != NULL)
        fprintf(stderr, "quaver_x11: %s\n", problem);
    return problem != NULL;
}
