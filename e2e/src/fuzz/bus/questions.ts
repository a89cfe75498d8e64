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

/** A message to a service, sent with the credentials of somebody who may. */
export interface BusQuestion {
  readonly kind: 'question';
  readonly as: BusUser;
  readonly subject: string;
  readonly headers: Headers;
  /** Bytes (U+0000 to U+00FF). */
  readonly body: string;
  /** Where the answer is to go; null for the sender's own inbox. */
  readonly reply: string | null;
  /** What the sender says to the first chunk of a long answer. */
  readonly goOn: 'cancel' | 'demand' | 'nonsense';
}

/** Something that a service serves, with a sound question to it. */
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

/** What only operators and services ask, and what the gateway asks of grants. */
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
const strangeSubjects = [
  'op.mail.mail.no_such',
  'op.grants.x',
  'op',
  'grants.>',
  'admin.mail',
  'health.nobody',
  'x'.repeat(300),
];

/** Questions to everything that is served, sound ones and changed ones. */
export const busQuestions: Arbitrary<BusQuestion> = fc.oneof(
  { weight: servedOperations.length, arbitrary: fc.oneof(...servedOperations.map(questionsTo)) },
  { weight: servedCalls.length, arbitrary: fc.oneof(...servedCalls.map(questionsTo)) },
);

function questionsTo({ subject, as, headers, bodies }: Served): Arbitrary<BusQuestion> {
  return fc.record({
    kind: fc.constant('question' as const),
    as: fc.constantFrom(...as),
    subject: fc.oneof({ weight: 20, arbitrary: fc.constant(subject) }, fc.constantFrom(...strangeSubjects)),
    headers: fc.oneof(fc.constant(headers), changedHeaders(headers)),
    body: changedBodies(bodies),
    reply: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, foreignReplies),
    goOn: fc.constantFrom('cancel', 'demand', 'nonsense'),
  });
}

/** Whether somebody serves the subject and this user may ask: then there must be an answer. */
export function isServedFor({ subject, as }: BusQuestion): boolean {
  return served.some((each) => each.subject === subject && each.as.includes(as));
}

/** What is known of a message by its headers alone. */
export interface Envelope {
  /** It names somebody who can be a caller. Without one nothing may be done. */
  readonly hasCaller: boolean;
  /** All of it is as it must be, so that a platform that is well does not fail at it. */
  readonly isSound: boolean;
}

const nameOfCaller = principal.pick({ workspaceId: true, userId: true, role: true });

/** What the headers of a message say; the first counts of those that come twice. */
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
