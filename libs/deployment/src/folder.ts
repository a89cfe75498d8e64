import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Deployment } from './deployment.ts';
import { filesOf } from './files.ts';

/** Everything secret, for the operator alone: neither servers nor services need it. */
const VAULT = 'deployment.json';

/** The deployment of a folder; undefined when there is none. */
export function readDeployment(folder: string): Deployment | undefined {
  const vault = join(folder, VAULT);
  return existsSync(vault) ? (JSON.parse(readFileSync(vault, 'utf8')) as Deployment) : undefined;
}

/** Writes down a deployment, and every file that its servers and services read, for this user's eyes only. */
export function writeDeployment(folder: string, deployment: Deployment): void {
  // First, as all others can be made from it.
  writePrivately(join(folder, VAULT), `${JSON.stringify(deployment, null, 2)}\n`);
  for (const [path, content] of filesOf(deployment)) writePrivately(join(folder, path), content);
}

/** Writes a file whole or not at all, and never with the mode of an older one. */
function writePrivately(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}
