import { randomFillSync } from 'node:crypto';

/** The lengths of ids (W3C Trace Context, sections 3.2.2.3 and 3.2.2.4), in bytes. */
const TRACE_ID = 16;
const SPAN_ID = 8;

/** Random bytes, made many at a time: so they cost next to nothing. */
const random = Buffer.allocUnsafeSlow(16 * 1024);
/** Where those begin that were not used yet. */
let next = random.length;

/** The id of a new trace. */
export function newTraceId(): string {
  return randomDigits(TRACE_ID);
}

/** The id of a new span. */
export function newSpanId(): string {
  return randomDigits(SPAN_ID);
}

/** So many random bytes in hexadecimal digits. A text of its own: a part of a longer one would keep all of that in memory. */
function randomDigits(bytes: number): string {
  if (next + bytes > random.length) {
    randomFillSync(random);
    next = 0;
  }
  next += bytes;
  return random.toString('hex', next - bytes, next);
}
