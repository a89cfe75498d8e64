import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changesOf, definitionWith, type Field, isSaved, ruleOf } from '../browser/forms/edits.js';
import { grantsThatNeed, stepsOf } from '../browser/pages/home/steps.js';
import { callOf } from '../browser/pages/records/version-calls.js';
import { lineDifference } from '../browser/text/diff.js';
import { effectOf } from '../browser/text/effect.js';
import { problemsOf } from '../browser/text/field-problems.js';
import { grantAddress } from '../browser/text/grant-address.js';
import {
  axisOf,
  bucketLabel,
  changeOf,
  dayOf,
  durationOf,
  grantState,
  nameIn,
  sizeOf,
  spoken,
} from '../browser/text/spoken.js';
import { JsonText, toJson } from '../browser/text/text.js';
import { icons } from './icons.ts';

const DAY = 86_400_000;

test('an edit has the values that differ, null for an emptied text and for the choice of all', () => {
  const fields: Field[] = [
    { name: 'url', label: '', value: 'https://a' },
    { name: 'about', label: '', value: 'Index' },
    { name: 'isOn', label: '', kind: 'check', value: true },
    { name: 'role', label: '', kind: 'select', options: [['member', '']], value: 'member' },
    { name: 'types', label: '', kind: 'choices', all: 'All', value: ['b', 'a'] },
    { name: 'hidden', label: '', value: 'x', isShown: () => false },
  ];
  const same = { url: 'https://a', about: 'Index', isOn: true, role: 'member', types: ['a', 'b'] };
  expect(changesOf(fields, same)).toEqual({});
  expect(changesOf(fields, { ...same, about: undefined, isOn: false, types: null })).toEqual({
    about: null,
    isOn: false,
    types: null,
  });
});

test('a rule and a definition keep what their form does not show', () => {
  const rule = { operations: ['a'], callers: 'grants', grantIds: ['g'], when: [1] } as never;
  expect(ruleOf({ preventSelfApproval: true }, rule)).toEqual({
    operations: ['a'],
    callers: 'grants',
    grantIds: ['g'],
    when: [1],
    preventSelfApproval: true,
  });
  expect(ruleOf({ callers: 'everyone', operations: null }, rule)).toEqual({ callers: 'everyone' });
  const when = '[{"field":"/n","is":"above","value":9007199254740993}]';
  expect(toJson(ruleOf({ operations: ['a'], when, approvers: [] }, {}))).toBe(
    `{"operations":["a"],"when":${when}}`,
  );
  const known = { id: 'custom.a_b', status: 'active', revision: 3, title: 'A', later: 1, outputSchema: {} };
  expect(definitionWith({ title: 'B', outputSchema: null }, known)).toEqual({
    title: 'B',
    later: 1,
    expectedRevision: 3,
  });
});

test('a change is saved when the platform has its values to the digit, whatever the order and the revision', () => {
  const sent = (value: string) => ({
    revision: 1,
    rules: [{ callers: 'grants', when: new JsonText(value) }],
  });
  const present = { revision: 2, rules: [{ when: new JsonText('9007199254740993'), callers: 'grants' }] };
  expect(isSaved(sent('9007199254740993'), present)).toBe(true);
  expect(isSaved(sent('9007199254740992'), present)).toBe(false);
  expect(isSaved({ revision: 1, rules: [] }, present)).toBe(false);
});

test('a form shows a fault beside the field that a refusal names, and a fault within its value with the place', () => {
  const fields = [{ name: 'expiresAt' }, { name: 'collectionIds' }];
  const failure = (message: string) => Object.assign(new Error(message), { code: 'invalid_request' });
  const message = 'expiresAt: must be in the future; data.collectionIds[0]: is no id; other: fails.';
  expect(problemsOf(failure(message), fields)).toEqual({
    byName: { expiresAt: 'must be in the future', collectionIds: 'data.collectionIds[0]: is no id' },
    ofForm: 'other: fails',
    isOfFields: false,
  });
  expect(problemsOf(failure('expiresAt is required.'), fields).byName).toEqual({ expiresAt: 'is required' });
  expect(problemsOf(new Error('x: y'), fields)).toMatchObject({ ofForm: 'x: y', isOfFields: false });
});

test('an approval claims no more of an effect than its declaration does', () => {
  const about = (operation: string, isDestructive: boolean) => {
    const { title, text } = effectOf({ operation, isDestructive });
    return `${title} ${text}`;
  };
  for (const operation of ['custom.refund_order', 'record_store.push_record', 'mail.send_email'])
    for (const isDestructive of [false, true]) {
      expect(about(operation, isDestructive)).not.toContain('can be undone');
      expect(about(operation, isDestructive).includes('cannot be undone')).toBe(isDestructive);
      expect(about(operation, isDestructive).includes('does not know')).toBe(operation.startsWith('custom.'));
    }
});

test('the first steps fill as somebody goes, and end', () => {
  const none = { collections: 0, storedBytes: 0, grants: 0, rules: 0, held: 0, decided: 0 };
  const done = (known: object) => stepsOf({ ...none, ...known })?.map(({ isDone }) => isDone);
  expect(done({})).toEqual([false, false, false, false, false]);
  expect(done({ collections: 1, storedBytes: 9, rules: 1 })).toEqual([true, true, false, false, false]);
  expect(done({ collections: 1, storedBytes: 9, grants: 1, rules: 1, held: 1, decided: 1 })).toBeUndefined();
});

