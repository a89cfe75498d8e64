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

/** One message of a service's answer. */
export interface AnswerMessage {
  readonly headers: Headers;
  /** Bytes (U+0000 to U+00FF). */
  readonly body: string;
  /** The subject for credit for more of the answer: the service's own inbox, a foreign one, or none. */
  readonly reply: 'own' | 'foreign' | null;
  /** How often the service sends it; 0 is a silent service. */
  readonly times: number;
}

/** An HTTP request to the gateway, and the answers of services to the bus requests that follow. */
export interface BusAnswers {
  readonly kind: 'answers';
  readonly request: keyof typeof requests;
  /** The answer of grants. */
  readonly authority: AnswerMessage;
  /** The answer of the service that runs the operation. */
  readonly outcome: AnswerMessage;
  /** The answers to credit, in order. */
  readonly chunks: readonly AnswerMessage[];
}

const post = { method: 'POST', body: '{}' };

/** Requests by their effect. */
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

const anyAnswer: Arbitrary<AnswerMessage> = fc.record({
  headers: sound.chain((headers) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(headers) }, changedHeaders(headers)),
  ),
  body: changedBodies(bodies),
  reply: fc.constantFrom<AnswerMessage['reply'][]>(null, null, null, 'own', 'foreign'),
  times: fc.constantFrom(...Array<number>(12).fill(1), 2, 0),
});

const granted: AnswerMessage = {
  headers: [[busHeaders.status, '200']],
  body: JSON.stringify(anyPrincipal),
  reply: null,
  times: 1,
};

/** A chunk of a long answer: the expected one, or another one. */
function chunk(position: number): Arbitrary<AnswerMessage> {
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

/** Answers of services, valid and mutated. */
export const busAnswers: Arbitrary<BusAnswers> = fc.record({
  kind: fc.constant('answers' as const),
  request: fc.constantFrom(...(Object.keys(requests) as (keyof typeof requests)[])),
  authority: fc.oneof({ weight: 2, arbitrary: fc.constant(granted) }, anyAnswer),
  outcome: fc.oneof(
    { weight: 3, arbitrary: anyAnswer },
    anyAnswer.map((first) => ({
      ...first,
      reply: 'own' as const,
      headers: [...first.headers, [busHeaders.more, 'true'] as const],
    })),
  ),
  chunks: fc.tuple(chunk(0), chunk(1), chunk(2)),
});
