import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = '../../node_modules/@modelcontextprotocol';

/** The path of the program of the protocol's conformance tests. */
export const conformance = fileURLToPath(new URL(`${packages}/conformance/dist/index.js`, import.meta.url));

/** A check of the conformance tests. */
interface Check {
  /** The file of results that has it. */
  readonly file: string;
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks in a folder of results. */
export function checksIn(results: string): Check[] {
  return globSync(`${results}/**/checks.json`).flatMap((path) =>
    (JSON.parse(readFileSync(path, 'utf8')) as Omit<Check, 'file'>[]).map((check) => ({
      ...check,
      file: path.slice(results.length + 1),
    })),
  );
}
