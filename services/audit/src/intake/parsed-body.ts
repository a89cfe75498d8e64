/** The JSON value of a message; undefined for another text. */
export function parsedBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}
