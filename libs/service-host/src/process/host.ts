import type { Bus } from '@action-platform/bus';
import { LineLevels } from '../logging/line-levels.ts';
import type { Logger } from '../logging/logger.ts';
import { logCalls } from '../observing/log-calls.ts';
import { measureAdmission, measureCall } from '../observing/measure-calls.ts';
import { noteOnSpan } from '../observing/note-on-span.ts';
import { GrantedData } from '../serving/granted-data.ts';
import { logOperators } from '../serving/operators.ts';
import type { Host } from '../serving/respond.ts';
import type { RecentCalls } from '../status/recent-calls.ts';
import { admissions } from './admissions.ts';
import type { CommonConfig } from './config.ts';

/** What handlers are given, and who is told how each call went. */
export function hostOf(config: CommonConfig, log: Logger, bus: Bus, recent: RecentCalls): Host {
  const { admission, longAnswers } = admissions(config);
  measureAdmission(admission);
  return {
    log,
    bus,
    admission,
    longAnswers,
    grants: new GrantedData(bus),
    observers: [
      ({ durationMs, error }) => recent.record(durationMs, error !== undefined && error.status >= 500),
      noteOnSpan,
      measureCall,
      logCalls(log, new LineLevels(config.TRACES_SLOW_MS)),
      logOperators(log),
    ],
  };
}
