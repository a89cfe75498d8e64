import { randomBytes } from 'node:crypto';

/** The lengths of ids (W3C Trace Context, sections 3.2.2.3 and 3.2.2.4), in hexadecimal digits. */
const TRACE_ID = 32;
const SPAN_ID = 16;
/** How many random bytes are made at a time. */
const BYTES = 2_048;

let digits = '';
/** Where those begin that were not used yet. */
let next = 0;

/** The id of a new trace. */
export function newTraceId(): string {
  return randomDigits(TRACE_ID);
}

/** The id of a new span. */
export function newSpanId(): string {
  return randomDigits(SPAN_ID);
}

/** Random hexadecimal digits, which cost next to nothing when many are made at a time. */
function randomDigits(length: number): string {
  if (next + length > digits.length) {
    digits = randomBytes(BYTES).toString('hex');
    next = 0;
  }
  next += length;
  return digits.slice(next - length, next);
}
