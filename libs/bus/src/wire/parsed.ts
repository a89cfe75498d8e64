const decoder = new TextDecoder('utf-8', { fatal: true });

/** The value of a JSON text; undefined for any other text. The parser's error is not passed on, because it quotes a part of the text. */
export function parsed(text: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(text));
  } catch {
    return undefined;
  }
}
