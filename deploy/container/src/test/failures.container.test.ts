import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  containerOf,
  containers,
  copyDemo,
  docker,
  gatewayUrl,
  networkOf,
  readiness,
  until,
  untilNotReady,
  untilReady,
} from './compose-stack.ts';

let token: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'failures-'));
  ({ token } = (await copyDemo(join(folder, 'demo.json'))).owner);
  rmSync(folder, { recursive: true });
});

/** After each failure the platform becomes ready, and answers a call through gateway, grants and record-store. */
afterEach(async () => {
  await untilReady();
  // The gateway answers 503 until it has noticed that a replica ended.
  await until(async () => (await createCollection()) !== 503);
  expect(await createCollection()).toBe(200);
});

async function createCollection(): Promise<number> {
  const response = await fetch(`${await gatewayUrl()}/api/v1/operations/record_store.create_collection`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: crypto.randomUUID(), member_writes_enabled: true }),
  });
  await response.body?.cancel();
  return response.status;
}

test.each(['gateway', 'grants', 'record-store', 'nats', 'mongo'])(
  'the engine restarts a killed %s',
  async (service) => {
    const processOf = async () => (await containers()).get(service)!.State.Pid;
    const killed = await processOf();
    // The engine does not restart a container after `docker kill`.
    process.kill(killed, 'SIGKILL');
    await until(async () => ![0, killed].includes(await processOf()));
  },
);

test.each(['grants', 'record-store', 'nats', 'mongo'])(
  'the platform is not ready while %s is paused',
  async (service) => {
    await docker('pause', await containerOf(service));
    try {
      await untilNotReady();
      expect(await readiness()).toBe(503);
    } finally {
      await docker('unpause', await containerOf(service));
    }
  },
);

test.each([
  ['grants', 'bus'],
  ['record-store', 'database'],
])('%s recovers from a disconnected network %s', async (service, network) => {
  await docker('network', 'disconnect', networkOf(network), await containerOf(service));
  try {
    await untilNotReady();
  } finally {
    await docker('network', 'connect', '--alias', service, networkOf(network), await containerOf(service));
  }
});

test('every container exits with 0 on stop, and the platform starts again with its data', async () => {
  const profiles = ['--profile', 'demo', '--profile', 'tls'];
  await docker('compose', ...profiles, 'stop');
  const ends = [...(await containers())].map(([service, { State }]) => [
    service,
    State.ExitCode,
    State.OOMKilled,
  ]);
  expect(ends).toEqual(ends.map(([service]) => [service, 0, false]));
  await docker('compose', ...profiles, 'up', '--no-build', '--detach');
  await docker('wait', await containerOf('demo'));
});
