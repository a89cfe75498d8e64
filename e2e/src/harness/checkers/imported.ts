/** An import into a Collection that was empty: JSON texts of its rows and of the stored payloads, and the bytes that the quota counts. */
export interface Imported {
  readonly rows: readonly string[];
  readonly stored: readonly string[];
  readonly countedBytes: number;
}

/** Each row is one Record, nothing else is one, and the quota counts their bytes. */
export function* checkImported(name: string, { rows, stored, countedBytes }: Imported): Generator<string> {
  const wanted = new Set(rows);
  const found = Map.groupBy(stored, (text) => text);
  for (const [text, { length }] of found) {
    if (!wanted.has(text)) yield `${name}: no row is ${text}`;
    if (length > 1) yield `${name}: ${length} Records are ${text}`;
  }
  for (const text of wanted) if (!found.has(text)) yield `${name}: ${text} is lost`;
  const bytes = stored.reduce((sum, { length }) => sum + length, 0);
  if (bytes !== countedBytes) yield `${name}: ${bytes} bytes are stored, but ${countedBytes} are counted`;
}
