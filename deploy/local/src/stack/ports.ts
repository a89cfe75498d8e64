import { join } from 'node:path';
import { freePort } from '@action-platform/local-servers';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { LocalDirectory } from '../local-directory.ts';

/** The ports of the servers behind the gateway. */
export interface Ports {
  readonly mongod: number;
  readonly nats: number;
}

/** Free ports; those of the last start when nothing took them since. */
export async function choosePorts({ root }: LocalDirectory): Promise<Ports> {
  const file = join(root, 'ports.json');
  const last = readJsonFile<Ports>(file);
  const ports = { mongod: await freePort(last?.mongod), nats: await freePort(last?.nats) };
  writeJsonFile(file, ports);
  return ports;
}

/** Makes sure that nothing else listens where the gateways will; an error says what to do when something does. */
export async function requireFree(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    if ((await freePort(port)) !== port) {
      throw new Error(`Port ${port} of 127.0.0.1 is in use: stop what uses it, or set PORT to another.`);
    }
  }
}
