import { expect, test } from '@jest/globals';
import type { Action, Entry, History, Observation, Outcome, Revision } from '../history.ts';
import { checkAtMostOnce } from './at-most-once.ts';
import { checkAuthority } from './authority.ts';
import { checkDrafts } from './drafts.ts';
import { checkListings } from './listings.ts';
import { checkOrder } from './order.ts';
import { checkQuota } from './quota.ts';
import { checkRefusals } from './refusals.ts';

/** The anomalies of stored objects; empty when the platform kept its promises. */
const check = (history: History): string[] =>
  [
    ...[checkAtMostOnce, checkOrder, checkListings, checkAuthority, checkQuota, checkDrafts],
    checkRefusals(),
  ].flatMap((checker) => [...checker(history)]);

const done = (result: object): Outcome => ({ is: 'done', result });
const refused = (code: string): Outcome => ({ is: 'refused', code });
const unknown: Outcome = { is: 'unknown' };

/** An entry of a history, by default of sequential actions. */
const entry = (action: Action, outcome: Outcome, begunAt: number): Entry => ({
  ...{ client: 0, action, outcome, begunAt, endedAt: begunAt + 5, attempts: [] },
});
const revision = (version: number, write: string, base = write): Revision => ({ version, write, base });

const push = (key: string, collection = 'things'): Action => ({ what: 'push', collection, key, bytes: 40 });
const one = revision(1, 'push');
const two = revision(2, 'replace');
const three = revision(3, 'patch', 'replace');
const pushed = (record: string) => done({ record, revisions: [one] });
const acknowledged = (made: Revision) => done({ record: 'a', revisions: [made] });

/** A history without an anomaly: each kind of entry, in order of time. */
const entries = {
  push: entry(push('push'), acknowledged(one), 0),
  replace: entry({ what: 'replace', record: 'a', key: 'replace', expected: 1 }, acknowledged(two), 10),
  patch: {
    ...entry({ what: 'patch', record: 'a', key: 'patch' }, unknown, 20),
    settled: acknowledged(three),
  },
  stale: entry(
    { what: 'replace', record: 'a', key: 'late', expected: 1 },
    refused('record_store_stale_version'),
    30,
  ),
  overtaken: {
    ...entry({ what: 'replace', record: 'a', key: 'overtaken', expected: 2 }, unknown, 12),
    settled: refused('record_store_stale_version'),
  },
  get: entry({ what: 'get', record: 'a' }, done({ revisions: [two] }), 22),
  again: entry({ what: 'get', record: 'a' }, done({ revisions: [three] }), 32),
  history: entry({ what: 'history', record: 'a' }, done({ revisions: [one, two, three] }), 40),
  other: entry(push('other'), done({ record: 'b', revisions: [revision(1, 'other')] }), 50),
  list: entry({ what: 'list', collection: 'things' }, done({ records: ['b', 'a'] }), 60),
  use: entry({ what: 'use', grant: 'g' }, done({}), 70),
  revoke: entry({ what: 'revoke', grant: 'g' }, done({}), 80),
  useless: entry({ what: 'use', grant: 'g' }, refused('grant_revoked'), 90),
  run: entry({ what: 'run', grant: 'r', invocation: '1' }, done({}), 70),
  sameRun: entry({ what: 'run', grant: 'r', invocation: '1' }, done({}), 80),
  runTooMuch: entry({ what: 'run', grant: 'r', invocation: '2' }, refused('grant_cadence_exceeded'), 90),
  fill: entry(push('fill', 'small'), done({ record: 'c', revisions: [revision(1, 'fill')] }), 70),
  overflow: entry(push('overflow', 'small'), refused('record_store_quota_exceeded'), 80),
  draft: entry({ what: 'draft', key: 'letter' }, done({ made: 'd' }), 70),
  sameDraft: entry({ what: 'draft', key: 'letter' }, done({ made: 'd' }), 80),
};
type Name = keyof typeof entries;

