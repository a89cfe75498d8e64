import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalServer, startMongod, startNatsServer } from '@action-platform/local-servers';
import { askRun, makeTestFolder, startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commonConfig } from './config.ts';
import type { ServiceDefinition } from './service.ts';
import { startService } from './start.ts';

/** Servers without a configuration, as their programs start by default. */
let openNats: LocalServer;
let openMongod: LocalServer;
let bus: TestBus;
let folder: string;
beforeAll(async () => {
  folder = makeTestFolder();
  const [configFile, logFile] = [join(folder, 'nats.conf'), join(folder, 'nats.log')];
  openNats = await startNatsServer({ config: 'max_payload: 8MB', configFile, logFile });
  openMongod = await startMongod({ dataDir: join(folder, 'data'), logFile: join(folder, 'mongod.log') });
  bus = await startTestBus();
});
afterAll(async () => {
  await bus.stop();
  await Promise.all([openNats.stop(), openMongod.stop()]);
  rmSync(folder, { recursive: true });
});

const service: ServiceDefinition = {
  name: 'mail',
  config: commonConfig,
  isPartial: true,
  start: async ({ openDatabase }) => {
    await openDatabase();
    return {};
  },
};

/** Starts the service in the test run's own surroundings, but for some variables, and stops it. */
async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  const { url, name } = await askRun('newDatabase', 'guarded');
  const own = { LOG_LEVEL: 'silent', MONGODB_URL: url, MONGODB_DATABASE: name };
  await (await startService(service, { ...own, ...bus.environment('mail'), ...variables })).stop();
}

describe('a service', () => {
  test('starts with servers that require authentication', async () => {
    await start();
  });

  test('refuses a NATS server without authentication', async () => {
    const { url } = openNats;
    await expect(start({ NATS_URL: url })).rejects.toThrow(
      `the NATS server at ${url} does not require authentication: start it with the configuration of the deployment, or accept it with ALLOW_INSECURE=1.`,
    );
  });

  test('refuses a MongoDB without authentication', async () => {
    const { url, port } = openMongod;
    await expect(start({ MONGODB_URL: url, MONGODB_DATABASE: 'mail' })).rejects.toThrow(
      `MongoDB at 127.0.0.1:${port} does not keep this service out of other databases: start it with security.keyFile, and give the service a user with the role readWrite in "mail" alone, or accept it with ALLOW_INSECURE=1.`,
    );
  });

  test('refuses a user with more permissions than it needs', async () => {
    const { adminUrl } = await askRun('newDatabase', 'guarded');
    await expect(start({ MONGODB_URL: adminUrl })).rejects.toThrow('does not keep this service out');
  });

  test('accepts both when configured to', async () => {
    await start({ NATS_URL: openNats.url, MONGODB_URL: openMongod.url, ALLOW_INSECURE: '1' });
  });

  test.each([
    ['no user', () => '', 'requires authentication: MONGODB_URL needs a user and a password.'],
    ['a wrong password', () => 'mail:guess@', 'refused the user and password of MONGODB_URL.'],
  ])('with %s names the cause', async (_, user, reason) => {
    const { host } = new URL((await askRun('newDatabase', 'guarded')).url);
    const url = `mongodb://${user()}${host}/?directConnection=true&authSource=admin`;
    await expect(start({ MONGODB_URL: url })).rejects.toThrow(`MongoDB at ${host} ${reason}`);
  });
});
