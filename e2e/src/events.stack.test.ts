import { setTimeout as delay } from 'node:timers/promises';
import { type ChangeEvent, disconnectApp, removeMember } from '@action-platform/contracts';
import { EventStreamClient } from '@action-platform/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createGrant, send } from './http.ts';
import { SharedStack } from './shared-stack.ts';
import { execute } from './stack-process.ts';

jest.setTimeout(60_000);

type Workspace = Awaited<ReturnType<SharedStack['workspace']>>;
interface Page {
  readonly events: readonly ChangeEvent[];
  readonly next_cursor: string;
}

let stack: SharedStack;
let workspace: Workspace;
let collection_id: string;

beforeAll(async () => {
  stack = await SharedStack.join();
  workspace = await stack.workspace();
  const input = { name: 'followed', member_writes_enabled: true };
  collection_id = (await call<{ collection: { id: string } }>('record_store.create_collection', input))
    .collection.id;
  await untilToldOfWorkspace();
});
afterAll(() => stack.leave());

async function call<Result>(
  operation: string,
  input: object,
  token = workspace.owner.token,
): Promise<Result> {
  const { status, body } = await execute(workspace.base_url, token, operation, input);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result as Result;
}
const list = (input: object, token?: string) => call<Page>('events.list_events', input, token);
const latest = async () => (await list({ cursor: 'latest' })).next_cursor;
const change = (name: string, input: object) =>
  call<{ record: { id: string; version: number } }>(`record_store.${name}`, { collection_id, ...input });
const push = async () => (await change('push_record', { payload: {} })).record.id;

/** Follows the feed from a cursor until an event is the last one wanted. */
async function follow(cursor: string, isLast: (event: ChangeEvent) => boolean, token?: string, filter = {}) {
  const events: ChangeEvent[] = [];
  for (let next = cursor; ; ) {
    const page = await list({ cursor: next, wait_seconds: 5, ...filter }, token);
    events.push(...page.events);
    if (page.events.some(isLast)) return events;
    next = page.next_cursor;
  }
}
const unique = (events: readonly ChangeEvent[]) => [
  ...new Map(events.map((event) => [event.id, event])).values(),
];

/** Resolves once the feed has the events of the Workspace as it begins: no test meets one of them later. */
async function untilToldOfWorkspace(): Promise<void> {
  const begin = { 'collection.created': 1, 'member.added': 2, 'app.connected': 2 };
  const missing = ({ events }: Page) =>
    Object.entries(begin).some(
      ([type, times]) => events.filter((event) => event.type === type).length < times,
    );
  while (missing(await list({}))) await delay(50);
}

test('every commit of a Record is an event, in the order of its sequence', async () => {
  const cursor = await latest();
  const record_id = await push();
  await change('patch_record', { record_id, patch: { a: 1 } });
  await change('replace_record', { record_id, payload: { b: 1 } });
  await change('archive_record', { record_id });
  await change('restore_record', { record_id });
  await change('archive_record', { record_id });
  await change('delete_record', { record_id });
  const events = unique(await follow(cursor, ({ type }) => type === 'record.deleted'));
  expect(events.map(({ type, data }) => [type, data.sequence, data.version, data.state])).toEqual([
    ['record.pushed', 1, 1, 'active'],
    ['record.patched', 2, 2, 'active'],
    ['record.replaced', 3, 3, 'active'],
    ['record.archived', 4, 3, 'archived'],
    ['record.restored', 5, 3, 'active'],
    ['record.archived', 6, 3, 'archived'],
    ['record.deleted', 7, 3, 'deleted'],
  ]);
  for (const { subject, source, data } of events) {
    expect([subject, data.collection_id, data.actor]).toEqual([
      record_id,
      collection_id,
      { user_id: workspace.owner.user_id },
    ]);
    expect(source).toBe(`/workspaces/${workspace.workspace_id}/record-store`);
  }
});

