import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a JSON file holds; undefined when there is none. */
export function readJsonFile<Value>(path: string): Value | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Value) : undefined;
}

/** Writes a JSON file whole or not at all, readable by this user alone. */
export function writeJsonFile(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
