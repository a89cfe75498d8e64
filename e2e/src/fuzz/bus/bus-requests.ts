import {
  type BusUser,
  busHeaders,
  calls,
  operationSubject,
  operations,
  principal,
  publishedSchema,
  sessionClaims,
} from '@action-platform/contracts';
import fc, { type Arbitrary } from 'fast-check';
import type { z } from 'zod';
import { nearlyAccepted } from '../../contract/mutation.ts';
import { withReferences } from '../environment/placeholders.ts';
import { changedBodies, changedHeaders, type Headers } from './bus-pieces.ts';

/** A message to a service, sent with the credentials of a user with permission. */
export interface BusRequest {
  readonly kind: 'request';
  readonly as: BusUser;
  readonly subject: string;
  readonly headers: Headers;
  /** Bytes (U+0000 to U+00FF). */
  readonly body: string;
  /** The subject for the answer; null for the sender's own inbox. */
  readonly reply: string | null;
  /** The sender's reaction to the first chunk of a long answer. */
  readonly goOn: 'cancel' | 'credit' | 'nonsense';
}

/** A subject of a service, with valid requests. */
interface Served {
  readonly subject: string;
  readonly as: readonly BusUser[];
  readonly headers: Headers;
  readonly bodies: Arbitrary<string>;
}

const PRINCIPALS = [
  { role: 'owner', userId: 'olga' },
  { role: 'member', userId: 'mika' },
  { role: 'member', userId: 'olga', operationGrantId: '{{operationGrantId}}' },
  {
    role: 'owner',
    userId: 'olga',
    routine: { id: '{{routineGrantId}}', invocationId: 'run-1', outputDefinition: 'fuzzed' },
  },
].map((own) =>
  JSON.stringify({ workspaceId: '{{workspace}}', connections: { mail_suite: 'con_1' }, ...own }),
);

const common: Headers = [
  [busHeaders.requestId, 'fuzz'],
  [busHeaders.traceparent, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'],
  [busHeaders.timeoutMs, '20000'],
];
const session: Headers = [
  [busHeaders.session, JSON.stringify({ workspaceId: '{{workspace}}', userId: 'olga' })],
];

const servedOperations: readonly Served[] = [...operations.values()].flatMap((operation) =>
  PRINCIPALS.map((known) => ({
    subject: operationSubject(operation),
    as: ['gateway'],
    headers: [...common, [busHeaders.principal, known] as const],
    bodies: fc.oneof(
      fc.constant(JSON.stringify(withReferences(operation.example))),
      inputsOf(operation.input),
    ),
  })),
);

/** The calls of operators, of services, and of the gateway to grants. */
const servedCalls: readonly Served[] = calls.map(({ subject, callers, input, isGrantRoute }) => ({
  subject,
  as: callers,
  headers: [...common, ...(isGrantRoute ? session : [])],
  bodies: inputsOf(input),
}));

const served = [...servedOperations, ...servedCalls];

function inputsOf(schema: Parameters<typeof publishedSchema>[0]): Arbitrary<string> {
  return nearlyAccepted(publishedSchema(schema, 'input')).map((input) =>
    JSON.stringify(withReferences(input)),
  );
}

const foreignReplies = fc.constantFrom(
  ...[
    'op.mail.mail.send_email',
    'grants.authorize',
    'admin.grants.create_workspace',
    '_INBOX_grants.x',
    '_INBOX_gateway',
  ],
  ...['_INBOX_gateway.', 'health.mail', '$SYS.REQ.SERVER.PING', 'a b', '>', '_INBOX_gateway.*'],
);
const unservedSubjects = [
  'op.mail.mail.no_such',
  'op.grants.x',
  'op',
  'grants.>',
  'admin.mail',
  'health.nobody',
  'x'.repeat(300),
];

/** Requests to every served subject, valid and mutated. */
export const busRequests: Arbitrary<BusRequest> = fc.oneof(
  { weight: servedOperations.length, arbitrary: fc.oneof(...servedOperations.map(requestsTo)) },
  { weight: servedCalls.length, arbitrary: fc.oneof(...servedCalls.map(requestsTo)) },
);

function requestsTo({ subject, as, headers, bodies }: Served): Arbitrary<BusRequest> {
  return fc.record({
    kind: fc.constant('request' as const),
    as: fc.constantFrom(...as),
    subject: fc.oneof({ weight: 20, arbitrary: fc.constant(subject) }, fc.constantFrom(...unservedSubjects)),
    headers: fc.oneof(fc.constant(headers), changedHeaders(headers)),
    body: changedBodies(bodies),
    reply: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, foreignReplies),
    goOn: fc.constantFrom('cancel', 'credit', 'nonsense'),
  });
}

/** Whether a service serves the subject for this user, so that an answer must come. */
export function isServedFor({ subject, as }: BusRequest): boolean {
  return served.some((each) => each.subject === subject && each.as.includes(as));
}

/** The properties of a message that its headers alone decide. */
export interface Envelope {
  /** The headers name a valid caller. Without one the request must have no effect. */
  readonly hasCaller: boolean;
  /** All headers are valid, so that a healthy platform does not answer with 5xx. */
  readonly isSound: boolean;
}

const nameOfCaller = principal.pick({ workspaceId: true, userId: true, role: true });

/** Reads the headers of a message; the first of a repeated header counts. */
export function envelopeOf(subject: string, headers: Headers): Envelope {
  const headerOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  const needed = served.find((each) => each.subject === subject)?.headers ?? [];
  const isGood = (name: string, schema: z.ZodType) => {
    const isNeeded = needed.some(([wanted]) => wanted === name);
    return !isNeeded || schema.safeParse(jsonOf(headerOf(name) ?? '')).success;
  };
  const timeout = Number(headerOf(busHeaders.timeoutMs) || Number.NaN);
  const hasSession = isGood(busHeaders.session, sessionClaims);
  return {
    hasCaller: isGood(busHeaders.principal, nameOfCaller) && hasSession,
    isSound: timeout >= 5_000 && isGood(busHeaders.principal, principal) && hasSession,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
