import {
  busHeaders,
  discover,
  getRecord,
  grantRoutes,
  operations,
  type Principal,
  pushRecord,
} from '@action-platform/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { changedBodies, changedHeaders, type Headers, strangeValues } from './bus-pieces.ts';

/** One message that a service answers with. */
export interface Told {
  readonly headers: Headers;
  /** Bytes (U+0000 to U+00FF). */
  readonly body: string;
  /** Where more of the answer is to be asked for: in the service's own inbox, somewhere else, or nowhere. */
  readonly reply: 'own' | 'foreign' | null;
  /** How often it is sent: a service that says nothing is one too. */
  readonly times: number;
}

/** What services answer to the questions of a gateway, and the request that makes it ask them. */
export interface BusAnswers {
  readonly kind: 'answers';
  readonly request: keyof typeof requests;
  /** What grants answers. */
  readonly authority: Told;
  /** What the service answers that runs the operation. */
  readonly outcome: Told;
  /** What each demand for more is answered with. */
  readonly chunks: readonly Told[];
}

const post = { method: 'POST', body: '{}' };

/** Requests by what becomes of them. */
export const requests = {
  read: { ...post, path: `/api/v1/operations/${getRecord.id}`, effect: 'read' },
  write: { ...post, path: `/api/v1/operations/${pushRecord.id}`, effect: 'write' },
  discover: { method: 'GET', body: '', path: '/api/v1/operations', effect: discover.effect },
  'list grants': { method: 'GET', body: '', path: grantRoutes.operation.list.path, effect: 'read' },
  'create a grant': { ...post, path: grantRoutes.routine.create.path, effect: 'write' },
} as const;

const anyPrincipal: Principal = { workspaceId: 'ws_1', userId: 'olga', role: 'owner', connections: {} };
const bodies = fc.constantFrom(
  ...[
    JSON.stringify(anyPrincipal),
    JSON.stringify({ operations: [...operations.keys()] }),
    '{"result":{}}',
    '{}',
    'null',
    '',
  ],
  ...[
    '{"operations":null}',
    '{"operations":[null,1,{}]}',
    '{"error":{"code":"grant_revoked"}}',
    '{"error":{"code":"toString"}}',
  ],
  ...[
    '{"error":{"code":"grant_revoked","message":{"a":1}}}',
    '{"error":null}',
    `"${'x'.repeat(3_000)}"`,
    '<!DOCTYPE html>',
  ],
);
const statuses = fc.constantFrom(
  ...Array<string>(12).fill('200'),
  '400',
  '401',
  '403',
  '404',
  '502',
  '503',
  '99',
  '1000',
  '600',
  '200.5',
  '-1',
  '1e2',
  '0x64',
  '',
  '204',
  '101',
  '304',
  'NaN',
);

const sound: Arbitrary<Headers> = fc
  .record({
    status: statuses,
    retryAfter: fc.option(fc.oneof(fc.constant('1'), strangeValues), { nil: undefined, freq: 4 }),
    replayed: fc.option(fc.oneof(fc.constant('true'), strangeValues), { nil: undefined, freq: 4 }),
  })
  .map(({ status, retryAfter, replayed }) => [
    [busHeaders.status, status] as const,
    ...(retryAfter === undefined ? [] : [[busHeaders.retryAfter, retryAfter] as const]),
    ...(replayed === undefined ? [] : [[busHeaders.replayed, replayed] as const]),
  ]);

const told: Arbitrary<Told> = fc.record({
  headers: sound.chain((headers) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(headers) }, changedHeaders(headers)),
  ),
  body: changedBodies(bodies),
  reply: fc.constantFrom<Told['reply'][]>(null, null, null, 'own', 'foreign'),
  times: fc.constantFrom(...Array<number>(12).fill(1), 2, 0),
});

const granted: Told = {
  headers: [[busHeaders.status, '200']],
  body: JSON.stringify(anyPrincipal),
  reply: null,
  times: 1,
};

/** A chunk of a long answer: the one that is expected, or another one. */
function chunk(position: number): Arbitrary<Told> {
  const more: Headers = [
    [busHeaders.chunk, `${position + 1}`],
    [busHeaders.more, 'true'],
  ];
  const last: Headers = [[busHeaders.chunk, `${position + 1}`]];
  const headers = fc.oneof(fc.constantFrom(more, last), changedHeaders(more));
  return fc.record({
    headers,
    body: changedBodies(bodies),
    reply: fc.constant(null),
    times: fc.constantFrom(1, 1, 1, 6),
  });
}

/** Answers of services, sound ones and changed ones. */
export const busAnswers: Arbitrary<BusAnswers> = fc.record({
  kind: fc.constant('answers' as const),
  request: fc.constantFrom(...(Object.keys(requests) as (keyof typeof requests)[])),
  authority: fc.oneof({ weight: 2, arbitrary: fc.constant(granted) }, told),
  outcome: fc.oneof(
    { weight: 3, arbitrary: told },
    told.map((first) => ({
      ...first,
      reply: 'own' as const,
      headers: [...first.headers, [busHeaders.more, 'true'] as const],
    })),
  ),
  chunks: fc.tuple(chunk(0), chunk(1), chunk(2)),
});
