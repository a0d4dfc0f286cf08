// SPDX-License-Identifier: GPL-3.0-or-later
// The journal: what a killed program had flushed comes back, with its history.
#include "document_testing.h"

#include "quaver/document.h"
#include "quaver/file.h"
#include "random_edits.h"
#include "scene/journal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
    MAX_STATES = 200000
};

static void EmptyFolder(const char* folder)
{
    mkdir(folder, 0777);
    DIR* dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent* entry; (entry = readdir(dir)) != NULL;)
    {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%.200s", folder, entry->d_name);
        if (entry->d_name[0] != '.' || strncmp(entry->d_name, ".quaver", 7) == 0)
            unlink(path);
    }
    closedir(dir);
}

static void Save(qvDocument* document)
{
    char path[512];
    qvError error;
    if (qvDocument_Save(document, OutputPath(path, sizeof(path), "journal-kill.json"), &error) != qv_ok)
        _exit(6);
}

// Anything that a user may do.
static void Act(qvDocument* document, uint64_t* random)
{
    int choice = RandomBelow(random, 20);
    if (choice == 0)
        qvDocument_Begin(document, "Drag", (uint64_t)RandomBelow(random, 3) << 60);
    else if (choice == 1)
        qvDocument_End(document);
    else if (choice == 2 && RandomBelow(random, 3) == 0)
        qvDocument_Abort(document);
    else if (choice == 3)
        qvDocument_Undo(document);
    else if (choice == 4)
        qvDocument_Redo(document);
    else if (choice == 5 && RandomBelow(random, 4) == 0)
        qvDocument_GoTo(document, RandomBelow(random, qvDocument_StepCount(document)));
    else if (choice == 6)
        qvDocument_Seal(document);
    else if (choice == 7 && RandomBelow(random, 8) == 0)
        Save(document); // which starts the journal anew
    else
        RandomEdit(document, random);
}

// --- Kill -9 --------------------------------------------------------------------------------------------------------

// What the child tells before it dies.
typedef struct Diary
{
    volatile bool hasStarted;
    volatile int done;    // states known
    volatile int flushed; // the last of them that a flush has covered
    uint64_t hashes[MAX_STATES];
} Diary;

static void Live(Diary* diary, const char* folder, uint64_t random)
{
    qvError error;
    qvDocument* document = OpenDocument("scene/full.json");
    diary->hashes[0] = qvScene_Hash(qvDocument_Scene(document));
    diary->done = 1;
    if (qvDocument_StartJournal(document, folder, &error) != qv_ok)
        _exit(3);
    diary->hasStarted = true;
    while (diary->done < MAX_STATES)
    {
        Act(document, &random);
        diary->hashes[diary->done] = qvScene_Hash(qvDocument_Scene(document));
        diary->done = diary->done + 1;
        if (RandomBelow(&random, 20) == 0 && qvDocument_Flush(document, &error) == qv_ok)
            diary->flushed = diary->done - 1;
    }
    pause();
}

static int FindState(const Diary* diary, uint64_t hash)
{
    for (int i = diary->flushed; i < diary->done; i++)
    {
        if (diary->hashes[i] == hash)
            return i;
    }
    fail_msg("what is left is none of the scenes after the last flush (%d of %d)", diary->flushed, diary->done);
    return -1;
}

// Nothing was left because all of it was saved, or because nothing was changed.
static void CheckSaved(const Diary* diary)
{
    char path[512];
    qvError error;
    const qvScene* scene;
    if (access(OutputPath(path, sizeof(path), "journal-kill.json"), F_OK) != 0)
    {
        FindState(diary, diary->hashes[0]);
        return;
    }
    ASSERT_OK(qvLoadScene(OutputPath(path, sizeof(path), "journal-kill.json"), &scene, &error), error);
    FindState(diary, qvScene_Hash(scene));
    qvReleaseScene(scene);
}