test('a Member sees no change of another Member, and a routine grant its Collections alone', async () => {
  const { member } = workspace;
  const cursor = await latest();
  await stack.operator.call(disconnectApp, {
    workspace: workspace.workspace_id,
    user: workspace.owner.user_id,
    app: 'mail_suite',
  });
  const input = { name: 'elsewhere' };
  await call('record_store.create_collection', input);
  const { id, secret } = await createGrant(workspace.base_url, member.token, {
    name: 'reader',
    operations: ['events.list_events'],
    data: { collectionIds: [collection_id] },
    maximumCadence: { invocations: 10, periodSeconds: 60 },
  });
  const record = await push();
  const isLast = ({ subject }: ChangeEvent) => subject === record;
  const typesFor = async (token?: string) =>
    new Set((await follow(cursor, isLast, token)).map(({ type }) => type));
  // Services publish on their own, so other events may come after that of the Record.
  const seen = async (token: string | undefined, wanted: string[]) => {
    for (
      let types = new Set<string>();
      !wanted.every((type) => types.has(type));
      types = await typesFor(token)
    );
    return await typesFor(token);
  };
  const everyones = ['collection.created', 'grant.created', 'record.pushed'];
  expect(await seen(undefined, [...everyones, 'app.disconnected'])).toEqual(
    new Set([...everyones, 'app.disconnected']),
  );
  expect(await seen(member.token, everyones)).toEqual(new Set(everyones));

  const stream = await EventStreamClient.open(
    `${workspace.base_url}/api/v1/events?cursor=${cursor}`,
    secret,
    {
      'x-routine-invocation-id': 'run-1',
    },
  );
  expect((await stream.event())!.data).toMatchObject({ type: 'record.pushed', subject: record });
  await send(workspace.base_url, {
    method: 'DELETE',
    path: `/api/v1/routine-grants/${id}`,
    token: member.token,
  });
  await push();
  expect((await stream.event())!.data).toMatchObject({ error: { code: 'grant_revoked' } });
  expect(await stream.event()).toBeUndefined();
});

test('50 readers who wait leave room for the calls of their Workspace, and each gets every event', async () => {
  const { gateways, owner, member } = workspace;
  const cursor = await latest();
  const open = async (gateway: string) => {
    for (;;) {
      const stream = await EventStreamClient.open(`${gateway}/api/v1/events?cursor=${cursor}`, member.token);
      // A machine that is busy with other tests.
      if (stream.status !== 503) return stream;
    }
  };
  const streams = await Promise.all(Array.from({ length: 25 }, (_, index) => open(gateways[index % 2]!)));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  let last = '';
  const polls = Array.from({ length: 25 }, () =>
    follow(cursor, ({ subject }) => subject === last, owner.token),
  );
  const pushed: string[] = [];
  for (let n = 0; n < 20; n++) pushed.push(await push());
  last = await push();
  const all = [...pushed, last].toSorted();
  for (const events of await Promise.all(polls))
    expect(
      unique(events.filter(({ subject }) => all.includes(subject)))
        .map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(all);
  for (const stream of streams) {
    const missing = new Set<unknown>(all);
    while (missing.size > 0) {
      const next = await stream.event();
      expect(next).toMatchObject({ name: 'message' });
      missing.delete(next!.data!.subject);
    }
    stream.close();
  }
});

test('a removed Member gets not one event more', async () => {
  const { workspace_id, base_url, member } = workspace;
  const stream = await EventStreamClient.open(`${base_url}/api/v1/events?cursor=latest`, member.token);
  await stream.next();
  const waiting = execute(base_url, member.token, 'events.list_events', {
    cursor: await latest(),
    wait_seconds: 5,
  });
  await delay(100);
  await stack.operator.call(removeMember, { workspace: workspace_id, user: member.user_id });
  await push();
  expect((await waiting).body.error?.code).toBe('workspace_membership_required');
  expect((await stream.event())!.name).toBe('refused');
});

test('the trace of a write shows its event', async () => {
  const { headers } = await send(workspace.base_url, {
    ...{ method: 'POST', path: '/api/v1/operations/record_store.push_record', token: workspace.owner.token },
    body: JSON.stringify({ collection_id, payload: {} }),
  });
  const event = {
    ...{ kind: 'log', service: 'record-store', level: 'event', text: 'record.pushed' },
    fields: expect.objectContaining({ subject: expect.stringMatching(/^rec_/), sequence: 1 }),
  };
  let rows: unknown;
  do ({ rows } = await stack.admin('trace', String(headers['x-request-id'])));
  while (!JSON.stringify(rows).includes('"record.pushed"'));
  expect(rows).toContainEqual(expect.objectContaining(event));
});
