import { randomFillSync } from 'node:crypto';
import type { IdGenerator } from '@opentelemetry/sdk-trace';

/** The lengths of ids (W3C Trace Context, sections 3.2.2.3 and 3.2.2.4), in bytes. */
const TRACE_ID = 16;
const SPAN_ID = 8;
/** The length of the time in the id of a trace, in bytes. */
const TIME = 6;

/** Random bytes for many ids: one call of the generator for each id costs several times as much. */
const random = Buffer.allocUnsafeSlow(16 * 1024);
/** The position of the first unused byte. */
let next = random.length;

/**
 * The id of a new trace: milliseconds since 1970, then random bytes (W3C Trace Context Level 2: the last 7 must be random). Ids
 * sort by time, so that those of requests, which the audit log stores, extend an index at its end.
 */
export function newTraceId(): string {
  return (
    Date.now()
      .toString(16)
      .padStart(2 * TIME, '0') + randomDigits(TRACE_ID - TIME)
  );
}

/** Generates ids for the tracer provider. */
export const idGenerator: IdGenerator = {
  generateTraceId: newTraceId,
  generateSpanId: () => randomDigits(SPAN_ID),
};

/** Random bytes as hexadecimal digits, in a string of its own: a slice of a longer one would keep all of that in memory. */
function randomDigits(bytes: number): string {
  if (next + bytes > random.length) {
    randomFillSync(random);
    next = 0;
  }
  next += bytes;
  return random.toString('hex', next - bytes, next);
}
