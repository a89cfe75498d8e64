import type { AuditEntry } from '@action-platform/contracts/audit';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import { describe, expect, test } from '@jest/globals';
import type { Attempt, Change, Entry, History } from '../history.ts';
import { checkAudit } from './audit.ts';
import { checkFeed, checkFeedAfterGap } from './feed.ts';

const empty = { entries: [], changes: [], readers: [], audit: [] };
const of = (history: Partial<History>) =>
  ({ ...empty, limited: { collection: 'small', quota: 50 }, ...history }) as unknown as History;

const commit = (sequence: number): Change => ({
  ...{ subject: 'rec_1', sequence, type: 'record.patched', requestId: `r${sequence}` },
});
const event = (sequence: number, more: Partial<ChangeEvent> = {}) =>
  ({
    ...{ id: `evt_${sequence}`, type: 'record.patched', subject: 'rec_1' },
    data: {
      ...{ sequence, collection_id: 'col_1', request_id: `r${sequence}`, call_id: `c${sequence}` },
      actor: { user_id: 'olga' },
    },
    ...more,
  }) as ChangeEvent;
const ofFeed = (...events: ChangeEvent[]) =>
  of({ changes: [commit(1), commit(2)], readers: [{ name: 'reader', events }] });

test.each([
  ['nothing in repeated events', [event(1), event(2), event(1), event(2)]],
  ['a missing event', [event(1)], 'reader did not see rec_1 2'],
  ['an inversion', [event(2), event(1)], 'reader: evt_2 is rec_1 2 after 0'],
  [
    'an event of no commit',
    [event(1), event(2), event(3)],
    'evt_3 (record.patched rec_1 3) tells of no commit',
  ],
  [
    'another type',
    [event(1), event(2, { type: 'record.deleted' })],
    'evt_2 (record.deleted, r2) differs from the commit rec_1 2',
  ],
  ['another id', [event(1), event(2), event(1, { id: 'evt_9' })], 'rec_1 1 has ids evt_1, evt_9'],
  ['a shared id', [event(1), event(2, { id: 'evt_1' })], 'evt_1 is of rec_1 1, rec_1 2'],
] as [string, ChangeEvent[], ...string[]][])(
  'the checker of feeds finds %s',
  (_name, events, ...violations) => {
    const found = [...checkFeed(ofFeed(...events))];
    expect(found.length > 0).toBe(violations.length > 0);
    expect(found).toEqual(expect.arrayContaining(violations));
  },
);

test.each([checkFeed, checkFeedAfterGap])('the checkers of feeds find a feed without a reader', (checker) => {
  expect([...checker(of({ changes: [commit(1)] }))]).toEqual(['no reader followed the feed']);
});

test.each([
  ['the last state after a gap', [event(0, { type: 'feed.gap' }), event(2)], []],
  ['no gap', [event(1), event(2)], ['reader saw no gap']],
  ['a missing last state', [event(0, { type: 'feed.gap' }), event(1)], ['reader did not see rec_1 2']],
  [
    'an event of no commit after a gap',
    [event(0, { type: 'feed.gap' }), event(2), event(3)],
    ['reader saw rec_1 3, which tells of no commit'],
  ],
])('%s', (_name, events, violations) => {
  expect([...checkFeedAfterGap(ofFeed(...events))]).toEqual(violations);
});

describe('the audit log', () => {
  const result = { record: 'rec_1' };
  const patch = (...attempts: Partial<Attempt>[]) =>
    ({
      action: { what: 'patch', record: 'rec_1', key: 'k' },
      outcome: { is: 'done', result },
      attempts: attempts.map((attempt) => ({ requestId: 'r1', status: 200, isReplay: false, ...attempt })),
    }) as unknown as Entry;
  const logged = (more: Partial<AuditEntry> = {}) =>
    ({
      ...{ request_id: 'r1', call_id: 'c1', operation: 'record_store.patch_record', user_id: 'olga' },
      ...{ code: 'ok', replayed: false, targets: ['col_1', 'rec_1'], ...more },
    }) as AuditEntry;
  const found = (entries: Entry[], events: ChangeEvent[], audit: AuditEntry[]) => [
    ...checkAudit(of({ entries, readers: [{ name: 'reader', events }], audit })),
  ];
  const failed = { code: 'action_infrastructure_failure', targets: [] };
  const shared = { call_id: 'c2', user_id: 'paul', targets: ['col_1', 'rec_2'] };
  const second = event(1, { id: 'evt_2', subject: 'rec_2', data: { ...event(2).data, request_id: 'r1' } });

  const item = (attempt: Partial<Attempt>): Entry => ({
    ...patch({ isItem: true, ...attempt }),
    action: { what: 'push', collection: 'col_1', key: 'k', bytes: 1, call: 'a' },
  });
  const ofMany = (more: Partial<AuditEntry> = {}) =>
    logged({ operation: 'record_store.push_records', targets: ['col_1', 'rec_1', 'rec_2'], ...more });
  const beside = event(1, { id: 'evt_2', subject: 'rec_2' });
  const first = { request_id: 'r0', call_id: 'c0' };
  const replayed = { data: { ...event(1).data, ...first } };

  test.each<[string, Entry, ChangeEvent[], AuditEntry[], complaint: RegExp]>([
    ['an acknowledged write', patch({}), [event(1)], [logged()], /^$/],
    ['one without an answer', patch({ status: 0 }), [], [], /^$/],
    ['one of unknown outcome', patch({ status: 502 }), [event(1)], [logged(failed)], /^$/],
    ['an acknowledged write without an entry', patch({}), [event(1)], [], /r1/],
    ['a second entry', patch({}), [event(1)], [logged(), logged()], /r1/],
    ['an acknowledged write without an event', patch({}), [], [logged()], /r1/],
    ['a refused write that committed', patch({ status: 503 }), [event(1)], [logged(failed)], /r1/],
    ['a commit of unknown outcome without an entry', patch({ status: 0 }), [event(1)], [], /r1/],
    ['an entry of nothing', patch({ status: 0 }), [], [logged()], /r1/],
    ['an entry of another user', patch({}), [event(1)], [logged({ user_id: 'paul' })], /r1/],
    ['the targets of another write', patch({}, {}), [event(1), second], [logged(), logged(shared)], /r1/],
    ['an item of several', item({}), [event(1), beside], [ofMany()], /^$/],
    [
      'an item that the entry of its call leaves out',
      item({}),
      [event(1)],
      [ofMany({ targets: ['col_1'] })],
      /r1/,
    ],
    ['an acknowledged item without an event', item({}), [beside], [ofMany()], /r1/],
    ['an item refused beside one that committed', item({ status: 400 }), [beside], [ofMany()], /^$/],
    [
      'an unanswered call that replayed its items',
      item({ requestId: 'r0' }),
      [event(1, replayed)],
      [ofMany({ ...first, targets: ['col_1', 'rec_1'] }), ofMany({ targets: ['col_1', 'rec_1'] })],
      /^$/,
    ],
    ['an unanswered call of an item that no event tells of', item({ status: 0 }), [], [ofMany()], /r1/],
  ])('of %s', (_name, attempted, events, entries, complaint) => {
    expect(found([attempted], events, entries).join()).toMatch(complaint);
  });
});
