// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/gltf_out.h"

#include "formats/gltf_images.h"
#include "formats/page.h"

qvResult qvGltf_WriteOut(const qvExportTask* task, qvGltfBuilder* builder, qvGltfForm form, qvError* error)
{
    bool binary = form != qv_gltfText;
    FILE* stream = NULL;
    qvResult result = task->files != NULL ? qvFileSet_Add(task->files, task->path, &stream, error) : qv_ok;
    if (result == qv_ok)
        result = qvGltf_PackImages(builder, task->model->folder, binary, task->files, error);
    if (result == qv_ok && task->options.compress)
        result = qvGltfBuilder_Pack(builder, error);
    if (result != qv_ok)
        return result;
    if (task->files == NULL)
    {
        result = qvGltfBuilder_Measure(builder, binary, &task->report->bytes, error);
        if (form == qv_gltfPage)
            task->report->bytes = qvPageSize(task->report->bytes);
        return result;
    }
    result = form == qv_gltfPage ? qvWritePage(task, builder, stream, error)
                                 : qvGltfBuilder_Write(builder, binary, task->files, error);
    return result == qv_ok ? qvJob_Progress(task->options.job, "writing", 1.0, error) : result;
}
