import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { showQuota } from '@action-platform/contracts/calls';
import { type Operation, operations } from '@action-platform/contracts/operations';
import {
  appConnectionRoutes,
  grantRoutes,
  senderRoutes,
  webhookRoutes,
} from '@action-platform/contracts/resources';
import type { Route } from '@action-platform/contracts/routes';
import type { Answer } from '@action-platform/testing/http';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';
import { type Ids, MEMBER, OWNER, unknownIdsLike, Workspace } from './workspace.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let here: Workspace;
let there: Workspace;
let before: { answers: string[]; files: string[]; quota: object };

beforeAll(async () => {
  here = await Workspace.create(stack, 'alpha-only');
  there = await Workspace.create(stack, 'beta-only');
  before = await everythingThere();
});

type Case = (ids: Ids, own: Ids) => object[];

/** Every combination of ids that names a Record with at least one foreign id. */
const records: (own: Ids, ids: Ids) => { collection_id: string; record_id: string }[] = (own, ids) => [
  { collection_id: ids.collection, record_id: ids.record },
  { collection_id: ids.collection, record_id: ids.archived },
  { collection_id: ids.collection, record_id: own.record },
  { collection_id: own.collection, record_id: ids.record },
  { collection_id: own.collection, record_id: ids.archived },
];
const ofRecords =
  (...more: object[]): Case =>
  (ids, own) =>
    records(own, ids).flatMap((record) => more.map((fields) => ({ ...record, ...fields })));

const email = { to: ['ada@example.com'], subject: 'Hello', body: 'Hello' };
const texts = { title: 'T', description: 'D', markdown: 'M' };

/**
 * The calls of an operation with ids of another Workspace in its example. Throws for one whose example names anything but Collections and
 * Records, which needs calls of its own.
 */
function callsByExample({ id, example = {}, input }: Operation): Case {
  const { collection_id, record_id, ...others } = example;
  const named = Object.keys(input.shape).filter((field) => /(_ids?|^slug|^cursor)$/.test(field));
  const isKnown = named.every((field) => ['collection_id', 'record_id'].includes(field));
  if (!isKnown)
    throw new Error(`${id} names ${named.join(', ')}: it needs calls with ids of another Workspace`);
  if (record_id !== undefined) return ofRecords(others);
  return ({ collection }) => [
    collection_id === undefined ? example : { ...others, collection_id: collection },
  ];
}

/** The calls with ids of another Workspace of the operations for which their example is not enough. */
const calls: Readonly<Record<string, Case>> = {
  'audit.count_entries': ({ operationGrant, routineGrant }) =>
    [operationGrant, routineGrant].map((grant_id) => ({ grant_id, from: '2026-01-01', to: '2026-01-02' })),
  'audit.list_entries': ({ collection, record, operationGrant }) => [
    { target_id: collection },
    { target_id: record },
    { grant_id: operationGrant },
  ],
  'events.list_events': ({ collection, eventsCursor }, own) => [
    { collection_ids: [collection] },
    { collection_ids: [own.collection, collection], types: ['mail.drafted'] },
    { cursor: eventsCursor },
  ],
  'knowledge.get_file': ({ file }) => [{ key: file }],
  'knowledge.list_visible_files': () => [{}, { scope: 'company' }, { scope: 'personal' }],
  'mail.send_email': (ids, own) => [
    { ...email, sender_id: ids.sender },
    { ...email, sender_id: ids.sender, idempotency_key: ids.key, output_definition: ids.outputDefinition },
    { ...email, connection_id: ids.connection },
    { ...email, idempotency_key: ids.key },
    { ...email, sender_id: own.sender, output_definition: own.outputDefinition, idempotency_key: ids.key },
    { ...email, sender_id: own.sender, output_definition: ids.outputDefinition },
  ],
  'procedures.create_draft': ({ slug }) => [{ slug, ...texts }],
  'procedures.get_draft': ({ slug }) => [{ slug }],
  'procedures.list_drafts': ({ proceduresCursor }) => [{}, { cursor: proceduresCursor }],
  'record_store.archive_record': ofRecords({}, { expected_version: 2 }, { expected_version: 1 }),
  'record_store.create_collection': ({ name }) => [{ name }],
  'record_store.get_record_history': (ids, own) => [
    ...ofRecords({}, { cursor: ids.historyCursor }, { cursor: own.historyCursor })(ids, own),
    { collection_id: own.collection, record_id: own.record, cursor: ids.historyCursor },
  ],
  'record_store.get_records': (ids, own) => [
    { collection_id: ids.collection, record_ids: [ids.record, own.record] },
    { collection_id: own.collection, record_ids: [ids.record, ids.archived] },
  ],
  'record_store.list_collections': ({ collectionsCursor }) => [{}, { cursor: collectionsCursor }],
  'record_store.list_records': ({ collection, recordsCursor }, own) => [
    ...['active', 'archived', 'all'].map((state) => ({ collection_id: collection, state })),
    { collection_id: collection, cursor: recordsCursor },
    { collection_id: collection, cursor: own.recordsCursor },
    { collection_id: own.collection, cursor: recordsCursor },
  ],
  'record_store.patch_record': (ids, own) => [
    ...ofRecords({ patch: {} }, { patch: { a: 1 }, expected_version: 1, idempotency_key: ids.key })(ids, own),
    { collection_id: own.collection, record_id: own.record, patch: { a: 1 }, idempotency_key: ids.key },
  ],
  'record_store.push_record': (ids, own) => [
    { collection_id: ids.collection, payload: {} },
    { collection_id: ids.collection, payload: {}, idempotency_key: ids.key },
    { collection_id: own.collection, payload: {}, idempotency_key: `push-${ids.key}` },
  ],
  'record_store.push_records': (ids, own) => [
    { collection_id: ids.collection, items: [{ payload: {} }, { payload: {}, idempotency_key: ids.key }] },
    { collection_id: own.collection, items: [{ payload: {}, idempotency_key: `pushes-${ids.key}` }] },
  ],
  'record_store.replace_record': (ids, own) => [
    ...ofRecords({ payload: {} }, { payload: {}, expected_version: 1, idempotency_key: ids.key })(ids, own),
    { collection_id: own.collection, record_id: own.record, payload: {}, idempotency_key: `re-${ids.key}` },
  ],
};

