import { setTimeout as delay } from 'node:timers/promises';
import { WRONG_CONFIGURATION_EXIT, WrongConfiguration } from '@action-platform/contracts/configuration';
import { onTelemetryProblem, telemetry } from '@action-platform/telemetry';
import { createLogger } from '../logging/logger.ts';
import { collectGarbage } from './collect-garbage.ts';
import { commonConfig } from './config.ts';
import type { ServiceDefinition } from './service.ts';
import { startService } from './start.ts';

/** How long a start may still take after a stop signal, in milliseconds: a start that has begun to serve is about to end. */
const START_LIMIT_MS = 500;
/** How long a stop may take, once nothing more is taken, before the process gives up waiting, in milliseconds. */
const STOP_LIMIT_MS = 25_000;

/**
 * Runs a service as this process until SIGTERM or SIGINT: then the process leaves, finishes its calls and exits with 0, also while it still
 * waits for what it needs to start. A process that cannot start or must not go on exits with 1 after one line in the log. A process with a
 * wrong configuration exits with 78, so that its supervisor knows that starting it again does not help.
 */
export async function runService<Schema extends typeof commonConfig>(
  definition: ServiceDefinition<Schema>,
): Promise<void> {
  // The log falls back to info for an unknown level; `readConfig` refuses that level below.
  const level = commonConfig.shape.LOG_LEVEL.catch('info').parse(process.env.LOG_LEVEL);
  const log = createLogger(definition.name, level);
  const fail = (reason: string) => (error: unknown) => {
    // The text of a start-up error is ours, or a driver's about an address, and has no part of a request.
    log.fatal(
      { err: error },
      reason === 'cannot start' && error instanceof Error ? `${reason}: ${error.message}` : reason,
    );
    process.exit(error instanceof WrongConfiguration ? WRONG_CONFIGURATION_EXIT : 1);
  };
  process.on('uncaughtException', fail('unexpected error'));
  process.on('unhandledRejection', fail('unexpected error'));

  const asked = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => asked.resolve());
  onTelemetryProblem((message) => log.warn(message));
  const start: typeof definition.start = async (tools) => {
    const parts = await definition.start(tools);
    // Before the process takes requests.
    collectGarbage();
    return parts;
  };
  const starting = startService({ ...definition, start }, process.env).catch(fail('cannot start'));
  // A dependency that the start waits for may never come.
  const service = await Promise.race([starting, asked.promise.then(() => delay(START_LIMIT_MS))]);
  await asked.promise;

  await service?.leave();
  setTimeout(() => fail('stopping took too long')(undefined), STOP_LIMIT_MS).unref();
  await service?.stop();
  if (!service) log.info('stopped before it had started');
  await telemetry().stop();
  process.exit(0);
}
