import type { Event } from './event.ts';
import { replicaEvents } from './replica.ts';
import { statusSurvey } from './status.ts';
import { withdrawnEvents } from './withdrawn.ts';

/** Every event there is. The permissions on the bus follow from this list. */
export const events: readonly Event[] = [...withdrawnEvents, ...replicaEvents, statusSurvey];
