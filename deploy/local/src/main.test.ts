import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '@action-platform/local-servers';
import { undocumentedVariables } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startVariables } from './start-configuration.ts';

let directory: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'action-platform-start-'));
  mkdirSync(join(directory, 'bin'));
});

afterAll(async () => {
  await Promise.all(children.map(kill));
  rmSync(directory, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Starts a platform whose mongod never serves, so that the start stops there. */
async function start(variables: Readonly<Record<string, string>> = {}, ...args: string[]) {
  const mongod = '#!/bin/sh\n[ "$1" = --version ] && echo db version v8.2.6 && exit\nexec sleep 600\n';
  writeFileSync(join(directory, 'bin', 'mongod'), mongod, { mode: 0o755 });
  const child = spawn(process.execPath, ['deploy/local/src/main.ts', ...args], {
    env: {
      ...process.env,
      PATH: [join(directory, 'bin'), process.env.PATH].join(delimiter),
      LOCAL_DIR: join(directory, 'local'),
      PORT: String(await freePort()),
      MONGODB_URL: '',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  const startsMongod = Promise.withResolvers<'runs'>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Starting mongod')) startsMongod.resolve('runs');
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, ended, outcome: Promise.race([startsMongod.promise, ended]) };
}

test('of two concurrent starts one runs, and the other names the remedy', async () => {
  for (let round = 0; round < 2; round++) {
    const starts = await Promise.all([start(), start()]);
    const outcomes = await Promise.all(starts.map(({ outcome }) => outcome));
    const winner = starts[outcomes.indexOf('runs')];
    expect(winner).toBeDefined();
    const root = join(directory, 'local');
    expect(outcomes.filter((outcome) => outcome !== 'runs')).toEqual([
      {
        code: 1,
        output: `A platform is already running in ${root} (process ${winner!.child.pid}): stop it, or set LOCAL_DIR and PORT to start another beside it.\n`,
      },
    ]);
    // The next round starts with the files of a killed platform.
    await kill(winner!.child);
  }
});

test('npm start makes the folders of data, logs and keys accessible to their user alone', async () => {
  const folders = ['mongod', 'logs', 'keys'].map((name) => join(directory, 'open', name));
  const { child, outcome } = await start({ LOCAL_DIR: join(directory, 'open') });
  expect(await outcome).toBe('runs');
  await kill(child);
  for (const folder of folders) expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('one line names all errors of the configuration before the start', async () => {
  const { ended } = await start({
    PORT: 'eighty',
    PAGE_MAX_BYTES: 'many',
    LOG_LEVEL: 'loud',
    FILES_RESCAN_SECONDS: '0',
    MAIL_LOCAL_DRAFT_URL_BASE: 'drafts',
    SESSION_ISSUER: 'https://issuer.test',
    SESSION_JWKS_URL: 'http://issuer.test/keys',
    SESSION_ISSUERS: '[{}]',
    MONGODB_URL: 'localhost',
    NATS_URL: 'nats://',
  });
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output).toMatch(/^Wrong configuration: .*\. See docs\/configuration\.md\.\n$/);
  for (const name of [
    'PORT: ',
    'PAGE_MAX_BYTES: ',
    'LOG_LEVEL: ',
    'FILES_RESCAN_SECONDS: ',
    'MAIL_LOCAL_DRAFT_URL_BASE: ',
    'SESSION_AUDIENCE is required',
    'SESSION_JWKS_URL: must begin with https://',
    'SESSION_ISSUERS.0.issuer: ',
    'MONGODB_URL: must begin with mongodb://',
    'NATS_URL: must be servers',
  ]) {
    expect(output.split(name)).toHaveLength(2);
  }
});

test('one line names an unwritable folder', async () => {
  const { ended } = await start({ LOCAL_DIR: '/dev/null/local' });
  expect(await ended).toEqual({
    code: 1,
    output: '/dev/null/local cannot be written (ENOTDIR): set LOCAL_DIR to a folder that can.\n',
  });
});

test('--help lists the options and variables', async () => {
  const { ended } = await start({}, '--help');
  const { code, output } = await ended;
  expect(code).toBe(0);
  for (const name of ['--replicas', ...Object.keys(startVariables.shape)])
    expect(output).toContain(`  ${name} `);
});

test('the documentation lists the variables of npm start', () => {
  expect(undocumentedVariables(startVariables)).toEqual([]);
});
