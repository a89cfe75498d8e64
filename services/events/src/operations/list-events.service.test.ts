import { busHeaders } from '@action-platform/contracts/bus';
import { findApprovals } from '@action-platform/contracts/calls';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import { newId } from '@action-platform/contracts/ids';
import { feedOf, listEvents } from '@action-platform/contracts/operations';
import { Cursors, readSecretKeys } from '@action-platform/sealing';
import { aMember, anOwner, SEAL_KEYS, scheduled, type TestPrincipal } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FeedPlatform } from '../test-support/feed-platform.ts';

const platform = new FeedPlatform();
beforeAll(() => platform.startFeed());
afterAll(() => platform.stop());

let workspaceId: string;
let owner: TestPrincipal;
beforeEach(() => {
  workspaceId = newId('workspace');
  owner = anOwner({ workspaceId });
});

const list = async (input: object, principal = owner) =>
  (await platform.call(listEvents, principal, input)).result;
const refusal = async (input: object, principal = owner) =>
  (await platform.call(listEvents, principal, input)).error;
const pushes = (count: number) =>
  Array.from({ length: count }, () => platform.event(workspaceId, 'record.pushed'));
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id);

const cursors = new Cursors(readSecretKeys('SEAL_KEYS', SEAL_KEYS));

/** The cursor of a position in a feed, as the service writes it. */
const cursorAt = (position: string, workspace = workspaceId) => cursors.at(feedOf(workspace), position);
const positionOf = (cursor: string) =>
  cursors.positionIn(feedOf(workspaceId), cursor)!.split('.').map(Number);

describe('a reader', () => {
  test('gets every event of the Workspace in order, in pages of any size', async () => {
    const published: ChangeEvent[] = [];
    for (const count of [1, 3, 2]) {
      const batch = pushes(count);
      await platform.publish(workspaceId, batch);
      await platform.publish(newId('workspace'), [platform.event('ws_elsewhere', 'record.pushed')]);
      published.push(...batch);
    }
    for (const limit of [1, 2, 4, 100]) {
      const read: unknown[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await list({ limit, cursor });
        expect(page.events.length).toBeLessThanOrEqual(limit);
        read.push(...page.events);
        if (page.events.length === 0) break;
        cursor = page.next_cursor;
      }
      expect(read).toEqual(published);
    }
  });

  test('goes on after the end, and begins there with the cursor latest', async () => {
    await platform.publish(workspaceId, pushes(2));
    const { next_cursor: cursor, events } = await list({ cursor: 'latest' });
    expect(events).toEqual([]);
    const [later] = pushes(1);
    await platform.publish(workspaceId, [later!]);
    const page = await list({ cursor });
    expect(idsOf(page.events)).toEqual([later!.id]);
    expect((await list({ cursor: page.next_cursor })).events).toEqual([]);
  });

  test('whose Workspace is quiet does not stay behind while others fill the stream', async () => {
    const { next_cursor: cursor } = await list({});
    await platform.publish(newId('workspace'), pushes(1));
    const { next_cursor: later } = await list({ cursor });
    expect(positionOf(later)[1]!).toBeGreaterThan(positionOf(cursor)[1]!);
  });

  test('gets only what its filters name, and any gap', async () => {
    const inOne = platform.event(workspaceId, 'record.pushed', { collection_id: 'col_1' });
    const inOther = platform.event(workspaceId, 'record.pushed', { collection_id: 'col_2' });
    const archived = platform.event(workspaceId, 'record.archived', { collection_id: 'col_1' });
    const gap = platform.event(workspaceId, 'feed.gap');
    await platform.publish(workspaceId, [inOne, inOther, archived]);
    await platform.publish(workspaceId, [gap]);
    const ids = async (input: object) => idsOf((await list(input)).events);
    expect(await ids({ types: ['record.pushed'] })).toEqual(idsOf([inOne, inOther, gap]));
    expect(await ids({ collection_ids: ['col_1'] })).toEqual(idsOf([inOne, archived, gap]));
    expect(await ids({ types: ['record.archived'], collection_ids: ['col_2'] })).toEqual(idsOf([gap]));
  });

  test('never gets what a publisher may not tell', async () => {
    const [good] = pushes(1);
    await platform.publish(workspaceId, [good!], 'mail');
    await platform.publish('ws_elsewhere', [good!]);
    await platform.publish(
      workspaceId,
      [{ ...good!, type: 'no.type' as never }, null as never, good!],
      'record-store',
    );
    await platform.publish(workspaceId, { no: 'batch' } as never, 'record-store');
    expect(idsOf((await list({})).events)).toEqual(idsOf([good!]));
  });
});

