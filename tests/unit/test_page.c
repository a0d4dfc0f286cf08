// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that play: what is inside of them. That browsers play them is checked by tests/interop/page.mjs.
#include "animation_testing.h"

#include "base/base64.h"
#include "formats/page.h"
#include "quaver/file.h"

#include <limits.h>

static qvBytes ExportTo(const qvAnimation* animation, const char* name, qvExportOptions options, qvExportReport* report)
{
    char path[512];
    qvBytes bytes;
    qvError error;
    OutputPath(path, sizeof(path), name);
    ASSERT_OK(qvExportAnimation(animation, path, &options, report, &error), error);
    ASSERT_OK(qvReadFile(path, INT_MAX, &bytes, &error), error);
    return bytes;
}

// Where the base64 of the animation begins, and its length.
static const char* FindData(const qvBytes* page, size_t* length)
{
    const char* data = strstr(page->data, "<script id=\"data\"");
    assert_non_null(data);
    data = strchr(data, '>') + 1;
    *length = strcspn(data, "<");
    return data;
}

// The very .glb that --compress would write, and a viewer that is small.
static void CheckHoldsGlb(qvExportOptions options)
{
    Sample sample = MakeSample(qv_bendingWhole);
    qvExportReport report;
    qvBytes page = ExportTo(&sample.animation, "page.html", options, &report);
    assert_int_equal(report.fileCount, 1);
    assert_int_equal(report.bytes, page.size);
    assert_int_equal(report.bones > 0, options.bones > 0);
    assert_int_equal(report.targets > 0, options.bones == 0);
    assert_true(report.maxError <= options.error * report.diagonal);
    options.compress = true;
    qvBytes glb = ExportTo(&sample.animation, "page.glb", options, &report);
    assert_non_null(memmem(glb.data, glb.size, "EXT_meshopt_compression", 23));
    size_t length, bad;
    const char* data = FindData(&page, &length);
    assert_int_equal(qvBase64_DecodedSize(data, length), glb.size);
    uint8_t* decoded = malloc(glb.size);
    assert_non_null(decoded);
    assert_true(qvBase64_Decode(data, length, decoded, &bad));
    assert_memory_equal(decoded, glb.data, glb.size);
    assert_true(page.size - length < 40 * 1024);
    assert_null(strstr(page.data, "{{"));
    free(decoded);
    qvFreeBytes(&page);
    qvFreeBytes(&glb);
    FreeSample(&sample);
}

static void TestHoldsGlb(void** state)
{
    (void)state;
    qvExportOptions options = qvDefaultExportOptions();
    CheckHoldsGlb(options);
    options.bones = 48, options.error = QV_BONES_ERROR;
    CheckHoldsGlb(options);
}

// What is asked of readers of files does not change what the page's own viewer reads.
static void TestPreset(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingWhole);
    qvExportReport report;
    qvExportOptions options = qvDefaultExportOptions();
    qvBytes plain = ExportTo(&sample.animation, "page_plain.html", options, &report);
    options.preset = qvFindExportPreset("blender"), options.compress = true;
    qvBytes page = ExportTo(&sample.animation, "page_plain.html", options, &report);
    assert_string_equal(report.warning, "");
    assert_int_equal(page.size, plain.size);
    assert_memory_equal(page.data, plain.data, plain.size);
    qvFreeBytes(&page);
    qvFreeBytes(&plain);
    FreeSample(&sample);
}

static void TestEstimate(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingTop);
    qvExportReport estimate, report;
    qvError error;
    ASSERT_OK(qvEstimateExport(&sample.animation, "a.html", NULL, &estimate, &error), error);
    qvBytes page = ExportTo(&sample.animation, "page_estimate.html", qvDefaultExportOptions(), &report);
    ASSERT_NEAR(estimate.bytes / report.bytes, 1.0, 0.03);
    assert_int_equal(estimate.targets, report.targets);
    qvFreeBytes(&page);
    FreeSample(&sample);
}

// A name is a text and nothing else.
static void TestTitle(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingStill);
    sample.animation.name = "</title><script>\"'&{{data}} K\xc3\xb6nig";
    qvBytes page = ExportTo(&sample.animation, "page_title.html", qvDefaultExportOptions(), NULL);
    ASSERT_CONTAINS(page.data, "<title>&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38;{{data}} K\xc3\xb6nig</title>");
    qvFreeBytes(&page);
    FreeSample(&sample);
}

// The body of the first moment stands whole in the picture, where the viewer has it.
static void TestPoster(void** state)
{
    (void)state;
    Sample sample = MakeSample(qv_bendingStill);
    qvModel model = { .mesh = sample.mesh };
    qvExportTask task = { .animation = &sample.animation, .model = &model, .mesh = sample.mesh };
    qvImage image;
    qvError error;
    ASSERT_OK(qvDrawPoster(&task, &image, &error), error);
    double covered = 0.0, x = 0.0, y = 0.0;
    for (int i = 0; i < image.width * image.height; i++)
    {
        double alpha = image.pixels[4 * i + 3] / 255.0;
        int column = i % image.width, row = i / image.width;
        covered += alpha, x += alpha * (column + 0.5), y += alpha * (row + 0.5);
        bool isEdge = column == 0 || row == 0 || column == image.width - 1 || row == image.height - 1;
        assert_true(!isEdge || alpha == 0.0);
        assert_true(alpha < 0.5 || image.pixels[4 * i] > 40); // lit
    }
    double share = covered / (image.width * image.height);
    assert_true(share > 0.1 && share < 0.6);
    ASSERT_NEAR(x / covered / image.width, 0.5, 0.15);
    ASSERT_NEAR(y / covered / image.height, 0.5, 0.15);
    qvDestroyImage(&image);
    FreeSample(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestHoldsGlb), cmocka_unit_test(TestPreset), cmocka_unit_test(TestEstimate),
        cmocka_unit_test(TestTitle),    cmocka_unit_test(TestPoster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
