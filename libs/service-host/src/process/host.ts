import { Admission, byteBudget } from '@action-platform/admission';
import type { Bus } from '@action-platform/bus';
import { ActionError } from '@action-platform/contracts/errors';
import type { AuditTrail } from '../auditing/audit-trail.ts';
import { LineLevels } from '../logging/line-levels.ts';
import type { Logger } from '../logging/logger.ts';
import { CallObserver } from '../observing/call-observer.ts';
import { measureAdmission } from '../observing/metrics.ts';
import { BulkTurns } from '../serving/bulk-turns.ts';
import { GrantedData } from '../serving/granted-data.ts';
import { askingRecordStore, type DataLookUps } from '../serving/named-collections.ts';
import type { Host } from '../serving/respond.ts';
import type { RecentCalls } from '../status/recent-calls.ts';
import type { CommonConfig } from './config.ts';

/** How many calls are worked on at once at least, however slow they are. */
const LEAST_AT_WORK = 16;

/** How many bulk calls are worked on at once: with two, the database was idle between them. */
const BULK_AT_WORK = 4;
/** The part of its caller's time that a bulk call may wait in the queue: a call that begins needs the rest for its items. */
const BULK_WAIT = 0.8;

/** Builds what all calls of a process share. */
export function hostOf(
  config: CommonConfig,
  log: Logger,
  bus: Bus,
  recent: RecentCalls,
  trail: AuditTrail,
  wrote: () => void,
  { collections = askingRecordStore(bus), senders }: Partial<Omit<DataLookUps, 'grants'>>,
): Host {
  const bounds = {
    maxTaken: config.SERVICE_MAX_IN_FLIGHT,
    maxBytes: byteBudget(config.SERVICE_MAX_BYTES_IN_FLIGHT),
    maxWaitMs: config.SERVICE_MAX_WAIT_MS,
    refusal: () => new ActionError('action_platform_unavailable'),
  };
  const atWork = { most: config.SERVICE_MAX_AT_WORK, least: LEAST_AT_WORK };
  const admission = new Admission({ ...bounds, atWork });
  const bulkAtWork = { most: BULK_AT_WORK, least: BULK_AT_WORK };
  const bulkWaitMs = BULK_WAIT * config.REQUEST_DEADLINE_MS;
  const bulk = new Admission({ ...bounds, atWork: bulkAtWork, maxWaitMs: bulkWaitMs });
  measureAdmission([admission, bulk]);
  // The readers of long answers determine how long these take, so no limit follows from it.
  const atOnce = { most: config.SERVICE_MAX_LONG_ANSWERS, least: config.SERVICE_MAX_LONG_ANSWERS };
  const observer = new CallObserver(log, new LineLevels(config.TRACES_SLOW_MS), recent, trail);
  return {
    log,
    bus,
    turns: new BulkTurns(),
    admission,
    bulk,
    longAnswers: new Admission({ ...bounds, atWork: atOnce }),
    wrote,
    grants: new GrantedData(bus),
    collections,
    senders,
    record: (outcome) => observer.record(outcome),
  };
}
