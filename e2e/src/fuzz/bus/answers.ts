import {
  busHeaders,
  discover,
  getRecord,
  grantRoutes,
  operations,
  type Principal,
  pushRecord,
} from '@action-platform/contracts';
import { pieces } from '@action-platform/testing/arbitraries';
import fc, { type Arbitrary } from 'fast-check';
import type { Headers } from './message.ts';
import { changedBodies, changedHeaders, strangeValues } from './pieces.ts';

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
  readonly request: keyof typeof requests;
  /** The answer of grants. */
  readonly authority: AnswerMessage;
  /** The answer of the service that runs the operation. */
  readonly outcome: AnswerMessage;
  /** The answers to credit, in order. */
  readonly chunks: readonly AnswerMessage[];
}

const post = { method: 'POST', body: '{}' };
const get = { method: 'GET', body: '' };

/** Requests by their effect. */
export const requests = {
  read: { ...post, path: `/api/v1/operations/${getRecord.id}`, effect: 'read' },
  write: { ...post, path: `/api/v1/operations/${pushRecord.id}`, effect: 'write' },
  discover: { ...get, path: '/api/v1/operations', effect: discover.effect },
  'list grants': { ...get, path: grantRoutes.operation.list.path, effect: 'read' },
  'create a grant': { ...post, path: grantRoutes.routine.create.path, effect: 'write' },
} as const;

const anyPrincipal: Principal = { workspaceId: 'ws_1', userId: 'olga', role: 'owner', connections: {} };
const bodies = fc.constantFrom(
  JSON.stringify(anyPrincipal),
  JSON.stringify({ operations: [...operations.keys()] }),
  `"${'x'.repeat(3_000)}"`,
  '',
  ...pieces(String.raw`
    {\"result\":{}}  {}  null  {\"operations\":null}  {\"operations\":[null,1,{}]}  {\"error\":null}  <!DOCTYPE html>
    {\"error\":{\"code\":\"action_platform_unavailable\",\"message\":\"m\"}}  {\"error\":{\"code\":\"grant_revoked\"}}
    {\"error\":{\"code\":\"grant_revoked\",\"message\":\"m\"}}  {\"error\":{\"code\":\"toString\",\"message\":\"m\"}}
    {\"error\":{\"code\":\"grant_revoked\",\"message\":{\"a\":1}}}
  `),
);
const statuses = fc.constantFrom(
  ...Array<string>(12).fill('200'),
  '',
  ...pieces('400  401  403  404  502  503  99  1000  600  200.5  -1  1e2  0x64  204  101  304  NaN'),
);

const sound: Arbitrary<Headers> = fc
  .record(
    {
      [busHeaders.status]: statuses,
      [busHeaders.retryAfter]: fc.oneof(fc.constant('1'), strangeValues),
      [busHeaders.replayed]: fc.oneof(fc.constant('true'), strangeValues),
    },
    { requiredKeys: [busHeaders.status] },
  )
  .map((headers) => Object.entries(headers) as [string, string][]);

const anyAnswer = (mark: string): Arbitrary<AnswerMessage> =>
  fc.record({
    headers: sound.chain((headers) =>
      fc.oneof({ weight: 3, arbitrary: fc.constant(headers) }, changedHeaders(headers)),
    ),
    body: changedBodies(bodies, mark),
    reply: fc.constantFrom<AnswerMessage['reply'][]>(null, null, null, 'own', 'foreign'),
    times: fc.constantFrom(...Array<number>(12).fill(1), 2, 0),
  });

/** An answer of one message. */
export function answerOf(status: string, body: string, ...headers: Headers): AnswerMessage {
  return { headers: [[busHeaders.status, status], ...headers], body, reply: null, times: 1 };
}

/** Grants allows the call. */
export const granted = answerOf('200', JSON.stringify(anyPrincipal));

/** A chunk of a long answer: the expected one, or another one. */
function chunk(position: number, mark: string): Arbitrary<AnswerMessage> {
  const last: Headers = [[busHeaders.chunk, `${position + 1}`]];
  const more: Headers = [...last, [busHeaders.more, 'true']];
  return fc.record({
    headers: fc.oneof(fc.constantFrom(more, last), changedHeaders(more)),
    body: changedBodies(bodies, mark),
    reply: fc.constant(null),
    times: fc.constantFrom(1, 1, 1, 6),
  });
}

/** Answers of services, valid and mutated. @param mark a text that the gateway may not log */
export function busAnswers(mark: string): Arbitrary<BusAnswers> {
  const beginning = anyAnswer(mark).map((first) => ({
    ...first,
    reply: 'own' as const,
    headers: [...first.headers, [busHeaders.more, 'true'] as const],
  }));
  return fc.record({
    request: fc.constantFrom(...(Object.keys(requests) as (keyof typeof requests)[])),
    authority: fc.oneof({ weight: 2, arbitrary: fc.constant(granted) }, anyAnswer(mark)),
    outcome: fc.oneof({ weight: 3, arbitrary: anyAnswer(mark) }, beginning),
    chunks: fc.tuple(chunk(0, mark), chunk(1, mark), chunk(2, mark)),
  });
}
