import { cancelledEvents } from './cancelled.ts';
import type { Event } from './event.ts';
import { logLevelEvent } from './log-level.ts';
import { replicaEvents } from './replica.ts';
import { statusSurvey } from './status.ts';
import { storedEvent } from './stored.ts';
import { surveyEvent } from './survey.ts';
import { telemetryKeepEvent } from './telemetry-keep.ts';
import { traceSurvey } from './trace.ts';
import { writtenEvents } from './written.ts';

/** All events. The permissions on the bus follow from this list. */
export const events: readonly Event[] = [
  ...cancelledEvents,
  ...replicaEvents,
  ...[statusSurvey, traceSurvey].flatMap((survey) =>
    survey.subscribers.map((service) => surveyEvent(survey, service)),
  ),
  telemetryKeepEvent,
  logLevelEvent,
  storedEvent,
  ...writtenEvents,
];
