import type { AuditEntry, ChangeEvent } from '@action-platform/contracts';
import { expect, test } from '@jest/globals';
import { auditViolations, type Change, feedViolations, violationsAfterGap } from './violations.ts';

const commit = (sequence: number): Change => ({
  subject: 'rec_1',
  sequence,
  type: 'record.patched',
  requestId: `r${sequence}`,
});
const event = (sequence: number, more: Partial<ChangeEvent> = {}) =>
  ({
    id: `evt_${sequence}`,
    type: 'record.patched',
    subject: 'rec_1',
    data: { sequence, request_id: `r${sequence}` },
    ...more,
  }) as ChangeEvent;
const ofFeed = (...events: ChangeEvent[]) =>
  feedViolations([commit(1), commit(2)], [{ name: 'reader', events }]);

test('a feed may repeat events', () => {
  expect(ofFeed(event(1), event(2), event(1), event(2))).toEqual([]);
});

test.each([
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
])('%s is found', (_name, events, violation) => {
  expect(ofFeed(...events)).toContain(violation);
});

test.each([
  ['the last state after a gap', [event(0, { type: 'feed.gap' }), event(2)], []],
  ['no gap', [event(1), event(2)], ['reader saw no gap']],
  ['a missing last state', [event(0, { type: 'feed.gap' }), event(1)], ['reader did not see rec_1 2']],
])('%s', (_name, events, violations) => {
  expect(violationsAfterGap([commit(1), commit(2)], [{ name: 'reader', events }])).toEqual(violations);
});

const attempt = (status: number, isReplay = false) => ({
  ...{ requestId: 'r1', operation: 'record_store.patch_record' },
  ...{ status, isReplay },
});
const entry = (code = 'ok') =>
  ({ request_id: 'r1', operation: 'record_store.patch_record', code, replayed: false }) as AuditEntry;

test('an acknowledged write with its entry, and one of unknown outcome, are sound', () => {
  expect(auditViolations([attempt(200)], [event(1)], [entry()])).toEqual([]);
  expect(auditViolations([attempt(0)], [], [])).toEqual([]);
  expect(auditViolations([attempt(502)], [event(1)], [entry('action_infrastructure_failure')])).toEqual([]);
});

test.each([
  ['an acknowledged write without an entry', [attempt(200)], [event(1)], []],
  ['a second entry', [attempt(200)], [event(1)], [entry(), entry()]],
  ['an acknowledged write without an event', [attempt(200)], [], [entry()]],
  ['a refused write that committed', [attempt(503)], [event(1)], [entry('action_platform_unavailable')]],
  ['a commit of unknown outcome without an entry', [attempt(0)], [event(1)], []],
  ['an entry of nothing', [attempt(0)], [], [entry()]],
])('%s is found', (_name, attempts, events, entries) => {
  expect(auditViolations(attempts, events, entries).join()).toContain('r1');
});