// The restored state must be one of those from the last flush on.
static void CheckRestored(const Diary* diary, const char* folder, int* restored)
{
    qvError error;
    qvLeftover leftovers[4];
    qvDocument* document;
    int count = qvFindLeftovers(folder, leftovers, 4);
    if (!diary->hasStarted && count == 0)
        return; // killed before the first file had its name
    if (count == 0)
    {
        CheckSaved(diary);
        return;
    }
    assert_int_equal(count, 1);
    ASSERT_OK(qvRestoreLeftover(&leftovers[0], &document, &error), error);
    assert_true(qvDocument_IsDirty(document));
    assert_int_equal(qvFindLeftovers(folder, leftovers, 4), 0); // it is taken
    int found = FindState(diary, qvScene_Hash(qvDocument_Scene(document)));
    // What was undoable still is.
    while (qvDocument_CanUndo(document))
        qvDocument_Undo(document);
    qvCloseDocument(document);
    assert_int_equal(qvFindLeftovers(folder, leftovers, 4), 0);
    *restored += found > 0;
}

static void TestKill(void** state)
{
    (void)state;
    char folder[512], saved[512];
    OutputPath(folder, sizeof(folder), "journal-kill");
    Diary* diary = mmap(NULL, sizeof(Diary), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(diary != MAP_FAILED);
    uint64_t random = 11;
    int restored = 0;
    for (int round = 0; round < 30; round++)
    {
        EmptyFolder(folder);
        unlink(OutputPath(saved, sizeof(saved), "journal-kill.json"));
        diary->hasStarted = false;
        diary->done = diary->flushed = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            Live(diary, folder, (uint64_t)round);
        struct timespec wait = { 0, 1000 * RandomBelow(&random, 100000) };
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        CheckRestored(diary, folder, &restored);
    }
    assert_true(restored > 5); // else the children never got anywhere
    munmap(diary, sizeof(Diary));
}

// --- Replay, all along ----------------------------------------------------------------------------------------------

static void FindJournal(const char* folder, char* path, size_t capacity)
{
    DIR* dir = opendir(folder);
    path[0] = 0;
    for (struct dirent* entry; dir != NULL && (entry = readdir(dir)) != NULL;)
    {
        if (strstr(entry->d_name, ".journal") != NULL)
            snprintf(path, capacity, "%s/%.200s", folder, entry->d_name);
    }
    closedir(dir);
}

// After every flush the file says what the document is.
static void TestReplayFollows(void** state)
{
    (void)state;
    char folder[512], path[1024];
    qvError error;
    OutputPath(folder, sizeof(folder), "journal-follow");
    EmptyFolder(folder);
    for (uint64_t seed = 1; seed <= 8; seed++)
    {
        uint64_t random = seed;
        qvDocument* document = OpenDocument("scene/full.json");
        ASSERT_OK(qvDocument_StartJournal(document, folder, &error), error);
        FindJournal(folder, path, sizeof(path));
        for (int i = 0; i < 400; i++)
        {
            Act(document, &random);
            if (RandomBelow(&random, 3) > 0)
                continue;
            ASSERT_OK(qvDocument_Flush(document, &error), error);
            qvDocument* replayed;
            ASSERT_OK(qvReplayJournal(path, &replayed, &error), error);
            bool isSame = qvScene_Hash(qvDocument_Scene(replayed)) == qvScene_Hash(qvDocument_Scene(document));
            qvCloseDocument(replayed);
            if (!isSame)
                fail_msg("seed %d: the journal is another scene after %d acts", (int)seed, i);
        }
        qvCloseDocument(document);
    }
}

// The end that a key pushes on depends on where its step began, which a file that is written anew does not know.
static void TestEndFollows(void** state)
{
    (void)state;
    char folder[512], path[1024];
    qvError error;
    OutputPath(folder, sizeof(folder), "journal-end");
    EmptyFolder(folder);
    qvDocument* document = OpenDocument("scene/lean.json"); // ends at 4 s
    ASSERT_OK(qvDocument_StartJournal(document, folder, &error), error);
    qvRef last = { qv_objectKey, qvDocument_Scene(document)->keys[2]->id };
    static const double times[] = { 7.0, 5.0, 3.0, 6.0 };
    qvDocument_Begin(document, "Move keys", 0);
    for (int i = 0; i < 4; i++)
    {
        ASSERT_OK(qvDocument_SetTimes(document, &last, &times[i], 1, &error), error);
        if (i == 0)
            qvJournal_Renew(document);
        ASSERT_OK(qvDocument_Flush(document, &error), error);
        FindJournal(folder, path, sizeof(path));
        qvDocument* replayed;
        ASSERT_OK(qvReplayJournal(path, &replayed, &error), error);
        ASSERT_NEAR(qvDocument_Scene(replayed)->range[1], fmax(times[i], 4.0), 0.0);
        assert_true(qvScene_Hash(qvDocument_Scene(replayed)) == qvScene_Hash(qvDocument_Scene(document)));
        qvCloseDocument(replayed);
    }
    qvDocument_End(document);
    qvCloseDocument(document);
}

// Ids that were given and taken back are not given again after the file is written anew.
static void TestIdsGoOn(void** state)
{
    (void)state;
    static const char* const edits[] = {
        "{\"do\":\"add\",\"kind\":\"stroke\",\"parent\":\"mid\",\"id\":50,\"value\":{\"brush\":\"grab\"}}",
        "{\"do\":\"remove\",\"kind\":\"stroke\",\"id\":50}",
        "{\"do\":\"set\",\"kind\":\"key\",\"id\":\"mid\",\"field\":\"strokes\",\"value\":[{\"brush\":\"grab\"}]}",
        "{\"do\":\"set\",\"kind\":\"stroke\",\"id\":51,\"field\":\"radius\",\"value\":0.7}",
    };
    char folder[512], path[1024];
    qvError error;
    OutputPath(folder, sizeof(folder), "journal-ids");
    EmptyFolder(folder);
    qvDocument *document = OpenDocument("scene/full.json"), *replayed;
    ASSERT_OK(qvDocument_StartJournal(document, folder, &error), error);
    for (int i = 0; i < 4; i++)
    {
        ASSERT_OK(qvDocument_ApplyText(document, edits[i], strlen(edits[i]), NULL, &error), error);
        if (i == 1)
            Save(document);
    }
    ASSERT_OK(qvDocument_Flush(document, &error), error);
    FindJournal(folder, path, sizeof(path));
    ASSERT_OK(qvReplayJournal(path, &replayed, &error), error);
    assert_true(qvScene_Hash(qvDocument_Scene(replayed)) == qvScene_Hash(qvDocument_Scene(document)));
    qvCloseDocument(replayed);
    qvCloseDocument(document);
}

// --- Without a crash ------------------------------------------------------------------------------------------------

static int CountFiles(const char* folder)
{
    DIR* dir = opendir(folder);
    int count = 0;
    for (struct dirent* entry; dir != NULL && (entry = readdir(dir)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (dir != NULL)
        closedir(dir);
    return count;
}

static void TestCloseRemoves(void** state)
{
    (void)state;
    char folder[512], deep[600];
    qvError error;
    qvLeftover leftover;
    OutputPath(folder, sizeof(folder), "journal-close");
    EmptyFolder(folder);
    snprintf(deep, sizeof(deep), "%s/a/b", folder); // made when needed
    qvDocument* document = OpenDocument("scene/full.json");
    ASSERT_OK(qvDocument_StartJournal(document, deep, &error), error);
    assert_int_equal(CountFiles(deep), 1);
    assert_int_equal(qvFindLeftovers(deep, &leftover, 1), 0); // its program lives
    qvCloseDocument(document);
    assert_int_equal(CountFiles(deep), 0);
    assert_int_equal(qvFindLeftovers("/nowhere/at/all", &leftover, 1), 0);
}

// Dies without closing: the child's memory is gone, its file stays.
static void LeaveBehind(const char* folder, void (*work)(qvDocument* document))
{
    pid_t child = fork();
    if (child == 0)
    {
        qvError error;
        qvDocument* document = OpenDocument("scene/full.json");
        if (qvDocument_StartJournal(document, folder, &error) != qv_ok)
            _exit(1);
        work(document);
        _exit(qvDocument_Flush(document, &error) == qv_ok ? 0 : 2);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void Rename(qvDocument* document)
{
    qvError error;
    qvDocument_Begin(document, "Rename", 5);
    if (qvDocument_SetText(document, (qvRef){ qv_objectScene, 0 }, "name", "Lost and found", &error) != qv_ok)
        _exit(4);
    qvDocument_End(document);
}

static void TestHistoryComesBack(void** state)
{
    (void)state;
    char folder[512];
    qvError error;
    qvLeftover leftovers[2];
    qvDocument* document;
    OutputPath(folder, sizeof(folder), "journal-history");
    EmptyFolder(folder);
    LeaveBehind(folder, Rename);
    assert_int_equal(qvFindLeftovers(folder, leftovers, 2), 1);
    assert_string_equal(leftovers[0].name, "Lost and found");
    assert_string_equal(leftovers[0].path, "");
    assert_true(leftovers[0].age >= -1.0 && leftovers[0].age < 3600.0);
    ASSERT_OK(qvRestoreLeftover(&leftovers[0], &document, &error), error);
    assert_int_equal(qvDocument_StepCount(document), 2);
    assert_string_equal(qvDocument_StepLabel(document, 1), "Rename");
    qvDocument_Undo(document);
    assert_true(strncmp(qvDocument_Scene(document)->name, "Everything", 10) == 0);
    // A journal of its own takes over from the one that was left.
    ASSERT_OK(qvDocument_StartJournal(document, folder, &error), error);
    assert_int_equal(CountFiles(folder), 1);
    qvCloseDocument(document);
    assert_int_equal(CountFiles(folder), 0);
}

static void RenameTwice(qvDocument* document)
{
    qvError error;
    for (int i = 0; i < 2; i++)
    {
        qvDocument_Begin(document, "Type", 5);
        if (qvDocument_SetText(document, (qvRef){ qv_objectScene, 0 }, "name", i == 0 ? "one" : "two", &error) != qv_ok)
            _exit(4);
        qvDocument_End(document);
        qvDocument_Seal(document);
    }
}

// A long session does not fill the disk: the file is written anew when it has grown far beyond the scene.
static void TestFileStaysSmall(void** state)
{
    (void)state;
    char folder[512], path[1024], name[64];
    qvError error;
    struct stat info = { 0 };
    off_t largest = 0;
    OutputPath(folder, sizeof(folder), "journal-growth");
    EmptyFolder(folder);
    qvDocument* document = OpenDocument("scene/full.json");
    ASSERT_OK(qvDocument_StartJournal(document, folder, &error), error);
    FindJournal(folder, path, sizeof(path));
    qvDocument_SetHistoryLimit(document, 0);
    for (int i = 0; i < 40000; i++)
    {
        snprintf(name, sizeof(name), "a name of a scene that is longer than it need be: %d", i);
        ASSERT_OK(qvDocument_SetText(document, (qvRef){ qv_objectScene, 0 }, "name", name, &error), error);
        if (i % 2000 != 1999)
            continue;
        ASSERT_OK(qvDocument_Flush(document, &error), error);
        assert_int_equal(stat(path, &info), 0);
        largest = info.st_size > largest ? info.st_size : largest;
    }
    assert_true(largest > 1 << 20 && info.st_size < largest);
    qvCloseDocument(document);
}

// Gestures that were two steps come back as two. The newest leftover is the first.
static void TestSealsAndAges(void** state)
{
    (void)state;
    char folder[512], path[1024];
    qvError error;
    qvLeftover leftovers[3];
    qvDocument* document;
    OutputPath(folder, sizeof(folder), "journal-seals");
    EmptyFolder(folder);
    LeaveBehind(folder, Rename);
    assert_int_equal(qvFindLeftovers(folder, leftovers, 3), 1);
    struct timespec old[2] = { { .tv_sec = time(NULL) - 500 }, { .tv_sec = time(NULL) - 500 } };
    assert_int_equal(utimensat(AT_FDCWD, leftovers[0].journal, old, 0), 0);
    LeaveBehind(folder, RenameTwice);
    LeaveBehind(folder, Rename);
    assert_int_equal(qvFindLeftovers(folder, leftovers, 3), 3);
    assert_true(leftovers[0].age <= leftovers[1].age && leftovers[1].age < leftovers[2].age - 400.0);
    const qvLeftover* twice = strcmp(leftovers[0].name, "two") == 0 ? &leftovers[0] : &leftovers[1];
    ASSERT_OK(qvRestoreLeftover(twice, &document, &error), error);
    assert_int_equal(qvDocument_StepCount(document), 3);
    qvDocument_Undo(document);
    assert_string_equal(qvDocument_Scene(document)->name, "one");
    qvCloseDocument(document);

    // A journal in the making is left alone; one that never came to be is swept away.
    snprintf(path, sizeof(path), "%s/.quaver-abc123", folder);
    ASSERT_OK(qvWriteFile(path, "{", 1, &error), error);
    qvFindLeftovers(folder, leftovers, 3);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    qvFindLeftovers(folder, leftovers, 3);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void TestDiscard(void** state)
{
    (void)state;
    char folder[512];
    qvLeftover leftover;
    OutputPath(folder, sizeof(folder), "journal-discard");
    EmptyFolder(folder);
    LeaveBehind(folder, Rename);
    assert_int_equal(qvFindLeftovers(folder, &leftover, 1), 1);
    qvDiscardLeftover(&leftover);
    assert_int_equal(qvFindLeftovers(folder, &leftover, 1), 0);
}

// A journal of another version may be of use to another program.
static void TestUnreadableStays(void** state)
{
    (void)state;
    char folder[512], path[1024];
    qvError error;
    qvLeftover leftover;
    OutputPath(folder, sizeof(folder), "journal-new");
    EmptyFolder(folder);
    snprintf(path, sizeof(path), "%s/abc123.journal", folder);
    ASSERT_OK(qvWriteFile(path, "{\"quaver_journal\":9}\n", 21, &error), error);
    assert_int_equal(qvFindLeftovers(folder, &leftover, 1), 0);
    assert_int_equal(access(path, F_OK), 0);
    snprintf(leftover.journal, sizeof(leftover.journal), "%s", path);
    qvDocument* document;
    assert_int_equal(qvRestoreLeftover(&leftover, &document, &error), qv_badInput);
    ASSERT_CONTAINS(error.message, "abc123.journal");
    assert_null(document);
}

static void SaveSomewhere(qvDocument* document)
{
    char path[512];
    qvError error;
    Rename(document);
    if (qvDocument_Save(document, OutputPath(path, sizeof(path), "journal-saved.json"), &error) != qv_ok)
        _exit(5);
}

static void TestSavedIsNotLeft(void** state)
{
    (void)state;
    char folder[512];
    qvLeftover leftover;
    OutputPath(folder, sizeof(folder), "journal-save");
    EmptyFolder(folder);
    LeaveBehind(folder, SaveSomewhere);
    assert_int_equal(CountFiles(folder), 1);
    assert_int_equal(qvFindLeftovers(folder, &leftover, 1), 0);
    assert_int_equal(CountFiles(folder), 0); // and what holds nothing is swept away
}

// Any byte cut off or changed gives an earlier state or nothing, never a crash.
static void TestTornFiles(void** state)
{
    (void)state;
    char folder[512];
    qvError error;
    qvLeftover leftover;
    OutputPath(folder, sizeof(folder), "journal-torn");
    EmptyFolder(folder);
    LeaveBehind(folder, Rename);
    assert_int_equal(qvFindLeftovers(folder, &leftover, 1), 1);
    qvBytes bytes;
    ASSERT_OK(qvReadFile(leftover.journal, 1 << 24, &bytes, &error), error);
    uint64_t random = 3;
    for (int i = 0; i < 200; i++)
    {
        FILE* stream = fopen(leftover.journal, "wb");
        size_t size = (size_t)RandomBelow(&random, (int)bytes.size + 1),
               at = (size_t)RandomBelow(&random, (int)bytes.size);
        char old = bytes.data[at];
        if (i % 2 == 0)
            bytes.data[at] = (char)RandomBelow(&random, 256);
        fwrite(bytes.data, 1, i % 2 == 0 ? bytes.size : size, stream);
        fclose(stream);
        bytes.data[at] = old;
        qvDocument* document;
        if (qvRestoreLeftover(&leftover, &document, &error) == qv_ok)
            qvCloseDocument(document);
    }
    qvFreeBytes(&bytes);
}

// --- No room --------------------------------------------------------------------------------------------------------

// In a process whose files may not grow: a full disk.
static void WriteWithoutRoom(const char* folder)
{
    qvError error = { 0 };
    qvDocument* document = OpenDocument("scene/full.json");
    signal(SIGXFSZ, SIG_IGN);
    if (qvDocument_StartJournal(document, folder, &error) != qv_ok)
        _exit(11);
    char journal[1024];
    struct stat info;
    FindJournal(folder, journal, sizeof(journal));
    if (stat(journal, &info) != 0)
        _exit(17);
    struct rlimit room = { (rlim_t)info.st_size + 10, RLIM_INFINITY }; // for a part of a line
    setrlimit(RLIMIT_FSIZE, &room);
    Rename(document);
    if (qvDocument_Flush(document, &error) == qv_ok || strstr(error.message, folder) == NULL)
        _exit(12);
    if (qvDocument_Flush(document, &error) != qv_ok) // said once
        _exit(13);
    room.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &room);
    char path[512];
    if (qvDocument_Save(document, OutputPath(path, sizeof(path), "no-room.json"), &error) == qv_ok)
        _exit(14);
    if (!qvDocument_IsDirty(document) || access(path, F_OK) == 0)
        _exit(15);
    room.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &room);
    if (qvDocument_Flush(document, &error) != qv_ok)
        _exit(16);
    _exit(0);
}

static void TestFullDisk(void** state)
{
    (void)state;
    char folder[512];
    qvLeftover leftover;
    OutputPath(folder, sizeof(folder), "journal-full");
    EmptyFolder(folder);
    pid_t child = fork();
    if (child == 0)
        WriteWithoutRoom(folder);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(qvFindLeftovers(folder, &leftover, 1), 1); // what failed came through later
    assert_string_equal(leftover.name, "Lost and found");
    qvDiscardLeftover(&leftover);
}

static void TestBadFolder(void** state)
{
    (void)state;
    char file[512], folder[600];
    qvError error;
    OutputPath(file, sizeof(file), "journal-file");
    ASSERT_OK(qvWriteFile(file, "x", 1, &error), error);
    snprintf(folder, sizeof(folder), "%s/below", file);
    qvDocument* document = OpenDocument("scene/full.json");
    assert_int_equal(qvDocument_StartJournal(document, folder, &error), qv_ioFailed);
    ASSERT_CONTAINS(error.message, "journal-file");
    ASSERT_OK(qvDocument_Flush(document, &error), error);
    qvCloseDocument(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestReplayFollows),  cmocka_unit_test(TestEndFollows),
        cmocka_unit_test(TestIdsGoOn),        cmocka_unit_test(TestKill),
        cmocka_unit_test(TestCloseRemoves),   cmocka_unit_test(TestHistoryComesBack),
        cmocka_unit_test(TestDiscard),        cmocka_unit_test(TestSealsAndAges),
        cmocka_unit_test(TestFileStaysSmall), cmocka_unit_test(TestUnreadableStays),
        cmocka_unit_test(TestSavedIsNotLeft), cmocka_unit_test(TestTornFiles),
        cmocka_unit_test(TestFullDisk),       cmocka_unit_test(TestBadFolder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
