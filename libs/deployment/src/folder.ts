import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Deployment } from './deployment.ts';
import { filesOf } from './files.ts';

/** The file with all secrets, for operators. Servers and services read the files derived from it. */
const VAULT = 'deployment.json';

/** The deployment in a folder; undefined when the folder has none. */
export function readDeployment(folder: string): Deployment | undefined {
  const vault = join(folder, VAULT);
  return existsSync(vault) ? (JSON.parse(readFileSync(vault, 'utf8')) as Deployment) : undefined;
}

/** Writes a deployment and the files of its servers and services, readable by this user alone. */
export function writeDeployment(folder: string, deployment: Deployment): void {
  // The vault comes first, because every other file can be derived from it.
  writePrivately(join(folder, VAULT), `${JSON.stringify(deployment, null, 2)}\n`);
  for (const [path, content] of filesOf(deployment)) writePrivately(join(folder, path), content);
}

/** Writes a file atomically, without keeping the mode of an existing one. */
function writePrivately(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
