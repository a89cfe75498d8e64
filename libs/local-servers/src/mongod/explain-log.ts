import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Context {
  readonly dataDir: string;
  readonly port: number;
}

/** What is behind a failure, by the words mongod reports it with. */
const causes: ReadonlyArray<[RegExp, (context: Context) => string]> = [
  [
    /Address already in use/,
    ({ port }) => `port ${port} is taken: stop what listens there or choose another port`,
  ],
  [
    /DBPathInUse/,
    ({ dataDir }) =>
      `another mongod${lockHolder(dataDir)} uses ${dataDir}: stop it or choose another data directory`,
  ],
  [/No space left on device/, ({ dataDir }) => `the disk of ${dataDir} is full: make room and start again`],
  [
    /UPGRADE PROBLEM|featureCompatibilityVersion|unsupported WiredTiger file version/i,
    ({ dataDir }) =>
      `another version of MongoDB wrote ${dataDir}: start that version or choose another data directory`,
  ],
  [
    /Permission denied/,
    ({ dataDir }) => `this user may not read and write ${dataDir}: change its owner or mode`,
  ],
];

/**
 * Why a mongod ended, from its log: one line that says what to do.
 *
 * @param log the lines it has logged since it was started
 * @returns undefined when nothing in the log looks like a reason
 */
export function explainMongodLog(log: string[], context: Context): string | undefined {
  const complaints = log.flatMap(complaintOf);
  const all = complaints.join('\n');
  const [, advice] = causes.find(([words]) => words.test(all)) ?? [];
  return advice?.(context) ?? complaints.at(-1);
}

/** What a log line complains of, if it does. mongod logs JSON; what is not JSON comes from the system's loader. */
function complaintOf(line: string): string[] {
  if (line.trim() === '') return [];
  if (!line.startsWith('{')) return [line];
  const { s: severity, msg, attr } = parsed(line);
  if (severity !== 'F' && severity !== 'E') return [];
  return [attr ? `${msg} ${JSON.stringify(attr)}` : `${msg}`];
}

/** The last line of a process that was killed may be half a line. */
function parsed(line: string): { s?: string; msg?: string; attr?: object } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** mongod writes its process id into the lock file of its data. */
function lockHolder(dataDir: string): string {
  try {
    return ` (pid ${Number(readFileSync(join(dataDir, 'mongod.lock'), 'utf8'))})`;
  } catch {
    return '';
  }
}
