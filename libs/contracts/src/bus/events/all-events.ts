import { processes, services } from '../../services/services.ts';
import { EVENTS } from '../streams/all-streams.ts';
import { cancelledEvent } from './cancelled.ts';
import type { Event } from './event.ts';
import { logLevelEvent } from './log-level.ts';
import { replicaEvent } from './replica.ts';
import { statusSurvey } from './status.ts';
import { storedEvent } from './stored.ts';
import { surveyEvent } from './survey.ts';
import { telemetryKeepEvent } from './telemetry-keep.ts';
import { traceSurvey } from './trace.ts';
import { workspacesSurvey } from './workspaces.ts';
import { writtenEvent } from './written.ts';

/** All events. The permissions on the bus follow from this list. */
export const events: readonly Event[] = [
  ...services.map(cancelledEvent),
  ...processes.map(replicaEvent),
  ...[statusSurvey, traceSurvey, workspacesSurvey].flatMap((survey) =>
    survey.subscribers.map((service) => surveyEvent(survey, service)),
  ),
  telemetryKeepEvent,
  logLevelEvent,
  storedEvent,
  ...EVENTS.publishers.map(writtenEvent),
];
