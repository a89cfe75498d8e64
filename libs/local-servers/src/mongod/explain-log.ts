import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Context {
  readonly dataDir: string;
  readonly port: number;
}

/** The cause of a failure, by the words of mongod's report. */
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
 * The reason why a mongod ended, from its log: one line that says what to do.
 *
 * @param log the lines logged since its start
 * @returns undefined when nothing in the log looks like a reason
 */
export function explainMongodLog(log: string[], context: Context): string | undefined {
  const complaints = log.flatMap(complaintOf);
  const all = complaints.join('\n');
  const [, advice] = causes.find(([words]) => words.test(all)) ?? [];
  return advice?.(context) ?? complaints.at(-1);
}

/** The complaint of a log line, if it has one. mongod logs JSON; any other line comes from the system's loader. */
function complaintOf(line: string): string[] {
  if (line.trim() === '') return [];
  if (!line.startsWith('{')) return [line];
  const { s: severity, msg, attr } = parsed(line);
  if (severity !== 'F' && severity !== 'E') return [];
  return [attr ? `${msg} ${JSON.stringify(attr)}` : `${msg}`];
}

/** The last line of a killed process may be incomplete. */
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
