import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { listen } from '@action-platform/testing';
import { afterEach, expect, test } from '@jest/globals';
import { untilReady } from './until-ready.ts';

const working = spawn(process.execPath, ['-e', 'for (;;);']);
const gateways: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  working.kill('SIGKILL');
  for (const gateway of gateways) gateway.close();
});

const QUIET_POLLS = 10;
/** A gateway that reports these missing services, one after the other, and then that it is ready. */
async function gatewayMissing(services: readonly string[]): Promise<string> {
  let asked = 0;
  const gateway = createServer((_request, response) => {
    const missing = services[asked++];
    response.writeHead(missing === undefined ? 200 : 503);
    response.end(JSON.stringify(missing === undefined ? {} : { error: { message: missing } }));
  });
  gateways.push(gateway);
  return `http://127.0.0.1:${await listen(gateway)}`;
}
const often = (service: string) => Array<string>(QUIET_POLLS * 3).fill(service);

test('a platform counts as stuck only when its report stays the same and no process works', async () => {
  const until = async (services: readonly string[], ...pids: number[]) =>
    await untilReady([await gatewayMissing(services)], 'logs', () => pids, QUIET_POLLS);
  await until(often('grants').map((service, poll) => `${service} ${poll >> 3}`));
  await until(often('grants'), working.pid!);
  await expect(until(often('grants'), 0)).rejects.toThrow(
    'The platform does not become ready (grants): read the logs in logs.',
  );
});
