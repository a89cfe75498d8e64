import { EVENTS, storedEvent } from '@action-platform/contracts/bus';
import { limitWorkspace, removeMember } from '@action-platform/contracts/calls';
import { type ChangeEvent, changeEventOf } from '@action-platform/contracts/change-events';
import { feedOf, listEvents } from '@action-platform/contracts/operations';
import { Cursors, readSecretKeys } from '@action-platform/sealing';
import { EventStreamClient, SEAL_KEYS } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { expectError, runningGateway } from '../../test/harness.ts';

/** Fewer requests in flight than readers who wait. */
const IN_FLIGHT = 4;
const { harness, workspace } = runningGateway(['grants', 'events'], {
  GATEWAY_MAX_IN_FLIGHT: String(IN_FLIGHT),
});
beforeEach(async () => {
  Object.assign(workspace, await harness.newWorkspace());
});
let count = 0;

/** Publishes pushes of Records as the record store does, in one message. */
async function publish(times = 1): Promise<ChangeEvent[]> {
  const { id: workspaceId } = workspace;
  const batch = Array.from({ length: times }, () =>
    changeEventOf('record-store', {
      workspaceId,
      type: 'record.pushed',
      subject: `rec_${++count}`,
      time: new Date(),
      data: { actor: {} },
    }),
  );
  const bus = await harness.platform.connect('record-store');
  const message = { workspaceId, id: batch[0]!.id, body: JSON.stringify(batch), timeoutMs: 5_000 };
  const { sequence } = await bus.streams.store(EVENTS, message);
  bus.publish(storedEvent, { stored: [{ workspace_id: workspaceId, sequence }] });
  return batch;
}

// Grants publishes the events of new Workspaces meanwhile, so the readers name the type of the events that these tests publish.
const open = (query: Record<string, string> = {}, headers = {}, { token } = workspace.member) => {
  const parameters = new URLSearchParams({ types: 'record.pushed', ...query });
  return EventStreamClient.open(`${harness.url}/api/v1/events?${parameters}`, token, headers);
};
const list = (input: object) =>
  harness.execute(workspace.member.token, listEvents, { types: ['record.pushed'], ...input });
const removed = () =>
  harness.platform.callAs('admin', removeMember, { workspace: workspace.id, user: workspace.member.userId });
