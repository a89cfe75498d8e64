import { mkdirSync } from 'node:fs';
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
  /** One log file per process. */
  readonly logs: string;
  /** The secrets of the stack: bus keys and the issuer's key. Readable by its user alone. */
  readonly keys: string;
  /** What the admin command needs to find the running stack. */
  readonly stackFile: string;
  /** The demo workspace with its tokens, for scripts. */
  readonly demoFile: string;
  readonly natsConfigFile: string;
  /** Which process runs the stack. */
  readonly lockFile: string;
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
    keys: join(root, 'keys'),
    stackFile: join(root, 'stack.json'),
    demoFile: join(root, 'demo.json'),
    natsConfigFile: join(root, 'nats.conf'),
    lockFile: join(root, 'lock.json'),
  };
}

/** Makes the directories that are missing. */
export function makeDirectories({ root, mongod, mail, files, logs, keys }: LocalDirectory): void {
  for (const path of [root, mongod, mail, files, logs]) mkdirSync(path, { recursive: true });
  mkdirSync(keys, { recursive: true, mode: 0o700 });
}
