import { freePort } from '@action-platform/local-servers';

/** Checks that the ports of the gateways are free; the error names the first port in use and the remedy. */
export async function requireFree(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    if ((await freePort(port)) !== port) {
      throw new Error(`Port ${port} of 127.0.0.1 is in use: stop its process, or set PORT to another.`);
    }
  }
}
