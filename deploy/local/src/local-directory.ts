import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where a local stack keeps everything. */
export interface LocalDirectory {
  readonly root: string;
  /** The data files of mongod. */
  readonly mongod: string;
  /** The drafts of the local mail provider. */
  readonly mail: string;
  /** Company and personal files, by Workspace. */
  readonly files: string;
  /** One log file per process. Readable by its user alone. */
  readonly logs: string;
  /** What each process has written of its traces lately. Readable by its user alone. */
  readonly traces: string;
  /** The secrets of the stack: bus keys and the issuer's key. Readable by its user alone. */
  readonly keys: string;
  /** What the admin command needs to find the running stack. */
  readonly stackFile: string;
  /** The demo workspace with its tokens, for scripts. */
  readonly demoFile: string;
  /** Where Prometheus finds the metrics of each process. */
  readonly metricsTargets: string;
  /** Which process runs the stack. */
  readonly lock: string;
}

/** The directory of the local stack: `LOCAL_DIR`, by default `.local` here. */
export function localDirectory(environment: NodeJS.ProcessEnv): LocalDirectory {
  const root = resolve(environment.LOCAL_DIR || '.local');
  return {
    root,
    mongod: join(root, 'mongod'),
    mail: join(root, 'mail'),
    files: join(root, 'files'),
    logs: join(root, 'logs'),
    traces: join(root, 'traces'),
    keys: join(root, 'keys'),
    stackFile: join(root, 'stack.json'),
    demoFile: join(root, 'demo.json'),
    metricsTargets: join(root, 'metrics-targets.json'),
    lock: join(root, 'lock'),
  };
}

/** Makes the directories that are missing. */
export function makeDirectories({ root, mongod, mail, files, logs, traces, keys }: LocalDirectory): void {
  for (const path of [root, mail, files]) mkdirSync(path, { recursive: true });
  for (const path of [mongod, logs, traces, keys]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // One that an earlier version made may be open to others.
    chmodSync(path, 0o700);
  }
}

/** What the system says when a file cannot be written where it is wanted (errno(3)). */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC'];

/** Does what writes to the directory; an error says what to do when that is not possible. */
export async function writingTo<Value>({ root }: LocalDirectory, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!UNWRITABLE.includes(code)) throw error;
    throw new Error(`${root} cannot be written (${code}): set LOCAL_DIR to a folder that can.`);
  }
}

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
