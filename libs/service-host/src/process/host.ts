import type { Bus } from '@action-platform/bus';
import type { AuditTrail } from '../auditing/audit-trail.ts';
import { LineLevels } from '../logging/line-levels.ts';
import type { Logger } from '../logging/logger.ts';
import { CallObserver } from '../observing/call-observer.ts';
import { measureAdmission } from '../observing/metrics.ts';
import { GrantedData } from '../serving/granted-data.ts';
import type { Host } from '../serving/respond.ts';
import type { RecentCalls } from '../status/recent-calls.ts';
import { admissions } from './admissions.ts';
import type { CommonConfig } from './config.ts';

/** Builds what all calls of a process share. */
export function hostOf(
  config: CommonConfig,
  log: Logger,
  bus: Bus,
  recent: RecentCalls,
  trail: AuditTrail,
  wrote: () => void,
): Host {
  const { admission, longAnswers } = admissions(config);
  measureAdmission(admission);
  const observer = new CallObserver(log, new LineLevels(config.TRACES_SLOW_MS), recent, trail);
  return {
    log,
    bus,
    admission,
    longAnswers,
    wrote,
    grants: new GrantedData(bus),
    record: (outcome) => observer.record(outcome),
  };
}