/** Resolves once the gateway takes a call; rejects when it takes none for a while. */
async function untilThereIsRoom(): Promise<void> {
  for (let tries = 0; (await list({ limit: 1 })).status !== 200; tries++) {
    if (tries === 50) throw new Error('The gateway has no room for a call');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resolves with the ids of the next events of a stream. */
const idsFrom = async (stream: EventStreamClient, times: number) => {
  const ids: unknown[] = [];
  while (ids.length < times) ids.push((await stream.event())!.data!.id);
  return ids;
};
const idsOf = (events: readonly ChangeEvent[]) => events.map(({ id }) => id);

describe('a call that waits', () => {
  test('is answered with the first events, and keeps no place meanwhile', async () => {
    const { next_cursor: cursor } = (await list({ cursor: 'latest' })).body.result;
    const waiting = [];
    for (let reader = 0; reader < 2 * IN_FLIGHT; reader++) {
      waiting.push(list({ cursor, wait_seconds: 5 }).then((answer) => answer));
      await untilThereIsRoom();
    }
    const published = await publish();
    for (const { body } of await Promise.all(waiting)) expect(body.result.events).toEqual(published);
  });

  test('from the cursor latest gets what comes while it waits', async () => {
    const waiting = list({ cursor: 'latest', wait_seconds: 5 }).then((answer) => answer);
    let answer: unknown;
    void waiting.then(({ body }) => {
      answer = body.result.events;
    });
    const published: string[] = [];
    while (answer === undefined) {
      published.push(...idsOf(await publish()));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const ids = idsOf(answer as ChangeEvent[]);
    expect(ids.length).toBeGreaterThan(0);
    expect(published.join()).toContain(ids.join());
  });

  test('is answered with an empty page and a cursor when nothing comes', async () => {
    const { next_cursor: cursor } = (await list({ cursor: 'latest' })).body.result;
    const { result } = (await list({ cursor, wait_seconds: 1 })).body;
    expect(result).toEqual({ events: [], next_cursor: expect.any(String) });
  });

  test('counts once against the limit of its Workspace, however often it looks for events', async () => {
    await harness.platform.callAs('admin', limitWorkspace, { workspace: workspace.id, calls_per_second: 1 });
    let status: number | undefined;
    const waiting = list({ types: ['record.deleted'], cursor: 'latest', wait_seconds: 3 }).then((answer) => {
      ({ status } = answer);
    });
    while (status === undefined) {
      await publish();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await waiting;
    expect(status).toBe(200);
  });

  test('gets nothing that was stored after its Member was removed', async () => {
    const { next_cursor: cursor } = (await list({ cursor: 'latest' })).body.result;
    const waiting = list({ cursor, wait_seconds: 5 }).then((answer) => answer);
    await list({ limit: 1 });
    await removed();
    await publish();
    expectError(await waiting, 'workspace_membership_required');
  });
});

describe('a stream', () => {
  test('sends events in order as they come, each with a cursor that goes on after it', async () => {
    const before = await publish(3);
    const stream = await open();
    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    const first = await stream.event();
    expect(first).toMatchObject({ name: 'message', data: before[0] });
    expect(await idsFrom(stream, 2)).toEqual(idsOf(before.slice(1)));
    const later = [await publish(), await publish(200)].flat();
    expect(await idsFrom(stream, 201)).toEqual(idsOf(later));
    stream.close();

    const again = await open({ cursor: 'latest' }, { 'Last-Event-ID': first!.id! });
    expect(await idsFrom(again, 203)).toEqual(idsOf([...before, ...later].slice(1)));
    again.close();
  });

  test('from the cursor latest begins with a cursor', async () => {
    await publish();
    const stream = await open({ cursor: 'latest' });
    const { id, data } = (await stream.next())!;
    expect(data).toBeUndefined();
    stream.close();
    const published = await publish();
    const again = await open({}, { 'Last-Event-ID': id! });
    expect((await again.event())!.data).toEqual(published[0]);
    again.close();
  });

  test('sends only what its filters name', async () => {
    await publish();
    const none = await open({ types: 'record.deleted,member.added', collection_ids: 'col_1' });
    expect((await none.next())!.data).toBeUndefined();
    none.close();
    const some = await open({ types: 'record.deleted,record.pushed' });
    expect((await some.event())!.data).toMatchObject({ type: 'record.pushed' });
    some.close();
  });

  test('keeps no place between its batches', async () => {
    const streams = [];
    for (let reader = 0; reader < 2 * IN_FLIGHT; reader++) {
      const stream = await open({ cursor: 'latest' });
      await stream.next();
      streams.push(stream);
    }
    await untilThereIsRoom();
    for (const stream of streams) stream.close();
  });

  test('ends with the refusal when its Member was removed, without one event more', async () => {
    const stream = await open({ cursor: 'latest' });
    await stream.next();
    await removed();
    await publish();
    const end = await stream.next();
    expect(end).toMatchObject({
      name: 'refused',
      data: { error: { code: 'workspace_membership_required' } },
    });
    expect(end!.data).toMatchObject({ error: { requestId: stream.headers.get('x-request-id') } });
    expect(await stream.next()).toBeUndefined();
  });

  test.each([
    ['?types=record.read', 'types'],
    ['?types=', 'types'],
    ['?collection_ids=', 'collection_ids'],
    ['?cursor=forged', 'cursor'],
    ['?limit=5', 'limit'],
    ['?after=1', 'after'],
  ])('of %s is an invalid request', async (query, named) => {
    const answer = await harness.http
      .get(`/api/v1/events${query}`)
      .auth(workspace.member.token, { type: 'bearer' });
    expect(expectError(answer, 'invalid_request').message).toContain(named);
  });

  test('is refused like a call', async () => {
    expectError(await harness.http.get('/api/v1/events'), 'authentication_required');
    expectError(await harness.http.post('/api/v1/events'), 'method_not_allowed');
    const cursors = new Cursors(readSecretKeys('SEAL_KEYS', SEAL_KEYS));
    const cursor = cursors.at(feedOf(workspace.id), '1.1.0');
    const expired = harness.http
      .get(`/api/v1/events?cursor=${cursor}`)
      .auth(workspace.member.token, { type: 'bearer' });
    expectError(await expired, 'event_cursor_expired');
  });

  test('ends when its gateway stops, and another gateway goes on with it', async () => {
    const [one] = await publish();
    const stopping = await harness.startAnother();
    const stream = await open();
    expect((await stream.event())!.data).toEqual(one);
    const stopped = stopping.stop();
    expect(await stream.event()).toBeUndefined();
    await stopped;
    await harness.startAnother();
    const [two] = await publish();
    const again = await open({}, { 'Last-Event-ID': stream.lastId! });
    expect((await again.event())!.data).toEqual(two);
    again.close();
  });
});
