import { JsonSyntaxError } from './errors.ts';

/** Keeps a byte order mark in the text, where the JSON grammar has no place for it (RFC 8259, section 8.1). */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8.
 *
 * @throws JsonSyntaxError when the bytes are not UTF-8, with the offset of the first character that is not.
 */
export function decodeUtf8(input: Uint8Array): string {
  try {
    return strictDecoder.decode(input);
  } catch {
    throw new JsonSyntaxError('Malformed UTF-8', malformedOffset(input));
  }
}

/** Writes the text back with each malformed part as U+FFFD: it is malformed from the first byte that differs. */
function malformedOffset(input: Uint8Array): number {
  const repaired = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(input));
  const byteOffset = repaired.findIndex((byte, index) => byte !== input[index]);
  const wellFormed = input.subarray(0, byteOffset);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(wellFormed, { stream: true }).length;
}
