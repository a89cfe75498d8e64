import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deployment } from './deployment.ts';
import { filesOf } from './files.ts';
import { writePrivately } from './write-privately.ts';

/** The file with all secrets, for operators. Servers and services read the files derived from it. */
const DEPLOYMENT_FILE = 'deployment.json';

/** The deployment in a folder; undefined when the folder has none. */
export function readDeployment(folder: string): Deployment | undefined {
  const file = join(folder, DEPLOYMENT_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Deployment) : undefined;
}

/** Writes a deployment and the files of its servers and services, readable by this user alone. */
export function writeDeployment(folder: string, deployment: Deployment): void {
  // DEPLOYMENT_FILE comes first, because every other file can be derived from it.
  writePrivately(join(folder, DEPLOYMENT_FILE), `${JSON.stringify(deployment, null, 2)}\n`);
  for (const [path, content] of filesOf(deployment)) writePrivately(join(folder, path), content);
}