const after: Observation = {
  records: [
    { id: 'a', collection: 'things', revisions: [one, two, three], bytes: 120 },
    { id: 'b', collection: 'things', revisions: [revision(1, 'other')], bytes: 40 },
    { id: 'c', collection: 'small', revisions: [revision(1, 'fill')], bytes: 40 },
  ],
  drafts: ['letter'],
  usage: [{ stored: 40, counted: 40, quota: 50 }],
};
const good: History = {
  entries: Object.values(entries),
  before: { ...after, records: [{ ...after.records[0]!, revisions: [one, two] }, ...after.records.slice(1)] },
  after,
  limited: { collection: 'small', quota: 50 },
  maximumRuns: 1,
  ...{ changes: [], readers: [], audit: [], signedIn: [], paid: new Map() },
  refunds: { requests: [], made: new Map() },
  hiddenFiles: new Set(),
  webhooks: { endpoints: [], received: [], rotated: '', secrets: [] },
};

const withEntries = (changed: Partial<Record<Name, Partial<Entry>>>, ...more: Entry[]): History => ({
  ...good,
  entries: [
    ...Object.entries(entries).map(([name, each]) => ({ ...each, ...changed[name as Name] })),
    ...more,
  ],
});
const withAction = (name: Name, action: object) =>
  withEntries({ [name]: { action: { record: 'a', ...action } as Action } });
const withOutcome = (name: Name, outcome: Outcome) => withEntries({ [name]: { outcome } });
const withAfter = (changed: Partial<Observation>): History => ({ ...good, after: { ...after, ...changed } });
const withRevisions = (...revisions: Revision[]) =>
  withAfter({ records: [{ ...after.records[0]!, revisions }, ...after.records.slice(1)] });

test('a correct history has no anomaly', () => {
  expect(check(good)).toEqual([]);
});

test.each<[complaint: RegExp, History]>([
  [/replace: acknowledged as a@2, but it is lost/, withRevisions(one, revision(2, 'patch', 'push'))],
  [/replace: written more than once/, withRevisions(one, two, three, revision(4, 'replace'))],
  [/late: refused, but a@4 has it/, withRevisions(one, two, three, revision(4, 'late'))],
  [
    /patch: acknowledged as a@4, but it is a@3/,
    withEntries({ patch: { settled: acknowledged({ ...three, version: 4 }) } }),
  ],
  [/ghost: no client wrote it/, withRevisions(one, two, three, revision(4, 'ghost'))],
  [/version 3 has push instead of replace/, withRevisions(one, two, revision(3, 'patch', 'push'))],
  [/version 3 instead of 2/, withRevisions(one, { ...two, version: 3 }, { ...three, version: 4 })],
  [
    /version 2 was acknowledged before the request of an earlier one/,
    withEntries({ push: { begunAt: 100, endedAt: 105 } }),
  ],
  [/get saw version 1 after 2 was acknowledged/, withOutcome('again', done({ revisions: [one] }))],
  [/get saw version 2 before a client requested it/, withEntries({ get: { begunAt: 6, endedAt: 7 } })],
  [
    /get saw version 2 after another had seen 3/,
    withEntries({}, entry({ what: 'get', record: 'a' }, done({ revisions: [two] }), 46)),
  ],
  [/a: not found, but nobody deleted it/, withOutcome('get', refused('record_store_record_not_found'))],
  [/a: get was refused with invalid_token/, withOutcome('get', refused('invalid_token'))],
  [/a: get was refused with owner_role_required/, withOutcome('get', refused('owner_role_required'))],
  [/a: archived, but nobody archived it/, withOutcome('stale', refused('record_store_record_archived'))],
  [
    /get of r1: answered with 500/,
    withEntries({ get: { attempts: [{ requestId: 'r1', status: 500, isReplay: false }] } }),
  ],
  [
    /a: not found, but nobody deleted it/,
    withEntries({}, entry({ what: 'delete', record: 'a' }, refused('record_store_record_not_found'), 95)),
  ],
  [/history saw what is not stored/, withOutcome('history', done({ revisions: [one, three] }))],
  [
    /patch: expected version 1 of a, and made 3/,
    withAction('patch', { what: 'patch', key: 'patch', expected: 1 }),
  ],
  [/late: refused as stale/, withAction('stale', { what: 'replace', key: 'late', expected: 3 })],
  [/a listing misses b/, withOutcome('list', done({ records: ['a'] }))],
  [/has a Record twice/, withOutcome('list', done({ records: ['a', 'b', 'a'] }))],
  [/has b before it was pushed/, withEntries({ list: { begunAt: 41, endedAt: 45 } })],
  [/has x, which is not stored/, withOutcome('list', done({ records: ['a', 'b', 'x'] }))],
  [/g: accepted after its revocation/, withOutcome('useless', done({}))],
  [/g: refused before/, withOutcome('use', refused('grant_revoked'))],
  [/g: refused before/, withOutcome('use', refused('invalid_token'))],
  [/r: 2 runs were accepted/, withOutcome('runTooMuch', done({}))],
  [/r: a run was refused after 0/, withEntries({ runTooMuch: { begunAt: 60, endedAt: 65 } })],
  [/40 bytes are stored, of 30/, withAfter({ usage: [{ stored: 40, counted: 40, quota: 30 }] })],
  [/40 bytes are stored, but 0 are counted/, withAfter({ usage: [{ stored: 40, counted: 0, quota: 50 }] })],
  [
    /overflow: refused for the quota, with 10 bytes/,
    { ...good, limited: { collection: 'small', quota: 90 } },
  ],
  [/letter: 2 drafts/, withAfter({ drafts: ['letter', 'letter'] })],
  [/letter: its draft is lost/, withAfter({ drafts: [] })],
  [/letter: its draft is lost/, { ...good, before: { ...good.before, drafts: [] } }],
  [/spam: no client asked for this draft/, withAfter({ drafts: ['letter', 'spam'] })],
  [
    /no: refused, but it has a draft/,
    {
      ...withEntries({}, entry({ what: 'draft', key: 'no' }, refused('invalid_request'), 90)),
      after: { ...after, drafts: ['letter', 'no'] },
    },
  ],
  [
    /b: pushed into things, but it is in small/,
    withAfter({ records: after.records.map((record) => ({ ...record, collection: 'small' })) }),
  ],
  [/acknowledgements name 2 drafts/, withOutcome('sameDraft', done({ made: 'e' }))],
])('the check finds %s', (complaint, history) => {
  expect(check(history).join('\n')).toMatch(complaint);
});

