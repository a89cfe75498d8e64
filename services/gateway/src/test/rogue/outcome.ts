import { type ErrorCode, failureOf, type Operation } from '@action-platform/contracts';
import { expect } from '@jest/globals';
import { expectEnvelope } from '../error-envelope.ts';

/** The outcome of a call: an answer, or a connection that closed before the answer was whole. */
export type Outcome =
  | { readonly status: number; readonly headers: Headers; readonly text: string }
  | 'broken off';

/** Resolves with the outcome of a call. */
export async function outcomeOf(asked: Promise<Response>): Promise<Outcome> {
  try {
    const response = await asked;
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return 'broken off';
  }
}

/** The permitted headers of an answer, whatever the service sends. */
const KNOWN_HEADERS = [
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'idempotent-replayed',
  'keep-alive',
  'retry-after',
  'transfer-encoding',
  'www-authenticate',
  'x-content-type-options',
  'x-request-id',
];

/** Expects a whole answer with only the headers of the contract. */
export function expectAnswer(outcome: Outcome): Exclude<Outcome, string> {
  if (outcome === 'broken off') throw new Error('The answer was broken off.');
  const { headers } = outcome;
  expect([...headers.keys()].filter((name) => !KNOWN_HEADERS.includes(name))).toEqual([]);
  expect(headers.get('retry-after') ?? '1').toMatch(/^\d{1,9}$/);
  expect(headers.get('idempotent-replayed') ?? 'true').toBe('true');
  return outcome;
}

/** Expects the error envelope of a code, with the request id of this call. */
export function expectRefusal(outcome: Outcome, code: ErrorCode): void {
  const { status, headers, text } = expectAnswer(outcome);
  expectEnvelope({ status, requestId: headers.get('x-request-id'), body: JSON.parse(text) }, code);
  expect(headers.has('retry-after')).toBe(status === 503);
}

/** Expects that every call failed with the code of its operation's effect. */
export function expectFailures(calls: readonly (readonly [Operation, Outcome])[]): void {
  for (const [{ effect }, outcome] of calls) expectRefusal(outcome, failureOf(effect));
}
