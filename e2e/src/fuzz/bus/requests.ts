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
import { MEMBER, OWNER } from '../../workspace.ts';
import { type Fuzzed, withReferences } from '../references.ts';
import type { Headers } from './message.ts';
import { changedBodies, changedHeaders } from './pieces.ts';

/** A message to a service, sent with the credentials of a user with permission. */
export interface BusRequest {
  readonly as: BusUser;
  readonly subject: string;
  readonly headers: Headers;
  /** Bytes (U+0000 to U+00FF). */
  readonly body: string;
  /** The subject for the answer; null for the sender's own inbox. */
  readonly reply: string | null;
  /** The sender's reaction to the first chunk of a long answer. */
  readonly goOn: 'cancel' | 'credit' | 'nonsense';
  /** Whether the headers name a valid caller, where the subject needs one. Without one the request must have no effect. */
  readonly hasCaller: boolean;
  /** Whether all headers are valid, so that a healthy platform does not answer with 5xx. */
  readonly isSound: boolean;
  /** Whether a service serves the subject for this user, so that an answer must come. */
  readonly isServed: boolean;
}

/** The bus drops headers that are larger than it allows, which is more than this. */
const SOUND_HEADERS_BYTES = 8 * 1024;

/** The headers of every request. */
export const commonHeaders: Headers = [
  [busHeaders.requestId, 'fuzz'],
  [busHeaders.traceparent, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'],
  [busHeaders.timeoutMs, '20000'],
];
const foreignReplies = fc.constantFrom(
  ...['op.mail.mail.send_email', 'grants.authorize', 'admin.grants.create_workspace', '_INBOX_grants.x'],
  ...['_INBOX_gateway', '_INBOX_gateway.', 'health.mail', '$SYS.REQ.SERVER.PING', '>', '_INBOX_gateway.*'],
);
const unservedSubjects = fc.constantFrom(
  ...[
    'op.mail.mail.no_such',
    'op.grants.x',
    'op',
    'grants.>',
    'admin.mail',
    'health.nobody',
    'x'.repeat(300),
  ],
);

/** A subject of a service, with valid requests. */
interface Served {
  readonly subject: string;
  readonly as: readonly BusUser[];
  readonly headers: Headers;
  readonly bodies: Arbitrary<string>;
}

/** Requests to every served subject, valid and mutated. */
export function busRequests(fuzzed: Fuzzed): Arbitrary<BusRequest> {
  const { id, ids } = fuzzed.workspace;
  const written = (input: unknown) => JSON.stringify(withReferences(input, fuzzed));
  const inputsOf = (schema: Parameters<typeof publishedSchema>[0]) =>
    nearlyAccepted(publishedSchema(schema, 'input')).map(written);
  const routine = { id: ids.routineGrant, invocationId: 'run-1', outputDefinition: ids.outputDefinition };
  const principals = [
    { role: 'owner', userId: OWNER },
    { role: 'member', userId: MEMBER },
    { role: 'member', userId: OWNER, operationGrantId: ids.operationGrant },
    { role: 'owner', userId: OWNER, routine },
  ].map((own) => JSON.stringify({ workspaceId: id, connections: { mail_suite: 'con_1' }, ...own }));
  const session = JSON.stringify({ workspaceId: id, userId: OWNER });
  const servedOperations: Served[] = [...operations.values()].flatMap((operation) =>
    principals.map((known) => ({
      subject: operationSubject(operation),
      as: ['gateway'],
      headers: [...commonHeaders, [busHeaders.principal, known] as const],
      bodies: fc.oneof(fc.constant(written(operation.example)), inputsOf(operation.input)),
    })),
  );
  // The calls of operators, of services, and of the gateway for Members.
  const servedCalls: Served[] = calls.map(({ subject, callers, input, isMemberRoute }) => ({
    subject,
    as: callers,
    headers: [...commonHeaders, ...(isMemberRoute ? [[busHeaders.session, session] as const] : [])],
    bodies: inputsOf(input),
  }));
  return fc.oneof(...[...servedOperations, ...servedCalls].map((served) => requestsTo(served, fuzzed.mark)));
}

function requestsTo(
  { subject: served, as, headers: needed, bodies }: Served,
  mark: string,
): Arbitrary<BusRequest> {
  return fc
    .record({
      as: fc.constantFrom(...as),
      subject: fc.oneof({ weight: 20, arbitrary: fc.constant(served) }, unservedSubjects),
      headers: fc.oneof(fc.constant(needed), changedHeaders(needed)),
      body: changedBodies(bodies, mark),
      reply: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, foreignReplies),
      goOn: fc.constantFrom('cancel', 'credit', 'nonsense'),
    })
    .map((request) => ({
      ...request,
      isServed: request.subject === served,
      ...envelopeOf(request.headers, needed),
    }));
}

const nameOfCaller = principal.pick({ workspaceId: true, userId: true, role: true });

/** Reads the headers of a message; the first of a repeated header counts. @param needed the headers of a valid request */
function envelopeOf(headers: Headers, needed: Headers): Pick<BusRequest, 'hasCaller' | 'isSound'> {
  const headerOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  const isGood = (name: string, schema: z.ZodType) => {
    const isNeeded = needed.some(([wanted]) => wanted === name);
    return !isNeeded || schema.safeParse(jsonOf(headerOf(name) ?? '')).success;
  };
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const timeout = Number(headerOf(busHeaders.timeoutMs) || Number.NaN);
  const hasSession = isGood(busHeaders.session, sessionClaims);
  return {
    hasCaller: isGood(busHeaders.principal, nameOfCaller) && hasSession,
    isSound:
      bytes < SOUND_HEADERS_BYTES &&
      timeout >= 5_000 &&
      isGood(busHeaders.principal, principal) &&
      hasSession,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