test('all pushes with one key may return the same Record', () => {
  const again = withEntries({}, entry(push('push'), pushed('a'), 1));
  expect(check(again)).toEqual([]);
});

test('a write to a Record that a client deleted may be lost', () => {
  const gone = withEntries({}, entry({ what: 'delete', record: 'a' }, done({}), 65));
  const lost = { ...gone, after: { ...after, records: after.records.slice(1) } };
  expect(check({ ...lost, before: lost.after })).toEqual([]);
  expect(check({ ...good, after: lost.after }).join()).toContain('it is lost');
});

test('a first deletion that meets no Record deletes none, and a repeated one may have', () => {
  const deletion = entry({ what: 'delete', record: 'a' }, refused('record_store_record_not_found'), 95);
  const attempt = { requestId: 'r', isReplay: false };
  const lost = { ...after, records: after.records.slice(1) };
  const withDeletion = (...statuses: number[]) => {
    const attempts = statuses.map((status) => ({ ...attempt, status }));
    return check({ ...withEntries({}, { ...deletion, attempts }), before: lost, after: lost });
  };
  expect(withDeletion(400).join()).toContain('it is lost');
  expect(withDeletion(0, 400)).toEqual([]);
});

test('the platform may refuse an action with the codes of its kind, a suite may name further ones, and nobody names 503', () => {
  const push = (code: string) => withOutcome('other', refused(code));
  const found = (history: History, ...further: Parameters<typeof checkRefusals>) => [
    ...checkRefusals(...further)(history),
  ];
  expect(found(push('record_store_quota_exceeded'))).toEqual([]);
  expect(found(push('action_platform_unavailable'))).toEqual([]);
  expect(found(push('token_expired'))).toEqual(['push: push was refused with token_expired']);
  expect(found(push('token_expired'), { push: ['token_expired'] })).toEqual([]);
});
