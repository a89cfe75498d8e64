import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeEvent } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { send } from './http.ts';
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

async function call<Result>(operation: string, input: object): Promise<Result> {
  const { status, body } = await execute(workspace.base_url, workspace.owner.token, operation, input);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result as Result;
}
const list = (input: object) => call<Page>('events.list_events', input);
const latest = async () => (await list({ cursor: 'latest' })).next_cursor;
const change = (name: string, input: object) =>
  call<{ record: { id: string; version: number } }>(`record_store.${name}`, { collection_id, ...input });
const push = async () => (await change('push_record', { payload: {} })).record.id;

/** Follows the feed from a cursor until an event is the last one wanted. */
async function follow(cursor: string, isLast: (event: ChangeEvent) => boolean) {
  const events: ChangeEvent[] = [];
  for (let next = cursor; ; ) {
    const page = await list({ cursor: next, wait_seconds: 5 });
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
