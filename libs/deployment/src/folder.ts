import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Deployment } from './deployment.ts';
import { filesOf } from './files.ts';

/** All secrets. Operators read it; servers and services read the files that are derived from it. */
const VAULT = 'deployment.json';

/** The deployment in a folder; undefined when the folder has none. */
export function readDeployment(folder: string): Deployment | undefined {
  const vault = join(folder, VAULT);
  return existsSync(vault) ? (JSON.parse(readFileSync(vault, 'utf8')) as Deployment) : undefined;
}

/** Writes a deployment and the files that its servers and services read. Only this user may read them. */
export function writeDeployment(folder: string, deployment: Deployment): void {
  // First, because every other file is derived from it.
  writePrivately(join(folder, VAULT), `${JSON.stringify(deployment, null, 2)}\n`);
  for (const [path, content] of filesOf(deployment)) writePrivately(join(folder, path), content);
}

/** Writes a file atomically, and never with the mode of an older one. */
function writePrivately(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
