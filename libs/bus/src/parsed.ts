const decoder = new TextDecoder('utf-8', { fatal: true });

/** The value of a JSON text; undefined for what is none, of which the parser's error would quote a part. */
export function parsed(text: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(text));
  } catch {
    return undefined;
  }
}
