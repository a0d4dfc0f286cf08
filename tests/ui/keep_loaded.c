// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded in leak tests: libraries stay mapped to the end, so that LeakSanitizer can name whose code made an
// allocation and lsan.supp can tell ours from the graphics driver's.
int dlclose(void* handle);

int dlclose(void* handle)
{
    (void)handle;
    return 0;
}
