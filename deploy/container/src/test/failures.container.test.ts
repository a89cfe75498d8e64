import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  containers,
  copyDemo,
  docker,
  gateway,
  nameOf,
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

/** Whatever happened: the platform is ready again, and a call that goes through gateway, grants and record-store is answered. */
afterEach(async () => {
  await untilReady();
  // Until the gateway has noticed that a replica is gone it may still say so itself: 503, nothing was done.
  await until(async () => (await createCollection()) !== 503);
  expect(await createCollection()).toBe(200);
});

async function createCollection(): Promise<number> {
  const response = await fetch(`${gateway}/api/v1/operations/record_store.create_collection`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: crypto.randomUUID(), member_writes_enabled: true }),
  });
  await response.body?.cancel();
  return response.status;
}

test.each(['gateway', 'grants', 'record-store', 'nats', 'mongo'])(
  'a killed %s is started again',
  async (service) => {
    const processOf = async () => (await containers()).get(service)!.State.Pid;
    const killed = await processOf();
    // Not by docker kill, after which the engine takes it for stopped on purpose.
    process.kill(killed, 'SIGKILL');
    await until(async () => ![0, killed].includes(await processOf()));
  },
);

test.each(['grants', 'record-store', 'nats', 'mongo'])(
  'while %s is frozen the platform says that it is not ready',
  async (service) => {
    await docker('pause', nameOf(service));
    try {
      await untilNotReady();
      expect(await readiness()).toBe(503);
    } finally {
      await docker('unpause', nameOf(service));
    }
  },
);

test.each([
  ['grants', 'bus'],
  ['record-store', 'database'],
])('%s, cut off from %s, comes back by itself', async (service, network) => {
  await docker('network', 'disconnect', networkOf(network), nameOf(service));
  try {
    await untilNotReady();
  } finally {
    await docker('network', 'connect', '--alias', service, networkOf(network), nameOf(service));
  }
});

test('each ends in an orderly way when told to, and the platform comes up again with its data', async () => {
  await docker('compose', 'stop');
  const ends = [...(await containers())].map(([service, { State }]) => [
    service,
    State.ExitCode,
    State.OOMKilled,
  ]);
  expect(ends).toEqual(ends.map(([service]) => [service, 0, false]));
  await docker('compose', 'up', '--no-build', '--detach');
  await docker('wait', nameOf('demo'));
});
