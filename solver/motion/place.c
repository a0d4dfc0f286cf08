// SPDX-License-Identifier: GPL-3.0-or-later
// Where a time lies among the keys.
#include "motion/evaluate.h"

qvPlace qvMotion_FindPlace(const qvMotion* motion, double time)
{
    int n = motion->keyCount;
    qvPlace place = { qv_zoneBefore, 0, 0.0, 1.0, { 0, 0, 0.0, 1.0 } };
    if (motion->period <= 0.0 && time < motion->times[0])
        return place;
    if (motion->period <= 0.0 && time >= motion->times[n - 1])
    {
        place.zone = motion->knots[n - 1].kind == qv_motionSmooth ? qv_zoneSmoothAfter : qv_zoneAfter;
        place.since = time - motion->times[n - 1];
        place.span.from = place.span.to = n - 1;
        return place;
    }
    place.segment = qvFindSegment(motion->times, n, motion->period, time, &place.since);
    place.length = qvSegmentLength(motion->knots, place.segment, n, motion->period);
    place.span = qvMotion_Span(motion, place.segment, place.since);
    int end = qvSegmentEnd(place.segment, n);
    static const qvZone zones[] = {
        [qv_motionSmooth] = qv_zoneSmooth, [qv_motionLinear] = qv_zoneLinear, [qv_motionHold] = qv_zoneHold
    };
    if (motion->knots[end].kind != qv_motionWiggly)
    {
        place.zone = zones[motion->knots[end].kind];
        return place;
    }
    double u = place.span.since / place.span.length;
    place.zone = u <= 0.25 || motion->trackOf[place.span.from] == motion->trackOf[place.span.to] ? qv_zoneStart
                 : u >= 0.75                                                                     ? qv_zoneEnd
                                                                                                 : qv_zoneBlend;
    return place;
}

void qvPlace_Ease(const qvPlace* place, double s[3])
{
    qvSpan_Ease(place->span.since, place->span.length, qv_blendPercent / 100.0, s);
}
