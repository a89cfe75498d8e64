import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createBusKeys } from '@action-platform/bus';
import { WRONG_CONFIGURATION_EXIT } from '@action-platform/contracts/configuration';
import { freePort, platformProcess } from '@action-platform/local-servers';
import { expect, test } from '@jest/globals';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, NODE_COMPILE_CACHE };

test('a wrong configuration is an error of one line, with the exit code that prevents a restart', () => {
  const env = { ...inherited, LOG_LEVEL: 'loud', HEALTH_PORT: 'none' };
  const started = spawnSync(process.execPath, platformProcess('procedures'), { env, encoding: 'utf8' });
  expect(started).toMatchObject({ status: WRONG_CONFIGURATION_EXIT, stderr: '' });
  expect(started.stdout.trim()).toMatch(/^.*LOG_LEVEL.*HEALTH_PORT.*$/);
});

test('a process stops at a signal while it waits for the bus', async () => {
  const env = {
    ...inherited,
    NATS_URL: `nats://127.0.0.1:${await freePort()}`,
    NATS_NKEY_SEED: createBusKeys().procedures.seed,
    SEAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    MONGODB_URL: 'mongodb://127.0.0.1:1',
  };
  const child = spawn(process.execPath, platformProcess('procedures'), {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes('waiting for the NATS server')) child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
  expect(lines.at(-1)).toContain('stopped before it had started');
});
