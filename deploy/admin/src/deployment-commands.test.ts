import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits, largestMessageBytes } from '@action-platform/contracts/limits';
import { busUsers, processes, services } from '@action-platform/contracts/services';
import { whileLocked } from '@action-platform/deployment';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { typed as typedAt } from './test-support/typed.ts';

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'action-platform-deployment-')), 'deployment');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

/** Runs a `deployment` command. */
const typed = (words: string, ...more: string[]) =>
  typedAt(['deployment', ...words.split(' '), '--dir', dir, ...more], {});

const read = (path: string) => readFileSync(join(dir, path), 'utf8');

/** Every file of the deployment, by its path in it. */
function filePaths(): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return entries.map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1));
}

const contents = () => Object.fromEntries(filePaths().map((path) => [path, read(path)]));

describe('deployment init', () => {
  test('creates the files of every reader, for this user alone', async () => {
    const { code, stdout } = await typed('init', '--certificate', 'issuer');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, dir, is_new: true });
    const paths = filePaths();
    expect(paths.toSorted()).toEqual(
      [
        ...busUsers.map((user) => `${user}/bus.seed`),
        ...processes.map((name) => `${name}/seal.keys`),
        ...[...services, 'admin'].map((user) => `${user}/database.url`),
        ...[
          'nats/nats-server.conf',
          'mongodb/mongod.conf',
          'mongodb/key-file',
          'mail/secret.keys',
          'events/secret.keys',
          'custom-operations/secret.keys',
          'deployment.json',
          'deployment.lock',
          '.gitignore',
          'tls/ca.pem',
        ],
        ...['nats', 'mongodb', 'issuer'].map((name) => `${name}/certificate.pem`),
      ].toSorted(),
    );
    for (const path of paths) expect(statSync(join(dir, path)).mode & 0o777).toBe(0o600);
    const parts = ['nats', 'mail', 'tls'].map((folder) => statSync(join(dir, folder)).mode & 0o777);
    expect(parts).toEqual([0o700, 0o700, 0o700]);
  });

  test('keeps credentials, and takes new addresses', async () => {
    await typed('init');
    const before = [read('mail/bus.seed'), read('mail/database.url')];
    const hosts = ['--database-host', 'one:1', '--database-host', 'two:2'];
    const { stdout } = await typed('init', ...hosts, '--seen-at', '/seen');
    expect(JSON.parse(stdout)).toMatchObject({ is_new: false });
    expect(read('mail/bus.seed')).toBe(before[0]);
    expect(read('mail/database.url')).toBe(
      before[1]!
        .replace('@mongo:27017/', '@one:1,two:2/')
        .replace(encodeURIComponent(dir), encodeURIComponent('/seen')),
    );
  });

  test('keeps the former value of each omitted option', async () => {
    await typed(
      'init',
      ...['--bus-host', 'bus', '--database-host', 'one:1', '--certificate', 'issuer'],
      ...['--seen-at', '/seen', '--max-message-bytes', '9000000'],
    );
    const before = contents();
    const { stdout } = await typed('init');
    expect(contents()).toEqual(before);
    expect(JSON.parse(stdout)).not.toHaveProperty('next');
  });

  test('makes room for the largest message of a newer version', async () => {
    await typed('init', '--max-message-bytes', '1000');
    await typed('init');
    expect(read('nats/nats-server.conf')).toContain(String(largestMessageBytes(defaultLimits)));
  });

  test('names hosts without a certificate', async () => {
    await typed('init');
    const hosts = ['--bus-host', 'nats', '--bus-host', '10.0.0.7', '--database-host', 'db:1'];
    const { stdout } = await typed('init', ...hosts, '--certificate', 'issuer');
    expect(JSON.parse(stdout).next).toMatch('No certificate covers 10.0.0.7, db, issuer:');
    for (let step = 0; step < 3; step++) await typed('rotate certificates');
    expect(read('issuer/certificate.pem')).toContain('BEGIN CERTIFICATE');
    expect(JSON.parse((await typed('init')).stdout)).not.toHaveProperty('next');
  });

  test('does not remove TLS from a deployment', async () => {
    await typed('init');
    expect(await typed('init', '--plain')).toEqual({
      code: 1,
      stdout: '',
      stderr: `The deployment in ${dir} has TLS: create one without TLS in another folder.\n`,
    });
  });

  test('omits TLS with --plain', async () => {
    await typed('init', '--plain');
    expect(read('mail/database.url')).not.toContain('tls');
    expect(read('nats/nats-server.conf')).not.toContain('tls');
    const { code, stderr } = await typed('rotate certificates');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'This deployment has no certificates: it was made without TLS.\n',
    });
  });
});

test.each(['keys', 'database-users', 'certificates'])(
  'deployment rotate %s takes three steps',
  async (what) => {
    await typed('init');
    const steps: string[] = [];
    for (let n = 0; n < 4; n++) steps.push(JSON.parse((await typed(`rotate ${what}`)).stdout).step);
    expect(steps).toEqual(['add', 'use', 'remove', 'add']);
  },
);

test.each(['keys', 'database-users', 'certificates'])(
  'deployment rotate %s --again prints the actions of the former step, and changes no file',
  async (what) => {
    await typed('init');
    const rotated = async (...more: string[]) => JSON.parse((await typed(`rotate ${what}`, ...more)).stdout);
    expect(await rotated('--again')).toMatchObject({ step: 'none', actions: [] });
    for (const step of ['add', 'use']) {
      const taken = await rotated();
      const files = contents();
      expect(taken.step).toBe(step);
      for (let n = 0; n < 2; n++) expect(await rotated('--again')).toEqual(taken);
      expect(contents()).toEqual(files);
    }
    await rotated();
    expect(await rotated('--again')).toMatchObject({ step: 'none', actions: [] });
  },
);

test.each(['init', 'rotate keys'])(
  'deployment %s is refused while another command changes the deployment',
  async (words) => {
    await typed('init');
    const before = contents();
    const { code, stderr } = await whileLocked(dir, async () => await typed(words));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Another command changes the deployment in ${dir}. Repeat this one after it.\n`,
    });
    expect(contents()).toEqual(before);
    expect((await typed(words)).code).toBe(0);
  },
);

test.each(['rotate keys', 'database-users', 'reload-certificates'])(
  'deployment %s needs a deployment',
  async (words) => {
    const { code, stderr } = await typed(words);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${dir} has no deployment: create one with deployment init.\n`,
    });
  },
);
