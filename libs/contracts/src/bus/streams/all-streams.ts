import { processes } from '../../services/services.ts';
import type { Stream } from './stream.ts';

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/** The changes in the database of a service: batches of change events, each of one Workspace. */
export const EVENTS: Stream = {
  name: 'EVENTS',
  publishers: ['record-store', 'grants', 'mail', 'procedures', 'events', 'custom-operations'],
  readers: ['events', 'audit', 'admin'],
  maxAgeMs: 7 * DAY_MS,
  maxBytes: 8 * GIB,
};

/** Calls that wrote or were refused, on their way to the audit log. */
export const AUDIT: Stream = {
  name: 'AUDIT',
  publishers: processes,
  readers: ['audit'],
  maxAgeMs: 3 * DAY_MS,
  maxBytes: 4 * GIB,
};

/** All streams. The permissions on the bus and the settings of the NATS servers follow from this list. */
export const streams: readonly Stream[] = [EVENTS, AUDIT];