test('grants that stopped or end soon need somebody', () => {
  const now = Date.parse('2026-05-01T00:00:00Z');
  const grant = (status: string, days: number, more = {}) =>
    ({
      id: `rgr_${status}`,
      name: status,
      kind: 'routine',
      status,
      expiresAt: new Date(now + days * DAY).toISOString(),
      ...more,
    }) as never;
  const needed = grantsThatNeed(
    [
      grant('active', 6),
      grant('active', 60),
      grant('revoked', 1),
      grant('stopped', 60, { stoppedReason: 'role_changed' }),
    ],
    now,
  );
  expect(needed.map(({ what }) => what)).toEqual(['A grant stopped: role changed', 'A grant ends in 6 days']);
  expect(needed[0]!.address).toBe('grants?kind=routine&q=rgr_stopped');
  expect(['ogr_1', 'agr_1'].map(grantAddress)).toEqual([
    'grants?kind=operation&q=ogr_1',
    'grants?kind=agent&q=agr_1',
  ]);
  expect(grantState(grant('active', 0.5), now).words).toBe('ends within a day');
});

test('a day begins at midnight of the reader, and a bucket of a day has the date of UTC', () => {
  const { TZ } = process.env;
  try {
    process.env.TZ = 'America/New_York';
    const noon = new Date(2026, 2, 10, 12);
    // Daylight saving time began on 8 March.
    expect([dayOf(1, noon), dayOf(3, noon)]).toEqual([
      '2026-03-09T04:00:00.000Z',
      '2026-03-07T05:00:00.000Z',
    ]);
    expect(bucketLabel('2026-05-01T00:00:00.000Z', 'day')).toBe('May 1');
    expect(bucketLabel('2026-05-01T00:00:00.000Z', 'day', true)).toMatch(/May 1, 2026.*UTC/);
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('times, sizes and changes are said as people say them', () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  const at = (ms: number) => spoken(new Date(now + ms).toISOString(), now);
  expect([at(0), at(-4 * 60_000), at(-35 * 3_600_000), at(6 * DAY)]).toEqual([
    'now',
    '4 min. ago',
    '1 day ago',
    'in 6 days',
  ]);
  expect(at(-30 * DAY)).toMatch(/2026/);
  expect([0, 999, 214_000_000, 1_073_741_824].map(sizeOf)).toEqual([
    '0 bytes',
    '999 bytes',
    '214 MB',
    '1.07 GB',
  ]);
  expect([60, 86_400, 172_800, 90].map(durationOf)).toEqual(['minute', 'day', '2 days', '90 seconds']);
  expect([changeOf(112, 100), changeOf(50, 100), changeOf(0, 0)]).toEqual([
    '↑ 12 % against the time before',
    '↓ 50 % against the time before',
    'none before either',
  ]);
});

test('a Record is called by a short text that names things', () => {
  expect(nameIn('{"order":1,"customer":"Ada"}')).toBe('Ada');
  expect(nameIn('{"name":1,"items":["a"]}')).toBeUndefined();
});

test('an axis begins at 0, reaches the most, and has few steps', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (most) => {
      const axis = axisOf(most);
      expect(axis[0]).toBe(0);
      expect(axis.at(-1)).toBeGreaterThanOrEqual(most);
      expect(axis.length).toBeLessThanOrEqual(6);
    }),
  );
});

test('the lines of a difference are those of both texts, and as few as can be were changed', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDifference(before, after)!;
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(without('added')).toEqual(before);
      expect(without('removed')).toEqual(after);
      expect(lines.filter(({ kind }) => kind === 'same')).toHaveLength(commonLength(before, after));
    }),
    { numRuns: 500 },
  );
});

/** The length of a longest common subsequence, by its definition. */
function commonLength([first, ...before]: string[], after: string[]): number {
  if (first === undefined || after.length === 0) return 0;
  const index = after.indexOf(first);
  const without = commonLength(before, after);
  return index === -1 ? without : Math.max(without, 1 + commonLength(before, after.slice(index + 1)));
}

test('the icons that are served are those that the pages use', () => {
  const folder = new URL('../browser/', import.meta.url);
  const sources = globSync('**/*.js', { cwd: folder }).map((name) =>
    readFileSync(new URL(name, folder), 'utf8'),
  );
  const used = icons.filter((name) => sources.some((source) => source.includes(`'${name}'`)));
  expect(used).toEqual(icons);
});

test('a version has the call of its Member about then, unless the log has others', () => {
  const version = (created_at: string, created_by: string) => ({ created_at, created_by });
  const versions = [
    version('2026-05-02T10:00:01.000Z', 'grace'),
    version('2026-05-02T10:00:00.000Z', 'grace'),
    version('2026-05-01T02:00:00.000Z', 'ada'),
  ];
  const entry = (at: string, user_id: string, grant_id: string | undefined, more: object = {}) =>
    ({ at, user_id, grant_id, operation: 'record_store.patch_record', outcome: 'done', ...more }) as never;
  const session = entry('2026-05-02T10:00:01.100Z', 'grace', undefined);
  const agent = entry('2026-05-02T10:00:00.100Z', 'grace', 'rgr_1');
  const night = entry('2026-05-01T02:00:00.100Z', 'ada', 'rgr_2', { operation: 'record_store.push_records' });
  const read = entry('2026-05-01T02:00:02.000Z', 'ada', 'rgr_3', { operation: 'record_store.get_record' });
  const calls = (entries: never[]) => versions.map((each) => callOf(each, versions, entries));
  expect(calls([session, agent, read, night])).toEqual([session, agent, night]);
  expect(calls([agent, night])).toEqual([undefined, undefined, night]);
  const late = entry('2026-05-01T02:01:00.000Z', 'ada', 'rgr_2');
  expect(calls([late])).toEqual([undefined, undefined, undefined]);
});
