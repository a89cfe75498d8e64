import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Bus, busHeaders } from '@action-platform/bus';
import { logLevelEvent } from '@action-platform/contracts/bus';
import {
  addMember,
  addSender,
  type Call,
  connectApp,
  listMembers,
  listWorkspaces,
  operatorCalls,
  setQuota,
  showQuota,
  verifyAudit,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commands } from './commands.ts';
import { optionsOf } from './options.ts';
import type { Environment } from './platform.ts';
import { run, typed as typedAt } from './test-support/typed.ts';

let directory: string;
let bus: TestBus;
const services: Bus[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'action-platform-admin-'));
  bus = await startTestBus();
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.drain()));
  await bus.stop();
  rmSync(directory, { recursive: true });
});

/** Runs a command with `LOCAL_DIR` in a folder without a local stack. */
const typed = (
  args: readonly string[],
  environment: Environment = {},
  streams?: Parameters<typeof typedAt>[2],
) => typedAt(args, { LOCAL_DIR: directory, ...environment }, streams);

/** Serves a call in place of its service; returns the received inputs, and the operators' names. */
async function serve(call: Call, answer: () => object) {
  const inputs: unknown[] = [];
  const operators: string[] = [];
  const service = await bus.connect(call.service);
  services.push(service);
  service.serve(call.subject, call.service, async (request) => {
    inputs.push(JSON.parse(Buffer.from(request.body).toString()));
    operators.push(request.header(busHeaders.operator));
    try {
      return { status: 200, body: Buffer.from(JSON.stringify(answer())) };
    } catch (error) {
      const refusal = error as ActionError;
      return { status: refusal.status, body: Buffer.from(JSON.stringify(refusal.toEnvelope('req_1'))) };
    }
  });
  return { inputs, operators };
}

describe('help', () => {
  test.each([[[]], [['help']], [['--help']]])(
    '%j lists every call declared for operators, and the token',
    async (args) => {
      const { stdout, code } = await typed(args);
      expect(code).toBe(0);
      for (const { command } of operatorCalls) expect(stdout).toMatch(`  ${command} `);
      for (const { summary } of operatorCalls) expect(stdout).toContain(summary);
      expect(stdout).toMatch(/^ {2}token /m);
    },
  );

  test.each([
    [['help', 'sender', 'add']],
    [['sender', 'add', '--help']],
    [['sender', 'add', '--workspace', 'w', '--help']],
  ])('%j tells what a command takes', async (args) => {
    const { stdout, code } = await typed(args);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'sender add --workspace WORKSPACE --email EMAIL --display-name DISPLAY-NAME [--member MEMBER]… [--everyone] [--interactive] [--scheduled] [--provider PROVIDER] [--host HOST] ',
    );
    for (const { description } of optionsOf(addSender.input)) {
      expect(description).not.toBe('');
      expect(stdout).toContain(description);
    }
  });

  test('lists the commands on one kind of object', async () => {
    const { stdout, code } = await typed(['help', 'sender']);
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}\w+ \w+/gm)).toEqual(['  sender add', '  sender list', '  sender remove']);
  });

  test('lists the values and the defaults of options', async () => {
    const { stdout } = await typed(['help', 'member', 'add']);
    expect(stdout).toMatch(/\[--role owner\|member\]/);
    expect(stdout).toMatch(/--role owner\|member +Their role\. Default: member\.\n/);
    expect((await typed(['help', 'token'])).stdout).toMatch(/--expires-in N .* Default: 43200\.\n/);
  });
});

test.each([
  ['nonsense', 'Unknown command "nonsense"; '],
  ['help nonsense', 'Unknown command "nonsense"; '],
  ['member', '"member" is not a whole command: member add, member erase, member list, '],
  ['member add --user=ada', '--workspace is required.'],
])('%s is refused in one line', async (words, reason) => {
  const { stdout, stderr, code } = await typed(words.split(' '));
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr.startsWith(reason)).toBe(true);
});

test.each([
  [['\u001b[2Jnonsense'], 'Unknown command "\\u001b[2Jnonsense"'],
  [['member', 'list', '--\u009bx'], "Unknown option '--\\u009bx'"],
  [['member', 'list', '\u202ex'], "Unexpected argument '\\u202ex'"],
])('an error escapes control characters: %j', async (words, reason) => {
  const { stderr } = await typed(words);
  expect(stderr.startsWith(reason)).toBe(true);
});