interface GrantCall {
  readonly path: string;
  readonly body?: object;
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const listCall = (kind: string, cursors: string[]): GrantCall[] =>
  ['', '&status=active', '&limit=1'].flatMap((more) =>
    cursors.map((cursor) => ({ path: `/api/v1/${kind}-grants?cursor=${encodeURIComponent(cursor)}${more}` })),
  );
const revokeCall = (kind: string, { operationGrant, routineGrant }: Ids): GrantCall[] =>
  [operationGrant, routineGrant].map((id) => ({ path: `/api/v1/${kind}-grants/${id}` }));
const routine = (kind: 'collectionIds' | 'senderIds', ids: string[], operation: string): GrantCall => ({
  path: '/api/v1/routine-grants',
  body: {
    name: 'mine',
    operations: [operation],
    data: { [kind]: ids },
    outputDefinition: 'mine',
    maximumCadence: { invocations: 1, periodSeconds: 1 },
    expiresAt: inAnHour(),
  },
});

/** The same for each route of grants, by operation id. */
const grantCalls: Readonly<Record<string, (ids: Ids, own: Ids) => GrantCall[]>> = {
  listOperationGrants: (ids) => listCall('operation', [ids.operationGrantsCursor, ids.routineGrantsCursor]),
  createOperationGrant: ({ collection, name }) => [
    { path: '/api/v1/operation-grants', body: { operationScope: collection, expiresAt: inAnHour() } },
    {
      path: '/api/v1/operation-grants',
      body: { operationScope: 'record_store.get_record', expiresAt: inAnHour(), name },
    },
  ],
  revokeOperationGrant: (ids) => revokeCall('operation', ids),
  listRoutineGrants: (ids) => listCall('routine', [ids.operationGrantsCursor, ids.routineGrantsCursor]),
  createRoutineGrant: (ids, own) => [
    routine('collectionIds', [ids.collection], 'record_store.get_record'),
    routine('collectionIds', [own.collection, ids.collection], 'record_store.get_record'),
    routine('senderIds', [ids.sender], 'mail.send_email'),
    routine('senderIds', [own.sender, ids.sender], 'mail.send_email'),
  ],
  revokeRoutineGrant: (ids) => revokeCall('routine', ids),
  listAgentGrants: (ids) => listCall('agent', [ids.operationGrantsCursor, ids.routineGrantsCursor]),
  revokeAgentGrant: (ids) => revokeCall('agent', ids),
};

describe('ids of another Workspace get the same answers as unknown ids, for', () => {
  test.each([...operations])('%s', async (id, operation) => {
    const made = calls[id] ?? callsByExample(operation);
    for (const caller of [OWNER, MEMBER, id, 'routine']) {
      await compare(made, (input, { invocation }) =>
        here.execute(caller, id, input, caller === 'routine' ? invocation : undefined),
      );
    }
  });

  const routes = Object.values(grantRoutes).flatMap((ofKind) => Object.values(ofKind));
  test.each(routes.map(({ operationId, method }) => [operationId, method.toUpperCase()] as const))(
    '%s',
    async (route, method) => {
      expect(grantCalls).toHaveProperty([route]);
      for (const caller of [OWNER, MEMBER, 'routine']) {
        await compare(grantCalls[route]!, ({ path, body }) => here.request(caller, method, path, body));
      }
    },
  );

  /** The routes of one webhook endpoint, mailbox or sender. */
  const routesWithId = [webhookRoutes, appConnectionRoutes, senderRoutes].flatMap((of) =>
    Object.values<Route>(of).filter(({ path }) => path.includes('/{id}')),
  );
  test.each(routesWithId.map((route) => [route.operationId, route] as const))('%s', async (_id, route) => {
    const { method, path, requestBody } = route;
    const pathOf = ({ endpoint, connection, sender }: Ids) => {
      const id = path.includes('webhook') ? endpoint : path.includes('senders') ? sender : connection;
      return { path: path.replace('{id}', id).replace('{deliveryId}', 'evt_1') };
    };
    for (const caller of [OWNER, MEMBER])
      await compare(
        (ids) => [pathOf(ids)],
        (asked) => here.request(caller, method.toUpperCase(), asked.path, requestBody?.example),
      );
  });
});

test('the other Workspace is unchanged, with its stored bytes, files and drafts', async () => {
  expect(await everythingThere()).toEqual(before);
});

/**
 * Makes every call of a case with the ids of the other Workspace and with unknown ids, and expects indistinguishable
 * answers without data of the other Workspace. The two calls use different own objects, so that the effect of one does
 * not show in the answer to the other.
 */
async function compare<Call extends object>(
  makeCalls: (ids: Ids, own: Ids) => Call[],
  call: (call: Call, ids: Ids) => Promise<Answer>,
): Promise<void> {
  const unknownIds = unknownIdsLike(there.ids);
  const [theirs, unknown] = [makeCalls(there.ids, here.ids), makeCalls(unknownIds, here.twin)];
  for (const [index, input] of theirs.entries()) {
    const asked = JSON.stringify(input);
    const [answer, wanted] = await Promise.all([call(input, there.ids), call(unknown[index]!, unknownIds)]);
    const comparison = comparable(wanted, JSON.stringify(unknown[index]), unknownIds);
    expect({ input, ...comparable(answer, asked, there.ids) }).toEqual({ input, ...comparison });
    const leaked = theirWords().filter((word) => answer.text.includes(word) && !asked.includes(word));
    expect({ input, leaked }).toEqual({ input, leaked: [] });
  }
}

/** The comparable part of an answer: without the names that the caller sent, and without new ids, times and secrets. */
function comparable({ status, headers, text }: Answer, asked: string, ids: Ids) {
  const isId = (value: string) => /^[a-z]{3}_/.test(value);
  const sent = Object.entries(ids).filter(([, value]) => asked.includes(value) && !isId(value));
  const body = sent.reduce((rest, [name, value]) => rest.replaceAll(value, `<${name}>`), text);
  return {
    status,
    replayed: headers['idempotent-replayed'],
    body: body
      .replaceAll(/\b([a-z]{2,3}_)?[0-9a-f]{32,64}\b/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"secret(Hint)?":"\w+"/g, '<secret>')
      // The feed goes on meanwhile.
      .replaceAll(/"next_cursor":"[\w-]+"/g, '<cursor>'),
  };
}

/** Every id of the other Workspace, and the mark in all of its texts. */
function theirWords(): string[] {
  const ids = before.answers.join('\n').match(/\b[a-z]{2,3}_[0-9a-f]{32,64}\b/g)!;
  return [...new Set(ids.filter((id) => !id.startsWith('req_'))), there.mark];
}

async function everythingThere() {
  return {
    answers: await there.everything(),
    files: ['mail', 'files'].flatMap((folder) => filesIn(join(stack.directory, folder))),
    quota: await stack.operator.call(showQuota, { workspace: there.id }),
  };
}

/** The files of the other Workspace in a directory, each as its path with its text. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => join(directory, path))
    .filter((path) => path.includes(there.id) && statSync(path).isFile())
    .toSorted()
    .map((path) => `${path}\n${readFileSync(path, 'utf8')}`);
}
