import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus } from '@action-platform/bus';
import {
  addMember,
  type Call,
  connectApp,
  createWorkspace,
  listMembers,
  refreshFiles,
} from '@action-platform/contracts/calls';
import { ActionError, noSuchWorkspace } from '@action-platform/contracts/errors';
import { startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { prepareDemo } from './demo-workspace.ts';
import { openIssuerKey } from './issuer/tokens.ts';
import { type LocalDirectory, localDirectory, makeDirectories } from './local-directory.ts';

/** The users of each Workspace of the platform, in the place of its database. */
const workspaces = new Map<string, Set<string>>();
let created = 0;
/** A user whom grants does not add. */
let refused = '';
let bus: TestBus;
const services: Bus[] = [];
let directory: LocalDirectory;
let said: string[];

async function serve<Input extends z.ZodObject>(
  { service, subject, input }: Call<Input>,
  answer: (input: z.output<Input>) => object,
): Promise<void> {
  const connection = await bus.connect(service);
  services.push(connection);
  connection.serve(subject, service, async ({ body }) => {
    try {
      const result = answer(input.parse(JSON.parse(Buffer.from(body).toString())));
      return { status: 200, body: Buffer.from(JSON.stringify(result)) };
    } catch (error) {
      const refusal = error as ActionError;
      return { status: refusal.status, body: Buffer.from(JSON.stringify(refusal.toEnvelope('req_1'))) };
    }
  });
  await connection.flush();
}

const usersOf = (workspace: string) => {
  const users = workspaces.get(workspace);
  if (users === undefined) throw noSuchWorkspace(workspace);
  return users;
};

beforeAll(async () => {
  bus = await startTestBus();
  await serve(createWorkspace, () => {
    const workspace_id = `ws_${++created}`;
    workspaces.set(workspace_id, new Set());
    return { workspace_id };
  });
  await serve(listMembers, ({ workspace }) => ({
    members: [...usersOf(workspace)].map((userId) => ({ userId, state: 'active' })),
  }));
  await serve(addMember, ({ workspace, user }) => {
    if (user === refused) throw new ActionError('action_platform_unavailable');
    usersOf(workspace).add(user);
    return {};
  });
  await serve(connectApp, () => ({}));
  await serve(refreshFiles, () => ({ refreshing: [] }));
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.drain()));
  await bus.stop();
});

beforeEach(async () => {
  workspaces.clear();
  said = [];
  directory = localDirectory({ LOCAL_DIR: mkdtempSync(join(tmpdir(), 'action-platform-demo-')) });
  makeDirectories(directory);
  await openIssuerKey(directory);
});

afterEach(() => rmSync(directory.root, { recursive: true }));

const prepare = () => {
  const { NATS_URL, NATS_NKEY_SEED } = bus.environment('admin');
  const access = { nats_url: NATS_URL!, admin_seed: NATS_NKEY_SEED! };
  return prepareDemo(directory, access, ['http://127.0.0.1:1'], (line) => said.push(line));
};

test('the demo keeps its Workspace, and gets another one on a platform that does not have it', async () => {
  const { workspace_id: first } = await prepare();
  expect((await prepare()).workspace_id).toBe(first);
  expect([workspaces.size, said]).toEqual([1, []]);
  workspaces.clear();
  const { workspace_id: second } = await prepare();
  expect([...usersOf(second)]).toEqual(['demo-owner', 'demo-member']);
  expect(said).toEqual([expect.stringContaining(first)]);
});

test('a start completes the Workspace that another start left incomplete', async () => {
  refused = 'demo-member';
  await expect(prepare()).rejects.toThrow();
  refused = '';
  const { workspace_id } = await prepare();
  expect([...workspaces.keys()]).toEqual([workspace_id]);
  expect([...usersOf(workspace_id)]).toEqual(['demo-owner', 'demo-member']);
});
