import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writePrivately } from '@action-platform/deployment';

export type LocalDirectory = Readonly<ReturnType<typeof localDirectory>>;

/** The directory of the local stack: `LOCAL_DIR`, by default `.local` here. */
export function localDirectory(environment: NodeJS.ProcessEnv) {
  const root = resolve(environment.LOCAL_DIR || '.local');
  return {
    root,
    mongod: join(root, 'mongod'),
    /** The stored messages of nats-server. */
    nats: join(root, 'nats'),
    mail: join(root, 'mail'),
    /** Company and personal files, by Workspace. */
    files: join(root, 'files'),
    /** One log file per process. Readable by its user alone. */
    logs: join(root, 'logs'),
    /** The secrets of the stack: bus keys and the issuer's key. Readable by its user alone. */
    keys: join(root, 'keys'),
    /** The address of the running stack, for the admin command. */
    stackFile: join(root, 'stack.json'),
    /** The demo workspace with its tokens, for scripts. */
    demoFile: join(root, 'demo.json'),
    /** The metrics address of each process, for Prometheus. */
    metricsTargets: join(root, 'metrics-targets.json'),
    /** The lock of the process that runs the stack. */
    lock: join(root, 'lock.sqlite'),
  };
}

/** Makes the missing directories, and restricts those with secrets to this user. */
export function makeDirectories({ root, mongod, nats, mail, files, logs, keys }: LocalDirectory): void {
  for (const path of [root, mail, files]) mkdirSync(path, { recursive: true });
  for (const path of [mongod, nats, logs, keys]) mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** The error codes of an unwritable file (errno(3)). */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC'];

/** Runs work that writes to the directory; the error for an unwritable one names LOCAL_DIR. */
export async function writingTo<Value>({ root }: LocalDirectory, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!UNWRITABLE.includes(code)) throw error;
    throw new Error(`${root} cannot be written (${code}): set LOCAL_DIR to a folder that can.`);
  }
}

/** The content of a JSON file; undefined without the file. */
export function readJsonFile<Value>(path: string): Value | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Value) : undefined;
}

/** Writes a JSON file, readable by this user alone. */
export function writeJsonFile(path: string, value: unknown): void {
  writePrivately(path, `${JSON.stringify(value, null, 2)}\n`);
}
