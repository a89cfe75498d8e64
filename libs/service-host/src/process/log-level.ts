import type { Bus } from '@action-platform/bus';
import { logLevelEvent } from '@action-platform/contracts/bus';
import type { Logger } from '../logging/logger.ts';

/** Lets operators set the level of a log while the process runs; after some time the configured level is in force again. */
export function followLogLevel(service: string, log: Logger, bus: Bus): void {
  const configured = log.level;
  let timer: NodeJS.Timeout | undefined;
  bus.subscribe(logLevelEvent, ({ service: addressed, level, seconds, operator }) => {
    if (addressed !== service) return;
    // Before the level is set, which may be one that hides it.
    log.info({ command: 'log-level set', operator, level, seconds }, 'operator');
    clearTimeout(timer);
    log.level = level;
    timer = setTimeout(() => {
      log.level = configured;
      log.info({ level: configured }, 'the level of the log is as configured');
    }, seconds * 1000).unref();
  });
}