describe('a command', () => {
  test('makes its call with the options, and prints the answer as one line of JSON', async () => {
    const member = { userId: 'ada', role: 'member', state: 'active' };
    const { inputs } = await serve(addMember, () => ({ member }));
    const ran = await run(
      ['member', 'add', '--workspace', 'ws_1', '--user', 'ada'],
      bus.environment('admin'),
    );
    expect(ran).toEqual({ stdout: `${JSON.stringify({ member })}\n`, stderr: '', code: 0 });
    expect(inputs).toEqual([{ workspace: 'ws_1', user: 'ada', role: 'member' }]);
  });

  test('takes the seed from a file', async () => {
    const { inputs } = await serve(setQuota, () => ({ quota: 10 }));
    const { NATS_URL = '', NATS_NKEY_SEED = '' } = bus.environment('admin');
    const seed = { NATS_URL, NATS_NKEY_SEED_FILE: join(directory, 'seed') };
    writeFileSync(seed.NATS_NKEY_SEED_FILE, `${NATS_NKEY_SEED}\n`);
    await typed(['quota', 'set', '--workspace', 'ws_1', '--bytes', '10'], seed);
    expect(inputs).toEqual([{ workspace: 'ws_1', bytes: 10 }]);
  });

  test('takes a secret from a file or from the standard input, never as an argument', async () => {
    const connection = { id: 'con_1', app: 'mail_suite', userId: 'ada' };
    const { inputs } = await serve(connectApp, () => ({ connection, stoppedGrants: 0 }));
    const words = '--workspace ws_1 --user ada --app mail_suite --email a@b.org --provider imap --host h';
    const connect = ['app', 'connect', ...words.split(' ')];
    const [secret, authority] = [join(directory, 'secret'), join(directory, 'ca')];
    writeFileSync(secret, 'open sesame\n');
    writeFileSync(authority, '-----BEGIN\n-----END\n');
    const files = ['--secret-file', secret, '--ca-file', authority];
    const environment = bus.environment('admin');
    expect((await typed([...connect, ...files], environment)).code).toBe(0);
    expect((await typed(connect, environment, { stdin: Readable.from(['open ', 'sesame\r\n']) })).code).toBe(
      0,
    );
    expect(inputs).toMatchObject([
      { secret: 'open sesame', ca: '-----BEGIN\n-----END' },
      { secret: 'open sesame' },
    ]);

    const refused = async (...args: Parameters<typeof typed>) => (await typed(...args)).stderr;
    expect(await refused([...connect, '--secret', 'x'], environment)).toMatch(/^Unknown option '--secret'/);
    expect(await refused([...connect, '--secret-file', 'none'], environment)).toBe(
      '--secret-file: none cannot be read (ENOENT).\n',
    );
    expect(await refused(connect, environment, { stdin: Readable.from(['\n']) })).toMatch(
      /^A secret is required: /,
    );
    expect(inputs).toHaveLength(2);
    // Another test answers this call.
    await services.pop()!.drain();
  });

  test('sends the name of the operator: the one of the environment, or the user of this machine', async () => {
    const { operators } = await serve(showQuota, () => ({ quota: 1, stored_bytes: 0 }));
    const words = ['quota', 'show', '--workspace', 'ws_1'];
    await typed(words, { ...bus.environment('admin'), OPERATOR_NAME: 'Ada Ångström' });
    await typed(words, bus.environment('admin'));
    expect(operators).toEqual(['Ada Ångström', `${userInfo().username}@${hostname()}`]);
  });

  test('prints an answer that reports a failure, and exits with 1', async () => {
    let valid = true;
    const chain = { blocks: 1, entries: 1, first_block: 0, last_block: 0, hash: 'x', found: [] };
    await serve(verifyAudit, () => ({ ...chain, valid }));
    const verify = () => typed(['audit', 'verify', '--workspace', 'ws_1'], bus.environment('admin'));
    expect((await verify()).code).toBe(0);
    valid = false;
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('"valid":false') });
  });

  test('prints a table at a terminal, unless --json is given', async () => {
    const workspaces = [{ workspace_id: 'ws_1', name: 'Acme', created_at: '2026-01-01T00:00:00.000Z' }];
    await serve(listWorkspaces, () => ({ workspaces }));
    const printed = async (isTTY: boolean, ...options: string[]) =>
      (await typed(['workspace', 'list', ...options], bus.environment('admin'), { isTTY })).stdout;
    const table = 'WORKSPACE_ID  NAME  CREATED_AT\nws_1          Acme  2026-01-01T00:00:00.000Z\n';
    const json = `${JSON.stringify({ workspaces })}\n`;
    expect(await printed(true)).toBe(table);
    expect(await printed(false, '--table')).toBe(table);
    expect(await printed(false)).toBe(json);
    expect(await printed(true, '--json')).toBe(json);
    for (const { input } of commands) {
      expect(Object.keys(input.shape).filter((field) => ['json', 'table'].includes(field))).toEqual([]);
    }
  });

  test('signs tokens for active Members of the local platform alone', async () => {
    const words = ['token', '--workspace', 'ws_1', '--user', 'ada'];
    expect(await typed(words, bus.environment('admin'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Tokens are signed for the local platform alone; /),
    });
    const { NATS_URL, NATS_NKEY_SEED } = bus.environment('admin');
    const stack = { nats_url: NATS_URL, admin_seed: NATS_NKEY_SEED };
    writeFileSync(join(directory, 'stack.json'), JSON.stringify(stack));
    const ada = { userId: 'ada', role: 'member', state: 'removed' };
    await serve(listMembers, () => ({ members: [ada] }));
    expect(await typed(words)).toMatchObject({
      code: 1,
      stderr: 'user: "ada" is not an active Member of Workspace "ws_1".\n',
    });
    rmSync(join(directory, 'stack.json'));
  });

  test('prints the refusal of the platform in one line', async () => {
    await serve(connectApp, () => {
      throw new ActionError('invalid_request', { message: 'workspace: there is no Workspace ws_1.' });
    });
    const words = ['app', 'connect', '--workspace', 'ws_1', '--user', 'ada', '--app', 'mail_suite'];
    expect(await typed(words, bus.environment('admin'))).toEqual({
      stdout: '',
      stderr: 'workspace: there is no Workspace ws_1.\n',
      code: 1,
    });
  });
});

