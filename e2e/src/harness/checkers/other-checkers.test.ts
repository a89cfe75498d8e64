import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { Entry, History, Outcome } from '../history.ts';
import { checkApprovals } from './approvals.ts';
import { checkDeliveries, checkSignatures, lagsOf } from './deliveries.ts';
import { checkErased, checkExport, type Erasure } from './erasure.ts';
import { checkFiles } from './files.ts';
import { checkRefunds } from './refunds.ts';
import { findings, type SetBack } from './set-back.ts';
import { checkUnnoticed } from './unnoticed.ts';

const made = (version: number, record = 'rec_1'): Outcome => ({
  ...{ is: 'done', result: { record, revisions: [{ version, write: `w${version}`, base: 'w1' }] } },
});
const writes = [
  { action: { what: 'push', collection: 'col_1', key: 'w1' }, outcome: made(1) },
  { action: { what: 'patch', record: 'rec_1', key: 'w2' }, outcome: made(2) },
] as Entry[];
const [former, present] = ['Zm9ybWVy', 'cHJlc2VudA=='].map((secret) => `whsec_${secret}`) as [string, string];
const arrived = (sequence: number, path = '/of-one', ...secrets: string[]) => {
  const body = JSON.stringify({ subject: 'rec_1', data: { sequence, version: sequence } });
  const now = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(`evt_${sequence}`, now, body));
  const [id, timestamp] = [`evt_${sequence}`, String(Math.floor(now.getTime() / 1000))];
  const signed = { 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  return { id, path, headers: { 'webhook-id': id, ...signed }, body, at: 0 };
};
const withWebhooks = (...received: ReturnType<typeof arrived>[]) => {
  const endpoints = [
    { path: '/of-one', collection: 'col_1' },
    { path: '/of-other', collection: 'col_2' },
  ];
  const webhooks = { endpoints, received, rotated: '/all', secrets: [former, present] };
  return { entries: writes, webhooks, limited: { collection: 'small' } } as unknown as History;
};

test('a webhook that has not arrived is infinitely late', () => {
  const { webhooks } = withWebhooks({ ...arrived(1), at: 25 }, { ...arrived(1), at: 90 });
  const entries = writes.map((entry, number) => ({ ...entry, begunAt: 10 * number }));
  expect(lagsOf({ entries, webhooks }, 0, 100)).toEqual([25, Number.POSITIVE_INFINITY]);
  expect(lagsOf({ entries, webhooks }, 0, 10)).toEqual([25]);
});

test('webhooks of another Collection or Workspace, and of what nobody wrote, are found', () => {
  const small = [
    { action: { what: 'push', collection: 'small', key: 'w3' }, outcome: made(1, 'rec_2') },
  ] as Entry[];
  const of = (...more: ReturnType<typeof arrived>[]) => {
    const history = withWebhooks(arrived(1), arrived(2), ...more);
    const endpoints = [...history.webhooks.endpoints, { path: '/all', collection: undefined }];
    const entries = [...writes, ...small];
    return [
      ...checkDeliveries({ ...history, entries, webhooks: { ...history.webhooks, endpoints } } as History),
    ];
  };
  const ofRecord = (subject: string) => ({
    ...arrived(1, '/all'),
    body: JSON.stringify({ subject, data: { sequence: 1, version: 1 } }),
  });
  const missing = ['/all did not get rec_1@1', '/all did not get rec_1@2', '/all did not get rec_2@1'];
  expect(of().toSorted()).toEqual(missing);
  const found = (...received: ReturnType<typeof arrived>[]) =>
    of(...received).filter((violation) => !missing.includes(violation));
  expect(found(arrived(1, '/of-other'))).toEqual(['/of-other got rec_1 of col_1']);
  expect(found(ofRecord('rec_2'))).toEqual(['/all got rec_2 of small']);
  expect(found(ofRecord('rec_9'))).toEqual(['/all got rec_9@1, which no client wrote']);
  expect(found(arrived(3))).toEqual(['/of-one got rec_1@3, which no client wrote']);
});

test('webhooks that are missing, or out of order, are found', () => {
  const of = (...sequences: number[]) => [
    ...checkDeliveries(withWebhooks(...sequences.map((n) => arrived(n)))),
  ];
  expect(of(1, 2, 1)).toEqual([]);
  expect(of(1)).toEqual(['/of-one did not get rec_1@2']);
  expect(of(2, 1)).toEqual(['/of-one: rec_1 2 arrived after 0']);
});

test('webhooks that a secret of their time has not signed are found', () => {
  const of = (...received: ReturnType<typeof arrived>[]) =>
    [...checkSignatures(withWebhooks(...received))].join();
  const sound = [arrived(1, '/all', former), arrived(2, '/all', former, present)];
  expect(of(...sound)).toBe('');
  expect(of(...sound, arrived(3, '/all', present))).toMatch(/evt_3: .*Python: /s);
  expect(of(sound[0]!)).toBe('secret 1 was never the newest of a webhook');
});

