// SPDX-License-Identifier: GPL-3.0-or-later
// Asserts for what a caller does wrong. QV_ASSERT is cheap and always on; QV_VALIDATE may cost as much as the function
// it guards and is on in sanitizer builds only.
#pragma once

_Noreturn void qvAssertFailed(const char* condition, const char* file, int line);

#define QV_ASSERT(condition)                                \
    do                                                      \
    {                                                       \
        if (!(condition))                                   \
            qvAssertFailed(#condition, __FILE__, __LINE__); \
    } while (0)

#ifdef QV_VALIDATION
#define QV_VALIDATE(condition) QV_ASSERT(condition)
#else
#define QV_VALIDATE(condition) ((void)0)
#endif