test.each([
  [{ NATS_URL: 'nats://example.com' }, 'NATS_URL needs NATS_NKEY_SEED or NATS_NKEY_SEED_FILE'],
  [{ NATS_NKEY_SEED: 'SU' }, 'NATS_NKEY_SEED needs NATS_URL'],
  [{}, 'No platform was started in'],
])('with %j it acts on no other platform than the one that is meant', async (environment, reason) => {
  const { stdout, stderr, code } = await typed(['workspace', 'create', '--name', 'N'], environment);
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr.startsWith(reason)).toBe(true);
});

test('log-level set reaches every replica, with the duration and the name of the operator', async () => {
  const replica = await bus.connect('mail');
  services.push(replica);
  const received = Promise.withResolvers<unknown>();
  replica.subscribe(logLevelEvent, received.resolve);
  await replica.flush();
  const words = ['log-level', 'set', '--service', 'mail', '--level', 'debug', '--for', '2h'];
  const { stdout, code } = await typed(words, { ...bus.environment('admin'), OPERATOR_NAME: 'Olga' });
  const set = { service: 'mail', level: 'debug', seconds: 7_200 };
  expect({ code, printed: JSON.parse(stdout) }).toEqual({ code: 0, printed: set });
  expect(await received.promise).toEqual({ ...set, operator: 'Olga' });
});

test.each([
  [['--service', 'post', '--level', 'debug'], /service/],
  [['--service', 'mail', '--level', 'loud'], /level/],
  [['--service', 'mail', '--level', 'debug', '--for', 'ever'], /30s, 10m or 2h/],
  [['--service', 'mail', '--level', 'debug', '--for', '25h'], /^--for: must be from 1s to 86400s\.\n$/],
  [['--service', 'mail', '--level', 'debug', '--for', '0m'], /^--for: must be from 1s/],
])('log-level set %j is refused', async (options, reason) => {
  const { stderr, code } = await typed(['log-level', 'set', ...options], bus.environment('admin'));
  expect(code).toBe(1);
  expect(stderr).toMatch(reason);
});