describe('visible to', () => {
  const everything = () => [
    platform.event(workspaceId, 'collection.created', { collection_id: 'col_1' }),
    platform.event(workspaceId, 'record.pushed', { collection_id: 'col_2' }),
    platform.event(workspaceId, 'procedure.drafted'),
    platform.event(workspaceId, 'member.removed', { user_id: 'mika' }),
    platform.event(workspaceId, 'grant.created', { user_id: 'mika' }),
    platform.event(workspaceId, 'app.connected', { user_id: 'nils' }),
    platform.event(workspaceId, 'mail.drafted', { user_id: 'mika' }),
    platform.event(workspaceId, 'mail.failed', { user_id: 'nils' }),
  ];
  const typesSeenBy = async (principal: TestPrincipal) => {
    for (const event of everything()) await platform.publish(workspaceId, [event]);
    return (await list({}, principal)).events.map(({ type, data }) => `${type} ${data.user_id ?? ''}`.trim());
  };

  test('an Owner is everything', async () => {
    expect(await typesSeenBy(owner)).toHaveLength(8);
  });

  test('a Member is what everyone may list, and what concerns the Member', async () => {
    const everyones = ['collection.created', 'record.pushed', 'procedure.drafted'];
    const seen = await typesSeenBy(aMember({ workspaceId, userId: 'mika' }));
    expect(seen).toEqual([...everyones, 'grant.created mika', 'mail.drafted mika']);
  });

  test('an approver are the approvals of others’ calls that they may decide, in pages of any size', async () => {
    const requested = (user_id: string) => platform.event(workspaceId, 'approval.requested', { user_id });
    const [first, hidden, theirs, last] = ['nils', 'nils', 'mika', 'nils'].map(requested);
    const asked: string[] = [];
    await platform.answer(findApprovals, ({ ids }) => {
      asked.push(...ids);
      return { found: ids.filter((id) => id !== hidden!.subject) };
    });
    for (const event of [first!, hidden!, theirs!, last!]) await platform.publish(workspaceId, [event]);
    const read: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await list({ limit: 1, cursor }, aMember({ workspaceId, userId: 'mika' }));
      if (page.events.length === 0) break;
      read.push(...idsOf(page.events));
      cursor = page.next_cursor;
    }
    expect(read).toEqual(idsOf([first!, theirs!, last!]));
    expect(asked).not.toContain(theirs!.subject);
    asked.length = 0;
    expect((await list({})).events).toHaveLength(4);
    expect(asked).toEqual([]);
  });

  test('a routine grant, also of an Owner, is its data scope', async () => {
    const granted = scheduled(owner, { data: { collectionIds: ['col_2'] } });
    expect(await typesSeenBy(granted)).toEqual(['record.pushed']);
    expect((await refusal({ collection_ids: ['col_1'] }, granted)).code).toBe('grant_data_scope_exceeded');
  });
});

describe('a cursor', () => {
  test('of another Workspace or listing is an invalid request', async () => {
    for (const cursor of [
      cursorAt('1.1.0', newId('workspace')),
      cursors.at(`records ${workspaceId}`, '1.1.0'),
    ])
      expect(await refusal({ cursor })).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('cursor'),
      });
  });

  test('whose events are not kept, or not yet stored, has expired', async () => {
    await platform.publish(workspaceId, pushes(1));
    const [createdAt, sequence] = positionOf((await list({})).next_cursor);
    for (const position of [`${createdAt! - 1}.1.0`, `${createdAt}.${sequence! + 1_000}.0`])
      expect((await refusal({ cursor: cursorAt(position) })).code).toBe('event_cursor_expired');
  });
});

test('an answer tells the gateway whether it reached the end, and the position after each event', async () => {
  await platform.publish(workspaceId, pushes(2));
  const feedOf = async (input: object) =>
    JSON.parse((await platform.call(listEvents, owner, input)).header(busHeaders.feed));
  const first = await feedOf({ limit: 1 });
  expect(first).toEqual({ count: 1, positions: [expect.any(String)] });
  const rest = await feedOf({ cursor: cursorAt(first.positions[0]) });
  expect(rest).toEqual({ count: 1, positions: [expect.any(String)], end: expect.any(Number) });
});
