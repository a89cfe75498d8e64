import type { ChangeEvent } from '@action-platform/contracts/change-events';
import { expect, test } from '@jest/globals';
import type { Attempt, Entry } from '../history.ts';
import { checkAskedOnce } from './asked-once.ts';
import { checkImported } from './imported.ts';

test.each<[string, stored: string[], countedBytes: number, complaint: RegExp]>([
  ['each row once', ['{}', '[]'], 4, /^$/],
  ['a lost row', ['{}'], 2, /^import: \[\] is lost$/],
  ['a row twice', ['{}', '[]', '{}'], 6, /^import: 2 Records are \{\}$/],
  ['a Record of no row', ['{}', '[]', '1'], 5, /^import: no row is 1$/],
  ['a wrong count', ['{}', '[]'], 5, /^import: 4 bytes are stored, but 5 are counted$/],
])('an import with %s', (_name, stored, countedBytes, complaint) => {
  const found = checkImported('import', { rows: ['{}', '[]'], stored, countedBytes });
  expect([...found].join()).toMatch(complaint);
});

const draft = (key: string, ...approvals: (string | undefined)[]) =>
  ({
    action: { what: 'draft', key },
    outcome: { is: 'done', result: { made: key } },
    attempts: approvals.map((approvalId) => ({ approvalId }) as Attempt),
  }) as unknown as Entry;

test.each<[string, Entry[], asked: string[], complaint: RegExp]>([
  ['equal calls with one approval', [draft('a', 'apv_1', undefined), draft('a', 'apv_1')], ['apv_1'], /^$/],
  ['two approvals', [draft('a', 'apv_1'), draft('a', 'apv_2')], ['apv_1', 'apv_2'], /^a: 2 approvals/],
  ['a draft without any', [draft('a', undefined)], [], /^a: was not held$/],
  ['an approval of two', [draft('a', 'apv_1'), draft('b', 'apv_1')], ['apv_1'], /^b: waits for apv_1/],
  ['an approval of none', [draft('a', 'apv_1')], ['apv_1', 'apv_2'], /^apv_2: no draft waits for it$/],
  ['an approval without an event', [draft('a', 'apv_1')], [], /^apv_1: no event tells of it$/],
])('held drafts: %s', (_name, entries, asked, complaint) => {
  const events = asked.map((subject) => ({ type: 'approval.requested', subject }) as ChangeEvent);
  const found = checkAskedOnce({ entries, readers: [{ name: 'reader', events }] });
  expect([...found].join()).toMatch(complaint);
});
