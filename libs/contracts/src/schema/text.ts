import { z } from 'zod';

/** The control characters, in a class of a regular expression. Clients read published patterns without the flag `u`, so `\p{Cc}` is none. */
export const CONTROL_CHARACTERS = String.raw`\u0000-\u001f\u007f-\u009f`;

/**
 * A string of `min` (default 0) to `max` characters. Characters are Unicode code points, as JSON Schema
 * counts them (2020-12 Validation, section 6.3.1), so that the published schema and the server agree.
 */
export function text(bounds: { min?: number; max: number }) {
  const { min = 0, max } = bounds;
  return z
    .string()
    .refine((value) => isWithin(value, min, max), {
      error: `must have ${min} to ${max} characters`,
      abort: true,
    })
    .meta(min > 0 ? { minLength: min, maxLength: max } : { maxLength: max });
}

function isWithin(value: string, min: number, max: number): boolean {
  // A code point has one or two code units, so most lengths need no counting.
  if (value.length < min || value.length > 2 * max) return false;
  if (value.length >= 2 * min && value.length <= max) return true;
  const length = codePointLength(value);
  return length >= min && length <= max;
}

/** The number of Unicode code points in a string. */
export function codePointLength(value: string): number {
  let length = value.length;
  for (let i = 0; i < value.length - 1; i++) {
    const isPair = (value.charCodeAt(i) & 0xfc00) === 0xd800 && (value.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      length--;
      i++;
    }
  }
  return length;
}
