import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deleteWorkspace, eraseMember, listMembers, listWorkspaces } from '@action-platform/contracts/calls';
import { customOperationRoutes } from '@action-platform/contracts/resources';
import { makeTestFolder } from '@action-platform/testing';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { documentsWith } from './harness/evidence/stored-documents.ts';
import { databaseUrl } from './local-platform.ts';
import { SharedStack } from './shared-stack.ts';
import { withMongo } from './with-mongo.ts';
import { MEMBER, OWNER, Workspace } from './workspace.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let other: Workspace;
let workspace: Workspace;
beforeAll(async () => {
  other = await Workspace.create(stack, 'kept');
  workspace = await Workspace.create(stack, 'leaving');
});

/** The documents of the other Workspace, without its audit log and the time of its recount, which go on in the background. */
async function documentsOfOther(): Promise<string[]> {
  const documents = await documentsWith(stack.directory, other.id);
  return documents
    .filter((document) => !document.startsWith('audit.'))
    .map((document) => document.replace(/,"recounted_at":\{[^}]*\}/, ''));
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(50);
}

/** Deletes a Workspace without a grace period. */
const erase = (id: string, again = false) =>
  stack.operator.call(deleteWorkspace, { workspace: id, grace_days: 0, again });

/** The lines of an export. */
async function exported(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const file = join(makeTestFolder(), 'export.ndjson');
  await stack.admin('workspace', 'export', '--workspace', workspace.id, '--to', file);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** The types of an export in their order, by docs/data.md. */
function documentedTypes(): string[] {
  const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');
  const [, list = ''] = page.match(/in this order of types:([\s\S]*?)with the number of lines/) ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, type]) => type!);
}

test('a Workspace is exported, one of its Members is erased, then all of it; no other is touched', async () => {
  const untouched = await documentsOfOther();
  // From then on there are kept counts of its calls.
  await until(async () => {
    const { json } = await workspace.execute(OWNER, 'audit.count_entries', {});
    return json.result.buckets.some(({ calls }: { calls: number }) => calls > 0);
  });
  const { path, requestBody } = customOperationRoutes.put;
  const put = path.replace('{id}', 'custom.refund_order');
  expect((await workspace.request(OWNER, 'PUT', put, requestBody!.example)).status).toBe(200);
  const whole = await exported();
  const types = Map.groupBy(whole, ({ type }) => type);
  expect(documentedTypes().filter((type) => types.has(type))).toEqual([...types.keys()]);
  expect(Object.fromEntries(types.entries().map(([type, { length }]) => [type, length]))).toMatchObject({
    ...{ workspace: 1, member: 3, custom_operation: 1, collection: 2, record: 4, revision: 4 },
    ...{ mailbox: 3, sender: 1, email: 4, procedure: 2, webhook_endpoint: 1, end: 1 },
  });
  expect(whole.at(-1)).toEqual({ type: 'end', data: { lines: whole.length - 1 } });
  // A holder of the operator's key may call any service, so each service logs its part.
  const logged = ['record-store', 'record-store-2', 'mail', 'procedures'].filter((name) =>
    readFileSync(join(stack.directory, 'logs', `${name}.log`), 'utf8')
      .split('\n')
      .some((line) => line.includes('"workspace export"') && line.includes(workspace.id)),
  );
  expect(logged.length).toBeGreaterThanOrEqual(3);
  const payloads = whole.filter(({ type }) => type === 'record').map(({ data }) => data.payload);
  expect(payloads).toContainEqual({ text: 'leaving', more: 'leaving' });
  expect(JSON.stringify(whole)).not.toMatch(/secret(?!_?[cC]hanged)|whsec_|apo_|apr_|kept/);

  rmSync(join(stack.directory, 'files', workspace.id, 'personal', MEMBER), { recursive: true });
  await stack.operator.call(eraseMember, { workspace: workspace.id, user: MEMBER });
  const { code } = await workspace.execute(MEMBER, 'record_store.list_collections', {});
  expect(code).toBe('workspace_membership_required');
  await until(async () => {
    const { members } = await stack.operator.call(listMembers, { workspace: workspace.id });
    return members.some(({ userId, erasedAt }) => userId === MEMBER && erasedAt !== undefined);
  });
  const ofUser = (await exported()).filter(({ data }) => Object.values(data).includes(MEMBER));
  expect(ofUser.map(({ type }) => type)).toEqual(['member']);

  rmSync(join(stack.directory, 'files', workspace.id), { recursive: true });
  await erase(workspace.id);
  await until(async () => {
    const { workspaces } = await stack.operator.call(listWorkspaces, {});
    return workspaces.every(({ workspace_id }) => workspace_id !== workspace.id);
  });
  const { operationGrant, routineGrant } = workspace.ids;
  expect(await documentsWith(stack.directory, workspace.id, operationGrant, routineGrant)).toEqual([]);
  expect(await documentsOfOther()).toEqual(untouched);
});

test.each([
  ['audit', 'blocks'],
  ['procedures', 'procedures'],
] as const)('an erasure is repeated after %s alone was restored', async (service, collection) => {
  const restored = `ws_${service}`;
  await withMongo(databaseUrl(stack.directory, service), async (client) => {
    const documents = client.db(service).collection(collection);
    const document = await documents.findOne({ workspace_id: other.id });
    await documents.insertOne({ ...document, _id: restored as never, workspace_id: restored });
  });
  expect(await erase(restored, true)).toMatchObject({ workspace: { deleted_at: expect.any(String) } });
});

test('an erasure is never repeated for a Workspace that never existed', async () => {
  const id = 'ws_mistyped';
  await expect(erase(id, true)).rejects.toThrow('no Workspace');
  // The refusal is in the audit log.
  await until(async () => (await documentsWith(stack.directory, id)).length > 0);
  await expect(erase(id, true)).rejects.toThrow('no Workspace');
});