test('a second effect, a second key, a late request and a missing event of a refund are found', () => {
  const sent = (order: string, key: string, at: number) => ({
    ...{ id: '', path: '/', body: JSON.stringify({ order }), headers: { 'idempotency-key': key }, at },
  });
  const call = (key: string, refund: string) => ({
    ...{ action: { what: 'refund', key }, outcome: { is: 'done', result: { made: refund } }, endedAt: 10 },
  });
  const of = (requests: ReturnType<typeof sent>[], calls: object[], executions = ['cex_1']) => {
    const events = executions.map((execution_id, n) => ({ id: `evt_${n}`, data: { execution_id } }));
    const refunds = { requests, made: new Map([['cex_1', 'refund']]) };
    const readers = executions.length === 0 ? [] : [{ events }];
    return [...checkRefunds({ entries: calls, readers, refunds } as unknown as History)];
  };
  expect(of([sent('a', 'cex_1', 1), sent('a', 'cex_1', 9)], [call('a', 'refund')])).toEqual([]);
  expect(of([sent('a', 'cex_1', 1), sent('a', 'cex_2', 9)], [call('a', 'refund')])).toEqual([
    'a: sent with 2 keys',
  ]);
  expect(of([sent('a', 'cex_1', 1)], [call('a', 'refund'), call('a', 'other')])).toEqual([
    'a: acknowledged as other, but it is refund',
  ]);
  expect(of([sent('a', 'cex_1', 1), sent('a', 'cex_1', 11)], [call('a', 'refund')])).toEqual([
    'a: 1 requests arrived after its outcome was acknowledged',
  ]);
  expect(of([sent('a', 'cex_1', 1)], [call('a', 'refund')], [])).toEqual(['a: 0 events']);
  expect(of([sent('b', 'cex_1', 1)], [])).toEqual(['b: no client asked for it']);
});

test('a mixed, a cut and a foreign file are found', () => {
  const read = (file: string, bytes: number, lines: number) =>
    ({
      action: { what: 'read_file', file },
      outcome: { is: 'done', result: { file: { bytes, length: 4, lines } } },
    }) as Entry;
  const refused = {
    action: { what: 'read_file', file: 'a' },
    outcome: { is: 'refused', code: 'x' },
  } as Entry;
  const of = (...entries: Entry[]) => [
    ...checkFiles({ entries, hiddenFiles: new Set(['hidden']) } as unknown as History),
  ];
  expect(of(read('a', 4, 1), { ...refused, action: { what: 'read_file', file: 'hidden' } })).toEqual([]);
  expect(of(read('a', 4, 2))).toEqual(['a: 2 contents in one answer']);
  expect(of(read('a', 5, 1))).toEqual(['a: 4 of 5 bytes']);
  expect(of(refused)).toEqual(['a: refused with x']);
  expect(of(read('hidden', 4, 1))).toEqual(['hidden: read by another Member']);
});

const line = (type: string, data: object = {}) => ({ type, data: data as Record<string, unknown> });
const exported = [
  ...['workspace', 'member', 'collection', 'usage', 'webhook_endpoint', 'audit_block'].map((type) =>
    line(type),
  ),
  line('record', { payload: { write: 'w1' } }),
];
const erased = (changed: Partial<Erasure>, lines = exported): Erasure => ({
  exported: [...lines, line('end', { lines: lines.length })],
  ...{ writes: new Set(['w1']), left: [], before: ['a 1'], after: ['a 1', 'audit.blocks 2'], ...changed },
});

test.each<[violations: RegExp, Erasure]>([
  [/^$/, erased({})],
  [/misses 1 Records, such as w2/, erased({ writes: new Set(['w1', 'w2']) })],
  [/has twice/, erased({}, [...exported, exported.at(-1)!])],
  [/has a secret/, erased({}, [...exported, line('x', { secret: 'whsec_a' })])],
  [/not one workspace,.*not one member/, erased({}, exported.slice(2))],
  [/not one end,.*ends with undefined lines/, erased({ exported })],
  [/left: b 1/, erased({ left: ['b 1'] })],
  [/lost: a 1,.*new: a 2/, erased({ after: ['a 2'] })],
])('the checkers of exports and erasures find %s', (violations, erasure) => {
  expect([...checkExport(erasure), ...checkErased(erasure)].join()).toMatch(violations);
});

