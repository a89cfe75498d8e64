import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BusUser, EVENTS } from '@action-platform/contracts';
import { freePort, type LocalServer, startNatsServer } from '@action-platform/local-servers';
import { makeTestFolder, withoutJetStream } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus } from '../bus.ts';
import { createBusKeys, natsServerConfig, publicKeysOf } from '../server-config.ts';
import { text } from '../test-support/test-connections.ts';

const maxMessageBytes = 65_536;
const keys = createBusKeys();
let folder: string;
let port: number;
let server: LocalServer;

/** Starts the NATS server, with JetStream or without. */
async function start(storeDir: string | undefined): Promise<LocalServer> {
  const config = natsServerConfig(publicKeysOf(keys), maxMessageBytes);
  return await startNatsServer({
    config: storeDir === undefined ? withoutJetStream(config) : config,
    configFile: join(folder, 'nats.conf'),
    logFile: join(folder, 'nats.log'),
    port,
    ...(storeDir !== undefined && { storeDir }),
  });
}

async function restart(storeDir?: string): Promise<void> {
  await server.stop();
  server = await start(storeDir);
}

const connect = (user: BusUser): Promise<Bus> =>
  connectBus({ url: server.url, user, seed: keys[user].seed, maxMessageBytes });

beforeAll(async () => {
  folder = makeTestFolder();
  port = await freePort();
  server = await start(join(folder, 'store'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('stored messages outlive a restart; while JetStream is away, every call is refused', async () => {
  const [events, mail] = [await connect('events'), await connect('mail')];
  const store = (id: string) => mail.streams.store(EVENTS, { id, body: id, timeoutMs: 1_000 });
  await expect(store('a')).rejects.toMatchObject({ code: 'action_platform_unavailable' });
  await events.streams.create(EVENTS);
  await store('a');

  await restart();
  await Promise.all([events.flush(), mail.flush()]);
  await expect(store('b')).rejects.toMatchObject({ code: 'action_platform_unavailable' });
  for (const asked of [
    events.streams.create(EVENTS),
    events.streams.state(EVENTS),
    events.streams.read(EVENTS, { from: 1, limit: 1 }),
    events.streams.nothingUpTo(EVENTS, { from: 1, workspaceId: 'ws_1' }),
  ])
    await expect(asked).rejects.toThrow();

  await restart(join(folder, 'store'));
  await Promise.all([events.flush(), mail.flush()]);
  expect(await store('b')).toEqual({ sequence: 2 });
  const kept = await events.streams.read(EVENTS, { from: 1, limit: 10 });
  expect(kept.map(({ body }) => text(body))).toEqual(['a', 'b']);
  await Promise.all([events.drain(), mail.drain()]);
});
