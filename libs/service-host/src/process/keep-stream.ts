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
 * serves while JetStream is away. A stream of another size stays as it is, because a smaller one would drop messages: a line says how to
 * change it.
 *
 * @param maxBytes the size of a stream that it creates.
 */
export function keepStream(
  { bus, log, leaving }: Pick<ServiceTools<unknown>, 'bus' | 'log' | 'leaving'>,
  declared: Stream,
  maxBytes: number,
): void {
  const stream = { ...declared, maxBytes };
  let fill = 0;
  gauge('stream.fill', () => fill, { 'stream.name': stream.name });
  const keep = async () => {
    let isWaiting = false;
    let otherSize: number | undefined;
    while (!leaving.aborted) {
      try {
        await bus.streams.create(stream);
        const state = await bus.streams.state(stream);
        fill = state.bytes / state.maxBytes;
        if (state.maxBytes !== maxBytes && state.maxBytes !== otherSize)
          log.warn(
            `the stream ${stream.name} stores at most ${state.maxBytes} bytes; to have ${maxBytes}: admin stream set --stream ${stream.name} --max-bytes ${maxBytes}`,
          );
        otherSize = state.maxBytes;
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
