import { setTimeout as delay } from 'node:timers/promises';
import type { Stream } from '@action-platform/contracts/bus';
import { failureLevel } from '@action-platform/contracts/errors';
import { gauge } from '@action-platform/telemetry';
import type { ServiceTools } from './service.ts';

/** The pauses between two looks at a stream, and between attempts to create one that is missing, in milliseconds. */
const LOOK_MS = 15_000;
const RETRY_MS = 1_000;

/**
 * Creates a stream in the background whenever it is missing, until the service leaves, and measures how full it is. So the service
 * serves while JetStream is away.
 */
export function keepStream(
  { bus, log, leaving }: Pick<ServiceTools<unknown>, 'bus' | 'log' | 'leaving'>,
  stream: Stream,
): void {
  let fill = 0;
  gauge('stream.fill', () => fill, { 'stream.name': stream.name });
  const keep = async () => {
    let isWaiting = false;
    while (!leaving.aborted) {
      try {
        await bus.streams.create(stream);
        const { bytes, maxBytes } = await bus.streams.state(stream);
        fill = bytes / maxBytes;
        if (isWaiting) log.info(`the stream ${stream.name} is ready`);
        isWaiting = false;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isWaiting && !leaving.aborted)
          log[failureLevel(error)](`waiting for the stream ${stream.name} on the NATS servers: ${reason}`);
        isWaiting = true;
      }
      await delay(isWaiting ? RETRY_MS : LOOK_MS, undefined, { signal: leaving }).catch(() => {});
    }
  };
  void keep();
}