const kept: SetBack = {
  ...{ part: 'mail', copy: { from: 10, to: 20 }, entries: [], repeated: [], keys: [] },
  ...{ draftsMade: 0, drift: [0, 0] },
  shown: { records: new Set(), grants: new Set(), drafts: new Set(), files: new Set() },
  ...{ revoked: new Set(), isBack: { member: false, record: false, endpoint: false }, feed: 'goes on' },
  ...{ hasLateEndpoint: true, signsWithRotated: true, undelivered: 0, unaudited: 0, auditedTwice: 0 },
  ...{ isChainWhole: true, isKnownBlockSame: true },
};
const pushed = { ...writes[0]!, begunAt: 1, endedAt: 5, attempts: [] };
const grant = {
  ...pushed,
  action: { what: 'grant', key: 'g', slot: 0 },
  outcome: { is: 'done', result: { made: 'ogr_1' } },
} as Entry;
const other = {
  ...pushed,
  action: { what: 'push', collection: 'col_1', key: 'w9', bytes: 1 },
  outcome: made(1, 'rec_9'),
} as Entry;
const draft = { ...pushed, action: { what: 'draft', key: 'd' } } as Entry;
const drafting = { entries: [draft], repeated: [draft.outcome], draftsMade: 1 };
const file = { ...pushed, action: { what: 'file', key: 'f' } } as Entry;
const storing = {
  ...{ entries: [pushed], repeated: [pushed.outcome], keys: ['w1'] },
  shown: { ...kept.shown, records: new Set(['rec_1']) },
};

const again = {
  ...pushed,
  begunAt: 25,
  endedAt: 30,
  attempts: [{ requestId: 'r', status: 200, isReplay: true }],
};

test.each<[unexpected: RegExp, Partial<SetBack>]>([
  [/^$/, storing],
  [
    /^$/,
    {
      ...{ ...storing, part: 'record-store', isBack: { ...kept.isBack, record: true } },
      ...{ entries: [pushed, again], repeated: [pushed.outcome, pushed.outcome] },
    },
  ],
  [/Records .*0 are missing/, { ...storing, shown: kept.shown }],
  [/grants from/, { entries: [grant], repeated: [grant.outcome] }],
  [/1 work again/, { revoked: new Set(['ogr_1']), shown: { ...kept.shown, grants: new Set(['ogr_1']) } }],
  [/member is there again/, { isBack: { ...kept.isBack, member: true } }],
  [/record is there again/, { isBack: { ...kept.isBack, record: true } }],
  [/endpoint is there again/, { isBack: { ...kept.isBack, endpoint: true } }],
  [/e-mails of the history/, { ...drafting, shown: kept.shown }],
  [/files from/, { entries: [file], repeated: [file.outcome] }],
  [/repeated with their keys succeed/, { ...storing, repeated: [{ is: 'unknown' }] }],
  [
    /no former id has another owner/,
    { ...storing, entries: [pushed, other], repeated: [other.outcome, pushed.outcome], keys: ['w1', 'w9'] },
  ],
  [/created later is missing/, { hasLateEndpoint: false }],
  [/1 have several/, { auditedTwice: 1 }],
  [/1 made their object anew/, { ...storing, repeated: [made(2)] }],
  [/each key has one Record/, { ...storing, keys: ['w1', 'w1'] }],
  [/0 e-mails have 1 drafts/, { draftsMade: 1 }],
  [/correct 5 and 0 bytes/, { drift: [5, 0] }],
  [/feed: event_cursor_expired/, { feed: 'event_cursor_expired' }],
  [/signs no more/, { signsWithRotated: false }],
  [/webhooks of 1 Records/, { undelivered: 1 }],
  [/entries of 1 Records/, { unaudited: 1 }],
  [/the chain/, { isChainWhole: false }],
  [/another one/, { isKnownBlockSame: false }],
])('the checker of parts that were set back finds %s', (unexpected, changed) => {
  const found = findings({ ...kept, ...changed }).filter(({ isExpected }) => !isExpected);
  expect(found.map(({ text }) => text).join()).toMatch(unexpected);
});

test('a caller that notices something is found', () => {
  const failed = new Map([[502, 1]]);
  expect([...checkUnnoticed({ answered: 1, failed: new Map() }, 0)]).toEqual([]);
  expect([...checkUnnoticed({ answered: 0, failed }, 1)]).toHaveLength(3);
});

test('commits without an approval, and approvals that let two through, are found', () => {
  const event = (type: string, subject: string, approval_id?: string) => ({
    ...{ id: `${type} ${subject}`, type, subject, time: '2026-01-01T00:00:01Z', data: { approval_id } },
  });
  const rule = { ...event('approval_rules.changed', 'ws_1'), time: '2026-01-01T00:00:00Z' };
  const found = (...events: ReturnType<typeof event>[]) => [
    ...checkApprovals({ readers: [{ name: 'reader', events }] } as unknown as History),
  ];
  const approved = event('approval.approved', 'apv_1');
  const pushed = event('record.pushed', 'rec_1', 'apv_1');
  expect(found(event('record.pushed', 'rec_0'), rule, approved, pushed, pushed)).toEqual([]);
  expect(found(rule, event('record.pushed', 'rec_1'))).toEqual(['record.pushed of rec_1 has no approval']);
  expect(found(rule, pushed)).toEqual(['record.pushed of rec_1 names apv_1, which nobody approved']);
  expect(found(rule, approved, pushed, event('record.pushed', 'rec_2', 'apv_1'))).toEqual([
    'apv_1 let 2 commits through',
  ]);
  expect(found()).toEqual(['no rule holds the writes']);
});
